// instructions_words.h: what the screens of one client and of many say alike of instructions.
#pragma once

#include <string>

#include "report/check.h"
#include "report/style.h"
#include "text/structure.h"

namespace cutline::report {

/// The part's first lines: how long they are.
std::string instructions_head(const Check& check, const Style& style);

/// Did the server send any, of whatever type?
bool anything_sent(const mcp::Offer& offer);

/// Where they land, and how they came there if that matters for this server.
std::string lands_words(const CheckedGroup& group, const delivery::Delivered& piece,
                        bool eras_differ);

/// What a cut does to the text besides taking it, ", in a code block"; empty where it is an
/// ordinary one.
std::string cut_manner_words(const text::Cut& cut, const text::Loss& loss);

/// "2 headings (A and B), 3 list items"; with names only where `named`.
std::string unsaid_words(const text::Loss& loss, bool named);

/// What was lost with the tail of a piece that is cut, the names of the group's tools among it.
text::Loss loss_of(const CheckedGroup& group, const delivery::Delivered& piece);

}  // namespace cutline::report
