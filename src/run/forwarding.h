// forwarding.h: one request on its way to a real API, and the answer on its way back. Internal to
// this room.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "run/gateway.h"
#include "sys/loop.h"
#include "wire/http1.h"

namespace cutline::run {

struct Forwarded {
  bool complete = false;  // false: the connection to the client cannot go on after this
  std::string problem;    // empty if the API's answer is whole
  std::string note;       // JSON, for the record: status, usage, the answer's beginning
};

class Forwarding {
 public:
  struct Callbacks {
    std::function<void(std::string)> bytes;      // of an HTTP/1.1 response, as they come
    std::function<void(const Forwarded&)> done;  // once; may destroy nothing of ours
  };
  Forwarding(sys::Loop& loop, const Upstream& upstream, wire::HttpRequest request,
             Callbacks callbacks);
  ~Forwarding();
  Forwarding(const Forwarding&) = delete;
  Forwarding& operator=(const Forwarding&) = delete;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cutline::run
