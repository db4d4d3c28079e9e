// texts.cc: the texts that the settings name. A file's bytes are passed on as they are, valid UTF-8
// or not: a lab must be able to say what a careful server would not.
#include <fmt/format.h>

#include "base/assert.h"
#include "base/number.h"
#include "lab/limits.h"
#include "lab/server.h"
#include "lab/tools.h"
#include "text/sample.h"

namespace cutline::lab {
namespace {

using ReadFile = std::function<Result<std::string>(const std::string&)>;

/// `what` is the setting, for the one who reads the problem.
Result<std::optional<std::string>> load(const TextSource& source, std::string_view what,
                                        std::string_view salt, const ReadFile& read) {
  if (source.kind == TextSource::Kind::kNone) return std::nullopt;
  if (source.kind == TextSource::Kind::kFile) return read(source.path);
  if (source.kind == TextSource::Kind::kLiteral) return source.literal;
  const std::optional<text::SampleKind> kind = text::sample_kind_named(source.sample_kind);
  CUTLINE_ASSERT(kind);
  Result<std::string> sample = text::sample(*kind, source.utf16_units, salt);
  if (sample) return std::optional(*std::move(sample));
  Problem problem = std::move(sample).error();
  if (problem.place.empty()) problem.place = what;
  return fail(std::move(problem));
}

tl::unexpected<Problem> too_large(std::string_view what, std::size_t tools) {
  return fail(Problem{
      .code = "lab.too_large",
      .message = fmt::format("the texts of {} would take more than {} bytes", count(tools, "tool"),
                             with_separators(static_cast<std::int64_t>(kTextBytesMax))),
      .place = std::string(what),
      .hint = "take a shorter text or fewer tools",
      .blame = Blame::kUsage});
}

Result<void> load_tools(Texts& texts, const Settings& settings, const ReadFile& read) {
  texts.tool_names = settings.tool_names.empty() ? tool_names(settings.tools) : settings.tool_names;
  if (!settings.tool_description) {
    for (const std::string& name : texts.tool_names)
      texts.tool_descriptions.emplace_back(short_description(name));
    return {};
  }
  const TextSource& source = *settings.tool_description;
  // A sample differs from tool to tool by its codewords; the bytes of a file are read once.
  const bool shared = source.kind != TextSource::Kind::kSample;
  std::optional<std::string> description;
  for (const std::string& name : texts.tool_names) {
    const bool first = texts.tool_descriptions.empty();
    if (first || !shared) {
      CUTLINE_TRY_ASSIGN(description, load(source, "tool-description", name, read));
    }
    if (first && description && description->size() > kTextBytesMax / texts.tool_names.size())
      return too_large("tool-description", texts.tool_names.size());
    texts.tool_descriptions.push_back(description);
  }
  return {};
}

/// Three texts for each tool; of samples, which have codewords of their own, all are different.
Result<void> load_members(Texts& texts, const TextSource& source, const ReadFile& read) {
  constexpr std::size_t kEach = 3;
  const auto member = [&](const std::string& name, std::string_view what) -> Result<std::string> {
    const std::string salt = fmt::format("{} {}", name, what);
    CUTLINE_TRY_ASSIGN(const std::optional<std::string> text,
                       load(source, "tool-members", salt, read));
    return text.value_or("");
  };
  for (const std::string& name : texts.tool_names) {
    ToolMembers members;
    CUTLINE_TRY_ASSIGN(members.title, member(name, "title"));
    CUTLINE_TRY_ASSIGN(members.annotations_title, member(name, "annotations.title"));
    CUTLINE_TRY_ASSIGN(members.output, member(name, "outputSchema"));
    if (members.title.size() > kTextBytesMax / kEach / texts.tool_names.size())
      return too_large("tool-members", texts.tool_names.size());
    texts.tool_members.push_back(std::move(members));
  }
  return {};
}

}  // namespace

Result<Texts> load_texts(const Settings& settings, const ReadFile& read) {
  Texts texts;
  CUTLINE_TRY_ASSIGN(texts.instructions, load(settings.instructions, "instructions", "", read));
  if (settings.discover_instructions) {
    CUTLINE_TRY_ASSIGN(
        texts.discover_instructions,
        load(*settings.discover_instructions, "discover-instructions", "discover", read));
  } else {
    texts.discover_instructions = texts.instructions;
  }
  CUTLINE_TRY(load_tools(texts, settings, read));
  const std::optional<TextSource>& members = settings.tool_members;
  if (members && members->kind != TextSource::Kind::kNone)
    CUTLINE_TRY(load_members(texts, *members, read));
  return texts;
}

}  // namespace cutline::lab
