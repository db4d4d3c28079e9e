// incidents.h: what a server did that a correct one does not do, counted while it happens.
//
// A hostile or broken server does the same wrong thing a million times. What is kept of it is
// bounded: one incident for each code and subject (a method, a field, a tool), and at most a few
// subjects for each code; what comes after that counts on the last of them.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "mcp/offer.h"

namespace cutline::mcp {

class IncidentLog {
 public:
  static constexpr std::size_t kSubjectsMax = 8;          // for each code
  static constexpr std::size_t kSubjectBytesMax = 1'000;  // what is longer is told by its beginning

  /// Notes one incident. The first message about a subject is the one that is kept.
  void note(std::string_view code, std::string_view subject, std::string message);

  const std::vector<Incident>& all() const { return incidents_; }
  std::vector<Incident> take();

 private:
  struct Kind {
    std::map<std::string, std::size_t, std::less<>> by_subject;  // index in incidents_
    std::size_t last = 0;
  };
  std::vector<Incident> incidents_;
  std::map<std::string, Kind, std::less<>> kinds_;
};

}  // namespace cutline::mcp
