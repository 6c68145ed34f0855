// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/own_kernel/kernel_job.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

#include "redtune/error.hpp"
#include "tuner/own_kernel/buffer_fill.hpp"

namespace redtune::tuner {
namespace {

using kernels::Access;
using kernels::ArgumentKind;
using kernels::Authority;
using kernels::FillKind;
using kernels::KernelArgument;

/// Two bytes that outputs are full of before executions: what is there after both was not written.
constexpr Poison usual_poison{std::byte{0xa5}};
constexpr Poison other_poison{std::byte{0x5a}};

bool is_random(const KernelArgument& argument) {
  return argument.is_memory() && argument.fill.kind == FillKind::uniform;
}

/// Kernels may change it, so that it is restored.
bool may_change(const KernelArgument& argument) {
  return argument.kind == ArgumentKind::buffer && argument.access != Access::in;
}

/// Nothing of the problem is in it before an execution.
bool is_poisoned(const KernelArgument& argument) {
  return argument.fill.kind == FillKind::none;
}

std::size_t bytes_of(const KernelArgument& argument, std::int64_t elements) {
  return static_cast<std::size_t>(elements) * argument.type.bytes();
}

}  // namespace

runtime::CompileUnit unit_of(const kernels::KernelPlan& plan, WithReferences references) {
  runtime::CompileUnit unit;
  for (const auto& launch : plan.launches) unit.push_back(launch.kernel);
  if (references == WithReferences::yes) {
    for (const auto& launch : plan.references) unit.push_back(launch.kernel);
  }
  return unit;
}

KernelJob::KernelJob(device::Device& device, KernelProblem problem)
    : device_(device),
      problem_(std::move(problem)),
      inputs_(std::ranges::any_of(description().arguments, is_random) ? 2 : 1),
      memory_(description().arguments.size()),
      expected_(inputs_) {
  std::size_t called = 0;
  for (const KernelArgument& argument : description().arguments) {
    if (argument.kind != ArgumentKind::constant) ++called;
  }
  if (called > device::Arguments::capacity) {
    throw UsageError(fmt::format(
        "{}: {} has {} arguments; redtune launches kernels of {} at most: hand over several "
        "numbers in one buffer",
        description().text_file, description().name, called, device::Arguments::capacity));
  }
}

kernels::KernelPlan KernelJob::plan(const search::Point& config) const {
  return kernels::plan_kernel(description(), config, problem_.sizes, device_.limits());
}

LoadedKernels KernelJob::load(const search::Point& config, const runtime::CompiledUnit& unit,
                              WithReferences references) const {
  LoadedKernels loaded{config, plan(config), device_.load(*unit.binary), {}, {}};
  for (std::size_t i = 0; i < unit.kernels.size(); ++i) {
    auto& into = i < loaded.plan.launches.size() ? loaded.launches : loaded.references;
    into.push_back(loaded.module->kernel(unit.kernels[i].symbol));
  }
  const std::size_t wanted =
      references == WithReferences::yes ? loaded.plan.references.size() : std::size_t{0};
  if (loaded.references.size() != wanted) throw Error("a kernel of the config was not compiled");
  return loaded;
}

void KernelJob::provide(const LoadedKernels& loaded, std::size_t input) {
  for (std::size_t i = 0; i < memory_.size(); ++i) {
    const KernelArgument& argument = description().arguments[i];
    Memory& memory = memory_[i];
    const std::int64_t elements = loaded.plan.amounts[i];
    if (!argument.is_memory()) continue;
    const std::size_t bytes = bytes_of(argument, elements);
    const bool is_new = memory.elements != elements;
    if (is_new && argument.kind == ArgumentKind::buffer) {
      memory.place.reset();
      memory.pristine = {};
      memory.place = std::make_unique<GuardedOutput>(device_, bytes);
      if (may_change(argument) && !is_poisoned(argument)) {
        memory.pristine = device_.allocate(bytes);
      }
    }
    if (!is_new && memory.input == input) continue;
    if (is_new || is_random(argument)) {
      memory.initial = filled(argument.fill, argument.type, elements,
                              problem_.seed * 1000003 + input * 1009 + i);
    }
    memory.elements = elements;
    memory.input = input;
    if (argument.kind != ArgumentKind::buffer) continue;
    memory.place->poison();
    if (is_poisoned(argument)) continue;
    device_.copy_to_device(memory.place->address(), memory.initial.data(), bytes);
    if (memory.pristine.data() != nullptr) {
      device_.copy_to_device(memory.pristine.data(), memory.initial.data(), bytes);
    }
  }
}

void KernelJob::restore_all(const LoadedKernels& loaded, std::size_t input, Poison poison) {
  provide(loaded, input);
  for (std::size_t i = 0; i < memory_.size(); ++i) {
    const KernelArgument& argument = description().arguments[i];
    const Memory& memory = memory_[i];
    const std::size_t bytes = argument.is_memory() ? bytes_of(argument, memory.elements) : 0;
    if (argument.kind == ArgumentKind::constant) {
      const device::Variable variable = loaded.module->variable(argument.name);
      if (variable.bytes != bytes) {
        throw UsageError(
            fmt::format("{}: the variable {} has {} bytes in the kernel's text, and its {} "
                        "elements of {} have {}; write its extent as in the text",
                        description().text_file, argument.name, variable.bytes, memory.elements,
                        to_string(argument.type), bytes));
      }
      device_.copy_to_device(variable.data, memory.initial.data(), bytes);
    } else if (may_change(argument) && is_poisoned(argument)) {
      device_.fill(memory.place->address(), poison.byte, bytes);
    } else if (may_change(argument)) {
      device_.copy_within(memory.place->address(), memory.pristine.data(), bytes);
    }
  }
}

void KernelJob::restore(const LoadedKernels& loaded) {
  restore_all(loaded, 0, usual_poison);
}

device::Launch KernelJob::launch_of(const kernels::PlannedLaunch& planned,
                                    const device::Kernel& kernel,
                                    const kernels::KernelPlan& plan) const {
  const auto narrow = [](std::int64_t number) { return static_cast<int>(number); };
  device::Launch launch{
      .kernel = kernel,
      .grid = planned.grid[0],
      .block = narrow(planned.block[0]),
      .arguments = {},
      .depth = {narrow(planned.grid[1]), narrow(planned.grid[2]), narrow(planned.block[1]),
                narrow(planned.block[2]), narrow(planned.shared_bytes)}};
  for (const std::size_t number : planned.arguments) {
    const KernelArgument& argument = description().arguments[number];
    if (argument.kind == ArgumentKind::buffer) {
      launch.arguments.append(memory_[number].place->address());
    } else {
      launch.arguments.append(scalar_bits(argument, plan.amounts[number]));
    }
  }
  return launch;
}

std::vector<device::Launch> KernelJob::launches(const LoadedKernels& loaded) const {
  std::vector<device::Launch> all;
  for (std::size_t i = 0; i < loaded.launches.size(); ++i) {
    all.push_back(launch_of(loaded.plan.launches[i], loaded.launches[i], loaded.plan));
  }
  return all;
}

std::string KernelJob::why_touched(std::size_t number) {
  const KernelArgument& argument = description().arguments[number];
  const Memory& memory = memory_[number];
  const std::size_t bytes = bytes_of(argument, memory.elements);
  memory.place->fetch();
  const std::string beside = memory.place->why_beside(0, bytes);
  if (!beside.empty()) {
    const bool is_before = beside.find("before") != std::string::npos;
    return fmt::format("{}: the kernel wrote {} its {} elements", argument.name,
                       is_before ? "before" : "past", memory.elements);
  }
  const bool is_kept = argument.access != Access::in ||
                       std::memcmp(memory.place->value(), memory.initial.data(), bytes) == 0;
  return is_kept ? ""
                 : fmt::format("{}: the kernel changed it, and it is no output", argument.name);
}

KernelJob::Execution KernelJob::execute(const LoadedKernels& loaded, std::size_t input,
                                        Poison poison,
                                        const std::vector<device::Launch>& launches) {
  restore_all(loaded, input, poison);
  device_.launch(launches, {});
  device_.synchronize({});
  Execution execution;
  for (std::size_t i = 0; i < memory_.size(); ++i) {
    const KernelArgument& argument = description().arguments[i];
    if (argument.kind != ArgumentKind::buffer) continue;
    std::string why = why_touched(i);
    if (!why.empty() && execution.why_wrong.empty()) execution.why_wrong = std::move(why);
    if (!argument.is_output()) continue;
    const auto* const value = static_cast<const std::byte*>(memory_[i].place->value());
    execution.results[i].assign(value, value + bytes_of(argument, memory_[i].elements));
    if (execution.results[i] != memory_[i].initial) execution.changed.insert(i);
  }
  // What was changed, and is no output, would be there in the next execution.
  if (!execution.why_wrong.empty()) {
    for (Memory& memory : memory_) memory.elements = -1;
  }
  return execution;
}

std::string KernelJob::why_different(const Results& expected, const Results& got,
                                     Poison poison) const {
  for (const kernels::OutputCheck& check : description().checks) {
    const KernelArgument& argument = description().arguments[check.output];
    const std::string why = why_elements_differ(
        argument.type, check.tolerance, expected.at(check.output), got.at(check.output), poison);
    if (!why.empty()) return fmt::format("{}: {}", argument.name, why);
  }
  return {};
}

std::string KernelJob::why_not_written(const Execution& one, const Execution& other) const {
  for (const kernels::OutputCheck& check : description().checks) {
    const KernelArgument& argument = description().arguments[check.output];
    if (!is_poisoned(argument)) continue;
    const Bytes& bytes = one.results.at(check.output);
    const std::size_t elements = bytes.size() / argument.type.bytes();
    const std::size_t first = first_unwritten(argument.type, bytes, usual_poison,
                                              other.results.at(check.output), other_poison);
    if (first == elements) continue;
    const std::string what =
        first == 0 ? "nothing is written to its first element"
                   : fmt::format("nothing is written to element {} of {}", first, elements);
    return fmt::format(
        "{0}: {1}; is the grid large enough? Where it is meant, say inout and what "
        "is in {0} at first",
        argument.name, what);
  }
  return {};
}

std::string KernelJob::why_unchanged(const std::vector<Execution>& executions) const {
  for (const kernels::OutputCheck& check : description().checks) {
    const KernelArgument& argument = description().arguments[check.output];
    if (is_poisoned(argument) || memory_[check.output].elements == 0) continue;
    const auto changes_it = [&](const Execution& one) {
      return one.changed.contains(check.output);
    };
    if (std::ranges::any_of(executions, changes_it)) continue;
    return fmt::format(
        "{}: nothing in it is changed, so that a kernel which does nothing would be "
        "right; choose another fill",
        argument.name);
  }
  return {};
}

std::string KernelJob::with_input(const std::string& why, std::size_t input) const {
  if (why.empty() || inputs_ == 1) return why;
  return fmt::format("{} (on the {} input)", why, input == 0 ? "first" : "second");
}

std::string KernelJob::learn_references(const LoadedKernels& loaded, std::size_t input,
                                        Results& expected) {
  for (const kernels::OutputCheck& check : description().checks) {
    const KernelArgument& argument = description().arguments[check.output];
    // What files expect, they expect of the first input.
    if (check.authority == Authority::default_config) continue;
    if (check.authority == Authority::file && input > 0) continue;
    Bytes told;
    if (check.authority == Authority::file) {
      told = elements_of_file(check.path, argument.type, memory_[check.output].elements);
    } else {
      const Execution reference =
          execute(loaded, input, usual_poison,
                  {launch_of(loaded.plan.references[check.reference],
                             loaded.references[check.reference], loaded.plan)});
      if (!reference.why_wrong.empty()) {
        return fmt::format("{}: {}", loaded.plan.references[check.reference].kernel,
                           reference.why_wrong);
      }
      told = reference.results.at(check.output);
    }
    const std::string why = why_elements_differ(argument.type, check.tolerance, told,
                                                expected.at(check.output), usual_poison);
    if (!why.empty()) return fmt::format("{}: {}", argument.name, why);
    expected.at(check.output) = std::move(told);
  }
  return {};
}

std::string KernelJob::why_no_default(const LoadedKernels& loaded) {
  std::vector<Execution> executions;
  for (std::size_t input = 0; input < inputs_; ++input) {
    provide(loaded, input);
    const std::vector<device::Launch> all = launches(loaded);
    Execution first = execute(loaded, input, usual_poison, all);
    if (!first.why_wrong.empty()) return with_input(first.why_wrong, input);
    const Execution again = execute(loaded, input, other_poison, all);
    std::string why = again.why_wrong;
    if (why.empty()) why = why_not_written(first, again);
    if (why.empty()) {
      why = why_different(first.results, again.results, other_poison);
      if (!why.empty()) why += ", when it ran again";
    }
    expected_[input] = first.results;
    if (why.empty()) why = learn_references(loaded, input, expected_[input]);
    if (!why.empty()) return with_input(why, input);
    executions.push_back(std::move(first));
  }
  return why_unchanged(executions);
}

std::string KernelJob::why_wrong(const LoadedKernels& loaded) {
  struct Turn {
    std::size_t input;
    Poison poison;
    const char* note;
  };
  std::vector<Turn> turns{{0, usual_poison, ""}, {0, other_poison, ", when it ran again"}};
  for (std::size_t input = 1; input < inputs_; ++input) turns.push_back({input, usual_poison, ""});
  for (const Turn& turn : turns) {
    provide(loaded, turn.input);
    const Execution execution = execute(loaded, turn.input, turn.poison, launches(loaded));
    std::string why = execution.why_wrong;
    if (why.empty()) why = why_different(expected_[turn.input], execution.results, turn.poison);
    if (!why.empty()) return with_input(why + turn.note, turn.input);
  }
  return {};
}

}  // namespace redtune::tuner
