// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Test programs have one processor each: the host device's threads would only wait for each other
// where several tests run.
#include "tests/support/one_processor.hpp"

namespace redtune {
namespace {

// Before main, so before there are threads.
[[maybe_unused]] const bool taken = checks::take_processor(REDTUNE_TEST_PROCESSORS);

}  // namespace
}  // namespace redtune
