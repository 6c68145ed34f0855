// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Code objects on a device: loaded, found in, launched.
#include <algorithm>
#include <array>
#include <cstring>

#include "call.hpp"
#include "kernel_row.hpp"
#include "packed_program.hpp"
#include "redtune/error.hpp"
#include "runtime.hpp"

using namespace redtune::testing::hip;
using redtune::device::Arguments;

namespace {

std::shared_ptr<Function> function_of(const KernelShape& shape, const redtune_test_kernel& row,
                                      int device) {
  auto function = std::make_shared<Function>();
  function->device = device;
  function->kernel.handle = reinterpret_cast<void*>(row.entry);
  const auto offsets = offsets_of(shape);
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    function->parameters.push_back({shape.sizes[i], offsets[i]});
  }
  return function;
}

int load(hipModule_t* handle, const void* image, Note& note) {
  const auto program = unpack(static_cast<const std::byte*>(image));
  if (!program) return hipErrorInvalidImage;
  const int ordinal = current_device();
  RunningDevice& device = *runtime().devices[static_cast<std::size_t>(ordinal)];
  if (!runs_on(program->isa, device.facts().isa)) return hipErrorNoBinaryForGpu;
  auto module = std::make_shared<LoadedModule>();
  module->device = ordinal;
  try {
    module->object = device.load(program->object);
    const auto* row =
        static_cast<const redtune_test_kernel*>(module->object->kernel(kernel_table).handle);
    for (const KernelShape& shape : program->kernels) {
      module->functions[shape.symbol] = function_of(shape, *row++, ordinal);
    }
  } catch (const redtune::Error& error) {
    fmt::print(stderr, "{}: {}\n", device.facts().name, error.what());
    return hipErrorInvalidImage;
  }
  note.text = fmt::format("isa={} kernels={}", program->isa, module->functions.size());
  runtime().modules.add(handle, std::move(module));
  note.made = *handle;
  return hipSuccess;
}

/// Where the caller keeps each argument; empty: what it gives cannot be read.
std::vector<const void*> arguments_of(const Function& function, void** pointers, void** extra) {
  std::vector<const void*> arguments;
  const std::byte* packed = nullptr;
  std::size_t bytes = 0;
  for (void** at = extra; extra != nullptr && *at != HIP_LAUNCH_PARAM_END; at += 2) {
    if (*at == HIP_LAUNCH_PARAM_BUFFER_POINTER) packed = static_cast<const std::byte*>(at[1]);
    if (*at == HIP_LAUNCH_PARAM_BUFFER_SIZE) bytes = *static_cast<std::size_t*>(at[1]);
  }
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    const Function::Parameter& parameter = function.parameters[i];
    if (extra == nullptr) {
      arguments.push_back(pointers == nullptr ? nullptr : pointers[i]);
    } else {
      const bool is_there = packed != nullptr && parameter.offset + parameter.bytes <= bytes;
      arguments.push_back(is_there ? packed + parameter.offset : nullptr);
    }
  }
  return arguments;
}

bool can_run(const RunningDevice& device, std::int64_t blocks, std::int64_t threads) {
  // What HIP's documentation of hipModuleLaunchKernel says, and whole waves: a limit of the fibers.
  return blocks > 0 && threads > 0 && threads <= 1024 && blocks * threads <= 0xffffffffLL &&
         threads % device.facts().wave_size == 0;
}

}  // namespace

extern "C" {

hipError_t hipModuleLoadData(hipModule_t* module, const void* image) {
  return call<hipError_t>("hipModuleLoadData", [&](Note& note) -> int {
    if (runtime().devices.empty()) return hipErrorNoDevice;
    return module == nullptr ? hipErrorInvalidValue : load(module, image, note);
  });
}

hipError_t hipModuleUnload(hipModule_t handle) {
  return call<hipError_t>("hipModuleUnload", [&](Note& note) {
    const auto module = runtime().modules.remove(handle);
    if (!module) return hipErrorInvalidHandle;
    finish(module->device);
    for (const auto& [symbol, function] : module->functions) {
      (void)runtime().functions.remove(function.get());
    }
    {
      const std::lock_guard lock(runtime().memory_mutex);
      for (std::byte* variable : module->variables) runtime().memory.erase(variable);
    }
    note.given_back = handle;
    return hipSuccess;
  });
}

hipError_t hipModuleGetFunction(hipFunction_t* handle, hipModule_t module, const char* symbol) {
  return call<hipError_t>("hipModuleGetFunction", [&](Note& note) {
    note.text = symbol;
    const auto loaded = runtime().modules.find(module);
    if (!loaded) return hipErrorInvalidHandle;
    const auto found = loaded->functions.find(symbol);
    if (found == loaded->functions.end()) return hipErrorNotFound;
    runtime().functions.add(handle, found->second);
    return hipSuccess;
  });
}

hipError_t hipModuleGetGlobal(hipDeviceptr_t* data, std::size_t* bytes, hipModule_t module,
                              const char* symbol) {
  return call<hipError_t>("hipModuleGetGlobal", [&](Note& note) {
    note.text = symbol;
    const auto loaded = runtime().modules.find(module);
    if (!loaded) return hipErrorInvalidHandle;
    try {
      const redtune::device::Variable found = loaded->object->variable(symbol);
      *data = found.data;
      *bytes = found.bytes;
      const std::lock_guard lock(runtime().memory_mutex);
      auto* const begin = static_cast<std::byte*>(found.data);
      runtime().memory[begin] = {found.bytes, loaded->device, true};
      loaded->variables.push_back(begin);
      return hipSuccess;
    } catch (const redtune::Error&) {
      return hipErrorNotFound;
    }
  });
}

hipError_t hipModuleLaunchKernel(hipFunction_t handle, unsigned blocks, unsigned blocks_y,
                                 unsigned blocks_z, unsigned threads, unsigned threads_y,
                                 unsigned threads_z, unsigned shared, hipStream_t stream,
                                 void** pointers, void** extra) {
  return call<hipError_t>("hipModuleLaunchKernel", [&](Note& note) -> int {
    note.text = fmt::format("{}x{} stream={}", blocks, threads, fmt::ptr(stream));
    const auto function = runtime().functions.find(handle);
    if (!function) return hipErrorInvalidHandle;
    const redtune::device::Depth depth{static_cast<int>(blocks_y), static_cast<int>(blocks_z),
                                       static_cast<int>(threads_y), static_cast<int>(threads_z),
                                       static_cast<int>(shared)};
    if (!depth.is_possible()) return hipErrorInvalidConfiguration;
    if (shared > shared_bytes_of_block) return hipErrorInvalidValue;
    RunningDevice& device = *runtime().devices[static_cast<std::size_t>(function->device)];
    if (!can_run(device, depth.blocks(blocks), depth.threads(static_cast<int>(threads)))) {
      return hipErrorInvalidConfiguration;
    }
    redtune::device::Launch launch{function->kernel, blocks, static_cast<int>(threads), {}};
    launch.depth = depth;
    std::size_t i = 0;
    for (const void* argument : arguments_of(*function, pointers, extra)) {
      if (argument == nullptr) return hipErrorInvalidValue;
      std::uint64_t slot = 0;
      std::memcpy(&slot, argument, function->parameters[i++].bytes);
      launch.arguments.append(slot);
    }
    // The values are the launch's own: what they were read from may change at once.
    return queue_on(stream, [&device, launch] { device.run(launch); });
  });
}
}
