// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What differs between hipRTC, NVRTC and a host C++ compiler. Only the prelude's files have
// platform conditions; everything after them is the same program everywhere.
#pragma once

#include "base.hip.h"
#include "prelude_cuda.hip.h"
#include "prelude_gpu_packs.hip.h"
#include "prelude_hip.hip.h"
#include "prelude_host.hip.h"
#include "prelude_host_packs.hip.h"
#include "value.hip.h"
