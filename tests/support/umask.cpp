// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a test writes has the usual permissions, whatever the umask of whoever tests: a snapshot
// that others may write, for one, is not believed. Linked into every test program.
#include <sys/stat.h>

namespace redtune {
namespace {

[[maybe_unused]] const mode_t before = umask(022);

}  // namespace
}  // namespace redtune
