// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/own_kernel/kernel_job.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "redtune/error.hpp"
#include "runtime/planned_launch.hpp"
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

bool is_input(const KernelArgument& argument) {
  return argument.kind == ArgumentKind::buffer && !may_change(argument);
}

}  // namespace

KernelJob::KernelJob(device::Device& device, KernelProblem problem, Caretaker* caretaker)
    : device_(device),
      problem_(std::move(problem)),
      caretaker_(caretaker),
      inputs_(std::ranges::any_of(description().arguments, is_random) ? 2 : 1),
      memory_(description().arguments.size()),
      expected_(inputs_) {
  runtime::require_few_arguments(description());
}

kernels::KernelPlan KernelJob::plan(const search::Point& config) const {
  return kernels::plan_kernel(description(), config, problem_.sizes, device_.limits());
}

LoadedKernels KernelJob::load(const search::Point& config, const runtime::CompiledUnit& unit,
                              WithReferences references) const {
  return load(config, unit, device_.load(*unit.binary), references);
}

LoadedKernels KernelJob::load(const search::Point& config, const runtime::CompiledUnit& unit,
                              std::shared_ptr<const device::Module> module,
                              WithReferences references) const {
  LoadedKernels loaded{config, plan(config), std::move(module), {}, {}};
  for (std::size_t i = 0; i < unit.kernels.size(); ++i) {
    auto& into = i < loaded.plan.launches.size() ? loaded.launches : loaded.references;
    into.push_back(loaded.module->kernel(unit.kernels[i].symbol));
  }
  const std::size_t wanted =
      references == WithReferences::yes ? loaded.plan.references.size() : std::size_t{0};
  if (loaded.references.size() != wanted) throw Error("a kernel of the config was not compiled");
  return loaded;
}

const KernelJob::Contents& KernelJob::contents(std::size_t argument, std::size_t input) const {
  return memory_[argument].inputs.at(is_random(description().arguments[argument]) ? input : 0);
}

const GuardedOutput& KernelJob::place(std::size_t argument, std::size_t input) const {
  const Memory& memory = memory_[argument];
  return memory.place ? *memory.place : *contents(argument, input).place;
}

/// Of a buffer as a config has it.
std::size_t KernelJob::bytes(const LoadedKernels& loaded, std::size_t argument) const {
  return bytes_of(description().arguments[argument], loaded.plan.amounts[argument]);
}

void KernelJob::forget_buffers() {
  for (Memory& memory : memory_) memory = {};
  ++generation_;
}

/// Makes room for a config, and for an input's contents.
void KernelJob::provide(const LoadedKernels& loaded, std::size_t input) {
  for (std::size_t i = 0; i < memory_.size(); ++i) {
    const KernelArgument& argument = description().arguments[i];
    Memory& memory = memory_[i];
    if (!argument.is_memory()) continue;
    const std::int64_t elements = loaded.plan.amounts[i];
    // A variable of the text is as large as the text has it.
    const bool fits = argument.kind == ArgumentKind::constant ? elements == memory.capacity
                                                              : elements <= memory.capacity;
    if (!fits) {
      memory = {};
      memory.capacity = elements;
      ++generation_;
      if (may_change(argument)) {
        memory.place = std::make_unique<GuardedOutput>(device_, bytes_of(argument, elements));
      }
    }
    fill_in(i, is_random(argument) ? input : 0);
  }
}

