// markdown_test.cc: headings, items and fences. The small examples are those of CommonMark 0.31
// (their numbers in the comments), read for what we take from them.
#include "text/markdown.h"

#include <string>

#include <gtest/gtest.h>

#include "text/structure.h"

namespace cutline::text {
namespace {

/// "h:Title i:item c:info", in order.
std::string summary(std::string_view text) {
  std::string out;
  for (const Block& block : blocks(text)) {
    if (!out.empty()) out += ' ';
    out += block.kind == BlockKind::kHeading    ? "h:"
           : block.kind == BlockKind::kListItem ? "i:"
                                                : "c:";
    out += block.title;
  }
  return out;
}

struct Case {
  std::string_view text, summary;
};

TEST(Blocks, HaveAtxHeadings) {
  for (const Case& c : {
           Case{"# foo\n## foo\n###### foo", "h:foo h:foo h:foo"},                            // 62
           Case{"####### foo", ""},                                                           // 63
           Case{"#5 bolt\n\n#hashtag", ""},                                                   // 64
           Case{"#\tFoo", "h:Foo"},                                                           // 10
           Case{"\\## foo", ""},                                                              // 65
           Case{"#                  foo     ", "h:foo"},                                      // 67
           Case{" ### foo\n  ## foo\n   # foo", "h:foo h:foo h:foo"}, Case{"    # foo", ""},  // 69
           Case{"foo\n    # bar", ""},                                                        // 70
           Case{"## foo ##\n  ###   bar    ###", "h:foo h:bar"},
           Case{"### foo ### b", "h:foo ### b"},      // 74
           Case{"# foo#", "h:foo#"},                  // 75
           Case{"Foo bar\n# baz\nBar foo", "h:baz"},  // 78
           Case{"## \n#\n### ###", "h: h: h:"},       // 79
       })
    EXPECT_EQ(summary(c.text), c.summary) << c.text;
}

TEST(Blocks, HaveSetextHeadings) {
  for (const Case& c : {
           Case{"Foo *bar*\n=========\n\nFoo *bar*\n---------", "h:Foo *bar* h:Foo *bar*"},
           Case{"Foo *bar\nbaz*\n====", "h:Foo *bar"},  // 81: several lines
           Case{"Foo\n=", "h:Foo"},                     // 83
           Case{"    Foo\n    ---", ""},                // 85
           Case{"Foo\n   ----      ", "h:Foo"},         // 86
           Case{"Foo\n    ---", ""},                    // 87
           Case{"Foo\n= =\n\nFoo\n--- -", ""},          // 88
           Case{"> Foo\n---", ""},                      // 92
           Case{"> foo\nbar\n===", ""},                 // 93
           Case{"- Foo\n---", "i:Foo"},                 // 94
           Case{"- Foo\nBar\n---", "i:Foo"},            // by the same rule
           Case{"- Foo\n  ---", "i:Foo h:Foo"},         // 300
           Case{"---\nFoo\n---\nBar\n---\nBaz", "h:Foo h:Bar"}, Case{"\n====", ""},  // 97
           Case{"---\n---", ""},                                                     // 98
           Case{"- foo\n-----", "i:foo"}, Case{"Foo\n\nbar\n---\nbaz", "h:bar"},     // 103
       })
    EXPECT_EQ(summary(c.text), c.summary) << c.text;
}

TEST(Blocks, HaveListItems) {
  for (const Case& c : {
           Case{"- one\n* two\n+ three\n1. four\n2) five", "i:one i:two i:three i:four i:five"},
           Case{"-one\n\n2.two", ""},       // 266
           Case{"1234567890. not ok", ""},  // 275
           Case{"123456789. ok\n0. ok\n003. ok", "i:ok i:ok i:ok"},
           Case{"-1. not ok", ""},                     // 269
           Case{"- foo\n-\n- bar", "i:foo i: i:bar"},  // 281
           Case{"foo\n*\n\nfoo\n1.", ""},              // 285
           Case{"   1.  A paragraph\n\n          indented code", "i:A paragraph"},
           Case{"    1.  code", ""},  // 289
           Case{"- foo\n  - bar\n    - baz\n      - boo", "i:foo i:bar i:baz i:boo"},
           Case{"10) foo\n    - bar", "i:foo i:bar"},                     // 296
           Case{"10) foo\n   - bar", "i:foo i:bar"},                      // 297
           Case{"- - foo", "i:foo"},                                      // 298: one line, one item
           Case{"1. - 2. foo", "i:foo"},                                  // 299
           Case{"The windows number\n14.  is not one", ""},               // 304
           Case{"The number\n1.  is one", "i:is one"},                    // 305
           Case{"- a\n - b\n  - c\n   - d\n    - e", "i:a i:b i:c i:d"},  // 313
           Case{"- a\n\n  - b\n\n\n  c\n\n      - d", "i:a i:b"},
           Case{"* a\n  > b\n\n* c", "i:a i:c"},
           Case{"* * *\n- - -\n_ _ _\n***", ""},  // breaks
           Case{"* Foo\n* * *\n* Bar", "i:Foo i:Bar"},
           Case{"- Foo\n- * * *", "i:Foo i:* * *"},
           Case{"-\tfoo\n\n\tbar\n\n\t- baz", "i:foo i:baz"},
           Case{"- [ ] open task\n- [x] done", "i:[ ] open task i:[x] done"},
           Case{"-\n  - a\n\n-\n\n      - b", "i: i:a i:"},
           Case{"-       # a\n        ```", "i:# a"},  // indented code in an item
           Case{"- # Foo", "i:# Foo"},                 // listed once
       })
    EXPECT_EQ(summary(c.text), c.summary) << c.text;
}

TEST(Blocks, HaveCodeFences) {
  for (const Case& c : {
           Case{"```\n<\n >\n```", "c:"},
           Case{"~~~ ruby startline=3 $%@#$\n# no\n~~~~~~~\n# yes",
                "c:ruby startline=3 $%@#$ h:yes"},
           Case{"``\n# foo\n``", "h:foo"},                    // 121
           Case{"```\n# aaa\n~~~\n- b\n```\n# c", "c: h:c"},  // 122
           Case{"````\n# aaa\n```\n``````\n# b", "c: h:b"},   // 124
           Case{"```\n\n# aaa", "c:"},                        // 127: never closed
           Case{"    ```\n# aaa\n    ```", "h:aaa"},          // 134
           Case{"```\n# aaa\n  ```\n# b", "c: h:b"},          // 135
           Case{"```\n# aaa\n    ```\n# b", "c:"},            // 137
           Case{"``` ```\n# aaa", "h:aaa"},                   // 138
           Case{"foo\n```\n# bar\n```\nbaz", "c:"},           // 140
           Case{"~~~ aa ``` ~~~\n# foo\n~~~\n# b", "c:aa ``` ~~~ h:b"},
           Case{"```\n``` aaa\n# b\n```", "c:"},  // 147
           Case{"- a\n  ```\n  # b\n  ```\n- c", "i:a c: i:c"},
           Case{"- ```\n  # b\n  ```\n- c", "i:``` c: i:c"},
           Case{"- ```\n  # b\n# c", "i:``` c: h:c"},  // ends with its item
           Case{"```js\r\n# a\r\n```\r\n# b\r\n", "c:js h:b"},
           Case{"```js\r# a\r```\r# b", "c:js h:b"},
       })
    EXPECT_EQ(summary(c.text), c.summary) << c.text;
}

TEST(Blocks, HaveSpans) {
  const std::string text = "Title\nof two\n===\n\n- item\n  more\n\n```js\r\nx\r\n```\r\nend";
  const std::vector<Block> found = blocks(text);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(slice(text, found[0].span), "Title\nof two\n===");
  EXPECT_EQ(found[0].first_line_end, ByteOffset{5});
  EXPECT_EQ(slice(text, found[1].span), "- item");
  EXPECT_EQ(slice(text, found[2].span), "```js\r\nx\r\n```");
  EXPECT_EQ(found[2].first_line_end.value, text.find("```js") + 5);
}

TEST(InCodeFence, IsFromTheOpeningLineToTheClosingOne) {
  const std::string text = "a\n```js\nx\n```\nb\n~~~\ny";
  const std::vector<Block> found = blocks(text);
  std::string in;
  for (std::size_t at = 0; at < text.size(); ++at)
    in += in_code_fence(found, ByteOffset{at}) ? 'x' : '.';
  EXPECT_EQ(in, ".......xxxxxx......xx");
}

TEST(Blocks, AreReadInLinearTime) {
  const auto repeat = [](std::string_view part) {
    std::string text;
    while (text.size() < 500'000) text += part;
    return text;
  };
  for (const std::string_view part :
       {"- ",   "-\t",         "* - ",  "1. ", "> ", "#",   "`",     "```\n",
        "~~~ ", "\r",          "\n",    "-\n", " ",  "a\n", "- a\n", "  - a\n",
        "=\n",  "- - - - x\n", "<a>\n", "\t",  "1",  "_ "})
    EXPECT_LE(blocks(repeat(part)).size(), kBlocksMax) << part;
  std::string deep;
  for (std::size_t depth = 0; deep.size() < 500'000; ++depth)
    deep += std::string(2 * depth, ' ') + "- x\n";
  EXPECT_FALSE(blocks(deep).empty());
}

TEST(BeginsBlock, KnowsWhatDoesNotGoOn) {
  for (const std::string_view line :
       {"", "  ", "# a", "- a", "2. a", "```", "---", "===", "> a", "| a", "<a>", "- a\r"})
    EXPECT_TRUE(begins_block(line)) << line;
  for (const std::string_view line : {"a", "  a", "#a", "-a", "2 a", "a | b", "a\r"})
    EXPECT_FALSE(begins_block(line)) << line;
}

}  // namespace
}  // namespace cutline::text
