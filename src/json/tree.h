// tree.h: how a document is stored; for this room alone.
//
// The nodes of the tree stand in one vector in the order of the text, an object's as key, value,
// key, value. A node says where its text is and where its subtree ends, which is where its next
// sibling begins; what it is, its first byte tells. So a node is 16 bytes, whatever it is.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "json/document.h"

namespace cutline::json {

struct Node {
  std::uint32_t begin = 0, end = 0;  // its text in Tree::bytes
  std::uint32_t after = 0;           // index of the first node behind its subtree
  std::uint32_t size = 0;            // members or elements
};

struct Tree {
  std::string bytes;  // with kPadding bytes of capacity behind them
  std::vector<Node> nodes;
  std::vector<std::uint32_t> replaced_at;  // offsets in `bytes` of the U+FFFD that we put in
};

/// simdjson reads whole blocks, up to this far behind the text.
inline constexpr std::size_t kPadding = 64;

/// What build() made of the bytes.
enum class Built { kWhole, kNotUtf8 };

/// Fills `nodes` from `bytes`. Problem "json.syntax" with the offset in `bytes` in `*problem_at`,
/// "json.too_large", "json.too_deep". Bytes that are not UTF-8 are not parsed.
Result<Built> build(Tree& tree, const Limits& limits, std::size_t* problem_at);

}  // namespace cutline::json
