// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/own_kernel/kernel_buffers.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "redtune/error.hpp"
#include "runtime/planned_launch.hpp"
#include "tuner/own_kernel/buffer_fill.hpp"

namespace redtune::tuner {
namespace {

using kernels::Access;
using kernels::ArgumentKind;
using kernels::FillKind;
using kernels::KernelArgument;

bool is_random(const KernelArgument& argument) {
  return argument.is_memory() && argument.fill.kind == FillKind::uniform;
}

/// Kernels may change it, so that it is restored.
bool may_change(const KernelArgument& argument) {
  return argument.kind == ArgumentKind::buffer && argument.access != Access::in;
}

bool is_input(const KernelArgument& argument) {
  return argument.kind == ArgumentKind::buffer && !may_change(argument);
}

std::size_t bytes_of(const KernelArgument& argument, std::int64_t elements) {
  return static_cast<std::size_t>(elements) * argument.type.bytes();
}

}  // namespace

bool is_poisoned(const KernelArgument& argument) {
  return argument.fill.kind == FillKind::none;
}

KernelBuffers::KernelBuffers(device::Device& device, const KernelProblem& problem,
                             Caretaker* caretaker)
    : device_(device),
      description_(*problem.description),
      seed_(problem.seed),
      caretaker_(caretaker),
      inputs_(std::ranges::any_of(description_.arguments, is_random) ? 2 : 1),
      memory_(description_.arguments.size()) {}

const KernelBuffers::Contents& KernelBuffers::contents(std::size_t argument,
                                                       std::size_t input) const {
  return memory_[argument].inputs.at(is_random(description_.arguments[argument]) ? input : 0);
}

const GuardedOutput& KernelBuffers::place(std::size_t argument, std::size_t input) const {
  const Memory& memory = memory_[argument];
  return memory.place ? *memory.place : *contents(argument, input).place;
}

std::size_t KernelBuffers::bytes(const LoadedKernels& loaded, std::size_t argument) const {
  return bytes_of(description_.arguments[argument], loaded.plan.amounts[argument]);
}

std::size_t KernelBuffers::capacity_bytes(std::size_t argument) const {
  return bytes_of(description_.arguments[argument], memory_[argument].capacity);
}

const KernelBuffers::Bytes& KernelBuffers::initial(std::size_t argument, std::size_t input) const {
  return contents(argument, input).initial;
}

const void* KernelBuffers::address(std::size_t output) const {
  return memory_[output].place ? memory_[output].place->address() : nullptr;
}

void KernelBuffers::forget() {
  for (Memory& memory : memory_) memory = {};
  ++generation_;
}

void KernelBuffers::provide(const LoadedKernels& loaded, std::size_t input) {
  for (std::size_t i = 0; i < memory_.size(); ++i) {
    const KernelArgument& argument = description_.arguments[i];
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

void KernelBuffers::fill_in(std::size_t i, std::size_t input) {
  const KernelArgument& argument = description_.arguments[i];
  Memory& memory = memory_[i];
  if (memory.inputs.contains(input)) return;
  const std::size_t bytes = capacity_bytes(i);
  // What large ones leave of the memory is for the copies that are timed.
  constexpr std::size_t share_of_free = 8;
  if (input >= inputs_ && bytes > device_.free_memory() / share_of_free) {
    memory.inputs.erase(memory.inputs.lower_bound(inputs_), memory.inputs.end());
  }
  Contents& contents = memory.inputs[input];
  contents.initial =
      filled(argument.fill, argument.type, memory.capacity, seed_ * 1000003 + input * 1009 + i);
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

void KernelBuffers::restore(const LoadedKernels& loaded, std::size_t input, Poison poison) {
  provide(loaded, input);
  for (std::size_t i = 0; i < memory_.size(); ++i) {
    const KernelArgument& argument = description_.arguments[i];
    if (argument.kind == ArgumentKind::constant) write_constant(loaded, i, input);
    if (!may_change(argument)) continue;
    GuardedOutput& place = *memory_[i].place;
    place.poison();
    if (is_poisoned(argument)) {
      device_.fill(place.address(), poison.byte, bytes(loaded, i));
    } else {
      device_.copy_within(place.address(), contents(i, input).pristine.data(), bytes(loaded, i));
    }
  }
}

void KernelBuffers::write_constant(const LoadedKernels& loaded, std::size_t i, std::size_t input) {
  const KernelArgument& argument = description_.arguments[i];
  const std::size_t bytes = this->bytes(loaded, i);
  const device::Variable variable = loaded.module->variable(argument.name);
  if (variable.bytes != bytes) {
    throw UsageError(
        fmt::format("{}: the variable {} has {} bytes in the kernel's text, and its {} "
                    "elements of {} have {}; write its extent as in the text",
                    description_.text_file, argument.name, variable.bytes, loaded.plan.amounts[i],
                    to_string(argument.type), bytes));
  }
  device_.copy_to_device(variable.data, contents(i, input).initial.data(), bytes);
}

device::Launch KernelBuffers::launch(const kernels::PlannedLaunch& planned,
                                     const device::Kernel& kernel, const LoadedKernels& loaded,
                                     ReadFrom from) const {
  device::Launch launch = runtime::launch_of(planned, kernel);
  const InputLayout layout = from.copy == nullptr ? InputLayout{} : input_layout();
  const auto* const copy = static_cast<const std::byte*>(from.copy);
  for (const std::size_t number : planned.arguments) {
    const KernelArgument& argument = description_.arguments[number];
    if (argument.kind != ArgumentKind::buffer) {
      launch.arguments.append(runtime::scalar_bits(argument, loaded.plan.amounts[number]));
    } else if (is_input(argument) && copy != nullptr) {
      launch.arguments.append(static_cast<const void*>(copy + layout.offsets[number]));
    } else {
      launch.arguments.append(place(number, from.input).address());
    }
  }
  return launch;
}

std::vector<device::Launch> KernelBuffers::launches(const LoadedKernels& loaded,
                                                    ReadFrom from) const {
  std::vector<device::Launch> all;
  for (std::size_t i = 0; i < loaded.launches.size(); ++i) {
    all.push_back(launch(loaded.plan.launches[i], loaded.launches[i], loaded, from));
  }
  return all;
}

std::vector<device::Launch> KernelBuffers::restorations() const {
  std::vector<device::Launch> all;
  for (std::size_t i = 0; i < memory_.size(); ++i) {
    const KernelArgument& argument = description_.arguments[i];
    if (!may_change(argument) || is_poisoned(argument) || capacity_bytes(i) == 0) continue;
    all.push_back(caretaker_->restoring(memory_[i].place->address(), contents(i, 0).pristine.data(),
                                        capacity_bytes(i)));
  }
  return all;
}

InputLayout KernelBuffers::input_layout() const {
  constexpr std::size_t alignment = 256;
  InputLayout layout;
  for (std::size_t i = 0; i < memory_.size(); ++i) {
    layout.offsets.push_back(layout.bytes);
    if (!is_input(description_.arguments[i])) continue;
    layout.bytes += (capacity_bytes(i) + alignment - 1) / alignment * alignment;
  }
  return layout;
}

void KernelBuffers::write_inputs(std::span<std::byte* const> copies) const {
  const InputLayout layout = input_layout();
  for (std::size_t i = 0; i < memory_.size(); ++i) {
    if (!is_input(description_.arguments[i])) continue;
    for (std::byte* const copy : copies) {
      device_.copy_within(copy + layout.offsets[i], place(i, 0).address(), capacity_bytes(i));
    }
  }
}

std::string KernelBuffers::why_input_changed(std::size_t i, std::size_t input) const {
  const KernelArgument& argument = description_.arguments[i];
  const Contents& contents = this->contents(i, input);
  bool is_kept = true;
  if (contents.checksum) {
    is_kept =
        caretaker_->checksum(contents.place->address(), capacity_bytes(i)) == *contents.checksum;
  } else if (!is_poisoned(argument)) {
    Bytes now(capacity_bytes(i));
    contents.place->read_part(0, 0, now);
    is_kept = now == contents.initial;
  }
  return is_kept ? ""
                 : fmt::format("{}: the kernel changed it, and it is no output", argument.name);
}

std::string KernelBuffers::why_touched(const LoadedKernels& loaded, std::size_t input) const {
  for (std::size_t i = 0; i < memory_.size(); ++i) {
    const KernelArgument& argument = description_.arguments[i];
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

KernelBuffers::Bytes KernelBuffers::result(const LoadedKernels& loaded, std::size_t output) const {
  Bytes bytes(this->bytes(loaded, output));
  memory_[output].place->read_part(0, 0, bytes);
  return bytes;
}

}  // namespace redtune::tuner
