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
#include "run/upstream.h"
#include "store/evidence.h"
#include "sys/loop.h"
#include "sys/sockets.h"
#include "wire/http1.h"

namespace cutline::run {

/// A client that has begun a request and says no more is not waited for any longer.
inline constexpr std::chrono::seconds kHalfRequestSilenceMax{60};

struct GatewayOptions {
  llm::Script script;
  std::optional<Upstream> upstream;
  wire::HttpLimits limits;
  std::chrono::milliseconds half_request_silence_max = kHalfRequestSilenceMax;
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

/// A request of which the API behind us gave no whole answer.
struct NotForwarded {
  std::size_t sequence = 0;
  std::int64_t at_us = 0;  // when that was known
  std::string problem;
};

class Gateway {
 public:
  struct Hooks {
    /// Returns when all of it is safe. Answers name their request by its sequence, from 0. A
    /// problem stops the gateway: nothing more is answered.
    using Answers = std::vector<std::pair<std::size_t, std::string>>;
    std::function<Result<void>(const std::vector<store::Request>&, const Answers&)> keep;
    std::function<void(Seen)> seen;                        // may be empty
    std::function<void(NotForwarded)> not_forwarded = {};  // may be empty
    std::function<void(Problem)> failed;                   // what `keep` returned
  };

  /// `listener` is on loopback; a Host or Origin that is not is refused (403),
  /// and so is a request that names two hosts (400).
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
