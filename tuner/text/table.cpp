// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/text/table.hpp"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

#include "tuner/text/printable.hpp"

namespace redtune::tuner {
namespace {

bool is_numeric(const std::string& cell) {
  return cell.empty() || std::isdigit(static_cast<unsigned char>(cell[0])) != 0 || cell[0] == '-' ||
         cell[0] == '+';
}

struct Column {
  std::size_t width = 0;
  bool to_the_right = true;
};

}  // namespace

std::string table(std::vector<std::vector<std::string>> rows) {
  for (auto& row : rows) {
    for (std::string& cell : row) cell = printable(cell);
  }
  std::vector<Column> columns;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    columns.resize(std::max(columns.size(), rows[r].size()));
    for (std::size_t c = 0; c < rows[r].size(); ++c) {
      columns[c].width = std::max(columns[c].width, rows[r][c].size());
      if (r > 0 && !is_numeric(rows[r][c])) columns[c].to_the_right = false;
    }
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (c > 0) line += "  ";
      line += columns[c].to_the_right ? fmt::format("{:>{}}", row[c], columns[c].width)
                                      : fmt::format("{:<{}}", row[c], columns[c].width);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

}  // namespace redtune::tuner
