// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What the program ends with after an error; docs/reference/cli.md promises the numbers.
#include "cli/exit_code.hpp"

#include <gtest/gtest.h>
#include <new>
#include <sqlite3.h>
#include <stdexcept>

#include "cache/store/open_database.hpp"
#include "redtune/error.hpp"
#include "tuner/compile/interrupted.hpp"
#include "tuner/lease/lease.hpp"
#include "tuner/measure/untrustworthy.hpp"
#include "tuner/session/lost_workers.hpp"
#include "tuner/session/tune.hpp"
#include "tuner/worker/bench.hpp"

namespace redtune::cli {
namespace {

int number_of(const std::exception& error) {
  return static_cast<int>(exit_code_of(error));
}

TEST(ExitCode, OfAnErrorThatApplicationsMeetToo) {
  EXPECT_EQ(number_of(Error("")), 1);
  EXPECT_EQ(number_of(UsageError("")), 2);
  EXPECT_EQ(number_of(UnmetMatch("")), 4);
  EXPECT_EQ(number_of(DeviceError("")), 6);
  EXPECT_EQ(number_of(NoSuchDevice("")), 2);
  EXPECT_EQ(number_of(OutOfMemory("")), 6);
  EXPECT_EQ(number_of(DeviceLost("")), 6);
  EXPECT_EQ(number_of(IoError("")), 74);
}

TEST(ExitCode, OfAnErrorOfATune) {
  EXPECT_EQ(number_of(tuner::NothingValid("")), 3);
  EXPECT_EQ(number_of(tuner::UntrustworthyMeasurement("")), 5);
  EXPECT_EQ(number_of(tuner::UntrustworthySession("")), 5);
  EXPECT_EQ(number_of(tuner::ImplausibleSample("")), 5);
  EXPECT_EQ(number_of(tuner::DeviceUnhealthy("")), 6);
  EXPECT_EQ(number_of(tuner::BenchMishap(tuner::Mishap::died, "")), 6);
  EXPECT_EQ(number_of(tuner::Busy("")), 75);
  EXPECT_EQ(number_of(tuner::Interrupted("")), 130);
  EXPECT_EQ(number_of(tuner::Stopped("")), 130);
}

TEST(ExitCode, OfAStoreThatCannotBeUsed) {
  EXPECT_EQ(number_of(cache::SqliteError(SQLITE_FULL, "")), 74);
  EXPECT_EQ(number_of(cache::DamagedStore("")), 74);
  EXPECT_EQ(number_of(cache::StoreBusy(SQLITE_BUSY, "")), 75);
}

TEST(ExitCode, OfWhatIsNoErrorOfRedtune) {
  EXPECT_EQ(number_of(std::runtime_error("")), 1);
  EXPECT_EQ(number_of(std::bad_alloc()), 1);
}

}  // namespace
}  // namespace redtune::cli
