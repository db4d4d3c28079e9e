// evidence.cc: the schema and its reading and writing.
//
// What came from outside is a BLOB, so that no byte of it is ever taken for text. Columns that can
// be large stand last in their row (SQLite streams zeroes into a last column only), and answers in
// a table of their own, so that adding one does not rewrite the body of its request.
#include "store/evidence.h"

#include <array>
#include <utility>

#include <fmt/format.h>

#include "store/database.h"

namespace cutline::store {
namespace {

/// Index N brings a file from version N to N + 1. Never changed once released, only added to.
constexpr std::array<std::string_view, 1> kMigrations = {R"sql(
CREATE TABLE run (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL, hash TEXT NOT NULL, started_at TEXT NOT NULL,
  program TEXT NOT NULL, definition BLOB NOT NULL
) STRICT;
CREATE INDEX run_by_name ON run (name, hash);
CREATE TABLE cell (
  id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
  key TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('running', 'done', 'failed')),
  wall_us INTEGER NOT NULL DEFAULT 0, exit_code INTEGER, signal INTEGER,
  problem TEXT NOT NULL DEFAULT '', settings TEXT NOT NULL, result TEXT NOT NULL DEFAULT '',
  UNIQUE (run, key)
) STRICT;
CREATE TABLE request (
  id INTEGER PRIMARY KEY, cell INTEGER NOT NULL REFERENCES cell (id) ON DELETE CASCADE,
  sequence INTEGER NOT NULL, at_us INTEGER NOT NULL, method BLOB NOT NULL, target BLOB NOT NULL,
  problem BLOB NOT NULL, headers BLOB NOT NULL, body BLOB NOT NULL,
  UNIQUE (cell, sequence)
) STRICT;
CREATE TABLE answer (
  request INTEGER PRIMARY KEY REFERENCES request (id) ON DELETE CASCADE, bytes BLOB NOT NULL
) STRICT;
CREATE TABLE message (
  id INTEGER PRIMARY KEY, cell INTEGER NOT NULL REFERENCES cell (id) ON DELETE CASCADE,
  at_us INTEGER NOT NULL, server TEXT NOT NULL, process INTEGER NOT NULL, direction TEXT NOT NULL,
  line BLOB NOT NULL
) STRICT;
CREATE INDEX message_by_cell ON message (cell, at_us);
CREATE TABLE file (
  id INTEGER PRIMARY KEY, cell INTEGER NOT NULL REFERENCES cell (id) ON DELETE CASCADE,
  name TEXT NOT NULL, bytes BLOB NOT NULL,
  UNIQUE (cell, name)
) STRICT;
)sql"};

constexpr std::array<std::string_view, 3> kStatusNames = {"running", "done", "failed"};

std::string_view name(CellStatus status) { return kStatusNames[static_cast<std::size_t>(status)]; }

CellStatus status_named(std::string_view name) {
  if (name == "done") return CellStatus::kDone;
  return name == "failed" ? CellStatus::kFailed : CellStatus::kRunning;
}

Run read_run(const Statement& row) {
  return {.id = row.integer(0),
          .name = row.bytes(1),
          .hash = row.bytes(2),
          .definition = row.bytes(5),
          .started_at = row.bytes(3),
          .program = row.bytes(4)};
}

constexpr std::string_view kRunColumns =
    "SELECT id, name, hash, started_at, program, definition FROM run ";

Problem no_such(std::string_view what, const std::string& path) {
  return {.code = "store.write",
          .message = fmt::format("the evidence file has no {}", what),
          .place = path,
          .hint = {},
          .blame = Blame::kInternal};
}

}  // namespace

struct EvidenceStore::Impl {
  explicit Impl(Database opened) : database(std::move(opened)) {}

  /// Runs an insertion whose parameter `index` is the last column, `column` of `table`.
  Result<void> insert(Statement& statement, int index, const char* table, const char* column,
                      std::string_view bytes) {
    if (bytes.size() < kStreamedFrom) return statement.bind_bytes(index, bytes).run();
    CUTLINE_TRY(statement.bind_zeroes(index, bytes.size()).run());
    return database.write_blob(table, column, database.last_row(), bytes);
  }

  /// The value of a row that select() made of it: NULL where it is long.
  Result<std::string> long_value(const Statement& row, int column, const char* table,
                                 const char* name, std::int64_t id) {
    if (row.small_integer(column + 1).value_or(0) == 0) return row.bytes(column);
    return database.read_blob(table, name, id);
  }

