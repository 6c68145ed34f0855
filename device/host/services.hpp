// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What compiled host kernels may ask of the device that runs them. The same lines are compiled into
// redtune and, as text, into every kernel program, so the two cannot disagree.
#pragma once

#define REDTUNE_HOST_SERVICES                                                  \
  struct redtune_host_services {                                               \
    int (*thread)();                                                           \
    int (*block)();                                                            \
    int (*grid)();                                                             \
    void (*barrier)();                                                         \
    void (*exchange)(const void* mine, void* theirs, int bytes, int distance); \
    void (*pause)();                                                           \
    const int* (*extents)(); /* of a block and of the grid, by x, y and z */   \
    void* (*shared)();       /* dynamic memory of the block */                 \
  };

REDTUNE_HOST_SERVICES

#define REDTUNE_STRINGIZE_(...) #__VA_ARGS__
#define REDTUNE_STRINGIZE(...) REDTUNE_STRINGIZE_(__VA_ARGS__)

namespace redtune::device::host {

inline constexpr const char* services_text = REDTUNE_STRINGIZE(REDTUNE_HOST_SERVICES);

/// A kernel as the device calls it, once for every lane: pointers to its arguments.
using KernelEntry = void (*)(void* const* arguments);

/// Symbols of a compiled program.
inline constexpr const char* bind_symbol = "redtune_bind";
inline constexpr const char* kernel_symbol_prefix = "redtune_kernel_";

}  // namespace redtune::device::host
