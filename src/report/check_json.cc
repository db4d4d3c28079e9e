// check_json.cc: writing a check as JSON. Everything that the screen says stands here in full;
// docs/check.schema.json and this file change together (check_json_test.cc holds them to it).
#include "report/check_json.h"

#include "json/writer.h"
#include "report/eras.h"
#include "report/facts_json.h"
#include "report/lists_json.h"
#include "report/piece_json.h"
#include "report/sources.h"
#include "report/verdict.h"

namespace cutline::report {
namespace {

void write_time(json::Writer& out, std::string_view key,
                const std::optional<mcp::Milliseconds>& time) {
  out.key(key);
  if (time)
    out.number(time->count());
  else
    out.null();
}

void write_identity(json::Writer& out, const mcp::Offer& offer) {
  const mcp::EraOffer* era = offer.any();
  out.key("server");
  if (!era) {
    out.null();
    return;
  }
  out.begin_object();
  out.member("name", era->server.name).member("version", era->server.version);
  out.member("title", era->server.title).end_object();
}

void write_listed(json::Writer& out, std::string_view key, const std::vector<mcp::Listed>& all) {
  out.key(key).begin_array();
  for (const mcp::Listed& item : all) out.string(item.name.empty() ? item.uri : item.name);
  out.end_array();
}

void write_era(json::Writer& out, std::string_view key, const mcp::EraOffer* era) {
  out.key(key);
  if (!era) {
    out.null();
    return;
  }
  out.begin_object();
  out.member("protocol_version", era->protocol_version);
  out.key("instructions");
  if (era->instructions)
    write_lengths(out, era->instructions->length);
  else
    out.null();
  out.member("instructions_wrong_type", era->instructions_wrong_type);
  out.key("invalid_utf8");
  if (era->instructions && era->instructions->first_invalid_byte) {
    out.begin_object().member("first_byte", *era->instructions->first_invalid_byte);
    out.member("parts_replaced", era->instructions->replaced).end_object();
  } else {
    out.null();
  }
  out.member("tools", era->tools.size()).member("tools_list_bytes", era->tools_list_bytes);
  out.member("tools_problem", era->tools_problem);
  out.key("not_modelled").begin_object();
  write_listed(out, "prompts", era->prompts);
  write_listed(out, "resources", era->resources);
  write_listed(out, "resource_templates", era->templates);
  out.end_object().end_object();
}

void write_eras(json::Writer& out, const mcp::Offer& offer) {
  const EraComparison comparison = compare_eras(offer);
  out.key("eras").begin_object();
  write_era(out, "legacy", offer.era(mcp::Era::kLegacy));
  write_era(out, "modern", offer.era(mcp::Era::kModern));
  out.key("same");
  if (comparison.both)
    out.boolean(comparison.same());
  else
    out.null();
  write_strings(out, "differences", comparison.differences);
  out.end_object();
  out.key("probe").begin_object();
  out.member("answer", mcp::name(offer.probe.answer));
  out.member("error_code", offer.probe.error_code);
  write_strings(out, "versions", offer.probe.versions);
  out.key("elapsed_ms").number(offer.probe.elapsed.count()).end_object();
}

void write_run(json::Writer& out, const mcp::Offer& offer) {
  out.key("times").begin_object();
  write_time(out, "first_answer_ms", offer.times.first_answer);
  write_time(out, "probe_ms", offer.times.probe);
  write_time(out, "handshake_ms", offer.times.handshake);
  write_time(out, "lists_ms", offer.times.lists);
  out.key("total_ms").number(offer.times.total.count());
  out.member("process_starts", offer.times.process_starts).end_object();
  out.key("incidents").begin_array();
  for (const mcp::Incident& incident : offer.incidents) {
    out.begin_object().member("code", incident.code).member("message", incident.message);
    out.member("times", incident.times).end_object();
  }
  out.end_array().key("exit");
  if (offer.exit) {
    out.begin_object().member("code", offer.exit->code).member("signal", offer.exit->signal);
    out.end_object();
  } else {
    out.null();
  }
  out.member("stderr_tail", offer.stderr_tail);
}

void write_situation(json::Writer& out, const Check& check) {
  out.key("situation").begin_object();
  out.member("server", check.server).key("model");
  if (check.situation.model.empty())
    out.null();
  else
    out.string(check.situation.model);
  out.member("session", delivery::name(check.situation.session));
  write_pairs(out, "variables", check.situation.variables);
  write_pairs(out, "settings", check.situation.settings);
  out.end_object();
}

std::string_view held_name(Held held) {
  switch (held) {
    case Held::kNone:
      return "none";
    case Held::kNewest:
      return "newest";
    case Held::kAll:
      return "all";
  }
  return "";
}

void write_group(json::Writer& out, const delivery::Profile& profile, const CheckedGroup& group,
                 Known& known) {
  const delivery::Delivery& delivery = group.group.delivery;
  out.begin_object();
  write_version(out, "from", profile, group.group.from);
  write_version(out, "to", profile, group.group.to);
  out.member("held_to", held_name(group.held)).member("extrapolated", group.group.extrapolated);
  out.member("connected", delivery.connected).member("handshake", delivery.handshake);
  out.member("process_starts", delivery.process_starts);
  write_strings(out, "never_sent", delivery.never_sent);
  write_strings(out, "notes", delivery.notes);
  std::vector<std::string> names;
  for (const delivery::Delivered* tool : tools_in(group)) names.push_back(tool->piece.tool);
  out.key("pieces").begin_array();
  for (const delivery::Delivered& piece : delivery.pieces) write_piece(out, piece, names, known);
  out.end_array().end_object();
}

void write_client(json::Writer& out, const Check& check, const CheckedClient& client,
                  Known& known) {
  out.begin_object();
  write_profile_head(out, *client.profile);
  out.key("switches").begin_array();
  for (const delivery::SwitchNote& note : client.switches) {
    out.begin_object().member("name", note.name).member("value", note.value);
    out.member("ignored", note.ignored).member("says", note.says).end_object();
  }
  out.end_array().key("groups").begin_array();
  for (const CheckedGroup& group : client.groups) write_group(out, *client.profile, group, known);
  out.end_array().key("facts").begin_array();
  for (const delivery::Fact* fact : facts_behind(check, client)) write_fact(out, *fact);
  out.end_array().end_object();
}

void write_verdict(json::Writer& out, const Check& check) {
  out.key("verdict").begin_object().member("exit_code", exit_code(check));
  out.key("losses").begin_array();
  for (const Loss& loss : losses(check)) {
    out.begin_object().member("client", loss.client->profile->id);
    write_version(out, "from", *loss.client->profile, loss.group->group.from);
    write_version(out, "to", *loss.client->profile, loss.group->group.to);
    write_piece_id(out, *loss.piece);
    out.member("never", delivery::name(loss.piece->never));
    out.member("kept_units", loss.piece->kept_units());
    out.member("lost_units", loss.piece->lost_units());
    out.member("unit", unit_name(*loss.piece)).end_object();
  }
  out.end_array();
  out.member("first_step", check.clients.empty() ? std::nullopt : first_step(check));
  out.end_object();
}

}  // namespace

std::string check_json(const Check& check, json::Sink sink) {
  const mcp::Offer& offer = *check.offer;
  json::Writer out(json::Writer::Style::kIndented, std::move(sink));
  out.begin_object().member("schema_version", kCheckSchemaVersion);
  out.member("cutline_version", check.program_version);
  write_strings(out, "command", offer.command);
  out.member("outcome", mcp::name(offer.outcome)).member("outcome_detail", offer.outcome_detail);
  write_identity(out, offer);
  write_eras(out, offer);
  write_run(out, offer);
  write_situation(out, check);
  Known known;
  out.key("clients").begin_array();
  for (const CheckedClient& client : check.clients) write_client(out, check, client, known);
  out.end_array();
  write_verdict(out, check);
  out.end_object();
  return out.take() + "\n";
}

}  // namespace cutline::report
