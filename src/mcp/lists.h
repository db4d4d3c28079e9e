// lists.h: everything that a server lists in one era, page by page.
//
// The first pages of all lists are asked for at once; every further page when the one before has
// come. A cursor is opaque and may be the empty string; only its absence ends a list. One that
// comes twice would go on for ever, so it ends the list as well, and so does a number of pages,
// bytes or entries that no server needs.
#pragma once

#include <array>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "mcp/answers.h"
#include "mcp/incidents.h"
#include "mcp/limits.h"
#include "mcp/session.h"

namespace cutline::mcp {

class Listing {
 public:
  Listing(Era era, const Declared& declared, const Limits& limits);

  /// Asks for the first pages: tools always, the rest where the capabilities name it.
  void begin(Session& session);

  bool owns(int request) const;
  /// Reads an answer to one of our requests into `offer`, and asks for the next page.
  void take(const Event& answer, Session& session, EraOffer& offer, IncidentLog& incidents);

  bool done() const;
  /// Nothing is missing that an offer must have: the tools are listed, or none were declared.
  bool has_tools() const;
  /// "tools/list", "tools/list and prompts/list"; empty when done.
  std::string waiting_for() const;
  /// No more answers will come; `why` is the reason, for the lists that are not complete.
  void give_up(std::string_view why, EraOffer& offer, IncidentLog& incidents);

 private:
  struct Walk {
    std::string_view method;
    bool asked = false;     // at all
    bool declared = false;  // by the capabilities
    int request = 0;        // the one under way; 0 when done
    std::size_t pages = 0, bytes = 0;
    ListRoom room;
    std::set<std::string, std::less<>> cursors;  // as JSON tokens
  };

  Walk* walk_of(int request);
  void take_page(Walk& walk, const Event& answer, Session& session, EraOffer& offer,
                 IncidentLog& incidents);
  void take_error(Walk& walk, const wire::RpcError& error, EraOffer& offer, IncidentLog& incidents);
  void next_page(Walk& walk, const json::Value& result, Session& session, EraOffer& offer,
                 IncidentLog& incidents);
  void stop(Walk& walk, std::string_view code, std::string why, EraOffer& offer,
            IncidentLog& incidents);

  Era era_;
  Limits limits_;
  std::array<Walk, 4> walks_;
};

}  // namespace cutline::mcp
