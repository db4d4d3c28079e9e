// shapes_table.h: what the values of facts look like, as data. Internal to this room.
#pragma once

#include <string_view>
#include <vector>

#include "config/toml.h"

namespace cutline::delivery {

/// Of the value of a fact.
enum class Form {
  kTable,
  kTableOrNone,  // a table, or the string "none"
  kTables,       // an array of tables
  kStrings,      // an array of strings
};

/// What a list may hold.
enum class ArrayOf {
  kStrings,     // at least one
  kAnyStrings,  // or none
  kRange,       // two whole numbers, the first no larger
};

struct Key {
  std::string_view name;
  config::Kind kind;
  bool required = false;
  std::vector<std::string_view> choices = {};  // of a string, or of a list's strings
  ArrayOf array = ArrayOf::kStrings;           // of a list
};

struct Shape {
  std::string_view fact;
  Form form;
  std::vector<Key> keys;
};

/// What a value needs that a string in it chooses, and which keys are for that choice alone.
struct Choice {
  std::string_view key, value;
  std::vector<std::string_view> needs;
  std::vector<std::string_view> may = {};
};

const std::vector<Shape>& shapes();

/// Null: there is no such fact.
const Shape* shape_of(std::string_view fact);

/// Those of one fact; mostly none.
std::vector<Choice> choices_of(std::string_view fact);

}  // namespace cutline::delivery
