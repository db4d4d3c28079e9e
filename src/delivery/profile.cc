// profile.cc: reading a profile, and finding the fact that holds.
#include "delivery/profile.h"

#include <algorithm>
#include <array>
#include <ranges>
#include <set>

#include <fmt/format.h>

#include "delivery/shapes.h"
#include "text/terminal.h"

namespace cutline::delivery {
namespace {

using config::Node;

tl::unexpected<Problem> at(const Node& node, std::string code, std::string message,
                           std::string hint = {}) {
  return fail({.code = std::move(code),
               .message = std::move(message),
               .place = node.source.text(),
               .hint = std::move(hint)});
}

/// Gives a problem of base/version.h the place in the file.
template <class T>
Result<T> placed(Result<T> result, const Node& node) {
  if (!result) result.error().place = node.source.text();
  return result;
}

/// A measurement can be made again by how it was made. Anything else is what somebody wrote, and a
/// reader must be able to look it up; only a write-up without an address of its own is named.
Result<void> check_where(const Node& node, const Evidence& evidence) {
  constexpr std::string_view kNamed = "public write-up";
  if (!evidence.url.empty()) return {};
  if (evidence.how.empty())
    return at(node, "profile.no_evidence", "evidence says neither how nor where (url)");
  const bool named =
      evidence.kind == EvidenceKind::kReported && evidence.how.find(kNamed) != std::string::npos;
  if (evidence.kind == EvidenceKind::kMeasured || named) return {};
  return at(node, "profile.no_evidence",
            fmt::format("evidence of kind {} does not say where (url)", name(evidence.kind)),
            "what cannot be looked up is `unknown = true`");
}

Result<Evidence> read_evidence(const Node& node) {
  static const std::vector<std::string> kKeys = {"kind", "date", "how", "url", "versions", "says"};
  CUTLINE_TRY(config::only_keys(node, kKeys));
  CUTLINE_TRY_ASSIGN(const std::string kind, config::get_string(node, "kind"));
  Evidence evidence;
  const std::optional<EvidenceKind> known = evidence_kind_named(kind);
  if (!known) {
    return at(node, "profile.shape", fmt::format("'{}' is no kind of evidence", kind),
              "measured, source, documented or reported");
  }
  evidence.kind = *known;
  const Node* date = node.find("date");
  if (!date || date->kind != config::Kind::kDate)
    return at(date ? *date : node, "profile.shape",
              "evidence needs a date, as in date = 2026-12-01");
  evidence.date = date->string;
  for (auto [key, member] :
       {std::pair{"how", &Evidence::how}, std::pair{"url", &Evidence::url},
        std::pair{"versions", &Evidence::versions}, std::pair{"says", &Evidence::says}}) {
    CUTLINE_TRY_ASSIGN(const std::optional<std::string> text, config::find_string(node, key));
    evidence.*member = text.value_or("");
  }
  CUTLINE_TRY(check_where(node, evidence));
  return evidence;
}

Result<std::vector<Evidence>> read_all_evidence(const Node& fact, bool unknown) {
  const Node* list = fact.find("evidence");
  if (!list || list->kind != config::Kind::kArray || (list->elements.empty() && !unknown)) {
    return at(list ? *list : fact, "profile.no_evidence", "the fact has no evidence",
              "a fact that nobody saw is `unknown = true`");
  }
  std::vector<Evidence> all;
  for (const Node& element : list->elements) {
    if (element.kind != config::Kind::kTable)
      return at(element, "profile.shape", "a piece of evidence is a table");
    CUTLINE_TRY_ASSIGN(Evidence evidence, read_evidence(element));
    all.push_back(std::move(evidence));
  }
  std::ranges::stable_sort(all, {}, &Evidence::kind);
  return all;
}

Result<Pairs> read_switches(const Node& fact) {
  const Node* when = fact.find("when");
  if (!when) return Pairs{};
  if (when->kind != config::Kind::kTable || when->members.empty())
    return at(*when, "profile.shape", "when is a table of NAME = \"VALUE\"");
  Pairs switches;
  for (const auto& [name, value] : when->members) {
    if (value.kind != config::Kind::kString)
      return at(value, "profile.shape", fmt::format("{} is a string", name));
    switches.emplace_back(name, value.string);
  }
  std::ranges::sort(switches);
  return switches;
}

Result<VersionRange> read_versions(const Node& fact, const Profile& profile) {
  if (!profile.unversioned) {
    CUTLINE_TRY_ASSIGN(const std::string versions, config::get_string(fact, "versions"));
    return placed(VersionRange::parse(versions), *fact.find("versions"));
  }
  if (const Node* versions = fact.find("versions"))
    return at(*versions, "profile.shape", "an unversioned profile has facts without versions");
  return VersionRange{};
}

Result<Fact> read_fact(const Node& node, const Profile& profile) {
  static const std::vector<std::string> kKeys = {"name",    "versions", "when",  "models",
                                                 "session", "unknown",  "value", "evidence"};
  if (node.kind != config::Kind::kTable) return at(node, "profile.shape", "a fact is a table");
  CUTLINE_TRY(config::only_keys(node, kKeys));
  Fact fact;
  fact.source = node.source;
  CUTLINE_TRY_ASSIGN(fact.name, config::get_string(node, "name"));
  CUTLINE_TRY(check_fact_name(fact.name, node.find("name")->source));
  CUTLINE_TRY_ASSIGN(fact.versions, read_versions(node, profile));
  CUTLINE_TRY_ASSIGN(fact.when, read_switches(node));
  CUTLINE_TRY_ASSIGN(std::optional<std::vector<std::string>> models,
                     config::find_strings(node, "models"));
  fact.models = std::move(models).value_or(std::vector<std::string>{});
  CUTLINE_TRY_ASSIGN(const std::optional<std::string> session,
                     config::find_string(node, "session"));
  if (session) {
    fact.session = session_named(*session);
    if (!fact.session) {
      return at(*node.find("session"), "profile.shape",
                fmt::format("'{}' is no kind of session", *session),
                "first-party or custom-endpoint");
    }
  }
  CUTLINE_TRY_ASSIGN(const std::optional<bool> unknown, config::find_boolean(node, "unknown"));
  fact.unknown = unknown.value_or(false);
  const Node* value = node.find("value");
  if ((value != nullptr) == fact.unknown)
    return at(node, "profile.shape", "a fact has either a value or `unknown = true`");
  if (value) {
    CUTLINE_TRY(check_fact_value(fact.name, *value));
    fact.value = *value;
  }
  CUTLINE_TRY_ASSIGN(fact.evidence, read_all_evidence(node, fact.unknown));
  return fact;
}

bool same_conditions(const Fact& a, const Fact& b) {
  if (a.when != b.when || a.session != b.session || a.models.empty() != b.models.empty())
    return false;
  if (a.models.empty()) return true;
  return std::ranges::any_of(a.models, [&](const std::string& model) {
    return std::ranges::any_of(b.models, [&](const std::string& other) {
      return glob_matches(model, other) || glob_matches(other, model);
    });
  });
}

std::string overlap_words(const Fact& fact, const Fact& before, bool unversioned) {
  if (unversioned)
    return fmt::format("{} is claimed twice: also at {}", fact.name, before.source.text());
  return fmt::format("{} is claimed twice: {} overlaps {} at {}", fact.name, fact.versions.text(),
                     before.versions.text(), before.source.text());
}

Result<void> refuse_overlaps(const std::vector<Fact>& facts, bool unversioned) {
  for (std::size_t i = 0; i < facts.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const bool clash = facts[i].name == facts[j].name && same_conditions(facts[i], facts[j]) &&
                         facts[i].versions.overlaps(facts[j].versions);
      if (!clash) continue;
      return fail({.code = "profile.overlap",
                   .message = overlap_words(facts[i], facts[j], unversioned),
                   .place = facts[i].source.text(),
                   .hint = unversioned ? "give one of them a condition"
                                       : "end one range before the other begins"});
    }
  }
  return {};
}

/// An empty value stands for a switch that is not set.
bool is_set(const Conditions& conditions, const std::string& name, const std::string& value) {
  const auto variable = last_of(conditions.variables, name);
  return variable.value_or(last_of(conditions.settings, name).value_or("")) == value;
}

bool applies(const Fact& fact, const Conditions& conditions) {
  if (fact.session && *fact.session != conditions.session) return false;
  for (const auto& [name, value] : fact.when)
    if (!is_set(conditions, name, value)) return false;
  return fact.models.empty() || std::ranges::any_of(fact.models, [&](const std::string& glob) {
           return glob_matches(glob, conditions.model);
         });
}

/// The versions that were looked at; one that stands for all where the profile is unversioned.
Result<void> read_range(const Node& root, Profile& profile) {
  CUTLINE_TRY_ASSIGN(const std::optional<bool> unversioned,
                     config::find_boolean(root, "unversioned"));
  profile.unversioned = unversioned.value_or(false);
  if (profile.unversioned) {
    for (const char* key : {"first", "last"})
      if (const Node* version = root.find(key))
        return at(*version, "profile.shape",
                  fmt::format("an unversioned profile has no {} version", key));
    CUTLINE_TRY_ASSIGN(profile.first, Version::parse("0.0.0"));
    profile.last = profile.first;
    return {};
  }
  CUTLINE_TRY_ASSIGN(const std::string first, config::get_string(root, "first"));
  CUTLINE_TRY_ASSIGN(profile.first, placed(Version::parse(first), *root.find("first")));
  CUTLINE_TRY_ASSIGN(const std::string last, config::get_string(root, "last"));
  CUTLINE_TRY_ASSIGN(profile.last, placed(Version::parse(last), *root.find("last")));
  if (profile.last < profile.first)
    return at(*root.find("last"), "profile.shape", "last is older than first");
  return {};
}

Result<Profile> read_head(const Node& root) {
  static const std::vector<std::string> kKeys = {"id",    "title", "package",     "also",
                                                 "first", "last",  "unversioned", "fact"};
  CUTLINE_TRY(config::only_keys(root, kKeys));
  Profile profile;
  CUTLINE_TRY_ASSIGN(profile.id, config::get_string(root, "id"));
  CUTLINE_TRY_ASSIGN(profile.title, config::get_string(root, "title"));
  if (profile.title.empty() || text::sanitise_line(profile.title) != profile.title) {
    return at(*root.find("title"), "profile.shape",
              "the title is no text that could be shown on one line");
  }
  CUTLINE_TRY_ASSIGN(const std::optional<std::string> package,
                     config::find_string(root, "package"));
  profile.package = package.value_or("");
  CUTLINE_TRY_ASSIGN(auto also, config::find_strings(root, "also"));
  profile.also = std::move(also).value_or(std::vector<std::string>());
  CUTLINE_TRY(read_range(root, profile));
  return profile;
}

}  // namespace

