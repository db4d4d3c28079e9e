// verdicts.cc: facts in the profile's order, what contradicts them first.
#include "report/verdicts.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/number.h"
#include "json/writer.h"
#include "report/clients.h"
#include "report/words.h"

namespace cutline::report {
namespace {

constexpr std::size_t kAgainstShown = 3;

std::string conditions(const delivery::Fact& fact) {
  return range_words(fact) + condition_words(fact);
}

std::size_t number_of(const Proof& proof, std::string_view verdict) {
  return static_cast<std::size_t>(std::ranges::count(proof.facts, verdict, &ProvenFact::verdict));
}

std::string contradicted(const ProvenFact& proven, const Style& style) {
  std::string out = paragraph({"✗ ", Ink::kBad}, proven.fact->name, style, Ink::kStrong);
  out += paragraph({"    "}, conditions(*proven.fact), style, Ink::kAccent);
  out += paragraph({"    "}, value_words(*proven.fact), style);
  for (std::size_t i = 0; i < proven.against.size() && i < kAgainstShown; ++i) {
    const auto& [cell, difference] = proven.against[i];
    const std::string piece =
        difference.piece.tool.empty() ? difference.piece.server : difference.piece.tool;
    out += paragraph({"    ! "},
                     fmt::format("{}: {} {}", safe(cell, 100), safe(piece), safe(difference.what)),
                     style, Ink::kWarning);
    out += paragraph({"      predicted  "}, safe(difference.predicted, 300), style);
    out += paragraph({"      measured   "}, safe(difference.measured, 300), style);
  }
  if (proven.against.size() > kAgainstShown)
    out += paragraph({"      "}, fmt::format("and {} more", proven.against.size() - kAgainstShown),
                     style, Ink::kDim);
  return out;
}

std::string line_of(const ProvenFact& proven, const Style& style) {
  const bool good = proven.verdict == "confirmed";
  const std::string why =
      good ? count(proven.cells, "cell") : fmt::format("not tested: {}", proven.reason);
  return paragraph({good ? "✓ " : "– ", good ? Ink::kGood : Ink::kDim},
                   fmt::format("{} ({}): {}", proven.fact->name, conditions(*proven.fact), why),
                   style, good ? Ink::kPlain : Ink::kDim);
}

std::string proof_text(const Proof& proof, const Style& style) {
  std::string out = paragraph({}, fmt::format("{} {}", safe(proof.title), safe(proof.version)),
                              style, Ink::kStrong) +
                    "\n";
  for (const ProvenFact& proven : proof.facts)
    if (proven.verdict == "contradicted") out += contradicted(proven, style);
  for (const char* verdict : {"confirmed", "not-tested"})
    for (const ProvenFact& proven : proof.facts)
      if (proven.verdict == verdict) out += line_of(proven, style);
  for (const std::string& problem : proof.problems)
    out += paragraph({"? ", Ink::kWarning}, safe(problem, 300), style);
  const std::size_t wrong = number_of(proof, "contradicted");
  out += "\n" + paragraph({wrong == 0 ? "✓ " : "✗ ", wrong == 0 ? Ink::kGood : Ink::kBad},
                          fmt::format("{} confirmed, {} contradicted, {} not tested, by {} in "
                                      "{:.0f} s.",
                                      count(number_of(proof, "confirmed"), "fact"), wrong,
                                      number_of(proof, "not-tested"), count(proof.cells, "cell"),
                                      proof.wall_s),
                          style);
  return out;
}

void write_fact_verdict(json::Writer& out, const ProvenFact& proven) {
  out.begin_object().member("fact", proven.fact->name);
  out.member("versions", proven.fact->versions.text());
  out.member("conditions", conditions(*proven.fact));
  out.member("value", value_words(*proven.fact)).member("verdict", proven.verdict);
  out.member("cells", proven.cells).member("reason", proven.reason);
  out.key("against").begin_array();
  for (const auto& [cell, difference] : proven.against) {
    out.begin_object().member("cell", cell).member("server", difference.piece.server);
    out.member("tool", difference.piece.tool).member("what", difference.what);
    out.member("predicted", difference.predicted).member("measured", difference.measured);
    out.end_object();
  }
  out.end_array().end_object();
}

}  // namespace

std::string proofs_text(const std::vector<Proof>& proofs, const Style& style) {
  std::string out;
  for (const Proof& proof : proofs) out += (out.empty() ? "" : "\n") + proof_text(proof, style);
  if (!proofs.empty()) out += "Evidence: " + safe(proofs.front().store, 200) + "\n";
  return out;
}

std::string proofs_json(const std::vector<Proof>& proofs) {
  json::Writer out(json::Writer::Style::kIndented);
  out.begin_object().member("schema_version", 1).key("proofs").begin_array();
  for (const Proof& proof : proofs) {
    out.begin_object().member("cutline", proof.program_version).member("client", proof.client);
    out.member("version", proof.version).member("store", proof.store);
    out.member("cells", proof.cells).member("failed", proof.failed);
    out.key("wall_s").number(proof.wall_s);
    out.key("problems").begin_array();
    for (const std::string& problem : proof.problems) out.string(problem);
    out.end_array().key("facts").begin_array();
    for (const ProvenFact& proven : proof.facts) write_fact_verdict(out, proven);
    out.end_array().end_object();
  }
  return out.end_array().end_object().take() + "\n";
}

int exit_code(const std::vector<Proof>& proofs) {
  const bool wrong = std::ranges::any_of(
      proofs, [](const Proof& proof) { return number_of(proof, "contradicted") > 0; });
  const bool nothing =
      std::ranges::all_of(proofs, [](const Proof& proof) { return proof.cells == proof.failed; });
  return wrong ? 1 : nothing ? 3 : 0;
}

}  // namespace cutline::report
