// shim_read.cc: the log of shims, read back.
#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "json/document.h"
#include "run/base64.h"
#include "run/shim.h"

namespace cutline::run {
namespace {

using json::Value;

struct Record {
  store::Message message;
  std::int64_t pid = 0;
};

std::optional<std::int64_t> integer_member(const Value& record, std::string_view key) {
  const std::optional<Value> value = record.find(key);
  return value && value->is(json::Type::kNumber) ? value->int64() : std::nullopt;
}

std::optional<std::string> line_of(const Value& record) {
  if (const auto encoded = json::string_member(record, "line_base64")) return from_base64(*encoded);
  return json::string_member(record, "line");
}

/// For a person: "exit code 1".
std::string end_of(const Value& record) {
  if (auto problem = json::string_member(record, "problem")) return *std::move(problem);
  mcp::Exit exit;
  if (const auto signal = integer_member(record, "signal"))
    exit.signal = static_cast<int>(*signal);
  else if (const auto code = integer_member(record, "code"))
    exit.code = static_cast<int>(*code);
  return exit.signal || exit.code ? mcp::to_text(exit) : "";
}

/// Nothing for what no shim wrote.
std::optional<Record> record_of(const Value& value) {
  const auto at_us = integer_member(value, "at_us");
  const auto pid = integer_member(value, "pid");
  const auto server = json::string_member(value, "server");
  const auto direction = json::string_member(value, "direction");
  if (!at_us || !pid || !server || !direction) return std::nullopt;
  std::optional<std::string> line;
  if (*direction == "started")
    line = fmt::format("pid {}", *pid);
  else if (*direction == "ended")
    line = end_of(value);
  else if (*direction == "client" || *direction == "server" || *direction == "stderr" ||
           *direction == "full")
    line = line_of(value);
  if (!line) return std::nullopt;
  return Record{.message = {.at_us = *at_us,
                            .server = *server,
                            .process = 0,
                            .direction = *direction,
                            .line = *std::move(line)},
                .pid = *pid};
}

/// Which start of its server each is of. A process id may come again; a start tells.
void number_processes(std::vector<Record>& records) {
  std::map<std::string, std::int64_t> starts;
  std::map<std::pair<std::string, std::int64_t>, std::int64_t> running;
  for (Record& record : records) {
    store::Message& message = record.message;
    std::int64_t& process = running[{message.server, record.pid}];
    if (process == 0 || message.direction == "started") process = ++starts[message.server];
    message.process = process;
  }
}

}  // namespace

Result<std::vector<store::Message>> read_shim_log(std::string_view log, std::int64_t start_us) {
  std::vector<Record> records;
  for (std::size_t number = 1;; ++number) {
    const std::size_t feed = log.find('\n');
    if (feed == std::string_view::npos) break;
    const Result<json::Document> document = json::Document::parse(log.substr(0, feed));
    std::optional<Record> record;
    if (document) record = record_of(document->root());
    if (!record) {
      return fail({.code = "run.shim_log",
                   .message = document ? "this is no record of a shim" : document.error().message,
                   .place = fmt::format("line {}", number),
                   .hint = {}});
    }
    record->message.at_us -= start_us;
    records.push_back(*std::move(record));
    log.remove_prefix(feed + 1);
  }
  std::ranges::stable_sort(records, {}, [](const Record& record) { return record.message.at_us; });
  number_processes(records);
  std::vector<store::Message> messages;
  messages.reserve(records.size());
  for (Record& record : records) messages.push_back(std::move(record.message));
  return messages;
}

}  // namespace cutline::run
