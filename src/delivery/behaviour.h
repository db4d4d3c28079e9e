// behaviour.h: a profile as it holds for one version in one situation. Internal to this room.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "delivery/deliver.h"
#include "delivery/delivery.h"
#include "delivery/like_rules.h"

namespace cutline::delivery {

class Behaviour;

/// Texts that one client writes anew, kept for its next version and for others that do the same.
class Rewritten {
 public:
  struct Text {
    std::string value;
    text::Place length;
  };
  /// Null where the client leaves the text alone. `sent` must stay where it is.
  std::shared_ptr<const Text> of(const Behaviour& behaviour, std::string_view rule,
                                 std::string_view sent);

 private:
  LikeRules rules_;
  std::map<std::pair<const config::Node*, const char*>, std::shared_ptr<const Text>> known_;
};

class Behaviour {
 public:
  /// All must outlive it. Without `rewritten` nothing is kept for other versions.
  Behaviour(const Profile& profile, const Version& version, const Situation& situation,
            Rewritten* rewritten = nullptr);

  /// The fact that holds, and its value: null where nothing is known (no fact, or an unknown one).
  Found fact(std::string_view name) const;
  const config::Node* value(std::string_view name) const;
  /// The same for the string, whole number or truth at a key of the value.
  std::string_view text(std::string_view name, std::string_view key) const;
  std::optional<std::int64_t> integer(std::string_view name, std::string_view key) const;
  std::optional<bool> truth(std::string_view name, std::string_view key) const;

  /// What --set and --setting say, the last one winning.
  std::optional<std::string_view> variable(std::string_view name) const;
  std::optional<std::string_view> setting(std::string_view name) const;

  /// What the fact says in any version: for switches whose effect in this one is not known.
  std::vector<const config::Node*> values_anywhere(std::string_view name) const;

  /// Every fact that was asked for and found, once.
  std::vector<const Fact*> consulted() const;

  /// Does any fact depend on a switch of that name having that value?
  bool is_condition(std::string_view name, std::string_view value) const;

  /// Names the program for sentences: "Claude Code 2.1.285", "Cursor" where there are no versions.
  std::string program() const;
  const Version& version() const { return *version_; }
  const Situation& situation() const { return *situation_; }
  Rewritten* rewritten() const { return rewritten_; }

