// settings.cc: one table of all settings; every value says what it should have been.
#include "lab/settings.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <span>

#include <fmt/format.h>

#include "base/nearest.h"
#include "base/number.h"
#include "json/data.h"
#include "lab/limits.h"
#include "lab/methods.h"
#include "text/sample.h"

namespace cutline::lab {
namespace {

using text::SampleKind;

constexpr std::array kSampleKinds = {SampleKind::kEnglish, SampleKind::kJapanese,
                                     SampleKind::kChinese, SampleKind::kEmoji, SampleKind::kMixed};

constexpr std::string_view kTextSourceForms =
    "none, KIND:N (a sample text of N UTF-16 units), text:TEXT or file:PATH";

struct FaultWord {
  std::string_view word;
  FaultKind kind;
};
constexpr std::array kFaultWords = {
    FaultWord{"exit", FaultKind::kExit},           FaultWord{"hang", FaultKind::kHang},
    FaultWord{"malformed", FaultKind::kMalformed}, FaultWord{"noise", FaultKind::kNoise},
    FaultWord{"wrong-id", FaultKind::kWrongId},    FaultWord{"null-id", FaultKind::kNullId},
    FaultWord{"huge", FaultKind::kHuge},           FaultWord{"error:CODE", FaultKind::kError},
};

/// Message and hint are about the value alone; set() puts the setting's name before it.
tl::unexpected<Problem> bad_value(std::string message, std::string hint = {}) {
  return fail(Problem{.code = "lab.setting",
                      .message = std::move(message),
                      .place = {},
                      .hint = std::move(hint),
                      .blame = Blame::kUsage});
}

std::string did_you_mean(std::string_view word, std::span<const std::string> candidates) {
  const std::optional<std::string> near = nearest(word, candidates);
  return near ? fmt::format("did you mean '{}'?", *near) : std::string();
}

/// A number as people type it on a command line: digits and nothing else (a sign only if `Number`
/// has one).
template <class Number>
std::optional<Number> parse_number(std::string_view text, Number least, Number most) {
  Number number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  if (number < least || number > most) return std::nullopt;
  return number;
}

Result<std::size_t> parse_size(std::string_view value, std::size_t least, std::size_t most) {
  if (const auto number = parse_number<std::size_t>(value, least, most)) return *number;
  return bad_value(fmt::format("'{}' is not a whole number from {} to {}", value, least,
                               with_separators(static_cast<std::int64_t>(most))),
                   "write it in plain digits");
}

std::vector<std::string> sample_kind_names() {
  std::vector<std::string> names;
  names.reserve(std::size(kSampleKinds));
  for (const SampleKind kind : kSampleKinds) names.emplace_back(text::name(kind));
  return names;
}

Result<TextSource> parse_sample(std::string_view value, std::size_t colon) {
  const std::string_view kind = value.substr(0, colon);
  if (!text::sample_kind_named(kind)) {
    std::vector<std::string> names = sample_kind_names();
    const std::string known = fmt::format("{}", fmt::join(names, ", "));
    names.emplace_back("file");
    const std::string hint = did_you_mean(kind, names);
    return bad_value(fmt::format("'{}' names no kind of sample text; there are {}", value, known),
                     hint.empty() ? fmt::format("write {}", kTextSourceForms) : hint);
  }
  CUTLINE_TRY_ASSIGN(const std::size_t units,
                     parse_size(value.substr(colon + 1), 1, kSampleUnitsMax));
  TextSource source;
  source.kind = TextSource::Kind::kSample;
  source.sample_kind = kind;
  source.utf16_units = units;
  return source;
}

Result<Eras> parse_eras(std::string_view value) {
  if (value == "legacy") return Eras::kLegacy;
  if (value == "modern") return Eras::kModern;
  if (value == "dual") return Eras::kDual;
  const std::vector<std::string> words = {"legacy", "modern", "dual"};
  return bad_value(fmt::format("'{}' is not legacy, modern or dual", value),
                   did_you_mean(value, words));
}

Result<Fault> parse_fault(std::string_view value) {
  constexpr std::string_view kErrorPrefix = "error:";
  if (value.starts_with(kErrorPrefix)) {
    const auto code =
        parse_number<std::int64_t>(value.substr(kErrorPrefix.size()), INT32_MIN, INT32_MAX);
    if (!code) {
      return bad_value(fmt::format("'{}' has no error code after the colon", value),
                       "write it as error:-32601");
    }
    return Fault{.kind = FaultKind::kError, .error_code = *code};
  }
  std::vector<std::string> words;
  for (const FaultWord& fault : kFaultWords) {
    if (fault.kind != FaultKind::kError && fault.word == value) return Fault{.kind = fault.kind};
    words.emplace_back(fault.word);
  }
  return bad_value(fmt::format("'{}' is not {}", value, fmt::join(words, ", ")),
                   did_you_mean(value, words));
}

/// Any method is taken, for there are extensions that we do not know; but one that looks like a
/// mistyped known one would be a setting that silently does nothing.
Result<std::string> parse_method(std::string_view method, bool or_unknown_first) {
  if (method == kUnknownFirst && !or_unknown_first)
    return bad_value(fmt::format("'{}' is only for faults", method), "name a method");
  std::vector<std::string> known(kClientMethods.begin(), kClientMethods.end());
  if (or_unknown_first) known.emplace_back(kUnknownFirst);
  if (std::find(known.begin(), known.end(), method) != known.end()) return std::string(method);
  const std::string hint = did_you_mean(method, known);
  const bool is_word = std::none_of(method.begin(), method.end(), [](char c) {
    return static_cast<unsigned char>(c) <= ' ' || c == '=';
  });
  if (hint.empty() && is_word && !method.empty()) return std::string(method);
  return bad_value(fmt::format("'{}' is no method of the protocol", method),
                   hint.empty() ? "a method is written as in tools/list" : hint);
}

/// "METHOD=REST"; `form` is how the whole should look.
Result<std::pair<std::string_view, std::string_view>> split_at_equals(std::string_view value,
                                                                      std::string_view form) {
  const std::size_t equals = value.find('=');
  if (equals == std::string_view::npos)
    return bad_value(fmt::format("'{}' has no equals sign", value), fmt::format("write {}", form));
  return std::pair(value.substr(0, equals), value.substr(equals + 1));
}

Result<void> set_name(Settings& settings, std::string_view value) {
  if (value.empty()) return bad_value("the name is empty");
  settings.name = value;
  return {};
}

Result<void> set_instructions(Settings& settings, std::string_view value) {
  CUTLINE_TRY_ASSIGN(settings.instructions, parse_text_source(value));
  return {};
}

Result<void> set_discover_instructions(Settings& settings, std::string_view value) {
  CUTLINE_TRY_ASSIGN(settings.discover_instructions, parse_text_source(value));
  return {};
}

Result<void> set_tool_description(Settings& settings, std::string_view value) {
  CUTLINE_TRY_ASSIGN(settings.tool_description, parse_text_source(value));
  return {};
}

Result<void> set_tool_members(Settings& settings, std::string_view value) {
  CUTLINE_TRY_ASSIGN(settings.tool_members, parse_text_source(value));
  return {};
}

Result<void> set_tools(Settings& settings, std::string_view value) {
  CUTLINE_TRY_ASSIGN(settings.tools, parse_size(value, 0, kToolsMax));
  return {};
}

/// "A|B|C", whatever stands between the bars.
Result<void> set_tool_names(Settings& settings, std::string_view value) {
  settings.tool_names.clear();
  for (std::string_view rest = value;;) {
    const std::string_view name = rest.substr(0, rest.find('|'));
    if (name.empty()) return bad_value("a name is empty", "write NAME|NAME|…");
    settings.tool_names.emplace_back(name);
    if (name.size() == rest.size()) return {};
    rest.remove_prefix(name.size() + 1);
  }
}

Result<void> set_era(Settings& settings, std::string_view value) {
  CUTLINE_TRY_ASSIGN(settings.eras, parse_eras(value));
  return {};
}

Result<void> set_delay(Settings& settings, std::string_view value) {
  CUTLINE_TRY_ASSIGN(const auto parts, split_at_equals(value, "METHOD=MS"));
  CUTLINE_TRY_ASSIGN(std::string method, parse_method(parts.first, false));
  CUTLINE_TRY_ASSIGN(const std::size_t wait_ms,
                     parse_size(parts.second, 0, static_cast<std::size_t>(kDelayMax.count())));
  settings.delays.insert_or_assign(std::move(method), std::chrono::milliseconds(wait_ms));
  return {};
}

Result<void> set_fault(Settings& settings, std::string_view value) {
  CUTLINE_TRY_ASSIGN(const auto parts, split_at_equals(value, "METHOD=FAULT"));
  CUTLINE_TRY_ASSIGN(std::string method, parse_method(parts.first, true));
  CUTLINE_TRY_ASSIGN(const Fault fault, parse_fault(parts.second));
  settings.faults.insert_or_assign(std::move(method), fault);
  return {};
}

/// One schema for all tools, or a list of them.
Result<void> set_tool_schema(Settings& settings, std::string_view value) {
  const Result<json::Document> document = json::Document::parse(value);
  if (!document) return bad_value("it is no JSON: " + document.error().message);
  const json::Value root = document->root();
  const bool list = root.is(json::Type::kArray);
  if (list && root.size() == 0) return bad_value("the list is empty");
  settings.tool_schemas.clear();
  // Written anew, as a message is one line and a schema in a file may be many.
  for (const json::Value& schema : list ? root.elements() : std::vector{root})
    settings.tool_schemas.push_back(json::text(json::data(schema)));
  return {};
}

Result<void> set_exit_after(Settings& settings, std::string_view value) {
  CUTLINE_TRY_ASSIGN(settings.exit_after, parse_method(value, false));
  return {};
}

Result<void> set_page_size(Settings& settings, std::string_view value) {
  CUTLINE_TRY_ASSIGN(settings.page_size, parse_size(value, 1, kToolsMax));
  return {};
}

Result<void> set_log(Settings& settings, std::string_view value) {
  if (value.empty()) return bad_value("the path is empty");
  settings.log_file = value;
  return {};
}

struct Setting {
  std::string_view key;
  Result<void> (*set)(Settings&, std::string_view);
};
constexpr std::array kSettings = {
    Setting{"name", set_name},
    Setting{"instructions", set_instructions},
    Setting{"discover-instructions", set_discover_instructions},
    Setting{"tool-description", set_tool_description},
    Setting{"tool-members", set_tool_members},
    Setting{"tools", set_tools},
    Setting{"tool-names", set_tool_names},
    Setting{"tool-schema", set_tool_schema},
    Setting{"era", set_era},
    Setting{"delay", set_delay},
    Setting{"fault", set_fault},
    Setting{"exit-after", set_exit_after},
    Setting{"page-size", set_page_size},
    Setting{"log", set_log},
};

}  // namespace

std::vector<std::string> setting_keys() {
  std::vector<std::string> keys;
  keys.reserve(std::size(kSettings));
  for (const Setting& setting : kSettings) keys.emplace_back(setting.key);
  return keys;
}

Result<TextSource> parse_text_source(std::string_view text) {
  constexpr std::string_view kFilePrefix = "file:";
  TextSource source;
  if (text == "none") return source;
  if (text.starts_with(kFilePrefix)) {
    source.kind = TextSource::Kind::kFile;
    source.path = text.substr(kFilePrefix.size());
    if (source.path.empty()) return bad_value("'file:' names no file");
    return source;
  }
  constexpr std::string_view kLiteralPrefix = "text:";
  if (text.starts_with(kLiteralPrefix)) {
    source.kind = TextSource::Kind::kLiteral;
    source.literal = text.substr(kLiteralPrefix.size());
    return source;
  }
  if (const std::size_t colon = text.find(':'); colon != std::string_view::npos)
    return parse_sample(text, colon);
  std::vector<std::string> words = sample_kind_names();
  words.emplace_back("none");
  const std::string hint = did_you_mean(text, words);
  return bad_value(fmt::format("'{}' is not {}", text, kTextSourceForms), hint);
}

Result<void> set(Settings& settings, std::string_view key, std::string_view value) {
  for (const Setting& setting : kSettings) {
    if (setting.key != key) continue;
    Result<void> done = setting.set(settings, value);
    if (done) return {};
    Problem problem = std::move(done).error();
    problem.message = fmt::format("{}: {}", key, problem.message);
    return fail(std::move(problem));
  }
  const std::vector<std::string> keys = setting_keys();
  const std::string hint = did_you_mean(key, keys);
  return bad_value(fmt::format("'{}' is no setting of the lab server", key),
                   hint.empty() ? fmt::format("there are {}", fmt::join(keys, ", ")) : hint);
}

}  // namespace cutline::lab
