// document.h: reading JSON without losing anything of it.
//
// simdjson finds the structure and checks the UTF-8; we keep order, duplicate keys, the raw text of
// numbers and the byte span of every node, because evidence is bytes. Bytes that are not UTF-8 and
// lone surrogates are replaced by U+FFFD and counted, never fatal: a server that sends them still
// has a text, and its author wants to know.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace cutline::json {

enum class Type { kNull, kBool, kNumber, kString, kArray, kObject };
std::string_view name(Type type);

struct Limits {
  std::size_t bytes_max = std::size_t{256} << 20;
  std::size_t depth_max = 512;                     // at most kDepthCeiling
  std::size_t values_max = std::size_t{16} << 20;  // of 16 bytes each; keys count as values
  std::size_t repairs_max = std::size_t{4} << 20;  // parts that are not UTF-8
};

/// Reading descends by recursion; no limit may ask for more levels than this.
inline constexpr std::size_t kDepthCeiling = 1024;

/// A decoded string and what had to be replaced in it.
struct Text {
  std::string value;  // valid UTF-8
  /// Where in `value` the U+FFFD for the first bad byte stands; as long as no escapes come before
  /// it, this is that byte's offset in what was sent, too. Lone surrogates do not count here.
  std::optional<std::size_t> first_invalid_byte;
  std::size_t replaced = 0;  // ill-formed parts, and lone surrogates
};

struct Tree;  // json/tree.h, of no interest to users

/// A light handle on a node; valid as long as its Document.
class Value {
 public:
  Type type() const;
  bool is(Type wanted) const { return type() == wanted; }

  /// The text of the node as it stands in the document, without surrounding white space.
  std::string_view raw() const;
  /// Its first byte's offset in the document.
  std::size_t offset() const;
  /// The length of the text without white space between its tokens. Linear in the nodes.
  std::size_t compact_size() const;

  /// Preconditions (asserted): the node is of that type.
  Text string() const;
  bool boolean() const;

  /// The number, if it is an integer that fits. 1.0 and 1e2 are integers too, as JavaScript has it
  /// (up to 2^53).
  std::optional<std::int64_t> int64() const;
  /// The number, if a double can hold one of its size.
  std::optional<double> number() const;

  /// Members or elements, in order.
  std::size_t size() const;
  struct Member;
  std::vector<Member> members() const;
  std::vector<Value> elements() const;

  /// The last member of that name (as JavaScript has it); nothing if there is none or this is no
  /// object, so that look-ups can be chained safely.
  std::optional<Value> find(std::string_view key) const;

 private:
  friend class Document;
  Value(const Tree* tree, std::uint32_t node) : tree_(tree), node_(node) {}
  const Tree* tree_;
  std::uint32_t node_;
};

struct Value::Member {
  std::string key;
  Value value;
};

/// One whole JSON text. Movable; handles stay valid across a move. Nothing is lazy: what parse()
/// accepts is JSON (RFC 8259) to its last byte, but for the replaced parts.
class Document {
 public:
  /// Problem "json.syntax" with the offset in `bytes` as place ("byte 17"), "json.too_large" (also
  /// where there is not enough memory for it), "json.too_deep".
  static Result<Document> parse(std::string_view bytes, const Limits& limits = {});

  Document(Document&&) noexcept;
  Document& operator=(Document&&) noexcept;
  Document(const Document&) = delete;
  Document& operator=(const Document&) = delete;
  ~Document();

  Value root() const;
  /// The bytes after replacement of what was not UTF-8; spans refer to these.
  std::string_view bytes() const;

 private:
  explicit Document(std::unique_ptr<Tree> tree);
  std::unique_ptr<Tree> tree_;
};

// --- Reading members with a clear problem when the shape is wrong -------------------------------

/// The string member `key` of `object`, if it is there and a string; nothing otherwise.
std::optional<std::string> string_member(const Value& object, std::string_view key);

/// The same without white space between its tokens. Precondition: it is valid JSON, or empty.
std::string compacted(std::string_view json);

}  // namespace cutline::json
