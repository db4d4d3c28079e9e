// toml_fuzz.cc: toml++ behind our bounds; what it accepts is walked, and looked up in every way.
#include <algorithm>

#include "base/assert.h"
#include "config/toml.h"

namespace {

using namespace cutline;
using config::Kind;
using config::Node;

void walk(const Node& node, std::size_t lines) {
  CUTLINE_ASSERT(node.source.line <= lines);
  CUTLINE_ASSERT(node.kind == Kind::kTable || node.members.empty());
  CUTLINE_ASSERT(node.kind == Kind::kArray || node.elements.empty());
  for (const Node& element : node.elements) walk(element, lines);
  for (const auto& [key, member] : node.members) {
    CUTLINE_ASSERT(node.find(key) == &member);
    CUTLINE_ASSERT(config::find_string(node, key).has_value() == (member.kind == Kind::kString));
    CUTLINE_ASSERT(config::get_integer(node, key).has_value() == (member.kind == Kind::kInteger));
    if (!config::find_strings(node, key)) CUTLINE_ASSERT(member.kind != Kind::kString);
    walk(member, lines);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Result<Node> root = config::parse_toml(text, "fuzz.toml");
  if (!root) {
    CUTLINE_ASSERT(root.error().code.starts_with("config.toml."));
    return 0;
  }
  CUTLINE_ASSERT(root->kind == Kind::kTable);
  walk(*root, static_cast<std::size_t>(std::ranges::count(text, '\n')) + 1);
  return 0;
}
