// script.cc: whose turn it is, and what a turn needs of the request.
//
// A turn that the request has no tool for is passed over, not waited for: a script that searches
// for tools first then runs with a client that has no tool search, too, and its note says so.
#include "llm/script.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "json/writer.h"
#include "llm/glob.h"
#include "llm/ideal_reader.h"

namespace cutline::llm {
namespace {

constexpr std::size_t kToolNameBytesMax = 256;  // real ones: 128, and 130 from some clients
constexpr std::size_t kNamesMax = 10'000;

bool could_name_a_tool(std::string_view line) {
  constexpr std::string_view kCharacters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
  return !line.empty() && line.size() <= kToolNameBytesMax &&
         line.find_first_not_of(kCharacters) == line.npos;
}

std::string_view without_blanks(std::string_view line) {
  constexpr std::string_view kBlanks = " \t\r";
  const std::size_t begin = std::min(line.find_first_not_of(kBlanks), line.size());
  line.remove_prefix(begin);
  return line.substr(0, line.find_last_not_of(kBlanks) + 1);
}

/// NAME of `- "NAME": words`; other lines as they are.
std::string_view name_in(std::string_view line) {
  constexpr std::string_view kItem = "- \"";
  if (!line.starts_with(kItem)) return line;
  line.remove_prefix(kItem.size());
  return line.substr(0, line.find('"'));
}

/// Each new name that fits the pattern and is not there to be called anyway.
class DeferredNames {
 public:
  DeferredNames(const Request& request, std::string_view wanted) : wanted_(wanted) {
    for (const Tool* tool : visible_tools(request)) known_.insert(tool->name);
    for (const Tool& tool : request.tools)
      if (tool.deferred && !tool.provided) offer(tool.name);
    for (const Part& part : request.parts)
      if (part.role != Role::kAssistant && part.role != Role::kToolResult &&
          part.role != Role::kNamespace)
        offer_lines(part.text);
    for (const Tool& tool : request.tools)
      if (is_search(tool)) offer_lines(tool.description);
  }
  std::vector<std::string> take() { return std::move(names_); }

 private:
  /// A client's list of names is one name a line, or an item with the name in quotes first.
  void offer_lines(std::string_view text) {
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      const std::string_view line = name_in(without_blanks(text.substr(0, end)));
      if (could_name_a_tool(line)) offer(line);
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  }
  void offer(std::string_view name) {
    if (names_.size() < kNamesMax && glob_matches(wanted_, name) &&
        known_.insert(std::string(name)).second)
      names_.emplace_back(name);
  }

