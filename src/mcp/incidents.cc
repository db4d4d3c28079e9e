// incidents.cc: counting incidents by code and subject.
#include "mcp/incidents.h"

#include <utility>

namespace cutline::mcp {

void IncidentLog::note(std::string_view code, std::string_view subject, std::string message) {
  subject = subject.substr(0, kSubjectBytesMax);
  auto kind = kinds_.find(code);
  if (kind == kinds_.end()) kind = kinds_.emplace(std::string(code), Kind{}).first;
  auto& by_subject = kind->second.by_subject;
  if (const auto known = by_subject.find(subject); known != by_subject.end()) {
    ++incidents_[known->second].times;
    return;
  }
  if (by_subject.size() == kSubjectsMax) {
    ++incidents_[kind->second.last].times;
    return;
  }
  kind->second.last = incidents_.size();
  by_subject.emplace(std::string(subject), incidents_.size());
  incidents_.push_back({.code = std::string(code), .message = std::move(message)});
}

std::vector<Incident> IncidentLog::take() {
  kinds_.clear();
  return std::exchange(incidents_, {});
}

}  // namespace cutline::mcp
