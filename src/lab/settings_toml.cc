// settings_toml.cc: the settings from a file, for clients that can pass a command and nothing else.
//
// Every value goes through set() as if it had been a flag, so that the two cannot differ; what is
// added here is the place of a mistake.
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "config/toml.h"
#include "lab/settings.h"

namespace cutline::lab {
namespace {

using config::Kind;
using config::Node;

tl::unexpected<Problem> wrong_kind(std::string_view key, const Node& node,
                                   std::string_view expected) {
  return fail(Problem{
      .code = "lab.setting",
      .message = fmt::format("{} must be {}, not {}", key, expected, config::name(node.kind)),
      .place = node.source.text(),
      .hint = {},
      .blame = Blame::kUsage});
}

/// "file:PATH" with the path as seen from where the process runs. Absolute ones stay.
std::string from_folder_of(const std::string& toml_file, std::string_view path) {
  return (std::filesystem::path(toml_file).parent_path() / path).string();
}

std::string resolved(std::string_view key, std::string value, const std::string& toml_file) {
  constexpr std::string_view kFilePrefix = "file:";
  if (key == "log" && !value.empty()) return from_folder_of(toml_file, value);
  const bool text_source = key == "instructions" || key == "discover-instructions" ||
                           key == "tool-description" || key == "tool-members";
  if (!text_source || !value.starts_with(kFilePrefix) || value.size() == kFilePrefix.size())
    return value;
  const std::string_view path = std::string_view(value).substr(kFilePrefix.size());
  return std::string(kFilePrefix) + from_folder_of(toml_file, path);
}

Result<std::string> scalar(std::string_view key, const Node& node) {
  if (node.kind == Kind::kString) return node.string;
  if (node.kind == Kind::kInteger) return std::to_string(node.integer);
  return wrong_kind(key, node, "a string or an integer");
}

Result<void> set_at(Settings& settings, std::string_view key, std::string_view value,
                    const Node& node) {
  Result<void> done = set(settings, key, value);
  if (done) return {};
  Problem problem = std::move(done).error();
  problem.place = node.source.text();
  return fail(std::move(problem));
}

/// `[delay]` and `[fault]`: METHOD = VALUE.
Result<void> apply_table(Settings& settings, std::string_view key, const Node& table) {
  if (table.kind != Kind::kTable) return wrong_kind(key, table, "a table of METHOD = VALUE");
  for (const auto& [method, node] : table.members) {
    CUTLINE_TRY_ASSIGN(const std::string value, scalar(method, node));
    CUTLINE_TRY(set_at(settings, key, fmt::format("{}={}", method, value), node));
  }
  return {};
}

}  // namespace

Result<void> apply_toml(Settings& settings, std::string_view toml, const std::string& file) {
  CUTLINE_TRY_ASSIGN(const Node root, config::parse_toml(toml, file));
  CUTLINE_TRY(config::only_keys(root, setting_keys()));
  for (const auto& [key, node] : root.members) {
    if (key == "delay" || key == "fault") {
      CUTLINE_TRY(apply_table(settings, key, node));
      continue;
    }
    CUTLINE_TRY_ASSIGN(std::string value, scalar(key, node));
    CUTLINE_TRY(set_at(settings, key, resolved(key, std::move(value), file), node));
  }
  return {};
}

}  // namespace cutline::lab
