// deliver.cc: offer x profile x switches -> delivery.
#include "delivery/deliver.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/number.h"
#include "delivery/behaviour.h"
#include "delivery/names.h"

namespace cutline::delivery {
namespace {

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n\v\f") == std::string_view::npos;
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

/// The servers in the order in which the client shows their instructions.
std::vector<Configured> in_order(const Behaviour& behaviour, std::span<const Configured> servers) {
  std::vector<Configured> sorted(servers.begin(), servers.end());
  const std::string_view by = behaviour.text("servers.order", "by");
  if (by != "name" && by != "space") return sorted;
  const NameRules names(behaviour);
  const bool fold = behaviour.text("servers.order", "case") == "ignored";
  std::ranges::stable_sort(sorted, {}, [&](const Configured& server) {
    const std::string name = by == "space" ? names.space(server.name) : server.name;
    return std::pair(fold ? lower(name) : name, server.name);
  });
  return sorted;
}

void refuse(Delivered& piece, Never why, std::string reason) {
  piece.state = State::kNever;
  piece.never = why;
  piece.reason = std::move(reason);
}

void doubt(Delivered& piece, std::string reason) {
  piece.state = State::kUnknown;
  piece.reason = std::move(reason);
}

/// Tool search may move the block; where it is not known whether it is on, neither is the place.
std::string placement_path(const Behaviour& behaviour, Search search) {
  const config::Node* value = behaviour.value("instructions.placement");
  const config::Node* path = value ? value->find("path") : nullptr;
  const config::Node* with_search = value ? value->find("search_path") : nullptr;
  if (!path || (with_search && search == Search::kUnknown)) return {};
  return with_search && search == Search::kOn ? with_search->string : path->string;
}

Placement placement(const Behaviour& behaviour, Search search) {
  Placement where = {.role = std::string(behaviour.text("instructions.placement", "role")),
                     .path = placement_path(behaviour, search),
                     .form = std::string(behaviour.text("instructions.placement", "form"))};
  const config::Node* variable = behaviour.value("instructions.placement.variable");
  const bool set = variable && behaviour.variable(variable->find("name")->string) ==
                                   variable->find("value")->string;
  if (set && !where.form.empty()) where.form = variable->find("form")->string;
  return where;
}

/// What comes with a later request stands elsewhere; its path depends on the turns before it.
Placement later_placement(const Behaviour& behaviour) {
  const std::string_view first = behaviour.text("instructions.placement", "role");
  return {.role = std::string(behaviour.text("instructions.placement.later", first)),
          .path = {},
          .form = {}};
}

/// Why a text that the client's answer does not hold never arrives.
void explain_absence(Delivered& piece, const mcp::Offer& offer, mcp::Era era) {
  const mcp::EraOffer* other = era == mcp::Era::kModern ? (offer.legacy ? &*offer.legacy : nullptr)
                                                        : (offer.modern ? &*offer.modern : nullptr);
  if (other && other->instructions && !other->instructions->value.empty()) {
    refuse(
        piece, Never::kOtherEra,
        fmt::format("the text stands only in the answer to {}, which this client does not ask for",
                    era == mcp::Era::kModern ? "initialize" : "server/discover"));
    piece.original = other->instructions->value;
    piece.whole = other->instructions->length;
  } else {
    refuse(piece, Never::kNotOffered, "the server sends no instructions");
  }
}

class Predictor {
 public:
  Predictor(const Profile& profile, const Version& version, const Situation& situation,
            std::span<const Configured> servers, Rewritten& rewritten)
      : behaviour_(profile, version, situation, &rewritten),
        servers_(in_order(behaviour_, servers)),
        budget_(budget_of(behaviour_, Channel::kInstructions)) {
    delivery_.client = profile.id;
    delivery_.version = version;
    delivery_.extrapolated = version < profile.first || profile.last < version;
    // Who connects first is decided anew each time.
    delivery_.order_known =
        servers.size() < 2 || behaviour_.text("servers.order", "by") != "connection";
  }

  Delivery run() {
    std::vector<Connection> connections;
    std::vector<Connected> connected;
    for (const Configured& server : servers_) {
      connections.push_back(connect(behaviour_, *server.offer));
      Connection& connection = connections.back();
      if (!connection.connected) continue;
      connection.given_up = refusal_of_server(behaviour_, answers(server, connection));
      if (!connection.given_up) connected.push_back(with_answers(server, connection));
    }
    search_ = search_state(behaviour_, connected);
    if (are_many(behaviour_, connected).value_or(false))
      preview_ = behaviour_.text("tool_search.over", "preview");
    for (std::size_t i = 0; i < servers_.size(); ++i) add_server(servers_[i], connections[i]);
    list_without_text(connected);
    share_room(behaviour_, delivery_.pieces);
    separate();
    deliver_tools(behaviour_, search_, connected, delivery_.pieces);
    settle_place(connected);
    add_second_ways(behaviour_, delivery_);
    if (const config::Node* members = behaviour_.value("tool.never_sent")) {
      for (const config::Node& member : members->elements)
        delivery_.never_sent.push_back(member.string);
    }
    delivery_.consulted = behaviour_.consulted();
    return std::move(delivery_);
  }

