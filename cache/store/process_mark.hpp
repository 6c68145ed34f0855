// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Tells whether the process that started a run still lives, even after its number was reused.
#pragma once

#include <cstdint>
#include <string>

namespace redtune::cache {

struct ProcessMark {
  std::string host{};
  std::string boot{};           ///< id of the boot; empty where the system tells none
  std::string pid_namespace{};  ///< containers number their processes apart
  std::int64_t pid = 0;
  std::string start{};  ///< start time in ticks since the boot

  bool operator==(const ProcessMark&) const = default;
};

[[nodiscard]] ProcessMark mark_of_this_process();

enum class Liveness {
  alive,
  gone,
  unknown,  ///< another machine or container: nothing to be seen from here
};

[[nodiscard]] Liveness liveness(const ProcessMark& mark);

}  // namespace redtune::cache
