// exchange.cc: which dialect answers what, and what is written down of it.
#include "run/exchange.h"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include "base/number.h"
#include "base/utf8.h"
#include "json/writer.h"

namespace cutline::run {
namespace {

constexpr std::string_view kRedacted = "REDACTED";

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](unsigned char c) { return std::tolower(c); });
  return out;
}

bool carries_a_key(std::string_view header) {
  static constexpr std::array kNames = {
      std::string_view("authorization"), std::string_view("x-api-key"),
      std::string_view("api-key"),       std::string_view("x-goog-api-key"),
      std::string_view("cookie"),        std::string_view("proxy-authorization")};
  return std::ranges::find(kNames, lower(header)) != kNames.end();
}

bool names_a_key(std::string_view parameter) {
  static constexpr std::array kNames = {
      std::string_view("key"), std::string_view("api_key"), std::string_view("apikey"),
      std::string_view("access_token"), std::string_view("token")};
  return std::ranges::find(kNames, lower(parameter)) != kNames.end();
}

/// "http://127.0.0.1:8080" -> "127.0.0.1"; nothing where a user stands before the host.
std::string_view host_in(std::string_view authority) {
  if (authority.find('@') != authority.npos) return {};
  if (const std::size_t scheme = authority.find("://"); scheme != authority.npos)
    authority.remove_prefix(scheme + 3);
  if (authority.starts_with('[')) return authority.substr(0, authority.find(']') + 1);
  return authority.substr(0, authority.find(':'));
}

bool is_loopback(std::string_view authority) {
  const std::string host = lower(host_in(authority));
  return host == "127.0.0.1" || host == "localhost" || host == "[::1]";
}

/// "http://127.0.0.1:8080" of "http://127.0.0.1:8080/v1?a"; nothing of a target in another form.
std::optional<std::string_view> base_in(std::string_view target) {
  const std::size_t scheme = target.find("://");
  if (scheme == target.npos || scheme > target.find_first_of("/?")) return std::nullopt;
  return target.substr(0, target.find_first_of("/?", scheme + 3));
}

/// What is wrong with the hosts that a request names.
std::string_view wrong_hosts(const wire::HttpRequest& request,
                             std::optional<std::string_view> host) {
  const auto is_host = [](const auto& header) {
    return wire::equal_ignoring_case(header.first, "host");
  };
  if (std::ranges::count_if(request.headers, is_host) > 1)
    return "this request has two Host headers";
  const auto base = base_in(request.target);
  if (!base) return {};
  const std::string_view named = base->substr(base->find("://") + 3);
  if (is_loopback(*base) && (!host || wire::equal_ignoring_case(*host, named))) return {};
  return "the target of this request names another host";
}

Heard plain(llm::Answer answer, std::string note) {
  Heard heard;
  heard.response.status = answer.status;
  heard.response.headers = {{"content-type", answer.content_type}};
  heard.response.body = std::move(answer.body);
  heard.streamed = answer.streamed;
  heard.note = std::move(note);
  return heard;
}

std::string note_of(int status, std::string_view by, std::string_view says) {
  json::Writer out;
  out.begin_object().member("status", status).member("by", by);
  if (!says.empty()) out.member("says", repair_utf8(says).text);
  out.end_object();
  return out.take();
}

std::string note_of(const llm::ScriptedReply& scripted) {
  json::Writer out;
  out.begin_object();
  out.member("by", scripted.ideal_reader ? "ideal reader" : "script");
  if (scripted.turn) out.member("turn", *scripted.turn);
  if (const auto* text = std::get_if<llm::TextReply>(&scripted.reply.content))
    out.member("says", repair_utf8(text->text).text);
  if (const auto* call = std::get_if<llm::ToolCall>(&scripted.reply.content)) {
    out.member("calls", repair_utf8(call->tool).text);
    out.member("arguments", repair_utf8(call->arguments).text);
  }
  if (const auto* error = std::get_if<llm::ErrorReply>(&scripted.reply.content))
    out.member("status", error->status);
  out.key("rough_usage").begin_object();
  out.member("input_tokens", scripted.reply.usage.input_tokens);
  out.member("output_tokens", scripted.reply.usage.output_tokens).end_object();
  if (!scripted.note.empty()) out.member("note", repair_utf8(scripted.note).text);
  out.end_object();
  return out.take();
}

Heard error(const llm::Dialect& dialect, int status, std::string message) {
  std::string note = note_of(status, "gateway", message);
  return plain(dialect.error({.status = status, .type = {}, .message = std::move(message)}),
               std::move(note));
}

Heard generate(const llm::Dialect& dialect, Seen seen, llm::ScriptPlayer& player) {
  seen.reply = player.next(seen.request);
  Heard heard = plain(dialect.write(seen.request, seen.reply.reply), note_of(seen.reply));
  heard.delay = seen.reply.delay;
  heard.seen = std::move(seen);
  return heard;
}

