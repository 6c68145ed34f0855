// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What goes wrong on purpose, from REDTUNE_TEST_HIP_FAULTS; entries are separated by ';'.
//
//   fail:CALL:N:ERROR  the Nth call of a function fails with an error
//   delay:CALL:N:MSms  it takes so much longer
//   hang:CALL:N        it never returns
//   refuse:TEXT        hipRTC refuses programs that are asked for a kernel with this in its name
//   times:zero         events tell no time at all; also negative, doubled
//   memory:BYTES       what each device has
//   units:N            the same: so many compute units
//
// N counts from 1 in each process; '*' is every call. ":once" at the end of the first three: in one
// process only, the first that comes that far; that is noted in the folder of traces, which must be
// named.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace redtune::testing::hip {

struct Fault {
  enum class Kind { fail, delay, hang };
  Kind kind = Kind::fail;
  std::string call;
  long number = 0;  ///< of the call; 0: every one
  std::string error;
  std::chrono::milliseconds delay{};
  bool once = false;
};

enum class Times { right, zero, negative, doubled };

struct Faults {
  std::vector<Fault> of_calls;
  std::vector<std::string> refused;  ///< parts of kernels' names
  Times times = Times::right;
  std::optional<std::size_t> memory;
  std::optional<int> units;
};

/// Throws Error for what it does not understand: a test that injects nothing must not pass.
[[nodiscard]] Faults parse_faults(std::string_view text);

/// Those of this process.
[[nodiscard]] const Faults& faults();

/// Whether a fault that is to happen once may happen now.
[[nodiscard]] bool claim(const Fault& fault);

}  // namespace redtune::testing::hip
