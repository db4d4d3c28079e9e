// writer.h: writing JSON, into a string or piece by piece.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cutline::json {

/// Appends `utf8` as a JSON string literal: quotes, backslash and C0 controls escaped, everything
/// else as it is. The caller vouches for its being UTF-8.
void append_string(std::string& out, std::string_view utf8);

/// Takes the next piece of a text that is made and read at the same time.
using Sink = std::function<void(std::string_view piece)>;

/// Commas, colons and indentation are the writer's; the caller's are begin/end pairs that match
/// (asserted at the end).
class Writer {
 public:
  enum class Style { kCompact, kIndented };
  /// With a `sink`, long texts are handed to it as they grow.
  explicit Writer(Style style = Style::kCompact, Sink sink = {})
      : style_(style), sink_(std::move(sink)) {}

  Writer& begin_object();
  Writer& end_object();
  Writer& begin_array();
  Writer& end_array();
  Writer& key(std::string_view name);

  Writer& string(std::string_view utf8);
  Writer& boolean(bool value);
  Writer& null();
  /// Any integer type.
  template <std::integral T>
    requires(!std::same_as<T, bool>)
  Writer& number(T value) {
    return raw(std::to_string(value));
  }
  /// The shortest text that reads back to the same value; null where JSON has no number for it
  /// (infinities, NaN).
  Writer& number(double value);
  /// A JSON text that the caller vouches for.
  Writer& raw(std::string_view json);

  // key(name) followed by a value, for the many objects that are just that.
  Writer& member(std::string_view name, std::string_view utf8) { return key(name).string(utf8); }
  Writer& member(std::string_view name, const char* utf8) { return key(name).string(utf8); }
  Writer& member(std::string_view name, bool value) { return key(name).boolean(value); }
  template <std::integral T>
    requires(!std::same_as<T, bool>)
  Writer& member(std::string_view name, T value) {
    return key(name).number(value);
  }
  template <class T>
  Writer& member(std::string_view name, const std::optional<T>& value) {
    return value ? member(name, *value) : key(name).null();
  }

  /// The finished text, or what no sink took of it, without a line feed behind it; every begin has
  /// its end. Leaves the writer empty.
  std::string take();

 private:
  void before_value();
  void end_container(char bracket);
  void new_line();

  Style style_;
  Sink sink_;
  std::string out_;
  std::vector<bool> has_elements_;  // one per open container
  bool after_key_ = false;
};

}  // namespace cutline::json
