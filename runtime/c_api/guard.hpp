// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The border to C: no exception passes, each becomes a status and this thread's last error.
#pragma once

#include <exception>
#include <new>
#include <string>

#include "redtune.h"
#include "redtune/error.hpp"
#include "runtime/c_api/status.hpp"

namespace redtune::c_api {

/// Never throws: what cannot be kept for want of memory is cut.
void set_last_error(const char* text) noexcept;

template <class Action>
[[nodiscard]] int guarded(const Action& action) noexcept {
  set_last_error("");
  try {
    action();
    return REDTUNE_DONE;
  } catch (const std::bad_alloc&) {
    set_last_error("there is not enough memory");
  } catch (const std::exception& error) {
    set_last_error(error.what());
    return status_of(error);
  } catch (...) {
    set_last_error("an unknown error");
  }
  return REDTUNE_FAILED;
}

/// Throws UsageError that names what must not be null.
inline void require(const void* pointer, const char* name) {
  if (pointer == nullptr) throw UsageError(std::string(name) + " is a null pointer");
}

template <class T>
T& required(T* pointer, const char* name) {
  require(pointer, name);
  return *pointer;
}

}  // namespace redtune::c_api
