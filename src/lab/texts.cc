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

tl::unexpected<Problem> too_large(std::size_t tools) {
  return fail(Problem{
      .code = "lab.too_large",
      .message =
          fmt::format("the descriptions of {} would take more than {} bytes", count(tools, "tool"),
                      with_separators(static_cast<std::int64_t>(kTextBytesMax))),
      .place = "tool-description",
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
      return too_large(texts.tool_names.size());
    texts.tool_descriptions.push_back(description);
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
  return texts;
}

}  // namespace cutline::lab
