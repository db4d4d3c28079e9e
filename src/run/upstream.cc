// upstream.cc: which API has which key, and where it stands in a request.
#include "run/upstream.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

#include <fmt/format.h>

#include "wire/http1.h"

namespace cutline::run {
namespace {

constexpr std::uint16_t kHttpsPort = 443, kHttpPort = 80;

struct Api {
  std::string_view dialect, variable;
  std::array<std::string_view, 2> headers;
  bool in_query;
  std::string_view domain;  // of its maker
};
constexpr std::array kApis = {
    Api{.dialect = "anthropic-messages",
        .variable = "ANTHROPIC_API_KEY",
        .headers = {"x-api-key", "authorization"},
        .in_query = false,
        .domain = "anthropic.com"},
    Api{.dialect = "openai-responses",
        .variable = "OPENAI_API_KEY",
        .headers = {"authorization", "api-key"},
        .in_query = false,
        .domain = "openai.com"},
    Api{.dialect = "openai-chat",
        .variable = "OPENAI_API_KEY",
        .headers = {"authorization", "api-key"},
        .in_query = false,
        .domain = "openai.com"},
    Api{.dialect = "gemini",
        .variable = "GEMINI_API_KEY",
        .headers = {"x-goog-api-key", {}},
        .in_query = true,
        .domain = "googleapis.com"},
};

const Api* api_of(const llm::Dialect& dialect) {
  const auto* const api = std::ranges::find(kApis, dialect.name(), &Api::dialect);
  return api == kApis.end() ? nullptr : api;
}

bool is_within(std::string_view host, std::string_view domain) {
  if (host.size() < domain.size()) return false;
  const std::size_t begin = host.size() - domain.size();
  return wire::equal_ignoring_case(host.substr(begin), domain) &&
         (begin == 0 || host[begin - 1] == '.');
}

}  // namespace

ApiKeys keys_for(std::string_view host,
                 const std::function<std::string(const std::string& variable)>& value_of) {
  const auto made_here = [&](const Api& api) { return is_within(host, api.domain); };
  const bool is_a_makers = std::ranges::any_of(kApis, made_here);
  ApiKeys keys;
  for (const Api& api : kApis) {
    if (is_a_makers && !made_here(api)) continue;
    std::string key = value_of(std::string(api.variable));
    if (!key.empty()) keys.emplace(api.dialect, std::move(key));
  }
  return keys;
}

bool holds_the_key(const llm::Dialect& dialect, std::string_view header) {
  const Api* const api = api_of(dialect);
  return api && std::ranges::any_of(api->headers, [&](std::string_view name) {
           return wire::equal_ignoring_case(header, name);
         });
}

bool has_key_in_query(const llm::Dialect& dialect) {
  const Api* const api = api_of(dialect);
  return api && api->in_query;
}

Result<Upstream> parse_upstream(std::string_view url) {
  const auto bad = [&](std::string_view why) {
    return fail({.code = "run.upstream",
                 .message = fmt::format("'{}' is no URL to forward to: {}", url, why),
                 .place = "--upstream",
                 .hint = "write it as https://HOST, with :PORT and a path where they are needed"});
  };
  Upstream upstream;
  std::string_view rest = url;
  if (rest.starts_with("https://")) {
    upstream.endpoint.tls = true;
    rest.remove_prefix(8);
  } else if (rest.starts_with("http://")) {
    rest.remove_prefix(7);
  } else {
    return bad("it begins with neither https:// nor http://");
  }
  if (rest.find_first_of("?# \t\r\n") != rest.npos)
    return bad("it has a query, a fragment or a blank in it");
  const std::size_t slash = std::min(rest.find('/'), rest.size());
  std::string_view authority = rest.substr(0, slash);
  upstream.path_prefix = rest.substr(slash);
  while (upstream.path_prefix.ends_with('/')) upstream.path_prefix.pop_back();
  if (authority.find('@') != authority.npos) return bad("it has a user in it");
  upstream.endpoint.port = upstream.endpoint.tls ? kHttpsPort : kHttpPort;
  const std::size_t colon = authority.rfind(':');
  if (colon != authority.npos && authority.find(']', colon) == authority.npos) {
    const std::string_view port = authority.substr(colon + 1);
    const auto [end, error] =
        std::from_chars(port.data(), port.data() + port.size(), upstream.endpoint.port);
    const bool whole = error == std::errc() && end == port.data() + port.size();
    if (!whole || upstream.endpoint.port == 0) return bad("its port is no number from 1 to 65,535");
    authority = authority.substr(0, colon);
  }
  if (authority.starts_with('[')) {
    if (!authority.ends_with(']')) return bad("its address does not end");
    authority = authority.substr(1, authority.size() - 2);
  }
  if (authority.empty()) return bad("it names no host");
  upstream.endpoint.host = authority;
  return upstream;
}

}  // namespace cutline::run