void KernelJob::fill_in(std::size_t i, std::size_t input) {
  const KernelArgument& argument = description().arguments[i];
  Memory& memory = memory_[i];
  if (memory.inputs.contains(input)) return;
  const std::size_t bytes = bytes_of(argument, memory.capacity);
  // What large ones leave of the memory is for the copies that are timed.
  constexpr std::size_t share_of_free = 8;
  if (input >= inputs_ && bytes > device_.free_memory() / share_of_free) {
    memory.inputs.erase(memory.inputs.lower_bound(inputs_), memory.inputs.end());
  }
  Contents& contents = memory.inputs[input];
  contents.initial = filled(argument.fill, argument.type, memory.capacity,
                            problem_.seed * 1000003 + input * 1009 + i);
  if (is_input(argument)) {
    contents.place = std::make_unique<GuardedOutput>(device_, bytes);
    contents.place->poison();
    if (is_poisoned(argument)) return;
    device_.copy_to_device(contents.place->address(), contents.initial.data(), bytes);
    if (caretaker_ == nullptr) return;
    contents.checksum = caretaker_->checksum(contents.place->address(), bytes);
  } else if (may_change(argument) && !is_poisoned(argument)) {
    contents.pristine = device_.allocate(bytes);
    device_.copy_to_device(contents.pristine.data(), contents.initial.data(), bytes);
  }
}

void KernelJob::restore_all(const LoadedKernels& loaded, std::size_t input, Poison poison) {
  provide(loaded, input);
  for (std::size_t i = 0; i < memory_.size(); ++i) {
    const KernelArgument& argument = description().arguments[i];
    Memory& memory = memory_[i];
    const std::size_t bytes = argument.is_memory() ? this->bytes(loaded, i) : 0;
    if (argument.kind == ArgumentKind::constant) {
      const device::Variable variable = loaded.module->variable(argument.name);
      if (variable.bytes != bytes) {
        throw UsageError(
            fmt::format("{}: the variable {} has {} bytes in the kernel's text, and its {} "
                        "elements of {} have {}; write its extent as in the text",
                        description().text_file, argument.name, variable.bytes,
                        loaded.plan.amounts[i], to_string(argument.type), bytes));
      }
      device_.copy_to_device(variable.data, contents(i, input).initial.data(), bytes);
    } else if (may_change(argument)) {
      memory.place->poison();
      if (is_poisoned(argument))
        device_.fill(memory.place->address(), poison.byte, bytes);
      else
        device_.copy_within(memory.place->address(), contents(i, input).pristine.data(), bytes);
    }
  }
}

void KernelJob::restore(const LoadedKernels& loaded) {
  restore_all(loaded, 0, usual_poison);
}

device::Launch KernelJob::launch_of(const kernels::PlannedLaunch& planned,
                                    const device::Kernel& kernel, const kernels::KernelPlan& plan,
                                    std::size_t input, const void* inputs) const {
  device::Launch launch = runtime::launch_of(planned, kernel);
  const InputLayout layout = inputs == nullptr ? InputLayout{} : input_layout();
  for (const std::size_t number : planned.arguments) {
    const KernelArgument& argument = description().arguments[number];
    if (argument.kind != ArgumentKind::buffer) {
      launch.arguments.append(runtime::scalar_bits(argument, plan.amounts[number]));
    } else if (is_input(argument) && inputs != nullptr) {
      launch.arguments.append(
          static_cast<const void*>(static_cast<const std::byte*>(inputs) + layout.offsets[number]));
    } else {
      launch.arguments.append(place(number, input).address());
    }
  }
  return launch;
}

std::vector<device::Launch> KernelJob::launches_on(const LoadedKernels& loaded,
                                                   std::size_t input) const {
  std::vector<device::Launch> all;
  for (std::size_t i = 0; i < loaded.launches.size(); ++i) {
    all.push_back(
        launch_of(loaded.plan.launches[i], loaded.launches[i], loaded.plan, input, nullptr));
  }
  return all;
}

std::vector<device::Launch> KernelJob::launches(const LoadedKernels& loaded,
                                                const void* inputs) const {
  std::vector<device::Launch> all;
  for (std::size_t i = 0; i < loaded.launches.size(); ++i) {
    all.push_back(launch_of(loaded.plan.launches[i], loaded.launches[i], loaded.plan, 0, inputs));
  }
  return all;
}

