// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/measure/input_filler.hpp"

#include <algorithm>
#include <vector>

#include "kernel_templates/probe/fill.hpp"
#include "redtune/error.hpp"
#include "tuner/verify/parallel.hpp"

namespace redtune::tuner {
namespace {

/// What is copied at a time.
constexpr std::size_t copied_bytes = std::size_t{1} << 26;
/// Elements that are compared with the host's, at both ends of the input.
constexpr std::int64_t compared = 4096;

/// The elements of a recipe from first on, by all cores.
void generate_all(const Recipe& recipe, std::int64_t first, std::span<std::byte> data) {
  const std::size_t element = size_of(recipe.type);
  for_each_piece(data.size() / element, [&](std::size_t, std::size_t begin, std::size_t end) {
    generate(recipe, first + static_cast<std::int64_t>(begin),
             data.subspan(begin * element, (end - begin) * element));
  });
}

}  // namespace

InputFiller::InputFiller(device::Device& device, Recipe recipe, std::int64_t count,
                         const CompilePool* compiler)
    : device_(device), recipe_(recipe), count_(count) {
  if (compiler != nullptr) try_kernel(*compiler);
}

std::size_t InputFiller::bytes() const {
  return static_cast<std::size_t>(count_) * size_of(recipe_.type);
}

void InputFiller::write(std::span<std::byte* const> places) const {
  if (!kernel_) return copy(places);
  for (std::byte* const place : places) launch(place, 0, count_);
  device_.synchronize({});
}

/// A compiler that refuses the text, or a device that makes other numbers of it, costs time alone.
void InputFiller::try_kernel(const CompilePool& compiler) {
  const CompileUnit unit{kernels::fill_name(recipe_.type, recipe_.pattern, device_.limits())};
  const std::vector<UnitResult> results = compiler.compile({&unit, 1});
  const auto* compiled = std::get_if<CompiledUnit>(results.data());
  if (compiled == nullptr) return;
  try {
    module_ = device_.load(*compiled->binary);
    kernel_ = module_->kernel(compiled->kernels.front().symbol);
    if (!agrees_with_the_host()) kernel_.reset();
  } catch (const DeviceError&) {
    kernel_.reset();
  }
}

void InputFiller::launch(void* to, std::int64_t first, std::int64_t count) const {
  const Limits& limits = device_.limits();
  device::Launch launch{.kernel = *kernel_,
                        .grid = kernels::fill_grid(count, limits),
                        .block = kernels::fill_block(limits)};
  launch.arguments.append(to);
  launch.arguments.append(count);
  launch.arguments.append(recipe_.seed);
  launch.arguments.append(recipe_.decisive);
  launch.arguments.append(first);
  launch.arguments.append(recipe_.count);
  launch.arguments.append(recipe_.step);
  launch.arguments.append(recipe_.slice);
  launch.arguments.append(recipe_.in_array);
  launch.arguments.append(recipe_.batch_step);
  device_.launch({&launch, 1}, {});
}

bool InputFiller::agrees_with_the_host() const {
  const std::int64_t count = std::min(count_, compared);
  const std::size_t bytes = static_cast<std::size_t>(count) * size_of(recipe_.type);
  const device::Buffer buffer = device_.allocate(bytes);
  std::vector<std::byte> from_device(bytes);
  std::vector<std::byte> from_host(bytes);
  for (const std::int64_t first : {std::int64_t{0}, count_ - count}) {
    launch(buffer.data(), first, count);
    device_.synchronize({});
    device_.copy_to_host(from_device.data(), buffer.data(), bytes);
    generate(recipe_, first, from_host);
    if (from_device != from_host) return false;
  }
  return true;
}

void InputFiller::copy(std::span<std::byte* const> places) const {
  std::vector<std::byte> piece(std::min(bytes(), copied_bytes));
  for (std::size_t done = 0; done < bytes(); done += piece.size()) {
    const auto data = std::span(piece).first(std::min(piece.size(), bytes() - done));
    generate_all(recipe_, static_cast<std::int64_t>(done / size_of(recipe_.type)), data);
    for (std::byte* const place : places) {
      device_.copy_to_device(place + done, data.data(), data.size());
    }
  }
}

}  // namespace redtune::tuner
