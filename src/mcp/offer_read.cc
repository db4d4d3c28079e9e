// offer_read.cc: telling the kinds of offer files apart, and reading our own.
//
// Members that this version does not know are passed over, so that a newer program may add some;
// those that it knows must be of their type. Only what everything else rests on must be there.
#include "mcp/offer_read.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "mcp/offer_json.h"
#include "mcp/schema.h"
#include "mcp/words.h"

namespace cutline::mcp {
namespace {

using json::Type;
using json::Value;

constexpr std::array kOutcomes = {Outcome::kServes, Outcome::kDidNotStart, Outcome::kRefuses,
                                  Outcome::kHangs, Outcome::kBroke};
constexpr std::array kProbeAnswers = {
    ProbeAnswer::kNotAsked,   ProbeAnswer::kModern, ProbeAnswer::kOtherVersion,
    ProbeAnswer::kLegacyOnly, ProbeAnswer::kError,  ProbeAnswer::kWrongShape,
    ProbeAnswer::kSilence,    ProbeAnswer::kExit,   ProbeAnswer::kNonsense};

class Reader {
 public:
  Reader(const json::Document& document, std::string_view file)
      : document_(document), file_(file) {}

  Result<Offer> read() const;

 private:
  tl::unexpected<Problem> wrong(const Value& at, std::string message) const {
    return fail({.code = "offer.shape",
                 .message = std::move(message),
                 .place = place_in(file_, document_.bytes(), at.offset()),
                 .hint = "docs/offer.md has the format"});
  }

  /// Nothing if it is absent or null.
  Result<std::optional<Value>> member(const Value& object, std::string_view key, Type type) const;
  Result<std::optional<std::string>> string(const Value& object, std::string_view key) const;
  Result<std::string> string_or_empty(const Value& object, std::string_view key) const;
  Result<std::vector<std::string>> strings(const Value& object, std::string_view key) const;
  Result<std::vector<Value>> objects(const Value& object, std::string_view key) const;
  Result<std::optional<std::int64_t>> integer(const Value& object, std::string_view key,
                                              std::int64_t least) const;
  Result<std::size_t> size(const Value& object, std::string_view key, std::size_t otherwise) const;
  Result<std::optional<int>> small(const Value& object, std::string_view key) const;
  Result<std::optional<Milliseconds>> time(const Value& object, std::string_view key) const;
  template <class Enum, std::size_t N>
  Result<Enum> word(const Value& object, std::string_view key, const std::array<Enum, N>& all,
                    std::optional<Enum> otherwise) const;
  Result<std::optional<ServerText>> text(const Value& object, std::string_view key) const;
  static std::string raw(const Value& object, std::string_view key);

  Result<Tool> tool(const Value& value) const;
  Result<std::vector<Listed>> listed(const Value& era, std::string_view key) const;
  Result<std::optional<EraOffer>> era(const Value& root, std::string_view key, Era which) const;
  Result<Probe> probe(const Value& root) const;
  Result<Times> times(const Value& root) const;
  Result<std::optional<Exit>> exit(const Value& root) const;
  Result<std::vector<Incident>> incidents(const Value& root) const;

