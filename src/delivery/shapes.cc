// shapes.cc: the check of a value against the table of facts.
#include "delivery/shapes.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/nearest.h"
#include "delivery/shapes_table.h"
#include "json/document.h"

namespace cutline::delivery {
namespace {

using config::Kind;
using config::Node;

tl::unexpected<Problem> wrong(const Node& node, std::string_view what, std::string_view expected) {
  return fail(
      {.code = "profile.shape",
       .message = fmt::format("{} is {}; expected {}", what, config::name(node.kind), expected),
       .place = node.source.text(),
       .hint = "docs/profiles.md has the shape of every fact"});
}

std::string choices_text(const std::vector<std::string_view>& choices) {
  return fmt::format("one of {}", fmt::join(choices, ", "));
}

Result<void> check_choice(const Node& node, const Key& key) {
  if (node.kind != Kind::kString) return wrong(node, key.name, "a string");
  if (std::ranges::find(key.choices, node.string) != key.choices.end()) return {};
  return fail({.code = "profile.shape",
               .message = fmt::format("{} is '{}'; expected {}", key.name, node.string,
                                      choices_text(key.choices)),
               .place = node.source.text(),
               .hint = {}});
}

/// Texts and times are nowhere near as large, and sums of such numbers do not overflow.
Result<void> check_integer(const Node& node, const Key& key) {
  constexpr std::int64_t kMost = std::int64_t{1} << 53;  // as JavaScript counts
  if (node.integer >= 0 && node.integer <= kMost) return {};
  return fail({.code = "profile.shape",
               .message = fmt::format("{} is {}; expected 0 to {}", key.name, node.integer, kMost),
               .place = node.source.text(),
               .hint = {}});
}

Result<void> check_range(const Node& node, const Key& key) {
  for (const Node& element : node.elements) {
    if (element.kind != Kind::kInteger) return wrong(element, key.name, "whole numbers");
    CUTLINE_TRY(check_integer(element, key));
  }
  if (node.elements.size() == 2 && node.elements[0].integer <= node.elements[1].integer) return {};
  return fail({.code = "profile.shape",
               .message = fmt::format("{} is no range; expected two numbers, the larger one last",
                                      key.name),
               .place = node.source.text(),
               .hint = {}});
}

Result<void> check_strings(const Node& node, const Key& key) {
  if (node.elements.empty() && key.array == ArrayOf::kStrings) {
    return fail({.code = "profile.shape",
                 .message = fmt::format("{} is empty; expected at least one string", key.name),
                 .place = node.source.text(),
                 .hint = {}});
  }
  for (const Node& element : node.elements) {
    if (element.kind != Kind::kString) return wrong(element, key.name, "an array of strings");
    if (!key.choices.empty()) CUTLINE_TRY(check_choice(element, key));
  }
  return {};
}

Result<void> check_key(const Node& node, const Key& key) {
  if (node.kind != key.kind) return wrong(node, key.name, config::name(key.kind));
  if (key.kind == Kind::kInteger) return check_integer(node, key);
  if (key.kind == Kind::kString && !key.choices.empty()) return check_choice(node, key);
  if (key.kind != Kind::kArray) return {};
  return key.array == ArrayOf::kRange ? check_range(node, key) : check_strings(node, key);
}

/// The keys that a value may have: all, but for those of the choices that it did not take.
std::vector<std::string> allowed_keys(const Node& node, const Shape& shape,
                                      const std::vector<Choice>& choices) {
  const auto chosen = [&](const Choice& choice) {
    const Node* taken = node.find(choice.key);
    return taken && taken->kind == Kind::kString && taken->string == choice.value;
  };
  const auto names = [](const Choice& choice, std::string_view key) {
    return std::ranges::find(choice.needs, key) != choice.needs.end() ||
           std::ranges::find(choice.may, key) != choice.may.end();
  };
  const bool none_taken = choices.empty() || !node.find(choices.front().key);
  std::vector<std::string> allowed;
  for (const Key& key : shape.keys) {
    bool of_some = false, of_chosen = false;
    for (const Choice& choice : choices) {
      of_some = of_some || names(choice, key.name);
      of_chosen = of_chosen || (chosen(choice) && names(choice, key.name));
    }
    if (none_taken || !of_some || of_chosen) allowed.emplace_back(key.name);
  }
  return allowed;
}

Result<void> check_choices(const Node& node, const Shape& shape,
                           const std::vector<Choice>& choices) {
  for (const Choice& choice : choices) {
    const Node* taken = node.find(choice.key);
    if (!taken || taken->string != choice.value) continue;
    for (const std::string_view key : choice.needs) {
      if (node.find(key)) continue;
      return fail({.code = "profile.shape",
                   .message = fmt::format("{} with {} = \"{}\" has no {}", shape.fact, choice.key,
                                          choice.value, key),
                   .place = node.source.text(),
                   .hint = "docs/profiles.md has the shape of every fact"});
    }
  }
  return {};
}

Result<void> check_table(const Node& node, const Shape& shape) {
  if (node.kind != Kind::kTable) return wrong(node, shape.fact, "a table");
  const std::vector<Choice> choices = choices_of(shape.fact);
  CUTLINE_TRY(config::only_keys(node, allowed_keys(node, shape, choices)));
  for (const Key& key : shape.keys) {
    const Node* member = node.find(key.name);
    if (member) {
      CUTLINE_TRY(check_key(*member, key));
    } else if (key.required) {
      return fail({.code = "profile.shape",
                   .message = fmt::format("{} has no {} ({})", shape.fact, key.name,
                                          config::name(key.kind)),
                   .place = node.source.text(),
                   .hint = {}});
    }
  }
  if (node.members.empty()) {
    return fail({.code = "profile.shape",
                 .message = fmt::format("{} says nothing", shape.fact),
                 .place = node.source.text(),
                 .hint = "for what is not known, write unknown = true in place of the value"});
  }
  return check_choices(node, shape, choices);
}

Result<void> check_list(const Node& node, const Shape& shape) {
  if (node.kind != Kind::kArray) return wrong(node, shape.fact, "an array");
  for (const Node& element : node.elements) {
    if (shape.form == Form::kTables) {
      CUTLINE_TRY(check_table(element, shape));
    } else if (element.kind != Kind::kString) {
      return wrong(element, shape.fact, "an array of strings");
    }
  }
  return {};
}

/// Of some clients no more is known than how long names may be; a form is told whole or not at all.
Result<void> check_names(const Node& value) {
  std::vector<std::string_view> there, missing;
  for (const std::string_view key : {"form", "equal_names"})
    (value.find(key) ? there : missing).push_back(key);
  if (value.find("keeps") && !value.find("replacement")) missing.emplace_back("replacement");
  if (missing.empty() || (there.empty() && value.find("longest_sum"))) return {};
  return fail({.code = "profile.shape",
               .message = fmt::format("tool.name has no {}", missing.front()),
               .place = value.source.text(),
               .hint = "only longest_sum, with what is over it, can stand without a form"});
}

/// What steps put into a schema.
Result<void> check_json(const Node& value) {
  for (const Node& node : value.elements) {
    const Node* json = node.find("value");
    if (!json) continue;
    if (auto read = json::Document::parse(json->string); !read) {
      return fail({.code = "profile.shape",
                   .message = fmt::format("value is no JSON: {}", read.error().message),
                   .place = json->source.text(),
                   .hint = {}});
    }
  }
  return {};
}

}  // namespace

Result<void> check_fact_name(std::string_view name, const config::Source& source) {
  if (shape_of(name)) return {};
  std::vector<std::string> names;
  names.reserve(shapes().size());
  for (const Shape& shape : shapes()) names.emplace_back(shape.fact);
  const std::optional<std::string> near = nearest(name, names);
  return fail({.code = "profile.unknown_fact",
               .message = fmt::format("there is no fact '{}'", name),
               .place = source.text(),
               .hint = near ? fmt::format("did you mean '{}'?", *near)
                            : "docs/profiles.md lists the facts"});
}

Result<void> check_fact_value(std::string_view name, const Node& value) {
  const Shape& shape = *shape_of(name);
  switch (shape.form) {
    case Form::kTable:
      CUTLINE_TRY(check_table(value, shape));
      return name == "tool.name" ? check_names(value) : Result<void>{};
    case Form::kTableOrNone:
      if (value.kind == Kind::kString && value.string == "none") return {};
      if (value.kind != Kind::kTable) return wrong(value, name, "a table or \"none\"");
      return check_table(value, shape);
    case Form::kTables:
    case Form::kStrings:
      CUTLINE_TRY(check_list(value, shape));
      return name == "tool.schema" ? check_json(value) : Result<void>{};
  }
  return {};
}

}  // namespace cutline::delivery
