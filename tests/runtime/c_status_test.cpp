// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a function of the C API returns for an error: numbers that never change.
#include <gtest/gtest.h>
#include <new>
#include <stdexcept>

#include "runtime/c_api/guard.hpp"

namespace redtune::c_api {
namespace {

template <class E>
int status_after(const E& error) {
  return guarded([&] { throw error; });
}

TEST(CStatus, TellsTheTypeOfAnError) {
  EXPECT_EQ(guarded([] {}), 0);
  EXPECT_EQ(status_after(Error("")), 1);
  EXPECT_EQ(status_after(UsageError("")), 2);
  EXPECT_EQ(status_after(NoSuchDevice("")), 2);
  EXPECT_EQ(status_after(UnmetMatch("")), 4);
  EXPECT_EQ(status_after(DeviceError("")), 6);
  EXPECT_EQ(status_after(OutOfMemory("")), 6);
  EXPECT_EQ(status_after(DeviceLost("")), 6);
  EXPECT_EQ(status_after(IoError("")), 74);
}

TEST(CStatus, IsAFailureForWhateverElseIsThrown) {
  EXPECT_EQ(status_after(std::runtime_error("")), 1);
  EXPECT_EQ(status_after(std::bad_alloc()), 1);
  EXPECT_EQ(status_after(7), 1);
}

}  // namespace
}  // namespace redtune::c_api
