// experiment.cc: from TOML to cells.
//
// A cell is read with what stands above it as its default. What expands (lists) is collected as
// dimensions while it is read, each an index into the list; then the file is read once for every
// combination, with the indexes chosen. So reading stays a straight walk, and the matrix is a
// counter around it.
#include "run/experiment.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "base/sha256.h"
#include "run/experiment_parts.h"
#include "run/script_toml.h"

namespace cutline::run {
namespace {

using config::Kind;
using config::Node;

const std::vector<std::string> kCommonKeys = {
    "clients",   "client", "models",    "model",   "repeats",     "prompt",   "turns",
    "timeout_s", "script", "variables", "servers", "interactive", "arguments"};

constexpr std::string_view kNotInNames("=\0", 2);  // of variables
/// What keeps every client in its scratch folder.
constexpr std::array<std::string_view, 4> kSetByUs = {"HOME", "TMPDIR", "PATH", "XDG_CONFIG_HOME"};

std::vector<std::string> with(std::vector<std::string> keys,
                              std::initializer_list<std::string> more) {
  keys.insert(keys.end(), more);
  return keys;
}

class Reader {
 public:
  Reader(const Node& root, std::string folder) : root_(root), folder_(std::move(folder)) {}

  Result<void> read_cell(const Node* cell, std::string_view default_name,
                         std::vector<ExperimentCell>& out) {
    Matrix matrix;
    std::set<std::vector<std::string>> seen;
    do {
      matrix.begin_round();
      CUTLINE_TRY_ASSIGN(ExperimentCell one, read_round(cell, default_name, matrix));
      CUTLINE_TRY_ASSIGN(const std::int64_t repeats, bounded(cell, "repeats", 1, 100, 1));
      if (!seen.insert(matrix.combination()).second)
        return wrong(cell ? *cell : root_, fmt::format("'{}' is there twice", one.key()),
                     "a list names the same thing twice");
      for (one.repeat = 1; one.repeat <= static_cast<std::size_t>(repeats); ++one.repeat) {
        if (out.size() == kCellsMax)
          return wrong(cell ? *cell : root_,
                       fmt::format("there are more than {} cells", kCellsMax));
        out.push_back(one);
      }
    } while (matrix.turn());
    return {};
  }

 private:
  /// The member of the cell, or of the file.
  const Node* member(const Node* cell, std::string_view key) const {
    const Node* own = cell ? cell->find(key) : nullptr;
    return own ? own : root_.find(key);
  }

  /// The same of what can be written in the plural and in the singular; null if there is none.
  Result<const Node*> either(const Node* cell, std::string_view plural,
                             std::string_view singular) const {
    for (const Node* place : {cell, &root_}) {
      const Node* many = place ? place->find(plural) : nullptr;
      const Node* one = place ? place->find(singular) : nullptr;
      if (many && one)
        return wrong(*one, fmt::format("{} and {} say the same", plural, singular),
                     "leave one of them out");
      if (many || one) return many ? many : one;
    }
    return nullptr;
  }

  Result<std::int64_t> bounded(const Node* cell, std::string_view key, std::int64_t least,
                               std::int64_t most, std::int64_t otherwise) const {
    const Node* node = member(cell, key);
    if (!node) return otherwise;
    if (node->kind != Kind::kInteger || node->integer < least || node->integer > most)
      return wrong(*node, fmt::format("{} is a whole number from {} to {}", key, least, most));
    return node->integer;
  }

  /// A string, or one of a list of strings.
  Result<std::string> one_string(const Node& node, std::string_view key, Matrix& matrix,
                                 std::string_view label) const {
    const Node* one = &node;
    if (node.kind == Kind::kArray) {
      if (node.elements.empty()) return wrong(node, fmt::format("{} is an empty list", key));
      one = &matrix.choose(node, label);
    }
    if (one->kind != Kind::kString)
      return wrong(*one, fmt::format("{} takes strings, this is {}", key, config::name(one->kind)));
    return one->string;
  }

