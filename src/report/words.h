// words.h: values as people read them. Everything here is sanitised and stands in one line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "delivery/delivery.h"
#include "mcp/offer.h"

namespace cutline::report {

/// A name or a short text of a server, made safe, on one line, and at most `columns_max` wide.
std::string safe(std::string_view of_server, std::size_t columns_max = 64);

/// The same of a name, which a server can leave empty: "(no name)".
std::string safe_name(std::string_view of_server, std::size_t columns_max = 64);

/// "A, B, C and 4 more"; the items are sanitised here.
std::string some_of(const std::vector<std::string>& items, std::size_t most);

/// "1,000 characters", "12,098 characters (12,132 bytes)", or all three units where they differ.
std::string length_words(const text::Place& length);

/// "characters" where UTF-16 units and code points are the same number, else the unit's noun.
std::string unit_noun(const delivery::Delivered& piece);
/// The same for a number of them: "1 character".
std::string unit_noun(const delivery::Delivered& piece, std::size_t number);

/// "65.0 %", and "< 0.1 %" where something is lost that rounds to nothing.
std::string share_words(std::size_t part, std::size_t whole);

/// "at least " where it is not known which of two ways the piece takes, else nothing.
std::string_view at_least(const delivery::Delivered& piece);

/// "812 ms", "12.3 s".
std::string duration_words(mcp::Milliseconds time);

/// "2.1.332", or "2.1.84 – 2.1.90" with no place to break it.
std::string versions_words(const Version& from, const Version& to);

/// The same of a profile; "(as of 2026-12-01)" where it does not tell versions apart.
std::string versions_words(const delivery::Profile& profile, const Version& from,
                           const Version& to);

/// "message of role system" for "system-role-message"; a role that we do not know as it is.
std::string role_words(std::string_view role);

/// How a client gets at the tools: "by search", "at the start".
std::string_view channel_words(delivery::Channel channel);

/// What a model knows of a deferred tool before it searches, in words that go on after "before a
/// search": "its name", "nothing".
std::string announced_words(const delivery::SecondWay& way);

/// Why a piece does not arrive, from its reason or from what `never` says. Reasons name the version
/// that they were found for; it is left out here, as what is said stands beside a range of
/// versions.
std::string absence_words(const delivery::Delivered& piece, const Version& version);

/// `sentence` without the full stop at its end, to go on after it.
std::string without_full_stop(std::string_view sentence);

}  // namespace cutline::report
