// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "runtime/kernel_core.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "device/compiler.hpp"
#include "redtune/error.hpp"
#include "redtune/suggest.hpp"
#include "runtime/adopt_kernel.hpp"
#include "runtime/load_config.hpp"
#include "runtime/planned_launch.hpp"
#include "runtime/resolve.hpp"

namespace redtune::detail {

KernelCore::KernelCore(const std::string& file, const KernelOptions& options)
    : lookup_(runtime::completed(options.lookup)),
      cache_mode_(options.cache_mode),
      selection_(runtime::registry().select(options.device)),
      device_(device::open(selection_)),
      family_(&runtime::adopt_kernel(file, selection_.platform->name(), device_->limits())),
      arguments_(description()) {
  runtime::require_few_arguments(description());
  if (description().sizes.size() > Sizes::capacity) {
    throw UsageError(fmt::format("{}: {} has {} sizes; redtune launches kernels of {} at most",
                                 description().text_file, description().name,
                                 description().sizes.size(), Sizes::capacity));
  }
  for (const kernels::KernelArgument& argument : description().arguments) {
    if (argument.kind != kernels::ArgumentKind::constant) continue;
    constants_.push_back({argument.name, {}});
  }
  missing_constants_ = constants_.size();
}

std::vector<std::string> KernelCore::size_names() const {
  std::vector<std::string> names;
  for (const kernels::NamedSize& size : description().sizes) names.push_back(size.name);
  return names;
}

std::string KernelCore::names_of_sizes() const {
  std::vector<std::string_view> names;
  for (const kernels::NamedSize& size : description().sizes) names.push_back(size.name);
  return names.empty() ? "none" : join(names);
}

KernelCore::Values KernelCore::in_order(const Sizes& sizes, std::span<std::int64_t> values) const {
  const std::size_t expected = description().sizes.size();
  if (sizes.values().size() != expected) {
    const std::size_t given = sizes.values().size();
    throw UsageError(fmt::format("{} takes {} size{}: {}; {} {} given", description().name,
                                 expected, expected == 1 ? "" : "s", names_of_sizes(), given,
                                 given == 1 ? "was" : "were"));
  }
  return sizes.is_named() ? in_order_of_names(sizes, values) : sizes.values();
}

/// As many are given as there are, so that one is missing where another is unknown, or there twice.
KernelCore::Values KernelCore::in_order_of_names(const Sizes& sizes,
                                                 std::span<std::int64_t> values) const {
  const std::size_t count = sizes.values().size();
  for (std::size_t i = 0; i < count; ++i) {
    const std::string& name = description().sizes[i].name;
    std::size_t at = 0;
    while (at < count && sizes.name(at) != name) ++at;
    if (at == count) {
      throw UsageError(fmt::format("{}: its size {} was not given; its sizes are {}",
                                   description().name, name, names_of_sizes()));
    }
    values[i] = sizes.values()[at];
  }
  return values.first(count);
}

Answer KernelCore::default_for(const Problem& problem, std::string explanation) const {
  return {.problem = problem,
          .family = std::string(family_->name()),
          .settings = family_->default_settings(problem, device_->limits()),
          .explanation = std::move(explanation)};
}

std::string KernelCore::why_cannot_run(const Settings& settings, const Problem& problem) const {
  std::string why = family_->why_invalid(settings, problem, device_->limits());
  if (!why.empty()) return why;
  try {
    (void)family_->plan(settings, problem);
    return {};
  } catch (const UsageError& error) {
    return error.what();
  }
}

/// The values that a file gives to tunables may have changed since others of this process read it,
/// and those are asked by resolve_in().
Answer KernelCore::look_up(const Problem& problem) const {
  Answer answer = runtime::resolve_in(runtime::layers_of(lookup_), problem,
                                      {device_->identity(), device_->limits()},
                                      {.cache_file = lookup_.cache_file})
                      .answer;
  if (answer.match == Match::fallback) return default_for(problem, std::move(answer.explanation));
  const std::string why = why_cannot_run(answer.settings, problem);
  if (why.empty()) return answer;
  return default_for(problem, fmt::format("the stored configuration cannot run here: {}", why));
}

void KernelCore::require_match(const Answer& answer) const {
  runtime::require_match(answer, lookup_);
}

Answer KernelCore::answer(Values sizes) const {
  if (const runtime::PreparedSizes* known = table_.find(sizes)) return known->answer;
  return look_up(family_->problem({sizes.begin(), sizes.end()}, cache_mode_));
}

std::int64_t KernelCore::elements(Values sizes, std::string_view buffer) {
  const auto& all = description().arguments;
  const auto found = std::ranges::find(all, buffer, &kernels::KernelArgument::name);
  if (found == all.end() || !found->is_memory()) {
    std::vector<std::string_view> names;
    for (const kernels::KernelArgument& argument : all) {
      if (argument.is_memory()) names.push_back(argument.name);
    }
    throw UsageError(fmt::format("{} has no buffer '{}'{}; known: {}", description().name, buffer,
                                 suggest(buffer, names), names.empty() ? "none" : join(names)));
  }
  return prepared(sizes).amounts[static_cast<std::size_t>(found - all.begin())];
}

const runtime::PreparedSizes& KernelCore::prepared(Values sizes) {
  if (const runtime::PreparedSizes* known = table_.find(sizes)) return *known;
  const std::scoped_lock lock(preparing_);
  if (const runtime::PreparedSizes* known = table_.find(sizes)) return *known;
  return table_.add(found(sizes));
}

std::unique_ptr<const runtime::PreparedSizes> KernelCore::found(Values sizes) {
  auto prepared = std::make_unique<runtime::PreparedSizes>();
  prepared->sizes.assign(sizes.begin(), sizes.end());
  const Problem problem = family_->problem(prepared->sizes, cache_mode_);
  Answer& answer = prepared->answer;
  answer = look_up(problem);
  require_match(answer);
  const runtime::LoadedUnit* unit = nullptr;
  kernels::KernelPlan plan;
  if (answer.match != Match::fallback) {
    plan = family_->plan(answer.settings, problem);
    const Loaded& stored = loaded_stored(answer, kernels_of(plan, kernels::WithReferences::no));
    if (stored.unit) {
      unit = &*stored.unit;
    } else {
      answer = default_for(problem, stored.why_not);
      require_match(answer);
    }
  }
  if (unit == nullptr) {
    const std::string why = why_cannot_run(answer.settings, problem);
    if (!why.empty()) {
      throw UsageError(fmt::format("{}: the default of {} cannot run: {}", description().text_file,
                                   describe(problem), why));
    }
    plan = family_->plan(answer.settings, problem);
    unit = &loaded_default(answer, kernels_of(plan, kernels::WithReferences::no));
  }
  prepared->launches = launches_of(plan, *unit);
  prepared->amounts = std::move(plan.amounts);
  return prepared;
}

std::vector<runtime::PreparedLaunch> KernelCore::launches_of(
    const kernels::KernelPlan& plan, const runtime::LoadedUnit& unit) const {
  std::vector<runtime::PreparedLaunch> launches;
  for (std::size_t i = 0; i < plan.launches.size(); ++i) {
    runtime::allow_shared(*unit.module, unit.kernels[i], plan.launches[i]);
    runtime::PreparedLaunch& launch = launches.emplace_back(
        runtime::PreparedLaunch{runtime::launch_of(plan.launches[i], unit.kernels[i]), {}});
    for (const std::size_t number : plan.launches[i].arguments) {
      const auto given = arguments_.number_of(number);
      launch.arguments.push_back(given
                                     ? runtime::ArgumentSource{*given}
                                     : runtime::ArgumentSource{.bits = runtime::scalar_bits(
                                                                   description().arguments[number],
                                                                   plan.amounts[number])});
    }
  }
  return launches;
}

const KernelCore::Loaded* KernelCore::find_loaded(const Settings& settings,
                                                  const std::vector<std::string>& names) const {
  const auto found = std::ranges::find_if(
      loaded_, [&](const auto& one) { return one->settings == settings && one->names == names; });
  return found == loaded_.end() ? nullptr : found->get();
}

/// With what constants have been set to.
runtime::LoadResult KernelCore::load(const Answer& answer, const std::vector<std::string>& names) {
  runtime::KernelLoader loader(
      *selection_.platform, *device_,
      family_->config_text(answer.settings) + family_->device_text(answer.problem));
  runtime::LoadResult result = std::move(loader.load({&names, 1}).front());
  const auto* unit = std::get_if<runtime::LoadedUnit>(&result);
  for (const Constant& constant : constants_) {
    if (unit == nullptr || !constant.bytes) continue;
    const device::Variable variable = variable_of(*unit, constant, constant.bytes->size());
    device_->copy_to_device(variable.data, constant.bytes->data(), constant.bytes->size());
  }
  return result;
}

/// A stored config that cannot be had here is as good as none; what makes the device useless is
/// another matter.
const KernelCore::Loaded& KernelCore::loaded_stored(const Answer& answer,
                                                    const std::vector<std::string>& names) {
  if (const Loaded* known = find_loaded(answer.settings, names)) return *known;
  auto loaded = std::make_unique<Loaded>(Loaded{answer.settings, names, {}, {}});
  try {
    runtime::LoadResult result = load(answer, names);
    if (auto* unit = std::get_if<runtime::LoadedUnit>(&result)) {
      loaded->unit = std::move(*unit);
    } else {
      const auto& failure = std::get<device::CompileFailure>(result);
      loaded->why_not = fmt::format("the stored configuration does not compile here: {}",
                                    device::first_line(failure.log));
    }
  } catch (const OutOfMemory&) {
    throw;
  } catch (const DeviceLost&) {
    throw;
  } catch (const DeviceError& error) {
    loaded->why_not = fmt::format("the stored configuration cannot be loaded here: {}",
                                  device::first_line(error.what()));
  }
  return *loaded_.emplace_back(std::move(loaded));
}

const runtime::LoadedUnit& KernelCore::loaded_default(const Answer& answer,
                                                      const std::vector<std::string>& names) {
  const Loaded* known = find_loaded(answer.settings, names);
  if (known != nullptr && known->unit) return *known->unit;
  runtime::LoadResult result = load(answer, names);
  if (const auto* failure = std::get_if<device::CompileFailure>(&result)) {
    runtime::throw_failure(answer.problem, *failure);
  }
  auto loaded = std::make_unique<Loaded>(
      Loaded{answer.settings, names, std::get<runtime::LoadedUnit>(std::move(result)), {}});
  return *loaded_.emplace_back(std::move(loaded))->unit;
}

device::Variable KernelCore::variable_of(const runtime::LoadedUnit& unit, const Constant& constant,
                                         std::size_t bytes) const {
  const device::Variable variable = unit.module->variable(constant.name);
  if (variable.bytes == bytes) return variable;
  throw UsageError(
      fmt::format("{}: the variable {} has {} bytes in the kernel's text; {} were given",
                  description().name, constant.name, variable.bytes, bytes));
}

void KernelCore::set_constant(std::string_view name, const void* data, std::size_t bytes) {
  const std::scoped_lock lock(preparing_);
  const auto constant = std::ranges::find(constants_, name, &Constant::name);
  if (constant == constants_.end()) {
    std::vector<std::string_view> names;
    for (const Constant& one : constants_) names.push_back(one.name);
    throw UsageError(fmt::format("{} has no variable '{}' in constant memory{}; known: {}",
                                 description().name, name, suggest(name, names),
                                 names.empty() ? "none" : join(names)));
  }
  if (data == nullptr) {
    throw UsageError(fmt::format("{}: what {} is to be set to is a null pointer",
                                 description().name, constant->name));
  }
  std::vector<device::Variable> variables;
  for (const auto& loaded : loaded_) {
    if (loaded->unit) variables.push_back(variable_of(*loaded->unit, *constant, bytes));
  }
  const auto* const first = static_cast<const std::byte*>(data);
  const bool was_missing = !constant->bytes;
  constant->bytes.emplace(first, first + bytes);
  for (const device::Variable& variable : variables) {
    device_->copy_to_device(variable.data, data, bytes);
  }
  if (was_missing) --missing_constants_;
}

void KernelCore::require_constants() {
  const std::scoped_lock lock(preparing_);
  for (const Constant& constant : constants_) {
    if (constant.bytes) continue;
    throw UsageError(
        fmt::format("{}: nothing is known of the variable {} in constant memory; set it before the "
                    "first launch",
                    description().name, constant.name));
  }
}

void KernelCore::launch(Values sizes, const std::uint64_t* slots, Stream stream) {
  if (missing_constants_.load(std::memory_order_acquire) > 0) require_constants();
  const runtime::PreparedSizes* known = table_.find(sizes);
  if (known == nullptr) known = &prepared(sizes);
  for (const runtime::PreparedLaunch& one : known->launches) {
    device::Launch launch = one.launch;
    launch.arguments.assign(one.arguments.size(), [&](std::size_t i) {
      const runtime::ArgumentSource& source = one.arguments[i];
      return source.given == runtime::ArgumentSource::none ? source.bits : slots[source.given];
    });
    device_->launch({&launch, 1}, {stream.handle()});
  }
}

}  // namespace redtune::detail
