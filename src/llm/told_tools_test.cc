// told_tools_test.cc: the form is that of Qwen Code 0.24.4, on the wire, 2026-12-01.
#include "llm/told_tools.h"

#include <gtest/gtest.h>

namespace cutline::llm {
namespace {

Request with_result(std::string text, Role role = Role::kToolResult) {
  Request request;
  request.parts.push_back(
      {.role = role, .path = "messages[3].content[0].text", .text = std::move(text), .turn = 3});
  return request;
}

TEST(ToldTools, AreReadFromTheResultOfASearch) {
  const std::vector<Tool> tools = told_tools(
      with_result("<functions>\n"
                  R"(<function>{"name":"mcp__lab__a","description":"One.\nTwo </function> three.",)"
                  R"("parametersJsonSchema":{"type": "object"}}</function>)"
                  "\n"
                  R"(<function>{"name":"mcp__lab__b"}</function>)"
                  "\n</functions>\nThey can be called now."));
  ASSERT_EQ(tools.size(), 2U);
  EXPECT_EQ(tools[0].name, "mcp__lab__a");
  EXPECT_EQ(tools[0].description, "One.\nTwo </function> three.");
  EXPECT_EQ(tools[0].schema, R"({"type": "object"})");
  EXPECT_EQ(tools[0].path, "messages[3].content[0].text");
  EXPECT_TRUE(tools[0].deferred);
  EXPECT_EQ(tools[1].name, "mcp__lab__b");
}

TEST(ToldTools, AreNotReadElsewhereNorGuessed) {
  const std::string line = R"(<function>{"name":"a"}</function>)";
  EXPECT_EQ(told_tools(with_result(line)).size(), 1U);
  EXPECT_TRUE(told_tools(with_result(line, Role::kUser)).empty());
  EXPECT_TRUE(told_tools(with_result("<function>{\"name\":</function>")).empty());
  EXPECT_TRUE(told_tools(with_result("<function>{\"title\":\"a\"}</function>")).empty());
  EXPECT_TRUE(told_tools(with_result("words " + line)).empty());
}

}  // namespace
}  // namespace cutline::llm
