// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/worker/device_bench.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "kernel_templates/probe/compare.hpp"
#include "kernel_templates/probe/fill.hpp"
#include "tuner/measure/floor.hpp"
#include "tuner/measure/input_filler.hpp"

namespace redtune::tuner {

namespace {

/// Places of outputs are as many as these bytes hold.
constexpr std::size_t most_output_bytes = std::size_t{1} << 20;

}  // namespace

DeviceBench::DeviceBench(const BenchSetup& setup, const CompilePool& compiler)
    : setup_(setup),
      compiler_(compiler),
      guard_(*setup.device),
      job_(*setup.device, *setup.family, setup.problem, setup.seed, compiler),
      slots_(*setup.device, input(compiler), job_.cache_mode()),
      checks_(make_checks()),
      output_(*setup.device, job_.output_bytes(job_.shape()),
              places_of(job_.output_bytes(job_.shape()), most_output_bytes,
                        most_places_on(*setup.device))),
      surroundings_(*setup.device, load_surroundings(*setup.device, compiler),
                    {.input_bytes = job_.input_bytes(),
                     .cache_mode = job_.cache_mode(),
                     .results = output_.addresses()}),
      two_streams_(*setup.device, surroundings_.small_kernel()),
      others_(*setup.device, surroundings_, slots_, &two_streams_),
      pacer_(*setup.device, compiler) {
  compare_on_device(compiler);
}

/// A host writes its own memory as fast as a kernel that it would have to compile first.
SlotContent DeviceBench::input(const CompilePool& compiler) const {
  const bool is_host = setup_.device->identity().device_class.platform == "host";
  const std::size_t bytes = job_.input_bytes();
  return {bytes, [this, &compiler, is_host, bytes](std::span<std::byte* const> places) {
            const CompilePool filling = compiler.with_text(kernels::fill_text());
            const bool copies = is_host || bytes < least_filled_bytes;
            InputFiller(*setup_.device, job_.recipe(), span_of(job_.shape()),
                        copies ? nullptr : &filling)
                .write(places);
            write_offsets(places);
          }};
}

void DeviceBench::write_offsets(std::span<std::byte* const> places) const {
  if (!is_segmented(job_.shape())) return;
  const auto offsets = packed_offsets(job_.offsets(), job_.shape());
  for (std::byte* const place : places) {
    setup_.device->copy_to_device(place + offsets_at(setup_.problem), offsets.data(),
                                  offsets.size());
  }
}

const void* DeviceBench::begin_of(const InputPart& part) const {
  return static_cast<const std::byte*>(slots_.first()) +
         static_cast<std::size_t>(part.first) * job_.element_bytes();
}

std::vector<DeviceBench::Check> DeviceBench::make_checks() const {
  std::vector<GeneratedPart> parts;
  for (const InputPart& part : job_.parts()) {
    parts.push_back({{part.shape, begin_of(part), job_.offsets()}, part.first});
  }
  auto expected = job_.oracle().of_parts(parts, job_.recipe());
  std::vector<Check> checks;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    checks.push_back({job_.parts()[i], std::move(expected[i]), nullptr});
  }
  return checks;
}

void DeviceBench::compare_on_device(const CompilePool& compiler) {
  for (Check& check : checks_) {
    if (!check.has_many_results()) continue;
    if (!comparison_kernel_) {
      comparison_kernel_.emplace(*setup_.device, setup_.problem,
                                 compiler.with_text(kernels::compare_text()));
    }
    check.comparison = DeviceComparison::make(*comparison_kernel_, *check.expected,
                                              check.part.shape, output_.address());
  }
}

void DeviceBench::load(CandidateId id, const Candidate& candidate) {
  guard_.bring([&] {
    const CompiledUnit& unit = candidate.unit;
    std::shared_ptr<device::Module> module = guard_.module_of(unit);
    std::vector<device::Kernel> kernels;
    for (const auto& kernel : unit.kernels) kernels.push_back(module->kernel(kernel.symbol));
    runtime::LoadedConfig config(
        {setup_.family, setup_.problem, candidate.settings, setup_.device->limits()},
        std::move(module), std::move(kernels));
    loaded_.insert_or_assign(id,
                             Loaded{.runnable = runnable_of(std::move(config), *setup_.device)});
  });
}

void DeviceBench::unload(CandidateId id) {
  guard_.guarded([&] { loaded_.erase(id); });
}

DeviceBench::Loaded& DeviceBench::loaded(CandidateId id) {
  const auto found = loaded_.find(id);
  if (found == loaded_.end()) throw Error("a config is used that was not loaded");
  return found->second;
}

std::string DeviceBench::read_outputs(const Check& check) {
  const std::size_t bytes = job_.output_bytes(check.part.shape);
  return check.has_many_results() ? output_.read_beside(bytes) : output_.read(bytes);
}

