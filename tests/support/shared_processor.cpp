// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Test programs that wait most of the time have a processor together with others.
#include "tests/support/one_processor.hpp"

namespace redtune {
namespace {

// Before main, so before there are threads.
[[maybe_unused]] const bool shared = (checks::share_processor(), true);

}  // namespace
}  // namespace redtune
