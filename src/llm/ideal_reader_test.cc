#include "llm/ideal_reader.h"

#include <gtest/gtest.h>

#include "text/sample.h"

namespace cutline::llm {
namespace {

std::string sample(text::SampleKind kind, std::size_t units, std::string_view salt = {}) {
  return text::sample(kind, units, salt).value();
}

Part part(Role role, std::string text) {
  return {.role = role, .path = "p", .text = std::move(text), .turn = 0};
}

TEST(IdealReader, AnswersAsTheReferenceLabDid) {
  using text::SampleKind;
  struct Case {
    SampleKind kind;
    std::size_t units;
    std::string last;  // tests/cases/README.md
    std::size_t kept_bytes = std::string::npos;
  };
  for (const Case& c :
       {Case{SampleKind::kEnglish, 1'000, "778"}, Case{SampleKind::kEnglish, 5'000, "2015", 2'048},
        Case{SampleKind::kEnglish, 20'000, "2015", 2'048},
        Case{SampleKind::kEnglish, 20'000, "19786"}}) {
    const text::Codewords words = text::codewords(c.kind, c.units, {});
    Request request;
    request.parts = {
        part(Role::kUser, "What is BEGIN codeword: ? Say NONE where none."),
        part(Role::kSystemMessage, "## lab\n" + sample(c.kind, c.units).substr(0, c.kept_bytes))};
    const bool whole = c.kept_bytes == std::string::npos;
    EXPECT_EQ(ideal_answer(request),
              "BEGIN=" + words.begin + " END=" + (whole ? words.end : "NONE") + " LAST=" + c.last);
  }
}

TEST(IdealReader, ReadsWhatAModelSees) {
  const std::string text = sample(text::SampleKind::kEnglish, 300);
  const text::Codewords words = text::codewords(text::SampleKind::kEnglish, 300, {});
  const std::string seen = "BEGIN=" + words.begin + " END=" + words.end + " LAST=";
  const std::string none = "BEGIN=NONE END=NONE LAST=NONE";
  Request request;
  EXPECT_EQ(ideal_answer(request), none);
  for (const Role role : {Role::kSystem, Role::kSystemMessage, Role::kUser, Role::kToolResult}) {
    request.parts = {part(role, text)};
    EXPECT_EQ(ideal_answer(request).substr(0, seen.size()), seen) << name(role);
  }
  request.parts = {part(Role::kAssistant, text)};
  EXPECT_EQ(ideal_answer(request), none);

  request.parts.clear();
  request.tools = {{.name = "a", .path = {}, .description = text, .schema = {}}};
  EXPECT_EQ(ideal_answer(request).substr(0, seen.size()), seen);
  request.tools[0].deferred = true;
  EXPECT_EQ(ideal_answer(request), none);
  request.tool_references = {"a"};
  EXPECT_EQ(ideal_answer(request).substr(0, seen.size()), seen);
  request.tools[0].schema = std::exchange(request.tools[0].description, "");
  EXPECT_EQ(ideal_answer(request).substr(0, seen.size()), seen);
}

TEST(IdealReader, NamesEachWordOnceInItsOrder) {
  Request request;
  request.tools = {
      {.name = "a", .path = {}, .description = "BEGIN codeword: KELP-1111. [at 9]", .schema = {}}};
  request.parts = {
      part(Role::kSystem, "END codeword: ONYX-2222."),
      part(Role::kUser, "BEGIN codeword: AMBER-3333. [at 5] BEGIN codeword: KELP-1111."),
      part(Role::kUser, "END codeword: ONYX-222")};  // cut within
  EXPECT_EQ(ideal_answer(request), "BEGIN=KELP-1111,AMBER-3333 END=ONYX-2222 LAST=5");
}

}  // namespace
}  // namespace cutline::llm
