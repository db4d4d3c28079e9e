// learn.cc: which lines of a profile a new version changes.
#include "run/learn.h"

#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>

namespace cutline::run {
namespace {

using delivery::Delivered;
using delivery::PieceId;

constexpr std::size_t kContextLines = 3;

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

/// What becomes of the lines of a file: by the number of the line, from 0.
struct Edits {
  std::map<std::size_t, std::string> replaced;
  std::map<std::size_t, std::vector<std::string>> inserted;  // behind that line
};

/// A hunk of lines [begin, end) with the changes in it; `shift` is what earlier ones have added.
std::string hunk(const std::vector<std::string_view>& lines, const Edits& edits, std::size_t begin,
                 std::size_t end, std::size_t& shift) {
  std::string body;
  std::size_t added = 0;
  for (std::size_t i = begin; i < end; ++i) {
    const auto replaced = edits.replaced.find(i);
    if (replaced == edits.replaced.end()) {
      body += fmt::format(" {}\n", lines[i]);
    } else {
      body += fmt::format("-{}\n+{}\n", lines[i], replaced->second);
    }
    if (const auto inserted = edits.inserted.find(i); inserted != edits.inserted.end()) {
      for (const std::string& line : inserted->second) body += fmt::format("+{}\n", line);
      added += inserted->second.size();
    }
  }
  const std::size_t old_size = end - begin;
  std::string out = fmt::format("@@ -{},{} +{},{} @@\n", begin + 1, old_size, begin + 1 + shift,
                                old_size + added);
  shift += added;
  return out + body;
}

std::string unified(std::string_view toml, const Edits& edits, const std::string& file) {
  const std::vector<std::string_view> lines = lines_of(toml);
  std::vector<std::size_t> touched;
  touched.reserve(edits.replaced.size() + edits.inserted.size());
  for (const auto& [line, text] : edits.replaced) touched.push_back(line);
  for (const auto& [line, text] : edits.inserted) touched.push_back(line);
  std::ranges::sort(touched);
  if (touched.empty()) return {};
  std::string out = fmt::format("--- a/{0}\n+++ b/{0}\n", file);
  std::size_t shift = 0;
  for (std::size_t i = 0; i < touched.size();) {
    const std::size_t begin = touched[i] - std::min(touched[i], kContextLines);
    std::size_t end = 0;
    for (; i < touched.size() && (end == 0 || touched[i] <= end + kContextLines); ++i)
      end = std::min(lines.size(), touched[i] + 1 + kContextLines);
    out += hunk(lines, edits, begin, end, shift);
  }
  return out;
}

// --- Values
// ---------------------------------------------------------------------------------------

/// As TOML writes it; JSON's escapes are TOML's.
std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n')
      out += "\\n";
    else
      out += c;
  }
  return out + "\"";
}

const Delivered* first_piece(const Judged& cell, PieceId::Kind kind) {
  for (const Delivered& piece : cell.evaluation->measured.pieces)
    if (piece.piece.kind == kind && piece.arrives()) return &piece;
  return nullptr;
}

delivery::Channel channel_of(std::string_view fact) {
  if (fact == "tool.preloaded.budget") return delivery::Channel::kPreloadedTool;
  return fact == "tool.deferred.budget" ? delivery::Channel::kDeferredTool
                                        : delivery::Channel::kInstructions;
}

/// What of that channel came out otherwise in the cells that speak against the fact.
std::vector<const Delivered*> pieces_against(const FactVerdict& verdict,
                                             const std::vector<Judged>& cells) {
  const delivery::Channel channel = channel_of(verdict.fact->name);
  std::vector<const Delivered*> pieces;
  for (const Judged& cell : cells) {
    const bool against = std::ranges::any_of(verdict.against, [&](const FactVerdict::Against& one) {
      return one.cell == cell.cell->key();
    });
    if (!against || !cell.evaluation) continue;
    for (const Delivered& piece : cell.evaluation->measured.pieces)
      if (piece.arrives() && piece.channel == channel) pieces.push_back(&piece);
  }
  return pieces;
}

std::size_t old_size(const delivery::Fact& fact) {
  const config::Node* size = fact.value.find("size");
  return size ? static_cast<std::size_t>(size->integer) : 0;
}

struct Counted {
  text::Unit unit = text::Unit::kUtf16;
  std::size_t least = 0, most = 0;
  std::size_t spread() const { return most - least; }
};

