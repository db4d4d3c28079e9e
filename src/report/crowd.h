// crowd.h: for the tests of this room: a check of several clients, made by hand.
#pragma once

#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "report/fixture.h"

namespace cutline::report {

/// The server of a Fixture, and any number of clients.
class Crowd {
 public:
  explicit Crowd(std::optional<std::string> instructions,
                 std::vector<std::pair<std::string, std::string>> tools = {})
      : fixture_(std::move(instructions), std::move(tools)) {}

  struct Versions {
    std::string from, to;
    std::vector<delivery::Delivered> pieces;
  };

  /// Versions oldest first; the newest are held to unless the client was `never_measured`.
  CheckedClient& add(const std::string& title, std::vector<Versions> all,
                     bool never_measured = false) {
    delivery::Profile& profile = profiles_.emplace_back();
    profile.id = profile.title = title;
    profile.first = version(all.front().from);
    profile.last = version(all.back().to);
    CheckedClient& client = clients_.emplace_back();
    client.profile = &profile;
    for (Versions& versions : all) {
      CheckedGroup group;
      group.group.from = version(versions.from);
      group.group.to = version(versions.to);
      group.group.delivery.handshake = "initialize";
      group.group.delivery.pieces = std::move(versions.pieces);
      group.adjoins = !client.groups.empty();
      client.groups.push_back(std::move(group));
    }
    if (!never_measured) client.groups.back().held = Held::kNewest;
    return client;
  }
  /// A client of one version.
  CheckedClient& add(const std::string& title, std::vector<delivery::Delivered> pieces,
                     bool never_measured = false) {
    return add(title, std::vector<Versions>{{"1.0.0", "1.0.0", std::move(pieces)}}, never_measured);
  }

  std::string_view instructions() const { return fixture_.instructions(); }
  std::string_view description(std::size_t tool) const { return fixture_.description(tool); }
  mcp::Offer& offer() { return fixture_.offer(); }

  Check check() {
    Check check = fixture_.check();
    check.clients.assign(clients_.begin(), clients_.end());
    return check;
  }

 private:
  Fixture fixture_;
  std::deque<delivery::Profile> profiles_;
  std::deque<CheckedClient> clients_;
};

}  // namespace cutline::report
