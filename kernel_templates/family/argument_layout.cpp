// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "kernel_templates/family/argument_layout.hpp"

namespace redtune::kernels {

std::vector<PlacedArgument> layout_of(const FixedList<Argument, most_arguments>& arguments) {
  std::vector<PlacedArgument> placed;
  int end = 0;
  for (const Argument argument : arguments) {
    const int bytes = argument == Argument::partial_count ? 4 : 8;
    const int offset = (end + bytes - 1) / bytes * bytes;
    placed.push_back({argument, offset, bytes});
    end = offset + bytes;
  }
  return placed;
}

std::string_view meaning_of(Argument argument) {
  switch (argument) {
    case Argument::in:
      return "address of the first element";
    case Argument::count:
      return "elements of the input";
    case Argument::out:
      return "address of the result";
    case Argument::partials:
      return "address of the partial results of the blocks";
    case Argument::slots:
      return "address of the words by which the blocks hand over";
    case Argument::counter:
      return "address of the ticket counter";
    case Argument::run:
      return "tiles that each block takes in a row; 0: dealt round-robin";
    case Argument::partial_count:
      return "partial results: the grid of the launch that reads the input";
  }
  return "?";
}

}  // namespace redtune::kernels
