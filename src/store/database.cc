// database.cc: SQLite's calls.
//
// WAL with synchronous=FULL: a commit is one fsync of the log. The log is folded into the file only
// now and then, as that takes two more. "store.read" and "store.write" carry
// SQLite's reason; whatever fails while a file is opened is "store.open".
#include "store/database.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <sqlite3.h>

#include "base/assert.h"

namespace cutline::store {
namespace {

constexpr std::int64_t kApplicationId = 0x63757431;  // "cut1": whose file it is
constexpr int kWalTriesMax = 200;                    // 50 ms apart: as long as kBusyWait

std::string reason_of(sqlite3* connection, int error) {
  switch (error & 0xFF) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return "another process holds it locked";
    case SQLITE_FULL:
      return "the disk is full";
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
      return "it is damaged, or no evidence file at all";
    case SQLITE_READONLY:
      return "it cannot be written";
    default:
      return connection ? sqlite3_errmsg(connection) : sqlite3_errstr(error);
  }
}

Problem trouble(const char* code, const std::string& path, std::string_view reason) {
  const std::string_view what = std::string_view(code) == "store.read"    ? "read"
                                : std::string_view(code) == "store.write" ? "written"
                                                                          : "opened";
  return {.code = code,
          .message = fmt::format("the evidence file cannot be {}: {}", what, reason),
          .place = path,
          .hint = {},
          .blame = Blame::kMissing};
}

Problem trouble(const char* code, const std::string& path, sqlite3* connection, int error) {
  return trouble(code, path, reason_of(connection, error));
}

/// A view of nothing may have no address, which SQLite would take for NULL.
const char* address(std::string_view bytes) { return bytes.empty() ? "" : bytes.data(); }

struct BlobClose {
  void operator()(sqlite3_blob* blob) const { sqlite3_blob_close(blob); }
};
using Blob = std::unique_ptr<sqlite3_blob, BlobClose>;

Result<Blob> open_blob(sqlite3* connection, const std::string& path, const char* table,
                       const char* column, std::int64_t row, bool write) {
  sqlite3_blob* raw = nullptr;
  const int error = sqlite3_blob_open(connection, "main", table, column, row, write ? 1 : 0, &raw);
  Blob blob(raw);
  if (error == SQLITE_OK) return blob;
  return fail(trouble(write ? "store.write" : "store.read", path, connection, error));
}

}  // namespace

// --- Statements
// -----------------------------------------------------------------------------------

void Statement::Close::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

Statement::Statement(sqlite3_stmt* statement, std::string path)
    : statement_(statement), path_(std::move(path)) {}

Statement& Statement::bind(int index, std::int64_t value) {
  bind_error_ |= sqlite3_bind_int64(statement_.get(), index, value);
  return *this;
}

Statement& Statement::bind(int index, const std::optional<int>& value) {
  if (value) return bind(index, std::int64_t{*value});
  bind_error_ |= sqlite3_bind_null(statement_.get(), index);
  return *this;
}

Statement& Statement::bind_text(int index, std::string_view text) {
  bind_error_ |= sqlite3_bind_text64(statement_.get(), index, address(text), text.size(),
                                     SQLITE_STATIC, SQLITE_UTF8);
  return *this;
}

Statement& Statement::bind_bytes(int index, std::string_view bytes) {
  bind_error_ |=
      sqlite3_bind_blob64(statement_.get(), index, address(bytes), bytes.size(), SQLITE_STATIC);
  return *this;
}

Statement& Statement::bind_zeroes(int index, std::size_t size) {
  bind_error_ |= sqlite3_bind_zeroblob64(statement_.get(), index, size);
  return *this;
}

Result<bool> Statement::step() {
  const int done = bind_error_ == SQLITE_OK ? sqlite3_step(statement_.get()) : SQLITE_TOOBIG;
  if (done == SQLITE_ROW) return true;
  if (done == SQLITE_DONE) return false;
  const bool reads = sqlite3_stmt_readonly(statement_.get()) != 0;
  Problem problem = bind_error_ == SQLITE_OK ? trouble(reads ? "store.read" : "store.write", path_,
                                                       sqlite3_db_handle(statement_.get()), done)
                                             : trouble(reads ? "store.read" : "store.write", path_,
                                                       "a value is too large for it");
  reset();
  return fail(std::move(problem));
}

