// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The part of redtune.h that launches kernels of users.
#include "redtune/kernel.hpp"

#include <fmt/format.h>
#include <span>

#include "runtime/c_api/arguments.hpp"
#include "runtime/c_api/guard.hpp"
#include "runtime/c_api/objects.hpp"
#include "runtime/resolve.hpp"

using namespace redtune;
using namespace redtune::c_api;

namespace {

/// Of a place that may be null where there are none.
Sizes sizes_given(const int64_t* sizes, size_t count) {
  if (count > 0) require(sizes, "the place of the sizes");
  return Sizes(std::span(sizes, count));
}

const Kernel& kernel_of(const redtune_kernel* kernel) {
  return required(kernel, "the kernel").kernel;
}

KernelOptions kernel_options_of(const char* cache_mode, const redtune_options* given) {
  const ReducerOptions options = options_of(given);
  if (options.pinned) throw UsageError("a kernel is not pinned: set redtune_options.pinned to 0");
  return {.device = options.device,
          .lookup = options.lookup,
          .cache_mode = cache_mode != nullptr ? parse_cache_mode(cache_mode) : CacheMode::cold};
}

}  // namespace

std::vector<std::string> redtune_kernel::types_of(const std::vector<LaunchArgument>& arguments) {
  std::vector<std::string> types;
  for (const LaunchArgument& one : arguments) {
    const std::string_view type = to_string(one.dtype);
    types.push_back(one.is_buffer    ? "buffer"
                    : one.lanes == 1 ? std::string(type)
                                     : fmt::format("{}x{}", type, one.lanes));
  }
  return types;
}

int redtune_kernel_create(const char* file, const char* cache_mode, const redtune_options* options,
                          redtune_kernel** kernel) {
  return guarded([&] {
    redtune_kernel*& result = required(kernel, "the place for the kernel");
    require(file, "the name of the kernel's file");
    const KernelOptions chosen = kernel_options_of(cache_mode, options);
    result =
        new redtune_kernel{Kernel(file, chosen), runtime::registry().select(chosen.device).text()};
  });
}

void redtune_kernel_destroy(redtune_kernel* kernel) {
  delete kernel;
}

const char* redtune_kernel_device(const redtune_kernel* kernel) {
  return kernel != nullptr ? kernel->device.c_str() : nullptr;
}

const char* redtune_kernel_size_name(const redtune_kernel* kernel, size_t number) {
  const bool is_there = kernel != nullptr && number < kernel->sizes.size();
  return is_there ? kernel->sizes[number].c_str() : nullptr;
}

const char* redtune_kernel_argument_name(const redtune_kernel* kernel, size_t number) {
  const bool is_there = kernel != nullptr && number < kernel->arguments.size();
  return is_there ? kernel->arguments[number].name.c_str() : nullptr;
}

const char* redtune_kernel_argument_type(const redtune_kernel* kernel, size_t number) {
  const bool is_there = kernel != nullptr && number < kernel->types.size();
  return is_there ? kernel->types[number].c_str() : nullptr;
}

int redtune_kernel_prepare(const redtune_kernel* kernel, const int64_t* sizes, size_t size_count) {
  return guarded([&] { kernel_of(kernel).prepare(sizes_given(sizes, size_count)); });
}

int redtune_kernel_launch(const redtune_kernel* kernel, const int64_t* sizes, size_t size_count,
                          const void* const* arguments, size_t argument_count, void* stream) {
  return guarded([&] {
    const Kernel& known = kernel_of(kernel);
    if (argument_count > 0) require(arguments, "the place of the arguments");
    known.launch_addresses(Stream::from_handle(stream), sizes_given(sizes, size_count),
                           std::span(arguments, argument_count));
  });
}

int redtune_kernel_set_constant(redtune_kernel* kernel, const char* name, const void* data,
                                size_t bytes) {
  return guarded([&] {
    Kernel& known = required(kernel, "the kernel").kernel;
    require(name, "the name of the variable");
    known.set_constant(name, data, bytes);
  });
}

int redtune_kernel_answer(const redtune_kernel* kernel, const int64_t* sizes, size_t size_count,
                          redtune_answer** answer) {
  return guarded([&] {
    redtune_answer*& result = required(answer, "the place for the answer");
    const Kernel& known = kernel_of(kernel);
    result = new redtune_answer{known.answer(sizes_given(sizes, size_count)), known.device()};
  });
}

int redtune_kernel_elements(const redtune_kernel* kernel, const int64_t* sizes, size_t size_count,
                            const char* buffer, int64_t* elements) {
  return guarded([&] {
    int64_t& result = required(elements, "the place for the elements");
    require(buffer, "the name of the buffer");
    result = kernel_of(kernel).elements(sizes_given(sizes, size_count), buffer);
  });
}

int redtune_kernel_synchronize(const redtune_kernel* kernel, void* stream) {
  return guarded([&] { kernel_of(kernel).synchronize(Stream::from_handle(stream)); });
}
