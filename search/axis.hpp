// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a space is made of.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace redtune::search {

enum class AxisKind {
  ordered,      ///< neighbouring indices are similar values
  categorical,  ///< no value is nearer than another
};

struct Axis {
  std::string name;
  std::size_t size = 0;  ///< how many values; 0 makes the whole space empty
  AxisKind kind = AxisKind::ordered;
  std::vector<double> values = {};  ///< what the indices stand for, where all are numbers

  bool operator==(const Axis&) const = default;
};

/// Two axes whose values multiply to something that counts by itself, as a block's threads and what
/// each of them reads. Indices of ordered axes with values above 0.
struct Product {
  std::size_t one = 0;
  std::size_t other = 0;

  bool operator==(const Product&) const = default;
};

}  // namespace redtune::search
