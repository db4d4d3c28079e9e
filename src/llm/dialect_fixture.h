// dialect_fixture.h: what the tests of all dialects do with requests and answers.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "json/document.h"
#include "llm/dialect.h"
#include "wire/sse.h"

namespace cutline::llm {

/// What the dialect makes of a body that it can read.
inline Request read_with(const Dialect& api, std::string_view target, std::string body) {
  const std::size_t size = body.size();
  Result<Request> request = api.read(target, std::move(body));
  EXPECT_TRUE(request) << request.error().message;
  if (!request) return {};
  EXPECT_EQ(request->body_bytes, size);
  return *std::move(request);
}

/// "ROLE PATH@TURN text" for each.
inline std::vector<std::string> parts(const Request& request) {
  std::vector<std::string> out;
  for (const Part& part : request.parts)
    out.push_back(fmt::format("{} {}@{} {}", name(part.role), part.path, part.turn, part.text));
  return out;
}

/// "PATH NAME description", and what else there is to say of each.
inline std::vector<std::string> tools(const Request& request) {
  std::vector<std::string> out;
  for (const Tool& tool : request.tools) {
    std::string line = fmt::format("{} {} {}", tool.path, tool.name, tool.description);
    if (tool.deferred) line += " deferred";
    if (tool.provided) line += " provided";
    if (tool.form == ToolForm::kFreeform) line += " freeform";
    if (tool.form == ToolForm::kSearch) line += " search";
    if (tool.space_bytes > 0) line += " in " + tool.name.substr(0, tool.space_bytes);
    out.push_back(std::move(line));
  }
  return out;
}

/// The endpoint's name, "" for none.
inline std::string_view endpoint_name(const Dialect& api, std::string_view method,
                                      std::string_view path) {
  const auto endpoint = api.endpoint(method, path);
  return endpoint ? name(*endpoint) : "";
}

inline Request asking(std::string model, bool stream) {
  Request request;
  request.model = std::move(model);
  request.stream = stream;
  return request;
}

/// The events of a streamed answer.
inline std::vector<wire::SseEvent> events(const Answer& answer) {
  EXPECT_EQ(answer.status, 200);
  EXPECT_TRUE(answer.streamed);
  EXPECT_TRUE(answer.content_type.starts_with("text/event-stream"));
  std::vector<wire::SseEvent> events;
  EXPECT_TRUE(wire::SseReader(1'000'000).feed(answer.body, events));
  return events;
}

/// As some APIs have it: an event is called what the member "type" of its data says.
inline void expect_events_named_by_type(const Answer& answer) {
  for (const wire::SseEvent& event : events(answer)) {
    const auto document = json::Document::parse(event.data);
    EXPECT_TRUE(document && json::string_member(document->root(), "type") == event.event);
  }
}

/// Their data, one each.
inline std::vector<std::string> event_data(const Answer& answer) {
  std::vector<std::string> data;
  for (wire::SseEvent& event : events(answer)) data.push_back(std::move(event.data));
  return data;
}

/// "INPUT/OUTPUT", "" for none.
inline std::string usage_text(const Dialect& api, std::string_view type, std::string_view body) {
  const auto usage = api.usage(type, body);
  return usage ? fmt::format("{}/{}", usage->input_tokens, usage->output_tokens) : "";
}

}  // namespace cutline::llm
