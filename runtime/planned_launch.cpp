// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "runtime/planned_launch.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <type_traits>

#include "redtune/error.hpp"

namespace redtune::runtime {

void require_few_arguments(const kernels::KernelDescription& description) {
  const auto called =
      std::ranges::count_if(description.arguments, [](const kernels::KernelArgument& argument) {
        return argument.kind != kernels::ArgumentKind::constant;
      });
  if (static_cast<std::size_t>(called) <= device::Arguments::capacity) return;
  throw UsageError(fmt::format(
      "{}: {} has {} arguments; redtune launches kernels of {} at most: hand over several "
      "numbers in one buffer",
      description.text_file, description.name, called, device::Arguments::capacity));
}

device::Launch launch_of(const kernels::PlannedLaunch& planned, const device::Kernel& kernel) {
  const auto narrow = [](std::int64_t number) { return static_cast<int>(number); };
  return {.kernel = kernel,
          .grid = planned.grid[0],
          .block = narrow(planned.block[0]),
          .arguments = {},
          .depth = {narrow(planned.grid[1]), narrow(planned.grid[2]), narrow(planned.block[1]),
                    narrow(planned.block[2]), narrow(planned.shared_bytes)}};
}

void allow_shared(const device::Module& module, const device::Kernel& kernel,
                  const kernels::PlannedLaunch& planned) {
  if (planned.shared_bytes > 0) module.allow_shared(kernel);
}

std::uint64_t scalar_bits(const kernels::KernelArgument& argument, std::int64_t whole) {
  return visit_dtype(argument.type.dtype, [&]<class T>(std::type_identity<T>) {
    T value{};
    if constexpr (std::is_integral_v<T>) {
      value = static_cast<T>(whole);
      // A number of 64 bits without a sign is written as one with a sign.
      if (sizeof(T) < sizeof(whole) && static_cast<std::int64_t>(value) != whole) {
        kernels::refuse_at(argument.place, fmt::format("{} is {}, which no {} is", argument.name,
                                                       whole, to_string(argument.type)));
      }
    } else {
      value = static_cast<T>(argument.fraction.value_or(static_cast<double>(whole)));
    }
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof(T));
    return bits;
  });
}

}  // namespace redtune::runtime
