// rules.cc: the rules themselves. They read lines, not C++: what they look for stands on one line.
#include "tidy/rules.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>
#include <optional>
#include <regex>
#include <sstream>

#include <fmt/format.h>

namespace cutline::tidy {
namespace {

constexpr std::size_t kColumnsMax = 100;
constexpr std::size_t kFileLinesMax = 800;
constexpr std::size_t kReadmeLinesMax = 25;

bool ends_with_any(std::string_view path, std::initializer_list<std::string_view> endings) {
  return std::any_of(endings.begin(), endings.end(),
                     [&](std::string_view ending) { return path.ends_with(ending); });
}

bool is_source(const SourceFile& file) { return ends_with_any(file.path, {".cc", ".h"}); }
bool is_test(const SourceFile& file) { return file.path.ends_with("_test.cc"); }

/// "text" for "src/text/cut.cc"; nothing for what stands in no room.
std::optional<std::string> room_of(const SourceFile& file) {
  static const std::regex kInRoom("src/([^/]+)/.*");
  std::smatch match;
  if (!std::regex_match(file.path, match, kInRoom)) return {};
  return match[1].str();
}

const SourceFile* find(const Tree& tree, std::string_view path) {
  for (const SourceFile& file : tree)
    if (file.path == path) return &file;
  return nullptr;
}

Rooms rooms_of(const Tree& tree) {
  const SourceFile* list = find(tree, "cmake/rooms.txt");
  return list == nullptr ? Rooms{} : read_rooms(list->text);
}

void for_each_line(const SourceFile& file,
                   const std::function<void(const std::string& line, std::size_t number)>& look) {
  std::istringstream lines(file.text);
  std::string line;
  for (std::size_t number = 1; std::getline(lines, line); ++number) look(line, number);
}

std::string at(const SourceFile& file, std::size_t line, std::string_view what) {
  return fmt::format("{}:{}: {}", file.path, line, what);
}

/// The line up to a comment that fills it or follows two spaces.
std::string without_comment(const std::string& line) {
  const std::size_t first = line.find_first_not_of(' ');
  return first == line.find("//") ? "" : line.substr(0, line.find("  // "));
}

/// Code points, which are columns for all that our sources are written in.
std::size_t columns(std::string_view line) {
  return static_cast<std::size_t>(std::count_if(line.begin(), line.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

struct Include {
  std::string header;
  bool quoted = false;
  std::size_t line = 0;
};

std::vector<Include> includes_of(const SourceFile& file) {
  static const std::regex kInclude(R"re(\s*#\s*include\s*(["<])([^">]*)[">].*)re");
  std::vector<Include> includes;
  if (!is_source(file)) return includes;
  for_each_line(file, [&](const std::string& line, std::size_t number) {
    std::smatch match;
    if (std::regex_match(line, match, kInclude))
      includes.push_back({match[2].str(), match[1] == "\"", number});
  });
  return includes;
}

/// The headers that include what `is_carried` names, themselves or through others.
std::set<std::string> headers_that_carry(const Tree& tree,
                                         const std::function<bool(std::string_view)>& is_carried) {
  std::set<std::string> carriers;
  for (std::size_t before = 1; before != carriers.size();) {
    before = carriers.size();
    for (const SourceFile& file : tree) {
      if (!file.path.ends_with(".h")) continue;
      for (const Include& include : includes_of(file))
        if (is_carried(include.header) || carriers.contains("src/" + include.header))
          carriers.insert(file.path);
    }
  }
  return carriers;
}

}  // namespace

Rooms read_rooms(std::string_view rooms_txt) {
  Rooms rooms;
  std::istringstream lines{std::string(rooms_txt)};
  std::string line;
  while (std::getline(lines, line)) {
    const std::size_t colon = line.find(':');
    if (line.starts_with('#') || colon == std::string::npos) continue;
    const std::string room = line.substr(0, colon);
    std::set<std::string> may{room};
    std::istringstream names(line.substr(colon + 1));
    // A room stands below all that it may include, so theirs are complete here.
    for (std::string name; names >> name;) {
      may.insert(name);
      if (rooms.contains(name)) may.insert(rooms[name].begin(), rooms[name].end());
    }
    rooms[room] = std::move(may);
  }
  return rooms;
}

Complaints rooms_stay_apart(const Tree& tree) {
  const Rooms rooms = rooms_of(tree);
  Complaints complaints;
  for (const SourceFile& file : tree) {
    const std::optional<std::string> room = room_of(file);
    if (!room || !is_source(file)) continue;
    if (!rooms.contains(*room)) {
      complaints.push_back(at(file, 1, "cmake/rooms.txt has no room '" + *room + "'"));
      continue;
    }
    for (const Include& include : includes_of(file)) {
      const std::string other = include.header.substr(0, include.header.find('/'));
      if (!include.quoted || (is_test(file) && other == "support")) continue;
      if (!rooms.at(*room).contains(other))
        complaints.push_back(
            at(file, include.line, fmt::format("{} may not include {}", *room, include.header)));
    }
  }
  return complaints;
}

Complaints libraries_stay_fenced(const Tree& tree) {
  struct Fence {
    std::string_view header, room;
  };
  // The first that fits counts.
  static constexpr std::array kFences = {
      Fence{"unicode/", "text"},     Fence{"simdjson.h", "json"}, Fence{"toml++/", "config"},
      Fence{"boost/beast/", "wire"}, Fence{"boost/", "sys"},      Fence{"CLI/", "cli"},
      Fence{"sqlite3.h", "store"},
  };
  const auto fence_around = [](std::string_view header) {
    return std::find_if(kFences.begin(), kFences.end(),
                        [header](const Fence& fence) { return header.starts_with(fence.header); });
  };
  Complaints complaints;
  const std::set<std::string> carriers = headers_that_carry(
      tree, [&](std::string_view header) { return fence_around(header) != kFences.end(); });
  for (const SourceFile& file : tree) {
    for (const Include& include : includes_of(file)) {
      const auto fence = fence_around(include.header);
      if (fence != kFences.end() && room_of(file) != fence->room)
        complaints.push_back(
            at(file, include.line,
               fmt::format("<{}> is for src/{} only", include.header, fence->room)));
      const std::string path = "src/" + include.header;
      if (carriers.contains(path) && room_of(file) != room_of({path, ""}))
        complaints.push_back(
            at(file, include.line, include.header + " brings a fenced library along"));
    }
  }
  return complaints;
}

Complaints pure_rooms_are_pure(const Tree& tree) {
  static const std::set<std::string> kPure = {"base", "text", "json", "config",   "wire",
                                              "mcp",  "lab",  "llm",  "delivery", "report"};
  static constexpr std::array<std::string_view, 12> kImpureHeaders = {
      "iostream", "fstream",  "thread",   "mutex",  "future", "random",
      "ctime",    "unistd.h", "signal.h", "poll.h", "time.h", "fcntl.h"};
  static constexpr std::array<std::string_view, 14> kImpureWords = {
      "::now(",      "getenv(",     "std::cout",       "std::cerr",      "std::clog",
      "std::cin",    "fopen(",      "random_device",   "fs::exists",     "filesystem::exists",
      "::absolute(", "::canonical", "::current_path(", "::is_directory("};
  Complaints complaints;
  for (const SourceFile& file : tree) {
    const std::optional<std::string> room = room_of(file);
    if (!room || !kPure.contains(*room) || !is_source(file) || is_test(file)) continue;
    const auto complain = [&](std::size_t line, std::string_view what) {
      complaints.push_back(at(file, line, fmt::format("{} is pure, but uses {}", *room, what)));
    };
    for (const Include& include : includes_of(file))
      if (include.header.starts_with("sys/") ||
          std::count(kImpureHeaders.begin(), kImpureHeaders.end(), include.header) > 0)
        complain(include.line, include.header);
    for_each_line(file, [&](const std::string& line, std::size_t number) {
      for (const std::string_view word : kImpureWords)
        if (line.find(word) != std::string::npos) complain(number, word);
    });
  }
  return complaints;
}

Complaints sources_say_what_they_are(const Tree& tree) {
  Complaints complaints;
  for (const SourceFile& file : tree) {
    if (!is_source(file)) continue;
    const std::string name = file.path.substr(file.path.rfind('/') + 1);
    const std::string header = file.path.substr(0, file.path.find("_test.cc")) + ".h";
    if (is_test(file) && find(tree, header) != nullptr) continue;
    if (!file.text.starts_with("// " + name + ": "))
      complaints.push_back(at(file, 1, "does not open with '// " + name + ": what it is'"));
    if (file.path.ends_with(".h") && file.text.find("\n#pragma once\n") == std::string::npos)
      complaints.push_back(at(file, 1, "has no #pragma once"));
  }
  return complaints;
}

Complaints lines_and_files_are_short(const Tree& tree) {
  Complaints complaints;
  for (const SourceFile& file : tree) {
    std::size_t lines = 0;
    for_each_line(file, [&](const std::string& line, std::size_t number) {
      lines = number;
      if (is_source(file) && columns(line) > kColumnsMax)
        complaints.push_back(at(file, number, fmt::format("has {} columns", columns(line))));
    });
    if (lines > kFileLinesMax && !ends_with_any(file.path, {".json", ".toml", "LICENSE"}))
      complaints.push_back(at(file, lines, fmt::format("has {} lines", lines)));
  }
  return complaints;
}

Complaints nothing_is_unfinished(const Tree& tree) {
  // Written in two parts each, so that this file passes.
  static const std::array<std::string, 4> kMarks = {
      "TO"
      "DO",
      "FIX"
      "ME",
      "X"
      "XX",
      "HA"
      "CK"};
  const auto in_word = [](const std::string& line, std::size_t at) {
    return at < line.size() &&
           (std::isalnum(static_cast<unsigned char>(line[at])) != 0 || line[at] == '_');
  };
  Complaints complaints;
  for (const SourceFile& file : tree) {
    for_each_line(file, [&](const std::string& line, std::size_t number) {
      for (const std::string& mark : kMarks) {
        const std::size_t found = line.find(mark);
        if (found == std::string::npos || in_word(line, found + mark.size())) continue;
        if (found > 0 && in_word(line, found - 1)) continue;
        complaints.push_back(at(file, number, "leaves something for later"));
      }
    });
  }
  return complaints;
}

Complaints rooms_have_a_readme(const Tree& tree) {
  Complaints complaints;
  for (const auto& [room, may] : rooms_of(tree)) {
    const std::string path = fmt::format("src/{}/README.md", room);
    const SourceFile* readme = find(tree, path);
    if (readme == nullptr) {
      complaints.push_back(path + ": is missing");
      continue;
    }
    const auto lines = std::count(readme->text.begin(), readme->text.end(), '\n');
    if (static_cast<std::size_t>(lines) > kReadmeLinesMax)
      complaints.push_back(at(*readme, static_cast<std::size_t>(lines), "is too long to be read"));
  }
  return complaints;
}

Complaints problems_are_documented(const Tree& tree) {
  // A code is a dotted word in a string of its own, whose first part names its family.
  static const std::regex kCode(R"re("([a-z_]+)(\.[a-z0-9_]+)+")re");
  static const std::regex kRow(R"(\| `([a-z0-9_.]+)` \|.*)");
  static const std::set<std::string> kFamilies = {
      "cli", "config", "delivery", "json",   "lab", "llm",  "mcp",     "offer", "profile",
      "run", "report", "store",    "switch", "sys", "text", "version", "wire"};
  std::map<std::string, std::string> used, documented;  // code -> where
  for (const SourceFile& file : tree) {
    for_each_line(file, [&](const std::string& line, std::size_t number) {
      std::smatch match;
      if (file.path == "docs/problems.md" && std::regex_match(line, match, kRow))
        documented.emplace(match[1], at(file, number, ""));
      if (!room_of(file) || !is_source(file) || is_test(file)) return;
      const std::string code_part = without_comment(line);
      for (std::sregex_iterator found(code_part.begin(), code_part.end(), kCode), end; found != end;
           ++found) {
        const std::string code = found->str().substr(1, found->str().size() - 2);
        if (!kFamilies.contains((*found)[1]) ||
            ends_with_any(code, {".json", ".toml", ".h", ".md"}))
          continue;
        used.emplace(code, at(file, number, ""));
      }
    });
  }
  Complaints complaints;
  for (const auto& [code, where] : used)
    if (!documented.contains(code))
      complaints.push_back(where + code + " is not in docs/problems.md");
  for (const auto& [code, where] : documented)
    if (!used.contains(code)) complaints.push_back(where + code + " is used nowhere");
  return complaints;
}

}  // namespace cutline::tidy
