// words.cc: the wording of what the screens have in common.
#include "report/words.h"

#include <cmath>
#include <unordered_map>

#include <fmt/format.h>

#include "base/number.h"
#include "report/style.h"
#include "text/terminal.h"

namespace cutline::report {
namespace {

constexpr std::size_t kReasonColumns = 400;

std::string_view never_words(delivery::Never never) {
  switch (never) {
    case delivery::Never::kNo:
      return "not known";
    case delivery::Never::kNotOffered:
      return "the server sends none";
    case delivery::Never::kEmpty:
      return "an empty text is not shown";
    case delivery::Never::kNotDelivered:
      return "this client does not pass it on";
    case delivery::Never::kOtherEra:
      return "it stands only in the answer that is not asked for";
    case delivery::Never::kConnectionFails:
      return "the connection fails";
    case delivery::Never::kTooLate:
      return "the client does not wait that long";
    case delivery::Never::kNameRefused:
      return "its name is refused";
    case delivery::Never::kNameCollides:
      return "another tool has the same name there";
    case delivery::Never::kTooManyTools:
      return "there are too many tools";
    case delivery::Never::kSchemaRefused:
      return "an input schema is refused";
    case delivery::Never::kWithheld:
      return "this client keeps back tools of that name";
    case delivery::Never::kNoTools:
      return "this client leaves out servers that have no tools";
  }
  return "";
}

}  // namespace

std::string safe(std::string_view of_server, std::size_t columns_max) {
  // No more is looked at than could ever be shown.
  constexpr std::size_t kBytesPerColumn = 32;
  const std::string_view near = of_server.substr(
      0, text::prefix(of_server, text::Unit::kBytes, columns_max * kBytesPerColumn).value);
  std::string line = text::sanitise_line(near);
  if (near.size() == of_server.size() && text::columns(line) <= columns_max) return line;
  return std::string(text::head_columns(line, columns_max - 1)) + "…";
}

std::string safe_name(std::string_view of_server, std::size_t columns_max) {
  return of_server.empty() ? "(no name)" : safe(of_server, columns_max);
}

std::string some_of(const std::vector<std::string>& items, std::size_t most) {
  std::vector<std::pair<std::string_view, std::size_t>> distinct;  // with how often it is there
  std::unordered_map<std::string_view, std::size_t> places;
  for (const std::string& item : items) {
    const auto [known, is_new] = places.emplace(item, distinct.size());
    if (is_new) distinct.emplace_back(item, 0);
    ++distinct[known->second].second;
  }
  std::string out;
  std::size_t named = 0;
  const std::size_t shown = distinct.size() <= most + 1 ? distinct.size() : most;
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& [item, times] = distinct[i];
    if (i > 0) out += i + 1 == distinct.size() ? " and " : ", ";
    out += times == 1 ? safe_name(item)
                      : fmt::format("\"{}\" {} times", safe_name(item),
                                    with_separators(static_cast<std::int64_t>(times)));
    named += times;
  }
  if (named < items.size()) {
    out += fmt::format(" and {} more",
                       with_separators(static_cast<std::int64_t>(items.size() - named)));
  }
  return out;
}

std::string length_words(const text::Place& length) {
  const std::string bytes = count(length.bytes.value, "byte");
  if (length.utf16.value != length.code_points.value) {
    return fmt::format("{} ({}, {})", count(length.utf16.value, "UTF-16 unit"),
                       count(length.code_points.value, "code point"), bytes);
  }
  std::string characters = count(length.utf16.value, "character");
  if (length.bytes.value == length.utf16.value) return characters;
  return fmt::format("{} ({})", characters, bytes);
}

std::string unit_noun(const delivery::Delivered& piece) {
  const text::Unit unit = piece.budget ? piece.budget->unit : text::Unit::kUtf16;
  const bool same = piece.whole.utf16.value == piece.whole.code_points.value;
  const bool characters = same && (unit == text::Unit::kUtf16 || unit == text::Unit::kCodePoints);
  return std::string(characters ? std::string_view("characters") : text::noun(unit));
}

std::string unit_noun(const delivery::Delivered& piece, std::size_t number) {
  std::string noun = unit_noun(piece);
  if (number == 1 && noun.ends_with('s')) noun.pop_back();
  return noun;
}

std::string share_words(std::size_t part, std::size_t whole) {
  std::string share = percent(part, whole);
  return part > 0 && share == "0.0 %" ? "< 0.1 %" : share;
}

std::string_view at_least(const delivery::Delivered& piece) {
  return piece.state == delivery::State::kAtStartOrDeferred ? "at least " : "";
}

std::string duration_words(mcp::Milliseconds time) {
  constexpr double kInSeconds = 10'000;
  if (time.count() < kInSeconds) {
    return unbroken(with_separators(std::llround(time.count())) + " ms");
  }
  return unbroken(fmt::format("{:.1f} s", time.count() / 1000));
}

std::string versions_words(const Version& from, const Version& to) {
  if (from == to) return to.text();
  return unbroken(from.text() + " – " + to.text());
}

std::string versions_words(const delivery::Profile& profile, const Version& from,
                           const Version& to) {
  if (profile.unversioned) return unbroken(fmt::format("(as of {})", profile.as_of));
  return versions_words(from, to);
}

std::string role_words(std::string_view role) {
  if (role == "system") return "system prompt";
  if (role == "system-role-message") return "message of role system";
  if (role == "user-reminder") return "reminder in a user message";
  if (role == "tool-result-reminder") return "reminder in a tool's result";
  if (role == "tool-result") return "result of a tool";
  if (role == "user-message") return "user message";
  if (role == "developer-message") return "developer message";
  if (role == "tool-namespace-description") return "description of the tools' namespace";
  if (role.empty()) return "place unknown";
  return std::string(role);
}

std::string_view channel_words(delivery::Channel channel) {
  switch (channel) {
    case delivery::Channel::kInstructions:
      return "in the instructions";
    case delivery::Channel::kPreloadedTool:
      return "at the start";
    case delivery::Channel::kDeferredTool:
      return "by search";
  }
  return "";
}

std::string announced_words(const delivery::SecondWay& way) {
  switch (way.says) {
    case delivery::SecondWay::Says::kNothing:
      return "nothing";
    case delivery::SecondWay::Says::kName:
      return "its name";
    case delivery::SecondWay::Says::kHead:
      return "its name and " + count(way.units, "character");
    case delivery::SecondWay::Says::kWhole:
      return "all of it";
  }
  return "";
}

std::string absence_words(const delivery::Delivered& piece, const Version& version) {
  if (piece.reason.empty()) return std::string(never_words(piece.never));
  std::string reason = without_full_stop(safe(piece.reason, kReasonColumns));
  const std::string named = " " + version.text();
  if (const std::size_t at = reason.find(named); at != std::string::npos)
    reason.erase(at, named.size());
  return reason;
}

std::string without_full_stop(std::string_view sentence) {
  while (!sentence.empty() && (sentence.back() == '.' || sentence.back() == ' '))
    sentence.remove_suffix(1);
  return std::string(sentence);
}

}  // namespace cutline::report
