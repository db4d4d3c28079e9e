// dialect.h: one model API: how its requests are read and its answers written.
//
// One source file a dialect (anthropic.cc, …) behind this interface; dialects() lists them. A
// dialect knows no scripts and no sockets.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "llm/reply.h"
#include "llm/request.h"
#include "wire/http1.h"

namespace cutline::llm {

/// What is asked of the API.
enum class Endpoint { kGenerate, kCountTokens, kModels, kHealth };
std::string_view name(Endpoint endpoint);  // "generate", "count-tokens", "models", "health"

/// An answer whose body is ready; a streamed one is sent in chunks all the same.
struct Answer {
  int status = 200;
  std::string content_type = "application/json";
  std::string body;
  bool streamed = false;
};

class Dialect {
 public:
  virtual ~Dialect() = default;

  virtual std::string_view name() const = 0;  // "anthropic-messages"
  /// Nothing: not a place of this API.
  virtual std::optional<Endpoint> endpoint(std::string_view method,
                                           std::string_view path) const = 0;
  /// Whether the request has the marks of this API's clients (headers, path), for the places that
  /// several APIs have, and those that none has.
  virtual bool speaks(const wire::HttpRequest& request) const = 0;
  /// The body of kGenerate and kCountTokens; `target` may say what the body does not (model,
  /// stream). The body is taken so that a large one is let go as soon as it is parsed. Problem
  /// "llm.request" (place: JSON path or byte).
  virtual Result<Request> read(std::string_view target, std::string body) const = 0;
  /// Streamed or plain, as the request wants it.
  virtual Answer write(const Request& request, const Reply& reply) const = 0;
  virtual Answer count(const Request& request, std::size_t tokens) const = 0;
  /// The models there are, or the one that `path` names.
  virtual Answer models(std::string_view path) const = 0;
  Answer models() const { return models({}); }
  virtual Answer health() const = 0;
  /// In the API's own shape; also for places that it does not have (404).
  virtual Answer error(const ErrorReply& error) const = 0;
  /// The usage that a real API's answer (JSON, or the events of a stream) reports.
  virtual std::optional<Usage> usage(std::string_view content_type,
                                     std::string_view body) const = 0;
};

/// All of them; live as long as the program.
std::span<const Dialect* const> dialects();
const Dialect* dialect_named(std::string_view name);

/// Whose request it is: of the dialects that have its place the first whose marks it has, or else
/// the first. Where none has it, the one most likely meant, and no endpoint.
struct Addressee {
  const Dialect* dialect = nullptr;
  std::optional<Endpoint> endpoint;
};
Addressee addressee(const wire::HttpRequest& request);

}  // namespace cutline::llm
