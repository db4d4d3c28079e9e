// words.cc: see words.h.
#include "mcp/words.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/utf8.h"
#include "text/terminal.h"

namespace cutline::mcp {

std::string harmless(std::string_view bytes, std::size_t columns_max) {
  // A line may have megabytes; no sentence needs more than a few bytes for each column.
  const std::size_t bytes_max = columns_max * 8;
  const bool longer = bytes.size() > bytes_max;
  const std::string safe = text::sanitise_line(repair_utf8(bytes.substr(0, bytes_max)).text);
  const std::string_view head = text::head_columns(safe, columns_max);
  return fmt::format("{}{}", head, longer || head.size() < safe.size() ? "…" : "");
}

std::string quoted(std::string_view bytes, std::size_t columns_max) {
  return fmt::format("“{}”", harmless(bytes, columns_max));
}

std::string error_words(const wire::RpcError& error) {
  if (error.message.empty()) return fmt::format("error {}", error.code);
  return fmt::format("error {} ({})", error.code, quoted(error.message));
}

std::string time_words(Milliseconds time) {
  if (time.count() < 1000) return fmt::format("{:.0f} ms", std::max(time.count(), 0.0));
  return fmt::format("{:.1f} s", time.count() / 1000);
}

std::string end_words(const std::optional<Exit>& exit) {
  return exit ? fmt::format("ended ({})", to_text(*exit)) : "closed its standard output";
}

std::string_view type_words(json::Type type) {
  switch (type) {
    case json::Type::kNull:
      return "null";
    case json::Type::kBool:
      return "a boolean";
    case json::Type::kNumber:
      return "a number";
    case json::Type::kString:
      return "a string";
    case json::Type::kArray:
      return "an array";
    case json::Type::kObject:
      return "an object";
  }
  return {};
}

std::string joined(std::span<const std::string> words) {
  std::string all;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) all += i + 1 == words.size() ? " and " : ", ";
    all += words[i];
  }
  return all;
}

}  // namespace cutline::mcp
