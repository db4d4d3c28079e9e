#include "llm/script.h"

#include <gtest/gtest.h>

namespace cutline::llm {
namespace {

using std::chrono::milliseconds;

Tool tool(std::string name, bool deferred = false) {
  return {
      .name = std::move(name), .path = {}, .description = {}, .schema = {}, .deferred = deferred};
}

Request request(std::string prompt, std::vector<Tool> tools) {
  Request request;
  request.parts = {{.role = Role::kUser, .path = {}, .text = std::move(prompt), .turn = 0}};
  request.tools = std::move(tools);
  return request;
}

Turn says(std::string text) { return {.content = TextReply{std::move(text)}, .delay = {}}; }
Turn calls(std::string pattern, std::string arguments, std::string wanted = {}) {
  return {.content = ToolCallTurn{std::move(pattern), std::move(arguments), std::move(wanted)},
          .delay = {}};
}

/// "TEXT", "TOOL(ARGUMENTS)" or "STATUS", and the turn.
std::string shown(const ScriptedReply& scripted) {
  std::string out;
  if (const auto* text = std::get_if<TextReply>(&scripted.reply.content)) out = text->text;
  if (const auto* call = std::get_if<ToolCall>(&scripted.reply.content))
    out = call->tool + "(" + call->arguments + ")";
  if (const auto* error = std::get_if<ErrorReply>(&scripted.reply.content))
    out = std::to_string(error->status);
  if (scripted.turn) out += " #" + std::to_string(*scripted.turn);
  if (!scripted.note.empty()) out += " !" + scripted.note;
  return out;
}

constexpr std::string_view kNothing = "BEGIN=NONE END=NONE LAST=NONE";

TEST(ScriptPlayer, KeepsItsTurnsForTheConversation) {
  ScriptPlayer player({.prompt = "What do you see?",
                       .turns = {says("one"),
                                 {.content = ErrorReply{529, {}, "busy"}, .delay = milliseconds(5)},
                                 {.content = IdealReader{}, .delay = {}}},
                       .otherwise = says("else")});
  const Request talk = request("Now: What do you see?", {tool("Bash")});
  EXPECT_EQ(shown(player.next(request("Write a title", {}))), "else");
  EXPECT_EQ(shown(player.next(request("What do you see?", {}))), "else");  // a warm-up has no tools
  EXPECT_EQ(shown(player.next(request("You are a sub-agent", {tool("Bash")}))), "else");
  EXPECT_EQ(shown(player.next(talk)), "one #0");
  ScriptedReply scripted = player.next(talk);
  EXPECT_EQ(shown(scripted), "529 #1");
  EXPECT_EQ(scripted.delay, milliseconds(5));
  EXPECT_FALSE(scripted.ideal_reader);
  scripted = player.next(talk);
  EXPECT_EQ(shown(scripted), std::string(kNothing) + " #2");
  EXPECT_TRUE(scripted.ideal_reader);
  scripted = player.next(talk);
  EXPECT_EQ(shown(scripted), "else");
  EXPECT_EQ(scripted.delay, milliseconds(0));
  EXPECT_EQ(scripted.reply.number, 7u);
}

TEST(ScriptPlayer, NeedsNoPromptAndNoTurns) {
  ScriptPlayer player({.prompt = {}, .turns = {says("one")}});
  Request bare;
  bare.tools = {tool("Bash")};
  EXPECT_EQ(shown(player.next(bare)), "one #0");
  EXPECT_EQ(shown(player.next(bare)), kNothing);
  EXPECT_EQ(shown(ScriptPlayer({}).next({})), kNothing);
}

TEST(ScriptPlayer, CallsToolsByPattern) {
  const Request talk = request("p", {tool("mcp__lab__a", true), tool("mcp__lab__b"), tool("Bash")});
  const auto play = [&](Turn turn) {
    return shown(ScriptPlayer({.prompt = {}, .turns = {std::move(turn)}}).next(talk));
  };
  EXPECT_EQ(play(calls("Bash", R"({"command":"sleep 10"})")), R"(Bash({"command":"sleep 10"}) #0)");
  EXPECT_EQ(play(calls("mcp__*", "{}")), "mcp__lab__b({}) #0");  // the other is not loaded
  EXPECT_EQ(play(calls("Task|Agent", "{}")),
            std::string(kNothing) + " !no tool 'Task|Agent' in the request");
}

TEST(ScriptPlayer, CallsNoServiceOfTheProviders) {
  Request talk = request("p", {tool("tool_search"), tool("tool_find")});
  talk.tools[0].provided = true;
  ScriptPlayer player({.prompt = {}, .turns = {calls("tool_*", "{}")}});
  EXPECT_EQ(shown(player.next(talk)), "tool_find({}) #0");
}

TEST(ScriptPlayer, PassesOverTurnsThatTheRequestHasNoToolFor) {
  ScriptPlayer player({.prompt = {},
                       .turns = {calls("ToolSearch", "{}"), calls("Nothing", "{}"), says("two")},
                       .otherwise = calls("Nothing", "{}")});
  EXPECT_EQ(shown(player.next(request("p", {tool("Bash")}))),
            "two #2 !no tool 'ToolSearch' in the request; no tool 'Nothing' in the request");
  EXPECT_EQ(shown(player.next(request("p", {tool("Bash")}))),
            std::string(kNothing) + " !no tool 'Nothing' in the request");
}

TEST(ScriptPlayer, SearchesByWordsWhereTheClientTakesNoNames) {
  Request talk = request("p", {tool("tool_search")});
  talk.tools[0].form = ToolForm::kSearch;
  const Turn search = {.content = SearchTurn{.wanted = "*", .words = "my \"lab\""}, .delay = {}};
  EXPECT_EQ(shown(ScriptPlayer({.prompt = {}, .turns = {search}}).next(talk)),
            R"(tool_search({"query":"my \"lab\"","limit":1000}) #0)");
}

TEST(ScriptPlayer, SelectsTheDeferredToolsThatItFinds) {
  const Turn search = {.content = SearchTurn{.wanted = "mcp__*", .words = "lab"}, .delay = {}};
  const auto play = [&](const Request& talk) {
    return shown(ScriptPlayer({.prompt = {}, .turns = {search}}).next(talk));
  };
  // Names alone, one a line, in any of the client's texts.
  Request talk = request(
      "<available>\nmcp__lab__b\r\n  mcp__lab__a\nWebFetch\nmcp__lab__b\n"
      "use mcp__lab__c\nmcp__x y\n</available>",
      {tool("WebSearch"), tool("ToolSearch"), tool("DeferredToolPlaceholder", true)});
  EXPECT_EQ(play(talk), R"(ToolSearch({"query":"select:mcp__lab__b,mcp__lab__a"}) #0)");

  // Deferred definitions; those that are loaded or were never deferred need no search.
  talk = request("mcp__lab__a\nmcp__lab__z", {tool("mcp__lab__a", true), tool("mcp__lab__b", true),
                                              tool("mcp__lab__z"), tool("MCPSearch")});
  talk.tool_references = {"mcp__lab__b"};
  EXPECT_EQ(play(talk), R"(MCPSearch({"query":"select:mcp__lab__a"}) #0)");

  // A server's words in a result, or our own, are no list of the client's.
  talk = request("p", {tool("ToolSearch")});
  talk.parts.push_back({.role = Role::kToolResult, .path = {}, .text = "mcp__lab__a", .turn = 1});
  talk.parts.push_back({.role = Role::kAssistant, .path = {}, .text = "mcp__lab__a", .turn = 2});
  talk.parts.push_back({.role = Role::kNamespace, .path = {}, .text = "mcp__lab__a", .turn = 0});
  EXPECT_EQ(play(talk), std::string(kNothing) + " !no deferred tool 'mcp__*' in the request");
  talk.parts.push_back(
      {.role = Role::kSystemMessage, .path = {}, .text = "\nmcp__lab__a", .turn = 3});
  EXPECT_EQ(play(talk), R"(ToolSearch({"query":"select:mcp__lab__a"}) #0)");

  // Names of definitions may hold anything.
  talk = request("p", {tool("mcp__\"\\", true), tool("ToolSearch")});
  EXPECT_EQ(play(talk), R"(ToolSearch({"query":"select:mcp__\"\\"}) #0)");
}

TEST(RoughTokens, AreAQuarterOfWhatTheModelReads) {
  EXPECT_EQ(rough_tokens(Request{}), 1u);
  Request talk = request(std::string(400, 'x'), {tool(std::string(40, 'n')), tool("hidden", true)});
  EXPECT_EQ(rough_tokens(talk), 110u);
  talk.tools[0].description = "12345678";
  talk.tools[0].schema = "1234";
  EXPECT_EQ(rough_tokens(talk), 113u);
  const Reply reply = ScriptPlayer({.prompt = {}, .turns = {says("12345678")}}).next(talk).reply;
  EXPECT_EQ(reply.usage.input_tokens, 113u);
  EXPECT_EQ(reply.usage.output_tokens, 2u);
}

}  // namespace
}  // namespace cutline::llm
