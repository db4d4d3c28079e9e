// lists.cc: walking through the pages of the four lists.
#include "mcp/lists.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/number.h"
#include "mcp/requests.h"
#include "mcp/words.h"

namespace cutline::mcp {
namespace {

/// Reads the entries of one page into their place in the offer.
std::optional<std::string> read_entries(std::string_view method, const json::Value& result,
                                        ListRoom& room, EraOffer& offer, IncidentLog& incidents) {
  if (method == method::kTools) return read_tools(result, room, offer, incidents);
  if (method == method::kPrompts)
    return read_listed(result, kPrompts, room, offer.prompts, incidents);
  if (method == method::kResources)
    return read_listed(result, kResources, room, offer.resources, incidents);
  return read_listed(result, kTemplates, room, offer.templates, incidents);
}

std::string pages_words(std::size_t pages) {
  return pages == 0 ? "" : fmt::format(" (after {})", count(pages, "page"));
}

std::string more_than(std::size_t limit, std::string_view noun) {
  return fmt::format("it has more than {}; the rest is not read", count(limit, noun));
}

}  // namespace

Listing::Listing(Era era, const Declared& declared, const Limits& limits)
    : era_(era), limits_(limits) {
  walks_[0].method = method::kTools;
  walks_[0].asked = true;
  walks_[0].declared = declared.tools;
  walks_[1].method = method::kPrompts;
  walks_[1].asked = walks_[1].declared = declared.prompts;
  walks_[2].method = method::kResources;
  walks_[2].asked = walks_[2].declared = declared.resources;
  walks_[3].method = method::kTemplates;
  walks_[3].asked = walks_[3].declared = declared.resources;
  for (Walk& walk : walks_)
    walk.room.entries_max = walk.method == method::kTools ? limits.tools_max : limits.listed_max;
}

void Listing::begin(Session& session) {
  for (Walk& walk : walks_) {
    if (walk.asked) walk.request = session.ask(walk.method, list_params(era_, {}));
  }
}

Listing::Walk* Listing::walk_of(int request) {
  const auto walk = std::ranges::find(walks_, request, &Walk::request);
  return walk == walks_.end() ? nullptr : &*walk;
}

bool Listing::owns(int request) const {
  return std::ranges::find(walks_, request, &Walk::request) != walks_.end();
}

void Listing::take(const Event& answer, Session& session, EraOffer& offer, IncidentLog& incidents) {
  Walk* walk = walk_of(answer.request);
  if (!walk) return;
  walk->request = 0;
  if (answer.message.error) {
    take_error(*walk, *answer.message.error, offer, incidents);
  } else {
    take_page(*walk, answer, session, offer, incidents);
  }
  if (walk->request == 0 && walk->method == method::kTools) {
    check_tool_names(offer, incidents);
    if (!walk->declared && !offer.tools.empty()) {
      incidents.note("tools-not-declared", name(era_),
                     fmt::format("tools/list has {}, but the capabilities do not name tools; "
                                 "clients that look there ask for none",
                                 count(offer.tools.size(), "tool")));
    }
  }
}

void Listing::take_page(Walk& walk, const Event& answer, Session& session, EraOffer& offer,
                        IncidentLog& incidents) {
  const json::Value& result = *answer.message.result;
  ++walk.pages;
  walk.bytes += answer.line_bytes + 1;  // with its line feed
  if (walk.method == method::kTools) offer.tools_list_bytes = walk.bytes;
  std::optional<std::string> problem;
  if (era_ == Era::kModern) problem = result_type_problem(result);
  if (!problem) problem = read_entries(walk.method, result, walk.room, offer, incidents);
  if (problem) {
    stop(walk, "list-shape", *std::move(problem), offer, incidents);
    return;
  }
  if (walk.room.over) {
    stop(walk, "list-too-long",
         more_than(walk.room.entries_max, walk.method == method::kTools ? "tool" : "item"), offer,
         incidents);
    return;
  }
  next_page(walk, result, session, offer, incidents);
}

void Listing::next_page(Walk& walk, const json::Value& result, Session& session, EraOffer& offer,
                        IncidentLog& incidents) {
  const std::optional<json::Value> cursor = result.find("nextCursor");
  if (!cursor) return;
  if (cursor->is(json::Type::kNull)) {
    incidents.note("cursor-shape", walk.method,
                   fmt::format("{}: nextCursor is null; it must be left out at the end, and strict "
                               "clients refuse the page",
                               walk.method));
    return;
  }
  if (!cursor->is(json::Type::kString)) {
    stop(walk, "cursor-shape",
         fmt::format("nextCursor is {} instead of a string", type_words(cursor->type())), offer,
         incidents);
    return;
  }
  if (!walk.cursors.emplace(cursor->raw()).second) {
    stop(walk, "cursor-loop",
         fmt::format("the cursor {} came for a second time", quoted(cursor->string().value)), offer,
         incidents);
    return;
  }
  const bool many_pages = walk.pages >= limits_.pages_max;
  if (many_pages || walk.bytes >= limits_.list_bytes_max) {
    stop(walk, "list-too-long",
         many_pages ? more_than(limits_.pages_max, "page")
                    : more_than(limits_.list_bytes_max, "byte"),
         offer, incidents);
    return;
  }
  walk.request = session.ask(walk.method, list_params(era_, cursor->raw()));
}

void Listing::take_error(Walk& walk, const wire::RpcError& error, EraOffer& offer,
                         IncidentLog& incidents) {
  // Nobody promised templates, or tools where the capabilities do not name them.
  const bool promised = walk.declared && walk.method != method::kTemplates;
  if (error.code == wire::error_code::kMethodNotFound && !promised && walk.pages == 0) return;
  stop(walk, "list-refused", fmt::format("it is answered with {}", error_words(error)), offer,
       incidents);
}

void Listing::stop(Walk& walk, std::string_view code, std::string why, EraOffer& offer,
                   IncidentLog& incidents) {
  walk.request = 0;
  why = fmt::format("{}: {}{}", walk.method, why, pages_words(walk.pages));
  incidents.note(code, walk.method, why);
  if (walk.method == method::kTools) offer.tools_problem = std::move(why);
}

bool Listing::done() const {
  return std::ranges::all_of(walks_, [](const Walk& walk) { return walk.request == 0; });
}

bool Listing::has_tools() const { return walks_[0].request == 0 || !walks_[0].declared; }

std::string Listing::waiting_for() const {
  std::vector<std::string> methods;
  for (const Walk& walk : walks_) {
    if (walk.request != 0) methods.emplace_back(walk.method);
  }
  return joined(methods);
}

void Listing::give_up(std::string_view why, EraOffer& offer, IncidentLog& incidents) {
  for (Walk& walk : walks_) {
    if (walk.request != 0) stop(walk, "list-unanswered", std::string(why), offer, incidents);
  }
}

}  // namespace cutline::mcp
