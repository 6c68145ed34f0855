// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/compile/config_programs.hpp"

#include <algorithm>
#include <future>

namespace redtune::tuner {

std::vector<ConfigProgram> programs_of(const kernels::Family& family, const Problem& problem,
                                       const Limits& limits, std::span<const Settings> configs) {
  std::vector<ConfigProgram> programs;
  const std::string text = family.device_text(problem);
  for (std::size_t i = 0; i < configs.size(); ++i) {
    const std::string whole = family.config_text(configs[i]) + text;
    auto program = std::ranges::find(programs, whole, &ConfigProgram::text);
    if (program == programs.end()) program = programs.insert(program, {whole, {}, {}});
    program->units.push_back(family.name_expressions(configs[i], problem, limits.wave_size));
    program->owners.push_back(i);
  }
  return programs;
}

std::vector<UnitResult> compile_all(const CompilePool& compiler,
                                    std::span<const ConfigProgram> programs) {
  std::vector<std::future<std::vector<UnitResult>>> behind;
  std::size_t configs = 0;
  for (const ConfigProgram& program : programs) {
    configs += program.owners.size();
    const auto when = programs.size() == 1 ? std::launch::deferred : std::launch::async;
    behind.push_back(std::async(when, [pool = compiler.with_text(program.text), &program] {
      return pool.compile(program.units);
    }));
  }
  std::vector<UnitResult> results(configs);
  for (std::size_t p = 0; p < programs.size(); ++p) {
    std::vector<UnitResult> some = behind[p].get();
    for (std::size_t u = 0; u < some.size(); ++u) {
      results[programs[p].owners[u]] = std::move(some[u]);
    }
  }
  return results;
}

}  // namespace redtune::tuner