  std::string_view wanted_;
  std::set<std::string> known_;
  std::vector<std::string> names_;
};

void note(ScriptedReply& scripted, std::string_view what) {
  if (!scripted.note.empty()) scripted.note += "; ";
  scripted.note += what;
}

constexpr std::string_view kToolsPlace = "{tools}";

std::string inside_a_string(std::string_view text) {
  std::string literal;
  json::append_string(literal, text);
  return literal.substr(1, literal.size() - 2);
}

/// The names go into a string of the arguments, so they are written as JSON has them.
std::string with_names(std::string_view arguments, const std::vector<std::string>& names) {
  const std::string inside = inside_a_string(fmt::format("{}", fmt::join(names, ",")));
  std::string out;
  for (std::size_t at = arguments.find(kToolsPlace); at != arguments.npos;
       at = arguments.find(kToolsPlace)) {
    out += arguments.substr(0, at);
    out += inside;
    arguments.remove_prefix(at + kToolsPlace.size());
  }
  return out += arguments;
}

/// Whether the turn could be played; if not, the note says why.
bool call(const ToolCallTurn& turn, const Request& request, ScriptedReply& scripted) {
  const std::vector<const Tool*> tools = visible_tools(request);
  const auto tool = std::ranges::find_if(
      tools, [&](const Tool* t) { return !t->provided && glob_matches(turn.pattern, t->name); });
  if (tool == tools.end()) {
    note(scripted, fmt::format("no tool '{}' in the request", turn.pattern));
    return false;
  }
  std::string arguments = turn.arguments;
  if (arguments.find(kToolsPlace) != arguments.npos) {
    const std::vector<std::string> names = DeferredNames(request, turn.wanted).take();
    if (names.empty()) {
      note(scripted, fmt::format("no deferred tool '{}' in the request", turn.wanted));
      return false;
    }
    arguments = with_names(arguments, names);
  }
  scripted.reply.content = ToolCall{.tool = (*tool)->name, .arguments = std::move(arguments)};
  return true;
}

/// As many as any search loads at once.
constexpr int kSearchedMax = 1000;

/// Codex finds tools by words: the name of their server is one. Claude Code and Qwen Code take
/// names that they have listed.
bool search(const SearchTurn& turn, const Request& request, ScriptedReply& scripted) {
  const auto by_words = std::ranges::find(request.tools, ToolForm::kSearch, &Tool::form);
  if (by_words != request.tools.end()) {
    scripted.reply.content =
        ToolCall{.tool = by_words->name,
                 .arguments = fmt::format(R"({{"query":"{}","limit":{}}})",
                                          inside_a_string(turn.words), kSearchedMax)};
    return true;
  }
  const auto by_names = std::ranges::find_if(request.tools, is_search);
  return call({.pattern = by_names == request.tools.end() ? "ToolSearch" : by_names->name,
               .arguments = R"({"query":"select:{tools}"})",
               .wanted = turn.wanted},
              request, scripted);
}

bool play(const Turn& turn, const Request& request, ScriptedReply& scripted) {
  scripted.delay = turn.delay;
  if (const auto* words = std::get_if<TextReply>(&turn.content)) {
    scripted.reply.content = *words;
  } else if (const auto* error = std::get_if<ErrorReply>(&turn.content)) {
    scripted.reply.content = *error;
  } else if (const auto* tool_call = std::get_if<ToolCallTurn>(&turn.content)) {
    return call(*tool_call, request, scripted);
  } else if (const auto* searching = std::get_if<SearchTurn>(&turn.content)) {
    return search(*searching, request, scripted);
  } else {
    scripted.reply.content = TextReply{ideal_answer(request)};
    scripted.ideal_reader = true;
  }
  return true;
}

std::size_t rough_tokens(const Reply& reply) {
  std::size_t bytes = 0;
  if (const auto* words = std::get_if<TextReply>(&reply.content)) bytes = words->text.size();
  if (const auto* tool_call = std::get_if<ToolCall>(&reply.content))
    bytes = tool_call->tool.size() + tool_call->arguments.size();
  return std::max<std::size_t>(bytes / 4, 1);
}

}  // namespace

std::size_t rough_tokens(const Request& request) {
  std::size_t bytes = 0;
  for (const Part& part : request.parts) bytes += part.text.size();
  for (const Tool* tool : visible_tools(request))
    bytes += tool->name.size() + tool->description.size() + tool->schema.size();
  return std::max<std::size_t>(bytes / 4, 1);
}

ScriptedReply ScriptPlayer::next(const Request& request) {
  ScriptedReply scripted;
  const bool of_conversation =
      !request.tools.empty() && (script_.prompt.empty() || request.says(script_.prompt));
  while (of_conversation && !scripted.turn && position_ < script_.turns.size()) {
    const std::size_t turn = position_++;
    if (play(script_.turns[turn], request, scripted)) scripted.turn = turn;
  }
  if (!scripted.turn && !play(script_.otherwise, request, scripted))
    play(Turn{.content = IdealReader{}, .delay = {}}, request, scripted);
  scripted.reply.usage = {.input_tokens = rough_tokens(request),
                          .output_tokens = rough_tokens(scripted.reply)};
  scripted.reply.number = ++replies_;
  return scripted;
}

}  // namespace cutline::llm
