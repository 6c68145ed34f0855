// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Marks what the shared library offers; everything else in it is hidden.
#pragma once

#define REDTUNE_API __attribute__((visibility("default")))
