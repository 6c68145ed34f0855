// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Descriptions in TOML.
#include "tests/fuzz/description_promises.hpp"

namespace redtune::fuzz {

void read_toml_description(std::string_view bytes) {
  read_description_by(kernels::description_from_toml, bytes);
}

std::vector<std::string> toml_description_samples() {
  return {
      "file = 'k.cpp'\nkernel = \"k<BLOCK>\"\ntune = ['BLOCK = 64, 128', \"ITEMS = 1..4\"]\n"
      "size = 'n = 10'\nlaunch = 'block = BLOCK grid = n'\narg = ['float out[n] out']\n"
      "check = \"out exact\"\n",
      "file = \"\"\"\nk\"\"\"\nlaunch = 1\n"};
}

}  // namespace redtune::fuzz
