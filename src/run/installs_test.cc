// installs_test.cc: installing with an npm of our own, a few lines of shell, and once with the real
// one.
#include "run/installs.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/defer.h"
#include "run/npm.h"
#include "sys/files.h"

namespace cutline::run {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const Package kPackage = {.id = "parrot", .name = "@zoo/parrot"};
const Package kWithCage = {.id = "parrot", .name = "@zoo/parrot", .also = {"@zoo/cage@1.2.0"}};

/// Knows 1.0.0, 1.2.0 and 2.0.0; latest is 2.0.0. $MODE says what goes wrong.
constexpr std::string_view kNpm = R"sh(#!/bin/sh
echo "$@" >> "$LOG"
fail() {
  printf '{"error":{"code":"%s","summary":"%s"}}\n' "$1" "$2"
  echo "npm error code $1" >&2
  exit 1
}
case $MODE in
  offline) fail ENOTFOUND "request to https://me:secret@registry.test/parrot failed" ;;
  hang) kill -INT "$PPID_OF_TEST"; exec sleep 1000 ;;
esac
case $1 in
  view)
    shift 2
    if [ "$3" = versions ]; then echo '["2.0.0","1.0.0","1.2.0"]'; exit 0; fi
    version=${2##*@}
    [ "$version" = latest ] && version=2.0.0
    case $version in
      1.0.0 | 1.2.0 | 2.0.0) ;;
      *) fail E404 "No match found for version $version" ;;
    esac
    printf '{"version":"%s","dist.integrity":"sha512-of-%s"}\n' "$version" "$version" ;;
  install)
    for last; do :; done; last=${last%--json}
    for word; do case $word in
      @zoo/parrot@*) version=${word##*@} ;;
      @zoo/cage@*) cage=${word##*@} ;;
    esac; done
    case $MODE in
      full) fail ENOSPC "ENOSPC: no space left on device, write" ;;
      other) integrity=sha512-of-another ;;
      *) integrity=sha512-of-$version ;;
    esac
    if [ "$MODE" = disk ]; then
      dd if=/dev/zero of=big bs=1M count=8 2>/dev/null || fail ENOSPC "no space left on device"
    fi
    mkdir -p node_modules/@zoo/parrot
    echo "$version" > node_modules/@zoo/parrot/program
    printf '{"packages":{"":{},"node_modules/@zoo/parrot":{"version":"%s","integrity":"%s"}' \
      "$version" "$integrity" > package-lock.json
    [ -z "$cage" ] || printf ',"node_modules/@zoo/cage":{"version":"%s","integrity":"%s"}' \
      "$cage" "sha512-of-${CAGE:-$cage}" >> package-lock.json
    echo '}}' >> package-lock.json
    [ "$MODE" = slow ] && sleep 0.3
    echo '{"added":1}' ;;
esac
)sh";

class Installing : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/cutline-installs-XXXXXX";
    folder_ = ::mkdtemp(name);
    fs::create_directory(folder_ / "bin");
    const fs::path npm = folder_ / "bin/npm";
    std::ofstream(npm) << kNpm;
    fs::permissions(npm, fs::perms::owner_all);
    const char* path = std::getenv("PATH");
    path_before_ = path ? path : "";
    ::setenv("PATH", ((folder_ / "bin").string() + ":" + path_before_).c_str(), 1);
    ::setenv("LOG", (folder_ / "log").c_str(), 1);
    mode("");
  }
  void TearDown() override {
    ::setenv("PATH", path_before_.c_str(), 1);
    ::unsetenv("LOG");
    ::unsetenv("MODE");
    fs::remove_all(folder_);
  }

  static void mode(const char* word) { ::setenv("MODE", word, 1); }
  std::string cache() const { return (folder_ / "cache").string(); }
  Installs installs() const { return Installs(cache()); }
  Result<Installed> ensure(std::string_view version) {
    return installs().ensure(kPackage, version,
                             [this](std::string_view line) { said_.emplace_back(line); });
  }
  std::string asked() const {
    return sys::read_file((folder_ / "log").string(), 1 << 20).value_or("");
  }
  std::vector<std::string> left() const {
    std::vector<std::string> names;
    for (const fs::directory_entry& entry : fs::directory_iterator(cache()))
      names.push_back(entry.path().filename());
    std::ranges::sort(names);
    return names;
  }

  fs::path folder_;
  std::string path_before_;
  std::vector<std::string> said_;
};

