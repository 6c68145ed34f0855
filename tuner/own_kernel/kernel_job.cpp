// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/own_kernel/kernel_job.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "redtune/error.hpp"
#include "runtime/planned_launch.hpp"

namespace redtune::tuner {
using kernels::Authority;
using kernels::KernelArgument;

KernelJob::KernelJob(device::Device& device, KernelProblem problem, Caretaker* caretaker)
    : device_(device),
      problem_(std::move(problem)),
      caretaker_(caretaker),
      buffers_(device, problem_, caretaker),
      expected_(inputs()) {
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
  std::vector<kernels::PlannedLaunch> planned = loaded.plan.launches;
  if (references == WithReferences::yes) {
    planned.insert(planned.end(), loaded.plan.references.begin(), loaded.plan.references.end());
  }
  if (unit.kernels.size() != planned.size()) throw Error("a kernel of the config was not compiled");
  for (std::size_t i = 0; i < planned.size(); ++i) {
    const device::Kernel kernel = loaded.module->kernel(unit.kernels[i].symbol);
    runtime::allow_shared(*loaded.module, kernel, planned[i]);
    const bool is_reference = i >= loaded.plan.launches.size();
    (is_reference ? loaded.references : loaded.launches).push_back(kernel);
  }
  return loaded;
}

const void* KernelJob::first_output() const {
  for (const kernels::OutputCheck& check : description().checks) {
    if (const void* address = buffers_.address(check.output)) return address;
  }
  return nullptr;
}

std::string KernelJob::run(const LoadedKernels& loaded, std::size_t input, Poison poison,
                           const std::vector<device::Launch>& launches) {
  buffers_.restore(loaded, input, poison);
  device_.launch(launches, {});
  device_.synchronize({});
  return buffers_.why_touched(loaded, input);
}

KernelJob::Results KernelJob::results(const LoadedKernels& loaded) const {
  Results results;
  for (const kernels::OutputCheck& check : description().checks) {
    results[check.output] = buffers_.result(loaded, check.output);
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
    if (wanted.size() != buffers_.bytes(loaded, output)) {
      return fmt::format(
          "{}: it has {} bytes, and the default's has {}: an output is as large for "
          "all configs",
          argument.name, buffers_.bytes(loaded, output), wanted.size());
    }
    if (copy != expected.copies.end()) {
      const DType type = argument.type.dtype;
      const auto numbers = static_cast<std::int64_t>(wanted.size() / size_of(type));
      if (caretaker_->far_apart(type, buffers_.address(output), copy->second.data(), numbers,
                                check.tolerance) == 0) {
        continue;
      }
    }
    const std::string why = why_elements_differ(argument.type, check.tolerance, wanted,
                                                buffers_.result(loaded, output), poison);
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
    if (is_poisoned(argument) || buffers_.initial(check.output, 0).empty()) continue;
    if (changed.contains(check.output)) continue;
    return fmt::format(
        "{}: nothing in it is changed, so that a kernel which does nothing would be "
        "right; choose another fill",
        argument.name);
  }
  return {};
}

std::string KernelJob::with_input(const std::string& why, std::size_t input) const {
  if (why.empty() || inputs() == 1) return why;
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
              {buffers_.launch(loaded.plan.references[check.reference],
                               loaded.references[check.reference], loaded, {.input = input})});
      if (!why.empty()) {
        return fmt::format("{}: {}", loaded.plan.references[check.reference].kernel, why);
      }
      told = buffers_.result(loaded, check.output);
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
  buffers_.provide(loaded, input);
  const std::vector<device::Launch> all = buffers_.launches(loaded, {.input = input});
  Expected& expected = expected_[input];
  expected = {};
  std::string why = run(loaded, input, usual_poison, all);
  if (!why.empty()) return why;
  expected.results = results(loaded);
  for (const auto& [output, bytes] : expected.results) {
    const std::size_t same = is_poisoned(description().arguments[output]) ? 0 : bytes.size();
    const Bytes& initial = buffers_.initial(output, input);
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
  for (std::size_t input = 0; input < inputs(); ++input) {
    const std::string why = why_no_default_on(loaded, input, changed);
    if (why.empty()) continue;
    buffers_.forget();
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
  for (std::size_t input = 1; input < inputs(); ++input) turns.push_back({input, usual_poison, ""});
  for (const Turn& turn : turns) {
    buffers_.provide(loaded, turn.input);
    std::string why =
        run(loaded, turn.input, turn.poison, buffers_.launches(loaded, {.input = turn.input}));
    // What was changed, and is no output, would be there in the next execution.
    if (!why.empty()) buffers_.forget();
    if (why.empty()) why = why_different(loaded, expected_[turn.input], turn.poison);
    if (!why.empty()) return with_input(why + turn.note, turn.input);
  }
  return {};
}

/// What the default gives on an input that no search saw, or what references give; empty, or what
/// is wrong with the default.
std::string KernelJob::learn_other(const LoadedKernels& the_default, std::size_t input) {
  if (of_others_.contains(input)) return {};
  buffers_.provide(the_default, input);
  std::string why =
      run(the_default, input, usual_poison, buffers_.launches(the_default, {.input = input}));
  Expected expected;
  if (why.empty()) {
    expected.results = results(the_default);
    for (const auto& [output, bytes] : expected.results) place_expected(expected, output);
    why = learn_references(the_default, input, expected);
  }
  if (!why.empty()) {
    buffers_.forget();
    return fmt::format("the default went wrong: {}", why);
  }
  of_others_[input] = std::move(expected);
  return {};
}

std::string KernelJob::why_wrong_on_others(const LoadedKernels& the_default,
                                           const LoadedKernels& loaded) {
  constexpr std::size_t others = 2;
  for (std::size_t other = 0; other < others; ++other) {
    if (inputs() == 1) {
      std::string why = why_wrong(loaded);
      if (!why.empty()) return why;
      continue;
    }
    const std::size_t input = inputs() + other;
    std::string why = learn_other(the_default, input);
    if (!why.empty()) return why;
    buffers_.provide(loaded, input);
    why = run(loaded, input, other_poison, buffers_.launches(loaded, {.input = input}));
    if (!why.empty()) buffers_.forget();
    if (why.empty()) why = why_different(loaded, of_others_.at(input), other_poison);
    if (!why.empty()) return with_input(why, input);
  }
  return {};
}

std::string KernelJob::why_wrong_now(const LoadedKernels& loaded) {
  std::string why = buffers_.why_touched(loaded, 0);
  if (!why.empty()) buffers_.forget();
  return why.empty() ? why_different(loaded, expected_[0], usual_poison) : why;
}

}  // namespace redtune::tuner
