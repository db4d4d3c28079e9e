// string.h: from the literal in the text to the string that it means; for this room alone.
#pragma once

#include "json/tree.h"

namespace cutline::json {

/// `node` is a string or key, so its escapes are well-formed. An escaped surrogate without its
/// other half becomes U+FFFD, as in the decoders of JavaScript hosts.
Text decode_string(const Tree& tree, const Node& node);

}  // namespace cutline::json
