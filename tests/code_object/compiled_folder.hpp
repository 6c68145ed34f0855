// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What redtune kernels compile --out leaves in a folder.
#pragma once

#include "tests/cli/run_redtune.hpp"

namespace redtune::code_object {

/// A folder of code objects, made by the built program.
class CompiledFolder {
 public:
  explicit CompiledFolder(const cli::Words& options, const cli::Words& environment = {}) {
    cli::Words words{"kernels", "compile", "--out", (home_ / "out").string()};
    words.insert(words.end(), options.begin(), options.end());
    const cli::Said said = home_.run(words, environment);
    EXPECT_EQ(said.code, 0) << said.err;
  }
  [[nodiscard]] std::vector<std::filesystem::path> files(const std::string& extension) const {
    std::vector<std::filesystem::path> found;
    for (const auto& entry : std::filesystem::directory_iterator(home_ / "out")) {
      if (entry.path().extension() == extension) found.push_back(entry.path());
    }
    std::ranges::sort(found);
    return found;
  }

 private:
  cli::Home home_;
};

}  // namespace redtune::code_object
