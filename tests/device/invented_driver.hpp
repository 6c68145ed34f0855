// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What tests ask of the invented driver, beside what any driver answers. In the environment,
// INVENTED_FAILURE=cuMemAlloc=2 makes a call fail, and INVENTED_DEVICES=0 takes the device away.
#pragma once

extern "C" {

/// The calls since this was asked last, one a line, launches with their shape. Those which only
/// move the current context are left out, and those refused for want of one.
const char* invented_calls();

/// Objects and memory not given back, references to the context among them.
int invented_alive();
}
