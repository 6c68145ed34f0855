// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/operator_source.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>

#include "cli/names.hpp"
#include "kernel_templates/reduce/custom_operator.hpp"
#include "redtune/error.hpp"
#include "tuner/verify/operator_samples.hpp"

namespace redtune::cli {
namespace {

/// The text is part of every key and every compiled program.
constexpr std::uintmax_t most_text_bytes = 1 << 20;

}  // namespace

CustomOp read_operator(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) {
    throw UsageError(
        fmt::format("cannot read {}: {}", path, error ? error.message() : std::strerror(ENOENT)));
  }
  if (!std::filesystem::is_regular_file(status)) {
    throw UsageError(fmt::format("{} is no regular file", path));
  }
  if (std::filesystem::file_size(path, error) > most_text_bytes) {
    throw UsageError(fmt::format("{} is larger than 1 MiB; is it the file you mean?", path));
  }
  std::ifstream file(path, std::ios::binary);
  CustomOp op{path, {std::istreambuf_iterator<char>(file), {}}};
  if (!file) throw UsageError(fmt::format("cannot read {}: {}", path, std::strerror(errno)));
  kernels::require_operator_text(op);
  return op;
}

std::unique_ptr<const OperatorProgram> checked_operator(const OpenDevice& opened,
                                                        const kernels::Family& family,
                                                        const Problem& problem) {
  const CompilePool compiler(target_of(*opened.selection.platform, opened.device->identity()),
                             worker_command(), 1);
  return sound_operator(*opened.device, family, problem, compiler);
}

}  // namespace redtune::cli
