// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A module in a vendor's place that is of no use, and tells its process that it was opened.
#include <cstdlib>

namespace {

[[gnu::constructor]] void tell() {
  setenv("REDTUNE_TEST_OPENED", "1", 1);
}

}  // namespace
