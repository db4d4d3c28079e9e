// clients_diff_json.cc: the same as JSON; docs/clients-diff.schema.json says what stands in it.
#include <optional>

#include "json/writer.h"
#include "report/clients_diff.h"
#include "report/facts_json.h"
#include "report/lists_json.h"

namespace cutline::report {
namespace {

void write_client(json::Writer& out, std::string_view key, const DiffedClient& client) {
  out.key(key).begin_object();
  write_profile_head(out, *client.profile);
  const bool versioned = !client.profile->unversioned;
  out.member("version", versioned ? std::optional(client.version.text()) : std::nullopt);
  out.member("extrapolated", client.extrapolated());
  out.end_object();
}

void write_side(json::Writer& out, std::string_view key, const delivery::Fact* fact) {
  out.key(key);
  if (fact)
    write_fact(out, *fact);
  else
    out.null();
}

void write_pairs_of_facts(json::Writer& out, std::string_view key,
                          const std::vector<delivery::FactPair>& pairs) {
  out.key(key).begin_array();
  for (const delivery::FactPair& pair : pairs) {
    out.begin_object().member("name", pair.about->name);
    write_pairs(out, "when", pair.about->when);
    write_strings(out, "models", pair.about->models);
    out.key("session");
    if (pair.about->session)
      out.string(delivery::name(*pair.about->session));
    else
      out.null();
    write_side(out, "first", pair.first);
    write_side(out, "second", pair.second);
    out.end_object();
  }
  out.end_array();
}

void write_facts(json::Writer& out, const std::optional<delivery::FactDiff>& facts) {
  out.key("facts");
  if (!facts) {
    out.null();
    return;
  }
  out.begin_object().member("equal", facts->equal);
  write_pairs_of_facts(out, "different", facts->different);
  write_pairs_of_facts(out, "only_first", facts->only_first);
  write_pairs_of_facts(out, "only_second", facts->only_second);
  write_pairs_of_facts(out, "unknown", facts->unknown);
  out.end_object();
}

void write_contrasts(json::Writer& out, std::string_view key,
                     const std::vector<delivery::Contrast>& contrasts) {
  out.key(key).begin_array();
  for (const delivery::Contrast& contrast : contrasts) {
    const bool tool = contrast.piece.kind == delivery::PieceId::Kind::kTool;
    const bool connection = contrast.piece.server.empty();
    out.begin_object();
    out.member("kind", connection ? "connection" : tool ? "tool" : "instructions");
    out.member("tool", tool ? std::optional(contrast.piece.tool) : std::nullopt);
    out.member("what", contrast.what).member("first", contrast.first);
    out.member("second", contrast.second).end_object();
  }
  out.end_array();
}

void write_deliveries(json::Writer& out, const ClientsDiff& diff) {
  out.key("deliveries");
  if (!diff.deliveries) {
    out.null();
    return;
  }
  out.begin_object().member("server", diff.server);
  out.member("pieces", diff.deliveries->pieces).member("alike", diff.deliveries->alike);
  write_contrasts(out, "differences", diff.deliveries->differences);
  write_contrasts(out, "unknown", diff.deliveries->unknown);
  out.end_object();
}

}  // namespace

std::string clients_diff_json(const ClientsDiff& diff) {
  json::Writer out(json::Writer::Style::kIndented);
  out.begin_object().member("schema_version", 1);
  out.member("cutline_version", diff.program_version);
  write_client(out, "first", diff.first);
  write_client(out, "second", diff.second);
  out.member("exit_code", exit_code(diff));
  write_facts(out, diff.facts);
  write_deliveries(out, diff);
  return out.end_object().take() + "\n";
}

}  // namespace cutline::report
