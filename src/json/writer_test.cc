// writer_test.cc
#include "json/writer.h"

#include <algorithm>
#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "json/document.h"

namespace cutline::json {
namespace {

std::string literal(std::string_view utf8) {
  std::string out;
  append_string(out, utf8);
  return out;
}

TEST(AppendString, EscapesWhatItMustAndNothingElse) {
  EXPECT_EQ(literal(""), R"("")");
  EXPECT_EQ(literal("a\"b\\c/"), R"("a\"b\\c/")");
  EXPECT_EQ(literal(std::string_view("\0\b\t\n\v\f\r\x1B\x1F", 9)),
            R"("\u0000\b\t\n\u000b\f\r\u001b\u001f")");
  EXPECT_EQ(literal("\x7F µ 🔩 \xE2\x80\xA8"), "\"\x7F µ 🔩 \xE2\x80\xA8\"");
}

TEST(Writer, PlacesCommasAndColons) {
  Writer writer;
  writer.begin_object().member("a", 1).member("b", "x").member("c", true).key("d").begin_array();
  writer.null().number(-2).raw("[ ]").begin_object().end_object().end_array();
  for (const std::optional<int>& maybe : std::vector<std::optional<int>>{std::nullopt, 7})
    writer.member("e", maybe);
  writer.end_object();
  EXPECT_EQ(writer.take(), R"({"a":1,"b":"x","c":true,"d":[null,-2,[ ],{}],"e":null,"e":7})");
}

TEST(Writer, Indents) {
  Writer writer(Writer::Style::kIndented);
  writer.begin_object().key("a").begin_array().number(1).begin_array().end_array().end_array();
  writer.key("b").begin_object().member("c", "d").end_object().end_object();
  EXPECT_EQ(writer.take(),
            "{\n"
            "  \"a\": [\n"
            "    1,\n"
            "    []\n"
            "  ],\n"
            "  \"b\": {\n"
            "    \"c\": \"d\"\n"
            "  }\n"
            "}");
}

TEST(Writer, WritesNumbersThatReadBack) {
  const auto written = [](double value) { return Writer().number(value).take(); };
  EXPECT_EQ(written(0.1), "0.1");
  EXPECT_EQ(written(1e22), "1e+22");
  EXPECT_EQ(written(-1.5), "-1.5");
  EXPECT_EQ(written(std::numeric_limits<double>::infinity()), "null");
  EXPECT_EQ(written(std::numeric_limits<double>::quiet_NaN()), "null");
  EXPECT_EQ(Writer().number(std::numeric_limits<std::uint64_t>::max()).take(),
            "18446744073709551615");
}

TEST(WriterDeathTest, InsistsOnMatchingEnds) {
  EXPECT_DEATH(Writer().begin_array().take(), "internal error");
  EXPECT_DEATH(Writer().end_array(), "internal error");
  EXPECT_DEATH(Writer().begin_object().key("a").end_object(), "internal error");
}

// --- Whatever is written reads back, and is written again byte for byte
// ---------------------------

/// Any UTF-8, and often what has to be escaped.
std::string any_string() {
  static const std::vector<std::string> kParts = {
      "a", "\"", "\\", "/",    "\n",      std::string(1, '\0'),
      "é", "七", "🔩", "\x7F", "\\u0041", "\xEF\xBF\xBD"};
  std::string out;
  for (const std::string& part :
       *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(kParts)))
    out += part;
  return out;
}

void write_any(Writer& writer, int depth) {
  switch (*rc::gen::inRange(0, depth > 0 ? 8 : 6)) {
    case 0:
      writer.null();
      break;
    case 1:
      writer.boolean(*rc::gen::arbitrary<bool>());
      break;
    case 2:
      writer.number(*rc::gen::arbitrary<std::int64_t>());
      break;
    case 3:
      writer.number(*rc::gen::arbitrary<double>());
      break;
    case 4:
      writer.raw(*rc::gen::element<std::string>("-0", "1.0", "1e-07", "0E+1"));
      break;
    case 5:
      writer.string(any_string());
      break;
    case 6: {
      writer.begin_array();
      for (int i = *rc::gen::inRange(0, 4); i > 0; --i) write_any(writer, depth - 1);
      writer.end_array();
      break;
    }
    default: {
      writer.begin_object();
      for (int i = *rc::gen::inRange(0, 4); i > 0; --i) {
        writer.key(any_string());
        write_any(writer, depth - 1);
      }
      writer.end_object();
    }
  }
}

void write_again(Writer& writer, const Value& value) {
  switch (value.type()) {
    case Type::kString:
      writer.string(value.string().value);
      break;
    case Type::kArray:
      writer.begin_array();
      for (const Value& element : value.elements()) write_again(writer, element);
      writer.end_array();
      break;
    case Type::kObject:
      writer.begin_object();
      for (const Value::Member& member : value.members()) {
        writer.key(member.key);
        write_again(writer, member.value);
      }
      writer.end_object();
      break;
    default:
      writer.raw(value.raw());
  }
}

TEST(WriterProperty, WhatItWritesReadsBackTheSame) {
  EXPECT_TRUE(rc::check("write(parse(text)) == text", [] {
    const auto style = *rc::gen::element(Writer::Style::kCompact, Writer::Style::kIndented);
    Writer first(style), second(style);
    write_any(first, 4);
    const std::string text = first.take();
    const Result<Document> document = Document::parse(text);
    RC_ASSERT(document.has_value());
    write_again(second, document->root());
    RC_ASSERT(second.take() == text);
  }));
}

TEST(Writer, HandsLongTextsOutAsTheyGrow) {
  const auto write = [](Writer& writer) {
    writer.begin_array();
    for (int i = 0; i < 20'000; ++i) writer.begin_object().member("箱", i).end_object();
    writer.end_array();
  };
  Writer whole(Writer::Style::kIndented);
  write(whole);
  std::string pieces;
  std::size_t longest = 0;
  Writer growing(Writer::Style::kIndented, [&](std::string_view piece) {
    pieces += piece;
    longest = std::max(longest, piece.size());
  });
  write(growing);
  EXPECT_GT(pieces.size(), 300'000U);
  EXPECT_LT(longest, 100'000U);
  EXPECT_EQ(pieces + growing.take(), whole.take());
}

TEST(WriterProperty, StringsReadBackTheSame) {
  EXPECT_TRUE(rc::check("parse(append_string(s)) == s", [] {
    const std::string text = any_string();
    const Result<Document> document = Document::parse(literal(text));
    RC_ASSERT(document.has_value());
    RC_ASSERT(document->root().string().value == text);
    RC_ASSERT(document->root().string().replaced == 0u);
  }));
}

}  // namespace
}  // namespace cutline::json
