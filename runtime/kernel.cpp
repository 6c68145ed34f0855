// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "redtune/kernel.hpp"

#include <cstring>

#include "runtime/kernel_core.hpp"

namespace redtune {
namespace {

/// Place for sizes that have to be brought into the order of the file.
using SizePlace = std::array<std::int64_t, Sizes::capacity>;

}  // namespace

Kernel::Kernel(const std::string& file, const KernelOptions& options)
    : core_(std::make_unique<detail::KernelCore>(file, options)) {}
Kernel::Kernel(Kernel&&) noexcept = default;
Kernel& Kernel::operator=(Kernel&&) noexcept = default;
Kernel::~Kernel() = default;

void Kernel::prepare(const Sizes& sizes) const {
  SizePlace place;
  core_->prepare(core_->in_order(sizes, place));
}

void Kernel::launch_given(Stream stream, const Sizes& sizes,
                          detail::GivenArguments arguments) const {
  const runtime::CalledArguments& expected = core_->arguments();
  expected.require_count(arguments.count);
  expected.require_types(arguments.types);
  SizePlace place;
  core_->launch(core_->in_order(sizes, place), arguments.slots, stream);
}

void Kernel::launch_addresses(Stream stream, const Sizes& sizes,
                              std::span<const void* const> arguments) const {
  const runtime::CalledArguments& expected = core_->arguments();
  expected.require_count(arguments.size());
  std::array<std::uint64_t, device::Arguments::capacity> slots;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    expected.require_address(i, arguments[i]);
    slots[i] = 0;
    std::memcpy(&slots[i], arguments[i], expected.bytes(i));
  }
  SizePlace place;
  core_->launch(core_->in_order(sizes, place), slots.data(), stream);
}

void Kernel::set_constant(std::string_view name, const void* data, std::size_t bytes) {
  core_->set_constant(name, data, bytes);
}

Answer Kernel::answer(const Sizes& sizes) const {
  SizePlace place;
  return core_->answer(core_->in_order(sizes, place));
}

std::int64_t Kernel::elements(const Sizes& sizes, std::string_view buffer) const {
  SizePlace place;
  return core_->elements(core_->in_order(sizes, place), buffer);
}

void Kernel::synchronize(Stream stream) const {
  core_->device().synchronize({stream.handle()});
}

const DeviceIdentity& Kernel::device() const {
  return core_->device().identity();
}

std::vector<std::string> Kernel::size_names() const {
  return core_->size_names();
}

std::vector<LaunchArgument> Kernel::arguments() const {
  return core_->arguments().described();
}

}  // namespace redtune