  const json::Document& document_;
  std::string_view file_;
};

Result<std::optional<Value>> Reader::member(const Value& object, std::string_view key,
                                            Type type) const {
  const std::optional<Value> value = object.find(key);
  if (!value || value->is(Type::kNull)) return std::nullopt;
  if (!value->is(type)) {
    return wrong(*value, fmt::format("'{}' is {} where {} is expected", key,
                                     type_words(value->type()), type_words(type)));
  }
  return value;
}

Result<std::optional<std::string>> Reader::string(const Value& object, std::string_view key) const {
  CUTLINE_TRY_ASSIGN(const std::optional<Value> value, member(object, key, Type::kString));
  if (!value) return std::nullopt;
  return value->string().value;
}

Result<std::string> Reader::string_or_empty(const Value& object, std::string_view key) const {
  CUTLINE_TRY_ASSIGN(std::optional<std::string> value, string(object, key));
  return std::move(value).value_or(std::string());
}

Result<std::vector<std::string>> Reader::strings(const Value& object, std::string_view key) const {
  CUTLINE_TRY_ASSIGN(const std::optional<Value> array, member(object, key, Type::kArray));
  std::vector<std::string> all;
  if (!array) return all;
  for (const Value& element : array->elements()) {
    if (!element.is(Type::kString))
      return wrong(element, fmt::format("'{}' holds {}", key, type_words(element.type())));
    all.push_back(element.string().value);
  }
  return all;
}

Result<std::vector<Value>> Reader::objects(const Value& object, std::string_view key) const {
  CUTLINE_TRY_ASSIGN(const std::optional<Value> array, member(object, key, Type::kArray));
  if (!array) return std::vector<Value>();
  std::vector<Value> all = array->elements();
  for (const Value& element : all) {
    if (!element.is(Type::kObject))
      return wrong(element, fmt::format("'{}' holds {}", key, type_words(element.type())));
  }
  return all;
}

Result<std::optional<std::int64_t>> Reader::integer(const Value& object, std::string_view key,
                                                    std::int64_t least) const {
  CUTLINE_TRY_ASSIGN(const std::optional<Value> value, member(object, key, Type::kNumber));
  if (!value) return std::nullopt;
  const std::optional<std::int64_t> number = value->int64();
  if (!number || *number < least)
    return wrong(*value, fmt::format("'{}' is {}", key, quoted(value->raw())));
  return number;
}

Result<std::size_t> Reader::size(const Value& object, std::string_view key,
                                 std::size_t otherwise) const {
  CUTLINE_TRY_ASSIGN(const std::optional<std::int64_t> number, integer(object, key, 0));
  return number ? static_cast<std::size_t>(*number) : otherwise;
}

Result<std::optional<int>> Reader::small(const Value& object, std::string_view key) const {
  CUTLINE_TRY_ASSIGN(const std::optional<std::int64_t> number, integer(object, key, 0));
  if (!number) return std::nullopt;
  if (*number > std::numeric_limits<int>::max())
    return wrong(*object.find(key), fmt::format("'{}' is {}", key, *number));
  return static_cast<int>(*number);
}

Result<std::optional<Milliseconds>> Reader::time(const Value& object, std::string_view key) const {
  CUTLINE_TRY_ASSIGN(const std::optional<Value> value, member(object, key, Type::kNumber));
  if (!value) return std::nullopt;
  const std::optional<double> number = value->number();
  constexpr double kDayMs = 86'400'000;
  if (!number || *number < 0 || *number > kDayMs) {
    return wrong(
        *value, fmt::format("'{}' is {}; expected 0 to {:.0f}", key, quoted(value->raw()), kDayMs));
  }
  return Milliseconds(*number);
}

template <class Enum, std::size_t N>
Result<Enum> Reader::word(const Value& object, std::string_view key, const std::array<Enum, N>& all,
                          std::optional<Enum> otherwise) const {
  CUTLINE_TRY_ASSIGN(const std::optional<std::string> found, string(object, key));
  if (!found && otherwise) return *otherwise;
  if (!found) return wrong(object, fmt::format("there is no '{}'", key));
  std::vector<std::string> names;
  for (const Enum value : all) {
    if (name(value) == *found) return value;
    names.emplace_back(name(value));
  }
  return wrong(*object.find(key),
               fmt::format("'{}' is {}; it is one of {}", key, quoted(*found), joined(names)));
}

Result<std::optional<ServerText>> Reader::text(const Value& object, std::string_view key) const {
  CUTLINE_TRY_ASSIGN(const std::optional<Value> value, member(object, key, Type::kString));
  if (!value) return std::nullopt;
  json::Text found = value->string();
  ServerText out{.value = std::move(found.value),
                 .length = {},
                 .first_invalid_byte = found.first_invalid_byte,
                 .replaced = found.replaced};
  out.length = text::measure(out.value);
  CUTLINE_TRY_ASSIGN(const std::optional<Value> repair,
                     member(object, std::string(key) + "_repair", Type::kObject));
  if (repair) {
    CUTLINE_TRY_ASSIGN(const std::optional<std::int64_t> first,
                       integer(*repair, "first_invalid_byte", 0));
    CUTLINE_TRY_ASSIGN(out.replaced, size(*repair, "replaced", 1));
    out.first_invalid_byte.reset();
    if (first && out.replaced > 0) out.first_invalid_byte = static_cast<std::size_t>(*first);
  }
  return out;
}

std::string Reader::raw(const Value& object, std::string_view key) {
  const std::optional<Value> value = object.find(key);
  return value ? std::string(value->raw()) : std::string();
}

Result<Tool> Reader::tool(const Value& value) const {
  Tool tool;
  CUTLINE_TRY_ASSIGN(std::optional<std::string> name, string(value, "name"));
  if (!name) return wrong(value, "a tool has no 'name'");
  tool.name = *std::move(name);
  CUTLINE_TRY_ASSIGN(tool.title, string(value, "title"));
  CUTLINE_TRY_ASSIGN(tool.description, text(value, "description"));
  tool.input_schema = raw(value, "input_schema");
  tool.schema = schema_traits(value.find("input_schema"));
  tool.output_schema = raw(value, "output_schema");
  tool.annotations = raw(value, "annotations");
  tool.meta = raw(value, "meta");
  CUTLINE_TRY_ASSIGN(const std::optional<Value> always, member(value, "always_load", Type::kBool));
  tool.always_load = always && always->boolean();
  return tool;
}

Result<std::vector<Listed>> Reader::listed(const Value& era, std::string_view key) const {
  CUTLINE_TRY_ASSIGN(const std::vector<Value> values, objects(era, key));
  std::vector<Listed> all;
  for (const Value& value : values) {
    Listed entry;
    CUTLINE_TRY_ASSIGN(entry.name, string_or_empty(value, "name"));
    CUTLINE_TRY_ASSIGN(entry.uri, string_or_empty(value, "uri"));
    CUTLINE_TRY_ASSIGN(entry.description, string_or_empty(value, "description"));
    all.push_back(std::move(entry));
  }
  return all;
}

Result<std::optional<EraOffer>> Reader::era(const Value& root, std::string_view key,
                                            Era which) const {
  CUTLINE_TRY_ASSIGN(const std::optional<Value> value, member(root, key, Type::kObject));
  if (!value) return std::nullopt;
  EraOffer offer;
  offer.era = which;
  CUTLINE_TRY_ASSIGN(offer.protocol_version, string_or_empty(*value, "protocol_version"));
  CUTLINE_TRY_ASSIGN(offer.supported_versions, strings(*value, "supported_versions"));
  CUTLINE_TRY_ASSIGN(const std::optional<Value> server, member(*value, "server", Type::kObject));
  if (server) {
    CUTLINE_TRY_ASSIGN(offer.server.name, string_or_empty(*server, "name"));
    CUTLINE_TRY_ASSIGN(offer.server.version, string_or_empty(*server, "version"));
    CUTLINE_TRY_ASSIGN(offer.server.title, string(*server, "title"));
  }
  offer.capabilities = raw(*value, "capabilities");
  CUTLINE_TRY_ASSIGN(offer.instructions, text(*value, "instructions"));
  CUTLINE_TRY_ASSIGN(offer.instructions_wrong_type, string(*value, "instructions_wrong_type"));
  CUTLINE_TRY_ASSIGN(offer.tools_list_bytes, size(*value, "tools_list_bytes", 0));
  CUTLINE_TRY_ASSIGN(offer.tools_problem, string(*value, "tools_problem"));
  CUTLINE_TRY_ASSIGN(const std::vector<Value> tools, objects(*value, "tools"));
  for (const Value& element : tools) {
    CUTLINE_TRY_ASSIGN(Tool read, tool(element));
    offer.tools.push_back(std::move(read));
  }
  CUTLINE_TRY_ASSIGN(offer.prompts, listed(*value, "prompts"));
  CUTLINE_TRY_ASSIGN(offer.resources, listed(*value, "resources"));
  CUTLINE_TRY_ASSIGN(offer.templates, listed(*value, "resource_templates"));
  return offer;
}

Result<Probe> Reader::probe(const Value& root) const {
  Probe probe;
  CUTLINE_TRY_ASSIGN(const std::optional<Value> value, member(root, "probe", Type::kObject));
  if (!value) return probe;
  CUTLINE_TRY_ASSIGN(probe.answer,
                     word(*value, "answer", kProbeAnswers, std::optional(ProbeAnswer::kNotAsked)));
  CUTLINE_TRY_ASSIGN(probe.error_code,
                     integer(*value, "error_code", std::numeric_limits<std::int64_t>::min()));
  CUTLINE_TRY_ASSIGN(probe.versions, strings(*value, "versions"));
  CUTLINE_TRY_ASSIGN(const std::optional<Milliseconds> elapsed, time(*value, "elapsed_ms"));
  probe.elapsed = elapsed.value_or(Milliseconds(0));
  return probe;
}

Result<Times> Reader::times(const Value& root) const {
  Times times;
  CUTLINE_TRY_ASSIGN(const std::optional<Value> value, member(root, "times", Type::kObject));
  if (!value) return times;
  CUTLINE_TRY_ASSIGN(times.first_answer, time(*value, "first_answer_ms"));
  CUTLINE_TRY_ASSIGN(times.probe, time(*value, "probe_ms"));
  CUTLINE_TRY_ASSIGN(times.handshake, time(*value, "handshake_ms"));
  CUTLINE_TRY_ASSIGN(times.lists, time(*value, "lists_ms"));
  CUTLINE_TRY_ASSIGN(const std::optional<Milliseconds> total, time(*value, "total_ms"));
  times.total = total.value_or(Milliseconds(0));
  CUTLINE_TRY_ASSIGN(times.process_starts, size(*value, "process_starts", 0));
  return times;
}

Result<std::optional<Exit>> Reader::exit(const Value& root) const {
  CUTLINE_TRY_ASSIGN(const std::optional<Value> value, member(root, "exit", Type::kObject));
  if (!value) return std::nullopt;
  Exit exit;
  CUTLINE_TRY_ASSIGN(exit.code, small(*value, "code"));
  CUTLINE_TRY_ASSIGN(exit.signal, small(*value, "signal"));
  return exit;
}

Result<std::vector<Incident>> Reader::incidents(const Value& root) const {
  CUTLINE_TRY_ASSIGN(const std::vector<Value> values, objects(root, "incidents"));
  std::vector<Incident> all;
  for (const Value& value : values) {
    Incident incident;
    CUTLINE_TRY_ASSIGN(incident.code, string_or_empty(value, "code"));
    CUTLINE_TRY_ASSIGN(incident.message, string_or_empty(value, "message"));
    CUTLINE_TRY_ASSIGN(incident.times, size(value, "times", 1));
    all.push_back(std::move(incident));
  }
  return all;
}

Result<Offer> Reader::read() const {
  const Value root = document_.root();
  const Value version = *root.find("schema_version");
  const std::optional<std::int64_t> number =
      version.is(Type::kNumber) ? version.int64() : std::nullopt;
  if (number != kOfferSchemaVersion) {
    return fail({.code = "offer.version",
                 .message = fmt::format("the offer has schema_version {}; this program reads {}",
                                        quoted(version.raw(), 20), kOfferSchemaVersion),
                 .place = place_in(file_, document_.bytes(), version.offset()),
                 .hint = "save it anew with --save-offer"});
  }
  Offer offer;
  CUTLINE_TRY_ASSIGN(offer.command, strings(root, "command"));
  CUTLINE_TRY_ASSIGN(offer.outcome, word(root, "outcome", kOutcomes, std::optional<Outcome>()));
  CUTLINE_TRY_ASSIGN(offer.outcome_detail, string_or_empty(root, "outcome_detail"));
  CUTLINE_TRY_ASSIGN(offer.probe, probe(root));
  CUTLINE_TRY_ASSIGN(offer.times, times(root));
  CUTLINE_TRY_ASSIGN(offer.exit, exit(root));
  CUTLINE_TRY_ASSIGN(offer.incidents, incidents(root));
  CUTLINE_TRY_ASSIGN(offer.stderr_tail, string_or_empty(root, "stderr_tail"));
  CUTLINE_TRY_ASSIGN(offer.legacy, era(root, "legacy", Era::kLegacy));
  CUTLINE_TRY_ASSIGN(offer.modern, era(root, "modern", Era::kModern));
  if (offer.outcome == Outcome::kServes && !offer.any())
    return wrong(root, "the outcome is 'serves', but there is neither 'legacy' nor 'modern'");
  return offer;
}

/// The offset in a place of json.syntax: "byte 17".
std::optional<std::size_t> offset_of(const Problem& problem) {
  const std::size_t digits = problem.place.find_first_of("0123456789");
  if (digits == std::string::npos) return std::nullopt;
  std::size_t offset = 0;
  for (const char c : std::string_view(problem.place).substr(digits)) {
    if (c < '0' || c > '9') break;
    offset = offset * 10 + static_cast<std::size_t>(c - '0');
  }
  return offset;
}

}  // namespace

std::string place_in(std::string_view file, std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const auto lines = std::ranges::count(before, '\n');
  const std::size_t feed = before.rfind('\n');
  const std::size_t column =
      feed == std::string_view::npos ? before.size() : before.size() - feed - 1;
  return fmt::format("{}:{}:{}", file, lines + 1, column + 1);
}

Result<Offer> read_own_offer(const json::Document& document, std::string_view file) {
  return Reader(document, file).read();
}

Result<Offer> read_offer(std::string_view json, std::string_view file) {
  const Result<json::Document> document = json::Document::parse(json, kOfferFileLimits);
  if (document) {
    return document->root().find("schema_version") ? read_own_offer(*document, file)
                                                   : read_dump(*document, file);
  }
  // Several lines of JSON are no JSON, but each is.
  const std::string_view first_line = json.substr(0, json.find('\n'));
  if (first_line.size() < json.size() && json::Document::parse(first_line, kOfferFileLimits))
    return read_dump_lines(json, file);
  const std::optional<std::size_t> offset = offset_of(document.error());
  return fail({.code = "offer.syntax",
               .message = document.error().message,
               .place = offset ? place_in(file, json, *offset) : std::string(file),
               .hint = "an offer is a JSON file as --save-offer writes it (docs/offer.md)"});
}

}  // namespace cutline::mcp
