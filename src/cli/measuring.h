// measuring.h: what the commands that run real clients have in common.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/options.h"
#include "cli/profiles.h"
#include "report/experiment.h"
#include "report/measurement.h"
#include "run/campaign.h"
#include "run/judge.h"

namespace cutline::cli {

/// Jobs: nothing means one for each core. Problem "cli.self" if our own program cannot be found.
Result<run::CampaignOptions> campaign_options(const Measuring& measuring);

/// The file given, or EXPERIMENT.db in $XDG_STATE_HOME/cutline (~/.local/state/cutline), whose
/// folder is made.
Result<std::string> store_file(const std::optional<std::string>& given, const std::string& name);

/// The profiles of all clients that the cells name, in no particular order.
Result<std::vector<delivery::Profile>> profiles_of(const Shelf& shelf,
                                                   const std::vector<run::ExperimentCell>& cells);
/// A cell that asks for no model gets the one that its client would take, for clients that have to
/// be told one. Versions are those that are installed.
void fill_models(std::vector<run::ExperimentCell>& cells,
                 const std::vector<delivery::Profile>& profiles);
run::Package package_of(const delivery::Profile& profile);
std::vector<run::Package> packages_of(const std::vector<delivery::Profile>& profiles);

/// Installs the clients that the cells name, runs what is not stored yet into the file, and judges
/// all of it; what is judged points into `experiment` and `profiles`. Problem "cli.store.busy"
/// while another does the same, and one with a signal if that ended it early.
Result<std::vector<run::Judged>> measure_cells(run::Experiment& experiment,
                                               const std::vector<delivery::Profile>& profiles,
                                               const Measuring& measuring, const std::string& file);

/// A line on standard error about something that takes long.
void say(std::string_view line);

/// "12/20 cells, 2 running, 0 failed, 14 s left", on a terminal; nothing elsewhere.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine();  // wipes it out
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  void show(const run::CampaignProgress& progress);

 private:
  bool shown_ = false;
  double wall_s_ = 0;
  std::size_t measured_ = 0;
};

/// Views into `judged` and `profile`, which must outlive it.
report::Measurement measurement_of(const run::Judged& judged, const delivery::Profile& profile,
                                   bool isolated);
report::ExperimentRow row_of(const run::Judged& judged);

}  // namespace cutline::cli
