// campaign_test.cc: the cells of an experiment: jobs, failing ones, and going on after an
// interrupt, SIGTERM or kill -9 in the middle.
#include "run/campaign.h"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>

#include "run/campaign_fixture.h"
#include "run/cell_fixture.h"

namespace cutline::run {

namespace {

constexpr std::size_t kExperimentBytesMax = 1 << 20;
constexpr const char* kVersion = "2.1.285";

CampaignOptions options_with(std::size_t jobs) {
  CampaignOptions options;
  options.jobs = jobs;
  options.program = own_program();
  options.program_name = "cutline test";
  options.path = std::getenv("PATH");
  return options;
}

}  // namespace

int be_campaign(const std::vector<std::string>& words) {
  const auto run = [&]() -> Result<int> {
    CUTLINE_TRY_ASSIGN(const std::string toml, sys::read_file(words.at(0), kExperimentBytesMax));
    CUTLINE_TRY_ASSIGN(const Experiment experiment, read_experiment(toml, words.at(0)));
    CUTLINE_TRY_ASSIGN(store::EvidenceStore store, store::EvidenceStore::open(words.at(1)));
    CampaignOptions options = options_with(std::stoul(words.at(3)));
    options.again = words.size() > 4;
    const std::vector<ClientFolder> folders = {
        {.client = "claude-code", .version = kVersion, .folder = words.at(2)}};
    CUTLINE_TRY_ASSIGN(
        const CampaignEnd end,
        run_campaign(experiment, folders, store, options, [](const CampaignProgress& progress) {
          if (!progress.finished.empty()) std::printf("%s\n", progress.finished.c_str());
          std::fflush(stdout);
        }));
    return end.interrupted_by == 0 ? 0 : 128 + end.interrupted_by;
  };
  const Result<int> code = run();
  if (!code) std::fprintf(stderr, "%s\n", to_text(code.error()).c_str());
  return code.value_or(77);
}

namespace {

using store::CellStatus;
using testing::ElementsAre;
using testing::HasSubstr;

class CampaignTest : public CellTest {
 protected:
  void SetUp() override {
    CellTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    folders_ = install_fake_client(path("clients"), kVersion);
    store_.emplace(store::EvidenceStore::open(path("store.db")).value());
  }

  /// A cell of each name that does what stands beside it, after noting that it was begun.
  using Acts = std::vector<std::pair<std::string, std::string>>;
  std::string toml(const Acts& cells) const {
    std::string out = fmt::format(
        "name = 'campaign'\nclients = ['claude-code@{}']\nprompt = 'Which words?'\ntimeout_s = 60\n"
        "servers = [{{ name = 'lab', lab = {{ instructions = 'english:1000' }} }}]\n",
        kVersion);
    for (const auto& [name, acts] : cells)
      out += fmt::format(
          "[[cells]]\nname = '{0}'\nvariables = {{ FAKE_CLIENT = 'note:{1}={0} {2}' }}\n", name,
          path("begun"), acts);
    return out;
  }
  std::string begun() const {
    std::string text = sys::read_file(path("begun"), kExperimentBytesMax).value_or("");
    std::ranges::replace(text, '\n', ' ');
    return text;
  }

  CampaignEnd run(
      const Experiment& experiment, const CampaignOptions& options,
      const std::function<void(const CampaignProgress&)>& progress = [](const auto&) {}) {
    const Result<CampaignEnd> end = run_campaign(experiment, folders_, *store_, options, progress);
    EXPECT_TRUE(end) << (end ? "" : to_text(end.error()));
    return end.value_or(CampaignEnd{});
  }
  std::vector<CellStatus> statuses(std::int64_t run) {
    std::vector<CellStatus> all;
    const std::vector<store::Cell> cells = store_->cells(run).value();
    for (const store::Cell& cell : cells) all.push_back(cell.status);
    return all;
  }

