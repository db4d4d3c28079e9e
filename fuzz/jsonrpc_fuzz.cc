// jsonrpc_fuzz.cc: every line is some message, whose members fit its kind; what is written again
// reads back as the same message.
#include "base/assert.h"
#include "json/writer.h"
#include "wire/jsonrpc.h"

namespace {

using namespace cutline;
using wire::Message;
using wire::MessageKind;

std::string_view raw(const std::optional<json::Value>& value) {
  return value ? value->raw() : std::string_view();
}

std::string written(const Message& message) {
  switch (message.kind) {
    case MessageKind::kRequest:
      return wire::request_line(message.id, message.method, raw(message.params));
    case MessageKind::kNotification:
      return wire::notification_line(message.method, raw(message.params));
    case MessageKind::kResult:
      return wire::result_line(message.id, raw(message.result));
    case MessageKind::kError:
      return wire::error_line(message.id, message.error->code, message.error->message,
                              raw(message.error->data));
    case MessageKind::kNotJson:
    case MessageKind::kNotRpc:
      break;
  }
  return {};
}

void check(const Message& message) {
  CUTLINE_ASSERT((message.kind == MessageKind::kNotJson) == (message.document == nullptr));
  CUTLINE_ASSERT((message.kind == MessageKind::kResult) == message.result.has_value());
  CUTLINE_ASSERT((message.kind == MessageKind::kError) == message.error.has_value());
  std::string line = written(message);
  if (line.empty()) {
    CUTLINE_ASSERT(!message.problem.empty());
    return;
  }
  CUTLINE_ASSERT(line.find('\n') == line.size() - 1);
  line.pop_back();
  const std::vector<Message> again = wire::parse_line(line);
  CUTLINE_ASSERT(again.size() == 1 && again[0].kind == message.kind);
  CUTLINE_ASSERT(again[0].id == message.id && again[0].method == message.method);
  CUTLINE_ASSERT(again[0].params.has_value() == message.params.has_value());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view line(reinterpret_cast<const char*>(data), size);
  const std::vector<Message> messages = wire::parse_line(line, {.depth_max = 100});
  CUTLINE_ASSERT(!messages.empty());
  for (const Message& message : messages) check(message);
  return 0;
}