Counted counted(const std::vector<const Delivered*>& cut, text::Unit unit) {
  Counted counted{.unit = unit, .least = text::length(cut.front()->kept, unit)};
  for (const Delivered* piece : cut) {
    const std::size_t length = text::length(piece->kept, unit);
    counted.least = std::min(counted.least, length);
    counted.most = std::max(counted.most, length);
  }
  return counted;
}

/// A client counts in the unit in which its cuts are most alike: in others they differ by script,
/// in its own by less than a character. The unit so far, if the cuts do not tell.
Counted unit_of(const std::vector<const Delivered*>& cut, const delivery::Fact& fact) {
  const config::Node* unit = fact.value.find("unit");
  const auto known = unit ? text::unit_named(unit->string) : std::nullopt;
  Counted best = counted(cut, known.value_or(text::Unit::kUtf16));
  for (const text::Unit other :
       {text::Unit::kUtf16, text::Unit::kCodePoints, text::Unit::kBytes, text::Unit::kGraphemes}) {
    const Counted now = counted(cut, other);
    if (now.spread() < best.spread()) best = now;
  }
  return best;
}

std::optional<std::string> limit_in(const FactVerdict& verdict, const std::vector<Judged>& cells) {
  const delivery::Fact& fact = *verdict.fact;
  const std::vector<const Delivered*> pieces = pieces_against(verdict, cells);
  std::vector<const Delivered*> cut;
  std::ranges::copy_if(pieces, std::back_inserter(cut),
                       [](const Delivered* piece) { return piece->cut.has_value(); });
  if (cut.empty()) {
    const bool longer = std::ranges::any_of(
        pieces, [&](const Delivered* piece) { return piece->whole.utf16.value > old_size(fact); });
    return longer && old_size(fact) > 0 ? std::optional<std::string>("\"none\"") : std::nullopt;
  }
  const Counted size = unit_of(cut, fact);
  const config::Node* inside = fact.value.find("marker_inside");
  const config::Node* first_line = fact.value.find("first_line_only");
  const bool marker_inside = inside && inside->boolean;
  const std::string& marker = cut.front()->marker;
  return fmt::format("{{ size = {}, unit = {}, marker = {}, marker_inside = {}{} }}",
                     size.most + (marker_inside ? text::length(marker, size.unit) : 0),
                     quoted(name(size.unit)), quoted(marker), marker_inside,
                     first_line && first_line->boolean ? ", first_line_only = true" : "");
}

std::optional<std::string> offered_in(const Judged& cell) {
  for (const ServerEvidence& server : cell.evaluation->servers)
    if (server.handshake.offers)
      return fmt::format("{{ offers = {} }}", quoted(*server.handshake.offers));
  return std::nullopt;
}

/// The value as this cell shows it; nothing if it takes more than one cell to tell.
std::optional<std::string> value_in(const delivery::Fact& fact, const Judged& cell) {
  const bool tool = fact.name.starts_with("tool");
  const auto kind = tool ? PieceId::Kind::kTool : PieceId::Kind::kInstructions;
  const Delivered* piece = first_piece(cell, kind);
  if (fact.name == "instructions.delivered")
    return fmt::format("{{ delivered = {} }}", piece != nullptr);
  if (fact.name == "handshake.initialize") return offered_in(cell);
  if (!piece) return std::nullopt;
  if (fact.name == "instructions.placement")
    return fmt::format("{{ role = {}, path = {}, form = {} }}", quoted(piece->where.role),
                       quoted(piece->where.path), quoted(piece->where.form));
  if (fact.name == "handshake.first") {
    const std::string& handshake = cell.evaluation->measured.handshake;
    return fmt::format("{{ method = {} }}", quoted(handshake.substr(0, handshake.find(','))));
  }
  return std::nullopt;
}

const Judged* cell_named(const std::vector<Judged>& cells, const std::string& key) {
  const auto found =
      std::ranges::find_if(cells, [&](const Judged& cell) { return cell.cell->key() == key; });
  return found == cells.end() ? nullptr : &*found;
}

