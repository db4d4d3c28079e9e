// check_parts.h: the parts that the screen of `check` is put together from. Each is whole lines.
#pragma once

#include <string>
#include <string_view>

#include "report/check.h"
#include "report/style.h"

namespace cutline::report {

/// A part's first line begins with its name in a column of its own.
inline constexpr std::size_t kPartColumns = 15;
Lead part_lead(std::string_view name);

/// Lengths, a table of what each client keeps, and where the cut falls.
std::string instructions_part(const Check& check, const Style& style);

/// Does that part say what ▸ means? Once is enough.
bool instructions_explain_mark(const Check& check);

/// The same where there are many clients: those that show the same are one row, and one cut.
std::string instructions_groups_part(const Check& check, const Style& style);

/// How many there are, which are cut, and how clients get at them.
std::string tools_part(const Check& check, const Style& style);

/// The same where there are many clients.
std::string tools_groups_part(const Check& check, const Style& style);

/// Eras, start-up times, what is not modelled, and what a correct server does not do.
std::string server_part(const Check& check, const Style& style);

/// What is lost in the versions held to, and the one thing to do first.
std::string verdict_part(const Check& check, const Style& style);
/// What it says of the clients where there are many.
std::string verdict_groups_lines(const Check& check, const Style& style);
/// What stands before it: ignored switches, notes of deliveries, texts written anew.
std::string notes_part(const Check& check, const Style& style);

/// Where the numbers come from; with details also what disagrees about anything but a number. Of
/// many clients it is one sentence for all, but with details.
std::string sources_part(const Check& check, const Style& style, bool details);

/// Every piece in every group, with its evidence.
std::string details_part(const Check& check, const Style& style);

/// What is said of a server that does not serve, and nothing else.
std::string not_served_part(const Check& check, const Style& style);

}  // namespace cutline::report
