// lab_host.h: the lab server on this process's standard streams.
#pragma once

#include "base/result.h"
#include "lab/settings.h"

namespace cutline::run {

/// Serves until the end of standard input and of all that was still to be done then, or until the
/// settings say to exit; returns the exit code. Problems are those of the settings' files and log,
/// and "lab.client" if the client lets more pile up than any bound allows.
Result<int> serve_lab(const lab::Settings& settings);

}  // namespace cutline::run
