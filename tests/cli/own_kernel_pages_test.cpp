// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Pages on users' kernels as their readers follow them: files are written as shown, commands are
// run in their order, programs are compiled, and what is shown of checks and matches is what there
// is.
#include <gtest/gtest.h>
#include <optional>
#include <sstream>

#include "tests/cli/run_redtune.hpp"

namespace redtune::cli {
namespace {

/// A block between fences, and the name that stands before it: "`name`:".
struct PageBlock {
  std::string language;
  std::string file;
  std::vector<std::string> lines;
};

std::vector<PageBlock> blocks_of(const std::string& page) {
  std::ifstream file(std::filesystem::path(REDTUNE_SOURCE_DIR) / "docs" / page);
  EXPECT_TRUE(file.is_open()) << page;
  std::vector<PageBlock> blocks;
  std::string named;
  bool is_inside = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("```")) {
      if (!is_inside) blocks.push_back({line.substr(3), named, {}});
      is_inside = !is_inside;
      named.clear();
    } else if (is_inside) {
      blocks.back().lines.push_back(line);
    } else if (line.ends_with("`:")) {
      const std::size_t begin = line.rfind('`', line.size() - 3) + 1;
      named = line.substr(begin, line.size() - 2 - begin);
    }
  }
  return blocks;
}

class FollowedPage {
 public:
  /// Commands that were run.
  std::size_t follow(const std::string& page) {
    for (const PageBlock& block : blocks_of(page)) {
      if (!block.file.empty()) write(block);
      if (block.language == "console") run(block);
    }
    return commands_;
  }

 private:
  void write(const PageBlock& block) const {
    std::ofstream file(home_ / block.file);
    for (const std::string& line : block.lines) file << line << '\n';
  }

  void run(const PageBlock& block) {
    std::optional<Said> said;
    for (const std::string& line : block.lines) {
      const std::string prompt = "$ ";
      if (line.starts_with(prompt)) {
        said = run(line.substr(prompt.size()));
      } else if (said) {
        expect_shown(line, *said);
      }
    }
  }

  Said run(const std::string& command) {
    ++commands_;
    std::istringstream stream(command);
    Words words{std::istream_iterator<std::string>(stream), {}};
    const bool is_redtune = words[0] == "redtune";
    is_same_everywhere_ = !is_redtune || words[1] == "kernels";
    const Said said = is_redtune ? run_redtune({words.begin() + 1, words.end()}) : run_other(words);
    EXPECT_EQ(said.code, 0) << command << '\n' << said.out << said.err;
    return said;
  }

  Said run_redtune(Words words) const {
    words.insert(words.end(), {"--device", "host"});
    if (words[0] == "tune") words.insert(words.end(), {"--budget", "2", "--force-noisy"});
    return home_.run_in_shell(in_home() + "exec \"$@\"", words);
  }

  /// A compiler, or what it made, with redtune as this build would install it.
  Said run_other(Words words) const {
    const std::string sanitizers = REDTUNE_SANITIZERS;
    if (words[0] == "g++") words[0] = REDTUNE_CXX;
    if (words[0] == REDTUNE_CXX && !sanitizers.empty()) words.push_back("-fsanitize=" + sanitizers);
    Words command = home_.command(
        {}, {"CPLUS_INCLUDE_PATH=" REDTUNE_INCLUDES, "LIBRARY_PATH=" REDTUNE_LIBRARIES,
             "LD_LIBRARY_PATH=" REDTUNE_LIBRARIES});
    command.pop_back();  // redtune itself
    command.insert(command.end(), {"/bin/sh", "-c", in_home() + "exec \"$@\"", "sh"});
    command.insert(command.end(), words.begin(), words.end());
    return run_command(command);
  }

  [[nodiscard]] std::string in_home() const { return "cd '" + (home_ / ".").string() + "' && "; }

  /// Times and winners are of the reader's machine.
  void expect_shown(const std::string& line, const Said& said) const {
    if ((!is_same_everywhere_ && !line.starts_with("match ")) ||
        line.find("…") != std::string::npos)
      return;
    EXPECT_TRUE(said.says(line + '\n')) << line << "\nis not in:\n" << said.out;
  }

  Home home_;
  std::size_t commands_ = 0;
  bool is_same_everywhere_ = false;  // what the last command says
};

TEST(OwnKernelPages, TheTutorialCanBeFollowed) {
  EXPECT_EQ(FollowedPage().follow("tutorial/own_kernel.md"), 6U);
}

TEST(OwnKernelPages, WhoComesFromAnotherTunerCanFollow) {
  EXPECT_EQ(FollowedPage().follow("how-to/come_from_another_tuner.md"), 4U);
}

}  // namespace
}  // namespace redtune::cli
