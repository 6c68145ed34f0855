// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The doctor's table of variables against the sources that read them.
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <regex>
#include <set>
#include <string>

#include "cli/doctor/examine.hpp"
#include "tests/cache/samples.hpp"

namespace redtune::cli {
namespace {

using ::testing::Contains;
namespace fs = std::filesystem;

/// The names in the sources of what runs: all of redtune's own and of the XDG rules, and whatever
/// else getenv is asked for.
std::set<std::string> variables_in_sources() {
  static const std::regex name(
      R"re("((?:REDTUNE|XDG)_[A-Z_]+|HOME|CUDA_PATH|CUDA_HOME)"|getenv\("([A-Z_]+)"\))re");
  std::set<std::string> names;
  for (const char* room :
       {"include", "search", "kernel_templates", "device", "cache", "runtime", "tuner", "cli"}) {
    for (const auto& entry :
         fs::recursive_directory_iterator(fs::path(REDTUNE_SOURCE_DIR) / room)) {
      const std::string path = entry.path().generic_string();
      if (!entry.is_regular_file() || path.find("/cli/doctor/") != std::string::npos) continue;
      if (path.ends_with("/write_manual.cpp")) continue;  // a tool of the build
      if (!path.ends_with(".cpp") && !path.ends_with(".hpp")) continue;
      const std::string text = cache::testing::read_text(entry.path());
      for (auto at = std::sregex_iterator(text.begin(), text.end(), name);
           at != std::sregex_iterator(); ++at) {
        names.insert((*at)[1].matched ? (*at)[1] : (*at)[2]);
      }
    }
  }
  return names;
}

TEST(DoctorVariables, AreAllThatAreRead) {
  std::set<std::string> known;
  for (const Variable& variable : variables()) {
    EXPECT_TRUE(known.insert(std::string(variable.name)).second) << variable.name << " twice";
    EXPECT_NE(variable.effect, "") << variable.name;
  }
  const std::set<std::string> read = variables_in_sources();
  EXPECT_THAT(read, ::testing::IsSupersetOf({"REDTUNE_CACHE", "REDTUNE_HOST_CXX", "REDTUNE_LOG",
                                             "REDTUNE_MODULE_PATH", "XDG_RUNTIME_DIR", "TMPDIR"}))
      << "the sources were not read";
  for (const std::string& name : read) EXPECT_THAT(known, Contains(name));
  for (const std::string& name : known) {
    EXPECT_TRUE(!name.starts_with("REDTUNE_") || read.contains(name)) << name << " is not read";
  }
}

}  // namespace
}  // namespace redtune::cli
