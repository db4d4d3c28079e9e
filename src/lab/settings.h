// settings.h: what the lab server is told to be, by flags or by a TOML file.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace cutline::lab {

/// "none", "KIND:N" (a sample text of N UTF-16 units), "text:THE TEXT ITSELF" or "file:PATH".
struct TextSource {
  enum class Kind { kNone, kSample, kLiteral, kFile } kind = Kind::kNone;
  std::string sample_kind;
  std::size_t utf16_units = 0;
  std::string path;
  std::string literal = {};
  bool operator==(const TextSource&) const = default;
};
Result<TextSource> parse_text_source(std::string_view text);

enum class Eras { kLegacy, kModern, kDual };

enum class FaultKind { kExit, kHang, kMalformed, kNoise, kWrongId, kNullId, kHuge, kError };
struct Fault {
  FaultKind kind = FaultKind::kExit;
  std::int64_t error_code = 0;  // for kError
};

struct Settings {
  std::string name = "lab";
  TextSource instructions;
  std::optional<TextSource> discover_instructions;  // nothing: the same text
  std::optional<TextSource> tool_description;       // nothing: a short sentence each
  std::optional<TextSource> tool_members;           // nothing: a title where the tool has one
  std::optional<std::size_t> tools;                 // nothing: the three of the reference lab
  std::vector<std::string> tool_names;              // in place of a number; as they are
  /// Input schemas as JSON, given to the tools in turn; empty: each has its own.
  std::vector<std::string> tool_schemas;
  Eras eras = Eras::kLegacy;
  std::map<std::string, std::chrono::milliseconds, std::less<>> delays;  // method -> wait
  std::map<std::string, Fault, std::less<>> faults;  // method or "unknown-first" -> fault
  std::optional<std::string> exit_after;             // the process ends after answering this method
  std::optional<std::size_t> page_size;              // nothing: one page
  std::optional<std::string> log_file;
};

/// The names of all settings, in the order of docs/lab.md.
std::vector<std::string> setting_keys();

/// A setting as a flag or a TOML key gives it: the two are the same words ("tool-description",
/// "era", "delay", …). Problem "lab.setting" names the setting, its value and what is possible.
Result<void> set(Settings& settings, std::string_view key, std::string_view value);

/// Reads a TOML file's settings over those given. `delay` and `fault` are tables there. Relative
/// paths in it are meant from the folder of `file`: a client starts a server in any folder.
Result<void> apply_toml(Settings& settings, std::string_view toml, const std::string& file);

}  // namespace cutline::lab
