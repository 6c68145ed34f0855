// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "kernel_templates/family/argument_layout.hpp"

namespace redtune::kernels {

std::vector<PlacedArgument> layout_of(const KernelCall& call, const Scalars& scalars) {
  std::vector<PlacedArgument> placed;
  int end = 0;
  for (const Argument argument : call.arguments) {
    const auto index = scalar_index(argument);
    const int bytes = index ? scalars[*index].bytes : 8;
    const int offset = (end + bytes - 1) / bytes * bytes;
    placed.push_back({argument, offset, bytes});
    end = offset + bytes;
  }
  return placed;
}

std::string_view meaning_of(Argument argument, const Scalars& scalars) {
  if (const auto index = scalar_index(argument)) return scalars[*index].meaning;
  switch (argument) {
    case Argument::in:
      return "address of the first element";
    case Argument::begins:
      return "address of the offset where the first segment begins";
    case Argument::ends:
      return "address of the offset where the first segment ends";
    case Argument::out:
      return "address of the result";
    case Argument::partials:
      return "address of the partial results of the blocks";
    case Argument::slots:
      return "address of the words by which the blocks hand over";
    case Argument::counter:
      return "address of the ticket counter";
    case Argument::plan:
      return "address of the plan of the segments";
    case Argument::scalar:
      break;
  }
  return "?";
}

}  // namespace redtune::kernels
