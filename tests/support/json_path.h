// json_path.h: reading what a program printed as JSON.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "json/document.h"

namespace cutline::testing_support {

/// `value.a.b`; the test program ends if a member on the way is missing.
inline json::Value at(json::Value value, std::initializer_list<std::string_view> path) {
  for (const std::string_view key : path) {
    const std::optional<json::Value> member = value.find(key);
    if (!member) {
      ADD_FAILURE() << "no member '" << key << "' in " << value.raw().substr(0, 200);
      std::abort();
    }
    value = *member;
  }
  return value;
}
inline std::int64_t number(const json::Value& value, std::initializer_list<std::string_view> path) {
  return at(value, path).int64().value_or(-1);
}
/// A string, or any other value as JSON text.
inline std::string string(const json::Value& value, std::initializer_list<std::string_view> path) {
  const json::Value member = at(value, path);
  return member.is(json::Type::kString) ? member.string().value : std::string(member.raw());
}

}  // namespace cutline::testing_support
