// cases.h: the files in tests/cases: small inputs with right values that were measured with the
// real clients and servers, or computed by another implementation. tests/cases/README.md has the
// format.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json/document.h"

namespace cutline::cases {

struct Case {
  std::string id, about, client;
  json::Value input, expect;
};

/// One file of cases; aborts the test program with a message if it cannot be read. The values stay
/// valid as long as the file does.
class File {
 public:
  explicit File(std::string_view name);  // "cuts.json"
  const std::vector<Case>& cases() const { return cases_; }

 private:
  std::optional<json::Document> document_;
  std::vector<Case> cases_;
};

/// The text that {"literal": …}, {"generate": …}, {"units": N}, a rule or a string alone stands
/// for.
std::string text(const json::Value& rule);

/// Whether the case holds for that version of that client: "claude-code@2.1.84..2.1.295" does for
/// those between, "any" always. What was only "(reported)" holds for none.
bool speaks_of(const Case& c, std::string_view client, std::string_view version);

/// Lower-case hex of the SHA-256.
std::string sha256(std::string_view bytes);

/// For chopping tests: calls `feed` for consecutive parts of `bytes`: whole, byte by byte, and cut
/// at seeded random places (also into empty parts); `begin` before each of these ways.
void for_each_chopping(std::string_view bytes, const std::function<void()>& begin,
                       const std::function<void(std::string_view)>& feed);

}  // namespace cutline::cases
