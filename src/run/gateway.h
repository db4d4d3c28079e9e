// gateway.h: the loopback endpoint that stands in for a model's API.
//
// Every request is kept whole before anything is answered: what arrives in one turn of the loop is
// handed to `keep` together, and the answers go out when it has returned. What is no request
// (broken HTTP, a connection that ends in the middle) is kept, too, with what is wrong with it.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "llm/dialect.h"
#include "llm/script.h"
#include "store/evidence.h"
#include "sys/loop.h"
#include "sys/sockets.h"
#include "wire/http1.h"

namespace cutline::run {

/// A real API to forward to instead of answering ourselves.
struct Upstream {
  sys::Endpoint endpoint;
  std::string path_prefix;  // "/v1" of https://host/v1, mostly empty
  std::string key;          // goes into the request to the API, and nowhere else; empty: none
};
/// "https://api.anthropic.com", "http://127.0.0.1:8080/prefix". Problem "run.upstream".
Result<Upstream> parse_upstream(std::string_view url);

struct GatewayOptions {
  llm::Script script;
  std::optional<Upstream> upstream;
  wire::HttpLimits limits;
  /// Times of records count from here.
  sys::Time began = std::chrono::steady_clock::now();
};

/// A request of the model's API that could be read.
struct Seen {
  std::size_t sequence = 0;  // among all that were kept
  std::int64_t at_us = 0;
  const llm::Dialect* dialect = nullptr;
  llm::Endpoint endpoint = llm::Endpoint::kGenerate;
  llm::Request request;      // of kGenerate and kCountTokens
  llm::ScriptedReply reply;  // of kGenerate, without an upstream
};

class Gateway {
 public:
  struct Hooks {
    /// Returns when all of it is safe. Answers name their request by its sequence, from 0. A
    /// problem stops the gateway: nothing more is answered.
    using Answers = std::vector<std::pair<std::size_t, std::string>>;
    std::function<Result<void>(const std::vector<store::Request>&, const Answers&)> keep;
    std::function<void(Seen)> seen;       // may be empty
    std::function<void(Problem)> failed;  // what `keep` returned
  };

  /// `listener` is on loopback; a Host or Origin that is not is refused (403).
  Gateway(sys::Loop& loop, sys::Fd listener, GatewayOptions options, Hooks hooks);
  /// Keeps the answers that are not kept yet.
  ~Gateway();
  Gateway(const Gateway&) = delete;
  Gateway& operator=(const Gateway&) = delete;

  std::size_t requests() const;  // kept so far, broken ones included

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cutline::run
