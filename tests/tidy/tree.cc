// tree.cc: reading the files that the rules look at.
#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tidy/rules.h"

namespace cutline::tidy {
namespace {

namespace fs = std::filesystem;

constexpr std::array kFolders = {"src",   "tests",     "fuzz",     "bench", "tools", "experiments",
                                 "cmake", "packaging", "profiles", "docs",  ".ci"};
// Files that are data, not prose or code: their content is whatever they were made to hold.
constexpr std::array kData = {"experiments/texts/", "tests/cases/", "tests/golden/", "fuzz/corpus/",
                              "node_modules/"};

bool is_data(std::string_view path) {
  return std::any_of(kData.begin(), kData.end(), [&](std::string_view part) {
    return path.find(part) != std::string_view::npos;
  });
}

void read_file(const fs::path& root, const fs::path& file, Tree& tree) {
  const std::string path = fs::relative(file, root).generic_string();
  if (is_data(path)) return;
  std::ifstream in(file, std::ios::binary);
  tree.push_back({path, {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()}});
}

}  // namespace

Tree read_tree(const std::string& root) {
  Tree tree;
  for (const char* folder : kFolders) {
    if (!fs::is_directory(fs::path(root) / folder)) continue;
    for (const fs::directory_entry& entry :
         fs::recursive_directory_iterator(fs::path(root) / folder))
      if (entry.is_regular_file()) read_file(root, entry.path(), tree);
  }
  for (const fs::directory_entry& entry : fs::directory_iterator(root))
    if (entry.is_regular_file()) read_file(root, entry.path(), tree);
  std::sort(tree.begin(), tree.end(),
            [](const SourceFile& a, const SourceFile& b) { return a.path < b.path; });
  return tree;
}

}  // namespace cutline::tidy
