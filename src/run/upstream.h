// upstream.h: the real API behind the gateway, and the keys that it gets.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "base/result.h"
#include "llm/dialect.h"
#include "sys/sockets.h"

namespace cutline::run {

/// By the name of a dialect.
using ApiKeys = std::map<std::string, std::string, std::less<>>;

/// A real API to forward to instead of answering ourselves.
struct Upstream {
  sys::Endpoint endpoint;
  std::string path_prefix;  // "/v1" of https://host/v1, mostly empty
  ApiKeys keys = {};        // each goes into requests of its own API, and nowhere else
};
/// "https://api.anthropic.com", "http://127.0.0.1:8080/prefix". Problem "run.upstream".
Result<Upstream> parse_upstream(std::string_view url);

/// The keys that there are for `host`: of every API, as a proxy may have them all behind it; but
/// those who make one of the APIs get no key of another's. `value_of` tells what an environment
/// variable holds, nothing if there is none.
ApiKeys keys_for(std::string_view host,
                 const std::function<std::string(const std::string& variable)>& value_of);

/// Whether a header is where clients of this API put their key.
bool holds_the_key(const llm::Dialect& dialect, std::string_view header);
/// Whether they may put it into the query, too.
bool has_key_in_query(const llm::Dialect& dialect);

}  // namespace cutline::run
