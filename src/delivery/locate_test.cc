// locate_test.cc: a delivery is put into requests as a prediction says, and found there again; and
// whatever else a client might do with a text is reported as what it is.
#include "delivery/locate.h"

#include <algorithm>
#include <chrono>
#include <deque>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "delivery/compare.h"
#include "text/sample.h"

namespace cutline::delivery {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string kMarker = "… [truncated]";

const Profile& claude_code() {
  static const Profile profile = [] {
    for (const BuiltinProfile& builtin : builtin_profiles())
      if (builtin.file == "claude-code.toml") return read_profile(builtin.toml, "f").value();
    return Profile{};
  }();
  return profile;
}

/// Servers, a client, and what the client sends of them.
struct Scene {
  std::string at = "2.1.285";
  Situation situation = {
      .model = {}, .session = Session::kCustomEndpoint, .variables = {}, .settings = {}};
  std::deque<mcp::Offer> offers;
  std::vector<Configured> servers;
  std::vector<llm::Request> requests;

  mcp::Offer& server(std::string name, std::optional<std::string> instructions) {
    mcp::Offer& offer = offers.emplace_back();
    offer.outcome = mcp::Outcome::kServes;
    offer.legacy.emplace();
    if (instructions) offer.legacy->instructions = mcp::server_text(*instructions);
    offer.probe = {.answer = mcp::ProbeAnswer::kError, .error_code = -32601, .versions = {}};
    servers.push_back({.name = std::move(name), .offer = &offer});
    return offer;
  }

  Delivery predicted() const {
    return deliver(claude_code(), Version::parse(at).value(), situation, servers);
  }
  Delivery located() const {
    return locate(claude_code(), Version::parse(at).value(), situation,
                  {.requests = requests, .servers = servers});
  }
  Comparison compared() const { return compare(predicted(), located()); }

