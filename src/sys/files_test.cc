// files_test.cc
#include "sys/files.h"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

namespace cutline::sys {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class Files : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/cutline-files-XXXXXX";
    folder_ = ::mkdtemp(name);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string in(const std::string& name) const { return folder_ / name; }

  fs::path folder_;
};

TEST_F(Files, ReadsWhatWasWritten) {
  for (const std::size_t size : {0u, 1u, 65'536u, 200'000u}) {
    const std::string bytes(size, '\0');
    ASSERT_TRUE(write_file(in("a"), bytes));
    EXPECT_EQ(read_file(in("a"), size).value(), bytes);
  }
}

TEST_F(Files, RefusesWhatIsTooLarge) {
  ASSERT_TRUE(write_file(in("a"), std::string(1001, 'x')));
  const Result<std::string> read = read_file(in("a"), 1000);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, "sys.file.too_large");
  EXPECT_THAT(read.error().message, HasSubstr("1,000 bytes"));
  EXPECT_EQ(read_file("/dev/zero", 1 << 20).error().code, "sys.file.too_large");
}

TEST_F(Files, SaysWhyItCannotRead) {
  EXPECT_THAT(read_file(in("none"), 10).error().message, HasSubstr("No such file"));
  EXPECT_EQ(read_file(in("none"), 10).error().place, in("none"));
  EXPECT_THAT(read_file(folder_, 10).error().message, HasSubstr("Is a directory"));
}

TEST_F(Files, ReplacesAFileWholeAndKeepsItsMode) {
  ASSERT_TRUE(write_file(in("a"), "old"));
  fs::permissions(in("a"), fs::perms(0600));
  fs::create_symlink("a", in("link"));
  ASSERT_TRUE(write_file(in("link"), "new"));
  EXPECT_TRUE(fs::is_symlink(in("link")));
  EXPECT_EQ(read_file(in("a"), 10).value(), "new");
  EXPECT_EQ(fs::status(in("a")).permissions(), fs::perms(0600));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 2) << "nothing is left beside it";
}

TEST_F(Files, SaysWhyItCannotWrite) {
  EXPECT_THAT(write_file(in("none/a"), "x").error().message, HasSubstr("No such file"));
  EXPECT_THAT(write_file(folder_, "x").error().message, HasSubstr("Is a directory"));
  EXPECT_EQ(write_file("/dev/full", "x").error().code, "sys.file.write");
  EXPECT_EQ(write_file("/dev/full", "x").error().blame, Blame::kMissing);
}

TEST_F(Files, LeavesDevicesWhatTheyAre) {
  ASSERT_TRUE(write_file("/dev/null", "x"));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(Files, AppendsForSeveralAtOnce) {
  AppendFile one = AppendFile::open(in("log")).value();
  AppendFile other = AppendFile::open(in("log")).value();
  ASSERT_TRUE(one.append("a\n"));
  ASSERT_TRUE(other.append("b\n"));
  ASSERT_TRUE(one.append("c\n"));
  EXPECT_EQ(read_file(in("log"), 100).value(), "a\nb\nc\n");
  EXPECT_EQ(AppendFile::open("/dev/full")->append("x").error().code, "sys.file.write");
  EXPECT_EQ(AppendFile::open(folder_).error().code, "sys.file.write");
}

TEST_F(Files, LocksForOneAtATime) {
  {
    const Fd one = lock_file(in("lock")).value();
    EXPECT_TRUE(one);
    EXPECT_FALSE(lock_file(in("lock")).value());
  }
  EXPECT_TRUE(lock_file(in("lock")).value());
  EXPECT_EQ(lock_file(in("none/lock")).error().code, "sys.file.write");
}

TEST_F(Files, ListsByEnding) {
  for (const char* name : {"b.toml", "a.toml", "c.txt"}) std::ofstream(in(name)) << "x";
  fs::create_directory(in("d.toml"));
  EXPECT_EQ(list_files(folder_, ".toml").value(),
            (std::vector<std::string>{in("a.toml"), in("b.toml")}));
  EXPECT_EQ(list_files(in("none"), "").error().code, "sys.file.read");
}

}  // namespace
}  // namespace cutline::sys
