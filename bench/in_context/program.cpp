// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "bench/in_context/program.hpp"

#include <chrono>
#include <fmt/format.h>
#include <utility>

#include "bench/device_texts.hpp"
#include "kernel_templates/probe/fill.hpp"
#include "redtune/error.hpp"
#include "search/rng.hpp"
#include "tuner/measure/input_filler.hpp"
#include "tuner/verify/places.hpp"

namespace redtune::bench {
namespace {

using device::Launch;

enum Kernel : std::size_t {
  produce_vectors,
  produce_words,
  compare,
  scale_vectors,
  scale_words,
  activate,
  update,
  multiply
};

constexpr std::size_t vector_bytes = 16;
constexpr std::size_t word_bytes = 4;
/// The input is what it is computed from, with these bits turned over.
constexpr std::int32_t key = 0x5a5a5a5a;

/// How the kernels are cut: of GPUs as programs do it. Where lanes run one after another a block is
/// one lane, and the matrices are small.
struct Shape {
  int block = 256;  ///< threads
  int run = 1;      ///< elements of a thread
  int tile = 32;    ///< of a product, a block's
  int micro = 2;    ///< and a thread's
  std::int32_t edge = 512;

  [[nodiscard]] std::int64_t elementwise_grid(std::int64_t count) const {
    const std::int64_t a_block = static_cast<std::int64_t>(block) * run;
    return (count + a_block - 1) / a_block;
  }
  [[nodiscard]] std::size_t matrix_bytes() const {
    return static_cast<std::size_t>(edge) * static_cast<std::size_t>(edge) * sizeof(float);
  }
};

Shape shape_of(const Limits& limits) {
  if (limits.min_block_size > 1) return {};
  return {.block = 1, .run = 4096, .tile = 32, .micro = 32, .edge = 64};
}

/// Makes launches of loaded kernels.
class Launcher {
 public:
  Launcher(const Shape& shape, const std::vector<device::Kernel>& kernels)
      : shape_(shape), kernels_(kernels) {}

  /// count elements; arguments in the order of the kernel's.
  template <class... Arguments>
  [[nodiscard]] Launch elementwise(Kernel kernel, std::int64_t count,
                                   const Arguments&... arguments) const {
    Launch launch{
        .kernel = kernels_[kernel], .grid = shape_.elementwise_grid(count), .block = shape_.block};
    (launch.arguments.append(arguments), ...);
    return launch;
  }
  [[nodiscard]] Launch product(const void* a, const void* b, const void* product) const {
    const int side = shape_.tile / shape_.micro;
    const std::int64_t tiles = shape_.edge / shape_.tile;
    Launch launch{.kernel = kernels_[multiply], .grid = tiles * tiles, .block = side * side};
    launch.arguments.append(a);
    launch.arguments.append(b);
    launch.arguments.append(shape_.edge);
    launch.arguments.append(product);
    return launch;
  }

