// reply.h: what the stand-in for a model says, before a dialect puts it in its own form.
#pragma once

#include <cstddef>
#include <string>
#include <variant>
#include <vector>

namespace cutline::llm {

struct TextReply {
  std::string text;
};
struct ToolCall {
  std::string tool;       // its name in the request
  std::string arguments;  // JSON object
};
struct ErrorReply {
  int status = 500;
  std::string type;  // "overloaded_error"; "" is the dialect's word for the status
  std::string message;
};

/// Of this request. Rough until the tokens are counted with a vocabulary: bytes / 4.
struct Usage {
  std::size_t input_tokens = 0, output_tokens = 0;
};

struct Reply {
  std::variant<TextReply, ToolCall, ErrorReply> content;
  Usage usage;
  /// Numbers the replies of one gateway, for the ids in them ("msg_cutline_7").
  std::size_t number = 0;
};

}  // namespace cutline::llm
