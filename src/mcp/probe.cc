// probe.cc: judging the answer to server/discover (MCP 2026-07-28, "Versioning").
//
// Only two kinds of answer are modern: a DiscoverResult, and an error that refuses the version and
// names others. Anything else comes from a server that does not know the method, whatever code it
// chose. -32001, -32003 and -32004 were the numbers of the new errors in drafts, but servers of
// before use them for other things, so they count only with a list of versions.
#include "mcp/probe.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/assert.h"
#include "mcp/answers.h"
#include "mcp/words.h"

namespace cutline::mcp {
namespace {

constexpr std::array<std::int64_t, 3> kDraftCodes = {-32001, -32003, -32004};

/// The versions in data.supported; nothing if there is no such list of strings.
std::optional<std::vector<std::string>> offered_versions(const wire::RpcError& error) {
  if (!error.data) return std::nullopt;
  const auto supported = error.data->find("supported");
  if (!supported || !supported->is(json::Type::kArray)) return std::nullopt;
  if (supported->size() > kVersionsMax) return std::nullopt;
  std::vector<std::string> versions;
  for (const json::Value& element : supported->elements()) {
    if (!element.is(json::Type::kString)) return std::nullopt;
    versions.push_back(element.string().value);
  }
  if (versions.empty()) return std::nullopt;
  return versions;
}

ProbeAnswer judge_versions(const std::vector<std::string>& versions) {
  if (std::ranges::find(versions, kModernVersion) != versions.end()) return ProbeAnswer::kModern;
  const bool legacy = std::ranges::any_of(versions, is_legacy_version);
  return legacy ? ProbeAnswer::kLegacyOnly : ProbeAnswer::kOtherVersion;
}

ProbeVerdict judge_error(const wire::RpcError& error) {
  ProbeVerdict verdict;
  verdict.answer = ProbeAnswer::kError;
  verdict.error_code = error.code;
  std::optional<std::vector<std::string>> versions = offered_versions(error);
  if (refuses_version(error) && versions) {
    verdict.answer = judge_versions(*versions);
    verdict.versions = *std::move(versions);
  } else if (error.code == wire::error_code::kUnsupportedProtocolVersion) {
    verdict.flaw = "its data has no list 'supported' of versions";
  }
  return verdict;
}

ProbeVerdict judge_result(const json::Value& result) {
  ProbeVerdict verdict;
  if (std::optional<std::string> flaw = discover_shape_problem(result)) {
    verdict.answer = ProbeAnswer::kWrongShape;
    verdict.flaw = *std::move(flaw);
    return verdict;
  }
  for (const json::Value& version : result.find("supportedVersions")->elements())
    verdict.versions.push_back(version.string().value);
  verdict.answer = judge_versions(verdict.versions);
  return verdict;
}

}  // namespace

ProbeVerdict judge_probe(const wire::Message& answer) {
  CUTLINE_ASSERT(answer.result || answer.error);
  return answer.result ? judge_result(*answer.result) : judge_error(*answer.error);
}

bool refuses_version(const wire::RpcError& error) {
  if (error.code == wire::error_code::kUnsupportedProtocolVersion) return true;
  return std::ranges::find(kDraftCodes, error.code) != kDraftCodes.end() &&
         offered_versions(error).has_value();
}

}  // namespace cutline::mcp
