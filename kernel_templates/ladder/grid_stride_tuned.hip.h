// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The kernel is that of grid_stride. What changes is how it is launched: numbers of blocks and of
// threads are tried out, and the fastest pair is kept. It is another one on every device.
#pragma once

#include "grid_stride.hip.h"
