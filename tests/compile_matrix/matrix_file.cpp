// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tests/compile_matrix/matrix_file.hpp"

#include <algorithm>
#include <boost/algorithm/string.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <optional>
#include <utility>
#include <vector>

#include "redtune/error.hpp"

namespace redtune::checks {
namespace {

constexpr std::string_view heading =
    "target,cell,version,kernels,failures,spilling,with_scratch,most_vgprs,most_sgprs,"
    "most_shared_bytes,most_code_bytes,seconds";
constexpr std::size_t fields_of_key = 3;
constexpr std::size_t fields_of_line = 12;

struct Line {
  std::string key;
  bool is_good = false;
};

/// Nothing for a line that was cut off.
std::optional<Line> parse(const std::string& text) {
  std::vector<std::string> fields;
  boost::split(fields, text, boost::is_any_of(","));
  if (fields.size() != fields_of_line) return std::nullopt;
  const auto end_of_key = fields.begin() + fields_of_key;
  // After the number of kernels come those of failures, spills and scratch.
  const bool is_good = std::all_of(end_of_key + 1, end_of_key + 4,
                                   [](const std::string& number) { return number == "0"; });
  return Line{fmt::format("{}", fmt::join(fields.begin(), end_of_key, ",")), is_good};
}

}  // namespace

MatrixFile::MatrixFile(std::string path) : path_(std::move(path)) {
  std::ifstream old(path_);
  bool is_new = true;
  bool is_cut = false;  // in the middle of its last line
  for (std::string line; std::getline(old, line); is_new = false) {
    is_cut = old.eof();
    const auto read = is_cut ? std::nullopt : parse(line);
    if (!read) continue;
    if (read->is_good) {
      good_.insert(read->key);
    } else {
      good_.erase(read->key);
    }
  }
  if (!is_new && !is_cut) return;
  std::ofstream file(path_, std::ios::app);
  file << (is_new ? heading : "") << std::endl;
  if (!file) throw IoError(fmt::format("cannot write {}", path_));
}

void MatrixFile::add(const std::string& key, const CellTotals& totals) {
  const std::lock_guard lock(mutex_);
  std::ofstream file(path_, std::ios::app);
  file << fmt::format("{},{},{},{},{},{},{},{},{},{:.1f}", key, totals.kernels, totals.failures,
                      totals.spilling, totals.with_scratch, totals.most_vector_registers,
                      totals.most_scalar_registers, totals.most_shared_bytes,
                      totals.most_code_bytes, totals.seconds)
       << std::endl;
  if (!file) throw IoError(fmt::format("cannot write {}", path_));
}

}  // namespace redtune::checks
