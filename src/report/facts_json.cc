// facts_json.cc: writing profiles and facts.
#include "report/facts_json.h"

#include <optional>
#include <string>

#include "report/lists_json.h"

namespace cutline::report {
namespace {

void write_value(json::Writer& out, const config::Node& node) {
  switch (node.kind) {
    case config::Kind::kString:
    case config::Kind::kDate:
      out.string(node.string);
      return;
    case config::Kind::kInteger:
      out.number(node.integer);
      return;
    case config::Kind::kFloat:
      out.number(node.number);
      return;
    case config::Kind::kBoolean:
      out.boolean(node.boolean);
      return;
    case config::Kind::kArray:
      out.begin_array();
      for (const config::Node& element : node.elements) write_value(out, element);
      out.end_array();
      return;
    case config::Kind::kTable:
      out.begin_object();
      for (const auto& [key, member] : node.members) {
        out.key(key);
        write_value(out, member);
      }
      out.end_object();
      return;
  }
}

void write_text(json::Writer& out, std::string_view name, const std::string& text) {
  if (!text.empty()) out.member(name, text);
}

void write_evidence(json::Writer& out, const delivery::Evidence& evidence) {
  out.begin_object();
  out.member("kind", delivery::name(evidence.kind)).member("date", evidence.date);
  write_text(out, "how", evidence.how);
  write_text(out, "url", evidence.url);
  write_text(out, "versions", evidence.versions);
  write_text(out, "contradicts_with", evidence.says);
  out.end_object();
}

}  // namespace

void write_version(json::Writer& out, std::string_view key, const delivery::Profile& profile,
                   const Version& version) {
  out.member(key, profile.unversioned ? std::nullopt : std::optional(version.text()));
}

void write_profile_head(json::Writer& out, const delivery::Profile& profile) {
  const auto if_any = [](const std::string& text) {
    return text.empty() ? std::nullopt : std::optional(text);
  };
  out.member("id", profile.id).member("title", profile.title);
  out.member("package", if_any(profile.package));
  write_version(out, "first_version", profile, profile.first);
  write_version(out, "last_version", profile, profile.last);
  out.member("measured_on", if_any(profile.measured_on));
  out.member("as_of", if_any(profile.as_of));
}

void write_fact(json::Writer& out, const delivery::Fact& fact) {
  out.begin_object();
  out.member("name", fact.name).member("versions", fact.versions.text());
  if (!fact.when.empty()) write_pairs(out, "when", fact.when);
  if (!fact.models.empty()) write_strings(out, "models", fact.models);
  if (fact.session) out.member("session", delivery::name(*fact.session));
  out.member("unknown", fact.unknown).key("value");
  if (fact.unknown)
    out.null();
  else
    write_value(out, fact.value);
  out.key("evidence").begin_array();
  for (const delivery::Evidence& evidence : fact.evidence) write_evidence(out, evidence);
  out.end_array().member("source", fact.source.text()).end_object();
}

}  // namespace cutline::report
