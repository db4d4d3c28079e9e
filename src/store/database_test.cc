// database_test.cc: migrations, foreign files and locks.
#include "store/database.h"

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace cutline::store {
namespace {

using testing::HasSubstr;

constexpr std::array<std::string_view, 1> kOne = {"CREATE TABLE a (x INTEGER) STRICT;"};
constexpr std::array<std::string_view, 2> kTwo = {"CREATE TABLE a (x INTEGER) STRICT;",
                                                  "ALTER TABLE a ADD COLUMN y TEXT;"};
constexpr std::array<std::string_view, 2> kBroken = {"CREATE TABLE a (x INTEGER) STRICT;",
                                                     "CREATE TABLE b (z INTEGER) STRICT; NONSENSE"};

class TheDatabase : public testing::Test {
 protected:
  TheDatabase() {
    std::string name = testing::TempDir() + "cutline-database-XXXXXX";
    folder_ = mkdtemp(name.data());
    path_ = folder_ + "/d.db";
  }
  ~TheDatabase() override { std::filesystem::remove_all(folder_); }
  TheDatabase(const TheDatabase&) = delete;
  TheDatabase& operator=(const TheDatabase&) = delete;

  std::string bytes() const {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  std::string folder_, path_;
};

TEST_F(TheDatabase, IsBroughtUpToDateStepByStep) {
  {
    Database database = Database::open(path_).value();
    ASSERT_TRUE(database.migrate(kOne));
    ASSERT_TRUE(database.execute("INSERT INTO a VALUES (1)"));
  }
  {
    Database database = Database::open(path_).value();
    ASSERT_TRUE(database.migrate(kTwo));
    ASSERT_TRUE(database.migrate(kTwo));
    ASSERT_TRUE(database.execute("UPDATE a SET y = 'two'"));
  }
  Database database = Database::open(path_).value();
  const Problem newer = database.migrate(kOne).error();
  EXPECT_EQ(newer.code, "store.version");
  EXPECT_EQ(newer.place, path_);
  EXPECT_THAT(newer.message, HasSubstr("version 2"));
}

TEST_F(TheDatabase, AStepThatFailsLeavesTheOldVersion) {
  Database database = Database::open(path_).value();
  ASSERT_TRUE(database.migrate(kOne));
  EXPECT_FALSE(database.migrate(kBroken));
  EXPECT_FALSE(database.execute("SELECT z FROM b"));
  EXPECT_TRUE(database.migrate(kTwo));
}

TEST_F(TheDatabase, AnotherProgramsFileIsLeftAsItIs) {
  {
    Database theirs = Database::open(path_).value();
    ASSERT_TRUE(theirs.execute("PRAGMA journal_mode=DELETE; CREATE TABLE notes (x)"));
  }
  const std::string before = bytes();
  const Problem problem = Database::open(path_).error();
  EXPECT_EQ(problem.code, "store.open");
  EXPECT_THAT(problem.message, HasSubstr("another program"));
  EXPECT_EQ(bytes(), before);
}

TEST_F(TheDatabase, ALockThatStaysIsReported) {
  Database first = Database::open(path_).value();
  ASSERT_TRUE(first.migrate(kOne));
  Database second = Database::open(path_, std::chrono::milliseconds(1)).value();
  {
    const Transaction held = Transaction::begin(first).value();
    const Result<Transaction> refused = Transaction::begin(second);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, "store.write");
    EXPECT_THAT(refused.error().message, HasSubstr("another process holds it locked"));
  }
  EXPECT_TRUE(Transaction::begin(second));
}

TEST_F(TheDatabase, WhatIsNotCommittedIsGone) {
  Database database = Database::open(path_).value();
  ASSERT_TRUE(database.migrate(kOne));
  {
    const Transaction dropped = Transaction::begin(database).value();
    ASSERT_TRUE(database.execute("INSERT INTO a VALUES (1)"));
  }
  Statement* count = database.prepared("SELECT count(*) FROM a").value();
  ASSERT_TRUE(count->step().value());
  EXPECT_EQ(count->integer(0), 0);
}

}  // namespace
}  // namespace cutline::store
