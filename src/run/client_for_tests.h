// client_for_tests.h: a client that does as it is told, for the tests of what runs clients.
//
// It is this test program itself ("test_run client …"). Its command line is that of a real client
// as far as it matters: `--mcp-config FILE` names the servers, what follows `--` is the prompt, and
// the API is at $ANTHROPIC_BASE_URL. What it does are the words of $FAKE_CLIENT, one after the
// other; behind a colon stands what a word needs:
//
//   servers        starts the servers and asks each for its offer
//   ask            sends the prompt and the servers' instructions; prints the answer
//   place:WHERE    of instructions in the requests after it: user (so it begins), system, nowhere
//   out:N  err:N   writes so many bytes
//   env            prints its environment
//   reach:PORT     prints whether 127.0.0.1:PORT and an address of another machine can be reached
//   history        adds a line to a file in HOME; prints how many there are
//   note:FILE=TEXT adds a line to a file
//   hold:FIFO      opens it, says a byte, and holds it open, as all that it starts from then on
//   daemon         leaves a process behind that has a session of its own and ignores SIGTERM
//   deaf           ignores SIGTERM
//   once:FILE      if there is such a file, all is done; else makes it, and goes on
//   hang  crash  exit:N
#pragma once

#include <string>
#include <vector>

namespace cutline::run {

int be_client(const std::vector<std::string>& words);

}  // namespace cutline::run
