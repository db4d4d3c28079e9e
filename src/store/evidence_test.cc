// evidence_test.cc: what is written is read back, whatever its bytes; and what was acknowledged is
// still there after the worst.
#include "store/evidence.h"

#include <csignal>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace cutline::store {
namespace {

using namespace std::string_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string kHostile = "a\0b\xff\xfe\xed\xa0\x80'\";--\r\n\x1b[31m"s;

class Evidence : public testing::Test {
 protected:
  Evidence() {
    std::string name = testing::TempDir() + "cutline-evidence-XXXXXX";
    folder_ = mkdtemp(name.data());
    path_ = folder_ + "/evidence.db";
  }
  ~Evidence() override { std::filesystem::remove_all(folder_); }
  Evidence(const Evidence&) = delete;
  Evidence& operator=(const Evidence&) = delete;

  static EvidenceStore opened(const std::string& path) {
    Result<EvidenceStore> store = EvidenceStore::open(path);
    EXPECT_TRUE(store) << to_text(store.error());
    return *std::move(store);
  }

  std::string folder_, path_;
};

Run lab_run(std::string hash = "h1") {
  return {.id = 0,
          .name = "lab",
          .hash = std::move(hash),
          .definition = kHostile,
          .started_at = "2026-12-01T00:00:00Z",
          .program = "cutline 0.1.0"};
}

Request request(std::string body, std::string answer = {}) {
  return {.at_us = 7,
          .method = "POST",
          .target = "/v1/messages?" + kHostile,
          .headers = "{}",
          .body = std::move(body),
          .answer = std::move(answer),
          .problem = kHostile};
}

Cell done(std::int64_t id) {
  Cell cell;
  cell.id = id;
  cell.status = CellStatus::kDone;
  return cell;
}

TEST_F(Evidence, RunsAreFoundByNameAndHash) {
  EvidenceStore store = opened(path_);
  EXPECT_FALSE(store.find_run("lab", "h1").value().has_value());
  const std::int64_t first = store.begin_run(lab_run()).value();
  const std::int64_t second = store.begin_run(lab_run()).value();
  store.begin_run(lab_run("h2")).value();
  EXPECT_NE(first, second);
  const store::Run found = store.find_run("lab", "h1").value().value();
  EXPECT_EQ(found.id, second);
  EXPECT_EQ(found.definition, kHostile);
  EXPECT_EQ(found.started_at, "2026-12-01T00:00:00Z");
  EXPECT_EQ(found.program, "cutline 0.1.0");
  EXPECT_FALSE(store.find_run("lab", "h3").value().has_value());
  EXPECT_EQ(store.runs().value().size(), 3u);
}

TEST_F(Evidence, EveryByteComesBack) {
  const std::string large(3'000'001, '\xfe');
  {
    EvidenceStore store = opened(path_);
    const std::int64_t run = store.begin_run(lab_run()).value();
    const std::int64_t cell = store.begin_cell(run, kHostile, "{\"a\":1}").value();
    ASSERT_TRUE(store.add_requests(cell, {request(kHostile), request(""), request(large, "{}")}));
    ASSERT_TRUE(store.add_requests(cell, {}));
    ASSERT_TRUE(store.add_requests(cell, {request("fourth")}));
    ASSERT_TRUE(store.add_requests(cell, {}, {{0, std::string(kHostile)}}));
    ASSERT_TRUE(store.add_requests(cell, {}, {{2, "later"}}));
    ASSERT_TRUE(store.finish_cell(
        {.id = cell,
         .key = {},
         .status = CellStatus::kDone,
         .settings = {},
         .wall_us = 5'000'000'000,
         .exit_code = 3,
         .signal = {},
         .problem = kHostile,
         .result = "{}"},
        {{.at_us = 2, .server = "lab", .process = 2, .direction = "server", .line = kHostile},
         {.at_us = 1, .server = "lab", .process = 1, .direction = "client", .line = large}},
        {{"stdout", kHostile}, {"debug.log", large}, {"empty", ""}}));
  }
  EvidenceStore store = opened(path_);
  const std::vector<Cell> cells = store.cells(store.runs().value().at(0).id).value();
  ASSERT_EQ(cells.size(), 1u);
  EXPECT_EQ(cells[0].key, kHostile);
  EXPECT_EQ(cells[0].status, CellStatus::kDone);
  EXPECT_EQ(cells[0].settings, "{\"a\":1}");
  EXPECT_EQ(cells[0].wall_us, 5'000'000'000);
  EXPECT_EQ(cells[0].exit_code, 3);
  EXPECT_EQ(cells[0].signal, std::nullopt);
  EXPECT_EQ(cells[0].problem, kHostile);
  const std::vector<Request> requests = store.requests(cells[0].id).value();
  ASSERT_EQ(requests.size(), 4u);
  EXPECT_EQ(requests[0].body, kHostile);
  EXPECT_EQ(requests[0].target, "/v1/messages?" + kHostile);
  EXPECT_EQ(requests[0].problem, kHostile);
  EXPECT_EQ(requests[0].answer, kHostile);
  EXPECT_EQ(requests[1].body, "");
  EXPECT_EQ(requests[1].answer, "");
  EXPECT_EQ(requests[2].body, large);
  EXPECT_EQ(requests[2].answer, "later");
  EXPECT_EQ(requests[3].body, "fourth");
  const std::vector<Message> messages = store.messages(cells[0].id).value();
  ASSERT_EQ(messages.size(), 2u);
  EXPECT_EQ(messages[0].line, large);
  EXPECT_EQ(messages[1].line, kHostile);
  EXPECT_EQ(messages[1].process, 2);
  EXPECT_THAT(store.file_names(cells[0].id).value(), ElementsAre("debug.log", "empty", "stdout"));
  EXPECT_EQ(store.file(cells[0].id, "stdout").value(), kHostile);
  EXPECT_EQ(store.file(cells[0].id, "debug.log").value(), large);
  EXPECT_EQ(store.file(cells[0].id, "empty").value(), "");
  EXPECT_EQ(store.file(cells[0].id, "none").value(), std::nullopt);
}

TEST_F(Evidence, ACellBegunAgainIsEmpty) {
  EvidenceStore store = opened(path_);
  const std::int64_t run = store.begin_run(lab_run()).value();
  const std::int64_t old = store.begin_cell(run, "a#1", "{}").value();
  const std::int64_t other = store.begin_cell(run, "a#2", "{}").value();
  ASSERT_TRUE(store.add_requests(old, {request("old", "answer")}));
  ASSERT_TRUE(store.add_requests(other, {request("other")}));
  ASSERT_TRUE(store.finish_cell(done(old), {{}}, {{"stdout", "x"}}));
  const std::int64_t fresh = store.begin_cell(run, "a#1", "{\"b\":2}").value();
  EXPECT_THAT(store.requests(fresh).value(), IsEmpty());
  EXPECT_THAT(store.messages(fresh).value(), IsEmpty());
  EXPECT_THAT(store.file_names(fresh).value(), IsEmpty());
  EXPECT_TRUE(old == fresh || store.requests(old).value().empty());
  EXPECT_EQ(store.requests(other).value().size(), 1u);
  EXPECT_EQ(store.cells(run).value().size(), 2u);
}

TEST_F(Evidence, WhatIsNotThereCannotBeAddedTo) {
  EvidenceStore store = opened(":memory:");
  EXPECT_EQ(store.add_requests(99, {request("x")}).error().code, "store.write");
  EXPECT_EQ(store.begin_cell(99, "a", "{}").error().code, "store.write");
  EXPECT_EQ(store.add_requests(99, {}, {{0, "x"}}).error().code, "store.write");
  EXPECT_EQ(store.finish_cell(done(99), {}, {}).error().code, "store.write");
  const std::int64_t run = store.begin_run(lab_run()).value();
  const std::int64_t cell = store.begin_cell(run, "a", "{}").value();
  // One file twice: nothing of the end is written.
  EXPECT_FALSE(store.finish_cell(done(cell), {{}}, {{"f", "1"}, {"f", "2"}}));
  EXPECT_THAT(store.messages(cell).value(), IsEmpty());
  EXPECT_EQ(store.cells(run).value().at(0).status, CellStatus::kRunning);
}

TEST_F(Evidence, KilledAtAnyTimeLosesOnlyTheTransactionUnderWay) {
  constexpr std::size_t kBatch = 10;
  int acknowledged[2];
  ASSERT_EQ(pipe(acknowledged), 0);
  const pid_t child = fork();
  if (child == 0) {
    EvidenceStore store = opened(path_);
    const std::int64_t run = store.begin_run(lab_run()).value();
    const std::int64_t cell = store.begin_cell(run, "a", "{}").value();
    const std::vector<Request> batch(kBatch, request(std::string(100'000, 'x')));
    while (store.add_requests(cell, batch) && write(acknowledged[1], "+", 1) == 1) continue;
    _exit(1);
  }
  close(acknowledged[1]);
  char sign = 0;
  std::size_t batches = 0;
  while (batches < 7 && read(acknowledged[0], &sign, 1) == 1) ++batches;
  kill(child, SIGKILL);
  while (read(acknowledged[0], &sign, 1) == 1) ++batches;
  close(acknowledged[0]);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));

  EvidenceStore store = opened(path_);
  const store::Run run = store.find_run("lab", "h1").value().value();
  const std::vector<Cell> cells = store.cells(run.id).value();
  ASSERT_EQ(cells.size(), 1u);
  EXPECT_EQ(cells[0].status, CellStatus::kRunning);
  const std::size_t kept = store.requests(cells[0].id).value().size();
  EXPECT_GE(batches, 7u);
  EXPECT_EQ(kept % kBatch, 0u);
  EXPECT_GE(kept, batches * kBatch);
  EXPECT_LE(kept, (batches + 1) * kBatch);
  EXPECT_TRUE(store.begin_cell(run.id, "a", "{}"));
}

#if !defined(__SANITIZE_ADDRESS__)  // whose own memory counts as ours
TEST_F(Evidence, AHundredMegabytesAreStreamed) {
  const pid_t child = fork();
  if (child == 0) {
    EvidenceStore store = opened(path_);
    const std::int64_t run = store.begin_run(lab_run()).value();
    const std::int64_t cell = store.begin_cell(run, "a", "{}").value();
    bool well = true;
    {
      std::vector<Request> requests(1, request(""));
      requests[0].body.assign(100'000'000, 'x');
      requests[0].body.back() = 'y';
      well = store.add_requests(cell, requests, {{0, "{}"}}).has_value();
    }
    const std::vector<Request> back = store.requests(cell).value();
    well = well && back.at(0).body.size() == 100'000'000 && back.at(0).body.back() == 'y';
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    _exit(well && used.ru_maxrss < 200'000 ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}
#endif

TEST_F(Evidence, TwoProcessesWriteAtOnce) {
  constexpr std::size_t kCells = 20;
  const auto fill = [&](std::string hash) {
    EvidenceStore store = opened(path_);
    const std::int64_t run = store.begin_run(lab_run(std::move(hash))).value();
    bool well = true;
    for (std::size_t i = 0; i < kCells; ++i) {
      const std::int64_t cell = store.begin_cell(run, std::to_string(i), "{}").value();
      well = well && store.add_requests(cell, {request("x"), request("y")});
      well = well && store.finish_cell(done(cell), {}, {{"stdout", "z"}});
    }
    return well;
  };
  const pid_t child = fork();
  if (child == 0) _exit(fill("theirs") ? 0 : 1);
  EXPECT_TRUE(fill("ours"));
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  EvidenceStore store = opened(path_);
  for (const std::string_view hash : {"ours", "theirs"}) {
    const store::Run run = store.find_run("lab", hash).value().value();
    EXPECT_EQ(store.cells(run.id).value().size(), kCells);
  }
}

TEST_F(Evidence, FilesThatCannotBeOpenedAreNamed) {
  std::ofstream(path_) << std::string(20'000, 'x');
  const Problem damaged = EvidenceStore::open(path_).error();
  EXPECT_EQ(damaged.code, "store.open");
  EXPECT_EQ(damaged.place, path_);
  EXPECT_THAT(damaged.message, HasSubstr("damaged"));
  // Even the superuser creates nothing there.
  const Problem denied = EvidenceStore::open("/proc/evidence.db").error();
  EXPECT_EQ(denied.code, "store.open");
  EXPECT_EQ(denied.place, "/proc/evidence.db");
  EXPECT_EQ(EvidenceStore::open(folder_ + "/none/evidence.db").error().code, "store.open");
  EXPECT_EQ(EvidenceStore::open(folder_).error().code, "store.open");
}

TEST_F(Evidence, AFolderThatIsOnlyReadIsNamed) {
  {
    opened(path_);
  }
  using std::filesystem::perms;
  std::filesystem::permissions(folder_, perms(0555));
  std::filesystem::permissions(path_, perms(0444));
  const auto refused = [](const std::string& path) {
    const auto store = EvidenceStore::open(path);
    return !store && store.error().code == "store.open";
  };
  const auto try_it = [&] {
    constexpr uid_t kNobody = 65534;  // the superuser may write everywhere
    if (geteuid() == 0 && setuid(kNobody) != 0) _exit(2);
    _exit(refused(folder_ + "/new.db") && refused(path_) ? 0 : 1);
  };
  EXPECT_EXIT(try_it(), testing::ExitedWithCode(0), "");
  std::filesystem::permissions(folder_, perms::owner_all);
}

TEST_F(Evidence, DamageInTheMiddleIsReported) {
  std::int64_t cell = 0;
  {
    EvidenceStore store = opened(path_);
    cell = store.begin_cell(store.begin_run(lab_run()).value(), "a", "{}").value();
    ASSERT_TRUE(
        store.add_requests(cell, std::vector<Request>(200, request(std::string(50'000, 'x')))));
  }
  std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(4096);  // behind the header's page, which also holds the schema
  const std::string rubbish(3'000'000, '\x55');
  file.write(rubbish.data(), static_cast<std::streamsize>(rubbish.size()));
  file.close();
  Result<EvidenceStore> store = EvidenceStore::open(path_);
  if (!store) {
    EXPECT_EQ(store.error().code, "store.open");
    return;
  }
  const Result<std::vector<Request>> requests = store->requests(cell);
  ASSERT_FALSE(requests);
  EXPECT_EQ(requests.error().code, "store.read");
  EXPECT_THAT(requests.error().message, HasSubstr("damaged"));
}

}  // namespace
}  // namespace cutline::store