TEST_F(Installing, PutsVersionsSideBySide) {
  const Installed old = ensure("1.0.0").value();
  EXPECT_EQ(old.folder, cache() + "/parrot@1.0.0");
  EXPECT_EQ(old.integrity, "sha512-of-1.0.0");
  EXPECT_EQ(sys::read_file(old.folder + "/node_modules/@zoo/parrot/program", 100).value(),
            "1.0.0\n");
  EXPECT_THAT(said_, ElementsAre("installing parrot 1.0.0 from npm"));
  EXPECT_THAT(asked(), HasSubstr("--ignore-scripts"));
  EXPECT_EQ(ensure("latest")->version, "2.0.0");
  EXPECT_THAT(left(), ElementsAre("parrot@1.0.0", "parrot@2.0.0"));

  const std::vector<Installed> all = installs().list().value();
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[1].version, "2.0.0");
  EXPECT_EQ(all[1].id, "parrot");

  ASSERT_TRUE(installs().remove("parrot", "1.0.0"));
  EXPECT_THAT(left(), ElementsAre("parrot@2.0.0"));
  EXPECT_EQ(installs().remove("parrot", "1.0.0").error().code, "run.client.not_installed");
  EXPECT_EQ(installs().remove("..", "x").error().code, "run.client.not_installed");
}

TEST_F(Installing, AsksNobodyForWhatIsThere) {
  ASSERT_TRUE(ensure("1.2.0"));
  const std::string before = asked();
  mode("offline");
  EXPECT_TRUE(ensure("1.2.0"));
  EXPECT_EQ(asked(), before);
  EXPECT_EQ(said_.size(), 1U);
}

TEST_F(Installing, PutsOtherPackagesBesideIt) {
  const auto with = [this](const Package& package) {
    return installs().ensure(package, "1.0.0", [](std::string_view) {});
  };
  EXPECT_EQ(with(kWithCage)->also, kWithCage.also);
  EXPECT_THAT(asked(), HasSubstr("@zoo/parrot@1.0.0 @zoo/cage@1.2.0"));
  const std::string before = asked();
  EXPECT_TRUE(with(kWithCage));
  EXPECT_EQ(asked(), before);
  // What has other packages beside it is another thing.
  EXPECT_THAT(with(kPackage)->also, IsEmpty());
  EXPECT_NE(asked(), before);
  EXPECT_EQ(installs().list()->size(), 1U);
}

TEST_F(Installing, ComparesEachPackageWithTheRegistry) {
  ::setenv("CAGE", "another", 1);
  const Defer unset([] { ::unsetenv("CAGE"); });
  const Problem problem = installs().ensure(kWithCage, "1.0.0", [](std::string_view) {}).error();
  EXPECT_EQ(problem.code, "run.npm.integrity");
  EXPECT_THAT(problem.message, HasSubstr("@zoo/cage 1.2.0"));
  EXPECT_THAT(left(), IsEmpty());
  for (const char* word : {"cage", "@zoo/cage@latest", "@1.0.0", "--global@1.0.0"}) {
    const Package odd = {.id = "parrot", .name = "@zoo/parrot", .also = {word}};
    EXPECT_EQ(installs().ensure(odd, "1.0.0", {}).error().code, "run.npm.package") << word;
  }
}