  Result<ExperimentCell> read_round(const Node* cell, std::string_view default_name,
                                    Matrix& matrix) {
    ExperimentCell out;
    out.name = default_name;
    if (cell) {
      static const std::vector<std::string> kKeys =
          with(kCommonKeys, {"name", "about", "sessions", "expect", "reported"});
      CUTLINE_TRY(config::only_keys(*cell, kKeys));
      CUTLINE_TRY_ASSIGN(out.name, name_of(*cell));
      CUTLINE_TRY_ASSIGN(const auto about, config::find_string(*cell, "about"));
      out.about = about.value_or("");
    }
    CUTLINE_TRY(read_client(cell, matrix, out));
    CUTLINE_TRY(read_variables(cell, matrix, out));
    CUTLINE_TRY_ASSIGN(const std::int64_t seconds, bounded(cell, "timeout_s", 1, 3'600, 120));
    out.timeout = std::chrono::seconds(seconds);
    CUTLINE_TRY(read_sessions(cell, matrix, out));
    if (const Node* expect = cell ? cell->find("expect") : nullptr) {
      CUTLINE_TRY_ASSIGN(out.expect, read_expectation(*expect));
    }
    if (cell) CUTLINE_TRY(read_pairs(*cell, "reported", out.reported));
    out.choices = matrix.choices();
    return out;
  }

  Result<void> read_client(const Node* cell, Matrix& matrix, ExperimentCell& out) const {
    CUTLINE_TRY_ASSIGN(const Node* const clients, either(cell, "clients", "client"));
    if (!clients)
      return wrong(cell ? *cell : root_, "no clients are named",
                   "write clients = [\"claude-code@2.1.285\"]");
    CUTLINE_TRY_ASSIGN(const std::string client, one_string(*clients, "clients", matrix, {}));
    const std::size_t at = client.find('@');
    out.client = client.substr(0, at);
    if (at == client.npos)
      return wrong(*clients, fmt::format("'{}' has no version", client),
                   fmt::format("write {}@latest or {}@VERSION", client, client));
    out.version = client.substr(at + 1);
    if (!adapter_named(out.client))
      return wrong(*clients, fmt::format("'{}' is no client that can be run", out.client));
    if (out.version != "latest" && !Version::parse(out.version))
      return wrong(*clients, fmt::format("'{}' is no version", out.version));
    CUTLINE_TRY_ASSIGN(const Node* const models, either(cell, "models", "model"));
    if (models) {
      CUTLINE_TRY_ASSIGN(out.model, one_string(*models, "models", matrix, "model"));
    }
    return {};
  }

  Result<void> read_variables(const Node* cell, Matrix& matrix, ExperimentCell& out) const {
    const Node* own = cell ? cell->find("variables") : nullptr;
    for (const Node* place : {root_.find("variables"), own}) {
      if (!place) continue;
      if (place->kind != Kind::kTable)
        return wrong(*place, "variables is a table of NAME = \"value\"");
      for (const auto& [name, value] : place->members) {
        // A list that the cell replaces does not expand.
        if (place != own && own && own->find(name)) continue;
        CUTLINE_TRY_ASSIGN(std::string text, variable(name, value, out.client, matrix));
        out.variables.emplace_back(name, std::move(text));
      }
    }
    return {};
  }

  Result<std::string> variable(const std::string& name, const Node& value,
                               const std::string& client, Matrix& matrix) const {
    if (name.empty() || name.find_first_of(kNotInNames) != name.npos)
      return wrong(value, fmt::format("'{}' is no name of a variable", name));
    const auto set_by_adapter = adapter_named(client)->set_by_us();
    if (std::ranges::find(kSetByUs, name) != kSetByUs.end() ||
        std::ranges::find(set_by_adapter, name) != set_by_adapter.end())
      return wrong(value, fmt::format("{} is not for an experiment to set", name),
                   "it keeps the client in its scratch folder and at the gateway; leave it out");
    CUTLINE_TRY_ASSIGN(std::string text, one_string(value, name, matrix, name));
    if (text.find('\0') != text.npos)
      return wrong(value, fmt::format("{} has a NUL in it, where it would end", name));
    return text;
  }

  Result<void> read_sessions(const Node* cell, Matrix& matrix, ExperimentCell& out) {
    const Node* sessions = cell ? cell->find("sessions") : nullptr;
    if (!sessions) {
      CUTLINE_TRY_ASSIGN(Session session, read_session(cell, nullptr, matrix, out));
      out.sessions.push_back(std::move(session));
      return {};
    }
    if (sessions->kind != Kind::kArray || sessions->elements.empty())
      return wrong(*sessions, "sessions is a list of tables");
    static const std::vector<std::string> kKeys = {"prompt", "script",      "turns",    "servers",
                                                   "resume", "interactive", "arguments"};
    for (const Node& session : sessions->elements) {
      if (session.kind != Kind::kTable) return wrong(session, "a session is a table");
      CUTLINE_TRY(config::only_keys(session, kKeys));
      CUTLINE_TRY_ASSIGN(Session one, read_session(cell, &session, matrix, out));
      if (one.resume && out.sessions.empty())
        return wrong(*session.find("resume"), "the first session has none before it to go on with",
                     "leave resume out here, or write the session that it goes on with before it");
      out.sessions.push_back(std::move(one));
    }
    return {};
  }

  const Node* session_member(const Node* cell, const Node* session, std::string_view key) const {
    const Node* own = session ? session->find(key) : nullptr;
    return own ? own : member(cell, key);
  }

  /// Which of the tables has the key: the session, the cell or the file.
  const Node* owner_of(const Node* cell, const Node* session, std::string_view key) const {
    for (const Node* table : {session, cell, &root_})
      if (table && table->find(key)) return table;
    return nullptr;
  }

  Result<bool> session_flag(const Node* cell, const Node* session, std::string_view key) const {
    const Node* node = session_member(cell, session, key);
    if (!node) return false;
    if (node->kind != Kind::kBoolean) return wrong(*node, fmt::format("{} is true or false", key));
    return node->boolean;
  }

  Result<Session> read_session(const Node* cell, const Node* session, Matrix& matrix,
                               ExperimentCell& out) {
    Session result;
    const Node* prompt = session_member(cell, session, "prompt");
    if (!prompt) return wrong(cell ? *cell : root_, "there is no prompt", "write prompt = \"…\"");
    CUTLINE_TRY_ASSIGN(result.script.prompt, one_string(*prompt, "prompt", matrix, "prompt"));
    if (result.script.prompt.empty()) return wrong(*prompt, "the prompt is empty");
    if (const Node* script = session_member(cell, session, "script")) {
      CUTLINE_TRY_ASSIGN(result.script.turns, read_script(*script));
    }
    const Node* turns = session_member(cell, session, "turns");
    result.turns = result.script.turns.size() + 1;
    if (turns) {
      if (turns->kind != Kind::kInteger || turns->integer < 1 || turns->integer > 1'000)
        return wrong(*turns, "turns is a whole number from 1 to 1,000");
      result.turns = static_cast<std::size_t>(turns->integer);
    }
    if (const Node* owner = owner_of(cell, session, "arguments")) {
      CUTLINE_TRY_ASSIGN(auto arguments, config::find_strings(*owner, "arguments"));
      result.arguments = std::move(arguments).value_or(std::vector<std::string>{});
    }
    CUTLINE_TRY_ASSIGN(result.resume, session_flag(cell, session, "resume"));
    CUTLINE_TRY_ASSIGN(result.interactive, session_flag(cell, session, "interactive"));
    const Node* servers = session_member(cell, session, "servers");
    if (!servers || servers->kind != Kind::kArray)
      return wrong(
          servers ? *servers : (cell ? *cell : root_), "servers is a list of tables",
          "write servers = [{ name = \"lab\", lab = { instructions = \"english:1000\" } }]");
    for (const Node& server : servers->elements) {
      CUTLINE_TRY_ASSIGN(PlannedServer one, read_server(server, folder_, matrix));
      if (std::ranges::find(result.servers, one.name, &PlannedServer::name) != result.servers.end())
        return wrong(server, fmt::format("there are two servers of the name '{}'", one.name));
      for (const auto& setting : one.settings)
        if (std::ranges::find(out.settings, setting) == out.settings.end())
          out.settings.push_back(setting);
      result.servers.push_back(std::move(one));
    }
    search_for(result);
    return result;
  }

  /// A search by words is for the names of the session's servers.
  static void search_for(Session& session) {
    for (llm::Turn& turn : session.script.turns) {
      auto* search = std::get_if<llm::SearchTurn>(&turn.content);
      if (!search) continue;
      for (const PlannedServer& server : session.servers)
        search->words += (search->words.empty() ? "" : " ") + server.name;
    }
  }

  const Node& root_;
  std::string folder_;
};

Result<void> unique_names(const Node& cells) {
  std::vector<std::string_view> names;
  for (const Node& cell : cells.elements) {
    const Node* name = cell.find("name");
    if (!name) continue;
    if (std::ranges::find(names, std::string_view(name->string)) != names.end())
      return wrong(*name, fmt::format("there are two cells of the name '{}'", name->string));
    names.push_back(name->string);
  }
  return {};
}

}  // namespace

std::string ExperimentCell::key() const {
  std::string key = fmt::format("{} {}@{}", name, client, version);
  for (const std::string& choice : choices) key += " " + choice;
  return key + fmt::format(" #{}", repeat);
}

Result<Experiment> read_experiment(std::string_view toml, const std::string& file) {
  CUTLINE_TRY_ASSIGN(const Node root, config::parse_toml(toml, file));
  static const std::vector<std::string> kKeys =
      with(kCommonKeys, {"name", "about", "notes", "cells"});
  CUTLINE_TRY(config::only_keys(root, kKeys));
  Experiment experiment;
  const std::filesystem::path path(file);
  CUTLINE_TRY_ASSIGN(const auto name, config::find_string(root, "name"));
  CUTLINE_TRY_ASSIGN(const auto about, config::find_string(root, "about"));
  if (name == "") return wrong(*root.find("name"), "the name is empty");
  experiment.name = name.value_or(path.stem().string());
  experiment.about = about.value_or("");
  CUTLINE_TRY_ASSIGN(const auto notes, config::find_strings(root, "notes"));
  experiment.notes = notes.value_or(std::vector<std::string>{});
  experiment.hash = sha256_hex(toml);
  experiment.definition = toml;
  Reader reader(root, std::filesystem::absolute(path).parent_path().string());
  const Node* cells = root.find("cells");
  if (!cells) {
    CUTLINE_TRY(reader.read_cell(nullptr, experiment.name, experiment.cells));
    return experiment;
  }
  if (cells->kind != Kind::kArray || cells->elements.empty())
    return wrong(*cells, "cells is a list of tables", "write [[cells]] before each");
  CUTLINE_TRY(unique_names(*cells));
  for (const Node& cell : cells->elements) {
    if (cell.kind != Kind::kTable) return wrong(cell, "a cell is a table");
    CUTLINE_TRY(reader.read_cell(&cell, {}, experiment.cells));
  }
  return experiment;
}

}  // namespace cutline::run
