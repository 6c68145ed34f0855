// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Pages on users' kernels as their readers follow them: files are written as shown, commands are
// run in their order, and what is shown of checks and matches is what there is.
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
      const std::string prompt = "$ redtune ";
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
    words.insert(words.end(), {"--device", "host"});
    is_check_ = words[0] == "kernels";
    if (words[0] == "tune") words.insert(words.end(), {"--budget", "2", "--force-noisy"});
    Said said = home_.run_in_shell("cd '" + (home_ / ".").string() + "' && exec \"$@\"", words);
    EXPECT_EQ(said.code, 0) << command << '\n' << said.err;
    return said;
  }

  /// Times and winners are of the reader's machine.
  void expect_shown(const std::string& line, const Said& said) const {
    const bool is_same_everywhere = is_check_ || line.starts_with("match ");
    if (!is_same_everywhere || line.find("…") != std::string::npos) return;
    EXPECT_TRUE(said.says(line + '\n')) << line << "\nis not in:\n" << said.out;
  }

  Home home_;
  std::size_t commands_ = 0;
  bool is_check_ = false;
};

TEST(OwnKernelPages, TheTutorialCanBeFollowed) {
  EXPECT_EQ(FollowedPage().follow("tutorial/own_kernel.md"), 4U);
}

TEST(OwnKernelPages, WhoComesFromAnotherTunerCanFollow) {
  EXPECT_EQ(FollowedPage().follow("how-to/come_from_another_tuner.md"), 4U);
}

}  // namespace
}  // namespace redtune::cli