TEST_F(Installing, NamesTheNearestOfVersionsThatAreNotThere) {
  const auto nearest = [this](const char* version) {
    const Problem problem = ensure(version).error();
    EXPECT_EQ(problem.code, "run.npm.unknown_version");
    return problem.hint;
  };
  EXPECT_EQ(nearest("1.1.0"), "the nearest: 1.0.0 and 1.2.0; the newest: 2.0.0");
  EXPECT_EQ(nearest("3.0.0"), "the nearest: 2.0.0");
  EXPECT_EQ(nearest("1.9.9"), "the nearest: 1.2.0 and 2.0.0");
  EXPECT_EQ(ensure("--global").error().code, "run.npm.unknown_version");
  EXPECT_EQ(ensure("../../etc").error().code, "run.npm.unknown_version");
  EXPECT_THAT(left(), IsEmpty());
}

TEST_F(Installing, SaysWhatWentWrongAndLeavesNothing) {
  struct Case {
    const char *mode, *code, *message;
  };
  for (const Case& c : {Case{"offline", "run.npm.failed", "cannot reach its registry"},
                        Case{"full", "run.npm.failed", "the disk is full"},
                        Case{"other", "run.npm.integrity", "integrity value"}}) {
    mode(c.mode);
    const Problem problem = ensure("1.0.0").error();
    EXPECT_EQ(problem.code, c.code);
    EXPECT_EQ(problem.blame, Blame::kMissing);
    EXPECT_THAT(problem.message, HasSubstr(c.message));
    EXPECT_THAT(problem.message, Not(HasSubstr("secret")));
    EXPECT_THAT(left(), IsEmpty()) << c.mode;
  }
  mode("");
  EXPECT_TRUE(ensure("1.0.0")) << "and it can be tried again";
}

TEST_F(Installing, IsNotFooledByWhatAKilledOneLeft) {
  fs::create_directories(cache() + "/parrot@1.0.0.part/node_modules/junk");
  fs::create_directories(cache() + "/parrot@1.0.0");
  const Installed installed = ensure("1.0.0").value();
  EXPECT_FALSE(fs::exists(installed.folder + "/node_modules/junk"));
  EXPECT_THAT(left(), ElementsAre("parrot@1.0.0"));
}

TEST_F(Installing, CanBeInterrupted) {
  ::setenv("PPID_OF_TEST", std::to_string(::getpid()).c_str(), 1);
  mode("hang");
  for (const char* version : {"1.0.0", "latest"}) {
    const Problem problem = ensure(version).error();
    EXPECT_EQ(problem.code, "run.interrupted");
    EXPECT_EQ(problem.signal, SIGINT);
    EXPECT_THAT(left(), IsEmpty());
  }
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "somebody is left";
}

TEST_F(Installing, IsDoneOnceByTwoAtATime) {
  mode("slow");
  const pid_t other = ::fork();
  if (other == 0) ::_exit(ensure("1.0.0") ? 0 : 1);
  EXPECT_TRUE(ensure("1.0.0"));
  int status = 1;
  ::waitpid(other, &status, 0);
  EXPECT_EQ(status, 0);
  const std::string log = asked();
  const std::size_t first = log.find("install ");
  EXPECT_NE(first, std::string::npos);
  EXPECT_EQ(log.find("install ", first + 1), std::string::npos) << log;
  EXPECT_THAT(left(), ElementsAre("parrot@1.0.0"));
}

TEST_F(Installing, NeedsNpmAndAFolder) {
  ::setenv("PATH", "/no/such/folder", 1);
  const Problem missing = ensure("1.0.0").error();
  EXPECT_EQ(missing.code, "run.npm.missing");
  EXPECT_THAT(missing.hint, HasSubstr("Node.js"));
  std::ofstream(folder_ / "file") << "x";
  const Problem unwritable = Installs((folder_ / "file/cache").string())
                                 .ensure(kPackage, "1.0.0", [](std::string_view) {})
                                 .error();
  EXPECT_EQ(unwritable.code, "run.cache");
  EXPECT_THAT(installs().list()->size(), 0U);
  EXPECT_THAT(Installs("/no/such/folder").list().value(), IsEmpty());
}