  std::vector<ClientFolder> folders_;
  std::optional<store::EvidenceStore> store_;
};

Experiment read(const std::string& toml) { return read_experiment(toml, "/tmp/test.toml").value(); }

TEST_F(CampaignTest, EveryCellIsStoredWithAllThatItLeft) {
  const Experiment experiment = read(toml({{"one", "servers ask"}, {"two", "servers ask ask"}}));
  const CampaignEnd end = run(experiment, options_with(1));
  EXPECT_EQ(end.interrupted_by, 0);
  EXPECT_EQ(begun(), "one two ");
  const std::vector<store::Cell> cells = store_->cells(end.run).value();
  ASSERT_EQ(cells.size(), 2U);
  EXPECT_EQ(cells[1].key, "two claude-code@2.1.285 #1");
  EXPECT_EQ(cells[1].status, CellStatus::kDone);
  EXPECT_EQ(cells[1].exit_code, 0);
  EXPECT_THAT(cells[1].settings, HasSubstr("\"isolated\":true"));
  EXPECT_EQ(store_->requests(cells[1].id).value().size(), 2U);
  EXPECT_THAT(store_->requests(cells[1].id).value()[1].answer, HasSubstr("BEGIN="));
  EXPECT_FALSE(store_->messages(cells[1].id).value().empty());
  EXPECT_THAT(store_->file_names(cells[1].id).value(), testing::Contains("stdout"));
}

TEST_F(CampaignTest, AsManyRunAtATimeAsThereAreJobs) {
  Acts acts;
  for (int i = 0; i < 7; ++i) acts.emplace_back(fmt::format("cell-{}", i), "servers ask");
  const Experiment experiment = read(toml(acts));
  std::size_t most = 0, last_done = 0, told = 0;
  const CampaignEnd end = run(experiment, options_with(3), [&](const CampaignProgress& progress) {
    EXPECT_EQ(progress.cells, 7U);
    most = std::max(most, progress.running);
    EXPECT_GE(progress.done, last_done);
    last_done = progress.done;
    told += !progress.finished.empty();
  });
  EXPECT_EQ(most, 3U);
  EXPECT_EQ(last_done, 7U);
  EXPECT_EQ(told, 7U);
  EXPECT_THAT(statuses(end.run), testing::Each(CellStatus::kDone));
}

TEST_F(CampaignTest, OneThatFailsKeepsNoneFromRunningAndIsRunAgain) {
  const std::string hangs_once = "servers ask once:" + path("flag") + " hang";
  std::string text = toml({{"slow", hangs_once}, {"good", "servers ask"}});
  text.replace(text.find("timeout_s = 60"), 14, "timeout_s = 1");
  const Experiment experiment = read(text);
  std::size_t failed = 0;
  const CampaignEnd first = run(experiment, options_with(1), [&](const CampaignProgress& progress) {
    failed = progress.failed;
  });
  EXPECT_EQ(failed, 1U);
  EXPECT_THAT(statuses(first.run), ElementsAre(CellStatus::kFailed, CellStatus::kDone));
  EXPECT_THAT(store_->cells(first.run).value()[0].problem, HasSubstr("within 1 s"));

  const CampaignEnd second = run(experiment, options_with(1));
  EXPECT_EQ(second.run, first.run);
  EXPECT_EQ(begun(), "slow good slow ");
  EXPECT_THAT(statuses(first.run), testing::Each(CellStatus::kDone));
}

TEST_F(CampaignTest, WhatIsStoredIsRunAgainOnlyOnDemandOrWhenTheFileHasChanged) {
  const Experiment experiment = read(toml({{"one", "servers ask"}}));
  const CampaignEnd first = run(experiment, options_with(1));
  EXPECT_EQ(run(experiment, options_with(1)).run, first.run);
  EXPECT_EQ(begun(), "one ");
  CampaignOptions again = options_with(1);
  again.again = true;
  EXPECT_NE(run(experiment, again).run, first.run);
  EXPECT_EQ(begun(), "one one ");
  EXPECT_EQ(store_->cells(first.run).value().size(), 1U) << "what there was is left alone";
  run(read(toml({{"one", "servers ask"}}) + "# another file\n"), options_with(1));
  EXPECT_EQ(begun(), "one one one ");
}

TEST_F(CampaignTest, AStoreThatFailsIsAProblemAtOnce) {
  const Experiment experiment = read(toml({{"one", "servers ask"}}));
  // Somebody else has removed the tables.
  const std::string drop = "sqlite3 " + path("store.db") + " 'DROP TABLE cell'";
  if (std::system(drop.c_str()) != 0) GTEST_SKIP() << "there is no sqlite3";
  const Result<CampaignEnd> end =
      run_campaign(experiment, folders_, *store_, options_with(1), [](const auto&) {});
  ASSERT_FALSE(end);
  EXPECT_THAT(end.error().code, testing::StartsWith("store."));
}

// --- A program that is interrupted ---------------------------------------------------------------

class InterruptedCampaignTest : public CampaignTest, public testing::WithParamInterface<int> {
 protected:
  pid_t start(const Acts& acts) {
    std::ofstream(path("campaign.toml")) << toml(acts);
    std::vector<std::string> words = {own_program(),    "campaign",      path("campaign.toml"),
                                      path("store.db"), path("clients"), "2"};
    std::vector<char*> argv;
    argv.reserve(words.size() + 1);
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    pid_t pid = -1;
    EXPECT_EQ(::posix_spawn(&pid, argv[0], nullptr, nullptr, argv.data(), environ), 0);
    return pid;
  }
};

TEST_P(InterruptedCampaignTest, GoesOnWhereItWas) {
  const int signal = GetParam();
  const Held held(path("held"));
  const std::string once = "servers ask once:",
                    then = " deaf daemon hold:" + held.path() + " daemon hang";
  const Acts acts = {{"first", "servers ask"},
                     {"second", "servers ask"},
                     {"third", once + path("third-was-here") + then},
                     {"fourth", once + path("fourth-was-here") + then},
                     {"fifth", "servers ask"}};
  const pid_t pid = start(acts);
  EXPECT_TRUE(held.taken());
  EXPECT_TRUE(held.taken());
  ::kill(pid, signal);
  int status = 0;
  EXPECT_EQ(::waitpid(pid, &status, 0), pid);
  if (signal == SIGKILL)
    EXPECT_TRUE(WIFSIGNALED(status));
  else
    EXPECT_EQ(WEXITSTATUS(status), 128 + signal);
  EXPECT_TRUE(held.let_go()) << "something of the clients is left";

  const Experiment experiment = read(toml(acts));
  const auto known = store_->find_run(experiment.name, experiment.hash).value();
  ASSERT_TRUE(known);
  EXPECT_THAT(statuses(known->id), ElementsAre(CellStatus::kDone, CellStatus::kDone,
                                               CellStatus::kRunning, CellStatus::kRunning));
  const std::string before = begun();

  // The second start is this program itself.
  EXPECT_EQ(run(experiment, options_with(1)).run, known->id);
  EXPECT_EQ(begun(), before + "third fourth fifth ");
  const std::vector<store::Cell> cells = store_->cells(known->id).value();
  ASSERT_EQ(cells.size(), 5U);
  for (const store::Cell& cell : cells) {
    EXPECT_EQ(cell.status, CellStatus::kDone) << cell.key;
    EXPECT_EQ(store_->requests(cell.id).value().size(), 1U) << "left from the first start";
  }
}

INSTANTIATE_TEST_SUITE_P(By, InterruptedCampaignTest,
                         testing::Values(SIGINT, SIGTERM, SIGHUP, SIGKILL),
                         [](const testing::TestParamInfo<int>& by) {
                           return std::string(sigabbrev_np(by.param));
                         });

// --- Clients -------------------------------------------------------------------------------------

class InstallClientsTest : public testing::Test {
 protected:
  void install(const std::string& version) const {
    ASSERT_TRUE(scratch_.write(
        fmt::format("claude-code@{}/cutline.json", version),
        fmt::format(R"({{"id":"claude-code","version":"{}","integrity":"sha512-x"}})", version)));
  }
  static ExperimentCell cell(std::string version, std::string client = "claude-code") {
    ExperimentCell cell;
    cell.name = "cell";
    cell.client = std::move(client);
    cell.version = std::move(version);
    return cell;
  }
  Result<std::vector<ClientFolder>> installed(std::vector<ExperimentCell>& cells) const {
    return install_clients(cells, {{.id = "claude-code", .name = "@zoo/claude"}},
                           Installs(scratch_.path()), [](std::string_view) {});
  }

