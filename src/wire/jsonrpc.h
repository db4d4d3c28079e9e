// jsonrpc.h: JSON-RPC 2.0 messages as MCP uses them, one per line.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/document.h"

namespace cutline::wire {

enum class MessageKind {
  kRequest,       // method and id
  kNotification,  // method, no id
  kResult,        // id and result
  kError,         // error; its id may be null
  kNotJson,       // noise: not a JSON text at all
  kNotRpc,        // JSON, but none of the above
};
std::string_view name(MessageKind kind);

struct RpcError {
  std::int64_t code = 0;
  std::string message;
  std::optional<json::Value> data;
};

/// One message. The values point into `document`, which the message keeps alive.
struct Message {
  MessageKind kind = MessageKind::kNotJson;
  std::shared_ptr<const json::Document> document;
  /// The JSON token ("1", "\"a\"", "null"), written in one way so that equal ids are equal texts
  /// (1.0 is "1", "\u0061" is "\"a\""); empty when there is none.
  std::string id;
  std::string method;
  std::optional<json::Value> params, result;
  std::optional<RpcError> error;
  /// For kNotJson and kNotRpc: why. For the others: what about the message is not as the
  /// specification has it (no "jsonrpc": "2.0", say), though we can tell what is meant.
  std::string problem;
  bool in_batch = false;
  /// Of kNotJson: it was not read to its end, because it is over a limit; what it would have been
  /// nobody knows. `problem` names the limit.
  bool over_limit = false;
};

/// The most messages of a batch that are read; one kNotRpc message stands for all that follow.
inline constexpr std::size_t kBatchMessagesMax = 10'000;

/// A line holds one message, or several where it is a batch (an array; revision 2025-03-26 only).
/// An empty array is one kNotRpc message. Never empty.
std::vector<Message> parse_line(std::string_view line, const json::Limits& limits = {});

/// Lines to send, with the line feed. `id` and `params` are JSON texts; empty params are left out.
std::string request_line(std::string_view id, std::string_view method, std::string_view params);
std::string notification_line(std::string_view method, std::string_view params);
std::string result_line(std::string_view id, std::string_view result);
std::string error_line(std::string_view id, std::int64_t code, std::string_view message,
                       std::string_view data = {});

namespace error_code {
inline constexpr std::int64_t kParse = -32700, kInvalidRequest = -32600, kMethodNotFound = -32601,
                              kInvalidParams = -32602, kInternal = -32603;
/// Revision 2026-07-28, section "Errors".
inline constexpr std::int64_t kUnsupportedProtocolVersion = -32022;
}  // namespace error_code

}  // namespace cutline::wire