 private:
  static const mcp::EraOffer& answers(const Configured& server, const Connection& connection) {
    return connection.era == mcp::Era::kModern ? *server.offer->modern : *server.offer->legacy;
  }

  Connected with_answers(const Configured& server, const Connection& connection) const {
    return {.server = server.name,
            .offer = &answers(server, connection),
            .arrival = arrival(behaviour_, Channel::kPreloadedTool, connection.ready_ms)};
  }

  void add_server(const Configured& server, const Connection& connection) {
    delivery_.connected = delivery_.connected && connection.connected;
    delivery_.handshake = connection.handshake;
    delivery_.process_starts = std::max(delivery_.process_starts, connection.process_starts);
    Delivered piece;
    piece.piece = {.kind = PieceId::Kind::kInstructions, .server = server.name, .tool = {}};
    piece.era = connection.era;
    if (!connection.connected || connection.given_up) {
      lose_all(server, connection, std::move(piece));
      return;
    }
    const Arrival when = arrival(behaviour_, Channel::kInstructions, connection.ready_ms);
    put_instructions(piece, *server.offer, answers(server, connection), behind_search(when));
    delivery_.pieces.push_back(std::move(piece));
  }

  /// Some versions build their first requests without instructions while tool search is on, but for
  /// those of servers that are kept out of it.
  Arrival behind_search(Arrival when) {
    const std::optional<std::int64_t> request = behaviour_.integer("wait.tool_search", "request");
    if (!request || when.state != State::kAtStart || search_.search == Search::kOff) return when;
    if (behaviour_.value("tool_search.exempt") && kept_out_of_search(behaviour_)) return when;
    const std::string says = fmt::format(
        "with tool search on, instructions come with request {} at the earliest", *request);
    if (search_.search == Search::kUnknown) {
      delivery_.notes.push_back(says + "; whether it is on is not known for this kind of session");
      return when;
    }
    return {.state = State::kInRequest,
            .never = Never::kNo,
            .request = static_cast<std::size_t>(*request),
            .reason = says};
  }

  /// A connection that fails, or of which nothing is known, takes the tools with it.
  void lose_all(const Configured& server, const Connection& connection, Delivered piece) {
    const mcp::EraOffer* offer = server.offer->any();
    piece.because = std::make_shared<const std::vector<Found>>(connection.because);
    if (connection.given_up) {
      refuse(piece, Never::kSchemaRefused, *connection.given_up);
    } else if (connection.known) {
      refuse(piece, Never::kConnectionFails, connection.reason);
    } else {
      doubt(piece, connection.reason);
    }
    if (offer && offer->instructions) {
      piece.original = offer->instructions->value;
      piece.whole = offer->instructions->length;
    }
    if (offer) lose_tools(server, *offer, piece);
    delivery_.pieces.push_back(std::move(piece));
  }

  /// Each for the reason for which `instructions` are lost.
  void lose_tools(const Configured& server, const mcp::EraOffer& offer,
                  const Delivered& instructions) {
    lost_tools_.reserve(lost_tools_.size() + offer.tools.size());
    for (const mcp::Tool& tool : offer.tools) {
      Delivered lost = instructions;
      lost.piece = {.kind = PieceId::Kind::kTool, .server = server.name, .tool = tool.name};
      lost.channel = Channel::kPreloadedTool;
      lost.original = tool.description ? std::string_view(tool.description->value) : "";
      lost.whole = tool.description ? tool.description->length : text::Place{};
      lost_tools_.push_back(std::move(lost));
    }
  }

  void put_instructions(Delivered& piece, const mcp::Offer& all, const mcp::EraOffer& offer,
                        const Arrival& when) const {
    piece.because = budget_.because;
    if (!offer.instructions) {
      explain_absence(piece, all, offer.era);
      return;
    }
    const mcp::ServerText& text = *offer.instructions;
    piece.original = text.value;
    piece.whole = text.length;
    const std::optional<bool> delivered = behaviour_.truth("instructions.delivered", "delivered");
    if (!delivered) {
      doubt(piece, "whether this client passes instructions on is not known");
    } else if (!*delivered && !preview_.empty()) {
      doubt(piece, preview_);
    } else if (!*delivered) {
      refuse(piece, Never::kNotDelivered, "this client does not pass instructions on");
    } else if (text.value.empty() && behaviour_.text("instructions.odd", "empty") == "no-block") {
      refuse(piece, Never::kEmpty, "an empty text: the client shows nothing");
    } else if (is_blank(text.value) && behaviour_.text("instructions.odd", "blank") == "no-block") {
      refuse(piece, Never::kEmpty, "a blank text: the client shows nothing");
    } else if (shows_tools_alone() && offer.tools.empty() && offer.tools_problem) {
      doubt(piece,
            "servers without tools are left out, and whether this one has some is not known");
    } else if (shows_tools_alone() && offer.tools.empty() && !offer.text_only) {
      refuse(piece, Never::kNoTools, "the client leaves out servers that have no tools");
    } else {
      piece.state = when.state;
      piece.never = when.never;
      piece.request = when.request;
      piece.reason = when.reason;
      piece.where =
          piece.request == 1 ? placement(behaviour_, search_.search) : later_placement(behaviour_);
      // Where the place is not known, neither is whether a reminder's frame is around it.
      if (!piece.where.role.empty() || !behaviour_.value("instructions.frame.reminder"))
        piece.frame = frame_of(behaviour_, piece.piece.server, piece.where.role);
      const std::string_view added = behaviour_.text("instructions.frame", "later_opening");
      if (piece.request > 1 && !added.empty()) piece.frame.opening = added;
      put_text(behaviour_, "instructions.rewrite", piece, text, budget_);
    }
  }