  sys::Scratch scratch_ = sys::Scratch::make().value();
};

TEST_F(InstallClientsTest, NamesAFolderForEachClientOnce) {
  install("1.0.0");
  install("1.1.0");
  std::vector<ExperimentCell> cells = {cell("1.0.0"), cell("1.1.0"), cell("1.0.0")};
  cells[2].repeat = 2;
  const std::vector<ClientFolder> folders = installed(cells).value();
  ASSERT_EQ(folders.size(), 2U);
  EXPECT_EQ(folders[1].version, "1.1.0");
  EXPECT_EQ(folders[1].folder, scratch_.path() + "/claude-code@1.1.0");
  EXPECT_EQ(cells.size(), 3U);
}

TEST_F(InstallClientsTest, ACellThatIsTwiceTheSameVersionIsRunOnce) {
  install("1.0.0");
  ASSERT_TRUE(scratch_.write("bin/npm",
                             "#!/bin/sh\necho '{\"version\":\"1.0.0\","
                             "\"dist.integrity\":\"sha512-x\"}'\n"));
  std::filesystem::permissions(scratch_.path() + "/bin/npm", std::filesystem::perms::owner_all);
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", (scratch_.path() + "/bin:" + path).c_str(), 1);
  std::vector<ExperimentCell> cells = {cell("1.0.0"), cell("latest")};
  const auto folders = installed(cells);
  ::setenv("PATH", path.c_str(), 1);
  EXPECT_TRUE(folders) << to_text(folders.error());
  ASSERT_EQ(cells.size(), 1U);
  EXPECT_EQ(cells[0].version, "1.0.0");
}

TEST_F(InstallClientsTest, AClientWithoutAPackageIsAProblem) {
  std::vector<ExperimentCell> cells = {cell("1.0.0", "nobody")};
  EXPECT_EQ(installed(cells).error().code, "run.client");
}

}  // namespace
}  // namespace cutline::run
