// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// HIP's headers, without the macro that they leave behind: it is the name of an attribute which
// libstdc++ 16 uses in headers that come after.
#pragma once

#include <hip/hip_runtime_api.h>
#include <hip/hiprtc.h>

#undef __noinline__
