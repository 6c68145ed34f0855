// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Nobody waits until the disk has what was written. That is for a machine that goes down, which
// none does for a test: a process that is killed has lost nothing of what it has written. Waiting
// for the disk was most of what tests of stores did. Linked into every test program, and preloaded
// into what it starts; a sync that is to fail fails before (tests/faults/failing_io.cpp).
extern "C" {

__attribute__((visibility("default"))) int fsync(int /*file*/) {
  return 0;
}
__attribute__((visibility("default"))) int fdatasync(int /*file*/) {
  return 0;
}

}  // extern "C"
