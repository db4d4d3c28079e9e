// campaign.h: running the cells of an experiment, several at a time, each stored before the next of
// its slot begins.
//
// A start that was killed leaves finished cells behind; the next one goes on with the others, as
// long as the experiment's file is the same to the byte.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "run/experiment.h"
#include "run/installs.h"
#include "store/evidence.h"

namespace cutline::run {

struct CampaignOptions {
  std::size_t jobs = 1;
  bool isolated = true;
  bool again = false;        // leaves stored cells alone and runs all anew
  std::string program;       // cutline itself
  std::string program_name;  // "cutline 0.1.0", for the record
  std::string path;          // PATH of the clients
};

/// For a progress bar.
struct CampaignProgress {
  std::size_t cells = 0, done = 0, running = 0, failed = 0;
  std::string finished;  // the key of the cell that has just ended; empty at other times
  double wall_s = 0;     // of that cell
};

struct CampaignEnd {
  std::int64_t run = 0;
  int interrupted_by = 0;
};

/// Where each client that the cells name is installed; "latest" is resolved in the cells, and one
/// that is there twice then goes.
/// Problems of run/installs.h and "run.client" if there is no such package.
struct ClientFolder {
  std::string client, version, folder;
  std::string node = {};  // a folder with a `node` for it; empty: the machine's own will do
};
Result<std::vector<ClientFolder>> install_clients(
    std::vector<ExperimentCell>& cells, const std::vector<Package>& packages,
    const Installs& installs, const std::function<void(std::string_view)>& says);

/// Problems are about the store and this machine ("sys.sandbox"); what goes wrong in a cell is
/// stored with it. SIGINT, SIGTERM and SIGHUP end it early.
Result<CampaignEnd> run_campaign(const Experiment& experiment,
                                 const std::vector<ClientFolder>& folders,
                                 store::EvidenceStore& store, const CampaignOptions& options,
                                 const std::function<void(const CampaignProgress&)>& progress);

}  // namespace cutline::run
