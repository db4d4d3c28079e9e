// database.h: a thin wrapper over SQLite's C interface. Internal to this room.
//
// It adds three things: errors as values (with the file and SQLite's own reason), an end of scope
// for what must be closed or rolled back, and blobs that are written and read in pieces, so that a
// body of a hundred megabytes is never copied as a whole. SQLite's header stays in database.cc.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace cutline::store {

/// How long a writer waits for another process to finish its transaction.
inline constexpr std::chrono::milliseconds kBusyWait{10'000};
/// Bytes of at least this size are streamed into the file and out of it, in chunks.
inline constexpr std::size_t kStreamedFrom = std::size_t{64} << 10;
inline constexpr std::size_t kStreamChunkBytes = std::size_t{1} << 20;

/// A prepared statement. What is bound must outlive the steps.
class Statement {
 public:
  Statement(sqlite3_stmt* statement, std::string path);

  // Parameters count from 1. A failure to bind is reported by the next step.
  Statement& bind(int index, std::int64_t value);
  Statement& bind(int index, const std::optional<int>& value);
  Statement& bind_text(int index, std::string_view text);
  Statement& bind_bytes(int index, std::string_view bytes);
  Statement& bind_zeroes(int index, std::size_t size);

  /// Is there a row? Problem "store.read" or "store.write", by what the statement does.
  Result<bool> step();
  /// Steps to the end and makes ready for new parameters.
  Result<void> run();
  void reset();

  // Columns of the row count from 0.
  std::int64_t integer(int column) const;
  std::optional<int> small_integer(int column) const;  // nothing for NULL
  std::string bytes(int column) const;                 // of texts and blobs; "" for NULL

 private:
  struct Close {
    void operator()(sqlite3_stmt* statement) const;
  };

  std::unique_ptr<sqlite3_stmt, Close> statement_;
  std::string path_;
  int bind_error_ = 0;
};

class Database {
 public:
  /// Problem "store.open". Statements fail once another process has held the file for `wait`.
  static Result<Database> open(const std::string& path, std::chrono::milliseconds wait = kBusyWait);

  /// Brings the schema to the newest version, in one transaction: steps[0] makes version 1 of an
  /// empty file. Problem "store.version" for a newer file, "store.open" for another program's.
  Result<void> migrate(std::span<const std::string_view> steps);

  /// Statements without parameters and rows. Problem "store.write".
  Result<void> execute(const char* sql);

  /// The statement of that text, kept between uses. A second use resets the first.
  Result<Statement*> prepared(std::string_view sql);

  std::int64_t last_row() const;
  std::int64_t changed_rows() const;

  /// Fills zeroes that bind_zeroes made, or reads a blob, in chunks.
  Result<void> write_blob(const char* table, const char* column, std::int64_t row,
                          std::string_view bytes);
  Result<std::string> read_blob(const char* table, const char* column, std::int64_t row);

  const std::string& path() const { return path_; }

 private:
  struct Close {
    void operator()(sqlite3* connection) const;
  };

  Database(sqlite3* connection, std::string path)
      : connection_(connection), path_(std::move(path)) {}
  Result<void> set_up(std::chrono::milliseconds wait);
  Result<std::int64_t> pragma(const char* sql);
  Result<void> step_up(std::span<const std::string_view> steps);

  std::unique_ptr<sqlite3, Close> connection_;
  std::string path_;
  std::map<std::string, Statement, std::less<>> statements_;  // finalised before the connection
};

/// Rolled back unless it was committed. Takes the right to write at once, so that what was read in
/// it is still so when it is written.
class Transaction {
 public:
  static Result<Transaction> begin(Database& database);
  Transaction(Transaction&& other) noexcept : database_(std::exchange(other.database_, nullptr)) {}
  Transaction& operator=(Transaction&&) = delete;
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction();

  /// When it returns, all of it is on the disk.
  Result<void> commit();

 private:
  explicit Transaction(Database& database) : database_(&database) {}

  Database* database_;
};

}  // namespace cutline::store
