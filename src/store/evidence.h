// evidence.h: where measurements are kept: one SQLite file with everything that every cell left.
//
// WAL and synchronous=FULL: what commit() returned for is on the disk. The schema has a version
// (PRAGMA user_version) and is brought up to date when a file is opened; a file of a newer cutline
// is refused. Several processes may have it open; only one may write a run at a time.
//
//   run      one start of `cutline run` on one experiment file (or of measure, or gateway)
//   cell     one start of one client; `key` names it within its run ("limit-25000#2")
//   request  what the client sent to the model's API, in order
//   message  what client and server said to each other, in order of time
//   file     everything else, by name: "stdout", "stderr", "debug.log", "transcript.jsonl", …
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace cutline::store {

struct Run {
  std::int64_t id = 0;
  std::string name;        // of the experiment; "measure", "gateway"
  std::string hash;        // sha256 of the file's bytes: a changed file is another experiment
  std::string definition;  // the file itself
  std::string started_at;  // ISO 8601, UTC
  std::string program;     // "cutline 0.1.0"
};

struct Request {
  std::int64_t at_us = 0;  // since the start of the cell
  std::string method, target;
  std::string headers;  // JSON object, keys redacted
  std::string body;     // as sent
  std::string answer;   // what we answered, or the upstream did: JSON, may be empty
  std::string problem;  // malformed, cut off; empty if all is well
};

struct Message {
  std::int64_t at_us = 0;
  std::string server;        // its name in the client's configuration
  std::int64_t process = 0;  // which start of it, from 1
  std::string direction;     // "client", "server", "stderr", "started", "ended", "full"
  std::string line;          // bytes as sent
};

struct File {
  std::string name, bytes;
};

enum class CellStatus { kRunning, kDone, kFailed };

struct Cell {
  std::int64_t id = 0;
  std::string key;
  CellStatus status = CellStatus::kRunning;
  std::string settings;  // JSON: what it was made of
  std::int64_t wall_us = 0;
  std::optional<int> exit_code, signal;
  std::string problem;  // why it failed
  std::string result;   // JSON: what was measured and how it compares
};

class EvidenceStore {
 public:
  /// ":memory:" keeps it in memory. Problem "store.open" (path and reason), "store.version".
  static Result<EvidenceStore> open(const std::string& path);
  EvidenceStore(EvidenceStore&&) noexcept;
  EvidenceStore& operator=(EvidenceStore&&) noexcept;
  EvidenceStore(const EvidenceStore&) = delete;
  EvidenceStore& operator=(const EvidenceStore&) = delete;
  ~EvidenceStore();

  // All of the following: Problem "store.write" or "store.read" with the file and the reason (disk
  // full, locked by another process for longer than 10 s, damaged).

  Result<std::int64_t> begin_run(const Run& run);
  /// The newest run of that name and hash.
  Result<std::optional<Run>> find_run(std::string_view name, std::string_view hash);
  Result<std::vector<Run>> runs();

  /// What an earlier, killed start left of a cell of this key is removed first.
  Result<std::int64_t> begin_cell(std::int64_t run, std::string_view key,
                                  std::string_view settings);
  /// In one transaction: new requests, and answers to these or earlier ones. An answer names its
  /// request by its number in the cell, from 0. Bodies of any size are streamed in, not copied.
  using Answers = std::vector<std::pair<std::size_t, std::string>>;
  Result<void> add_requests(std::int64_t cell, const std::vector<Request>& requests,
                            const Answers& answers = {});
  /// Messages, files and the end, in one transaction.
  Result<void> finish_cell(const Cell& cell, const std::vector<Message>& messages,
                           const std::vector<File>& files);

  Result<std::vector<Cell>> cells(std::int64_t run);
  Result<std::vector<Request>> requests(std::int64_t cell);
  Result<std::vector<Message>> messages(std::int64_t cell);
  Result<std::optional<std::string>> file(std::int64_t cell, std::string_view name);
  Result<std::vector<std::string>> file_names(std::int64_t cell);

 private:
  struct Impl;
  explicit EvidenceStore(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace cutline::store
