// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tests/compile_matrix/matrix_file.hpp"

#include <fmt/format.h>
#include <fstream>
#include <utility>

#include "redtune/error.hpp"

namespace redtune::checks {
namespace {

constexpr std::string_view heading =
    "target,cell,version,kernels,failures,spilling,with_scratch,most_vgprs,most_sgprs,"
    "most_shared_bytes,most_code_bytes,seconds";
constexpr int commas_of_key = 3;
constexpr int commas_of_line = 11;

/// The text before the third comma; empty for a line that was cut off.
std::string key_of(const std::string& line) {
  int commas = 0;
  std::size_t end = 0;
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (line[at] == ',' && ++commas == commas_of_key) end = at;
  }
  return commas == commas_of_line ? line.substr(0, end) : "";
}

}  // namespace

MatrixFile::MatrixFile(std::string path) : path_(std::move(path)) {
  std::ifstream old(path_);
  bool is_new = true;
  bool is_cut = false;  // in the middle of its last line
  for (std::string line; std::getline(old, line); is_new = false) {
    is_cut = old.eof();
    if (const std::string key = is_cut ? "" : key_of(line); !key.empty()) keys_.insert(key);
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