std::optional<std::string_view> last_of(const Pairs& pairs, std::string_view name) {
  for (const auto& [key, value] : std::views::reverse(pairs))
    if (key == name) return value;
  return std::nullopt;
}

std::string_view name(Session session) {
  return session == Session::kFirstParty ? "first-party" : "custom-endpoint";
}

std::optional<Session> session_named(std::string_view name) {
  if (name == "first-party") return Session::kFirstParty;
  if (name == "custom-endpoint") return Session::kCustomEndpoint;
  return std::nullopt;
}

std::vector<const Evidence*> Fact::conflicts() const {
  std::vector<const Evidence*> found;
  for (const Evidence& piece : evidence)
    if (!piece.says.empty()) found.push_back(&piece);
  return found;
}

bool glob_matches(std::string_view glob, std::string_view text) {
  // Greedy with one point of return: linear but for the last '*' seen, and globs are short.
  std::size_t g = 0, t = 0, star = std::string_view::npos, resume = 0;
  while (t < text.size()) {
    if (g < glob.size() && glob[g] == '*') {
      star = g++;
      resume = t;
    } else if (g < glob.size() && glob[g] == text[t]) {
      ++g;
      ++t;
    } else if (star != std::string_view::npos) {
      g = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  while (g < glob.size() && glob[g] == '*') ++g;
  return g == glob.size();
}

Result<Profile> read_profile(std::string_view toml, const std::string& file) {
  CUTLINE_TRY_ASSIGN(const Node root, config::parse_toml(toml, file));
  CUTLINE_TRY_ASSIGN(Profile profile, read_head(root));
  const Node* facts = root.find("fact");
  if (!facts || facts->kind != config::Kind::kArray)
    return at(facts ? *facts : root, "profile.shape", "a profile needs [[fact]] tables");
  for (const Node& node : facts->elements) {
    CUTLINE_TRY_ASSIGN(Fact fact, read_fact(node, profile));
    for (const Evidence& piece : fact.evidence) {
      profile.as_of = std::max(profile.as_of, piece.date);
      if (piece.kind == EvidenceKind::kMeasured)
        profile.measured_on = std::max(profile.measured_on, piece.date);
    }
    profile.facts.push_back(std::move(fact));
  }
  CUTLINE_TRY(refuse_overlaps(profile.facts, profile.unversioned));
  if (profile.unversioned && profile.as_of.empty())
    return at(root, "profile.no_evidence",
              "an unversioned profile needs a piece of evidence, whose date stands for a version");
  return profile;
}

std::size_t rank(const Fact& fact) {
  return fact.when.size() * 4 + (fact.models.empty() ? 0 : 2) + (fact.session ? 1 : 0);
}

std::string program_name(const Profile& profile, const Version& version) {
  if (profile.unversioned) return fmt::format("{} (as of {})", profile.title, profile.as_of);
  return fmt::format("{} {}", profile.title, version.text());
}

Found find_fact(const Profile& profile, std::string_view name, const Version& version,
                const Conditions& conditions) {
  // What the oldest and the newest version do is the best guess for those nobody looked at.
  const Version& nearest = std::clamp(version, profile.first, profile.last);
  const Fact* best = nullptr;
  for (const Fact& fact : profile.facts) {
    const bool holds =
        fact.name == name && fact.versions.contains(nearest) && applies(fact, conditions);
    if (holds && (!best || rank(fact) > rank(*best))) best = &fact;
  }
  return {.fact = best, .extrapolated = best && nearest != version};
}

std::vector<Version> change_points(const Profile& profile) {
  std::set<Version> points = {profile.first};
  // A range that ends at 2.1.83 makes the versions after it another matter; the first of them is
  // the beginning of some other range, or its patch number plus one where nothing begins there.
  for (const Fact& fact : profile.facts) {
    if (fact.versions.from) points.insert(*fact.versions.from);
    if (fact.versions.to && *fact.versions.to < profile.last)
      points.insert(fact.versions.to->next_patch());
  }
  std::vector<Version> sorted;
  for (const Version& point : points)
    if (profile.first <= point && point <= profile.last) sorted.push_back(point);
  return sorted;
}

}  // namespace cutline::delivery
