// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What 'redtune reduce' reduces: which options say that, what is read of files, what is generated.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "cli/command.hpp"
#include "cli/raw_file.hpp"
#include "redtune/problem.hpp"

namespace redtune::cli {

/// What is read; a pipe gives it once.
struct ReduceInputs {
  std::optional<RawFile> elements;
  std::optional<RawFile> offsets;
  std::optional<RawFile> keys;
};

/// Before anything is read: whether what is named goes together. Throws UsageError.
void require_inputs(const Options& options);
/// Throws UsageError for files that cannot be read.
[[nodiscard]] ReduceInputs inputs_of(const Options& options);
/// What is asked, without its data: the file's size or --count. Throws UsageError.
[[nodiscard]] Problem problem_of(const Options& options, const ReduceInputs& inputs);

struct ReduceData {
  std::vector<std::byte> elements;
  std::vector<std::int64_t> offsets;  ///< of segments
  std::optional<GroupedKeys> keys;    ///< whose groups are the segments
};

/// Throws UsageError for offsets and keys that are none.
[[nodiscard]] ReduceData data_of(const Options& options, const ReduceInputs& inputs,
                                 const Problem& problem);

}  // namespace redtune::cli
