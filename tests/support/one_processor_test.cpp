// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Programs take different processors while there are any, and all of them afterwards.
#include "tests/support/one_processor.hpp"

#include <gtest/gtest.h>
#include <set>
#include <thread>

#include "tests/support/scratch_folder.hpp"

namespace redtune {
namespace {

std::set<int> processors_here() {
  cpu_set_t usable;
  EXPECT_EQ(sched_getaffinity(0, sizeof(usable), &usable), 0);
  std::set<int> found;
  for (int i = 0; i < CPU_SETSIZE; ++i) {
    if (CPU_ISSET(static_cast<std::size_t>(i), &usable)) found.insert(i);
  }
  return found;
}

/// A thread that may use all of the machine's has this to do: its processors are its own.
template <class Work>
void with_all_processors(const Work& work) {
  std::thread([&] {
    cpu_set_t all;
    CPU_ZERO(&all);
    for (std::size_t i = 0; i < CPU_SETSIZE; ++i) CPU_SET(i, &all);
    ASSERT_EQ(sched_setaffinity(0, sizeof(all), &all), 0);
    work();
  }).join();
}

TEST(OneProcessor, IsAnotherForEachUntilNoneIsLeft) {
  const checks::ScratchFolder folder;
  std::set<int> all;
  with_all_processors([&] { all = processors_here(); });
  std::set<int> taken;
  for (std::size_t i = 0; i < all.size(); ++i) {
    with_all_processors([&] {
      EXPECT_TRUE(checks::take_processor(folder / "processors"));
      EXPECT_EQ(processors_here().size(), 1U);
      taken.merge(processors_here());
    });
  }
  EXPECT_EQ(taken, all);
  with_all_processors([&] {
    EXPECT_FALSE(checks::take_processor(folder / "processors"));
    EXPECT_EQ(processors_here(), all);
  });
}

TEST(OneProcessor, IsSharedByProgramsThatWait) {
  const checks::ScratchFolder folder;
  std::set<int> all;
  with_all_processors([&] { all = processors_here(); });
  for (int i = 0; i < 2; ++i) {
    with_all_processors([&] {
      checks::share_processor();
      EXPECT_EQ(processors_here().size(), 1U);
      EXPECT_TRUE(all.contains(*processors_here().begin()));
      EXPECT_TRUE(checks::take_processor(folder / std::to_string(i))) << "it keeps nobody out";
    });
  }
}

}  // namespace
}  // namespace redtune
