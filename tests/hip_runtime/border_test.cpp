// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The border between the product and the HIP runtime for tests: the module uses exactly the calls
// that are listed, and the product knows nothing of its tests.
#include <algorithm>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iterator>
#include <set>
#include <sstream>
#include <string>

#include "device/host/subprocess.hpp"
#include "names.hpp"
#include "tests/cache/samples.hpp"

namespace redtune::testing::hip {
namespace {

namespace fs = std::filesystem;

/// What a library needs of HIP, hipRTC and the code generator; without versions.
std::set<std::string> needed_by(const char* library) {
  const auto listed = device::host::run_program({REDTUNE_NM, "-D", "--undefined-only", library});
  EXPECT_TRUE(listed.succeeded()) << listed.errors;
  std::set<std::string> names;
  std::istringstream words(listed.output);
  for (std::string word; words >> word;) {
    if (word.starts_with("hip") || word.starts_with("amd_comgr")) {
      names.insert(word.substr(0, word.find('@')));
    }
  }
  return names;
}

TEST(ListOfCalls, IsWhatTheModuleUses) {
  std::set<std::string> needed = needed_by(REDTUNE_HIP_MODULE);
  // These cannot fail. HIP 6 has a name of its own for the properties in its header.
  for (const char* name : {"hipGetErrorName", "hipGetErrorString", "hiprtcGetErrorString"}) {
    EXPECT_EQ(needed.erase(name), 1U) << name;
  }
  if (needed.erase("hipGetDevicePropertiesR0600") > 0) needed.insert("hipGetDeviceProperties");
  std::set<std::string> listed;
  for (const CallRow& row : all_calls()) listed.insert(std::string(row.name));
  EXPECT_EQ(listed, needed);
}

TEST(TheProduct, KnowsNothingOfTheRuntimeForTests) {
  std::string found;
  for (const char* room : {"include", "search", "kernel_templates", "device", "cache", "runtime",
                           "tuner", "examples", "bench", "cmake"}) {
    for (const auto& entry :
         fs::recursive_directory_iterator(fs::path(REDTUNE_SOURCE_DIR) / room)) {
      if (!entry.is_regular_file()) continue;
      const std::string text = cache::testing::read_text(entry.path());
      for (const char* word : {"hip_runtime_test", "REDTUNE_TEST_HIP", "redtune_test_", "Fictional",
                               "tests/hip_runtime"}) {
        if (text.find(word) == std::string::npos) continue;
        found += entry.path().string() + " names " + word + "\n";
      }
    }
  }
  EXPECT_EQ(found, "");
}

TEST(ListOfErrors, HasEveryNameOnce) {
  std::set<std::string_view> names;
  for (const ErrorRow& row : all_errors()) EXPECT_TRUE(names.insert(row.name).second) << row.name;
  EXPECT_EQ(error_of("hipMalloc", "hipErrorOutOfMemory"), 2);
  EXPECT_FALSE(error_of("hipMalloc", "HIPRTC_ERROR_COMPILATION"));
  EXPECT_FALSE(error_of("hipMaloc", "hipErrorOutOfMemory"));
}

}  // namespace
}  // namespace redtune::testing::hip
