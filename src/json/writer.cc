// writer.cc: the state between two calls is one bit per open container, and whether a key waits for
// its value.
#include "json/writer.h"

#include <cmath>

#include <fmt/format.h>

#include "base/assert.h"

namespace cutline::json {
namespace {

constexpr std::size_t kPieceBytes = std::size_t{64} << 10;

/// The escape that RFC 8259 asks for, or nothing.
std::string escape(char c) {
  switch (c) {
    case '"':
      return "\\\"";
    case '\\':
      return "\\\\";
    case '\b':
      return "\\b";
    case '\f':
      return "\\f";
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    default:
      break;
  }
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 ? fmt::format("\\u{:04x}", byte) : std::string();
}

bool is_plain(char c) { return static_cast<unsigned char>(c) >= 0x20 && c != '"' && c != '\\'; }

/// How many bytes at the beginning need no escape. Texts are long and escapes rare: whole blocks
/// are looked at without a branch for each byte.
std::size_t plain_prefix(std::string_view utf8) {
  constexpr std::size_t kBlock = 32;
  std::size_t at = 0;
  for (; at + kBlock <= utf8.size(); at += kBlock) {
    bool plain = true;
    for (const char c : utf8.substr(at, kBlock)) plain &= is_plain(c);
    if (!plain) break;
  }
  while (at < utf8.size() && is_plain(utf8[at])) ++at;
  return at;
}

}  // namespace

void append_string(std::string& out, std::string_view utf8) {
  out += '"';
  while (true) {
    const std::size_t plain = plain_prefix(utf8);
    out += utf8.substr(0, plain);
    if (plain == utf8.size()) break;
    out += escape(utf8[plain]);
    utf8.remove_prefix(plain + 1);
  }
  out += '"';
}

Writer& Writer::begin_object() {
  before_value();
  out_ += '{';
  has_elements_.push_back(false);
  return *this;
}

Writer& Writer::end_object() {
  end_container('}');
  return *this;
}

Writer& Writer::begin_array() {
  before_value();
  out_ += '[';
  has_elements_.push_back(false);
  return *this;
}

Writer& Writer::end_array() {
  end_container(']');
  return *this;
}

Writer& Writer::key(std::string_view name) {
  before_value();
  append_string(out_, name);
  out_ += style_ == Style::kIndented ? ": " : ":";
  after_key_ = true;
  return *this;
}

Writer& Writer::string(std::string_view utf8) {
  before_value();
  append_string(out_, utf8);
  return *this;
}

Writer& Writer::boolean(bool value) { return raw(value ? "true" : "false"); }

Writer& Writer::null() { return raw("null"); }

Writer& Writer::number(double value) {
  return std::isfinite(value) ? raw(fmt::format("{}", value)) : null();
}

Writer& Writer::raw(std::string_view json) {
  before_value();
  out_ += json;
  return *this;
}

std::string Writer::take() {
  CUTLINE_ASSERT(has_elements_.empty() && !after_key_);
  return std::move(out_);
}

void Writer::before_value() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (has_elements_.empty()) return;
  if (has_elements_.back()) out_ += ',';
  has_elements_.back() = true;
  new_line();
}

void Writer::end_container(char bracket) {
  CUTLINE_ASSERT(!has_elements_.empty() && !after_key_);
  const bool had_elements = has_elements_.back();
  has_elements_.pop_back();
  if (had_elements) new_line();
  out_ += bracket;
  if (!sink_ || out_.size() < kPieceBytes) return;
  sink_(out_);
  out_.clear();
}

void Writer::new_line() {
  if (style_ == Style::kCompact) return;
  out_ += '\n';
  out_.append(2 * has_elements_.size(), ' ');
}

}  // namespace cutline::json
