// expectation.cc: what a cell has to show, from TOML.
#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>

#include "run/experiment_parts.h"

namespace cutline::run {
namespace {

using config::Node;

/// What instructions can be measured to be, where they can stand (nowhere, too), and what later
/// sessions can send.
constexpr std::array<std::string_view, 3> kStates = {"at-start", "in-request", "never"};
constexpr std::array<std::string_view, 10> kPlaces = {"user-reminder",
                                                      "system-role-message",
                                                      "system",
                                                      "user-message",
                                                      "developer-message",
                                                      "tool-namespace-description",
                                                      "tool-result-reminder",
                                                      "tool-result",
                                                      "tools",
                                                      ""};
constexpr std::array<std::string_view, 5> kLater = {"old", "new", "old, new", "same", "nothing"};

Result<std::optional<std::string>> word_of(const Node& node, std::string_view key,
                                           std::string_view noun,
                                           std::span<const std::string_view> words) {
  CUTLINE_TRY_ASSIGN(std::optional<std::string> word, config::find_string(node, key));
  if (word && std::ranges::find(words, *word) == words.end())
    return wrong(*node.find(key), fmt::format("'{}' is no {}", *word, noun),
                 fmt::format("it is one of '{}'", fmt::join(words, "', '")));
  return word;
}

}  // namespace

Result<Expectation> read_expectation(const Node& node) {
  static const std::vector<std::string> kKeys = {"state",     "kept",   "request", "place",
                                                 "handshake", "answer", "later"};
  if (node.kind != config::Kind::kTable) return wrong(node, "expect is a table");
  CUTLINE_TRY(config::only_keys(node, kKeys));
  Expectation expect;
  expect.source = node.source;
  CUTLINE_TRY_ASSIGN(expect.state, word_of(node, "state", "state", kStates));
  CUTLINE_TRY_ASSIGN(expect.place, word_of(node, "place", "place", kPlaces));
  CUTLINE_TRY_ASSIGN(expect.handshake, config::find_string(node, "handshake"));
  CUTLINE_TRY_ASSIGN(expect.answer, config::find_string(node, "answer"));
  CUTLINE_TRY_ASSIGN(expect.later, word_of(node, "later", "text of later sessions", kLater));
  for (auto [key, value] :
       {std::pair("kept", &expect.kept), std::pair("request", &expect.request)}) {
    CUTLINE_TRY_ASSIGN(const auto number, config::find_integer(node, key));
    if (number && *number < 0)
      return wrong(*node.find(key), fmt::format("{} is not negative", key));
    if (number == 0 && value == &expect.request)
      return wrong(*node.find(key), "requests are counted from 1");
    if (number) *value = static_cast<std::size_t>(*number);
  }
  return expect;
}

}  // namespace cutline::run
