// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/set_option.hpp"

namespace redtune::cli {

Settings set_values(const Options& options) {
  Settings values;
  for (const std::string& text : options.all("set")) {
    for (Setting& setting : parse_settings(text)) values.push_back(std::move(setting));
  }
  return values;
}

}  // namespace redtune::cli
