// names.h: the names of tools as the model API gets them, and which tools lose by theirs. Internal
// to this room.
#pragma once

#include <bitset>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "delivery/behaviour.h"

namespace cutline::delivery {

/// Characters of a class such as "A-Za-z0-9_-": ranges, and '-' where it stands last.
std::bitset<128> characters(std::string_view ranges);

/// One client's way of making names (the fact tool.name).
class NameRules {
 public:
  explicit NameRules(const Behaviour& behaviour);

  /// The name, whatever the other tools are called. Names are UTF-8.
  std::string full(std::string_view server, std::string_view tool) const;
  /// The server's part alone: "{space}" in a frame.
  std::string space(std::string_view server) const { return mangle(server); }

  /// Gives those pieces of tools that arrive what equal and too long names cost them: another name,
  /// a refusal, or doubt. `full_name` is what full() says.
  void settle(std::vector<Delivered*>& tools) const;

 private:
  enum class Equal { kFirstWins, kLastWins, kAllSent, kHashed, kFails };
  enum class Over { kUnknown, kDropped, kSent, kCut, kMiddle, kHashed };

  std::string mangle(std::string_view name) const;
  std::string joined(std::string_view server, std::string_view tool) const;
  std::string digest(std::string_view server, std::string_view tool) const;
  std::string hashed(std::string name, std::string_view server, std::string_view tool) const;
  std::string shortened(std::string name, std::string_view server, std::string_view tool) const;
  bool is_over(std::string_view name) const;
  bool is_sum_over(const Delivered& piece) const;
  void settle_length(Delivered& piece) const;
  void refuse_or_doubt(Delivered& piece, std::string_view what, std::size_t length,
                       std::int64_t longest) const;

  std::string program_, form_, replacement_, non_ascii_;
  std::bitset<128> keeps_;
  bool runs_ = false, per_code_point_ = false;
  Equal equal_ = Equal::kAllSent;
  Over over_ = Over::kUnknown;
  std::optional<std::int64_t> longest_, longest_sum_;  // of the full name; of server and tool
  std::size_t head_, tail_;                            // of Over::kMiddle, with the infix between
  std::string infix_;
  std::string hash_of_;  // "{server}__{tool}", as they are sent
  bool fnv_;             // and not SHA-1
  std::size_t hash_digits_;
  bool hash_changed_;  // also where characters were replaced
};

}  // namespace cutline::delivery
