// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// hipRTC ends its process on an architecture that it does not know: a compile worker's, and nobody
// else's.
#include <gtest/gtest.h>

#include "tuner/compile/compile_pool.hpp"

namespace redtune::tuner {
namespace {

TEST(Fault12, HipRtcThatIsAskedForAnUnknownArchitectureCostsOneLineAndOneUnit) {
  const CompilePool pool({.platform = "hip", .arch = "gfx9999", .text = "text"},
                         {REDTUNE_ASK_HIPRTC}, 1);
  const std::vector<CompileUnit> units{{"k"}};
  const auto results = pool.compile(units);
  const auto* crash = std::get_if<CompileCrash>(&results[0]);
  ASSERT_NE(crash, nullptr);
  const std::string line = crash->why.substr(0, crash->why.find('\n'));
  std::cout << "  " << line << "\n";
  EXPECT_NE(line.find("signal 6"), std::string::npos) << crash->why;
  EXPECT_EQ(pool.compile(units).size(), 1U) << "the tuner goes on";
}

}  // namespace
}  // namespace redtune::tuner