std::optional<std::vector<std::size_t>> DeviceBench::asked_of_host(
    const Check& check, std::size_t place, std::int64_t longest_chain) const {
  if (check.comparison) return check.comparison->uncertain(output_.address(place), longest_chain);
  return check.has_many_results() ? check.expected->known_numbers() : std::nullopt;
}

std::string DeviceBench::why_wrong_output(const Check& check, const Runnable& candidate,
                                          std::size_t place) {
  const std::int64_t chain = candidate.config.longest_chain(check.part.shape);
  const auto asked = asked_of_host(check, place, chain);
  if (!asked) {
    if (check.has_many_results()) output_.fetch();
    return check.expected->why_wrong(output_.value(place), chain);
  }
  std::vector<std::byte> result(result_bytes(setup_.problem));
  for (const std::size_t number : *asked) {
    output_.read_part(place, number * result.size(), result);
    std::string why = check.expected->why_result_wrong(number, result.data(), chain);
    if (!why.empty()) return why;
  }
  return {};
}

std::string DeviceBench::why_wrong_on(const Check& check, const Runnable& candidate) {
  const Shape& shape = check.part.shape;
  output_.poison();
  setup_.device->launch(
      candidate.config.launches(job_.operands(check.part, slots_.first(), output_.address()),
                                candidate.workspace()),
      {});
  setup_.device->synchronize({});
  std::string why = read_outputs(check);
  if (why.empty()) why = why_wrong_output(check, candidate);
  if (!why.empty()) why += fmt::format(" (of {} elements)", shape_text(shape));
  return why;
}

std::string DeviceBench::why_wrong(CandidateId id) {
  return guard_.guarded([&] {
    for (const Check& check : checks_) {
      std::string why = why_wrong_on(check, loaded(id).runnable);
      if (!why.empty()) return why;
    }
    return std::string();
  });
}

std::string DeviceBench::why_wrong_when_timed(CandidateId id) {
  return guard_.guarded([&] {
    const Check& all = checks_[0];
    std::string why = read_outputs(all);
    const Loaded& one = loaded(id);
    std::optional<std::size_t> right;  // a place with results that are
    for (Turn turn : one.timed) {
      for (; turn.i < turn.executions && why.empty(); ++turn.i) {
        if (!turn.is_first_in_place(output_.places())) continue;
        const std::size_t place = turn.place_of(output_.places());
        // What has the bits of what is right is right: many places have thousands of results each.
        if (right && !all.has_many_results() && output_.are_same(*right, place)) continue;
        why = why_wrong_output(all, one.runnable, place);
        right = place;
      }
    }
    if (!why.empty()) why += " (while it was timed)";
    return why;
  });
}

std::string DeviceBench::why_wrong_when_challenged(CandidateId id) {
  return guard_.guarded([&] {
    if (!challenge_) challenge_.emplace(*setup_.device, job_);
    return challenge_->why_wrong(loaded(id).runnable);
  });
}

Stage DeviceBench::stage() {
  return {.device = setup_.device,
          .slots = &slots_,
          .surroundings = &surroundings_,
          .others = &others_,
          .two_streams = &two_streams_,
          .further_launch_us = further_launch_us_.value_or(0)};
}

BatchTimer& DeviceBench::timer_of(Loaded& loaded, const BatchOrder& order) {
  constexpr std::size_t most_timers = 2;
  auto& timers = order.is_displaced ? loaded.displaced : loaded.timers;
  const auto known = std::ranges::find(timers, order.executions, &BatchTimer::executions);
  if (known != timers.end()) return *known;
  if (timers.size() == most_timers) timers.pop_front();
  const InputPart& part = job_.parts()[order.is_displaced ? 1 : 0];
  return timers.emplace_back(stage(), work_of(loaded.runnable, output_, part), order.executions);
}

Sample DeviceBench::sample(const BatchOrder& order) {
  return guard_.guarded([&] {
    Loaded& one = loaded(order.candidate);
    if (!further_launch_us_) {  // of nearly no elements, so that the device keeps up
      const auto launches = one.runnable.config.launches(
          {slots_.first(), {.count = 1}, output_.address()}, one.runnable.workspace());
      further_launch_us_ = queueing_us(*setup_.device, launches[0]);
    }
    BatchTimer& timer = timer_of(one, order);
    Sample sample = timer.sample(order.scheme);
    one.timed = order.is_displaced ? std::vector<Turn>() : timer.firsts(order.scheme);
    sample.pace_us = pacer_.pace_us();
    return sample;
  });
}

Floor DeviceBench::floor(CandidateId like) {
  return guard_.guarded([&] {
    Stage stage = this->stage();
    stage.further_launch_us = 0;  // there is none
    return floor_of(stage,
                    {setup_.family, setup_.problem, loaded(like).runnable.config.choice().settings},
                    compiler_);
  });
}

std::size_t DeviceBench::free_memory() {
  return guard_.guarded([&] { return setup_.device->free_memory(); });
}

device::BatchTime DeviceBench::empty_batch() {
  return guard_.guarded([&] { return setup_.device->time({}); });
}

}  // namespace redtune::tuner