std::vector<std::string> new_fact(const FactVerdict& verdict, const std::vector<Judged>& cells,
                                  const Version& version, std::string_view date) {
  const delivery::Fact& fact = *verdict.fact;
  std::optional<std::string> value;
  const Judged* cell = cell_named(cells, verdict.against.front().cell);
  if (fact.name.ends_with(".budget"))
    value = limit_in(verdict, cells);
  else if (cell)
    value = value_in(fact, *cell);
  std::vector<std::string> lines = {"", "[[fact]]", fmt::format("name = {}", quoted(fact.name)),
                                    fmt::format("versions = \"{}\"", version.text())};
  if (!fact.when.empty()) {
    std::vector<std::string> switches;
    for (const auto& [name, what] : fact.when)
      switches.push_back(fmt::format("{} = {}", quoted(name), quoted(what)));
    lines.push_back(fmt::format("when = {{ {} }}", fmt::join(switches, ", ")));
  }
  if (!fact.models.empty())
    lines.push_back(fmt::format("models = [\"{}\"]", fmt::join(fact.models, "\", \"")));
  if (fact.session) lines.push_back(fmt::format("session = \"{}\"", delivery::name(*fact.session)));
  if (!value) {
    lines.insert(lines.end(), {"unknown = true", "evidence = []"});
    return lines;
  }
  lines.push_back("value = " + *value);
  lines.push_back(
      fmt::format("evidence = [{{ kind = \"measured\", date = {}, how = {}, "
                  "versions = \"{}\" }}]",
                  date, quoted("cell " + verdict.against.front().cell), version.text()));
  return lines;
}

/// The line in which the key of the table that begins at `from` stands.
std::optional<std::size_t> line_of(const std::vector<std::string_view>& lines, std::size_t from,
                                   std::string_view key) {
  for (std::size_t i = from; i < lines.size(); ++i) {
    if (lines[i].starts_with(fmt::format("{} =", key))) return i;
    if (i > from && lines[i].starts_with("[[")) return std::nullopt;
  }
  return std::nullopt;
}

std::size_t end_of_fact(const std::vector<std::string_view>& lines, std::size_t from) {
  std::size_t last = from;
  for (std::size_t i = from + 1; i < lines.size() && !lines[i].starts_with("[["); ++i)
    if (!lines[i].empty() && !lines[i].starts_with('#')) last = i;
  return last;
}

/// The version in the first measured evidence of the fact that begins at `from`: put behind those
/// that stand there, or in front of them. What says something else stays as it is.
void add_to_evidence(const std::vector<std::string_view>& lines, std::size_t from,
                     const Version& version, bool newer, Edits& edits) {
  constexpr std::string_view kVersions = "versions = \"", kMeasured = "kind = \"measured\"";
  const std::size_t end = end_of_fact(lines, from);
  for (std::size_t i = from; i <= end; ++i) {
    const std::size_t kind = lines[i].find(kMeasured);
    const std::size_t key = kind == std::string_view::npos ? kind : lines[i].find(kVersions, kind);
    if (key == std::string_view::npos || lines[i].find("says = ") != std::string_view::npos)
      continue;
    const std::size_t begin = key + kVersions.size();
    const std::size_t close = lines[i].find('"', begin);
    if (close == std::string_view::npos) return;
    const std::string_view before = lines[i].substr(begin, close - begin);
    edits.replaced[i] = fmt::format("{}{}{}", lines[i].substr(0, begin),
                                    newer ? fmt::format("{}, {}", before, version.text())
                                          : fmt::format("{}, {}", version.text(), before),
                                    lines[i].substr(close));
    return;
  }
}

}  // namespace

std::string learn(std::string_view toml, const delivery::Profile& profile, const Version& version,
                  const std::vector<FactVerdict>& verdicts, const std::vector<Judged>& cells,
                  std::string_view now) {
  const bool newer = profile.last < version, older = version < profile.first;
  if (!newer && !older) return {};
  const std::vector<std::string_view> lines = lines_of(toml);
  const std::string_view date = now.substr(0, 10);
  Edits edits;
  const char* end = newer ? "last" : "first";
  if (const auto line = line_of(lines, 0, end))
    edits.replaced[*line] = fmt::format("{} = \"{}\"", end, version.text());
  for (const FactVerdict& verdict : verdicts) {
    const delivery::Fact& fact = *verdict.fact;
    const std::size_t begin = fact.source.line > 0 ? fact.source.line - 1 : 0;
    // What a run asks for by name reaches as far as runs do.
    const bool reaches = verdict.verdict == Verdict::kConfirmed || fact.name == "model.default";
    if (reaches) {
      const auto line = line_of(lines, begin, "versions");
      const std::string from =
          newer && fact.versions.from ? fact.versions.from->text() : version.text();
      const std::string to = newer || !fact.versions.to ? version.text() : fact.versions.to->text();
      if (line) edits.replaced[*line] = fmt::format("versions = \"{}..{}\"", from, to);
      add_to_evidence(lines, begin, version, newer, edits);
    } else if (verdict.verdict == Verdict::kContradicted) {
      edits.inserted[end_of_fact(lines, begin)] = new_fact(verdict, cells, version, date);
    }
  }
  return unified(toml, edits, fmt::format("profiles/{}.toml", profile.id));
}

}  // namespace cutline::run