Heard read_and_answer(const llm::Dialect& dialect, llm::Endpoint endpoint,
                      wire::HttpRequest request, llm::ScriptPlayer& player) {
  if (wire::find_header(request.headers, "content-encoding"))
    return error(dialect, 415, "this endpoint takes bodies without a content-encoding");
  Result<llm::Request> read = dialect.read(request.target, std::move(request.body));
  if (!read) return error(dialect, 400, to_text(read.error()));
  Seen seen{.dialect = &dialect, .endpoint = endpoint, .request = *std::move(read), .reply = {}};
  if (endpoint == llm::Endpoint::kGenerate) return generate(dialect, std::move(seen), player);
  const std::size_t tokens = llm::rough_tokens(seen.request);
  Heard heard = plain(dialect.count(seen.request, tokens),
                      note_of(200, "gateway", fmt::format("rough count: {}", tokens)));
  heard.seen = std::move(seen);
  return heard;
}

}  // namespace

std::string with_key(std::string_view target, std::string_view in_its_place) {
  std::string out;
  while (!target.empty()) {
    const std::string_view part = target.substr(0, target.find_first_of("?&"));
    const std::size_t equals = part.find('=');
    const bool key = equals != part.npos && !out.empty() && names_a_key(part.substr(0, equals));
    out += key ? part.substr(0, equals + 1) : part;
    if (key) out += in_its_place;
    target.remove_prefix(part.size());
    if (target.empty()) break;
    out += target.front();
    target.remove_prefix(1);
  }
  return out;
}

store::Request record_of(const wire::HttpRequest& request, std::int64_t at_us) {
  json::Writer headers;
  headers.begin_object();
  for (const auto& [name, value] : request.headers)
    headers.member(repair_utf8(name).text,
                   carries_a_key(name) ? std::string(kRedacted) : repair_utf8(value).text);
  headers.end_object();
  return {.at_us = at_us,
          .method = request.method,
          .target = with_key(request.target, kRedacted),
          .headers = headers.take(),
          .body = {},
          .answer = {},
          .problem = {}};
}

std::optional<Heard> refusal(const wire::HttpRequest& request) {
  const auto host = wire::find_header(request.headers, "host");
  const auto origin = wire::find_header(request.headers, "origin");
  if (const std::string_view wrong = wrong_hosts(request, host); !wrong.empty())
    return error(*llm::addressee(request).dialect, 400, std::string(wrong));
  const bool fine = (!host || is_loopback(*host)) && (!origin || is_loopback(*origin));
  if (fine) return std::nullopt;
  return error(*llm::addressee(request).dialect, 403, "this endpoint answers on loopback only");
}

Heard hear_request(wire::HttpRequest request, llm::ScriptPlayer& player) {
  const auto [dialect, endpoint] = llm::addressee(request);
  if (!endpoint)
    return error(*dialect, 404,
                 fmt::format("there is no {} {} here", repair_utf8(request.method).text,
                             repair_utf8(with_key(request.path(), kRedacted)).text));
  if (endpoint == llm::Endpoint::kModels)
    return plain(dialect->models(request.path()), note_of(200, "gateway", "models"));
  if (endpoint == llm::Endpoint::kHealth)
    return plain(dialect->health(), note_of(200, "gateway", "health"));
  return read_and_answer(*dialect, *endpoint, std::move(request), player);
}

std::string origin_form(std::string_view target) {
  const auto base = base_in(target);
  if (!base) return std::string(target);
  target.remove_prefix(base->size());
  return fmt::format("{}{}", target.starts_with('/') ? "" : "/", target);
}

Problem half_request(std::chrono::milliseconds silence, const wire::HttpRequest& unfinished) {
  return {.code = "run.gateway.half_request",
          .message = fmt::format("a request began, and nothing came for {} ms, {} into its body",
                                 silence.count(), count(unfinished.body.size(), "byte")),
          .place = {},
          .hint = {},
          .blame = Blame::kMissing};
}

wire::HttpResponse bad_request(const Problem& problem) {
  int status = 400;
  if (problem.code.ends_with("_too_large")) status = 413;
  if (problem.code.ends_with(".half_request")) status = 408;
  llm::Answer answer =
      llm::dialects().front()->error({.status = status, .type = {}, .message = to_text(problem)});
  return {.status = answer.status,
          .reason = {},
          .headers = {{"content-type", answer.content_type}, {"connection", "close"}},
          .body = std::move(answer.body),
          .keep_alive = false};
}

Problem too_many_pipelined() {
  return {.code = "run.gateway.pipelined",
          .message = "more requests than answers in one connection",
          .place = {},
          .hint = {},
          .blame = Blame::kMissing};
}

}  // namespace cutline::run
