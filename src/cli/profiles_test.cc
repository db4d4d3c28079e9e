// profiles_test.cc
#include "cli/profiles.h"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

namespace cutline::cli {
namespace {

using testing::Contains;
using testing::HasSubstr;

class ShelfTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "cutline-profiles-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& name, const std::string& id) const {
    std::ofstream(folder_ + "/" + name)
        << "id = \"" << id << "\"\ntitle = \"Mine\"\npackage = \"mine\"\nfirst = \"1.0\"\n"
        << "last = \"2.0\"\n[[fact]]\nname = \"instructions.budget\"\nversions = \"1.0..2.0\"\n"
        << "value = \"none\"\n"
        << "evidence = [{ kind = \"measured\", date = 2026-12-01, how = \"x\" }]\n";
  }

  std::string folder_;
};

TEST_F(ShelfTest, HoldsTheBuiltInProfiles) {
  const Shelf shelf = Shelf::open(std::nullopt).value();
  EXPECT_THAT(shelf.names(), Contains("claude-code"));
  EXPECT_EQ(shelf.read("claude-code").value().id, "claude-code");
}

TEST_F(ShelfTest, AddsAndReplaces) {
  write("mine.toml", "mine");
  write("claude-code.toml", "claude-code");
  const Shelf shelf = Shelf::open(folder_).value();
  EXPECT_EQ(shelf.read("mine").value().last.text(), "2.0");
  EXPECT_EQ(shelf.read("claude-code").value().title, "Mine");
}

TEST_F(ShelfTest, NamesAFolderWithoutProfiles) {
  std::ofstream(folder_ + "/notes.md") << "nothing";
  const Result<Shelf> shelf = Shelf::open(folder_);
  ASSERT_FALSE(shelf);
  EXPECT_EQ(shelf.error().code, "cli.profiles");
  EXPECT_EQ(shelf.error().place, folder_);
}

TEST_F(ShelfTest, ReadsOnlyWhatIsAskedFor) {
  std::ofstream(folder_ + "/broken.toml") << "not a profile [";
  const Shelf shelf = Shelf::open(folder_).value();
  EXPECT_TRUE(shelf.read("claude-code"));
  EXPECT_FALSE(shelf.read("broken"));
}

TEST_F(ShelfTest, NamesWhatIsWrong) {
  write("other.toml", "mine");
  const Shelf shelf = Shelf::open(folder_).value();
  const Problem misnamed = shelf.read("other").error();
  EXPECT_EQ(misnamed.code, "cli.profile_name");
  EXPECT_THAT(misnamed.place, HasSubstr("/other.toml"));
  EXPECT_EQ(shelf.read("othre").error().hint, "did you mean 'other'?");
  EXPECT_FALSE(Shelf::open(folder_ + "/nowhere"));
}

}  // namespace
}  // namespace cutline::cli
