// output.cc: standard output and --output files.
#include "cli/output.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "cli/terminal.h"
#include "sys/files.h"

namespace cutline::cli {
namespace {

Format format_of(const std::string& file, Format otherwise) {
  if (file.ends_with(".json")) return Format::kJson;
  if (file.ends_with(".txt")) return Format::kText;
  return otherwise;
}

}  // namespace

Result<void> print(std::string_view bytes) {
  errno = 0;
  const bool written = std::fwrite(bytes.data(), 1, bytes.size(), stdout) == bytes.size() &&
                       std::fflush(stdout) == 0;
  if (written || errno == EPIPE) return {};
  return fail({.code = "cli.stdout",
               .message = std::string("writing failed: ") + std::strerror(errno),
               .place = "standard output",
               .hint = {},
               .blame = Blame::kMissing});
}

Result<void> deliver_output(const Output& output, const Renderer& render) {
  for (const std::string& file : output.files) {
    const std::string result = render(format_of(file, output.format), report::Style{});
    CUTLINE_TRY(sys::write_file(file, result));
  }
  return print(render(output.format, style_of(Stream::kOutput, output.color)));
}

}  // namespace cutline::cli
