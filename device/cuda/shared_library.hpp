// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A library that may or may not be on this machine, opened at run time and never closed: drivers do
// not survive it.
#pragma once

#include <dlfcn.h>
#include <span>
#include <string>

namespace redtune::device::cuda {

class SharedLibrary {
 public:
  /// Opens the first of the names that there is; a name with '/' is a path.
  explicit SharedLibrary(std::span<const std::string> names);

  [[nodiscard]] bool is_open() const { return handle_ != nullptr; }
  /// Why none could be opened; what the loader said of the first name.
  [[nodiscard]] const std::string& problem() const { return problem_; }

  /// Null when there is none.
  [[nodiscard]] void* find(const char* symbol) const;

  /// Points function at the symbol; false when there is none.
  template <class Function>
  [[nodiscard]] bool bind(Function& function, const char* symbol) const {
    function = reinterpret_cast<Function>(find(symbol));
    return function != nullptr;
  }

 private:
  void* handle_ = nullptr;
  std::string problem_;
};

inline SharedLibrary::SharedLibrary(std::span<const std::string> names) {
  for (const std::string& name : names) {
    handle_ = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle_ != nullptr) {
      problem_.clear();
      return;
    }
    if (problem_.empty()) problem_ = dlerror();
  }
}

inline void* SharedLibrary::find(const char* symbol) const {
  return handle_ == nullptr ? nullptr : dlsym(handle_, symbol);
}

}  // namespace redtune::device::cuda
