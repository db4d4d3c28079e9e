// agreement.h: whether the other evidence of a cell says the same as the requests on the wire.
#pragma once

#include <optional>

#include "run/evaluate.h"

namespace cutline::run {

/// Nothing where that evidence is not there, or says nothing of it.
struct Agreement {
  bool ideal_reader = false;  // reads the same from what arrived alone as from the whole request
  std::optional<bool> transcript;
  std::optional<bool> debug_log;
  bool server_log = false;  // what arrived begins with what the server's own record has it send
};
Agreement agreement_of(const Evaluation& evaluation);

}  // namespace cutline::run
