// output.cc: standard output and --output files.
#include "cli/output.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "cli/terminal.h"
#include "sys/files.h"

namespace cutline::cli {
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
  return deliver_output(output, [&](Format format, const report::Style& style,
                                    const json::Sink& /*sink*/) { return render(format, style); });
}

Result<void> deliver_output(const Output& output, const LongRenderer& render) {
  Result<void> done;
  const auto print_next = [&done](std::string_view piece) {
    if (done) done = print(piece);
  };
  print_next(render(output.format, style_of(Stream::kOutput, output.color), print_next));
  for (const std::string& file : output.files) {
    std::optional<Format> ending = format_of(file);
    if (ending == Format::kMarkdown && !output.has_markdown) ending.reset();
    const std::string result = render(ending.value_or(output.format), report::Style{}, {});
    Result<void> written = sys::write_file(file, result);
    if (done) done = std::move(written);
  }
  return done;
}

}  // namespace cutline::cli