  bool shows_tools_alone() const {
    return behaviour_.text("instructions.odd", "without_tools") == "no-block";
  }

  /// Some clients show even a server that has tools and no text, between the others.
  void list_without_text(const std::vector<Connected>& servers) {
    const std::string_view form = behaviour_.text("instructions.frame", "without_text");
    if (form.empty()) return;
    std::string leading;
    Delivered* previous = nullptr;
    for (Delivered& piece : delivery_.pieces) {
      if (piece.state == State::kAtStart) previous = &piece;
      const bool listed = std::ranges::any_of(servers, [&](const Connected& server) {
        return server.server == piece.piece.server && !server.offer->tools.empty() &&
               server.arrival.state == State::kAtStart;
      });
      if (piece.state != State::kNever || !listed) continue;
      std::string& before = previous ? previous->frame.after : leading;
      before += with_server(behaviour_, form, piece.piece.server);
    }
    for (Delivered& piece : delivery_.pieces)
      if (piece.state == State::kAtStart) piece.frame.opening += leading;
  }

  /// Some versions put the text elsewhere in a request that has no tools of servers.
  void settle_place(const std::vector<Connected>& servers) {
    const config::Node* value = behaviour_.value("instructions.placement");
    const config::Node* bare = value ? value->find("bare_path") : nullptr;
    const auto is_draft = [](const Connected& server) { return server.offer->text_only; };
    const auto is_there = [](const Delivered& piece) {
      return piece.piece.kind == PieceId::Kind::kTool && piece.state == State::kAtStart;
    };
    if (!bare || std::ranges::any_of(servers, is_draft) ||
        std::ranges::any_of(delivery_.pieces, is_there))
      return;
    for (Delivered& piece : delivery_.pieces)
      if (piece.piece.kind == PieceId::Kind::kInstructions && piece.state == State::kAtStart)
        piece.where.path = bare->string;
  }

  /// Puts the separator between the sections that arrive.
  void separate() {
    const std::string_view separator = behaviour_.text("instructions.frame", "separator");
    Delivered* previous = nullptr;
    for (Delivered& piece : delivery_.pieces) {
      if (piece.state != State::kAtStart) continue;
      if (previous) previous->frame.after += separator;
      previous = &piece;
    }
    std::ranges::move(lost_tools_, std::back_inserter(delivery_.pieces));
  }

  Behaviour behaviour_;
  std::vector<Configured> servers_;
  ChannelBudget budget_;
  SearchState search_;
  std::string preview_;  // what so many tools make of instructions that are not passed on
  std::vector<Delivered> lost_tools_;
  Delivery delivery_;
};

}  // namespace

std::string with_server(const Behaviour& behaviour, std::string_view form,
                        std::string_view server) {
  constexpr std::string_view kServer = "{server}", kSpace = "{space}";
  std::string out;
  while (!form.empty()) {
    const bool name = form.starts_with(kServer), space = form.starts_with(kSpace);
    if (name) out += server;
    if (space) out += NameRules(behaviour).space(server);
    if (!name && !space) out += form.front();
    form.remove_prefix(name ? kServer.size() : space ? kSpace.size() : 1);
  }
  return out;
}

Frame frame_of(const Behaviour& behaviour, std::string_view server, std::string_view role) {
  Frame frame;
  frame.opening = behaviour.text("instructions.frame", "opening");
  frame.before = with_server(behaviour, behaviour.text("instructions.frame", "before"), server);
  frame.after = with_server(behaviour, behaviour.text("instructions.frame", "after"), server);
  frame.closing = behaviour.text("instructions.frame", "closing");
  if (!role.ends_with("-reminder")) return frame;
  frame.opening.insert(0, behaviour.text("instructions.frame.reminder", "opening"));
  frame.closing.append(behaviour.text("instructions.frame.reminder", "closing"));
  return frame;
}

std::string default_model(const Profile& profile, const Version& version) {
  const Situation nothing_asked;
  return std::string(Behaviour(profile, version, nothing_asked).text("model.default", "id"));
}

Delivery deliver(const Profile& profile, const Version& version, const Situation& situation,
                 std::span<const Configured> servers, Rewritten& rewritten) {
  return Predictor(profile, version, situation, servers, rewritten).run();
}

Delivery deliver(const Profile& profile, const Version& version, const Situation& situation,
                 std::span<const Configured> servers) {
  Rewritten rewritten;
  return deliver(profile, version, situation, servers, rewritten);
}

}  // namespace cutline::delivery
