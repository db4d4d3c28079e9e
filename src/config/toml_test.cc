// toml_test.cc
#include "config/toml.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cutline::config {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Node parsed(std::string_view text) {
  Result<Node> node = parse_toml(text, "f.toml");
  if (!node) throw std::runtime_error(to_text(node.error()));
  return *std::move(node);
}

std::vector<std::string> keys(const Node& table) {
  std::vector<std::string> found;
  for (const auto& [key, value] : table.members) found.push_back(key);
  return found;
}

TEST(ParseToml, ReadsEveryKind) {
  const Node root = parsed(R"(
s = "a\tb"
l = 'c:\d'
m = """
two
lines"""
i = -1_000
x = 0xff
f = 1.5
t = true
d = 2026-12-01
u = 10:20:30
dt = 2026-12-01T10:20:30Z
o = 2026-12-01 10:20:30.5+02:00
a = [1, "b", [true]]
)");
  const auto is = [&](std::string_view key, Kind kind) {
    const Node* node = root.find(key);
    EXPECT_NE(node, nullptr) << key;
    EXPECT_EQ(name(node->kind), name(kind)) << key;
    return *node;
  };
  EXPECT_EQ(is("s", Kind::kString).string, "a\tb");
  EXPECT_EQ(is("l", Kind::kString).string, "c:\\d");
  EXPECT_EQ(is("m", Kind::kString).string, "two\nlines");
  EXPECT_EQ(is("i", Kind::kInteger).integer, -1000);
  EXPECT_EQ(is("x", Kind::kInteger).integer, 255);
  EXPECT_EQ(is("f", Kind::kFloat).number, 1.5);
  EXPECT_TRUE(is("t", Kind::kBoolean).boolean);
  EXPECT_EQ(is("d", Kind::kDate).string, "2026-12-01");
  EXPECT_EQ(is("u", Kind::kDate).string, "10:20:30");
  EXPECT_EQ(is("dt", Kind::kDate).string, "2026-12-01T10:20:30Z");
  EXPECT_EQ(is("o", Kind::kDate).string, "2026-12-01T10:20:30.5+02:00");
  const Node array = is("a", Kind::kArray);
  ASSERT_EQ(array.elements.size(), 3u);
  EXPECT_EQ(array.elements[1].string, "b");
  EXPECT_TRUE(array.elements[2].elements[0].boolean);
}

TEST(ParseToml, KeepsTheOrderOfTheFile) {
  const Node root = parsed(R"(
z = 1
a = { y = 1, b = 2, c.z = 3, c.a = 4 }
[m]
second = 1
first = 2
[b.inner]
[[list]]
k = 1
[[list]]
"a.b" = 2
)");
  EXPECT_THAT(keys(root), ElementsAre("z", "a", "m", "b", "list"));
  EXPECT_THAT(keys(*root.find("a")), ElementsAre("y", "b", "c"));
  EXPECT_THAT(keys(*root.find("a")->find("c")), ElementsAre("z", "a"));
  EXPECT_THAT(keys(*root.find("m")), ElementsAre("second", "first"));
  ASSERT_EQ(root.find("list")->elements.size(), 2u);
  EXPECT_EQ(root.find("list")->elements[1].find("a.b")->integer, 2);
  EXPECT_EQ(root.find("list")->find("k"), nullptr);
}

TEST(ParseToml, KnowsThePlaceOfEveryNode) {
  const Node root = parsed("a = 1\n\n[t]\n  key = 'v'\nlist = [ 1,\n 22 ]\n");
  EXPECT_EQ(root.find("a")->source.text(), "f.toml:1:5");
  EXPECT_EQ(root.find("t")->source.text(), "f.toml:3:1");
  EXPECT_EQ(root.find("t")->find("key")->source.text(), "f.toml:4:9");
  EXPECT_EQ(root.find("t")->find("list")->elements[1].source.text(), "f.toml:6:2");
}

TEST(ParseToml, TakesNoOtherCharacterForWhiteSpace) {
  // Undefined behaviour in toml++ 3.3 without our care; the sanitizers would tell.
  EXPECT_EQ(parsed("s = \"\"\"\\\n\u00A7\"\"\"").find("s")->string, "\u00A7");
  EXPECT_FALSE(parse_toml("\u032A", "f.toml"));
  EXPECT_FALSE(parse_toml("a = 1 \uFEFD", "f.toml"));
}

TEST(ParseToml, RefusesWithThePlace) {
  struct Case {
    std::string_view text, place, message;
  };
  for (const Case& c : std::vector<Case>{
           {"a = 1\nb = \n", "f.toml:2:5", "value"},
           {"a = 1\na = 2\n", "f.toml:2:5", "redefine"},
           {"[t\n", "f.toml:1:3", ""},
           {"[\n", "f.toml:1:2", ""},
           {"a = \"x\n", "f.toml:1:7", "string"},
           {"a = {b=1}\n[a.c]\n", "f.toml:2:7", ""},
           {"a = 99999999999999999999\n", "f.toml:1:25", ""},
           {"a = \"\x80\"\n", "f.toml:1:5", "encountered invalid utf-8"},
       }) {
    SCOPED_TRACE(c.text);
    const Result<Node> node = parse_toml(c.text, "f.toml");
    ASSERT_FALSE(node);
    EXPECT_EQ(node.error().code, "config.toml.syntax");
    EXPECT_EQ(node.error().place, c.place);
    EXPECT_THAT(node.error().message, HasSubstr(std::string(c.message)));
  }
}

