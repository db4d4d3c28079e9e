// writer.cc: the state between two calls is one bit per open container, and whether a key waits for
// its value.
#include "json/writer.h"

#include <cmath>

#include <fmt/format.h>

#include "base/assert.h"

namespace cutline::json {
namespace {

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

}  // namespace

void append_string(std::string& out, std::string_view utf8) {
  out += '"';
  std::size_t copied = 0;
  for (std::size_t i = 0; i < utf8.size(); ++i) {
    const auto byte = static_cast<unsigned char>(utf8[i]);
    if (byte >= 0x20 && byte != '"' && byte != '\\') continue;
    out.append(utf8, copied, i - copied);
    out += escape(utf8[i]);
    copied = i + 1;
  }
  out.append(utf8, copied);
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
}

void Writer::new_line() {
  if (style_ == Style::kCompact) return;
  out_ += '\n';
  out_.append(2 * has_elements_.size(), ' ');
}

}  // namespace cutline::json
