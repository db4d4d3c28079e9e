// schema_check.h: for tests: does a JSON text do what a JSON Schema says? As much of draft 2020-12
// as docs/*.schema.json use; any other keyword is a failure, so that nothing is passed over.
//
// Stricter than the standard in one way: a member that the schema does not name is an error, so
// that a schema cannot lag behind its output.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "json/document.h"

namespace cutline::report {

class SchemaCheck {
 public:
  explicit SchemaCheck(json::Value root) : root_(root) {}

  /// Sentences on what is wrong; empty if nothing is.
  std::vector<std::string> errors(json::Value value) const {
    std::vector<std::string> found;
    check(value, root_, "$", found);
    return found;
  }

 private:
  using Errors = std::vector<std::string>;

  void check(json::Value value, json::Value schema, const std::string& at, Errors& errors) const {
    for (const auto& [key, rule] : schema.members()) {
      if (key == "$ref") {
        check(value, resolve(rule.string().value), at, errors);
      } else if (key == "type") {
        if (!type_fits(value, rule))
          errors.push_back(at + " is not of type " + std::string(rule.raw()));
      } else if (key == "const") {
        if (value.raw() != rule.raw()) errors.push_back(at + " is not " + std::string(rule.raw()));
      } else if (key == "enum") {
        if (!is_one_of(value, rule))
          errors.push_back(at + " = " + std::string(value.raw()) + " is none of the choices");
      } else if (key == "minimum") {
        if (value.number().value_or(0) < rule.number().value_or(0))
          errors.push_back(at + " is too small");
      } else if (key == "oneOf") {
        check_one_of(value, rule, at, errors);
      } else if (key == "properties") {
        check_members(value, rule, at, errors);
      } else if (key == "required") {
        for (const json::Value& name : rule.elements()) {
          if (!value.find(name.string().value))
            errors.push_back(at + " lacks " + name.string().value);
        }
      } else if (key == "items") {
        check_elements(value, rule, at, errors);
      } else if (!is_comment(key)) {
        errors.push_back("unknown keyword " + key);
      }
    }
  }

  void check_members(json::Value value, json::Value rules, const std::string& at,
                     Errors& errors) const {
    if (!value.is(json::Type::kObject)) return;
    for (const auto& [name, member] : value.members()) {
      const std::string place = at + "." + name;
      if (const std::optional<json::Value> rule = rules.find(name))
        check(member, *rule, place, errors);
      else
        errors.push_back(place + " is not in the schema");
    }
  }

  void check_elements(json::Value value, json::Value rule, const std::string& at,
                      Errors& errors) const {
    if (!value.is(json::Type::kArray)) return;
    const std::vector<json::Value> elements = value.elements();
    for (std::size_t i = 0; i < elements.size(); ++i)
      check(elements[i], rule, at + "[" + std::to_string(i) + "]", errors);
  }

  void check_one_of(json::Value value, json::Value rules, const std::string& at,
                    Errors& errors) const {
    std::vector<Errors> all;
    for (const json::Value& rule : rules.elements()) {
      all.emplace_back();
      check(value, rule, at, all.back());
    }
    if (std::ranges::count_if(all, &Errors::empty) == 1) return;
    errors.push_back(at + " fits not exactly one of the choices");
    for (const Errors& some : all) errors.insert(errors.end(), some.begin(), some.end());
  }

  json::Value resolve(const std::string& reference) const {
    constexpr std::string_view kPrefix = "#/$defs/";
    return *root_.find("$defs")->find(reference.substr(kPrefix.size()));
  }

  static bool is_comment(std::string_view key) {
    return key == "$schema" || key == "$defs" || key == "title" || key == "description";
  }

  static bool is_one_of(json::Value value, json::Value choices) {
    return std::ranges::any_of(
        choices.elements(), [&](const json::Value& choice) { return choice.raw() == value.raw(); });
  }

  static bool type_fits(json::Value value, json::Value rule) {
    if (rule.is(json::Type::kArray)) {
      return std::ranges::any_of(rule.elements(),
                                 [&](const json::Value& one) { return type_fits(value, one); });
    }
    const std::string name = rule.string().value;
    switch (value.type()) {
      case json::Type::kNull:
        return name == "null";
      case json::Type::kBool:
        return name == "boolean";
      case json::Type::kNumber:
        return name == "number" || (name == "integer" && value.int64());
      case json::Type::kString:
        return name == "string";
      case json::Type::kArray:
        return name == "array";
      case json::Type::kObject:
        return name == "object";
    }
    return false;
  }

  json::Value root_;
};

}  // namespace cutline::report