TEST(ParseToml, KeepsToItsLimits) {
  const auto code_of = [](const std::string& text) {
    const Result<Node> node = parse_toml(text, "f.toml");
    return node ? "" : node.error().code;
  };
  const auto repeated = [](std::string_view part, std::size_t times) {
    std::string out;
    while (times-- > 0) out += part;
    return out;
  };
  EXPECT_EQ(code_of(std::string(kFileBytesMax, '\n')), "");
  EXPECT_EQ(code_of(std::string(kFileBytesMax + 1, '\n')), "config.toml.too_large");

  const std::string longest = repeated("a.", kKeyPartsMax - 1) + "a";
  EXPECT_EQ(code_of(longest + " = 1"), "");
  EXPECT_EQ(code_of("[" + longest + "]"), "");
  EXPECT_EQ(code_of(longest + ".a = 1"), "config.toml.too_deep");
  EXPECT_EQ(code_of("x = { " + longest + " . a = 1 }"), "config.toml.too_deep");
  EXPECT_EQ(code_of("x = 1 # 'it\n[\"a.\\\"b\" . 'c' . " + longest + "]"), "config.toml.too_deep");
  EXPECT_EQ(code_of("[" + repeated("a.", 1'000'000) + "a]"), "config.toml.too_deep");

  // Dots that are no key's.
  const std::string dots = repeated(".", 100);
  EXPECT_EQ(code_of("a = \"" + dots + "\" # " + dots), "");
  EXPECT_EQ(code_of("a = '''it's\n\"" + dots + "'''''\nb = \"\"\"" + dots + "\\\"\"\"\"\"\n"), "");
  EXPECT_EQ(code_of("a = [" + repeated("1.5, ", 100) + "]"), "");

  EXPECT_EQ(code_of("a = " + repeated("[", 100'000)), "config.toml.syntax");
  EXPECT_EQ(code_of("a = " + repeated("{a=", 100'000)), "config.toml.syntax");
}

TEST(ParseToml, CountsThePlaceOfATooLongKey) {
  const Result<Node> node =
      parse_toml("a = 1\n  b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r = 1\n", "f.toml");
  ASSERT_FALSE(node);
  EXPECT_EQ(node.error().place, "f.toml:2:34");
  EXPECT_EQ(node.error().message, "a key of more than 16 parts");
}

// --- Look-ups ----------------------------------------------------------------------------------

TEST(Lookup, FindsWhatIsThereAndOfItsKind) {
  const Node root = parsed("s = 'x'\ni = 7\nb = true\none = 'a'\nmany = ['a', 'b']\nnone = []\n");
  EXPECT_EQ(find_string(root, "s").value(), "x");
  EXPECT_EQ(find_integer(root, "i").value(), 7);
  EXPECT_EQ(find_boolean(root, "b").value(), true);
  EXPECT_EQ(find_string(root, "absent").value(), std::nullopt);
  EXPECT_EQ(find_integer(root, "absent").value(), std::nullopt);
  EXPECT_EQ(find_boolean(root, "absent").value(), std::nullopt);
  EXPECT_THAT(*find_strings(root, "one").value(), ElementsAre("a"));
  EXPECT_THAT(*find_strings(root, "many").value(), ElementsAre("a", "b"));
  EXPECT_TRUE(find_strings(root, "none").value()->empty());
  EXPECT_EQ(find_strings(root, "absent").value(), std::nullopt);
  EXPECT_EQ(get_string(root, "s").value(), "x");
  EXPECT_EQ(get_integer(root, "i").value(), 7);
  EXPECT_EQ(get_boolean(root, "b").value(), true);
}

TEST(Lookup, SaysWhatWasFoundInstead) {
  const Node root = parsed("size = '25,000'\nflag = 1\nnames = ['a', 2]\nt = {}\n");
  struct Case {
    Problem problem;
    std::string_view code, place, message;
  };
  for (const Case& c : std::vector<Case>{
           {get_integer(root, "size").error(), "config.type", "f.toml:1:8",
            "'size' has to be an integer, but is a string (\"25,000\")"},
           {find_boolean(root, "flag").error(), "config.type", "f.toml:2:8",
            "'flag' has to be a boolean, but is an integer (1)"},
           {find_strings(root, "names").error(), "config.type", "f.toml:3:15",
            "every element of 'names' has to be a string, but is an integer (2)"},
           {find_strings(root, "t").error(), "config.type", "f.toml:4:5",
            "'t' has to be a string or an array of strings, but is a table"},
           {get_string(*root.find("t"), "x").error(), "config.missing", "f.toml:4:5",
            "'x' is missing; a string is expected"},
       }) {
    EXPECT_EQ(c.problem.code, c.code);
    EXPECT_EQ(c.problem.place, c.place);
    EXPECT_EQ(c.problem.message, c.message);
  }
}

TEST(OnlyKeys, NamesTheNearest) {
  const std::vector<std::string> allowed = {"versions", "value", "evidence"};
  EXPECT_TRUE(only_keys(parsed("value = 1\nversions = ''"), allowed));
  const Problem near = only_keys(parsed("value = 1\nverions = ''"), allowed).error();
  EXPECT_EQ(near.code, "config.unknown_key");
  EXPECT_EQ(near.place, "f.toml:2:11");
  EXPECT_EQ(near.hint, "did you mean 'versions'?");
  EXPECT_EQ(only_keys(parsed("q = 1"), allowed).error().hint,
            "known are: versions, value, evidence");
}

}  // namespace
}  // namespace cutline::config
