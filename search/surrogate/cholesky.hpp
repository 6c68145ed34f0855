// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The Cholesky factor of a positive definite matrix, kept as its lower triangle, row i beginning at
// i (i + 1) / 2: a row more in the matrix is a row more here, and a row less a row less.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace redtune::search {

inline std::size_t row_begin(std::size_t row) {
  return row * (row + 1) / 2;
}

template <typename Number>
Number dot(const Number* one, const Number* other, std::size_t count) {
  // Eight sums, so that the compiler may add in parallel without reordering any of them.
  Number sums[8] = {};
  std::size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    for (std::size_t k = 0; k < 8; ++k) sums[k] += one[i + k] * other[i + k];
  }
  Number sum = 0;
  for (; i < count; ++i) sum += one[i] * other[i];
  for (const Number part : sums) sum += part;
  return sum;
}

/// Solves L x = b for the first `count` rows of a factor; x may be b.
template <typename Number, typename B>
void solve_forward(std::span<const Number> rows, std::size_t count, const B* b, Number* x) {
  for (std::size_t i = 0; i < count; ++i) {
    const Number* const row = &rows[row_begin(i)];
    x[i] = (static_cast<Number>(b[i]) - dot(row, x, i)) / row[i];
  }
}

/// Solves with the transposed factor, in place.
template <typename Number>
void solve_backward(std::span<const Number> rows, std::span<Number> x) {
  for (std::size_t i = x.size(); i-- > 0;) {
    x[i] /= rows[row_begin(i) + i];
    for (std::size_t j = 0; j < i; ++j) x[j] -= rows[row_begin(i) + j] * x[i];
  }
}

/// Adds the row of a matrix that has these values before its diagonal, and this one on it; false
/// where the matrix would be all but singular.
template <typename Number>
[[nodiscard]] bool append_row(std::vector<Number>& rows, std::span<const Number> values,
                              Number diagonal) {
  const std::size_t before = values.size();
  rows.resize(row_begin(before + 1));
  Number* const row = &rows[row_begin(before)];
  solve_forward(std::span<const Number>(rows), before, values.data(), row);
  const Number rest = diagonal - dot(row, row, before);
  if (!(rest > Number(1e-6F))) return false;
  row[before] = std::sqrt(rest);
  return true;
}

}  // namespace redtune::search