std::vector<device::Launch> KernelJob::restorations() const {
  std::vector<device::Launch> all;
  for (std::size_t i = 0; i < memory_.size(); ++i) {
    const KernelArgument& argument = description().arguments[i];
    const std::size_t bytes = argument.is_memory() ? bytes_of(argument, memory_[i].capacity) : 0;
    if (!may_change(argument) || is_poisoned(argument) || bytes == 0) continue;
    all.push_back(
        caretaker_->restoring(memory_[i].place->address(), contents(i, 0).pristine.data(), bytes));
  }
  return all;
}

InputLayout KernelJob::input_layout() const {
  constexpr std::size_t alignment = 256;
  InputLayout layout;
  for (std::size_t i = 0; i < memory_.size(); ++i) {
    const KernelArgument& argument = description().arguments[i];
    layout.offsets.push_back(layout.bytes);
    if (!is_input(argument)) continue;
    const std::size_t bytes = bytes_of(argument, memory_[i].capacity);
    layout.bytes += (bytes + alignment - 1) / alignment * alignment;
  }
  return layout;
}

void KernelJob::write_inputs(std::span<std::byte* const> copies) const {
  const InputLayout layout = input_layout();
  for (std::size_t i = 0; i < memory_.size(); ++i) {
    const KernelArgument& argument = description().arguments[i];
    if (!is_input(argument)) continue;
    for (std::byte* const copy : copies) {
      device_.copy_within(copy + layout.offsets[i], place(i, 0).address(),
                          bytes_of(argument, memory_[i].capacity));
    }
  }
}

const void* KernelJob::first_output() const {
  for (const kernels::OutputCheck& check : description().checks) {
    if (memory_[check.output].place) return memory_[check.output].place->address();
  }
  return nullptr;
}

std::string KernelJob::why_input_changed(std::size_t i, std::size_t input) const {
  const KernelArgument& argument = description().arguments[i];
  const std::size_t bytes = bytes_of(argument, memory_[i].capacity);
  const Contents& contents = this->contents(i, input);
  bool is_kept = true;
  if (contents.checksum) {
    is_kept = caretaker_->checksum(contents.place->address(), bytes) == *contents.checksum;
  } else if (!is_poisoned(argument)) {
    Bytes now(bytes);
    contents.place->read_part(0, 0, now);
    is_kept = now == contents.initial;
  }
  return is_kept ? ""
                 : fmt::format("{}: the kernel changed it, and it is no output", argument.name);
}

std::string KernelJob::why_touched(const LoadedKernels& loaded, std::size_t input) {
  for (std::size_t i = 0; i < memory_.size(); ++i) {
    const KernelArgument& argument = description().arguments[i];
    if (argument.kind != ArgumentKind::buffer) continue;
    const std::int64_t elements = is_input(argument) ? memory_[i].capacity : loaded.plan.amounts[i];
    const std::string beside = place(i, input).read_beside(bytes_of(argument, elements));
    if (!beside.empty()) {
      const bool is_before = beside.find("before") != std::string::npos;
      return fmt::format("{}: the kernel wrote {} its {} elements", argument.name,
                         is_before ? "before" : "past", elements);
    }
    const std::string why = is_input(argument) ? why_input_changed(i, input) : "";
    if (!why.empty()) return why;
  }
  return {};
}

std::string KernelJob::run(const LoadedKernels& loaded, std::size_t input, Poison poison,
                           const std::vector<device::Launch>& launches) {
  restore_all(loaded, input, poison);
  device_.launch(launches, {});
  device_.synchronize({});
  return why_touched(loaded, input);
}

KernelJob::Bytes KernelJob::result(const LoadedKernels& loaded, std::size_t output) const {
  Bytes bytes(this->bytes(loaded, output));
  memory_[output].place->read_part(0, 0, bytes);
  return bytes;
}

KernelJob::Results KernelJob::results(const LoadedKernels& loaded) const {
  Results results;
  for (const kernels::OutputCheck& check : description().checks) {
    results[check.output] = result(loaded, check.output);
  }
  return results;
}

