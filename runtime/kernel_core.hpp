// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What stands behind a Kernel: the open device, the described family, the configs that are loaded,
// and the sizes that are prepared. Launches read; whoever prepares holds a lock.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "device/registry.hpp"
#include "kernel_templates/description/described_family.hpp"
#include "redtune/kernel.hpp"
#include "runtime/called_arguments.hpp"
#include "runtime/kernel_loader.hpp"
#include "runtime/prepared_sizes.hpp"

namespace redtune::detail {

class KernelCore {
 public:
  /// A value for each of the description's sizes, in its order.
  using Values = std::span<const std::int64_t>;

  KernelCore(const std::string& file, const KernelOptions& options);

  void prepare(Values sizes) { (void)prepared(sizes); }
  /// slots: of each argument, see slot_of().
  void launch(Values sizes, const std::uint64_t* slots, Stream stream);
  void set_constant(std::string_view name, const void* data, std::size_t bytes);
  [[nodiscard]] Answer answer(Values sizes) const;
  [[nodiscard]] std::int64_t elements(Values sizes, std::string_view buffer);

  /// Brings sizes into the order of the file; values: place for that. Throws UsageError.
  [[nodiscard]] Values in_order(const Sizes& sizes, std::span<std::int64_t> values) const;
  [[nodiscard]] const runtime::CalledArguments& arguments() const { return arguments_; }
  [[nodiscard]] std::vector<std::string> size_names() const;
  [[nodiscard]] device::Device& device() const { return *device_; }

 private:
  /// The kernels of a config: in a program of their own, where settings are macros, or with sizes
  /// in their names.
  struct Loaded {
    Settings settings;
    std::vector<std::string> names;
    std::optional<runtime::LoadedUnit> unit;
    std::string why_not;  // else
  };
  struct Constant {
    std::string name;
    std::optional<std::vector<std::byte>> bytes;  // nothing: not set yet
  };

  [[nodiscard]] const kernels::KernelDescription& description() const {
    return family_->description();
  }
  [[nodiscard]] Values in_order_of_names(const Sizes& sizes, std::span<std::int64_t> values) const;
  [[nodiscard]] std::string names_of_sizes() const;
  [[nodiscard]] const runtime::PreparedSizes& prepared(Values sizes);
  [[nodiscard]] std::unique_ptr<const runtime::PreparedSizes> found(Values sizes);
  [[nodiscard]] Answer look_up(const Problem& problem) const;
  [[nodiscard]] std::string why_cannot_run(const Settings& settings, const Problem& problem) const;
  [[nodiscard]] Answer default_for(const Problem& problem, std::string explanation) const;
  void require_match(const Answer& answer) const;
  [[nodiscard]] const Loaded& loaded_stored(const Answer& answer,
                                            const std::vector<std::string>& names);
  [[nodiscard]] const runtime::LoadedUnit& loaded_default(const Answer& answer,
                                                          const std::vector<std::string>& names);
  [[nodiscard]] const Loaded* find_loaded(const Settings& settings,
                                          const std::vector<std::string>& names) const;
  [[nodiscard]] runtime::LoadResult load(const Answer& answer,
                                         const std::vector<std::string>& names);
  [[nodiscard]] std::vector<runtime::PreparedLaunch> launches_of(
      const kernels::KernelPlan& plan, const runtime::LoadedUnit& unit) const;
  [[nodiscard]] device::Variable variable_of(const runtime::LoadedUnit& unit,
                                             const Constant& constant, std::size_t bytes) const;
  void require_constants();

  LookupOptions lookup_;
  CacheMode cache_mode_;
  device::Selection selection_;
  std::unique_ptr<device::Device> device_;
  const kernels::DescribedFamily* family_;
  runtime::CalledArguments arguments_;
  std::mutex preparing_;  // of all below but the table and the number, which launches read
  std::vector<std::unique_ptr<const Loaded>> loaded_;
  std::vector<Constant> constants_;
  std::atomic<std::size_t> missing_constants_ = 0;
  runtime::PreparedTable table_;
};

}  // namespace redtune::detail
