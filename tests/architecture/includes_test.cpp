// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Reads every source file: who may include whom, where vendors may be named, and the licence on
// top. The table is the one in the architecture page.
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace redtune {
namespace {

namespace fs = std::filesystem;

const fs::path source_folder = REDTUNE_SOURCE_DIR;

/// What the files of a room may include beside their own room: a room ("device") or a prefix of
/// paths ("search/space"). Public headers are the room "include".
const std::map<std::string, std::set<std::string>> may_include{
    {"include", {}},
    {"search", {"include"}},
    {"kernel_templates", {"include", "search/space.hpp", "search/point.hpp"}},
    {"device", {"include"}},
    {"cache", {"include"}},
    {"runtime", {"include", "device", "kernel_templates", "cache"}},
    {"tuner", {"include", "search", "kernel_templates", "device", "cache", "runtime"}},
    {"fleet", {"include", "cache"}},
    {"cli",
     {"include", "search", "kernel_templates", "device", "cache", "runtime", "tuner", "fleet"}},
    {"python", {"include"}},
    {"examples", {"include"}},
    {"bench",
     {"include", "search", "kernel_templates", "device", "cache", "runtime", "tuner", "fleet"}},
    {"tests",
     {"include", "search", "kernel_templates", "device", "cache", "runtime", "tuner", "fleet",
      "cli", "bench"}},
};

struct SourceFile {
  std::string path;  // relative to the source folder, with '/'
  std::string text;

  [[nodiscard]] std::string room() const { return path.substr(0, path.find('/')); }
  [[nodiscard]] bool is_device_text() const { return path.ends_with(".hip.h"); }
};

bool is_source(const std::string& name) {
  return std::ranges::any_of(
      std::vector<std::string>{".hpp", ".cpp", ".hip.h", ".def", ".h", ".c", ".cu", ".cuh"},
      [&](const std::string& end) { return name.ends_with(end); });
}

const std::vector<SourceFile>& all_files() {
  static const std::vector<SourceFile> files = [] {
    std::vector<SourceFile> found;
    for (const auto& [room, allowed] : may_include) {
      const fs::path folder = source_folder / room;
      if (!fs::exists(folder)) continue;
      for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
        if (!entry.is_regular_file() || !is_source(entry.path().filename().string())) continue;
        std::ifstream file(entry.path());
        found.push_back({entry.path().lexically_relative(source_folder).generic_string(),
                         {std::istreambuf_iterator<char>(file), {}}});
      }
    }
    return found;
  }();
  return files;
}

/// The text without comments; string literals stay.
std::string without_comments(const std::string& text) {
  static const std::regex comment(R"re(("(?:[^"\\\n]|\\.)*")|//[^\n]*|/\*[^]*?\*/)re");
  return std::regex_replace(text, comment, "$1");
}

std::vector<std::string> includes_of(const std::string& text) {
  static const std::regex include(R"re((?:^|\n)[ \t]*#[ \t]*include[ \t]*"([^"\n]+)")re");
  std::vector<std::string> names;
  for (auto at = std::sregex_iterator(text.begin(), text.end(), include);
       at != std::sregex_iterator(); ++at) {
    names.push_back((*at)[1]);
  }
  return names;
}

/// The path that an include means, relative to the source folder; empty when there is no such file.
std::string resolved(const SourceFile& file, const std::string& name) {
  const fs::path beside = fs::path(file.path).parent_path() / name;
  if (fs::exists(source_folder / beside)) return beside.lexically_normal().generic_string();
  for (const char* root : {"", "include"}) {
    if (fs::exists(source_folder / root / name)) return (fs::path(root) / name).generic_string();
    // A header that the build writes, of which the source holds a template.
    if (fs::exists(source_folder / root / (name + ".in"))) {
      return (fs::path(root) / name).generic_string();
    }
  }
  return {};
}

bool allowed(const SourceFile& file, const std::string& target) {
  const std::string room = target.substr(0, target.find('/'));
  if (room == file.room()) return true;
  const std::set<std::string>& rooms = may_include.at(file.room());
  return rooms.contains(room) || rooms.contains(target);
}

void append_line(std::string& report, const std::string& line) {
  report += line + '\n';
}

TEST(Architecture, FindsTheSources) {
  EXPECT_GT(all_files().size(), 80U);
  for (const auto& [room, rooms] : may_include) {
    for (const std::string& other : rooms) {
      EXPECT_TRUE(may_include.contains(other) || fs::exists(source_folder / other)) << other;
    }
  }
}

TEST(Architecture, RoomsIncludeOnlyTheRoomsTheirArrowsPointAt) {
  std::string report;
  for (const SourceFile& file : all_files()) {
    for (const std::string& name : includes_of(file.text)) {
      const std::string target = resolved(file, name);
      if (target.empty()) {
        append_line(report, fmt::format("{}: \"{}\" is no file of this project", file.path, name));
      } else if (!allowed(file, target)) {
        append_line(report, fmt::format("{} must not include {}", file.path, target));
      }
    }
  }
  EXPECT_EQ(report, "");
}

/// The folder in a room that a file is in, "tuner/measure"; empty for a file of the room itself.
std::string folder_of(const std::string& path) {
  const auto room_end = path.find('/');
  const auto folder_end = path.find('/', room_end + 1);
  return folder_end == std::string::npos ? "" : path.substr(0, folder_end);
}

using Folders = std::map<std::string, std::set<std::string>>;

/// Of each folder in a room, the folders of the same room that it includes from.
Folders included_folders() {
  Folders includes;
  for (const SourceFile& file : all_files()) {
    const std::string folder = folder_of(file.path);
    if (folder.empty() || file.room() == "tests") continue;
    for (const std::string& name : includes_of(file.text)) {
      const std::string target = folder_of(resolved(file, name));
      if (target.starts_with(file.room() + "/") && target != folder) {
        includes[folder].insert(target);
      }
    }
  }
  return includes;
}

/// All folders that can be reached from one by what is included.
std::set<std::string> reached_from(const Folders& includes, const std::string& folder) {
  std::set<std::string> reached;
  std::vector<std::string> next{folder};
  while (!next.empty()) {
    const auto found = includes.find(next.back());
    next.pop_back();
    if (found == includes.end()) continue;
    for (const std::string& one : found->second) {
      if (reached.insert(one).second) next.push_back(one);
    }
  }
  return reached;
}

TEST(Architecture, FoldersOfARoomIncludeOneWay) {
  const Folders includes = included_folders();
  EXPECT_GT(includes.size(), 10U);
  for (const auto& [folder, targets] : includes) {
    EXPECT_FALSE(reached_from(includes, folder).contains(folder))
        << folder << " includes what includes it";
  }
  EXPECT_TRUE(reached_from({{"a", {"b"}}, {"b", {"c"}}, {"c", {"a"}}}, "a").contains("a"));
}

TEST(Architecture, PublicHeadersIncludeOnlyPublicHeaders) {
  std::string report;
  for (const SourceFile& file : all_files()) {
    if (!file.path.starts_with("include/redtune/")) continue;
    for (const std::string& name : includes_of(file.text)) {
      if (!name.starts_with("redtune/")) {
        append_line(report, fmt::format("{}: \"{}\"", file.path, name));
      }
    }
  }
  EXPECT_EQ(report, "");
}

TEST(Architecture, DeviceTextIncludesOnlyKernelFiles) {
  std::string report;
  for (const SourceFile& file : all_files()) {
    if (!file.is_device_text()) continue;
    for (const std::string& name : includes_of(file.text)) {
      if (!name.ends_with(".hip.h")) append_line(report, file.path + ": " + name);
    }
    if (file.text.find("#include <") != std::string::npos) {
      append_line(report, file.path + " includes a system header");
    }
  }
  EXPECT_EQ(report, "");
}

/// The vendors' own folders, the prelude that hides their differences, the public stream types,
/// what compares with a vendor's own library, and applications and kernels that are for a GPU
/// themselves.
bool may_name_vendors(const SourceFile& file) {
  return file.path.starts_with("device/hip/") || file.path.starts_with("device/cuda/") ||
         file.path.starts_with("include/redtune/") || file.room() == "tests" ||
         file.path.starts_with("kernel_templates/device_code/prelude") ||
         file.path.starts_with("bench/compare") || file.path == "examples/gpu.hpp" ||
         file.path == "examples/export_header/on_gpu.hpp" ||
         file.path.starts_with("examples/own_kernels/");
}

TEST(Architecture, VendorsAreNamedOnlyInTheirOwnFolders) {
  static const std::regex vendor(
      R"re(\b(hip[A-Z]\w*|hiprtc\w*|cuda[A-Z]\w*|nvrtc\w*|cuModule\w*|cuLaunch\w*|cuda_runtime\w*|hip_runtime\w*)|__(HIP|CUDA)\w*|__hip_\w*)re");
  std::string report;
  for (const SourceFile& file : all_files()) {
    if (may_name_vendors(file)) continue;
    const std::string code = without_comments(file.text);
    std::smatch found;
    if (std::regex_search(code, found, vendor)) {
      append_line(report, fmt::format("{} names {}", file.path, found.str()));
    }
  }
  EXPECT_EQ(report, "");
}

TEST(Architecture, EveryFileBeginsWithTheLicence) {
  constexpr const char* licence =
      "// SPDX-License-Identifier: MIT\n// Copyright (c) 2026 the redtune authors\n\n";
  std::string report;
  for (const SourceFile& file : all_files()) {
    if (!file.text.starts_with(licence)) append_line(report, file.path);
  }
  EXPECT_EQ(report, "");
}

TEST(Architecture, HeadersAreGuarded) {
  std::string report;
  for (const SourceFile& file : all_files()) {
    const bool is_header =
        file.path.ends_with(".hpp") || file.path.ends_with(".h") || file.path.ends_with(".cuh");
    if (!is_header) continue;
    if (file.text.find("\n#pragma once\n") == std::string::npos &&
        file.text.find("\n#ifndef REDTUNE_") == std::string::npos) {
      append_line(report, file.path);
    }
  }
  EXPECT_EQ(report, "");
}

TEST(Architecture, ReadsIncludesAndComments) {
  EXPECT_EQ(includes_of("#include \"a.hpp\"\n  #  include \"b/c.hpp\"\n//#include \"d\"\n"),
            (std::vector<std::string>{"a.hpp", "b/c.hpp"}));
  EXPECT_EQ(without_comments("a /* b\n c */ d // e\nf \"// g\""), "a  d \nf \"// g\"");
  const SourceFile search{"search/x.hpp", ""};
  EXPECT_TRUE(allowed(search, "search/y.hpp"));
  EXPECT_TRUE(allowed(search, "include/redtune/op.hpp"));
  EXPECT_FALSE(allowed(search, "device/device.hpp"));
  EXPECT_FALSE(allowed({"kernel_templates/x.hpp", ""}, "search/strategy.hpp"));
  EXPECT_FALSE(allowed({"runtime/x.hpp", ""}, "tuner/session/session.hpp"));
  EXPECT_FALSE(allowed({"examples/x.cpp", ""}, "runtime/resolve.hpp"));
}

/// All that says how to build a room.
std::string build_texts(const fs::path& room) {
  std::string all;
  for (const auto& one : fs::recursive_directory_iterator(source_folder / room)) {
    const fs::path& file = one.path();
    if (file.filename() != "CMakeLists.txt" && file.extension() != ".cmake") continue;
    std::ifstream stream(file);
    all.append(std::istreambuf_iterator<char>(stream), {});
  }
  return all;
}

TEST(Tests, AreAllBuilt) {
  const std::string built = build_texts("tests");
  int seen = 0;
  for (const SourceFile& file : all_files()) {
    if (file.room() != "tests" || !file.path.ends_with("_test.cpp")) continue;
    ++seen;
    const std::string name = file.path.substr(file.path.rfind('/') + 1);
    EXPECT_NE(built.find(name), std::string::npos) << file.path << " is in no CMakeLists.txt";
  }
  EXPECT_GT(seen, 100);
}

}  // namespace
}  // namespace redtune
