// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What REDTUNE_TEST_HIP_FAULTS may say.
#include "faults.hpp"

#include <cstdlib>
#include <gtest/gtest.h>

#include "redtune/error.hpp"

namespace redtune::testing::hip {
namespace {

TEST(InjectedFaults, AreReadOrRefused) {
  const Faults faults = parse_faults(
      "fail:hipMalloc:3:hipErrorOutOfMemory;delay:hipFree:*:50ms;hang:hipEventSynchronize:2:once;"
      "times:doubled;memory:4096;units:8;refuse:redtune::pace<");
  ASSERT_EQ(faults.of_calls.size(), 3U);
  EXPECT_EQ(faults.of_calls[0].number, 3);
  EXPECT_EQ(faults.of_calls[1].number, 0);
  EXPECT_EQ(faults.of_calls[1].delay, std::chrono::milliseconds(50));
  EXPECT_TRUE(faults.of_calls[2].once);
  EXPECT_EQ(faults.times, Times::doubled);
  EXPECT_EQ(faults.memory, 4096U);
  EXPECT_EQ(faults.units, 8);
  EXPECT_EQ(faults.refused, std::vector<std::string>{"redtune::pace<"});
  for (const char* wrong :
       {"fail", "fail:hipMalloc:3", "fail:hipMaloc:3:hipErrorOutOfMemory", "fail:hipMalloc:3:oom",
        "fail:hipMalloc:0:hipErrorOutOfMemory", "fail:hipMalloc:3:HIPRTC_ERROR_OUT_OF_MEMORY",
        "delay:hipFree:1:50", "times:late", "memory:much", "units:few", "burn:hipFree:1"}) {
    EXPECT_THROW((void)parse_faults(wrong), Error) << wrong;
  }
}

TEST(InjectedFaults, ThatHappenOnceNeedAPlaceToNoteIt) {
  EXPECT_DEATH(
      {
        setenv("REDTUNE_TEST_HIP_FAULTS", "hang:hipFree:1:once", 1);
        unsetenv("REDTUNE_TEST_HIP_TRACE");
        (void)faults();
      },
      "name one in REDTUNE_TEST_HIP_TRACE");
}

}  // namespace
}  // namespace redtune::testing::hip
