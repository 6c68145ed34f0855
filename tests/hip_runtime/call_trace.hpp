// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What the HIP runtime for tests recorded, and what must hold for it whatever went wrong.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "names.hpp"

namespace redtune::testing::hip {

struct TracedCall {
  std::string name;
  long number = 0;
  std::string result;
  std::string made;
  std::string given_back;
  std::string text;
};

struct TracedProcess {
  std::string command;
  std::vector<TracedCall> calls;
  bool ended = false;  ///< by itself: nobody killed it
};

inline TracedCall read_call(const std::string& line) {
  std::istringstream fields(line);
  TracedCall call;
  std::string number;
  std::string handle;
  std::getline(fields, call.name, '\t');
  std::getline(fields, number, '\t');
  std::getline(fields, call.result, '\t');
  std::getline(fields, handle, '\t');
  std::getline(fields, call.text);
  call.number = std::stol(number);
  if (handle.starts_with('+')) call.made = handle.substr(1);
  if (handle.starts_with('-')) call.given_back = handle.substr(1);
  return call;
}

[[nodiscard]] inline std::vector<TracedProcess> read_traces(const std::filesystem::path& folder) {
  std::vector<TracedProcess> processes;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".calls") continue;
    TracedProcess& process = processes.emplace_back();
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);) {
      if (line == "end") {
        process.ended = true;
      } else if (line.starts_with("process\t")) {
        process.command = line.substr(line.find('\t') + 1);
      } else {
        process.calls.push_back(read_call(line));
      }
    }
  }
  return processes;
}

/// How often a function was called by the one process that called it most.
[[nodiscard]] inline long most_calls(const std::vector<TracedProcess>& processes,
                                     std::string_view name) {
  long most = 0;
  for (const TracedProcess& process : processes) {
    for (const TracedCall& call : process.calls) {
      if (call.name == name) most = std::max(most, call.number);
    }
  }
  return most;
}

/// Whether a process made this call, and with this result.
[[nodiscard]] inline bool has_call(const std::vector<TracedProcess>& processes,
                                   std::string_view name, long number, std::string_view result) {
  const auto is_it = [&](const TracedCall& call) {
    return call.name == name && call.number == number && call.result == result;
  };
  return std::ranges::any_of(processes, [&](const TracedProcess& process) {
    return std::ranges::any_of(process.calls, is_it);
  });
}

[[nodiscard]] inline bool is_sticky(const std::string& result) {
  for (const ErrorRow& row : all_errors()) {
    if (row.name == result) return row.persistence == Persistence::sticky;
  }
  return false;
}

/// Whether a call may follow an error that stays: what ends something, what is asked on the way
/// there, and what asks the library and no device.
[[nodiscard]] inline bool is_clean_up(const std::string& name) {
  for (const CallRow& row : all_calls()) {
    if (row.name == name) {
      return row.purpose == Purpose::give_back || row.library != Library::hip ||
             name == "hipGetDevice" || name == "hipSetDevice" || name.ends_with("GetVersion");
    }
  }
  return false;
}

/// Whether a call starts the runtime, which opens every GPU.
[[nodiscard]] inline bool starts_runtime(const std::string& name) {
  return std::ranges::any_of(all_calls(), [&](const CallRow& row) {
    return row.name == name && row.library == Library::hip;
  });
}

/// What a process did wrong; empty: nothing. One that was killed could not give back what it held,
/// and after an error that stays there is nothing left to be given back.
[[nodiscard]] inline std::string why_disorderly(const TracedProcess& process) {
  std::map<std::string, std::string> alive;
  std::string sticky;
  std::string why;
  const bool only_compiles = process.command.find(" compile-worker ") != std::string::npos;
  for (const TracedCall& call : process.calls) {
    if (only_compiles && starts_runtime(call.name)) {
      why += fmt::format("{} was called only to compile\n", call.name);
    }
    if (!sticky.empty() && !is_clean_up(call.name)) {
      why += fmt::format("{} was called after {}\n", call.name, sticky);
    }
    if (sticky.empty() && is_sticky(call.result)) sticky = call.result;
    if (!call.made.empty()) alive[call.made] = fmt::format("{} {}", call.name, call.number);
    if (!call.given_back.empty() && alive.erase(call.given_back) == 0) {
      why += fmt::format("{} {} gives back what nobody has\n", call.name, call.number);
    }
  }
  if (!process.ended || !sticky.empty()) return why;
  for (const auto& [handle, maker] : alive) {
    why += fmt::format("what {} made was not given back\n", maker);
  }
  return why;
}

[[nodiscard]] inline std::string why_disorderly(const std::vector<TracedProcess>& processes) {
  std::string all;
  for (const TracedProcess& process : processes) {
    const std::string why = why_disorderly(process);
    if (!why.empty()) all += fmt::format("{}:\n{}", process.command, why);
  }
  return all;
}

}  // namespace redtune::testing::hip
