// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "device/host/shared_arrays.hpp"

#include <regex>

namespace redtune::device::host {

std::string with_shared_arrays(const std::string& text) {
  if (text.find("__shared__") == std::string::npos) return text;
  static const std::regex declaration(
      R"re(\bextern\s+__shared__\s+(?:(?:__align__|alignas)\s*\([^()]*\)\s*)?([\w:]+(?:\s+[\w:]+)*)\s+(\w+)\s*\[\s*\]\s*;)re");
  return std::regex_replace(text, declaration,
                            "$1* const $2 = static_cast<$1*>(redtune_host_shared());");
}

}  // namespace redtune::device::host
