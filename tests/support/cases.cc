// cases.cc: reading the case files with our own JSON reader, and making the texts they speak of.
#include "support/cases.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>

#include <fmt/format.h>

#include "base/sha256.h"
#include "base/version.h"
#include "text/sample.h"

namespace cutline::cases {
namespace {

[[noreturn]] void give_up(std::string_view what) {
  fmt::print(stderr, "tests/cases: {}\n", what);
  std::abort();
}

std::string string_of(const json::Value& object, std::string_view key) {
  std::optional<std::string> value = json::string_member(object, key);
  if (!value) give_up(fmt::format("no string '{}' in {:.200}", key, object.raw()));
  return *std::move(value);
}

std::size_t number_of(const json::Value& object, std::string_view key) {
  const std::optional<json::Value> value = object.find(key);
  const std::optional<std::int64_t> number = value ? value->int64() : std::nullopt;
  if (!number || *number < 0) give_up(fmt::format("no '{}' in {:.200}", key, object.raw()));
  return static_cast<std::size_t>(*number);
}

std::string repeat(std::string_view text, std::size_t times) {
  std::string out;
  out.reserve(text.size() * times);
  while (times-- > 0) out += text;
  return out;
}

/// The template once per number, "{n}" being the number with leading zeros.
std::string lines(const json::Value& rule) {
  const std::string form = string_of(rule, "template");
  const std::size_t digits = number_of(rule, "digits"), to = number_of(rule, "to");
  std::string out;
  for (std::size_t n = number_of(rule, "from"); n <= to; ++n) {
    const std::string number = fmt::format("{:0{}}", n, digits);
    std::size_t copied = 0;
    for (std::size_t at = 0; (at = form.find("{n}", at)) != std::string::npos; copied = at) {
      out.append(form, copied, at - copied);
      out += number;
      at += 3;
    }
    out.append(form, copied);
  }
  return out;
}

std::string concat(const json::Value& rule) {
  const std::optional<json::Value> parts = rule.find("parts");
  if (!parts) give_up("a concat without parts");
  std::string out;
  for (const json::Value& part : parts->elements()) out += text(part);
  return out;
}

std::string generate(const json::Value& rule) {
  const std::string kind = string_of(rule, "kind");
  if (kind == "repeat") return repeat(string_of(rule, "text"), number_of(rule, "times"));
  if (kind == "lines") return lines(rule);
  if (kind == "concat") return concat(rule);

  const bool filler = kind == "filler";
  const std::optional<text::SampleKind> language =
      text::sample_kind_named(filler ? string_of(rule, "language") : kind);
  if (!language) give_up(fmt::format("no such text: {:.200}", rule.raw()));
  const std::size_t units = number_of(rule, "utf16_units");
  if (filler) return text::filler(*language, units);
  Result<std::string> made =
      text::sample(*language, units, json::string_member(rule, "salt").value_or(""));
  if (!made) give_up(to_text(made.error()));
  return *std::move(made);
}

}  // namespace

File::File(std::string_view name) {
  const std::string path = fmt::format("{}/tests/cases/{}", CUTLINE_SOURCE_DIR, name);
  std::ifstream file(path, std::ios::binary);
  if (!file) give_up(path + " cannot be read");
  const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  Result<json::Document> document = json::Document::parse(bytes);
  if (!document) give_up(path + ": " + to_text(document.error()));
  document_ = *std::move(document);

  const std::optional<json::Value> list = document_->root().find("cases");
  if (!list) give_up(path + " has no cases");
  for (const json::Value& read : list->elements()) {
    const std::optional<json::Value> input = read.find("input"), expect = read.find("expect");
    if (!input || !expect) give_up(fmt::format("{}: no case: {:.200}", path, read.raw()));
    cases_.push_back({.id = string_of(read, "id"),
                      .about = string_of(read, "about"),
                      .client = string_of(read, "client"),
                      .input = *input,
                      .expect = *expect});
  }
}

std::string text(const json::Value& rule) {
  if (rule.is(json::Type::kString)) return rule.string().value;
  if (std::optional<std::string> literal = json::string_member(rule, "literal"))
    return *std::move(literal);
  if (const std::optional<json::Value> inner = rule.find("generate")) return generate(*inner);
  if (rule.find("units")) return std::string(number_of(rule, "units"), 'x');
  return generate(rule);
}

bool speaks_of(const Case& c, std::string_view client, std::string_view version) {
  if (c.client == "any") return true;
  const std::size_t at = c.client.find('@');
  if (at == std::string::npos || c.client.substr(0, at) != client) return false;
  const Result<VersionRange> range = VersionRange::parse(c.client.substr(at + 1));
  const Result<Version> asked = Version::parse(version);
  if (!range || !asked) give_up(fmt::format("{}: '{}' or '{}'", c.id, c.client, version));
  return range->contains(*asked);
}

std::string sha256(std::string_view bytes) { return sha256_hex(bytes); }

void for_each_chopping(std::string_view bytes, const std::function<void()>& begin,
                       const std::function<void(std::string_view)>& feed) {
  constexpr std::size_t kRandomWays = 8;

  begin();
  feed(bytes);

  begin();
  for (std::size_t i = 0; i < bytes.size(); ++i) feed(bytes.substr(i, 1));

  for (std::size_t way = 0; way < kRandomWays; ++way) {
    std::mt19937 random(static_cast<std::mt19937::result_type>(way));
    const std::size_t longest = std::size_t{2} << way;
    begin();
    for (std::size_t at = 0; at < bytes.size();) {
      const std::size_t length = random() % (longest + 1);  // an empty part is a part, too
      feed(bytes.substr(at, length));
      at += length;
    }
  }
}

}  // namespace cutline::cases
