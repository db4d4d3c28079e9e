// experiment_rows.h: the words in the columns of an experiment's table. Internal to this room.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "report/experiment.h"

namespace cutline::report {

struct ExperimentLine {
  std::string cell;         // with the choices of the matrix, and how often it was repeated
  std::string client;       // "claude-code@2.1.285"
  std::string reached;      // "2,048 of 5,000 + marker", "all 1,000", "nothing"
  std::string lands;        // "user-reminder, request 2"
  std::string handshake;    // "server/discover, then initialize"
  std::string answer;       // of the ideal reader
  std::string first_bytes;  // of the first request
  std::string predicted;    // "yes", "NO", "partly", "nothing"
  std::string agree;        // "reader, transcript, NOT debug log"
  std::string told;         // "debug log", "nobody", ""
  std::string alike;        // "yes", "NO", ""
  std::string era = {};     // "legacy"
  std::string tools = {};   // "2,048 of 20,000 + marker, by search"
  std::string later = {};   // "old"
  std::string others = {};  // "2, none with the text"
  std::vector<std::pair<std::string, std::string>> reported = {};
  std::string reached_bytes = {};  // " (5,932 bytes)" where that is another number
  bool measured = true;
  bool well = true;
};

/// One line for repeats that look the same.
std::vector<ExperimentLine> experiment_lines(const ExperimentReport& report);

/// What is wrong with a row, one line each: differences, unmet expectations.
std::vector<std::string> row_troubles(const ExperimentRow& row);

}  // namespace cutline::report
