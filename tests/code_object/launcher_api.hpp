// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The calls of a HIP runtime that a launcher of code objects needs, as pointers: taken from a
// library by name, or put there by a test. 0 is success, as in hipError_t.
#pragma once

#include <cstddef>
#include <string>

namespace redtune::code_object {

struct LauncherApi {
  int (*allocate)(void** memory, std::size_t bytes) = nullptr;
  int (*release)(void* memory) = nullptr;
  int (*copy)(void* to, const void* from, std::size_t bytes, int kind, void* stream) = nullptr;
  int (*fill)(void* memory, int value, std::size_t bytes, void* stream) = nullptr;
  int (*load)(void** module, const void* image) = nullptr;
  int (*unload)(void* module) = nullptr;
  int (*find)(void** function, void* module, const char* symbol) = nullptr;
  int (*launch)(void* function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                unsigned block_y, unsigned block_z, unsigned shared_bytes, void* stream,
                void** arguments, void** extra) = nullptr;
  int (*synchronize)(void* stream) = nullptr;
};

// hipMemcpyKind and the keys of hipModuleLaunchKernel's extra, as hip_runtime_api.h has them.
inline constexpr int copy_to_device = 1;
inline constexpr int copy_to_host = 2;
inline void* const extra_pointer = reinterpret_cast<void*>(1);
inline void* const extra_size = reinterpret_cast<void*>(2);
inline void* const extra_end = reinterpret_cast<void*>(3);

/// The calls of a HIP runtime, e.g. "libamdhip64.so.5"; it stays loaded. They are about the device
/// of this number. Throws std::runtime_error that names what is missing.
[[nodiscard]] LauncherApi hip_launcher_api(const std::string& library, int device);

}  // namespace redtune::code_object
