// text_bench.cc: MB/s of measuring, cutting and segmenting 10 MB of text.
//
// "cut/whole" has a budget just under the length and so reads everything; "cut/2048" is the usual
// one, which does not depend on the length, and is given as time alone, as is the look-up of the
// sentence at a place.
#include <benchmark/benchmark.h>

#include "text/cut.h"
#include "text/sample.h"
#include "text/structure.h"
#include "text/terminal.h"
#include "text/utf8.h"

namespace cutline::text {
namespace {

constexpr std::size_t kBytes = 10'000'000;
constexpr std::size_t kUsualBudget = 2048;

/// About 10 MB: a sample text has up to three bytes a unit.
const std::string& text_of(SampleKind kind) {
  static const std::string english = sample(SampleKind::kEnglish, kBytes, "bench").value();
  static const std::string japanese = sample(SampleKind::kJapanese, kBytes / 3, "bench").value();
  static const std::string mixed = sample(SampleKind::kMixed, kBytes * 2 / 3, "bench").value();
  return kind == SampleKind::kEnglish ? english : kind == SampleKind::kJapanese ? japanese : mixed;
}

/// What ICU has to decide cluster by cluster: accents, families, flags.
const std::string& joined_text() {
  static const std::string text = [] {
    std::string out;
    while (out.size() < kBytes) out += "e\u0301 👨\u200d👩\u200d👧 🇯🇵🇨🇭 न\u093fद\u0940 ";
    return out;
  }();
  return text;
}

template <class Work>
void run(benchmark::State& state, const std::string& text, Work work) {
  for (auto _ : state) benchmark::DoNotOptimize(work(text));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}

void bench_cut(benchmark::State& state, const std::string& text, const Budget& budget) {
  const Place whole = measure(text);
  for (auto _ : state) benchmark::DoNotOptimize(cut(text, whole, budget));
  if (budget.size > kUsualBudget)
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}

/// One look-up at each sentence of the text's beginning. A report asks for a few sentences of a
/// text, never for all, so that the items matter; the bytes are those that were walked.
void bench_sentences(benchmark::State& state, const std::string& text) {
  constexpr std::size_t kWalked = 50'000;
  std::int64_t looked_up = 0;
  for (auto _ : state)
    for (ByteOffset at; at.value < kWalked; at = sentence_at(text, at).end) ++looked_up;
  state.SetItemsProcessed(looked_up);
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(kWalked));
}

/// Headings, items and fences as server authors write them.
const std::string& markdown_text() {
  static const std::string text = [] {
    std::string out;
    while (out.size() < kBytes)
      out += "## Counting\n\nCount a bin before you move it.\n\n- green book\n  1. night\n\n" +
             std::string("```js\nfind_part(7)\n```\n\nSprings are kept by wire width.\n\n");
    return out;
  }();
  return text;
}

void bench_outline(benchmark::State& state) {
  std::vector<std::string> names;
  for (int i = 0; i < 1000; ++i) names.push_back("find_part_" + std::to_string(i));
  run(state, markdown_text(), [&](const std::string& t) { return outline_of(t, names); });
}

void add(const std::string& name, const std::string& text) {
  const auto bench = [&name, &text](const std::string& what, auto work) {
    benchmark::RegisterBenchmark((what + "/" + name).c_str(),
                                 [&text, work](benchmark::State& s) { run(s, text, work); });
  };
  bench("measure", [](const std::string& t) { return measure(t); });
  bench("validate", [](const std::string& t) { return is_valid_utf8(t); });
  bench("graphemes", [](const std::string& t) { return length(t, Unit::kGraphemes); });
  bench("sanitise", [](const std::string& t) { return sanitise(t); });
  bench("columns", [](const std::string& t) { return columns(t); });
  bench("blocks", [](const std::string& t) { return blocks(t); });
  for (const Unit unit : {Unit::kUtf16, Unit::kCodePoints, Unit::kBytes, Unit::kGraphemes}) {
    for (const std::size_t size : {kUsualBudget, length(text, unit) - 1}) {
      const Budget budget{.size = size, .unit = unit, .marker = "… [truncated]"};
      const std::string what = size == kUsualBudget ? "cut/2048/" : "cut/whole/";
      benchmark::RegisterBenchmark(
          (what + std::string(cutline::text::name(unit)) + "/" + name).c_str(),
          [&text, budget](benchmark::State& s) { bench_cut(s, text, budget); });
    }
  }
  benchmark::RegisterBenchmark(("sentences/" + name).c_str(),
                               [&text](benchmark::State& s) { bench_sentences(s, text); });
}

const bool registered = [] {
  add("english", text_of(SampleKind::kEnglish));
  add("japanese", text_of(SampleKind::kJapanese));
  add("mixed", text_of(SampleKind::kMixed));
  add("joined", joined_text());
  add("markdown", markdown_text());
  benchmark::RegisterBenchmark("outline/1000-names", bench_outline);
  return true;
}();

}  // namespace
}  // namespace cutline::text
