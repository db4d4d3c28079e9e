// problem.h: what went wrong, as a value.
//
// Expected failures (a file that is not there, a server that answers nonsense) are values that
// travel up to whoever can tell a person about them. A Problem names the thing, the place and what
// to do, so that the one who prints it adds nothing but colour.
#pragma once

#include <string>

namespace cutline {

/// Who has to act on a problem. The exit code follows from it (docs/exit-codes in the README).
enum class Blame {
  kUsage,     // wrong usage or unreadable input: exit 2
  kMissing,   // something needed is missing or failed (a server, a file to write): exit 3
  kInternal,  // our own fault: exit 4
};

struct Problem {
  std::string code;     // stable and dotted, e.g. "config.toml.syntax"
  std::string message;  // one sentence for a person, without the final full stop
  std::string place;    // "FILE:LINE:COLUMN", an option, a command; empty when there is none
  std::string hint;     // what to do; empty when the message says it
  Blame blame = Blame::kUsage;
  int signal = 0;  // that interrupted it: the exit code is 128 + SIGNAL, whoever is to blame
};

/// "place: message" and, on a line of its own, "hint: …": the form that every command prints.
std::string to_text(const Problem& problem);

}  // namespace cutline
