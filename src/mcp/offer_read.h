// offer_read.h: the readers of the kinds of offer files; offer_json.h is the door.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "json/document.h"
#include "mcp/offer.h"

namespace cutline::mcp {

/// A file may hold two eras of the largest lists.
inline constexpr json::Limits kOfferFileLimits = {.bytes_max = std::size_t{1} << 30,
                                                  .depth_max = json::kDepthCeiling,
                                                  .values_max = std::size_t{16} << 20,
                                                  .repairs_max = std::size_t{16} << 20};

/// "FILE:LINE:COLUMN" of a byte offset; columns are bytes.
std::string place_in(std::string_view file, std::string_view text, std::size_t offset);

/// What write_offer() wrote.
Result<Offer> read_own_offer(const json::Document& document, std::string_view file);

/// One JSON text that is the dump of a server's answers.
Result<Offer> read_dump(const json::Document& document, std::string_view file);

/// A dump with one JSON text a line.
Result<Offer> read_dump_lines(std::string_view lines, std::string_view file);

}  // namespace cutline::mcp
