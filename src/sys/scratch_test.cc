// scratch_test.cc: folders of our own, those that nobody owns any more, and removing trees.
#include "sys/scratch.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/defer.h"
#include "sys/fd.h"
#include "sys/files.h"

namespace cutline::sys {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

TEST(Scratch, IsOursAloneAndGoneAfterwards) {
  std::string path;
  {
    const Scratch scratch = Scratch::make("cutline-test").value();
    path = scratch.path();
    struct stat status{};
    ASSERT_EQ(::stat(path.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 07777, 0700u);
    EXPECT_THAT(fs::path(path).filename().string(), StartsWith("cutline-test-"));
    EXPECT_EQ(scratch.write("a/b/c.txt", "text").value(), path + "/a/b/c.txt");
    EXPECT_EQ(read_file(path + "/a/b/c.txt", 100).value(), "text");
    EXPECT_EQ(scratch.make_folder("d/e").value(), path + "/d/e");
    EXPECT_TRUE(fs::is_directory(path + "/d/e"));
    EXPECT_TRUE(scratch.make_folder("d/e")) << "again is fine";
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST(Scratch, WritesOnlyWithin) {
  const Scratch scratch = Scratch::make().value();
  for (const std::string_view name : {"../x", "a/../../x", "/tmp/x", "", ".."}) {
    EXPECT_EQ(scratch.write(name, "x").error().code, "sys.file.write") << name;
    EXPECT_EQ(scratch.make_folder(name).error().code, "sys.file.write") << name;
  }
  ASSERT_TRUE(scratch.write("file", "x"));
  EXPECT_THAT(to_text(scratch.write("file/below", "x").error()), HasSubstr("Not a directory"));
}

TEST(Scratch, GoesWithItsOwnerAndMayBeKept) {
  std::string path;
  {
    Scratch first = Scratch::make().value();
    path = first.path();
    Scratch second = std::move(first);
    EXPECT_EQ(second.path(), path);
    Scratch third = Scratch::make().value();
    third = std::move(second);
    third.keep();
    EXPECT_EQ(third.path(), path);
  }
  EXPECT_TRUE(fs::exists(path));
  EXPECT_TRUE(remove_tree(path));
  EXPECT_FALSE(fs::exists(path));
}

/// TMPDIR for as long as it lives.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(const std::string& path) {
    if (const char* const before = std::getenv("TMPDIR")) before_ = before;
    ::setenv("TMPDIR", path.c_str(), 1);
  }
  ~TemporaryFolder() { before_ ? ::setenv("TMPDIR", before_->c_str(), 1) : ::unsetenv("TMPDIR"); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

 private:
  std::optional<std::string> before_;
};

TEST(Scratch, SaysWhereItCannotBe) {
  const TemporaryFolder nowhere("/no/such/folder");
  const Result<Scratch> scratch = Scratch::make();
  ASSERT_FALSE(scratch);
  EXPECT_EQ(scratch.error().code, "sys.scratch");
  EXPECT_THAT(to_text(scratch.error()),
              AllOf(HasSubstr("No such file or directory"), HasSubstr("hint: TMPDIR")));
}

TEST(Scratch, SaysThatItIsFullAndWhatToDo) {
  const Scratch scratch = Scratch::make("cutline-test").value();
  const std::string disk = scratch.make_folder("disk").value();
  if (::mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=64k,nr_inodes=6") != 0)
    GTEST_SKIP() << "no small disk can be made here: only root may";
  const Defer unmount([&] { ::umount2(disk.c_str(), MNT_DETACH); });
  const TemporaryFolder temporary(disk);
  const Scratch full = Scratch::make().value();
  const auto says = [](const Problem& problem) {
    EXPECT_THAT(problem.message, HasSubstr("No space left on device"));
    EXPECT_THAT(problem.hint, StartsWith("TMPDIR names the folder"));
    return problem.code;
  };
  EXPECT_EQ(says(full.write("a", std::string(100'000, 'x')).error()), "sys.file.write");
  ASSERT_TRUE(full.make_folder("b"));
  ASSERT_TRUE(full.make_folder("c"));
  EXPECT_EQ(says(full.make_folder("d/e/f").error()), "sys.file.write");
  EXPECT_EQ(says(Scratch::make().error()), "sys.scratch");
}

// --- What was left behind ------------------------------------------------------------------------

/// Makes one in a process that is killed then, as by `kill -9`.
std::string left_by_a_killed_process() {
  Pipe pipe = make_pipe().value();
  const pid_t child = ::fork();
  if (child == 0) {
    const Scratch scratch = Scratch::make().value();
    const bool wrote = scratch.write("home/a/file", "x").has_value();
    if (!wrote || ::write(pipe.write.get(), scratch.path().data(), scratch.path().size()) < 0)
      ::_exit(1);
    ::kill(::getpid(), SIGKILL);
  }
  pipe.write.reset();
  std::string path(4096, '\0');
  const ssize_t got = ::read(pipe.read.get(), path.data(), path.size());
  path.resize(static_cast<std::size_t>(std::max<ssize_t>(0, got)));
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_TRUE(fs::exists(path + "/home/a/file"));
  return path;
}

class LeftBehind : public testing::Test {
 protected:
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const fs::directory_entry& entry : fs::directory_iterator(above_.path()))
      if (entry.path().filename() != ".cutline-lock") all.push_back(entry.path().filename());
    std::ranges::sort(all);
    return all;
  }

  Scratch above_ = Scratch::make("cutline-test").value();
  TemporaryFolder temporary_{above_.path()};
};

TEST_F(LeftBehind, IsRemovedByTheNext) {
  const std::string left = left_by_a_killed_process();
  {
    const Scratch other = Scratch::make("other").value();
    EXPECT_TRUE(fs::exists(left)) << "it has another prefix";
  }
  const Scratch next = Scratch::make().value();
  EXPECT_FALSE(fs::exists(left));
  EXPECT_THAT(names(), ElementsAre(fs::path(next.path()).filename()));
}

TEST_F(LeftBehind, IsNothingThatLivesOrWasKept) {
  Scratch kept = Scratch::make().value();
  kept.keep();
  const Scratch first = Scratch::make().value();
  ASSERT_TRUE(first.write("file", "x"));
  Scratch moved = Scratch::make().value();
  const Scratch second = std::move(moved);
  const Scratch third = Scratch::make().value();
  EXPECT_TRUE(fs::exists(kept.path()));
  EXPECT_TRUE(fs::exists(first.path() + "/file"));
  EXPECT_TRUE(fs::exists(second.path()));
}

TEST_F(LeftBehind, IsNothingThatOnlyLooksLikeIt) {
  const Scratch elsewhere = Scratch::make("cutline-test").value();
  ASSERT_TRUE(elsewhere.write("target/.cutline-lock", ""));
  ASSERT_TRUE(elsewhere.write("target/file", ""));
  ::chmod((elsewhere.path() + "/target").c_str(), 0700);
  ::chmod((elsewhere.path() + "/target/.cutline-lock").c_str(), 0600);
  ASSERT_TRUE(above_.write("cutline-aaaaaa/file", ""));             // without a lock
  ASSERT_TRUE(above_.write("cutline-bbbbbbb/.cutline-lock", ""));   // not our form of a name
  ASSERT_TRUE(above_.write("cutline-c.cccc/.cutline-lock", ""));    //
  ASSERT_TRUE(above_.write("xcutline-dddddd/.cutline-lock", ""));   //
  ASSERT_TRUE(above_.write("cutline-eeeeee", ""));                  // no folder
  ASSERT_TRUE(above_.write("cutline-open00/.cutline-lock", ""));    // open to others
  ASSERT_TRUE(above_.make_folder("cutline-link00"));                // a link for a lock
  ASSERT_TRUE(above_.make_folder("cutline-fifo00"));                // no file for a lock
  ASSERT_TRUE(above_.make_folder("cutline-fold00/.cutline-lock"));  //
  fs::create_symlink(elsewhere.path() + "/target", above_.path() + "/cutline-symlin");
  fs::create_symlink(elsewhere.path() + "/target/.cutline-lock",
                     above_.path() + "/cutline-link00/.cutline-lock");
  ASSERT_EQ(::mkfifo((above_.path() + "/cutline-fifo00/.cutline-lock").c_str(), 0600), 0);
  for (const std::string& name : names())
    if (name != "cutline-open00" &&
        fs::is_directory(fs::symlink_status(above_.path() + "/" + name)))
      ::chmod((above_.path() + "/" + name).c_str(), 0700);
  ::chmod((above_.path() + "/cutline-open00").c_str(), 0777);
  const std::vector<std::string> before = names();
  {
    const Scratch scratch = Scratch::make().value();
  }
  EXPECT_EQ(names(), before);
  EXPECT_TRUE(fs::exists(elsewhere.path() + "/target/file"));
}

TEST_F(LeftBehind, IsNothingOfAnotherUser) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can make what is another user's";
  const std::string left = left_by_a_killed_process();
  constexpr uid_t kNobody = 65534;
  ASSERT_EQ(::chown(left.c_str(), kNobody, kNobody), 0);
  {
    const Scratch scratch = Scratch::make().value();
  }
  EXPECT_TRUE(fs::exists(left + "/home/a/file"));
}

TEST_F(LeftBehind, LinksInItAreNotFollowed) {
  const Scratch elsewhere = Scratch::make("cutline-test").value();
  ASSERT_TRUE(elsewhere.write("file", "x"));
  const std::string left = left_by_a_killed_process();
  fs::create_symlink(elsewhere.path(), left + "/link");
  {
    const Scratch scratch = Scratch::make().value();
  }
  EXPECT_FALSE(fs::exists(left));
  EXPECT_TRUE(fs::exists(elsewhere.path() + "/file"));
}

TEST_F(LeftBehind, NobodyTakesAnothersWhereManyBeginAtOnce) {
  constexpr int kProcesses = 8, kRounds = 40;
  std::vector<pid_t> children;
  for (int i = 0; i < kProcesses; ++i) {
    children.push_back(::fork());
    if (children.back() != 0) continue;
    for (int round = 0; round < kRounds; ++round) {
      const Result<Scratch> one = Scratch::make(), two = Scratch::make();
      if (!one || !two || !one->write("file", "x") || !two->write("file", "x")) ::_exit(1);
      const Result<Scratch> three = Scratch::make();
      if (!three || !fs::exists(one->path() + "/file") || !fs::exists(two->path() + "/file"))
        ::_exit(2);
      if (round + 1 == kRounds) ::kill(::getpid(), SIGKILL);
    }
  }
  for (const pid_t child : children) {
    int status = 0;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFSIGNALED(status)) << WEXITSTATUS(status);
  }
  {
    const Scratch scratch = Scratch::make().value();
  }
  EXPECT_THAT(names(), IsEmpty());
}

TEST(RemoveTree, FollowsNoLinks) {
  const Scratch outside = Scratch::make().value();
  ASSERT_TRUE(outside.write("file", "x"));
  const Scratch scratch = Scratch::make().value();
  fs::create_symlink(outside.path(), scratch.path() + "/folder");
  fs::create_symlink(outside.path() + "/file", scratch.path() + "/file");
  fs::create_symlink("/no/such/place", scratch.path() + "/nowhere");
  const std::string link = outside.path() + "-link";
  fs::create_symlink(outside.path(), link);
  EXPECT_TRUE(remove_tree(scratch.path()));
  EXPECT_TRUE(remove_tree(link)) << "a link itself is removed";
  EXPECT_FALSE(fs::exists(scratch.path()));
  EXPECT_FALSE(fs::is_symlink(link));
  EXPECT_TRUE(fs::exists(outside.path() + "/file"));
  EXPECT_TRUE(remove_tree(scratch.path())) << "what is not there is no problem";
}

TEST(RemoveTree, RemovesWhatIsDeeperThanAnyPathWithFewDescriptors) {
  constexpr int kDepth = 300;
  const std::string name(100, 'x');
  const Scratch scratch = Scratch::make().value();
  Fd at(::open(scratch.path().c_str(), O_DIRECTORY | O_CLOEXEC));
  for (int depth = 0; depth < kDepth; ++depth) {
    ASSERT_EQ(::mkdirat(at.get(), name.c_str(), 0700), 0);
    const Fd file(::openat(at.get(), "file", O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
    at = Fd(::openat(at.get(), name.c_str(), O_DIRECTORY | O_CLOEXEC));
  }
  rlimit before{};
  ::getrlimit(RLIMIT_NOFILE, &before);
  rlimit few = before;
  few.rlim_cur = static_cast<rlim_t>(at.get()) + 6;
  ::setrlimit(RLIMIT_NOFILE, &few);
  at.reset();
  EXPECT_TRUE(remove_tree(scratch.path()));
  ::setrlimit(RLIMIT_NOFILE, &before);
  EXPECT_FALSE(fs::exists(scratch.path()));
}

TEST(RemoveTree, RemovesManyAndThoseThatLookLikeItsOwn) {
  const Scratch scratch = Scratch::make().value();
  for (int folder = 0; folder < 5; ++folder)
    for (int file = 0; file < 50; ++file)
      ASSERT_TRUE(scratch.write(fmt::format("a/{}/b/{}", folder, file), ""));
  for (int i = 0; i < 10; ++i) {
    ASSERT_TRUE(scratch.write(fmt::format(".cutline-removed-{}", 2 * i), ""));
    ASSERT_TRUE(scratch.write(fmt::format(".cutline-removed-{}/x/y", 2 * i + 1), ""));
  }
  EXPECT_TRUE(remove_tree(scratch.path()));
  EXPECT_FALSE(fs::exists(scratch.path()));
}

/// As an ordinary user, who alone is held up by permissions.
void remove_what_is_forbidden() {
  const Scratch scratch = Scratch::make().value();
  for (const char* name : {"a/b/c/file", "d/file", "d/e/f/file"})
    ASSERT_TRUE(scratch.write(name, "x"));
  for (const char* folder : {"a/b/c", "a/b", "a", "d/e/f", "d/e", "d"})
    ASSERT_EQ(::chmod((scratch.path() + "/" + folder).c_str(), *folder == 'a' ? 0 : 0500), 0);
  ASSERT_EQ(::chmod(scratch.path().c_str(), 0500), 0);
  const Result<void> removed = remove_tree(scratch.path());
  EXPECT_TRUE(removed) << to_text(removed.error());
  EXPECT_FALSE(fs::exists(scratch.path()));
  const Result<void> refused = remove_tree("/proc/self/fd");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, "sys.remove");
  EXPECT_EQ(refused.error().place, "/proc/self/fd");
}

TEST(RemoveTree, NeedsNoPermissionWithinWhatIsOurs) {
  if (::geteuid() != 0) return remove_what_is_forbidden();
  constexpr uid_t kNobody = 65534;
  ASSERT_EQ(::seteuid(kNobody), 0);
  remove_what_is_forbidden();
  ASSERT_EQ(::seteuid(0), 0);
}

}  // namespace
}  // namespace cutline::sys
