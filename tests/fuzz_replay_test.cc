// fuzz_replay_test.cc: the checked-in corpus of one fuzz target, through its own entry point and
// without libFuzzer. Linked once with every fuzz/NAME_fuzz.cc.
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace cutline {
namespace {

void run(const std::string& bytes) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}

TEST(FuzzReplay, CorpusOf) {
  int files = 0;
  run("");
  for (const auto& entry : std::filesystem::directory_iterator(CUTLINE_FUZZ_CORPUS)) {
    SCOPED_TRACE(entry.path());
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    run(bytes);
    // Half an input is an input, too, and mostly one that ends in the middle of something.
    run(bytes.substr(0, bytes.size() / 2));
    ++files;
  }
  EXPECT_GT(files, 0);
}

}  // namespace
}  // namespace cutline
