// toml.h: hand-written TOML, as a plain tree in which every node knows its place.
//
// toml++ stays behind this file. Readers ask for what they expect and get a Problem that names
// file, line, what was found and what was expected; members that nobody asked for are reported too,
// with the nearest name that exists, so that a typing mistake is never silence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace cutline::config {

struct Source {
  std::string file;
  std::size_t line = 0, column = 0;
  std::string text() const;  // "FILE:LINE:COLUMN"
};

enum class Kind { kString, kInteger, kFloat, kBoolean, kDate, kArray, kTable };
std::string_view name(Kind kind);  // "a string", "a table", …

struct Node {
  struct Member;

  Kind kind = Kind::kTable;
  Source source;       // of a value its own place, not its key's; of a [table] its header
  std::string string;  // also dates and times, as written in ISO 8601
  std::int64_t integer = 0;
  double number = 0;
  bool boolean = false;
  std::vector<Node> elements;   // of an array
  std::vector<Member> members;  // of a table, in the order of the file

  /// The member of that name; null if there is none, or if this is no table.
  const Node* find(std::string_view key) const;
};

/// Not a std::pair: clang would need that complete inside Node.
struct Node::Member {
  std::string first;  // the key
  Node second;
};

inline constexpr std::size_t kFileBytesMax = std::size_t{4} << 20;
inline constexpr std::size_t kKeyPartsMax = 16;  // a.b.c has three

/// Problem "config.toml.syntax" at FILE:LINE:COLUMN, "config.toml.too_large",
/// "config.toml.too_deep".
Result<Node> parse_toml(std::string_view text, std::string file);

// Typed look-ups in a table: nothing if the member is absent; a Problem "config.type" at its place
// if it is of another kind.
Result<std::optional<std::string>> find_string(const Node& table, std::string_view key);
Result<std::optional<std::int64_t>> find_integer(const Node& table, std::string_view key);
Result<std::optional<bool>> find_boolean(const Node& table, std::string_view key);
/// A string or an array of strings, as a list.
Result<std::optional<std::vector<std::string>>> find_strings(const Node& table,
                                                             std::string_view key);

/// The same, but an absent member is a Problem "config.missing" at the table's place.
Result<std::string> get_string(const Node& table, std::string_view key);
Result<std::int64_t> get_integer(const Node& table, std::string_view key);
Result<bool> get_boolean(const Node& table, std::string_view key);

/// Problem "config.unknown_key", with the nearest allowed name, for any member not in `allowed`.
Result<void> only_keys(const Node& table, std::span<const std::string> allowed);

}  // namespace cutline::config
