// data.cc: JSON values that can be changed.
#include "json/data.h"

#include <algorithm>
#include <unordered_map>

namespace cutline::json {
namespace {

bool same_number(const std::string& a, const std::string& b) {
  if (a == b) return true;
  const Result<Document> left = Document::parse(a), right = Document::parse(b);
  if (!left || !right) return false;
  const std::optional<double> x = left->root().number(), y = right->root().number();
  return x && y && *x == *y;
}

}  // namespace

const Data* Data::find(std::string_view key) const {
  const auto found = std::ranges::find(members, key, &Member::key);
  return found == members.end() ? nullptr : &found->value;
}

Data* Data::find(std::string_view key) {
  const auto found = std::ranges::find(members, key, &Member::key);
  return found == members.end() ? nullptr : &found->value;
}

void Data::erase(std::string_view key) {
  std::erase_if(members, [&](const Member& member) { return member.key == key; });
}

void Data::set(std::string_view key, Data value) {
  if (Data* old = find(key)) {
    *old = std::move(value);
  } else {
    members.push_back({.key = std::string(key), .value = std::move(value)});
  }
}

namespace {

/// The members of an object, each key once, where it stood first, with its last value.
std::vector<Data::Member> members_of(const Value& object) {
  std::vector<Data::Member> members;
  members.reserve(object.size());
  std::unordered_map<std::string, std::size_t> known;
  for (const Value::Member& member : object.members()) {
    const auto [place, is_new] = known.emplace(member.key, members.size());
    if (is_new)
      members.push_back({.key = member.key, .value = data(member.value)});
    else
      members[place->second].value = data(member.value);
  }
  return members;
}

std::vector<const Data::Member*> by_key(const Data& object) {
  std::vector<const Data::Member*> sorted;
  sorted.reserve(object.members.size());
  for (const Data::Member& member : object.members) sorted.push_back(&member);
  std::ranges::sort(sorted, {}, &Data::Member::key);
  return sorted;
}

}  // namespace

Data data(const Value& value) {
  Data out;
  out.type = value.type();
  switch (out.type) {
    case Type::kNull:
      break;
    case Type::kBool:
    case Type::kNumber:
      out.text = value.raw();
      break;
    case Type::kString:
      out.text = value.string().value;
      break;
    case Type::kArray:
      out.elements.reserve(value.size());
      for (const Value& element : value.elements()) out.elements.push_back(data(element));
      break;
    case Type::kObject:
      out.members = members_of(value);
      break;
  }
  return out;
}

Data string(std::string_view text) {
  Data out;
  out.type = Type::kString;
  out.text = text;
  return out;
}

Data object() {
  Data out;
  out.type = Type::kObject;
  return out;
}

void write(Writer& out, const Data& data) {
  switch (data.type) {
    case Type::kNull:
      out.null();
      break;
    case Type::kBool:
    case Type::kNumber:
      out.raw(data.text);
      break;
    case Type::kString:
      out.string(data.text);
      break;
    case Type::kArray:
      out.begin_array();
      for (const Data& element : data.elements) write(out, element);
      out.end_array();
      break;
    case Type::kObject:
      out.begin_object();
      for (const Data::Member& member : data.members) write(out.key(member.key), member.value);
      out.end_object();
      break;
  }
}

std::string text(const Data& data) {
  Writer out;
  write(out, data);
  return out.take();
}

bool same(const Data& a, const Data& b) {
  if (a.type != b.type) return false;
  if (a.type == Type::kNumber) return same_number(a.text, b.text);
  if (a.text != b.text || a.members.size() != b.members.size()) return false;
  return std::ranges::equal(a.elements, b.elements, same) &&
         std::ranges::equal(by_key(a), by_key(b), [](const auto* x, const auto* y) {
           return x->key == y->key && same(x->value, y->value);
         });
}

}  // namespace cutline::json
