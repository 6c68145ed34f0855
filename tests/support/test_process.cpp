// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What every test program sets for itself and for what it starts.
#include <csignal>
#include <cstdlib>
#include <sys/stat.h>

#include "tests/support/preload.hpp"

namespace redtune {
namespace {

// What a test writes has the usual permissions, whatever the umask of whoever tests: a snapshot
// that others may write, for one, is not believed.
[[maybe_unused]] const mode_t before = umask(022);

// What tests ask for is nobody's wish.
[[maybe_unused]] const int unwanted = setenv("REDTUNE_WANTED", "off", 1);

// A shell's background jobs ignore Ctrl-C, and so would all that they start: tests press it.
[[maybe_unused]] const auto interrupted = std::signal(SIGINT, SIG_DFL);

#ifdef REDTUNE_TEST_MACHINE
[[maybe_unused]] const int preloaded =
    setenv("LD_PRELOAD", checks::preloadable(REDTUNE_TEST_MACHINE).c_str(), 1);
#endif

}  // namespace
}  // namespace redtune