  Result<void> put_answer(std::int64_t request, std::string_view answer) {
    CUTLINE_TRY_ASSIGN(Statement * add,
                       database.prepared("INSERT INTO answer (request, bytes) VALUES (?1, ?2) "
                                         "ON CONFLICT DO UPDATE SET bytes = excluded.bytes"));
    return add->bind(1, request).bind_bytes(2, answer).run();
  }

  Result<void> put_request(std::int64_t cell, std::int64_t sequence, const Request& request) {
    CUTLINE_TRY_ASSIGN(
        Statement * add,
        database.prepared("INSERT INTO request (cell, sequence, at_us, method, target, problem, "
                          "headers, body) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)"));
    add->bind(1, cell).bind(2, sequence).bind(3, request.at_us).bind_bytes(4, request.method);
    add->bind_bytes(5, request.target).bind_bytes(6, request.problem);
    add->bind_bytes(7, request.headers);
    CUTLINE_TRY(insert(*add, 8, "request", "body", request.body));
    if (request.answer.empty()) return {};
    return put_answer(database.last_row(), request.answer);
  }

  Result<void> put_requests(std::int64_t cell, const std::vector<Request>& requests) {
    CUTLINE_TRY_ASSIGN(Statement * last,
                       database.prepared("SELECT max(sequence) + 1 FROM request WHERE cell = ?1"));
    CUTLINE_TRY_ASSIGN(const bool row, last->bind(1, cell).step());
    std::int64_t sequence = row ? last->integer(0) : 0;
    last->reset();
    for (const Request& request : requests) CUTLINE_TRY(put_request(cell, sequence++, request));
    return {};
  }

  Result<void> put_answer_to(std::int64_t cell, std::size_t sequence, std::string_view answer) {
    CUTLINE_TRY_ASSIGN(
        Statement * find,
        database.prepared("SELECT id FROM request WHERE cell = ?1 AND sequence = ?2"));
    find->bind(1, cell).bind(2, static_cast<std::int64_t>(sequence));
    CUTLINE_TRY_ASSIGN(const bool row, find->step());
    if (!row)
      return fail(no_such(fmt::format("request {} in cell {}", sequence, cell), database.path()));
    const std::int64_t request = find->integer(0);
    find->reset();
    return put_answer(request, answer);
  }

  Result<void> put_message(std::int64_t cell, const Message& message) {
    CUTLINE_TRY_ASSIGN(Statement * add,
                       database.prepared("INSERT INTO message (cell, at_us, server, process, "
                                         "direction, line) VALUES (?1, ?2, ?3, ?4, ?5, ?6)"));
    add->bind(1, cell).bind(2, message.at_us).bind_text(3, message.server);
    add->bind(4, message.process).bind_text(5, message.direction);
    return insert(*add, 6, "message", "line", message.line);
  }

  Result<void> put_file(std::int64_t cell, const File& file) {
    CUTLINE_TRY_ASSIGN(
        Statement * add,
        database.prepared("INSERT INTO file (cell, name, bytes) VALUES (?1, ?2, ?3)"));
    return insert(add->bind(1, cell).bind_text(2, file.name), 3, "file", "bytes", file.bytes);
  }

  Result<void> put_end(const Cell& cell) {
    CUTLINE_TRY_ASSIGN(
        Statement * update,
        database.prepared("UPDATE cell SET status = ?2, wall_us = ?3, exit_code = ?4, signal = ?5, "
                          "problem = ?6, settings = CASE ?7 WHEN '' THEN settings ELSE ?7 END, "
                          "result = ?8 WHERE id = ?1"));
    update->bind(1, cell.id).bind_text(2, name(cell.status)).bind(3, cell.wall_us);
    update->bind(4, cell.exit_code).bind(5, cell.signal).bind_text(6, cell.problem);
    CUTLINE_TRY(update->bind_text(7, cell.settings).bind_text(8, cell.result).run());
    if (database.changed_rows() == 1) return {};
    return fail(no_such(fmt::format("cell {}", cell.id), database.path()));
  }

  Database database;
};

