// llm_request_fuzz.cc: any body, for every dialect: a reading or a problem; whatever was read can
// be answered, by a script and by the ideal reader, in a form whose usage is read back. A body may
// also be a target, to be told from the others' and read.
#include <algorithm>
#include <cstdint>

#include "base/assert.h"
#include "base/utf8.h"
#include "json/document.h"
#include "llm/dialect.h"
#include "llm/script.h"

namespace {

using namespace cutline;

void answer(const llm::Dialect& dialect, const llm::Request& request) {
  llm::ScriptPlayer player(
      {.prompt = {},
       .turns = {
           {.content = llm::ToolCallTurn{"*", R"({"query":"{tools}"})", "*a*"}, .delay = {}}}});
  for (int i = 0; i < 2; ++i) {
    const llm::ScriptedReply scripted = player.next(request);
    CUTLINE_ASSERT(scripted.reply.usage.input_tokens == llm::rough_tokens(request));
    const llm::Answer answer = dialect.write(request, scripted.reply);
    CUTLINE_ASSERT(answer.status == 200 && answer.streamed == request.stream);
    CUTLINE_ASSERT(is_valid_utf8(answer.body));
    const bool events = answer.content_type.starts_with("text/event-stream");
    CUTLINE_ASSERT(events == (request.stream && !request.array_stream));
    CUTLINE_ASSERT(events || json::Document::parse(answer.body).has_value());
    const auto usage = dialect.usage(answer.content_type, answer.body);
    CUTLINE_ASSERT(usage && usage->input_tokens == scripted.reply.usage.input_tokens);
    CUTLINE_ASSERT(usage->output_tokens == scripted.reply.usage.output_tokens);
  }
}

void check(const llm::Request& request) {
  std::string last;
  for (const llm::Part& part : request.parts) {
    CUTLINE_ASSERT(!part.path.empty() && part.path != last && is_valid_utf8(part.text));
    CUTLINE_ASSERT(is_valid_utf8(part.path));
    CUTLINE_ASSERT(part.turn < std::max<std::size_t>(request.turns, 1));
    last = part.path;
  }
  for (const llm::Tool& tool : request.tools) {
    CUTLINE_ASSERT(!tool.name.empty() && !tool.path.empty());
    CUTLINE_ASSERT(tool.space_bytes == 0 || tool.space_bytes + 2 < tool.name.size());
  }
}

void address(const std::string& target) {
  for (const char* method : {"GET", "POST"}) {
    const llm::Addressee whose = llm::addressee(
        {.method = method, .target = target, .headers = {{"authorization", "x"}}, .body = {}});
    CUTLINE_ASSERT(whose.dialect != nullptr);
    if (whose.endpoint != llm::Endpoint::kModels) continue;
    const llm::Answer models = whose.dialect->models(target);
    CUTLINE_ASSERT(json::Document::parse(models.body).has_value() && is_valid_utf8(models.body));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string body(reinterpret_cast<const char*>(data), size);
  address(body);
  for (const llm::Dialect* dialect : llm::dialects()) {
    static_cast<void>(dialect->usage("text/event-stream", body));
    static_cast<void>(dialect->usage("application/json", body));
    CUTLINE_ASSERT(dialect->read(body, "{}").has_value());
    for (const char* target : {"/", "/v1/models/m:streamGenerateContent?alt=sse",
                               "/v1/models/m:streamGenerateContent"}) {
      const Result<llm::Request> request = dialect->read(target, body);
      if (!request) {
        CUTLINE_ASSERT(request.error().code == "llm.request" && !request.error().message.empty());
        continue;
      }
      CUTLINE_ASSERT(request->body_bytes == size);
      check(*request);
      answer(*dialect, *request);
    }
  }
  return 0;
}
