// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Rows for other programs: by RFC 4180, but lines end in a line feed alone.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace redtune::cli {

class CsvText {
 public:
  void add(const std::vector<std::string>& cells);
  [[nodiscard]] std::string whole() && { return std::move(text_); }

 private:
  std::string text_;
};

}  // namespace redtune::cli
