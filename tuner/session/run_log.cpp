// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/session/run_log.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "cache/files/files.hpp"
#include "redtune/error.hpp"

namespace redtune::tuner {
namespace {

std::string now() {
  const auto time = std::chrono::system_clock::now();
  return fmt::format("{:%FT%T}Z", fmt::gmtime(std::chrono::system_clock::to_time_t(time)));
}

/// Makes a file that was not there: named by the second and the process, which may begin several
/// runs in one second.
std::filesystem::path new_file(const std::filesystem::path& folder) {
  const auto time = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  const std::string name = fmt::format("run-{:%Y%m%d-%H%M%S}-{}", fmt::gmtime(time), getpid());
  std::filesystem::path file = folder / (name + ".jsonl");
  for (int number = 2;; ++number) {
    // By whoever comes first: devices of one process begin together.
    const int made = open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (made >= 0) close(made);
    if (made >= 0 || errno != EEXIST) return file;  // what is wrong is told when it is written
    file = folder / fmt::format("{}_{}.jsonl", name, number);
  }
}

/// Of "run-20261122-101501-77_2.jsonl" 20261122, 101501, 77 and 2. They are to be compared as
/// numbers: the tenth log of a second is not older than the second.
std::vector<std::uint64_t> numbers_in(const std::string& name) {
  std::vector<std::uint64_t> numbers;
  const char* const end = name.data() + name.size();
  for (const char* at = name.data(); at != end;) {
    std::uint64_t number = 0;
    const auto [stop, error] = std::from_chars(at, end, number);
    if (error == std::errc{}) numbers.push_back(number);
    at = stop == at ? at + 1 : stop;
  }
  return numbers;
}

}  // namespace

std::vector<std::filesystem::path> run_logs_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
    if (entry.path().extension() == ".jsonl") files.push_back(entry.path());
  }
  std::ranges::sort(files, {}, [](const std::filesystem::path& file) {
    const std::string name = file.filename().string();
    return std::pair(numbers_in(name), name);
  });
  return files;
}

RunLog::RunLog(const std::optional<std::filesystem::path>& folder) {
  if (!folder) {
    problem_ = "no folder for logs: neither XDG_STATE_HOME nor HOME is set";
    return;
  }
  try {
    cache::make_private_folder(*folder);
  } catch (const IoError& error) {
    problem_ = error.what();
    return;
  }
  file_ = new_file(*folder);
  stream_.open(file_, std::ios::app);
  if (!stream_) problem_ = fmt::format("cannot write the run's log {}", file_.string());
}

void RunLog::write(const std::string& kind, const Json& fields) {
  if (!stream_.is_open()) return;
  Json line{{"kind", kind}, {"at", now()}};
  line.update(fields);
  stream_ << line.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n' << std::flush;
  if (!stream_ && problem_.empty()) {
    problem_ = fmt::format("cannot write the run's log {}; is the disk full?", file_.string());
  }
}

void RunLog::write(const Trial& trial) {
  const Outcome& outcome = trial.evaluation.outcome;
  Json fields{{"phase", to_string(trial.phase)},
              {"sequence", trial.sequence},
              {"settings", json_of(trial.settings)},
              {"status", status_of(outcome)}};
  if (const auto* measured = std::get_if<Measured>(&outcome)) {
    fields["time_us"] = json_of(measured->time_us);
    fields["samples"] = measured->samples;
  } else if (const auto cost = cost_of(outcome)) {
    fields["time_so_far_us"] = *cost;
  }
  const std::string detail = detail_of(outcome);
  if (!detail.empty()) fields["detail"] = detail;
  fields["compile_ms"] = trial.evaluation.compile_ms;
  fields["wall_ms"] = trial.evaluation.wall_ms;
  if (trial.replayed) fields["replayed"] = true;
  write("trial", fields);
}

void RunLog::write(const TuneResult& result) {
  const Decision& decision = result.decision;
  Json finalists = Json::array();
  for (std::size_t i = 0; i < result.finalists.size(); ++i) {
    finalists.push_back(
        {{"settings", json_of(result.finalists[i])}, {"time_us", json_of(decision.times_us[i])}});
  }
  Json fields{{"finalists", finalists},
              {"rounds", result.rounds},
              {"fastest", decision.fastest},
              {"winner", decision.winner},
              {"gain", json_of(decision.gain)},
              {"significant", decision.significant},
              {"ties", decision.ties},
              {"statuses", result.statuses},
              {"interrupted", result.interrupted}};
  if (!decision.displaced_us.empty()) fields["displaced_us"] = decision.displaced_us;
  if (decision.passed_over) fields["passed_over"] = *decision.passed_over;
  const std::string why = result.why_not_published();
  if (!why.empty()) fields["not_published"] = why;
  fields["is_undecided"] = result.is_undecided;
  write("result", fields);
}

}  // namespace redtune::tuner
