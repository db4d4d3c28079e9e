// verdict.h: whether text is lost for good in a version held to, and what to do first.
//
// Lost for good is what the server's author sent and this client can never show: cut off, refused
// for its name, said only in the other era, too late, or gone with a connection that fails. What a
// client leaves out by design, defers until it is asked for, or does with text that was never sent
// is no loss; nor is what we do not know. A connection that fails loses whatever the server
// offered, and fails for what the server sent where its instructions are no string.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/check.h"

namespace cutline::report {

/// Does a search for tools bring the whole of a text of which only a part stands at the start?
bool comes_by_search(const delivery::Delivered& piece);

/// By the piece alone; a connection that fails may lose more (see lost_in).
bool lost_for_good(const delivery::Delivered& piece);

/// The same with what the server offers besides: a connection that fails is a loss also where no
/// text stands in the piece, as where the instructions are a number.
bool lost_in(const Check& check, const CheckedGroup& group, const delivery::Delivered& piece);

/// Is there anything that a client could lose: instructions (of whatever type), a tool, a prompt?
bool offers_anything(const mcp::Offer& offer);

/// The answer of the server that the clients of the group use; null if it has none.
const mcp::EraOffer* answer_in(const Check& check, const CheckedGroup& group);

/// Is it not known, and no fact behind it that says more than that?
bool is_of_no_fact(const delivery::Delivered& piece);

/// The instructions of the checked server in a group; null if the delivery has none.
const delivery::Delivered* instructions_in(const Check& check, const CheckedGroup& group);
std::vector<const delivery::Delivered*> tools_in(const CheckedGroup& group);

/// Is a note on a switch worth a line on every screen: is the switch ignored, or is it not known
/// what it does?
bool is_told(const delivery::SwitchNote& note);
/// Is it not known? That is then all there is to say.
bool is_not_known(const delivery::SwitchNote& note);

struct Loss {
  const CheckedClient* client = nullptr;
  const CheckedGroup* group = nullptr;
  const delivery::Delivered* piece = nullptr;
  const mcp::EraOffer* answer = nullptr;  // of the server, that the client uses
};

/// All losses in versions held to, in the order of the check.
std::vector<Loss> losses(const Check& check);

/// The one thing to do first, as a sentence; nothing if there is nothing to do.
std::optional<std::string> first_step(const Check& check);

/// The exit code of `check`: 0, 1 for a loss, 3 if the server does not serve.
int exit_code(const Check& check);

}  // namespace cutline::report
