// judge.cc: evaluations of stored cells, held against what the experiment expects.
#include "run/judge.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "base/number.h"
#include "base/sha256.h"

namespace cutline::run {
namespace {

class Expected {
 public:
  explicit Expected(std::vector<std::string>& unmet) : unmet_(unmet) {}

  void same(std::string_view what, const std::optional<std::string>& wanted,
            const std::string& found) {
    if (wanted && *wanted != found)
      unmet_.push_back(fmt::format("{} is '{}', not '{}'", what, found, *wanted));
  }
  void same(std::string_view what, const std::optional<std::size_t>& wanted, std::size_t found) {
    if (wanted && *wanted != found)
      unmet_.push_back(fmt::format("{} is {}, not {}", what,
                                   with_separators(static_cast<std::int64_t>(found)),
                                   with_separators(static_cast<std::int64_t>(*wanted))));
  }

 private:
  std::vector<std::string>& unmet_;
};

void hold_to_expectation(Judged& judged) {
  const Expectation& expect = judged.cell->expect;
  const Evaluation& evaluation = *judged.evaluation;
  Expected expected(judged.unmet);
  expected.same("handshake", expect.handshake, evaluation.measured.handshake);
  expected.same("answer", expect.answer, evaluation.conversed.back().ideal_answer);
  expected.same("later", expect.later,
                evaluation.later.empty() ? std::string("nothing") : evaluation.later.front().sends);
  if (evaluation.servers.empty()) return;
  const delivery::Delivered* piece =
      evaluation.measured.instructions(evaluation.servers.front().name);
  const bool arrives = piece && piece->arrives();
  expected.same("state", expect.state,
                std::string(delivery::name(piece ? piece->state : delivery::State::kNever)));
  expected.same("kept", expect.kept, arrives ? text::measure(piece->kept).utf16.value : 0);
  expected.same("request", expect.request, arrives ? piece->request : 0);
  expected.same("place", expect.place, arrives ? piece->where.role : std::string());
}

Result<void> evaluate_cell(const store::Cell& row, store::EvidenceStore& store,
                           const std::vector<delivery::Profile>& profiles, Judged& judged) {
  const ExperimentCell& cell = *judged.cell;
  judged.id = row.id;
  judged.problem = row.problem;
  judged.wall_s = static_cast<double>(row.wall_us) / 1e6;
  CUTLINE_TRY_ASSIGN(const std::vector<store::Request> requests, store.requests(row.id));
  judged.requests = requests.size();
  if (!judged.problem.empty()) return {};
  CUTLINE_TRY_ASSIGN(const std::vector<store::Message> messages, store.messages(row.id));
  std::vector<store::File> files;
  CUTLINE_TRY_ASSIGN(const std::vector<std::string> names, store.file_names(row.id));
  for (const std::string& name : names) {
    CUTLINE_TRY_ASSIGN(auto bytes, store.file(row.id, name));
    files.push_back({.name = name, .bytes = std::move(bytes).value_or("")});
  }
  EvaluationInput input;
  const auto profile = std::ranges::find(profiles, cell.client, &delivery::Profile::id);
  if (profile == profiles.end()) {
    judged.problem = fmt::format("there is no profile of {}", cell.client);
    return {};
  }
  input.profile = &*profile;
  input.adapter = adapter_named(cell.client);
  input.version = Version::parse(cell.version).value();
  input.situation = {.model = cell.model,
                     .session = delivery::Session::kCustomEndpoint,
                     .interactive = cell.sessions.front().interactive,
                     .variables = cell.variables,
                     .settings = cell.settings};
  input.resumed = cell.sessions.back().resume;
  for (const Session& session : cell.sessions) {
    input.prompts.push_back(session.script.prompt);
    for (const PlannedServer& server : session.servers)
      if (std::ranges::find(input.servers, server.name) == input.servers.end())
        input.servers.push_back(server.name);
  }
  input.requests = requests;
  input.messages = messages;
  input.files = files;
  Result<std::unique_ptr<Evaluation>> evaluation = evaluate(input);
  if (!evaluation) {
    judged.problem = to_text(evaluation.error());
    return {};
  }
  judged.evaluation = *std::move(evaluation);
  if (!judged.evaluation->stopped) {
    const std::size_t first = judged.evaluation->conversed.front().sequence;
    judged.first_request_hash = sha256_hex(without_run_marks(requests[first].body));
  }
  for (const ServerEvidence& server : judged.evaluation->servers) {
    if (!server.not_served || !judged.problem.empty()) continue;
    judged.problem =
        fmt::format("the server '{}' did not serve: {}", server.name, server.not_served->words);
  }
  if (judged.problem.empty()) hold_to_expectation(judged);
  return {};
}

/// Cells that differ in nothing but their repeat.
std::string group_of(const ExperimentCell& cell) {
  ExperimentCell first = cell;
  first.repeat = 0;
  return first.key();
}

void compare_repeats(std::vector<Judged>& judged) {
  std::map<std::string, std::vector<Judged*>> groups;
  for (Judged& one : judged)
    if (one.evaluation) groups[group_of(*one.cell)].push_back(&one);
  for (auto& [key, group] : groups) {
    if (group.size() < 2) continue;
    const bool alike = std::ranges::all_of(group, [&](const Judged* one) {
      return one->first_request_hash == group.front()->first_request_hash;
    });
    for (Judged* one : group) one->repeats_alike = alike;
  }
}

// --- What differs from run to run ----------------------------------------------------------------

bool is_hex(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name(char c) { return is_hex(c) || (c >= 'g' && c <= 'z') || (c >= 'G' && c <= 'Z'); }

constexpr std::size_t kLongHex = 16;
constexpr std::string_view kScratch = "cutline-", kDate = "0000-00-00", kTimeSigns = "T:.Z";
constexpr std::string_view kUuid = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";

/// '0' is any digit in a form, 'x' any hexadecimal one.
bool has_form(std::string_view text, std::string_view form) {
  return text.size() >= form.size() &&
         std::ranges::equal(form, text.substr(0, form.size()), [](char sign, char c) {
           if (sign == '0') return is_digit(c);
           return sign == 'x' ? is_hex(c) : sign == c;
         });
}

template <class Is>
std::size_t run_of(std::string_view text, std::size_t from, const Is& is) {
  while (from < text.size() && is(text[from])) ++from;
  return from;
}

/// The length of the mark that `rest` begins with; 0 if it begins with none. What it looks at
/// is either a mark, within a bound, or one word: so all calls together are linear.
std::size_t mark_length(std::string_view rest) {
  if (rest.starts_with(kScratch)) return run_of(rest, kScratch.size(), is_name);
  std::size_t end = 0;
  if (has_form(rest, kDate)) {  // perhaps with a time: 2026-12-01T05:41:13.250Z
    const auto of_time = [](char c) {
      return is_digit(c) || kTimeSigns.find(c) != kTimeSigns.npos;
    };
    end = kDate.size();
    if (end < rest.size() && rest[end] == 'T') end = run_of(rest, end, of_time);
  } else if (has_form(rest, kUuid)) {
    end = kUuid.size();
  } else {
    end = run_of(rest, 0, is_hex);
    if (end < kLongHex) return 0;
  }
  return end < rest.size() && is_name(rest[end]) ? 0 : end;
}

}  // namespace

std::string without_run_marks(std::string_view body) {
  std::string out;
  out.reserve(body.size());
  for (std::size_t at = 0; at < body.size();) {
    const bool inside_word = at > 0 && is_name(body[at - 1]);
    const std::size_t length = inside_word ? 0 : mark_length(body.substr(at));
    if (length == 0) {
      out += body[at++];
    } else {
      out += '*';
      at += length;
    }
  }
  return out;
}

Result<std::vector<Judged>> judge(const Experiment& experiment, std::int64_t run,
                                  store::EvidenceStore& store,
                                  const std::vector<delivery::Profile>& profiles) {
  CUTLINE_TRY_ASSIGN(const std::vector<store::Cell> rows, store.cells(run));
  std::vector<Judged> all;
  for (const ExperimentCell& cell : experiment.cells) {
    Judged judged;
    judged.cell = &cell;
    const auto row = std::ranges::find(rows, cell.key(), &store::Cell::key);
    if (row == rows.end()) {
      judged.problem = "it was not run";
    } else {
      CUTLINE_TRY(evaluate_cell(*row, store, profiles, judged));
    }
    all.push_back(std::move(judged));
  }
  compare_repeats(all);
  return all;
}

}  // namespace cutline::run
