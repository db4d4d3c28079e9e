// client_for_tests_test.cc: the client that does as it is told. Plain blocking calls: it must not
// lean on what it is there to test.
#include "run/client_for_tests.h"

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include "json/document.h"
#include "json/writer.h"
#include "sys/files.h"

namespace cutline::run {
namespace {

constexpr std::size_t kFileBytesMax = std::size_t{16} << 20;
constexpr int kFailed = 70;

[[noreturn]] void give_up(const std::string& why) {
  std::fprintf(stderr, "fake client: %s\n", why.c_str());
  std::_Exit(kFailed);
}

json::Document parse(const std::string& text) {
  Result<json::Document> document = json::Document::parse(text);
  if (!document) give_up("no JSON: " + text.substr(0, 200));
  return *std::move(document);
}

bool connects(const char* address, std::uint16_t port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  timeval limit{.tv_sec = 1, .tv_usec = 0};
  ::setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(port);
  ::inet_pton(AF_INET, address, &to.sin_addr);
  const bool connected = ::connect(fd, reinterpret_cast<sockaddr*>(&to), sizeof to) == 0;
  ::close(fd);
  return connected;
}

/// The body of the answer to a POST.
std::string post(const std::string& path, const std::string& body) {
  const std::string url = std::getenv("ANTHROPIC_BASE_URL");
  const auto port = static_cast<std::uint16_t>(std::stoul(url.substr(url.rfind(':') + 1)));
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(port);
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(fd, reinterpret_cast<sockaddr*>(&to), sizeof to) != 0) give_up("no gateway");
  const std::string request = fmt::format(
      "POST {} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nx-api-key: secret\r\nConnection: close\r\n"
      "Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{}",
      path, port, body.size(), body);
  for (std::size_t sent = 0; sent < request.size();) {
    const ssize_t now = ::write(fd, request.data() + sent, request.size() - sent);
    if (now <= 0) give_up("the gateway does not listen");
    sent += static_cast<std::size_t>(now);
  }
  std::string answer;
  std::array<char, 1 << 12> block{};
  for (ssize_t size = 1; size > 0;) {
    size = ::read(fd, block.data(), block.size());
    if (size > 0) answer.append(block.data(), static_cast<std::size_t>(size));
  }
  ::close(fd);
  const std::size_t head = answer.find("\r\n\r\n");
  return head == answer.npos ? "" : answer.substr(head + 4);
}

class Server {
 public:
  Server(std::string name, const json::Value& entry) : name_(std::move(name)) {
    std::vector<std::string> argv = {json::string_member(entry, "command").value()};
    for (const json::Value& word : entry.find("args")->elements())
      argv.push_back(word.string().value);
    int in[2], out[2];
    if (::pipe2(in, O_CLOEXEC) != 0 || ::pipe2(out, O_CLOEXEC) != 0) give_up("no pipe");
    if (::fork() == 0) {
      ::dup2(in[0], STDIN_FILENO);
      ::dup2(out[1], STDOUT_FILENO);
      for (const json::Value::Member& variable : entry.find("env")->members())
        ::setenv(variable.key.c_str(), variable.value.string().value.c_str(), 1);
      std::vector<char*> words;
      words.reserve(argv.size() + 1);
      for (std::string& word : argv) words.push_back(word.data());
      words.push_back(nullptr);
      ::execvp(words[0], words.data());
      std::_Exit(127);
    }
    ::close(in[0]);
    ::close(out[1]);
    to_ = ::fdopen(in[1], "w");
    from_ = ::fdopen(out[0], "r");
    learn();
  }

  const std::string& name() const { return name_; }
  const std::string& instructions() const { return instructions_; }
  const std::vector<std::string>& tools() const { return tools_; }

 private:
  void learn() {
    send(R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":)"
         R"("2025-11-25","capabilities":{},"clientInfo":{"name":"fake","version":"1"}}})");
    const json::Document first = receive();
    if (const auto result = first.root().find("result"))
      instructions_ = json::string_member(*result, "instructions").value_or("");
    send(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    send(R"({"jsonrpc":"2.0","id":2,"method":"tools/list"})");
    const json::Document second = receive();
    const auto result = second.root().find("result");
    if (!result || !result->find("tools")) return;
    for (const json::Value& tool : result->find("tools")->elements())
      tools_.push_back(json::string_member(tool, "name").value_or(""));
  }

  void send(std::string_view line) {
    std::fwrite(line.data(), 1, line.size(), to_);
    std::fputc('\n', to_);
    std::fflush(to_);
  }
  json::Document receive() {
    char* line = nullptr;
    std::size_t room = 0;
    const ssize_t size = ::getline(&line, &room, from_);
    const std::string text(line ? line : "", size > 0 ? static_cast<std::size_t>(size) : 0);
    std::free(line);
    if (text.empty()) give_up(name_ + " has ended");
    return parse(text);
  }

  std::string name_, instructions_;
  std::vector<std::string> tools_;
  FILE* to_ = nullptr;
  FILE* from_ = nullptr;
};

class Client {
 public:
  explicit Client(const std::vector<std::string>& words) {
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
      if (words[i] == "--mcp-config") config_ = words[i + 1];
      if (words[i] == "--") prompt_ = words[i + 1];
    }
  }

