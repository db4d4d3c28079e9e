// ideal_reader.cc: the sample texts' codewords and markers, wherever a model could see them.
//
// A model reads the definitions of its tools first, then the system prompt, then the turns.
#include "llm/ideal_reader.h"

#include <optional>
#include <set>

#include <fmt/format.h>

#include "text/sample.h"

namespace cutline::llm {
namespace {

/// Each word once, joined by commas.
class Words {
 public:
  void add(const std::vector<std::string>& words) {
    for (const std::string& word : words) {
      if (!known_.insert(word).second) continue;
      if (!joined_.empty()) joined_ += ',';
      joined_ += word;
    }
  }
  std::string_view text() const { return joined_.empty() ? "NONE" : std::string_view(joined_); }

 private:
  std::set<std::string> known_;
  std::string joined_;
};

struct Notes {
  Words begins, ends;
  std::optional<std::size_t> last_marker;

  void read(std::string_view words) {
    const text::Seen seen = text::find_samples(words);
    begins.add(seen.begins);
    ends.add(seen.ends);
    if (seen.last_marker) last_marker = seen.last_marker->value;
  }
};

}  // namespace

std::string ideal_answer(const Request& request) {
  Notes notes;
  for (const Tool* tool : visible_tools(request)) {
    notes.read(tool->name);
    notes.read(tool->description);
    notes.read(tool->schema);
  }
  for (const Part& part : request.parts)
    if (part.role != Role::kAssistant) notes.read(part.text);
  return fmt::format("BEGIN={} END={} LAST={}", notes.begins.text(), notes.ends.text(),
                     notes.last_marker ? std::to_string(*notes.last_marker) : "NONE");
}

}  // namespace cutline::llm
