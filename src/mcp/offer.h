// offer.h: all text that a server offers a client, and how it answered when it was asked.
//
// An offer is a value: it can be stored (offer_json.h), read back and compared. Where a server
// speaks both eras it says everything twice, perhaps differently, and the offer keeps both.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/unit.h"

namespace cutline::mcp {

using Milliseconds = std::chrono::duration<double, std::milli>;

/// Legacy: revisions up to 2025-11-25, opened by `initialize`. Modern: 2026-07-28 and later, no
/// handshake, `server/discover`.
enum class Era { kLegacy, kModern };
std::string_view name(Era era);  // "legacy", "modern"

inline constexpr std::string_view kLegacyVersion = "2025-11-25";  // what we ask for in initialize
inline constexpr std::string_view kModernVersion = "2026-07-28";

/// A string of the server, always valid UTF-8 here.
struct ServerText {
  std::string value;
  text::Place length;
  std::optional<std::size_t> first_invalid_byte;  // its bytes were not UTF-8 from here on
  std::size_t replaced = 0;                       // parts replaced by U+FFFD
  bool operator==(const ServerText&) const = default;
};
/// Measures, and replaces what is not UTF-8.
ServerText server_text(std::string_view bytes);

/// What clients look at in an input schema before they take the tool.
struct SchemaTraits {
  bool is_object = true;                // its "type" is "object"; false, too, where there is none
  bool boolean_parameter = false;       // one of `parameters` is true or false, not an object
  bool branches = false;                // it has anyOf, oneOf or allOf itself
  std::vector<std::string> parameters;  // the names in "properties"
  /// The first member that is no valid JSON Schema of 2020-12: "properties.bin.type"; empty: none.
  std::string invalid;
  bool operator==(const SchemaTraits&) const = default;
};

struct Tool {
  std::string name;
  std::optional<std::string> title;
  std::optional<ServerText> description;
  // JSON texts exactly as sent; empty when the member is absent.
  std::string input_schema, output_schema, annotations, meta;
  SchemaTraits schema = {};  // of input_schema

  /// `_meta["anthropic/alwaysLoad"]` is true.
  bool always_load = false;
  bool operator==(const Tool&) const = default;
};

/// A prompt, resource or resource template: listed, but not modelled in any client yet.
struct Listed {
  std::string name;
  std::string uri;  // of a resource, or the template
  std::string description;
  bool operator==(const Listed&) const = default;
};

struct Identity {
  std::string name, version;
  std::optional<std::string> title;
  bool operator==(const Identity&) const = default;
};

/// What the server says to a client of one era.
struct EraOffer {
  Era era = Era::kLegacy;
  std::string protocol_version;                        // negotiated
  std::vector<std::string> supported_versions;         // modern only
  std::optional<ServerText> instructions;              // nothing: the field is absent
  std::optional<std::string> instructions_wrong_type;  // "a number": no string; clients fail on it
  Identity server;
  std::string capabilities;  // JSON text as sent
  bool text_only = false;    // a draft: nobody knows what else the server will have
  std::vector<Tool> tools;
  std::size_t tools_list_bytes = 0;  // UTF-8 bytes of the tools/list lines as sent
  std::vector<Listed> prompts, resources, templates;
  std::optional<std::string> tools_problem;  // why the list of tools is missing or incomplete
  bool operator==(const EraOffer&) const = default;
};

/// How the server answered `server/discover` as the very first message.
enum class ProbeAnswer {
  kNotAsked,
  kModern,        // a DiscoverResult with a version that we speak
  kOtherVersion,  // a DiscoverResult, or -32022, that names only versions that we do not speak
  kLegacyOnly,    // a DiscoverResult, or -32022, that names a legacy version only
  kError,         // any other error
  kWrongShape,    // a result that is no DiscoverResult
  kSilence,       // nothing within the probe's time
  kExit,          // the process ended
  kNonsense,      // what came was no JSON-RPC answer to it
};
std::string_view name(ProbeAnswer answer);  // "modern", "other-version", …

struct Probe {
  ProbeAnswer answer = ProbeAnswer::kNotAsked;
  /// Of an error; so it also tells a refusal from a DiscoverResult in kOtherVersion and
  /// kLegacyOnly.
  std::optional<std::int64_t> error_code;
  std::vector<std::string> versions;  // that the answer named
  Milliseconds elapsed{0};            // until the answer, or until we gave up
  bool operator==(const Probe&) const = default;
};

/// The outcome in one word. Nothing is said about text unless it is kServes.
enum class Outcome {
  kServes,
  kDidNotStart,  // it ended, or could not be run, before any answer
  kRefuses,      // it answers errors, or versions that nobody speaks, to all that we asked
  kHangs,        // no answer to the handshake or to tools/list within the time
  kBroke,        // it answered, but died or broke the protocol before it had said what it offers
};
std::string_view name(Outcome outcome);  // "serves", "did-not-start", …

/// Something that a correct server does not do. `code` is stable: see docs/offer.md.
struct Incident {
  std::string code;     // "noise-on-stdout", "wrong-id", "line-too-long", …
  std::string message;  // one sentence with the particulars
  std::size_t times = 1;
  bool operator==(const Incident&) const = default;
};

struct Exit {
  std::optional<int> code;    // exit status, or
  std::optional<int> signal;  // the signal that ended it
  bool operator==(const Exit&) const = default;
};
std::string to_text(const Exit& exit);  // "exit code 1", "signal 9 (SIGKILL)"

/// All since the start of the process that gave the answer; nothing where it was not asked.
struct Times {
  std::optional<Milliseconds> first_answer;  // to anything
  std::optional<Milliseconds> probe;         // to server/discover, of whatever kind
  /// To initialize. Where the same process had been asked in the modern era before, the time that
  /// took is left out.
  std::optional<Milliseconds> handshake;
  std::optional<Milliseconds> lists;  // until everything of the first era was listed
  Milliseconds total{0};              // of all, from the start of the first process
  std::size_t process_starts = 0;
  bool operator==(const Times&) const = default;
};

struct Offer {
  std::vector<std::string> command;  // empty for an offer that was not taken from a process
  Outcome outcome = Outcome::kHangs;
  std::string outcome_detail;  // one sentence for a person: what happened, with numbers
  std::optional<EraOffer> legacy, modern;
  Probe probe;
  std::vector<Incident> incidents;
  std::optional<Exit> exit;  // if a process ended before we asked it to
  std::string stderr_tail;   // the last of its standard error (mcp/limits.h)
  Times times;

  /// What the server says in that era; null if it does not speak it.
  const EraOffer* era(Era wanted) const;
  /// Modern if there is one, else legacy; null if there is neither.
  const EraOffer* any() const;
  bool operator==(const Offer&) const = default;
};

}  // namespace cutline::mcp
