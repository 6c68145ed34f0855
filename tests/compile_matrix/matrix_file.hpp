// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The file of results: one line for each operator, type and architecture, written when the cell is
// done, so that a run that was stopped goes on where it was. A cell that was bad is compiled again;
// its last line counts.
#pragma once

#include <mutex>
#include <set>
#include <string>
#include <string_view>

namespace redtune::checks {

/// What came of the kernels of a cell.
struct CellTotals {
  std::size_t kernels = 0;
  std::size_t failures = 0;  ///< that do not compile
  std::size_t spilling = 0;
  std::size_t with_scratch = 0;
  int most_vector_registers = 0;
  int most_scalar_registers = 0;
  int most_shared_bytes = 0;
  int most_code_bytes = 0;
  double seconds = 0;  ///< of one processor

  [[nodiscard]] bool is_good() const { return failures + spilling + with_scratch == 0; }
};

class MatrixFile {
 public:
  /// Reads what is there; writes the heading into a new file. Throws IoError.
  explicit MatrixFile(std::string path);

  /// Whether the last line that begins with this key, "target,cell,version", is of a good cell.
  [[nodiscard]] bool holds(std::string_view key) const { return good_.contains(std::string(key)); }
  /// May be called by several threads.
  void add(const std::string& key, const CellTotals& totals);

 private:
  std::string path_;
  std::set<std::string> good_;  ///< keys
  std::mutex mutex_;
};

}  // namespace redtune::checks
