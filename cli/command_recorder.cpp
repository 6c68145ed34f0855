// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/command_recorder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>

#include "device/host/subprocess.hpp"

namespace redtune::cli {
namespace {

constexpr std::size_t most_output = std::size_t{16} << 20;

}  // namespace

std::string CommandRecorder::record(const std::string& name, const std::vector<std::string>& words,
                                    Opens opens) {
  const std::string shown = fmt::format("redtune {}", fmt::join(words, " "));
  const auto tell = [&](const std::string& what) {
    members_.push_back({name + ".err.txt", fmt::format("{}: {}\n", shown, what)});
  };
  if (opens == Opens::devices && !hung_.empty()) {
    tell(fmt::format("not run, since {} gave no answer", hung_));
    return {};
  }
  spdlog::info("running {}", shown);
  std::vector<std::string> command{program_};
  command.insert(command.end(), words.begin(), words.end());
  const auto done =
      device::host::run_program(command, {.deadline = most_time_, .most_output = most_output});
  if (!done.output.empty()) members_.push_back({name, done.output});
  if (!done.succeeded() || !done.errors.empty()) {
    tell(fmt::format("{}\n{}", done.ending(), done.errors));
  }
  if (done.timed_out) {
    spdlog::warn("{}: {}", shown, done.ending());
    if (opens == Opens::devices) hung_ = shown;
  }
  return done.output;
}

}  // namespace redtune::cli
