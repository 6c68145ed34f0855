// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Most of the files are what redtune's own commands print, each run in a process of its own: a
// driver that takes one of them down costs its file, not the bundle.
#include "tuner/cli/doctor_bundle.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <functional>
#include <system_error>
#include <variant>

#include "cache/files.hpp"
#include "cache/paths.hpp"
#include "device/host/subprocess.hpp"
#include "redtune/version.hpp"
#include "tuner/cli/commands.hpp"
#include "tuner/cli/question.hpp"
#include "tuner/doctor/bundle.hpp"
#include "tuner/doctor/scrub.hpp"
#include "tuner/report/json.hpp"

namespace redtune::tuner::cli {
namespace {

constexpr std::size_t most_logs = 30;                      // the newest
constexpr std::size_t most_bytes = std::size_t{16} << 20;  // of a file
constexpr std::chrono::minutes most_time{3};               // of a command

using Words = std::vector<std::string>;

/// What a command of this program prints, and what it says about itself.
std::string output_of(const Words& words) {
  Words command{worker_command().front()};
  command.insert(command.end(), words.begin(), words.end());
  const auto done =
      device::host::run_program(command, {.deadline = most_time, .most_output = most_bytes});
  if (!done.output.empty()) return done.output;
  return fmt::format("{}\n{}", done.ending(), done.errors);
}

std::string content_of(const std::filesystem::path& file) {
  const auto content = cache::read_whole(file, most_bytes);
  if (const auto* text = std::get_if<std::string>(&content)) return *text;
  return fmt::format("not read: {}\n",
                     std::make_error_code(std::get<std::errc>(content)).message());
}

/// The newest logs of runs: their names begin with their time.
std::vector<BundleMember> logs() {
  const auto folder = cache::logs_folder();
  std::vector<std::filesystem::path> files;
  std::error_code none;
  if (folder) {
    for (const auto& entry : std::filesystem::directory_iterator(*folder, none)) {
      if (entry.path().extension() == ".jsonl") files.push_back(entry.path());
    }
  }
  std::ranges::sort(files, std::greater{});
  files.resize(std::min(files.size(), most_logs));
  std::vector<BundleMember> members;
  for (const auto& file : files) {
    members.push_back({"logs/" + file.filename().string(), content_of(file)});
  }
  return members;
}

/// Details of the newest runs, by the numbers that the list of them has.
std::vector<BundleMember> runs(const std::string& list, const Words& cache) {
  const Json document = Json::parse(list, nullptr, false);
  if (!document.is_object() || !document.contains("runs")) return {};
  std::vector<BundleMember> members;
  const Json& all = document.at("runs");
  for (auto run = all.rbegin(); run != all.rend() && members.size() < most_logs; ++run) {
    const std::string number = run->at("run").dump();
    Words words{"log", number, "--json"};
    words.insert(words.end(), cache.begin(), cache.end());
    members.push_back({fmt::format("runs/{}.json", number), output_of(words)});
  }
  return members;
}

constexpr std::string_view what_is_inside =
    R"(Written by redtune doctor --bundle of redtune {}.

doctor.txt, doctor.json  redtune doctor: versions, devices, compilers, folders, environment
devices.txt, devices.json  redtune devices: what each device is
results.json  the stored answers, as programs read them
runs.json, runs/  redtune log: what was asked and found; the trials of the newest {} runs
logs/  the logs of the newest {} runs

The host's name is written HOST, the user's USER, home folders ~. Nothing else of this machine is here.
)";

std::vector<BundleMember> collect(const Options& options) {
  Words cache;
  if (options.has("cache")) cache = {"--cache", options.text("cache")};
  const auto with_cache = [&cache](Words words) {
    words.insert(words.end(), cache.begin(), cache.end());
    return output_of(words);
  };
  Words doctor{"doctor"};
  if (options.has("device")) doctor.insert(doctor.end(), {"--device", options.text("device")});
  if (options.has("measure")) doctor.emplace_back("--measure");
  Words doctor_json = doctor;
  doctor_json.emplace_back("--json");
  std::vector<BundleMember> members{
      {"README.txt", fmt::format(fmt::runtime(what_is_inside), version, most_logs, most_logs)},
      {"doctor.txt", with_cache(doctor)},
      {"doctor.json", with_cache(doctor_json)},
      {"devices.txt", output_of({"devices"})},
      {"devices.json", output_of({"devices", "--json"})},
      {"runs.json", with_cache({"log", "--json"})}};
  if (const auto store = cache::store_path(options.text("cache"))) {
    members.push_back({"results.json", content_of(cache::snapshot_of(*store))});
  }
  for (BundleMember& run : runs(members[5].text, cache)) members.push_back(std::move(run));
  for (BundleMember& log : logs()) members.push_back(std::move(log));
  return members;
}

}  // namespace

int write_doctor_bundle(const Options& options) {
  const std::filesystem::path file = options.text("bundle");
  check_bundle_file(file);  // before anybody waits
  std::vector<BundleMember> members = collect(options);
  const Private secrets = Private::here();
  for (BundleMember& member : members) member.text = scrubbed(member.text, secrets);
  const std::uintmax_t bytes = write_bundle(file, members);
  if (options.has("json")) {
    Json names = Json::array();
    for (const BundleMember& member : members) names.push_back(member.name);
    print_json({{"bundle", file.string()}, {"bytes", bytes}, {"files", names}});
    return 0;
  }
  for (const BundleMember& member : members) {
    fmt::print("{:>10} {}\n", member.text.size(), member.name);
  }
  fmt::print("{}: {} files, {} bytes; look into it before you send it\n", file.string(),
             members.size(), bytes);
  return 0;
}

}  // namespace redtune::tuner::cli
