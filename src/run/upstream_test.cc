// upstream_test.cc: URLs to forward to, and whose key goes where.
#include "run/upstream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cutline::run {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

TEST(ParseUpstream, TakesUrls) {
  struct Case {
    std::string_view url, host;
    int port;
    bool tls;
    std::string_view prefix;
  };
  for (const Case& c : {Case{"https://api.anthropic.com", "api.anthropic.com", 443, true, ""},
                        Case{"https://host/", "host", 443, true, ""},
                        Case{"http://127.0.0.1:8080/a/b/", "127.0.0.1", 8080, false, "/a/b"},
                        Case{"http://[::1]:8080", "::1", 8080, false, ""},
                        Case{"http://[::1]", "::1", 80, false, ""}}) {
    SCOPED_TRACE(c.url);
    const Result<Upstream> upstream = parse_upstream(c.url);
    ASSERT_TRUE(upstream);
    EXPECT_EQ(upstream->endpoint.host, c.host);
    EXPECT_EQ(upstream->endpoint.port, c.port);
    EXPECT_EQ(upstream->endpoint.tls, c.tls);
    EXPECT_EQ(upstream->path_prefix, c.prefix);
  }
}

TEST(ParseUpstream, RefusesWhatIsNone) {
  for (const std::string_view url :
       {"", "api.anthropic.com", "ftp://host", "https://", "https:///path", "https://user@host",
        "http://host:0", "http://host:65536", "http://host:port", "http://host:", "http://[]",
        "http://[::1", "https://host?x=1", "https://host#x", "https://ho st"}) {
    SCOPED_TRACE(url);
    const Result<Upstream> upstream = parse_upstream(url);
    ASSERT_FALSE(upstream);
    EXPECT_EQ(upstream.error().code, "run.upstream");
  }
}

TEST(KeysFor, AProxyHasAllAndAMakerItsOwn) {
  const auto upper = [](const std::string& variable) { return "of " + variable; };
  const auto anthropic = Pair("anthropic-messages", "of ANTHROPIC_API_KEY");
  const auto gemini = Pair("gemini", "of GEMINI_API_KEY");
  const auto chat = Pair("openai-chat", "of OPENAI_API_KEY");
  const auto responses = Pair("openai-responses", "of OPENAI_API_KEY");
  for (const char* proxy : {"127.0.0.1", "proxy.example.org", "anthropic.com.example.org",
                            "notanthropic.com", "com", "::1"})
    EXPECT_THAT(keys_for(proxy, upper), ElementsAre(anthropic, gemini, chat, responses)) << proxy;
  for (const char* host : {"api.anthropic.com", "API.Anthropic.com", "anthropic.com"})
    EXPECT_THAT(keys_for(host, upper), ElementsAre(anthropic)) << host;
  EXPECT_THAT(keys_for("eu.api.openai.com", upper), ElementsAre(chat, responses));
  EXPECT_THAT(keys_for("generativelanguage.googleapis.com", upper), ElementsAre(gemini));
}

TEST(KeysFor, WhatIsNotSetIsNoKey) {
  EXPECT_THAT(keys_for("proxy", [](const std::string&) { return std::string(); }), IsEmpty());
  EXPECT_THAT(keys_for("proxy",
                       [](const std::string& variable) {
                         return std::string(variable == "GEMINI_API_KEY" ? "k" : "");
                       }),
              ElementsAre(Pair("gemini", "k")));
}

TEST(KeysFor, KnowsEveryDialect) {
  const auto some = [](const std::string&) { return std::string("k"); };
  EXPECT_EQ(keys_for("proxy", some).size(), llm::dialects().size());
  for (const llm::Dialect* dialect : llm::dialects())
    EXPECT_TRUE(keys_for("proxy", some).contains(dialect->name())) << dialect->name();
}

}  // namespace
}  // namespace cutline::run
