// profile.h: a client's behaviour as data: facts over ranges of versions, each with its evidence.
//
// A profile is a TOML file (profiles/NAME.toml; the format is docs/profiles.md). Code never holds a
// client's number. Facts of one name may differ by version and, under the same version, by switches
// of the client, by model and by kind of session: the one with more conditions wins; two that claim
// the same are refused when the file is read.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/version.h"
#include "config/toml.h"
#include "delivery/evidence.h"

namespace cutline::delivery {

/// What most users have (an account, fetched flags), or an API key with an own base URL.
enum class Session { kFirstParty, kCustomEndpoint };
std::string_view name(Session session);  // "first-party", "custom-endpoint"
std::optional<Session> session_named(std::string_view name);

/// Names and values, in the order in which they were given.
using Pairs = std::vector<std::pair<std::string, std::string>>;
/// The last one of that name.
std::optional<std::string_view> last_of(const Pairs& pairs, std::string_view name);

struct Fact {
  std::string name;  // "instructions.budget"
  VersionRange versions;
  Pairs when;                       // variables, flags and settings that it takes; empty: any
  std::vector<std::string> models;  // globs; empty: any
  std::optional<Session> session;   // nothing: any
  bool unknown = false;             // known to be not known
  config::Node value;               // its shape follows from its name (docs/profiles.md)
  std::vector<Evidence> evidence;   // strongest first
  config::Source source;

  /// Evidence that says something else than the fact.
  std::vector<const Evidence*> conflicts() const;
};

struct Profile {
  std::string id;                 // "claude-code"
  std::string title;              // "Claude Code"
  std::string package;            // on npm: "@anthropic-ai/claude-code"; empty: not to be had there
  std::vector<std::string> also;  // installed beside it, exact: "zod@4.6.7"
  Version first, last;            // the versions that were looked at
  bool unversioned = false;  // the evidence names no versions: all are 0.0.0, which nobody is shown
  std::string measured_on;   // ISO date of the newest measurement; empty if nothing was measured
  std::string as_of;         // ISO date of the newest evidence of any kind
  std::vector<Fact> facts;   // in the order of the file
};

/// "Claude Code 2.1.285"; "Cursor (as of 2026-12-01)" where versions are not told apart.
std::string program_name(const Profile& profile, const Version& version);

/// Problem at FILE:LINE:COLUMN: "profile.shape", "profile.unknown_fact", "profile.overlap",
/// "profile.no_evidence" and those of config/toml.h.
Result<Profile> read_profile(std::string_view toml, const std::string& file);

/// The profiles inside the program, in the order of their names.
struct BuiltinProfile {
  std::string_view file, toml;
};
std::vector<BuiltinProfile> builtin_profiles();

/// Which fact holds, and how surely.
struct Found {
  const Fact* fact = nullptr;  // null: nothing is known
  bool extrapolated = false;   // the version is outside first..last; taken from the nearest of them
};
/// What facts can depend on besides the version.
struct Conditions {
  std::string model;  // the id that is sent; empty: not known
  Session session = Session::kFirstParty;
  Pairs variables = {};  // and flags of the command line: "--all" = "true"
  Pairs settings = {};   // of a server's entry in the client's configuration
};
/// Of facts of one name that hold, the one with the highest rank wins: a switch counts for more
/// than a model, and that for more than a kind of session.
std::size_t rank(const Fact& fact);
Found find_fact(const Profile& profile, std::string_view name, const Version& version,
                const Conditions& conditions);

/// Versions at which any fact of the profile may change, ascending, beginning with profile.first.
/// Between two neighbours everything is the same.
std::vector<Version> change_points(const Profile& profile);

bool glob_matches(std::string_view glob, std::string_view text);  // '*' only

}  // namespace cutline::delivery