void KernelJob::place_expected(Expected& expected, std::size_t output) {
  const Bytes& bytes = expected.results.at(output);
  constexpr std::size_t share_of_free = 8;
  expected.copies.erase(output);
  const bool has_room = bytes.size() <= device_.free_memory() / share_of_free;
  if (caretaker_ == nullptr || bytes.empty() || !has_room) return;
  device::Buffer& copy = expected.copies[output];
  copy = device_.allocate(bytes.size());
  device_.copy_to_device(copy.data(), bytes.data(), bytes.size());
}

std::string KernelJob::why_different(const LoadedKernels& loaded, const Expected& expected,
                                     Poison poison) {
  for (const kernels::OutputCheck& check : description().checks) {
    const std::size_t output = check.output;
    const KernelArgument& argument = description().arguments[output];
    const auto copy = expected.copies.find(output);
    const Bytes& wanted = expected.results.at(output);
    if (wanted.size() != bytes(loaded, output)) {
      return fmt::format(
          "{}: it has {} bytes, and the default's has {}: an output is as large for "
          "all configs",
          argument.name, bytes(loaded, output), wanted.size());
    }
    if (copy != expected.copies.end()) {
      const DType type = argument.type.dtype;
      const auto numbers = static_cast<std::int64_t>(wanted.size() / size_of(type));
      if (caretaker_->far_apart(type, memory_[output].place->address(), copy->second.data(),
                                numbers, check.tolerance) == 0) {
        continue;
      }
    }
    const std::string why =
        why_elements_differ(argument.type, check.tolerance, wanted, result(loaded, output), poison);
    if (!why.empty()) return fmt::format("{}: {}", argument.name, why);
  }
  return {};
}

