// scratch_test.cc
#include "sys/scratch.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sys/fd.h"
#include "sys/files.h"

namespace cutline::sys {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
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

TEST(Scratch, SaysWhereItCannotBe) {
  const char* const old = std::getenv("TMPDIR");
  const std::string before = old != nullptr ? old : "/tmp";
  ::setenv("TMPDIR", "/no/such/folder", 1);
  const Result<Scratch> scratch = Scratch::make();
  ::setenv("TMPDIR", before.c_str(), 1);
  ASSERT_FALSE(scratch);
  EXPECT_EQ(scratch.error().code, "sys.scratch");
  EXPECT_THAT(to_text(scratch.error()), HasSubstr("No such file or directory"));
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
