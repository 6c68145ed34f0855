// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// An application that catches by type what a module throws through libredtune.so.
// Usage: catches KIND...; device N of the platform "cuda" throws the Nth kind.
#include <exception>
#include <iostream>
#include <new>
#include <redtune/error.hpp>
#include <redtune/find_best.hpp>
#include <string>

namespace {

/// What a guard that commits or rolls back would see.
int unwinding_seen = -1;

struct Guard {
  ~Guard() { unwinding_seen = std::uncaught_exceptions(); }
};

void open_guarded(const std::string& device) {
  const Guard guard;
  (void)redtune::identify_device(device);
}

/// The most derived class that catches it, if it still does after being kept and thrown again.
std::string caught_as(const std::string& device) {
  std::exception_ptr kept;
  try {
    open_guarded(device);
  } catch (...) {
    kept = std::current_exception();
  }
  try {
    if (kept) std::rethrow_exception(kept);
  } catch (const redtune::OutOfMemory&) {
    return "OutOfMemory";
  } catch (const redtune::NoSuchDevice&) {
    return "NoSuchDevice";
  } catch (const redtune::DeviceError&) {
    return "DeviceError";
  } catch (const redtune::IoError&) {
    return "IoError";
  } catch (const redtune::UnmetMatch&) {
    return "UnmetMatch";
  } catch (const redtune::UsageError&) {
    return "UsageError";
  } catch (const redtune::Error&) {
    return "Error";
  } catch (const std::runtime_error&) {
    return "runtime_error";
  } catch (const std::bad_alloc&) {
    return "bad_alloc";
  } catch (...) {
    return "something else";
  }
  return "nothing";
}

}  // namespace

int main(int argc, char** argv) {
  bool is_right = argc > 1;
  for (int i = 1; i < argc; ++i) {
    const std::string caught = caught_as("cuda:" + std::to_string(i - 1));
    std::cout << argv[i] << " is caught as " << caught << ", unwinding " << unwinding_seen
              << ", left over " << std::uncaught_exceptions() << '\n';
    is_right =
        is_right && caught == argv[i] && unwinding_seen == 1 && std::uncaught_exceptions() == 0;
    unwinding_seen = -1;
  }
  return is_right ? 0 : 1;
}
