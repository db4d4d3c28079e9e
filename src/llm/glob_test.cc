#include "llm/glob.h"

#include <string>

#include <gtest/gtest.h>

namespace cutline::llm {
namespace {

TEST(Glob, Matches) {
  struct Case {
    std::string_view pattern, name;
    bool matches;
  };
  for (const Case& c : {
           Case{"", "", true},
           Case{"", "a", false},
           Case{"*", "", true},
           Case{"*", "abc", true},
           Case{"Bash", "Bash", true},
           Case{"Bash", "BashOutput", false},
           Case{"Bash", "bash", false},
           Case{"mcp__*", "mcp__lab__a", true},
           Case{"mcp__*__a", "mcp__lab__b", false},
           Case{"mcp__*__a", "mcp__lab__a__a", true},
           Case{"?", "a", true},
           Case{"?", "", false},
           Case{"a?c*", "abcd", true},
           Case{"*a*b", "aab", true},
           Case{"*a*b", "aba", false},
           Case{"**", "x", true},
           Case{"ToolSearch|MCPSearch", "MCPSearch", true},
           Case{"ToolSearch|MCPSearch", "WebSearch", false},
           Case{"a|", "", true},
           Case{"a|b*", "bc", true},
       })
    EXPECT_EQ(glob_matches(c.pattern, c.name), c.matches) << c.pattern << " ~ " << c.name;
}

TEST(Glob, IsNotFooledByStars) {
  std::string pattern;
  for (int i = 0; i < 200; ++i) pattern += "a*";
  EXPECT_FALSE(glob_matches(pattern + "b", std::string(20'000, 'a')));
}

}  // namespace
}  // namespace cutline::llm
