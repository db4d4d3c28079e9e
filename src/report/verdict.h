// verdict.h: whether text is lost for good in a version held to, and what to do first.
//
// Lost for good is what the server's author sent and this client can never show: cut off, refused
// for its name, said only in the other era, too late, or gone with a connection that fails. What a
// client leaves out by design, defers until it is asked for, or does with text that was never sent
// is no loss; nor is what we do not know.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/check.h"

namespace cutline::report {

bool lost_for_good(const delivery::Delivered& piece);

/// The instructions of the checked server in a group; null if the delivery has none.
const delivery::Delivered* instructions_in(const Check& check, const CheckedGroup& group);
std::vector<const delivery::Delivered*> tools_in(const CheckedGroup& group);

struct Loss {
  const CheckedClient* client = nullptr;
  const CheckedGroup* group = nullptr;
  const delivery::Delivered* piece = nullptr;
};

/// All losses in versions held to, in the order of the check.
std::vector<Loss> losses(const Check& check);

/// The one thing to do first, as a sentence; nothing if there is nothing to do.
std::optional<std::string> first_step(const Check& check);

/// The exit code of `check`: 0, 1 for a loss, 3 if the server does not serve.
int exit_code(const Check& check);

}  // namespace cutline::report
