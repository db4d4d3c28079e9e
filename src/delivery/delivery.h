// delivery.h: what the model receives. The centre of the house.
//
// A Delivery is predicted (deliver.h: offer x profile x switches) or measured (found in captured
// requests). Both have this type, so that they can be compared byte for byte.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/version.h"
#include "delivery/profile.h"
#include "mcp/offer.h"
#include "text/cut.h"

namespace cutline::delivery {

/// The way a piece of text takes to the model.
enum class Channel { kInstructions, kPreloadedTool, kDeferredTool };
std::string_view name(Channel channel);  // "instructions", "preloaded-tool", "deferred-tool"

enum class State {
  kAtStart,            // in the first request
  kInRequest,          // in a later one: `request`
  kDeferred,           // only after the model asked for it (tool search)
  kAtStartOrDeferred,  // one of the two, it is not known which; what is lost in both is lost
  kNever,              // by design of the client, or because the connection or the name is refused
  kUnknown,            // the profile does not know
};
std::string_view name(State state);  // "at-start", "in-request", "deferred", "never", "unknown"

/// Why a piece never arrives.
enum class Never {
  kNo,               // it does arrive
  kNotOffered,       // the server does not send it
  kEmpty,            // an empty string: the client shows nothing
  kNotDelivered,     // the client does not pass it on
  kOtherEra,         // it stands only in the answer that this client does not ask for
  kConnectionFails,  // the client cannot connect, so everything is lost
  kTooLate,          // the client does not wait that long
  kNameRefused,      // the tool's full name is too long
  kNameCollides,     // an equal full name came before
  kTooManyTools,     // the client sends no more, or none if there are more
  kSchemaRefused,    // its input schema, or another one of the same list, is refused
  kWithheld,         // the client keeps tools of that name to itself in this kind of session
  kNoTools,          // the client leaves out the instructions of a server that has no tools
};
std::string_view name(Never never);

struct PieceId {
  enum class Kind { kInstructions, kTool } kind = Kind::kInstructions;
  std::string server;  // its name in the client's configuration
  std::string tool;    // as the server sends it; empty for instructions
};

/// Where in the model request.
struct Placement {
  std::string role;  // "system", "system-role-message", "user-reminder", "tools", …; "" unknown
  std::string path;  // "messages[1].content"; "" where not known
  std::string form;  // "blocks", "string", "" where it does not matter
  bool operator==(const Placement&) const = default;
};

/// What the client puts around a text. `opening` and `closing` stand once around all servers'
/// sections, `before` and `after` around this one. For a tool they are empty.
struct Frame {
  std::string opening, before, after, closing;
  bool operator==(const Frame&) const = default;
};

/// Where the client writes a text anew before it counts: the result is the piece's `original`.
struct Rewriting {
  std::string as;  // "nfkc-without-invisible", "indented" (docs/profiles.md)
  std::shared_ptr<const std::string> text;  // what `original` is a view of
  text::Place sent;                         // lengths of the text as the server sends it
};

/// The same text a second time: what of a deferred tool is told before the model asks for it, and
/// what of instructions comes once the model searches for tools.
struct SecondWay {
  enum class Says {
    kNothing,
    kName,   // of a tool, and none of its description
    kHead,   // `text`
    kWhole,  // all of the piece's `original`
  } says = Says::kNothing;
  State state = State::kAtStart;  // kAtStart or kDeferred
  Placement where;
  std::string before, after;  // what stands around it, a tool's name in it
  std::string text;           // of kHead: exactly the bytes that stand there, the marker included
  std::size_t units = 0;      // of kHead: UTF-16 units of the original that it shows
  bool operator==(const SecondWay&) const = default;
};
std::string_view name(SecondWay::Says says);  // "nothing", "name", "head", "whole"

struct Delivered {
  PieceId piece;
  Channel channel = Channel::kInstructions;
  State state = State::kUnknown;
  Never never = Never::kNo;
  std::size_t request = 1;  // the request that first carries it
  std::string reason;       // for kNever, kUnknown and kInRequest: one sentence
  Placement where;
  Frame frame;
  std::string full_name;    // of a tool, as the model API gets it
  std::string_view schema;  // of a tool: predicted, as the server sends it; measured, as sent
  const Fact* schema_rule = nullptr;  // what the client makes of it (schemas.h); null: not known
  std::optional<mcp::Era> era;        // which answer of the server it was taken from

  // The text. `original` and `kept` are views into the offer (or the captures), which must outlive
  // the delivery; a client that changes the text puts the result into `changed` instead.
  std::string_view original;
  std::optional<Rewriting> rewriting = {};
  std::string_view kept;
  std::string changed;
  std::string marker;
  text::Place whole;                   // lengths of `original`
  std::optional<text::Budget> budget;  // nothing: no limit, or none known
  std::optional<text::Cut> cut;        // nothing: whole
  std::optional<SecondWay> also = {};  // nothing: there is none, or none is known

  /// Exactly the bytes that arrive, marker included, frame excluded. Empty unless it arrives.
  std::string text() const;
  bool arrives() const { return state != State::kNever && state != State::kUnknown; }
  /// Of a measured tool: its name is in the requests, and the model never asked for the rest.
  bool only_named() const { return state == State::kDeferred && where.role.empty(); }
  /// What arrives in the unit of the budget (UTF-16 units where there is none), without the marker.
  std::size_t kept_units() const;
  std::size_t lost_units() const;
  std::size_t whole_units() const;

  /// The facts that this rests on; shared by the pieces of one channel. Never null.
  std::shared_ptr<const std::vector<Found>> because;
};

enum class Origin { kPredicted, kMeasured };

/// What one client of one version, in one situation, makes of one or more servers.
struct Delivery {
  std::string client;  // profile id
  Version version;
  Origin origin = Origin::kPredicted;
  bool extrapolated = false;
  bool connected = true;
  std::string handshake;  // for people: "server/discover", "server/discover, then initialize"
  std::size_t process_starts = 1;
  bool order_known = true;              // of a prediction: whether the order of servers is
  std::vector<Delivered> pieces;        // instructions in the client's order of servers, then tools
  std::vector<std::string> never_sent;  // members of tools that the client never sends
  std::vector<std::string> notes;       // switches that are ignored, late starts, …
  std::vector<const Fact*> consulted;   // of a prediction: the facts that it was made from

  const Delivered* instructions(std::string_view server) const;
  const Delivered* tool(std::string_view server, std::string_view tool) const;
};

/// The whole block of instructions as it stands in the request: frames, sections, markers; only
/// what arrives at the start. Empty if nothing does.
std::string instructions_block(const Delivery& delivery);

}  // namespace cutline::delivery
