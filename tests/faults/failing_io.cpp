// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A library to preload: the Nth call that changes a file under a folder fails. The environment says
// which: see failing_io.hpp.
#include "tests/faults/failing_io.hpp"

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace {

using namespace redtune::testing_faults;

/// What the environment asks for; nothing fails without a folder.
struct Plan {
  const char* folder = std::getenv(folder_variable);
  const char* calls = std::getenv(calls_variable);
  const char* report = std::getenv(report_variable);
  long at = number(at_variable);
  int error = static_cast<int>(number(error_variable));
  bool lasting = number(lasting_variable) != 0;

  static long number(const char* name) {
    const char* text = std::getenv(name);
    return text == nullptr ? 0 : std::atol(text);
  }
};

const Plan& plan() {
  static const Plan one;
  return one;
}

template <class Function>
Function* real(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

/// Tells the test that something failed; past the functions that may fail.
void report_failure(const char* call, const char* path) {
  if (plan().report == nullptr) return;
  static auto* const open_file = real<int(const char*, int, ...)>("open");
  static auto* const write_file = real<ssize_t(int, const void*, std::size_t)>("write");
  const int file = open_file(plan().report, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (file < 0) return;
  char line[PATH_MAX + 32];
  const int size = std::snprintf(line, sizeof line, "%s %s\n", call, path);
  (void)!write_file(file, line, static_cast<std::size_t>(size));
  close(file);
}

/// Whether this call is to fail; sets errno then.
bool fails(const char* call, const char* path) {
  static std::atomic<long> count = 0;
  const Plan& now = plan();
  if (now.folder == nullptr || now.calls == nullptr || path == nullptr) return false;
  if (std::strncmp(path, now.folder, std::strlen(now.folder)) != 0) return false;
  if (std::strstr(now.calls, call) == nullptr) return false;
  const long mine = ++count;
  if (mine != now.at && !(now.lasting && mine > now.at)) return false;
  report_failure(call, path);
  errno = now.error;
  return true;
}

bool fails(const char* call, int descriptor) {
  if (plan().folder == nullptr) return false;
  char link[64];
  char path[PATH_MAX] = {};
  std::snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  if (readlink(link, path, sizeof path - 1) < 0) return false;
  return fails(call, path);
}

/// The mode that stands behind the flags of an open() that may create.
mode_t mode_of(int flags, va_list arguments) {
  return (flags & O_CREAT) != 0 ? static_cast<mode_t>(va_arg(arguments, int)) : 0;
}

}  // namespace

extern "C" {

#define EXPORTED __attribute__((visibility("default")))

EXPORTED ssize_t write(int file, const void* bytes, std::size_t size) {
  static auto* const next = real<ssize_t(int, const void*, std::size_t)>("write");
  return fails("write", file) ? -1 : next(file, bytes, size);
}
EXPORTED ssize_t pwrite(int file, const void* bytes, std::size_t size, off_t at) {
  static auto* const next = real<ssize_t(int, const void*, std::size_t, off_t)>("pwrite");
  return fails("write", file) ? -1 : next(file, bytes, size, at);
}
EXPORTED ssize_t pwrite64(int file, const void* bytes, std::size_t size, off64_t at) {
  static auto* const next = real<ssize_t(int, const void*, std::size_t, off64_t)>("pwrite64");
  return fails("write", file) ? -1 : next(file, bytes, size, at);
}
EXPORTED int fsync(int file) {
  static auto* const next = real<int(int)>("fsync");
  return fails("sync", file) ? -1 : next(file);
}
EXPORTED int fdatasync(int file) {
  static auto* const next = real<int(int)>("fdatasync");
  return fails("sync", file) ? -1 : next(file);
}
EXPORTED int ftruncate(int file, off_t size) noexcept {
  static auto* const next = real<int(int, off_t)>("ftruncate");
  return fails("truncate", file) ? -1 : next(file, size);
}
EXPORTED int ftruncate64(int file, off64_t size) noexcept {
  static auto* const next = real<int(int, off64_t)>("ftruncate64");
  return fails("truncate", file) ? -1 : next(file, size);
}
EXPORTED int rename(const char* from, const char* to) noexcept {
  static auto* const next = real<int(const char*, const char*)>("rename");
  return fails("rename", from) ? -1 : next(from, to);
}
EXPORTED int link(const char* from, const char* to) noexcept {
  static auto* const next = real<int(const char*, const char*)>("link");
  return fails("link", to) ? -1 : next(from, to);
}
EXPORTED int mkdir(const char* path, mode_t mode) noexcept {
  static auto* const next = real<int(const char*, mode_t)>("mkdir");
  return fails("open", path) ? -1 : next(path, mode);
}
EXPORTED int mkostemp(char* name, int flags) {  // opens inside the C library, unseen from here
  static auto* const next = real<int(char*, int)>("mkostemp");
  return fails("open", name) ? -1 : next(name, flags);
}
EXPORTED int open(const char* path, int flags, ...) {
  static auto* const next = real<int(const char*, int, ...)>("open");
  va_list more;
  va_start(more, flags);
  const mode_t mode = mode_of(flags, more);
  va_end(more);
  return (flags & O_CREAT) != 0 && fails("open", path) ? -1 : next(path, flags, mode);
}
EXPORTED int open64(const char* path, int flags, ...) {
  static auto* const next = real<int(const char*, int, ...)>("open64");
  va_list more;
  va_start(more, flags);
  const mode_t mode = mode_of(flags, more);
  va_end(more);
  return (flags & O_CREAT) != 0 && fails("open", path) ? -1 : next(path, flags, mode);
}
EXPORTED int openat(int folder, const char* path, int flags, ...) {
  static auto* const next = real<int(int, const char*, int, ...)>("openat");
  va_list more;
  va_start(more, flags);
  const mode_t mode = mode_of(flags, more);
  va_end(more);
  return (flags & O_CREAT) != 0 && fails("open", path) ? -1 : next(folder, path, flags, mode);
}

}  // extern "C"
