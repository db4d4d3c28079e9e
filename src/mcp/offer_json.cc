// offer_json.cc: writing an offer as a file; docs/offer.schema.json describes it.
//
// What the server sent as JSON (schemas, annotations, capabilities) stands in the file as it was
// sent, to the byte, although the rest is indented: sizes are measured on it.
#include "mcp/offer_json.h"

#include <utility>

#include "base/utf8.h"
#include "json/writer.h"
#include "mcp/answers.h"

namespace cutline::mcp {
namespace {

using json::Writer;

/// A member that is left out where there is nothing to say.
void write_some(Writer& out, std::string_view key, const std::optional<std::string>& value) {
  if (value) out.member(key, *value);
}

void write_raw(Writer& out, std::string_view key, std::string_view json) {
  if (!json.empty()) out.key(key).raw(json);
}

void write_strings(Writer& out, std::string_view key, const std::vector<std::string>& values) {
  out.key(key).begin_array();
  for (const std::string& value : values) out.string(repair_utf8(value).text);
  out.end_array();
}

/// `key` with the text and, only where bytes of it had to be replaced, `key`_repair.
void write_text(Writer& out, std::string_view key, const std::optional<ServerText>& text) {
  if (!text) return;
  out.member(key, text->value);
  if (text->replaced == 0) return;
  out.key(std::string(key) + "_repair").begin_object();
  if (text->first_invalid_byte) out.member("first_invalid_byte", *text->first_invalid_byte);
  out.member("replaced", text->replaced);
  out.end_object();
}

void write_tool(Writer& out, const Tool& tool) {
  out.begin_object().member("name", tool.name);
  write_some(out, "title", tool.title);
  write_text(out, "description", tool.description);
  write_raw(out, "input_schema", tool.input_schema);
  write_raw(out, "output_schema", tool.output_schema);
  write_raw(out, "annotations", tool.annotations);
  write_raw(out, "meta", tool.meta);
  if (tool.always_load) out.member("always_load", true);
  out.end_object();
}

void write_listed(Writer& out, std::string_view key, const std::vector<Listed>& entries) {
  out.key(key).begin_array();
  for (const Listed& entry : entries) {
    out.begin_object().member("name", entry.name);
    if (!entry.uri.empty()) out.member("uri", entry.uri);
    if (!entry.description.empty()) out.member("description", entry.description);
    out.end_object();
  }
  out.end_array();
}

void write_era(Writer& out, const std::optional<EraOffer>& era) {
  if (!era) {
    out.null();
    return;
  }
  out.begin_object().member("protocol_version", era->protocol_version);
  if (!era->supported_versions.empty())
    write_strings(out, "supported_versions", era->supported_versions);
  out.key("server").begin_object();
  out.member("name", era->server.name).member("version", era->server.version);
  write_some(out, "title", era->server.title);
  out.end_object();
  write_raw(out, "capabilities", era->capabilities);
  write_text(out, "instructions", era->instructions);
  write_some(out, "instructions_wrong_type", era->instructions_wrong_type);
  out.member("tools_list_bytes", era->tools_list_bytes);
  write_some(out, "tools_problem", era->tools_problem);
  out.key("tools").begin_array();
  for (const Tool& tool : era->tools) write_tool(out, tool);
  out.end_array();
  write_listed(out, "prompts", era->prompts);
  write_listed(out, "resources", era->resources);
  write_listed(out, "resource_templates", era->templates);
  out.end_object();
}

void write_time(Writer& out, std::string_view key, const std::optional<Milliseconds>& time) {
  out.key(key);
  if (time) {
    out.number(time->count());
  } else {
    out.null();
  }
}

void write_times(Writer& out, const Times& times) {
  out.key("times").begin_object();
  write_time(out, "first_answer_ms", times.first_answer);
  write_time(out, "probe_ms", times.probe);
  write_time(out, "handshake_ms", times.handshake);
  write_time(out, "lists_ms", times.lists);
  write_time(out, "total_ms", times.total);
  out.member("process_starts", times.process_starts).end_object();
}

void write_probe(Writer& out, const Probe& probe) {
  out.key("probe").begin_object().member("answer", name(probe.answer));
  if (probe.error_code) out.member("error_code", *probe.error_code);
  write_strings(out, "versions", probe.versions);
  write_time(out, "elapsed_ms", probe.elapsed);
  out.end_object();
}

void write_exit(Writer& out, const std::optional<Exit>& exit) {
  out.key("exit");
  if (!exit) {
    out.null();
    return;
  }
  out.begin_object().member("code", exit->code).member("signal", exit->signal).end_object();
}

EraOffer draft_era(Era era, ServerText instructions) {
  EraOffer offer;
  offer.era = era;
  offer.protocol_version = era == Era::kLegacy ? kLegacyVersion : kModernVersion;
  if (era == Era::kModern) offer.supported_versions = {std::string(kModernVersion)};
  offer.instructions = std::move(instructions);
  offer.text_only = true;
  return offer;
}

}  // namespace

std::string write_offer(const Offer& offer) {
  Writer out(Writer::Style::kIndented);
  out.begin_object().member("schema_version", kOfferSchemaVersion);
  write_strings(out, "command", offer.command);
  out.member("outcome", name(offer.outcome));
  out.member("outcome_detail", offer.outcome_detail);
  write_probe(out, offer.probe);
  write_times(out, offer.times);
  write_exit(out, offer.exit);
  out.key("incidents").begin_array();
  for (const Incident& incident : offer.incidents) {
    out.begin_object().member("code", incident.code).member("message", incident.message);
    out.member("times", incident.times).end_object();
  }
  out.end_array();
  out.member("stderr_tail", repair_utf8(offer.stderr_tail).text);
  out.key("legacy");
  write_era(out, offer.legacy);
  out.key("modern");
  write_era(out, offer.modern);
  out.end_object();
  return out.take() + "\n";
}

Offer draft_offer(std::string_view instructions_bytes) {
  const ServerText instructions = server_text(instructions_bytes);
  Offer offer;
  offer.outcome = Outcome::kServes;
  offer.outcome_detail = "a draft of instructions, without a server";
  IncidentLog incidents;
  note_repairs(instructions.first_invalid_byte, instructions.replaced, "the draft", incidents);
  offer.incidents = incidents.take();
  offer.legacy = draft_era(Era::kLegacy, instructions);
  offer.modern = draft_era(Era::kModern, instructions);
  return offer;
}

}  // namespace cutline::mcp