 private:
  Shape shape_;
  const std::vector<device::Kernel>& kernels_;
};

/// The matrices of a step of training, one behind the other.
enum Matrix : std::size_t { samples, weights, hidden, active, gradient, matrix_count };

/// Of either sign and small, so that products of them stay small.
std::vector<float> matrix_numbers(const Shape& shape) {
  std::vector<float> numbers(shape.matrix_bytes() / sizeof(float));
  search::Rng rng(1);
  for (float& number : numbers) {
    number = static_cast<float>((rng.uniform() - 0.5) / static_cast<double>(shape.edge));
  }
  return numbers;
}

}  // namespace

/// In the order of Kernel.
std::vector<std::string> program_kernels(const Limits& limits) {
  const Shape shape = shape_of(limits);
  const auto elementwise = [&](std::string_view name, std::string_view more) {
    return fmt::format("redtune::{}<{}, {}{}>", name, shape.block, shape.run, more);
  };
  return {elementwise("produce", ", 4"),
          elementwise("produce", ", 1"),
          elementwise("compare", ""),
          elementwise("scale", ", 4"),
          elementwise("scale", ", 1"),
          elementwise("activate", ""),
          elementwise("update", ""),
          fmt::format("redtune::multiply<{}, {}>", shape.tile, shape.micro)};
}

Program::Program(device::Device& device, const tuner::CompilePool& compiler, const Problem& problem,
                 const tuner::Recipe& recipe)
    : device_(device),
      bytes_((static_cast<std::size_t>(problem.count) * size_of(problem.in) + vector_bytes - 1) /
             vector_bytes * vector_bytes),
      input_(device.allocate(bytes_)),
      source_(device.allocate(bytes_)),
      scaled_(device.allocate(bytes_)),
      matrices_(device.allocate(matrix_count * shape_of(device.limits()).matrix_bytes())),
      output_(device, output_bytes(problem)) {
  load(compiler);
  fill(compiler, problem, recipe);
  make_patterns();
}

void Program::load(const tuner::CompilePool& compiler) {
  const tuner::CompileUnit unit = program_kernels(device_.limits());
  const auto result =
      compiler.with_text(program_text("in_context/program.hip.h")).compile({&unit, 1})[0];
  if (const auto* failure = std::get_if<device::CompileFailure>(&result)) {
    throw DeviceError("the program's kernels do not compile: " + failure->log);
  }
  const auto* compiled = std::get_if<tuner::CompiledUnit>(&result);
  if (compiled == nullptr) throw DeviceError(std::get<tuner::CompileCrash>(result).why);
  module_ = device_.load(*compiled->binary);
  for (const auto& kernel : compiled->kernels) kernels_.push_back(module_->kernel(kernel.symbol));
}

void Program::fill(const tuner::CompilePool& compiler, const Problem& problem,
                   const tuner::Recipe& recipe) {
  device_.fill(input_.data(), std::byte{0}, bytes_);
  const auto filling = compiler.with_text(kernels::fill_text());
  const bool copies =
      device_.identity().device_class.platform == "host" || bytes_ < tuner::least_filled_bytes;
  auto* const place = static_cast<std::byte*>(input_.data());
  tuner::InputFiller(device_, recipe, problem.count, copies ? nullptr : &filling)
      .write({&place, 1});

  const Shape shape = shape_of(device_.limits());
  const auto count = static_cast<std::int64_t>(bytes_ / vector_bytes);
  const Launch turn_over =
      Launcher(shape, kernels_)
          .elementwise(produce_vectors, count, static_cast<const void*>(input_.data()), count, key,
                       static_cast<const void*>(source_.data()));
  device_.launch({&turn_over, 1}, {});
  device_.synchronize({});

  const auto numbers = matrix_numbers(shape);
  for (std::size_t i = 0; i < matrix_count; ++i) {
    device_.copy_to_device(static_cast<std::byte*>(matrices_.data()) + i * shape.matrix_bytes(),
                           numbers.data(), shape.matrix_bytes());
  }
}

void Program::make_patterns() {
  const Shape shape = shape_of(device_.limits());
  const Launcher launcher(shape, kernels_);
  const auto address = [](const device::Buffer& buffer) -> const void* { return buffer.data(); };
  const auto matrix = [&](Matrix which) -> const void* {
    return static_cast<const std::byte*>(matrices_.data()) + which * shape.matrix_bytes();
  };
  const auto vectors = static_cast<std::int64_t>(bytes_ / vector_bytes);
  const auto words = static_cast<std::int64_t>(bytes_ / word_bytes);
  const auto found = static_cast<std::int64_t>(shape.matrix_bytes() / vector_bytes);
  const auto produced = [&](Kernel kernel, std::int64_t count) {
    return launcher.elementwise(kernel, count, address(source_), count, key, address(input_));
  };
  const auto scaled = [&](Kernel kernel, std::int64_t count) {
    return launcher.elementwise(kernel, count, address(input_), count,
                                static_cast<const void*>(output_.address()), address(scaled_));
  };
  const Launch forward = launcher.product(matrix(samples), matrix(weights), matrix(hidden));
  patterns_ = {
      {"producer", Queueing::graph, {produced(produce_vectors, vectors)}, {}},
      {"matmul", Queueing::graph, {forward}, {}},
      {"consumer", Queueing::graph, {}, {scaled(scale_vectors, vectors)}},
      {"stream", Queueing::by_host, {produced(produce_words, words)}, {scaled(scale_words, words)}},
      {"training",
       Queueing::graph,
       {forward, launcher.elementwise(activate, found, matrix(hidden), found, matrix(active)),
        launcher.elementwise(compare, vectors, address(source_), vectors, key, matrix(active),
                             found, std::int32_t{0}, address(input_))},
       {scaled(scale_vectors, vectors),
        launcher.product(matrix(samples), matrix(active), matrix(gradient)),
        launcher.elementwise(update, found, matrix(weights), found, matrix(gradient), 0.0F)}}};
}

StepTimer::StepTimer(device::Device& device, const Pattern& pattern, Reductions reductions,
                     std::size_t steps)
    : device_(device), pattern_(pattern), reductions_(std::move(reductions)), steps_(steps) {
  if (reductions_.empty()) reductions_.emplace_back();
  if (device.batching() == device::Batching::queued) return;
  for (std::size_t i = 0; i < steps; ++i) {
    for (const auto* part : {&pattern.before, &reduction(i), &pattern.after}) {
      launches_.insert(launches_.end(), part->begin(), part->end());
    }
  }
  if (pattern.queueing == Queueing::by_host) return;
  batch_ = device.prepare(launches_);
  launches_ = {};
}

const std::vector<Launch>& StepTimer::reduction(std::size_t step) const {
  return reductions_[tuner::Turn{step, steps_}.place_of(reductions_.size())];
}

StepTime StepTimer::time() {
  if (device_.batching() == device::Batching::queued) return time_in_steps();
  const auto once = [&] { return batch_ ? batch_->time() : device_.time(launches_); };
  // Graphs of others may have taken its place on the device, and inputs of others the caches: the
  // first time brings both back.
  (void)once();
  const device::BatchTime time = once();
  return {.step_us = time.device_us / static_cast<double>(steps_), .own_us = {}};
}

StepTime StepTimer::time_in_steps() {
  using Clock = std::chrono::steady_clock;
  double own_us = 0;
  const auto begin = Clock::now();
  for (std::size_t i = 0; i < steps_; ++i) {
    device_.launch(pattern_.before, {});
    if (!reduction(i).empty()) own_us += device_.time(reduction(i)).device_us;
    device_.launch(pattern_.after, {});
  }
  const std::chrono::duration<double, std::micro> all = Clock::now() - begin;
  const auto steps = static_cast<double>(steps_);
  return {.step_us = all.count() / steps, .own_us = own_us / steps};
}

}  // namespace redtune::bench
