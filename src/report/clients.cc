// clients.cc: profiles as text and as JSON.
#include "report/clients.h"

#include <fmt/format.h>

#include "json/writer.h"
#include "report/facts_json.h"
#include "report/sources.h"
#include "report/table.h"
#include "report/words.h"

namespace cutline::report {
namespace {

constexpr std::size_t kValueColumns = 600;

void append_toml(std::string& out, const config::Node& node);

void append_list(std::string& out, const config::Node& node) {
  out += '[';
  for (std::size_t i = 0; i < node.elements.size(); ++i) {
    if (i > 0) out += ", ";
    append_toml(out, node.elements[i]);
  }
  out += ']';
}

void append_table(std::string& out, const config::Node& node) {
  if (node.members.empty()) {
    out += "{}";
    return;
  }
  out += "{ ";
  for (std::size_t i = 0; i < node.members.size(); ++i) {
    if (i > 0) out += ", ";
    out += node.members[i].first + " = ";
    append_toml(out, node.members[i].second);
  }
  out += " }";
}

void append_toml(std::string& out, const config::Node& node) {
  switch (node.kind) {
    // JSON's escapes are TOML's.
    case config::Kind::kString:
      return json::append_string(out, node.string);
    case config::Kind::kDate:
      out += node.string;
      return;
    case config::Kind::kInteger:
      out += std::to_string(node.integer);
      return;
    case config::Kind::kFloat:
      out += fmt::format("{}", node.number);
      return;
    case config::Kind::kBoolean:
      out += node.boolean ? "true" : "false";
      return;
    case config::Kind::kArray:
      return append_list(out, node);
    case config::Kind::kTable:
      return append_table(out, node);
  }
}

std::string versions_seen(const delivery::Profile& profile) {
  return profile.unversioned ? unbroken("as of " + profile.as_of)
                             : versions_words(profile.first, profile.last);
}

}  // namespace

std::string node_words(const config::Node& value) {
  std::string toml;
  append_toml(toml, value);
  return safe(toml, kValueColumns);
}

std::string value_words(const delivery::Fact& fact) {
  return fact.unknown ? "unknown" : node_words(fact.value);
}

std::string range_words(const delivery::Fact& fact) {
  const bool any = !fact.versions.from && !fact.versions.to;
  return unbroken(any ? "any version" : fact.versions.text());
}

std::string condition_words(const delivery::Fact& fact) {
  std::string words;
  for (const auto& [name, value] : fact.when)
    words += value.empty() ? fmt::format(", without {}", name)
                           : fmt::format(", with {} = {}", name, value);
  if (fact.session) words += fmt::format(", session {}", delivery::name(*fact.session));
  if (!fact.models.empty()) words += ", models " + some_of(fact.models, fact.models.size());
  return words;
}

std::string fact_lines(const delivery::Fact& fact, const Style& style) {
  std::string out =
      paragraph({"  "}, range_words(fact) + condition_words(fact), style, Ink::kAccent);
  out += paragraph({"    "}, value_words(fact), style, fact.unknown ? Ink::kWarning : Ink::kPlain);
  for (const delivery::Evidence& evidence : fact.evidence) {
    out += paragraph({evidence.says.empty() ? "    · " : "    ! "}, evidence_words(evidence), style,
                     evidence.says.empty() ? Ink::kDim : Ink::kWarning);
  }
  return out;
}

std::string clients_text(std::span<const delivery::Profile> profiles, const Style& style) {
  Table table({Align::kLeft, Align::kLeft, Align::kLeft, Align::kLeft});
  table.row({{"client", Ink::kDim},
             {"npm package", Ink::kDim},
             {"versions", Ink::kDim},
             {"measured", Ink::kDim}});
  for (const delivery::Profile& profile : profiles) {
    table.row({{safe(profile.id), Ink::kStrong},
               {profile.package.empty() ? "–" : safe(profile.package)},
               {versions_seen(profile)},
               {profile.measured_on.empty() ? "never" : profile.measured_on}});
  }
  return table.render(style);
}

std::string client_text(const delivery::Profile& profile, const Style& style) {
  std::string out =
      paragraph({},
                fmt::format("{} ({})", safe(profile.title),
                            profile.package.empty() ? "not on npm" : safe(profile.package)),
                style, Ink::kStrong);
  const std::string measured = profile.measured_on.empty() ? std::string("never measured")
                                                           : "last measured " + profile.measured_on;
  out += paragraph({},
                   profile.unversioned
                       ? fmt::format("what is known {}, not told apart by versions, {}",
                                     versions_seen(profile), measured)
                       : fmt::format("looked at {}, {}", versions_seen(profile), measured),
                   style);
  std::string_view name;
  for (const delivery::Fact& fact : profile.facts) {
    if (fact.name != name) out += "\n" + paragraph({}, fact.name, style, Ink::kStrong);
    name = fact.name;
    out += fact_lines(fact, style);
  }
  return out;
}

std::string clients_json(std::span<const delivery::Profile> profiles, bool facts) {
  json::Writer out(json::Writer::Style::kIndented);
  out.begin_object().member("schema_version", 1).key("clients").begin_array();
  for (const delivery::Profile& profile : profiles) {
    out.begin_object();
    write_profile_head(out, profile);
    out.member("fact_count", profile.facts.size());
    if (facts) {
      out.key("facts").begin_array();
      for (const delivery::Fact& fact : profile.facts) write_fact(out, fact);
      out.end_array();
    }
    out.end_object();
  }
  out.end_array().end_object();
  return out.take() + "\n";
}

}  // namespace cutline::report
