// registry.cc: asking with `npm view`.
#include "run/registry.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/version.h"
#include "json/document.h"

namespace cutline::run {
namespace {

/// Left to itself npm tries for more than a minute where there is no network.
Result<NpmRun> view_of(Npm& npm, std::vector<std::string> what, const std::string& directory) {
  what.insert(what.begin(), {"view", "--fetch-retries=1", "--fetch-retry-mintimeout=1000"});
  return npm.run(what, directory);
}

/// The versions just below and above the one that is not there, and the newest.
std::string nearest_versions(const std::vector<Version>& versions, const Version& wanted) {
  const auto above = std::ranges::upper_bound(versions, wanted);
  std::vector<std::string> near;
  if (above != versions.begin()) near.push_back(std::prev(above)->text());
  if (above != versions.end()) near.push_back(above->text());
  std::string words = fmt::format("the nearest: {}", fmt::join(near, " and "));
  if (versions.back().text() != near.back())
    words += fmt::format("; the newest: {}", versions.back().text());
  return words;
}

std::vector<Version> versions_in(std::string_view list) {
  std::vector<Version> versions;
  const Result<json::Document> document = json::Document::parse(list);
  if (!document) return versions;
  const json::Value root = document->root();
  const auto add = [&versions](const json::Value& value) {
    if (!value.is(json::Type::kString)) return;
    if (Result<Version> version = Version::parse(value.string().value))
      versions.push_back(*std::move(version));
  };
  // A package with a single version has no list of them.
  if (!root.is(json::Type::kArray)) add(root);
  if (root.is(json::Type::kArray)) std::ranges::for_each(root.elements(), add);
  std::ranges::sort(versions);
  return versions;
}

Problem unknown_version(Npm& npm, std::string_view name, std::string_view version,
                        const std::string& directory) {
  Problem problem{.code = "run.npm.unknown_version",
                  .message = fmt::format("{} has no version {} on npm", name, version),
                  .place = {},
                  .hint = {}};
  const Result<NpmRun> list = view_of(npm, {std::string(name), "versions"}, directory);
  if (!list) return list.error();
  if (list->error_code == "E404")
    problem.message = fmt::format("there is no package {} on npm", name);
  const std::vector<Version> versions = versions_in(list->out);
  const Result<Version> wanted = Version::parse(version);
  if (!versions.empty() && wanted) problem.hint = nearest_versions(versions, *wanted);
  return problem;
}

}  // namespace

/// For names that become part of a path and of a command line.
bool is_plain(std::string_view word) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '-' || c == '_' || c == '+' || c == '~';
  };
  return !word.empty() && word.front() != '-' && word.front() != '.' &&
         std::ranges::all_of(word, plain);
}

bool is_package_name(std::string_view name) {
  const std::size_t slash = name.find('/');
  if (!name.starts_with('@')) return is_plain(name);
  return slash != std::string_view::npos && is_plain(name.substr(1, slash - 1)) &&
         is_plain(name.substr(slash + 1));
}

Result<Published> published(Npm& npm, std::string_view name, std::string_view version,
                            const std::string& directory) {
  const std::string wanted = fmt::format("{}@{}", name, version);
  CUTLINE_TRY_ASSIGN(const NpmRun view,
                     view_of(npm, {wanted, "version", "dist.integrity"}, directory));
  if (view.error_code == "E404" || view.error_code == "ETARGET")
    return fail(unknown_version(npm, name, version, directory));
  if (view.exit_code != 0) return fail(npm_problem(view, fmt::format("look up {}", wanted)));
  const Result<json::Document> document = json::Document::parse(view.out);
  // Older ones say nothing at all of a version that is not there.
  if (!document) return fail(unknown_version(npm, name, version, directory));
  auto number = json::string_member(document->root(), "version");
  auto integrity = json::string_member(document->root(), "dist.integrity");
  if (number && integrity && is_plain(*number))
    return Published{*std::move(number), *std::move(integrity)};
  return fail({.code = "run.npm.integrity",
               .message = fmt::format("the registry names no integrity value of {}", wanted),
               .place = {},
               .hint = {},
               .blame = Blame::kMissing});
}

Result<std::vector<Version>> all_published(Npm& npm, const std::string& name,
                                           const std::string& directory) {
  CUTLINE_TRY_ASSIGN(const NpmRun list, view_of(npm, {name, "versions", "--json"}, directory));
  if (list.exit_code != 0)
    return fail(npm_problem(list, fmt::format("list the versions of {}", name)));
  return versions_in(list.out);
}

Result<PackageVersion> exact_package(std::string_view word) {
  const std::size_t sign = word.rfind('@');
  const bool both = sign != word.npos && sign != 0;
  if (both && is_package_name(word.substr(0, sign)) && Version::parse(word.substr(sign + 1)))
    return PackageVersion{.name = std::string(word.substr(0, sign)),
                          .version = std::string(word.substr(sign + 1))};
  return fail({.code = "run.npm.package",
               .message = fmt::format("'{}' is no package with an exact version", word),
               .place = {},
               .hint = "as in zod@4.6.7"});
}

}  // namespace cutline::run