Result<void> Statement::run() {
  for (bool more = true; more;) {
    CUTLINE_TRY_ASSIGN(const bool row, step());
    more = row;
  }
  reset();
  return {};
}

void Statement::reset() {
  sqlite3_reset(statement_.get());
  sqlite3_clear_bindings(statement_.get());
  bind_error_ = 0;
}

std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

std::optional<int> Statement::small_integer(int column) const {
  if (sqlite3_column_type(statement_.get(), column) == SQLITE_NULL) return std::nullopt;
  return sqlite3_column_int(statement_.get(), column);
}

std::string Statement::bytes(int column) const {
  // The order matters: the call for the bytes may convert them and change their number.
  const void* data = sqlite3_column_blob(statement_.get(), column);
  const int size = sqlite3_column_bytes(statement_.get(), column);
  return data ? std::string(static_cast<const char*>(data), static_cast<std::size_t>(size)) : "";
}

// --- Databases
// ------------------------------------------------------------------------------------

void Database::Close::operator()(sqlite3* connection) const { sqlite3_close(connection); }

Result<Database> Database::open(const std::string& path, std::chrono::milliseconds wait) {
  sqlite3* raw = nullptr;
  const int error =
      sqlite3_open_v2(path.c_str(), &raw, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
  Database database(raw, path);
  if (error != SQLITE_OK) return fail(trouble("store.open", path, raw, error));
  const Result<void> ready = database.set_up(wait);
  if (ready) return database;
  Problem problem = ready.error();
  problem.code = "store.open";
  return fail(std::move(problem));
}

Result<void> Database::set_up(std::chrono::milliseconds wait) {
  sqlite3* connection = connection_.get();
  sqlite3_extended_result_codes(connection, 1);
  sqlite3_busy_timeout(connection, static_cast<int>(wait.count()));
  if (sqlite3_db_readonly(connection, "main") == 1)
    return fail(trouble("store.open", path_, "it cannot be written"));
  // A foreign file must not be changed, not even into WAL mode, before it is known whose it is.
  // In this order: another process may just be making the file, its id together with its tables.
  CUTLINE_TRY_ASSIGN(const std::int64_t things, pragma("SELECT count(*) FROM sqlite_schema"));
  CUTLINE_TRY_ASSIGN(const std::int64_t id, pragma("PRAGMA application_id"));
  if (id != kApplicationId && (id != 0 || things > 0))
    return fail(trouble("store.open", path_, "it is a database of another program"));
  // For a new file: a page of the usual 4 KB would hold one request, and be half empty.
  CUTLINE_TRY(execute("PRAGMA page_size=16384"));
  // SQLite does not wait for a lock when it changes this mode.
  int error = SQLITE_BUSY;
  for (int tries = 0; (error & 0xFF) == SQLITE_BUSY && tries < kWalTriesMax; ++tries) {
    if (tries > 0) sqlite3_sleep(50);
    error = sqlite3_exec(connection, "PRAGMA journal_mode=WAL", nullptr, nullptr, nullptr);
  }
  if (error != SQLITE_OK) return fail(trouble("store.open", path_, connection, error));
  // 64 MB of log before it is folded in, and no more than that kept afterwards; 16 MB of cache.
  return execute(
      "PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; PRAGMA wal_autocheckpoint=4096;"
      "PRAGMA journal_size_limit=67108864; PRAGMA cache_size=-16384");
}

Result<std::int64_t> Database::pragma(const char* sql) {
  CUTLINE_TRY_ASSIGN(Statement * statement, prepared(sql));
  CUTLINE_TRY_ASSIGN(const bool row, statement->step());
  const std::int64_t value = row ? statement->integer(0) : 0;
  statement->reset();
  return value;
}

Result<void> Database::migrate(std::span<const std::string_view> steps) {
  Result<void> done = step_up(steps);
  if (done || done.error().code == "store.version") return done;
  done.error().code = "store.open";
  return done;
}

Result<void> Database::step_up(std::span<const std::string_view> steps) {
  const std::int64_t newest = static_cast<std::int64_t>(steps.size());
  CUTLINE_TRY_ASSIGN(const std::int64_t seen, pragma("PRAGMA user_version"));
  if (seen == newest) return {};
  CUTLINE_TRY_ASSIGN(Transaction transaction, Transaction::begin(*this));
  // Another process may have been quicker.
  CUTLINE_TRY_ASSIGN(const std::int64_t version, pragma("PRAGMA user_version"));
  if (version > newest || version < 0) {
    return fail({.code = "store.version",
                 .message = fmt::format(
                     "the evidence file has version {} of the format, and this cutline knows {}",
                     version, newest),
                 .place = path_,
                 .hint = "use the newer cutline that wrote it, or another file",
                 .blame = Blame::kUsage});
  }
  for (std::int64_t next = version; next < newest; ++next)
    CUTLINE_TRY(execute(std::string(steps[static_cast<std::size_t>(next)]).c_str()));
  CUTLINE_TRY(execute(
      fmt::format("PRAGMA application_id={}; PRAGMA user_version={}", kApplicationId, newest)
          .c_str()));
  return transaction.commit();
}

Result<void> Database::execute(const char* sql) {
  const int error = sqlite3_exec(connection_.get(), sql, nullptr, nullptr, nullptr);
  if (error == SQLITE_OK) return {};
  return fail(trouble("store.write", path_, connection_.get(), error));
}

Result<Statement*> Database::prepared(std::string_view sql) {
  const auto known = statements_.find(sql);
  if (known != statements_.end()) {
    known->second.reset();
    return &known->second;
  }
  sqlite3_stmt* raw = nullptr;
  const int error = sqlite3_prepare_v3(connection_.get(), sql.data(), static_cast<int>(sql.size()),
                                       SQLITE_PREPARE_PERSISTENT, &raw, nullptr);
  if (error != SQLITE_OK) return fail(trouble("store.read", path_, connection_.get(), error));
  return &statements_.emplace(std::string(sql), Statement(raw, path_)).first->second;
}

std::int64_t Database::last_row() const { return sqlite3_last_insert_rowid(connection_.get()); }

std::int64_t Database::changed_rows() const { return sqlite3_changes64(connection_.get()); }

Result<void> Database::write_blob(const char* table, const char* column, std::int64_t row,
                                  std::string_view bytes) {
  CUTLINE_TRY_ASSIGN(const Blob blob,
                     open_blob(connection_.get(), path_, table, column, row, true));
  for (std::size_t at = 0; at < bytes.size(); at += kStreamChunkBytes) {
    const std::string_view chunk = bytes.substr(at, kStreamChunkBytes);
    const int error = sqlite3_blob_write(blob.get(), chunk.data(), static_cast<int>(chunk.size()),
                                         static_cast<int>(at));
    if (error != SQLITE_OK) return fail(trouble("store.write", path_, connection_.get(), error));
  }
  return {};
}

Result<std::string> Database::read_blob(const char* table, const char* column, std::int64_t row) {
  CUTLINE_TRY_ASSIGN(const Blob blob,
                     open_blob(connection_.get(), path_, table, column, row, false));
  std::string bytes(static_cast<std::size_t>(sqlite3_blob_bytes(blob.get())), '\0');
  for (std::size_t at = 0; at < bytes.size(); at += kStreamChunkBytes) {
    const std::size_t size = std::min(kStreamChunkBytes, bytes.size() - at);
    const int error = sqlite3_blob_read(blob.get(), bytes.data() + at, static_cast<int>(size),
                                        static_cast<int>(at));
    if (error != SQLITE_OK) return fail(trouble("store.read", path_, connection_.get(), error));
  }
  return bytes;
}

// --- Transactions
// ---------------------------------------------------------------------------------

Result<Transaction> Transaction::begin(Database& database) {
  CUTLINE_TRY(database.execute("BEGIN IMMEDIATE"));
  return Transaction(database);
}

Result<void> Transaction::commit() {
  CUTLINE_ASSERT(database_ != nullptr);
  CUTLINE_TRY(database_->execute("COMMIT"));
  database_ = nullptr;
  return {};
}

Transaction::~Transaction() {
  // SQLite has rolled back by itself after some errors; that there is nothing to roll back is well.
  if (database_) static_cast<void>(database_->execute("ROLLBACK"));
}

}  // namespace cutline::store