TEST_F(Installing, RefusesAProfileWithoutAPackage) {
  EXPECT_EQ(installs().ensure({.id = "x", .name = ""}, "1.0.0", {}).error().code,
            "run.npm.package");
  EXPECT_EQ(installs().ensure({.id = "x", .name = "-g"}, "1.0.0", {}).error().code,
            "run.npm.package");
  EXPECT_EQ(installs().ensure({.id = "../x", .name = "x"}, "1.0.0", {}).error().code,
            "run.npm.package");
}

TEST_F(Installing, SaysThatADiskIsFull) {
  fs::create_directory(cache());
  if (::mount("tmpfs", cache().c_str(), "tmpfs", 0, "size=1m") != 0)
    GTEST_SKIP() << "no small disk can be made here: only root may";
  const Defer unmount([this] { ::umount2(cache().c_str(), MNT_DETACH); });
  mode("disk");
  EXPECT_THAT(ensure("1.0.0").error().message, HasSubstr("the disk is full"));
  EXPECT_THAT(left(), IsEmpty());
}

TEST_F(Installing, FindsTheCache) {
  const char* before = std::getenv("XDG_CACHE_HOME");
  const std::string kept = before ? before : "";
  ::setenv("XDG_CACHE_HOME", cache().c_str(), 1);
  fs::create_directories(cache() + "/cutline/clients/parrot@1.0.0");
  std::ofstream(cache() + "/cutline/clients/parrot@1.0.0/cutline.json")
      << R"({"id":"parrot","version":"1.0.0","integrity":"sha512-x"})";
  EXPECT_EQ(Installs::in_cache()->list()->size(), 1U);
  ::unsetenv("XDG_CACHE_HOME");
  if (before) ::setenv("XDG_CACHE_HOME", kept.c_str(), 1);
}

TEST(Npm, KnowsOfASignalThatCameBetweenTwoRuns) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    Npm npm;
    EXPECT_TRUE(npm.interrupted());
    ::raise(signal);
    EXPECT_EQ(npm.interrupted().error().signal, signal);
    EXPECT_EQ(npm.interrupted().error().code, "run.interrupted") << "and it does not forget it";
  }
}

TEST(Npm, HidesCredentials) {
  struct Case {
    const char *said, *shown;
  };
  for (const Case& c :
       {Case{"GET https://me:secret@host/x failed", "GET https://***@host/x failed"},
        Case{"//host/:_authToken=abc def", "//host/:_authToken=*** def"},
        Case{"Authorization: Bearer abc", "Authorization: Bearer ***"},
        Case{"token npm_abc123, refused", "token npm_***, refused"},
        Case{"https://host/@zoo/parrot", "https://host/@zoo/parrot"}})
    EXPECT_EQ(without_credentials(c.said), c.shown);
}

TEST(RealNpm, InstallsAPackage) {
  char name[] = "/tmp/cutline-npm-XXXXXX";
  const fs::path folder = ::mkdtemp(name);
  const Defer remove([&folder] { fs::remove_all(folder); });
  const Package package{.id = "small", .name = "picocolors"};
  const Result<Installed> installed =
      Installs(folder.string()).ensure(package, "1.1.1", [](std::string_view) {});
  if (!installed && (installed.error().code == "run.npm.missing" ||
                     installed.error().message.find("cannot reach") != std::string::npos))
    GTEST_SKIP() << to_text(installed.error());
  ASSERT_TRUE(installed) << to_text(installed.error());
  EXPECT_TRUE(installed->integrity.starts_with("sha512-"));
  EXPECT_TRUE(fs::exists(installed->folder + "/node_modules/picocolors/package.json"));
}

}  // namespace
}  // namespace cutline::run
