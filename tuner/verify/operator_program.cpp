// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/verify/operator_program.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "redtune/error.hpp"

namespace redtune::tuner {

using kernels::CheckKernel;

const CompiledUnit& require_compiled(const Problem& problem, const UnitResult& result) {
  if (const auto* unit = std::get_if<CompiledUnit>(&result)) return *unit;
  if (const auto* crash = std::get_if<CompileCrash>(&result)) {
    throw DeviceError(fmt::format("{}: {}", problem.custom.name, crash->why));
  }
  const std::string& log = std::get<device::CompileFailure>(result).log;
  if (const auto why = kernels::explain_operator_log(problem.custom, log)) throw UsageError(*why);
  throw DeviceError(fmt::format("the kernels do not compile:\n{}", log));
}

OperatorProgram::OperatorProgram(device::Device& device, const kernels::Family& family,
                                 const Problem& problem, const CompilePool& compiler)
    : device_(&device), problem_(problem) {
  const auto names = kernels::check_kernel_names(problem);
  CompileUnit unit = names;
  const Limits& limits = device.limits();
  for (auto& name : family.name_expressions(family.default_settings(problem, limits), problem,
                                            limits.wave_size)) {
    unit.push_back(std::move(name));
  }
  const auto results = compiler.compile({&unit, 1});
  const CompiledUnit& compiled = require_compiled(problem, results[0]);
  module_ = device.load(*compiled.binary);
  for (std::size_t i = 0; i < names.size(); ++i) {
    kernels_.push_back(module_->kernel(compiled.kernels[i].symbol));
  }
}

void OperatorProgram::run(CheckKernel kernel, std::int64_t threads,
                          const device::Arguments& arguments) const {
  constexpr int block = kernels::check_block_size;
  const device::Launch launch{.kernel = kernels_[static_cast<std::size_t>(kernel)],
                              .grid = std::max<std::int64_t>(1, (threads + block - 1) / block),
                              .block = block,
                              .arguments = arguments};
  device_->launch({&launch, 1}, {});
  device_->synchronize({});
}

}  // namespace redtune::tuner
