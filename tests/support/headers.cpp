// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The program to which the precompiled headers of all test programs belong. It does nothing.
int main() {}