EvidenceStore::EvidenceStore(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
EvidenceStore::EvidenceStore(EvidenceStore&&) noexcept = default;
EvidenceStore& EvidenceStore::operator=(EvidenceStore&&) noexcept = default;
EvidenceStore::~EvidenceStore() = default;

Result<EvidenceStore> EvidenceStore::open(const std::string& path) {
  CUTLINE_TRY_ASSIGN(Database database, Database::open(path));
  CUTLINE_TRY(database.migrate(kMigrations));
  return EvidenceStore(std::make_unique<Impl>(std::move(database)));
}

// --- Runs
// -----------------------------------------------------------------------------------------

Result<std::int64_t> EvidenceStore::begin_run(const Run& run) {
  CUTLINE_TRY_ASSIGN(
      Statement * add,
      impl_->database.prepared("INSERT INTO run (name, hash, started_at, program, definition) "
                               "VALUES (?1, ?2, ?3, ?4, ?5)"));
  add->bind_text(1, run.name).bind_text(2, run.hash).bind_text(3, run.started_at);
  CUTLINE_TRY(add->bind_text(4, run.program).bind_bytes(5, run.definition).run());
  return impl_->database.last_row();
}

Result<std::optional<Run>> EvidenceStore::find_run(std::string_view name, std::string_view hash) {
  static const std::string kSql =
      fmt::format("{} WHERE name = ?1 AND hash = ?2 ORDER BY id DESC LIMIT 1", kRunColumns);
  CUTLINE_TRY_ASSIGN(Statement * find, impl_->database.prepared(kSql));
  CUTLINE_TRY_ASSIGN(const bool row, find->bind_text(1, name).bind_text(2, hash).step());
  std::optional<Run> run;
  if (row) run = read_run(*find);
  find->reset();
  return run;
}

Result<std::vector<Run>> EvidenceStore::runs() {
  static const std::string kSql = fmt::format("{} ORDER BY id", kRunColumns);
  CUTLINE_TRY_ASSIGN(Statement * rows, impl_->database.prepared(kSql));
  std::vector<Run> runs;
  while (true) {
    CUTLINE_TRY_ASSIGN(const bool row, rows->step());
    if (!row) break;
    runs.push_back(read_run(*rows));
  }
  rows->reset();
  return runs;
}

// --- Cells: writing
// -------------------------------------------------------------------------------

Result<std::int64_t> EvidenceStore::begin_cell(std::int64_t run, std::string_view key,
                                               std::string_view settings) {
  CUTLINE_TRY_ASSIGN(Transaction transaction, Transaction::begin(impl_->database));
  CUTLINE_TRY_ASSIGN(Statement * remove,
                     impl_->database.prepared("DELETE FROM cell WHERE run = ?1 AND key = ?2"));
  CUTLINE_TRY(remove->bind(1, run).bind_text(2, key).run());
  CUTLINE_TRY_ASSIGN(Statement * add,
                     impl_->database.prepared("INSERT INTO cell (run, key, status, settings) "
                                              "VALUES (?1, ?2, 'running', ?3)"));
  CUTLINE_TRY(add->bind(1, run).bind_text(2, key).bind_text(3, settings).run());
  const std::int64_t id = impl_->database.last_row();
  CUTLINE_TRY(transaction.commit());
  return id;
}

Result<void> EvidenceStore::add_requests(std::int64_t cell, const std::vector<Request>& requests,
                                         const Answers& answers) {
  if (requests.empty() && answers.empty()) return {};
  CUTLINE_TRY_ASSIGN(Transaction transaction, Transaction::begin(impl_->database));
  if (!requests.empty()) CUTLINE_TRY(impl_->put_requests(cell, requests));
  for (const auto& [sequence, answer] : answers)
    CUTLINE_TRY(impl_->put_answer_to(cell, sequence, answer));
  return transaction.commit();
}

Result<void> EvidenceStore::finish_cell(const Cell& cell, const std::vector<Message>& messages,
                                        const std::vector<File>& files) {
  CUTLINE_TRY_ASSIGN(Transaction transaction, Transaction::begin(impl_->database));
  for (const Message& message : messages) CUTLINE_TRY(impl_->put_message(cell.id, message));
  for (const File& file : files) CUTLINE_TRY(impl_->put_file(cell.id, file));
  CUTLINE_TRY(impl_->put_end(cell));
  return transaction.commit();
}

// --- Cells: reading
// -------------------------------------------------------------------------------

Result<std::vector<Cell>> EvidenceStore::cells(std::int64_t run) {
  CUTLINE_TRY_ASSIGN(
      Statement * rows,
      impl_->database.prepared("SELECT id, key, status, wall_us, exit_code, signal, problem, "
                               "settings, result FROM cell WHERE run = ?1 ORDER BY id"));
  rows->bind(1, run);
  std::vector<Cell> cells;
  while (true) {
    CUTLINE_TRY_ASSIGN(const bool row, rows->step());
    if (!row) break;
    cells.push_back({.id = rows->integer(0),
                     .key = rows->bytes(1),
                     .status = status_named(rows->bytes(2)),
                     .settings = rows->bytes(7),
                     .wall_us = rows->integer(3),
                     .exit_code = rows->small_integer(4),
                     .signal = rows->small_integer(5),
                     .problem = rows->bytes(6),
                     .result = rows->bytes(8)});
  }
  rows->reset();
  return cells;
}

Result<std::vector<Request>> EvidenceStore::requests(std::int64_t cell) {
  static const std::string kSql = fmt::format(
      "SELECT request.id, at_us, method, target, headers, problem, coalesce(bytes, x''), "
      "CASE WHEN length(body) < {0} THEN body END, length(body) >= {0} "
      "FROM request LEFT JOIN answer ON answer.request = request.id WHERE cell = ?1 "
      "ORDER BY sequence",
      kStreamedFrom);
  CUTLINE_TRY_ASSIGN(Statement * rows, impl_->database.prepared(kSql));
  rows->bind(1, cell);
  std::vector<Request> requests;
  while (true) {
    CUTLINE_TRY_ASSIGN(const bool row, rows->step());
    if (!row) break;
    requests.push_back({.at_us = rows->integer(1),
                        .method = rows->bytes(2),
                        .target = rows->bytes(3),
                        .headers = rows->bytes(4),
                        .body = {},
                        .answer = rows->bytes(6),
                        .problem = rows->bytes(5)});
    CUTLINE_TRY_ASSIGN(requests.back().body,
                       impl_->long_value(*rows, 7, "request", "body", rows->integer(0)));
  }
  rows->reset();
  return requests;
}

Result<std::vector<Message>> EvidenceStore::messages(std::int64_t cell) {
  CUTLINE_TRY_ASSIGN(Statement * rows,
                     impl_->database.prepared("SELECT at_us, server, process, direction, line FROM "
                                              "message WHERE cell = ?1 ORDER BY at_us, id"));
  rows->bind(1, cell);
  std::vector<Message> messages;
  while (true) {
    CUTLINE_TRY_ASSIGN(const bool row, rows->step());
    if (!row) break;
    messages.push_back({.at_us = rows->integer(0),
                        .server = rows->bytes(1),
                        .process = rows->integer(2),
                        .direction = rows->bytes(3),
                        .line = rows->bytes(4)});
  }
  rows->reset();
  return messages;
}

Result<std::optional<std::string>> EvidenceStore::file(std::int64_t cell, std::string_view name) {
  static const std::string kSql = fmt::format(
      "SELECT id, CASE WHEN length(bytes) < {0} THEN bytes END, length(bytes) >= {0} FROM file "
      "WHERE cell = ?1 AND name = ?2",
      kStreamedFrom);
  CUTLINE_TRY_ASSIGN(Statement * find, impl_->database.prepared(kSql));
  CUTLINE_TRY_ASSIGN(const bool row, find->bind(1, cell).bind_text(2, name).step());
  std::optional<std::string> bytes;
  if (row) {
    CUTLINE_TRY_ASSIGN(bytes, impl_->long_value(*find, 1, "file", "bytes", find->integer(0)));
  }
  find->reset();
  return bytes;
}

Result<std::vector<std::string>> EvidenceStore::file_names(std::int64_t cell) {
  CUTLINE_TRY_ASSIGN(Statement * rows, impl_->database.prepared(
                                           "SELECT name FROM file WHERE cell = ?1 ORDER BY name"));
  rows->bind(1, cell);
  std::vector<std::string> names;
  while (true) {
    CUTLINE_TRY_ASSIGN(const bool row, rows->step());
    if (!row) break;
    names.push_back(rows->bytes(0));
  }
  rows->reset();
  return names;
}

}  // namespace cutline::store
