// lab.cc: `cutline lab`: a server that can be everything.
#include "cli/commands.h"
#include "lab/settings.h"
#include "run/lab_host.h"
#include "sys/files.h"

namespace cutline::cli {
namespace {

constexpr std::size_t kConfigBytesMax = std::size_t{1} << 20;

}  // namespace

Result<int> run_lab(const LabRequest& request) {
  lab::Settings settings;
  if (request.config_file) {
    CUTLINE_TRY_ASSIGN(const std::string toml,
                       sys::read_file(*request.config_file, kConfigBytesMax));
    CUTLINE_TRY(lab::apply_toml(settings, toml, *request.config_file));
  }
  for (const auto& [key, value] : request.settings) CUTLINE_TRY(lab::set(settings, key, value));
  return run::serve_lab(settings);
}

}  // namespace cutline::cli
