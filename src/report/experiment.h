// experiment.h: what an experiment has found, as rows, in three forms.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "delivery/compare.h"
#include "delivery/delivery.h"
#include "report/style.h"

namespace cutline::report {

struct ExperimentRow {
  std::string key;          // names the cell within the experiment
  std::string cell, about;  // "limit-25000", one line
  std::string client, version, model;
  std::vector<std::string> choices;  // of the matrix
  std::size_t repeat = 1;
  std::string problem;  // why there is nothing to show; empty if there is

  double wall_s = 0;
  std::size_t requests = 0, conversation = 0;
  std::size_t first_request_bytes = 0;
  std::size_t first_request_rough_tokens = 0;  // bytes / 4: rough
  const delivery::Delivery* measured = nullptr;
  const delivery::Comparison* comparison = nullptr;
  std::string era;
  std::string answer;  // of the ideal reader of the last request
  std::string later;   // which texts a later session, or a server that came back, stands for
  std::size_t others = 0, others_with_text = 0;  // requests of sub-agents, and those with the text
  std::vector<std::pair<std::string, std::string>> reported;  // what somebody else has found

  // The other evidence, held against the wire; nothing: there is none.
  std::optional<bool> ideal_reader_agrees, transcript_agrees, debug_log_agrees, server_log_agrees;
  bool stdout_tells = false, stderr_tells = false, debug_log_tells = false;
  std::optional<bool> repeats_alike;
  std::vector<std::string> unmet;  // of what the experiment's file expects

  /// Of what the cell asks the profile knows nothing, which is not "as predicted".
  bool nothing_compared() const {
    return comparison && comparison->compared == 0 && comparison->equal();
  }
  bool well() const {
    return problem.empty() && comparison && comparison->equal() && !nothing_compared() &&
           unmet.empty();
  }
};

struct ExperimentReport {
  std::string program_version;  // of cutline
  std::string name, about;
  std::vector<std::string> notes;  // paragraphs about it
  std::string store;               // the file with the evidence
  std::vector<ExperimentRow> rows;
};

std::string experiment_text(const ExperimentReport& report, const Style& style);
/// docs/experiment.schema.json.
std::string experiment_json(const ExperimentReport& report);
/// Tables and sentences for docs/findings.
std::string experiment_markdown(const ExperimentReport& report);
/// 0, 1 if a cell differs from its prediction or expectation, 3 if one could not be run or nothing
/// of it was predicted.
int exit_code(const ExperimentReport& report);

}  // namespace cutline::report
