// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// NVRTC, the run-time compiler of CUDA 12 and later, opened at run time.
#pragma once

#include <nvrtc.h>
#include <string>

namespace redtune::device::cuda {

/// The functions that redtune calls, by the names of NVRTC without "nvrtc".
struct Nvrtc {
#define REDTUNE_NVRTC_CALL(name) decltype(&nvrtc##name) name;
#include "device/cuda/nvrtc_calls.def"
#undef REDTUNE_NVRTC_CALL
};

/// Opened on first use: the newest one that the driver can run the output of, from where the loader
/// looks, from CUDA_PATH or CUDA_HOME, or from /usr/local/cuda. Throws DeviceError that says what
/// to install.
[[nodiscard]] const Nvrtc& nvrtc();

}  // namespace redtune::device::cuda