  void act(const std::string& word) {
    if (done_) return;
    const std::size_t colon = word.find(':');
    const std::string verb = word.substr(0, colon);
    const std::string object = colon == word.npos ? "" : word.substr(colon + 1);
    if (verb == "servers") return start_servers();
    if (verb == "ask") return ask();
    if (verb == "place") return void(place_ = object);
    if (verb == "out") return write_much(stdout, std::stoul(object));
    if (verb == "err") return write_much(stderr, std::stoul(object));
    if (verb == "env") return print_environment();
    if (verb == "reach") return reach(static_cast<std::uint16_t>(std::stoul(object)));
    if (verb == "history") return history();
    if (verb == "note") return note(object);
    if (verb == "hold") return hold(object);
    if (verb == "daemon") return leave_daemon();
    if (verb == "deaf") return void(::signal(SIGTERM, SIG_IGN));
    if (verb == "once") return once(object);
    if (verb == "hang") return hang();
    if (verb == "crash") std::abort();
    if (verb == "exit") std::_Exit(std::stoi(object));
    give_up("what is '" + word + "'?");
  }

 private:
  void start_servers() {
    const json::Document config = parse(sys::read_file(config_, kFileBytesMax).value());
    for (const json::Value::Member& entry : config.root().find("mcpServers")->members())
      servers_.emplace_back(entry.key, entry.value);
  }

  void ask() {
    std::string instructions;
    for (const Server& server : servers_)
      instructions += fmt::format("## {}\n{}\n", server.name(), server.instructions());
    json::Writer out;
    out.begin_object().member("model", "fake-model").key("max_tokens").number(100);
    out.member("system", place_ == "system" ? instructions : "You are nobody.");
    out.key("messages").begin_array().begin_object().member("role", "user");
    out.key("content").begin_array();
    if (place_ == "user") write_text(out, instructions);
    write_text(out, prompt_);
    out.end_array().end_object().end_array().key("tools").begin_array();
    write_tool(out, "Bash");
    for (const Server& server : servers_)
      for (const std::string& tool : server.tools())
        write_tool(out, fmt::format("mcp__{}__{}", server.name(), tool));
    out.end_array().end_object();
    std::printf("%s\n", post("/v1/messages", out.take()).c_str());
    std::fflush(stdout);
  }
  static void write_text(json::Writer& out, std::string_view text) {
    out.begin_object().member("type", "text").member("text", text).end_object();
  }
  static void write_tool(json::Writer& out, std::string_view name) {
    out.begin_object().member("name", name).member("description", "a tool");
    out.key("input_schema").begin_object().member("type", "object").end_object().end_object();
  }

  static void write_much(FILE* to, std::size_t bytes) {
    const std::string block(std::min<std::size_t>(bytes, 1 << 16), 'x');
    for (; bytes > 0; bytes -= std::min(bytes, block.size()))
      std::fwrite(block.data(), 1, std::min(bytes, block.size()), to);
    std::fflush(to);
  }
  static void print_environment() {
    for (char** variable = environ; *variable; ++variable) std::printf("%s\n", *variable);
    std::fflush(stdout);
  }
  static void reach(std::uint16_t port) {
    // 192.0.2.1 is of no network (RFC 5737); 127.0.0.1 is another one for whoever is shut in.
    std::printf("loopback %s\n", connects("127.0.0.1", port) ? "reached" : "not reached");
    std::printf("world %s\n", connects("192.0.2.1", 80) ? "reached" : "not reached");
    std::fflush(stdout);
  }
  static void history() {
    const std::string file = std::string(std::getenv("HOME")) + "/history";
    note(file + "=line");
    std::ifstream in(file);
    int lines = 0;
    for (std::string line; std::getline(in, line);) ++lines;
    std::printf("history %d\n", lines);
    std::fflush(stdout);
  }
  static void note(const std::string& object) {
    const std::size_t equals = object.find('=');
    std::ofstream(object.substr(0, equals), std::ios::app) << object.substr(equals + 1) << "\n";
  }
  static void hold(const std::string& fifo) {
    const int fd = ::open(fifo.c_str(), O_WRONLY);  // not closed on exec
    if (fd < 0 || ::write(fd, "x", 1) != 1) give_up("cannot hold " + fifo);
  }
  static void leave_daemon() {
    if (::fork() != 0) return;
    ::setsid();
    ::signal(SIGTERM, SIG_IGN);
    ::signal(SIGHUP, SIG_IGN);
    hang();
  }
  void once(const std::string& file) {
    done_ = std::filesystem::exists(file);
    if (!done_) std::ofstream(file) << "\n";
  }
  [[noreturn]] static void hang() {
    for (;;) ::pause();
  }

  bool done_ = false;
  std::string config_, prompt_, place_ = "user";
  std::vector<Server> servers_;
};

}  // namespace

int be_client(const std::vector<std::string>& words) {
  const char* told = std::getenv("FAKE_CLIENT");
  Client client(words);
  std::istringstream acts(told ? told : "servers ask");
  for (std::string act; acts >> act;) client.act(act);
  std::fflush(nullptr);
  std::_Exit(0);  // servers end with us, as those of a real client do
}

}  // namespace cutline::run