  llm::Request& request() { return requests.emplace_back(); }
};

void add_tool(mcp::Offer& offer, std::string name, std::string description) {
  mcp::Tool tool;
  tool.name = std::move(name);
  tool.description = mcp::server_text(description);
  offer.legacy->tools.push_back(std::move(tool));
}

void add_part(llm::Request& request, llm::Role role, std::string path, std::string text,
              std::size_t turn = 0) {
  request.parts.push_back(
      {.role = role, .path = std::move(path), .text = std::move(text), .turn = turn});
}

llm::Tool defined(std::string name, std::string description, bool deferred = false) {
  llm::Tool tool;
  tool.name = std::move(name);
  tool.path = "tools[0]";
  tool.description = std::move(description);
  tool.deferred = deferred;
  return tool;
}

/// The block of the sections that request `number` is the first to carry.
std::string block_of(const Delivery& delivery, std::size_t number) {
  if (number == 1) return instructions_block(delivery);
  std::string block, closing;
  for (const Delivered& piece : delivery.pieces) {
    if (piece.piece.kind != PieceId::Kind::kInstructions || piece.state != State::kInRequest ||
        piece.request != number)
      continue;
    block += block.empty() ? piece.frame.opening : "\n\n";
    block += piece.frame.before + piece.text() + piece.frame.after;
    closing = piece.frame.closing;
  }
  return block.empty() ? block : block + closing;
}

/// Puts a block where the prediction says, among words of the client's own.
void put_block(llm::Request& request, const Placement& where, std::string block, bool late) {
  if (block.empty()) return;
  if (where.role == "user-reminder") {
    const std::string path = late ? "messages[2].content[0]" : where.path;
    add_part(request, llm::Role::kUser, path + ".text", std::move(block), late ? 2 : 0);
    return;
  }
  if (where.role == "tool-result-reminder") {
    add_part(request, llm::Role::kToolResult, "messages[2].content[0].content", "done\n\n" + block,
             2);
    return;
  }
  block = "Words of the client.\n\n" + block + "\n\nMore words.\n";
  if (where.role == "system") {
    add_part(request, llm::Role::kSystem, where.path + ".text", std::move(block));
  } else if (late || where.form == "string") {
    const std::string path = late ? "messages[4].content" : where.path;
    add_part(request, llm::Role::kSystemMessage, path, std::move(block), late ? 4 : 1);
  } else {
    add_part(request, llm::Role::kSystemMessage, where.path + "[0].text", std::move(block), 1);
  }
}

void put_tools(llm::Request& request, const Delivery& delivery, std::size_t number) {
  std::string names = "Deferred tools:\n";
  for (const Delivered& piece : delivery.pieces) {
    if (piece.piece.kind != PieceId::Kind::kTool || !piece.arrives()) continue;
    const bool deferred = piece.state == State::kDeferred;
    if (deferred) names += piece.full_name + "\n";
    if (deferred ? number > 1 : piece.request <= number)
      request.tools.push_back(defined(piece.full_name, piece.text(), deferred));
  }
  add_part(request, llm::Role::kUser, "messages[0].content[9].text", names);
}

/// Requests of a conversation, as the prediction has them.
void play(Scene& scene, std::size_t requests = 3) {
  const Delivery delivery = scene.predicted();
  for (std::size_t number = 1; number <= requests; ++number) {
    llm::Request& request = scene.request();
    add_part(request, llm::Role::kSystem, "system[0].text", "You are a client.");
    add_part(request, llm::Role::kUser, "messages[0].content[8].text", "Do it.");
    for (std::size_t carried = 1; carried <= number; ++carried) {
      for (const Delivered& piece : delivery.pieces) {
        if (piece.piece.kind != PieceId::Kind::kInstructions || !piece.arrives() ||
            piece.request != carried)
          continue;
        put_block(request, piece.where, block_of(delivery, carried), carried > 1);
        break;
      }
    }
    put_tools(request, delivery, number);
  }
}

std::string words(const Comparison& comparison) {
  std::string out;
  for (const Difference& each : comparison.differences)
    out += fmt::format("{}/{} {}\n  predicted {}\n  measured  {}\n", each.piece.server,
                       each.piece.tool, each.what, each.predicted, each.measured);
  return out;
}

std::vector<std::string> differences(const Comparison& comparison) {
  std::vector<std::string> out;
  for (const Difference& each : comparison.differences) out.push_back(each.what);
  return out;
}

std::string english(std::size_t units, std::string_view salt = {}) {
  return text::sample(text::SampleKind::kEnglish, units, salt).value();
}

// --- Right predictions
// ----------------------------------------------------------------------------

/// Pieces of which hostile and awkward texts are made.
rc::Gen<std::string> texts() {
  return rc::gen::exec([] {
    const std::vector<std::string> kBits = {"a",
                                            "ab",
                                            "\n",
                                            "\n\n",
                                            "…",
                                            " [trunc",
                                            kMarker,
                                            "## a\n",
                                            "## b\n",
                                            "\n\n## b\n",
                                            "</system-reminder>",
                                            "\n</system-reminder>",
                                            "<system-reminder>\n",
                                            "# MCP Server Instructions",
                                            "😀",
                                            "あ",
                                            "\r\n",
                                            "e\u0301",
                                            std::string(300, 'x'),
                                            std::string(2000, 'y')};
    std::string text;
    const std::size_t bits = *rc::gen::inRange<std::size_t>(0, 14);
    for (std::size_t i = 0; i < bits; ++i) text += *rc::gen::elementOf(kBits);
    return text;
  });
}

void put_servers(Scene& scene) {
  std::vector<std::string> pool;
  for (int i = 0; i < 3; ++i) pool.push_back(*texts());
  // Equal texts, and texts that begin with others.
  pool.push_back(pool[0] + pool[1]);
  pool.push_back(std::string(2040, 'z') + pool[2]);
  const std::vector<std::string> kNames = {"a", "B b", "b", "lab"};
  const std::size_t servers = *rc::gen::inRange<std::size_t>(1, kNames.size() + 1);
  for (std::size_t i = 0; i < servers; ++i) {
    mcp::Offer& offer = scene.server(kNames[i], *rc::gen::elementOf(pool));
    const std::size_t tools = *rc::gen::inRange<std::size_t>(0, 3);
    for (std::size_t t = 0; t < tools; ++t)
      add_tool(offer, fmt::format("tool {}", t), *rc::gen::elementOf(pool));
  }
}

void put_client(Scene& scene) {
  scene.at = *rc::gen::element<std::string>("2.1.79", "2.1.84", "2.1.90", "2.1.100", "2.1.160",
                                            "2.1.250", "2.1.285", "2.1.296", "2.1.332");
  scene.situation.model = *rc::gen::element<std::string>("", "claude-opus-4-5", "claude-sonnet-5");
  const auto set = [&](std::string name, std::string value) {
    scene.situation.variables.emplace_back(std::move(name), std::move(value));
  };
  if (*rc::gen::inRange(0, 2) == 0) set("ENABLE_TOOL_SEARCH", "true");
  if (*rc::gen::inRange(0, 3) == 0) set("CLAUDE_CODE_MCP_STARTUP_WAIT_MS", "0");
  const int limit = *rc::gen::element(0, 0, 1, 2, 5, 40, 2041, 5000);
  if (limit > 0) set("CLAUDE_CODE_MAX_MCP_DESCRIPTION_LENGTH", std::to_string(limit));
}

/// A text with the marker of its own where it is cut: the bytes do not tell that from a longer
/// head.
bool ambiguous(const Delivery& delivery) {
  return std::ranges::any_of(delivery.pieces, [](const Delivered& piece) {
    return piece.cut && piece.original.substr(piece.kept.size()).starts_with(kMarker);
  });
}

TEST(Locate, FindsWhatAPredictionSays) {
  const bool holds = rc::check([] {
    Scene scene;
    put_client(scene);
    put_servers(scene);
    play(scene);
    const Delivery predicted = scene.predicted(), located = scene.located();
    RC_PRE(!ambiguous(predicted));
    const Comparison comparison = compare(predicted, located);
    if (!comparison.equal()) RC_FAIL(scene.at + "\n" + words(comparison));
    for (const Delivered& piece : predicted.pieces) {
      if (piece.piece.kind != PieceId::Kind::kInstructions || !piece.arrives()) continue;
      const Delivered& twin = *located.instructions(piece.piece.server);
      RC_ASSERT(twin.text() == piece.text());
      RC_ASSERT(twin.request == piece.request);
      RC_ASSERT(twin.frame.before == piece.frame.before);
    }
  });
  EXPECT_TRUE(holds);
}

TEST(Locate, FindsAShortHeadThatTheFrameOverlaps) {
  Scene scene;
  scene.at = "2.1.296";
  scene.situation.variables = {{"CLAUDE_CODE_MAX_MCP_DESCRIPTION_LENGTH", "1"}};
  scene.server("a", "\n\n…");  // arrives as "\n… [truncated]", behind a heading that ends with "\n"
  play(scene);
  EXPECT_EQ(scene.predicted().instructions("a")->text(), "\n… [truncated]");
  EXPECT_EQ(scene.located().instructions("a")->text(), "\n… [truncated]");
}

TEST(Locate, NamesThePlaceAsTheProfileDoes) {
  struct Row {
    std::string at, model, role, path, form;
  };
  for (const Row& row :
       {Row{"2.1.50", "", "system", "system[2]", "blocks"},
        Row{"2.1.100", "", "user-reminder", "messages[0].content[0]", "blocks"},
        Row{"2.1.200", "", "system-role-message", "messages[1].content", "string"},
        Row{"2.1.285", "", "system-role-message", "messages[1].content[0]", "blocks"},
        Row{"2.1.285", "claude-opus-4-5", "user-reminder", "messages[0].content[3]", "blocks"}}) {
    SCOPED_TRACE(row.at + row.role);
    Scene scene;
    scene.at = row.at;
    scene.situation.model = row.model;
    scene.server("lab", english(3000));
    play(scene, 1);
    const Delivery located = scene.located();
    const Delivered& piece = *located.instructions("lab");
    EXPECT_EQ(piece.state, State::kAtStart);
    EXPECT_EQ(piece.where.role, row.role);
    EXPECT_EQ(piece.where.path, row.path);
    EXPECT_EQ(piece.where.form, row.form);
    EXPECT_EQ(piece.cut, scene.predicted().instructions("lab")->cut);
    EXPECT_TRUE(scene.compared().equal()) << words(scene.compared());
    EXPECT_THAT(located.notes, IsEmpty());
  }
}

TEST(Locate, TellsEqualTextsApartByTheirFrames) {
  Scene scene;
  for (const char* name : {"alpha", "beta", "gamma"}) scene.server(name, "use me well");
  play(scene);
  EXPECT_TRUE(scene.compared().equal()) << words(scene.compared());
  // One of them missing is seen although its text stands there twice.
  std::string& text = scene.requests[0].parts[2].text;
  const std::string section = "## beta\nuse me well\n\n";
  ASSERT_NE(text.find(section), text.npos);
  text.erase(text.find(section), section.size());
  scene.requests.resize(1);
  EXPECT_THAT(differences(scene.compared()), ElementsAre("state"));
  EXPECT_EQ(scene.located().instructions("beta")->state, State::kNever);
}

// --- Wrong predictions
// ----------------------------------------------------------------------------

/// One server with a text, and a request whose only section holds `shown` instead.
Comparison shown_as(const std::string& text, const std::string& shown, Delivered* piece = nullptr,
                    const std::string& model = "claude-opus-4-5") {
  Scene scene;
  scene.situation.model = model;
  scene.server("lab", text);
  const Delivery predicted = scene.predicted();
  const Delivered& lab = *predicted.instructions("lab");
  put_block(scene.request(), lab.where,
            lab.frame.opening + lab.frame.before + shown + lab.frame.closing, false);
  const Delivery located = scene.located();
  if (piece) {
    *piece = *located.instructions("lab");
    piece->original = piece->kept = {};  // they end with the scene
  }
  return compare(predicted, located);
}

TEST(Locate, ReportsATextThatIsCutElsewhere) {
  const std::string text = english(3000);
  for (const std::size_t kept : {1UL, 10UL, 100UL, 2047UL, 2049UL, 2999UL}) {
    SCOPED_TRACE(kept);
    Delivered piece;
    const Comparison comparison = shown_as(text, text.substr(0, kept) + kMarker, &piece);
    EXPECT_THAT(differences(comparison), ElementsAre("text"));
    EXPECT_EQ(piece.cut->at.bytes.value, kept);
    EXPECT_EQ(piece.marker, kMarker);
  }
}

TEST(Locate, ReportsAWholeTextWhereACutIsPredicted) {
  Delivered piece;
  const std::string text = english(3000);
  EXPECT_THAT(differences(shown_as(text, text, &piece)), ElementsAre("text"));
  EXPECT_FALSE(piece.cut);
  EXPECT_EQ(piece.marker, "");
}

TEST(Locate, ReportsAnotherMarker) {
  const std::string text = english(3000);
  for (const char* model : {"claude-opus-4-5", ""}) {
    Delivered piece;
    const Comparison comparison =
        shown_as(text, text.substr(0, 2048) + "[more: ask]", &piece, model);
    ASSERT_THAT(differences(comparison), ElementsAre("text"));
    EXPECT_EQ(piece.marker, "[more: ask]");
    EXPECT_THAT(piece.reason, HasSubstr("no marker that the profile knows"));
    EXPECT_THAT(comparison.differences[0].measured, HasSubstr("[more: ask]"));
    EXPECT_THAT(comparison.differences[0].predicted, HasSubstr("… [truncated]"));
  }
}

TEST(Locate, ReportsATextThatWasChanged) {
  const std::string text = "First line of many.\n" + english(1500);
  std::string indented;
  for (const char c : text) indented += c == '\n' ? "\n    " : std::string(1, c);
  const std::string middle = text.substr(0, 700) + "\n[…]\n" + text.substr(1200);
  const std::string escaped = "&lt;b&gt;" + text.substr(3);
  for (const std::string& shown : {indented, middle, escaped}) {
    Delivered piece;
    EXPECT_THAT(differences(shown_as(text, shown, &piece)), ElementsAre("text"));
    EXPECT_EQ(piece.changed, shown);
    EXPECT_TRUE(piece.cut);
    EXPECT_THAT(piece.reason, HasSubstr("changed from byte"));
  }
}

TEST(Locate, ReportsAnotherFrame) {
  Scene scene;
  const std::string text = english(1000);
  scene.server("lab", text);
  add_part(scene.request(), llm::Role::kSystemMessage, "messages[1].content[0].text",
           "Prompt\n\n# Servers\n\n<server name=lab>\n" + text + "\n</server>\n", 1);
  EXPECT_THAT(differences(scene.compared()), ElementsAre("frame (opening)", "frame (before)"));
  EXPECT_EQ(scene.located().instructions("lab")->frame.before, "<server name=lab>\n");
}

TEST(Locate, ReportsAnotherPlaceAndAnotherRequest) {
  Scene scene;
  const std::string text = english(1000);
  scene.server("lab", text);
  scene.request();
  add_part(scene.request(), llm::Role::kToolResult, "messages[2].content[0].content[0].text",
           "1\t" + text, 2);
  const Comparison comparison = scene.compared();
  EXPECT_THAT(differences(comparison),
              ElementsAre("state", "place", "frame (opening)", "frame (before)"));
  EXPECT_EQ(comparison.differences[0].measured, "in-request 2");
  EXPECT_EQ(scene.located().instructions("lab")->where.role, "tool-result");
}

TEST(Locate, FindsInstructionsInAToolDescription) {
  Scene scene;
  const std::string text = english(1000);
  scene.server("lab", text);
  scene.request().tools.push_back(defined("lab_help", "About: " + text));
  const Delivery located = scene.located();
  EXPECT_EQ(located.instructions("lab")->where.role, "tools");
  EXPECT_EQ(located.instructions("lab")->where.path, "tools[0].description");
}

TEST(Locate, NotesFurtherOccurrences) {
  Scene scene;
  scene.server("lab", english(1000));
  play(scene);
  add_part(scene.requests[2], llm::Role::kUser, "messages[6].content", english(1000), 6);
  EXPECT_THAT(scene.located().notes,
              ElementsAre("the instructions of lab stand again in request 3, at "
                          "messages[6].content (user-message)"));
  EXPECT_TRUE(scene.compared().equal());
}

TEST(Locate, TakesNoChanceForATextThatIsMissing) {
  Scene scene;
  scene.server("lab", "Words of which some are everywhere, but never all of them in a row.");
  scene.server("short", "tool");
  add_part(scene.request(), llm::Role::kUser, "messages[0].content",
           "Words of which tool some are ## short\nWords");
  const Delivery located = scene.located();
  for (const char* name : {"lab", "short"}) {
    EXPECT_EQ(located.instructions(name)->state, State::kNever);
    EXPECT_EQ(located.instructions(name)->reason, "in none of the client's requests (1 request)");
  }
}

TEST(Locate, TellsMissingFromNotMeasured) {
  Scene scene;
  scene.server("lab", english(1000));
  scene.server("none", std::nullopt);
  scene.server("nothing", "");
  EXPECT_EQ(scene.located().instructions("lab")->state, State::kUnknown);
  EXPECT_EQ(scene.compared().compared, 2u);
  scene.situation.variables.emplace_back("CLAUDE_CODE_MCP_STARTUP_WAIT_MS", "0");
  scene.request();
  EXPECT_EQ(scene.located().instructions("lab")->reason,
            "expected in request 2, and the client made 1 request");
  scene.request();
  const Delivery located = scene.located();
  EXPECT_EQ(located.instructions("lab")->never, Never::kNotDelivered);
  EXPECT_EQ(located.instructions("none")->never, Never::kNotOffered);
  EXPECT_EQ(located.instructions("nothing")->never, Never::kEmpty);
}

TEST(Locate, AnEmptySectionIsNoMissingOne) {
  Scene scene;
  scene.server("empty", "");
  scene.server("lab", "text");
  play(scene, 1);
  std::string& text = scene.requests[0].parts[2].text;
  ASSERT_NE(text.find("## lab"), text.npos);
  text.insert(text.find("## lab"), "## empty\n\n\n");
  EXPECT_THAT(differences(scene.compared()), ElementsAre("state"));
}

TEST(Locate, TellsTheErasApart) {
  Scene scene;
  scene.at = "2.1.332";
  mcp::Offer& offer = scene.server("lab", english(1000));
  offer.modern.emplace();
  offer.modern->era = mcp::Era::kModern;
  offer.modern->instructions = mcp::server_text(english(1500, "discover"));
  offer.probe = {.answer = mcp::ProbeAnswer::kModern, .error_code = {}, .versions = {}};
  play(scene);
  EXPECT_TRUE(scene.compared().equal()) << words(scene.compared());
  EXPECT_EQ(scene.located().instructions("lab")->era, mcp::Era::kModern);
  for (llm::Request& request : scene.requests) {
    for (llm::Part& part : request.parts) {
      const std::size_t at = part.text.find(english(1500, "discover"));
      if (at != part.text.npos) part.text.replace(at, 1500, english(1000));
    }
  }
  EXPECT_THAT(differences(scene.compared()), ElementsAre("text"));
  EXPECT_EQ(scene.located().instructions("lab")->era, mcp::Era::kLegacy);
}

// --- Tools
// ----------------------------------------------------------------------------------------

TEST(LocateTools, ByNameTextAndRequest) {
  Scene scene;
  mcp::Offer& offer = scene.server("lab", std::nullopt);
  add_tool(offer, "cut", english(3000));
  add_tool(offer, "changed", english(500, "changed"));
  add_tool(offer, "renamed", english(500, "renamed"));
  add_tool(offer, "gone", english(500, "gone"));
  add_tool(offer, "late", english(500, "late"));
  llm::Request& first = scene.request();
  first.tools.push_back(defined("mcp__lab__cut", english(3000).substr(0, 2048) + kMarker));
  first.tools.push_back(defined("mcp__lab__changed", "A tool. " + english(500, "changed")));
  first.tools.push_back(defined("lab-renamed", english(500, "renamed")));
  llm::Request& second = scene.request();
  second.tools = scene.requests[0].tools;
  second.tools.push_back(defined("mcp__lab__late", english(500, "late")));
  const Comparison comparison = scene.compared();
  EXPECT_THAT(differences(comparison), ElementsAre("text", "name", "state", "state"));
  const Delivery located = scene.located();
  EXPECT_TRUE(located.tool("lab", "cut")->cut);
  EXPECT_EQ(located.tool("lab", "changed")->changed, "A tool. " + english(500, "changed"));
  EXPECT_EQ(located.tool("lab", "renamed")->full_name, "lab-renamed");
  EXPECT_EQ(located.tool("lab", "gone")->state, State::kNever);
  EXPECT_EQ(located.tool("lab", "late")->request, 2u);
}

TEST(LocateTools, DeferredOnesAreNamedAndPerhapsDefined) {
  Scene scene;
  scene.situation.variables.emplace_back("ENABLE_TOOL_SEARCH", "true");
  mcp::Offer& offer = scene.server("lab", std::nullopt);
  for (const char* name : {"fetched", "named", "unnamed"})
    add_tool(offer, name, english(3000, name));
  add_part(scene.request(), llm::Role::kUser, "messages[0].content[0].text",
           "mcp__lab__fetched\nmcp__lab__named\nmcp__lab__unnamed_other\n");
  scene.request().tools.push_back(
      defined("mcp__lab__fetched", english(3000, "fetched").substr(0, 2048) + kMarker, true));
  const Delivery located = scene.located();
  EXPECT_EQ(located.tool("lab", "fetched")->request, 2u);
  EXPECT_EQ(located.tool("lab", "fetched")->state, State::kDeferred);
  EXPECT_EQ(located.tool("lab", "named")->state, State::kDeferred);
  EXPECT_EQ(located.tool("lab", "named")->text(), "");
  EXPECT_EQ(located.tool("lab", "unnamed")->state, State::kNever);
  EXPECT_THAT(differences(scene.compared()), ElementsAre("state"));
}

TEST(LocateTools, OfEqualNamesOneIsDefined) {
  Scene scene;
  mcp::Offer& offer = scene.server("lab", std::nullopt);
  add_tool(offer, "a b", "the first of the two");
  add_tool(offer, "a_b", "the second of the two");
  scene.request().tools.push_back(defined("mcp__lab__a_b", "the first of the two"));
  EXPECT_TRUE(scene.compared().equal()) << words(scene.compared());
  scene.requests[0].tools[0].description = "the second of the two";
  EXPECT_THAT(differences(scene.compared()), ElementsAre("state", "state"));
  EXPECT_EQ(scene.located().tool("lab", "a b")->never, Never::kNameCollides);
}

// --- Size
// -----------------------------------------------------------------------------------------

TEST(Locate, IsLinear) {
  // The worst for a search that starts anew at every byte.
  Scene scene;
  scene.server("lab", std::string(2'000'000, 'a') + "b");
  add_part(scene.request(), llm::Role::kUser, "messages[0].content", std::string(8'000'000, 'a'));
  const auto start = std::chrono::steady_clock::now();
  const Delivery located = scene.located();
  EXPECT_EQ(located.instructions("lab")->kept.size(), 2'000'000u);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));
}

}  // namespace
}  // namespace cutline::delivery
