// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "runtime/kernel_loader.hpp"

#include <algorithm>

#include "cache/files/paths.hpp"
#include "redtune/error.hpp"

namespace redtune::runtime {
namespace {

/// Every name once, in an order that does not depend on who asks.
CompileUnit all_names(std::span<const CompileUnit> units, std::span<const std::size_t> which) {
  CompileUnit names;
  for (const std::size_t i : which) names.insert(names.end(), units[i].begin(), units[i].end());
  std::ranges::sort(names);
  const auto repeated = std::ranges::unique(names);
  names.erase(repeated.begin(), repeated.end());
  return names;
}

CompiledUnit part_of(const CompileUnit& names, const CompiledUnit& whole, const CompileUnit& unit) {
  CompiledUnit part{whole.binary, {}, 0};
  for (const std::string& name : unit) {
    const auto at = std::ranges::lower_bound(names, name) - names.begin();
    part.kernels.push_back(whole.kernels[static_cast<std::size_t>(at)]);
  }
  return part;
}

}  // namespace

KernelLoader::KernelLoader(const device::Platform& platform, device::Device& device,
                           std::string text)
    : platform_(platform),
      device_(device),
      text_(std::move(text)),
      binaries_(cache::binaries_folder()),
      unit_cache_(&binaries_,
                  {std::string(platform.name()), platform.arch_of(device.identity()),
                   toolchain_text(device.identity())},
                  text_) {}

std::vector<LoadResult> KernelLoader::load(std::span<const CompileUnit> units) {
  std::vector<std::optional<LoadResult>> results(units.size());
  std::vector<std::size_t> missing;
  for (std::size_t i = 0; i < units.size(); ++i) {
    if (auto known = from_disk(units[i]))
      results[i] = std::move(*known);
    else
      missing.push_back(i);
  }
  if (!missing.empty()) compile(units, missing, results);
  std::vector<LoadResult> all;
  for (auto& result : results) all.push_back(std::move(*result));
  return all;
}

std::optional<LoadedUnit> KernelLoader::from_disk(const CompileUnit& unit) {
  const auto known = unit_cache_.take(unit);
  if (!known) return std::nullopt;
  try {
    return on_device(*known);
  } catch (const OutOfMemory&) {
    throw;
  } catch (const DeviceError&) {
    return std::nullopt;  // whole, and still not for this device: it is compiled again
  }
}

LoadedUnit KernelLoader::on_device(const CompiledUnit& compiled) {
  auto& module = modules_[compiled.binary];
  if (!module) module = device_.load(*compiled.binary);
  LoadedUnit loaded{module, {}};
  for (const auto& kernel : compiled.kernels) {
    loaded.kernels.push_back(module->kernel(kernel.symbol));
  }
  return loaded;
}

/// Many instantiations in one program cost little more than one. When the compiler refuses the
/// program, each unit is tried alone.
void KernelLoader::compile(std::span<const CompileUnit> units, Missing missing,
                           std::vector<std::optional<LoadResult>>& results) {
  const CompileUnit names = all_names(units, missing);
  auto result = platform_.compiler().compile({text_, names, platform_.arch_of(device_.identity())});
  if (const auto* failure = std::get_if<device::CompileFailure>(&result)) {
    if (missing.size() == 1) {
      results[missing.front()] = *failure;
      return;
    }
    for (std::size_t i = 0; i < missing.size(); ++i) {
      compile(units, missing.subspan(i, 1), results);
    }
    return;
  }
  auto& program = std::get<device::CompiledProgram>(result);
  const CompiledUnit whole{
      std::make_shared<const std::vector<std::byte>>(std::move(program.binary)),
      std::move(program.kernels), 0};
  for (const std::size_t i : missing) {
    const CompiledUnit part = part_of(names, whole, units[i]);
    results[i] = on_device(part);
    unit_cache_.put(units[i], part);
  }
}

}  // namespace redtune::runtime
