// data.h: a JSON value that can be changed.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "json/document.h"
#include "json/writer.h"

namespace cutline::json {

/// Of one type; what the others need stays empty. Not deeper than the document that it comes from,
/// so that it may be walked by recursion.
struct Data {
  struct Member;

  Type type = Type::kNull;
  std::string text;             // of a string its value; of a number or a truth value as written
  std::vector<Data> elements;   // of an array
  std::vector<Member> members;  // of an object, in order; each key once

  const Data* find(std::string_view key) const;  // null: there is none
  Data* find(std::string_view key);
  void erase(std::string_view key);
  /// Replaces the member, or adds it at the end.
  void set(std::string_view key, Data value);

  bool is_text(std::string_view value) const { return type == Type::kString && text == value; }
};

struct Data::Member {
  std::string key;
  Data value;
};

/// Of equal keys the last one's value stays, as in JavaScript.
Data data(const Value& value);
Data string(std::string_view text);
Data object();

void write(Writer& out, const Data& data);
/// As compact JSON.
std::string text(const Data& data);

/// Objects without regard to the order of members, numbers by their value.
bool same(const Data& a, const Data& b);

}  // namespace cutline::json