std::string KernelJob::why_not_written(const Results& one, const Results& other) const {
  for (const kernels::OutputCheck& check : description().checks) {
    const KernelArgument& argument = description().arguments[check.output];
    if (!is_poisoned(argument)) continue;
    const Bytes& bytes = one.at(check.output);
    const std::size_t elements = bytes.size() / argument.type.bytes();
    const std::size_t first =
        first_unwritten(argument.type, bytes, usual_poison, other.at(check.output), other_poison);
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

std::string KernelJob::why_unchanged(const std::set<std::size_t>& changed) const {
  for (const kernels::OutputCheck& check : description().checks) {
    const KernelArgument& argument = description().arguments[check.output];
    if (is_poisoned(argument) || memory_[check.output].capacity == 0) continue;
    if (changed.contains(check.output)) continue;
    return fmt::format(
        "{}: nothing in it is changed, so that a kernel which does nothing would be "
        "right; choose another fill",
        argument.name);
  }
  return {};
}

std::string KernelJob::with_input(const std::string& why, std::size_t input) const {
  if (why.empty() || inputs_ == 1) return why;
  return fmt::format("{} (on {} input)", why,
                     input == 0   ? "the first"
                     : input == 1 ? "the second"
                                  : "another");
}

std::string KernelJob::learn_references(const LoadedKernels& loaded, std::size_t input,
                                        Expected& expected) {
  for (const kernels::OutputCheck& check : description().checks) {
    const KernelArgument& argument = description().arguments[check.output];
    // What files expect, they expect of the first input.
    if (check.authority == Authority::default_config) continue;
    if (check.authority == Authority::file && input > 0) continue;
    Bytes told;
    if (check.authority == Authority::file) {
      told = elements_of_file(check.path, argument.type, loaded.plan.amounts[check.output]);
    } else {
      const std::string why =
          run(loaded, input, usual_poison,
              {launch_of(loaded.plan.references[check.reference],
                         loaded.references[check.reference], loaded.plan, input, nullptr)});
      if (!why.empty()) {
        return fmt::format("{}: {}", loaded.plan.references[check.reference].kernel, why);
      }
      told = result(loaded, check.output);
    }
    const std::string why = why_elements_differ(argument.type, check.tolerance, told,
                                                expected.results.at(check.output), usual_poison);
    if (!why.empty()) return fmt::format("{}: {}", argument.name, why);
    expected.results.at(check.output) = std::move(told);
    place_expected(expected, check.output);
  }
  return {};
}

std::string KernelJob::why_no_default_on(const LoadedKernels& loaded, std::size_t input,
                                         std::set<std::size_t>& changed) {
  provide(loaded, input);
  const std::vector<device::Launch> all = launches_on(loaded, input);
  Expected& expected = expected_[input];
  expected = {};
  std::string why = run(loaded, input, usual_poison, all);
  if (!why.empty()) return why;
  expected.results = results(loaded);
  for (const auto& [output, bytes] : expected.results) {
    const std::size_t same = is_poisoned(description().arguments[output]) ? 0 : bytes.size();
    const Bytes& initial = contents(output, input).initial;
    if (!std::equal(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(same),
                    initial.begin())) {
      changed.insert(output);
    }
    place_expected(expected, output);
  }
  why = run(loaded, input, other_poison, all);
  if (why.empty()) why = why_not_written(expected.results, results(loaded));
  if (why.empty()) {
    why = why_different(loaded, expected, other_poison);
    if (!why.empty()) why += ", when it ran again";
  }
  return why.empty() ? learn_references(loaded, input, expected) : why;
}

std::string KernelJob::why_no_default(const LoadedKernels& loaded) {
  std::set<std::size_t> changed;
  for (std::size_t input = 0; input < inputs_; ++input) {
    const std::string why = why_no_default_on(loaded, input, changed);
    if (why.empty()) continue;
    forget_buffers();
    return with_input(why, input);
  }
  return why_unchanged(changed);
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
    std::string why = run(loaded, turn.input, turn.poison, launches_on(loaded, turn.input));
    // What was changed, and is no output, would be there in the next execution.
    if (!why.empty()) forget_buffers();
    if (why.empty()) why = why_different(loaded, expected_[turn.input], turn.poison);
    if (!why.empty()) return with_input(why + turn.note, turn.input);
  }
  return {};
}

/// What the default gives on an input that no search saw; empty, or what is wrong with it.
std::string KernelJob::learn_other(const LoadedKernels& the_default, std::size_t input) {
  if (of_others_.contains(input)) return {};
  provide(the_default, input);
  const std::string why = run(the_default, input, usual_poison, launches_on(the_default, input));
  if (!why.empty()) {
    forget_buffers();
    return fmt::format("the default went wrong: {}", why);
  }
  Expected& expected = of_others_[input];
  expected.results = results(the_default);
  for (const auto& [output, bytes] : expected.results) place_expected(expected, output);
  return {};
}

std::string KernelJob::why_wrong_on_others(const LoadedKernels& the_default,
                                           const LoadedKernels& loaded) {
  constexpr std::size_t others = 2;
  for (std::size_t other = 0; other < others; ++other) {
    if (inputs_ == 1) {
      std::string why = why_wrong(loaded);
      if (!why.empty()) return why;
      continue;
    }
    const std::size_t input = inputs_ + other;
    std::string why = learn_other(the_default, input);
    if (!why.empty()) return why;
    provide(loaded, input);
    why = run(loaded, input, other_poison, launches_on(loaded, input));
    if (!why.empty()) forget_buffers();
    if (why.empty()) why = why_different(loaded, of_others_.at(input), other_poison);
    if (!why.empty()) return with_input(why, input);
  }
  return {};
}

std::string KernelJob::why_wrong_now(const LoadedKernels& loaded) {
  std::string why = why_touched(loaded, 0);
  if (!why.empty()) forget_buffers();
  return why.empty() ? why_different(loaded, expected_[0], usual_poison) : why;
}

}  // namespace redtune::tuner
