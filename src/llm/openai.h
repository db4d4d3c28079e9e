// openai.h: what OpenAI's two APIs share: models, errors, usage; inside this room only.
#pragma once

#include "json/writer.h"
#include "llm/dialect.h"

namespace cutline::llm {

class OpenAi : public Dialect {
 public:
  bool speaks(const wire::HttpRequest& request) const override;
  Answer count(const Request& request, std::size_t tokens) const override;
  using Dialect::models;
  Answer models(std::string_view path) const override;
  Answer health() const override;
  Answer error(const ErrorReply& error) const override;
  std::optional<Usage> usage(std::string_view content_type, std::string_view body) const override;

 protected:
  /// What the API calls its figures.
  struct UsageKeys {
    std::string_view input, input_details, output, output_details;
  };
  explicit OpenAi(const UsageKeys& keys) : keys_(keys) {}
  /// The member "usage".
  void write_usage(json::Writer& json, const Usage& usage) const;
  /// "…/models" and "…/models/ID".
  static bool is_models(std::string_view method, std::string_view path);

 private:
  UsageKeys keys_;
};

}  // namespace cutline::llm