 private:
  const Profile* profile_;
  const Version* version_;
  const Situation* situation_;
  Rewritten* rewritten_;
  Conditions conditions_;                 // with the model that is sent for the one asked for
  std::optional<Found> model_not_known_;  // the fact that says so
  mutable std::set<const Fact*> consulted_;
};

// --- Limits (budgets.cc)
// --------------------------------------------------------------------------

struct ChannelBudget {
  bool known = false;
  std::optional<text::Budget> budget;  // nothing though known: no limit
  bool keeps_half = false;  // of a character that the cut parts, as a lone surrogate: U+FFFD
  std::shared_ptr<const std::vector<Found>> because;
};
ChannelBudget budget_of(const Behaviour& behaviour, Channel channel);

/// What a value of the limit variable is taken for: a number of units, or no limit at all.
struct SetLimit {
  std::optional<std::size_t> units;
};
/// Nothing if the value is ignored.
std::optional<SetLimit> read_limit(std::string_view value, const config::Node& rules);

// --- All of it (deliver.cc)
// ----------------------------------------------------------------------------

/// deliver(), with what other versions of the client wrote anew.
Delivery deliver(const Profile& profile, const Version& version, const Situation& situation,
                 std::span<const Configured> servers, Rewritten& rewritten);

// --- Instructions (deliver.cc)
// ----------------------------------------------------------------------

/// `form` with {server}, the name in the configuration, and {space}, what tools' names make of it.
std::string with_server(const Behaviour& behaviour, std::string_view form, std::string_view server);

/// What stands around the instructions of `server` in a place of that role.
Frame frame_of(const Behaviour& behaviour, std::string_view server, std::string_view role);

// --- The handshake (handshake.cc)
// -----------------------------------------------------------------

struct Connection {
  bool known = true;
  bool connected = true;
  std::optional<mcp::Era> era;  // whose answers the client uses
  std::string handshake;        // "server/discover, then initialize"
  std::size_t process_starts = 1;
  std::string reason;  // if it is not known or fails
  /// Why the client leaves the server after the handshake, and has nothing of it.
  std::optional<std::string> given_up = {};
  std::optional<double> ready_ms;  // from the start of the process until the client has the text
  std::vector<Found> because;
};
Connection connect(const Behaviour& behaviour, const mcp::Offer& offer);

/// Which request first carries what a server says that is ready after `ready_ms` (nothing: it is
/// not known how long it takes, so it is taken to be in time).
struct Arrival {
  State state = State::kAtStart;
  Never never = Never::kNo;
  std::size_t request = 1;
  std::string reason;
};
Arrival arrival(const Behaviour& behaviour, Channel channel, const std::optional<double>& ready_ms);

// --- Tools (tools.cc)
// -----------------------------------------------------------------------------

/// The connected servers of a configuration, with the answers that the client uses.
struct Connected {
  std::string_view server;
  const mcp::EraOffer* offer = nullptr;
  Arrival arrival;  // of its tools
};
/// Whether tools are deferred until the model searches for them.
enum class Search { kOn, kOff, kUnknown };
struct SearchState {
  Search search = Search::kUnknown;
  std::string reason;  // where it is not known
};
/// Would a request hold more tools than the fact tool_search.over allows before it defers them, the
/// client's own among them? Nothing where there is no such limit.
std::optional<bool> are_many(const Behaviour& behaviour, const std::vector<Connected>& servers);
/// Does a fact tool_search.variable know `value` as "auto", or as "auto:N" with N large enough?
bool is_auto(const config::Node& fact, std::string_view value);
SearchState search_state(const Behaviour& behaviour, const std::vector<Connected>& servers);

/// The name of a tool as the model API gets it.
std::string full_tool_name(const Behaviour& behaviour, std::string_view server,
                           std::string_view tool);

/// Whether a setting of the server keeps its tools out of tool search, in versions that know it.
bool kept_out_of_search(const Behaviour& behaviour);

void deliver_tools(const Behaviour& behaviour, const SearchState& search,
                   const std::vector<Connected>& servers, std::vector<Delivered>& pieces);

// --- Input schemas (refusals.cc)
// --------------------------------------------------------------------

struct OfferedTool {
  const mcp::Tool* tool = nullptr;
  Delivered* piece = nullptr;
};
/// Takes out the tools of one server whose schemas the client will not have (the fact
/// tool.refused); with some clients one such tool costs its server the whole list.
void settle_schemas(const Behaviour& behaviour, std::span<const OfferedTool> tools);
/// Why the client has nothing of a server whose tools it cannot read; nothing if it has.
std::optional<std::string> refusal_of_server(const Behaviour& behaviour,
                                             const mcp::EraOffer& offer);

// --- Room that servers share (share.cc)
// -------------------------------------------------------------------------

/// Cuts the instructions that arrive at the start to what each gets of a limit that all share.
void share_room(const Behaviour& behaviour, std::vector<Delivered>& pieces);

// --- Second ways (second_ways.cc)
// -------------------------------------------------------------------------

/// What stands before the description where a tool is announced, its name filled in.
std::string announced_before(const Behaviour& behaviour, std::string_view full_name);

/// Fills in `also` of the pieces, and says in the notes where a search brings more.
void add_second_ways(const Behaviour& behaviour, Delivery& delivery);

// --- Shared (delivery.cc)
// -------------------------------------------------------------------------

/// What the client makes of a text before it counts, by the fact `rule` (tool.rewrite,
/// instructions.rewrite); nothing where it leaves it alone, or where that is not known.
std::optional<std::string> rewritten(const Behaviour& behaviour, std::string_view rule,
                                     std::string_view sent);

/// Fills in the text of a piece, written anew as the fact `rule` says (or what that puts in the
/// place of an empty one); if it arrives: kept head, marker, cut.
void put_text(const Behaviour& behaviour, std::string_view rule, Delivered& piece,
              const mcp::ServerText& text, const ChannelBudget& budget);

}  // namespace cutline::delivery
