// data_test.cc: values to change, and when two of them are the same.
#include "json/data.h"

#include <gtest/gtest.h>

namespace cutline::json {
namespace {

Data parsed(std::string_view json) {
  const Result<Document> document = Document::parse(json);
  EXPECT_TRUE(document) << json;
  return document ? data(document->root()) : Data();
}

TEST(Data, IsWrittenAsItWasRead) {
  const std::string_view json =
      R"({"a":[1,2.50,-1e21,true,false,null,"日\n\"x\""],"b":{},"c":[],"":{"d":""}})";
  EXPECT_EQ(text(parsed(json)), json);
}

TEST(Data, KeepsTheLastOfEqualKeysWhereTheFirstStood) {
  EXPECT_EQ(text(parsed(R"({"a":1,"b":2,"a":3})")), R"({"a":3,"b":2})");
}

TEST(Data, IsChangedMemberByMember) {
  Data value = parsed(R"({"a":1,"b":{"c":"x"}})");
  value.erase("a");
  value.erase("nowhere");
  value.find("b")->set("c", string("y"));
  value.set("d", object());
  EXPECT_EQ(text(value), R"({"b":{"c":"y"},"d":{}})");
  EXPECT_TRUE(value.find("b")->find("c")->is_text("y"));
  EXPECT_EQ(value.find("a"), nullptr);
}

TEST(Data, IsTheSameInAnyOrderOfMembersAndHoweverNumbersAreWritten) {
  EXPECT_TRUE(same(parsed(R"({"a":1,"b":[1,2]})"), parsed(R"({"b":[1.0,2e0],"a":1})")));
  EXPECT_FALSE(same(parsed("[1,2]"), parsed("[2,1]")));
  EXPECT_FALSE(same(parsed(R"({"a":1})"), parsed(R"({"a":1,"b":1})")));
  EXPECT_FALSE(same(parsed(R"({"a":1})"), parsed(R"({"b":1})")));
  EXPECT_FALSE(same(parsed("1"), parsed(R"("1")")));
  EXPECT_FALSE(same(parsed("true"), parsed("false")));
  EXPECT_TRUE(same(parsed("null"), parsed("null")));
}

}  // namespace
}  // namespace cutline::json
