// measuring_test.cc: where the evidence of an experiment is kept.
#include "cli/measuring.h"

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

namespace cutline::cli {
namespace {

class StoreFile : public testing::Test {
 protected:
  void SetUp() override {
    if (const char* before = std::getenv("XDG_STATE_HOME")) before_ = before;
    ::setenv("XDG_STATE_HOME", folder_.c_str(), 1);
  }
  void TearDown() override {
    before_ ? ::setenv("XDG_STATE_HOME", before_->c_str(), 1) : ::unsetenv("XDG_STATE_HOME");
    std::filesystem::remove_all(folder_);
  }

  const std::string folder_ = testing::TempDir() + "cutline-store-file";
  std::optional<std::string> before_;
};

TEST_F(StoreFile, IsOneForEachName) {
  struct Case {
    std::string name, file;
  };
  std::set<std::string> files;
  for (const Case& c :
       {Case{"reference-lab", "reference-lab.db"}, Case{"a b.c_d", "a b.c_d.db"},
        Case{"\u00FCber", "\u00FCber.db"}, Case{"a/b", "a%2Fb.db"}, Case{"a-b", "a-b.db"},
        Case{"a%2Fb", "a%252Fb.db"}, Case{"../x", "..%2Fx.db"}, Case{"..", "...db"},
        Case{std::string("a\0b", 3), "a%00b.db"}}) {
    const Result<std::string> file = store_file(std::nullopt, c.name);
    ASSERT_TRUE(file) << c.name;
    EXPECT_EQ(*file, folder_ + "/cutline/" + c.file);
    EXPECT_TRUE(files.insert(*file).second);
  }
}

TEST_F(StoreFile, IsTheOneThatWasNamed) {
  EXPECT_EQ(store_file("a/b.db", "name").value(), "a/b.db");
}

}  // namespace
}  // namespace cutline::cli
