// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// redtune doctor: what tuning needs here, what is in its way, and what to do about it; with
// --bundle one file with all that somebody far away needs to help, most of it what redtune's own
// commands print.
#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <ranges>
#include <system_error>
#include <variant>

#include "cache/files/files.hpp"
#include "cache/files/paths.hpp"
#include "cache/snapshot/snapshot.hpp"
#include "cli/command.hpp"
#include "cli/commands.hpp"
#include "cli/doctor/bundle.hpp"
#include "cli/doctor/examine.hpp"
#include "cli/doctor/scrub.hpp"
#include "cli/exit_code.hpp"
#include "cli/names.hpp"
#include "cli/question.hpp"
#include "cli/say.hpp"
#include "redtune/version.hpp"
#include "runtime/resolve.hpp"
#include "tuner/lease/lease.hpp"
#include "tuner/session/run_log.hpp"
#include "tuner/text/json.hpp"

namespace redtune::cli {
namespace {

constexpr std::size_t most_logs = 30;                           // the newest
constexpr std::size_t most_file_bytes = std::size_t{16} << 20;  // of a file
constexpr std::chrono::minutes most_time{3};                    // of a command

using CommandWords = std::vector<std::string>;

CommandWords joined(CommandWords words, const CommandWords& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

std::string file_for_bundle(const std::filesystem::path& file) {
  const auto content = cache::read_whole(file, most_file_bytes);
  if (const auto* text = std::get_if<std::string>(&content)) return *text;
  return fmt::format("not read: {}\n",
                     std::make_error_code(std::get<std::errc>(content)).message());
}

std::string results_in(const std::filesystem::path& snapshot) {
  const auto loaded = cache::load_snapshot(snapshot);
  if (const auto* results = std::get_if<cache::Snapshot>(&loaded)) {
    return cache::describe_as_json(*results) + '\n';
  }
  const Json refused{{"not_read", std::get<cache::SnapshotRefusal>(loaded).detail}};
  return refused.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
}

/// The newest logs of runs, newest first.
std::vector<BundleMember> logs() {
  const auto folder = cache::logs_folder();
  std::vector<std::filesystem::path> files;
  if (folder) files = run_logs_in(*folder);
  std::vector<BundleMember> members;
  for (const auto& file : files | std::views::reverse | std::views::take(most_logs)) {
    members.push_back({"logs/" + file.filename().string(), file_for_bundle(file)});
  }
  return members;
}

/// Details of the newest runs, by the numbers that the list of them has, newest first.
void record_runs(CommandRecorder& recorder, const std::string& list, const CommandWords& cache) {
  const Json document = Json::parse(list, nullptr, false);
  if (!document.is_object() || !document.contains("runs")) return;
  for (const Json& run : document.at("runs") | std::views::take(most_logs)) {
    const std::string number = run.at("run").dump();
    recorder.record(fmt::format("runs/{}.json", number), joined({"log", number, "--json"}, cache),
                    Opens::nothing);
  }
}

constexpr std::string_view what_is_inside =
    R"(Written by redtune doctor --bundle of redtune {}.

doctor.txt, doctor.json  redtune doctor: versions, devices, compilers, folders, environment
devices.txt, devices.json  redtune devices: what each device is
results.json  the stored answers
runs.json, runs/  redtune log: what was asked and found; the trials of the newest {} runs
logs/  the logs of the newest {} runs
*.err.txt  what a command said on standard error, and how it ended if not well

The host's name is written HOST; USER stands for who ran this, who called sudo, who owns redtune's
folders and who holds a device; ~ for their homes. Also where one of these names is a word of redtune,
such as max. All else is as it was: paths outside homes, PATH, LD_LIBRARY_PATH, REDTUNE_* and the other
variables that doctor shows, the commands that hold devices, names of other processes on them, the
kernel's version, PCI addresses, UUIDs, and other names in those.
)";

/// Whose owners redtune doctor tells.
std::vector<std::filesystem::path> folders(const Options& options) {
  std::vector<std::filesystem::path> found = LeasePlaces::of_this_user().folders;
  if (const auto store = cache::store_path(options.text("cache"))) {
    std::error_code error;
    const auto absolute = std::filesystem::absolute(*store, error);
    if (!error) found.push_back(absolute.parent_path());
  }
  for (const auto& folder : {cache::logs_folder(), cache::binaries_folder()}) {
    if (folder) found.push_back(*folder);
  }
  return found;
}

std::vector<BundleMember> collect(const Options& options) {
  CommandWords cache;
  if (options.has("cache")) cache = {"--cache", options.text("cache")};
  CommandWords doctor = joined({"doctor"}, cache);
  if (options.has("device")) doctor.insert(doctor.end(), {"--device", options.text("device")});
  if (options.has("measure")) doctor.emplace_back("--measure");
  CommandRecorder recorder(worker_command().front(), most_time);
  recorder.record("doctor.txt", doctor, Opens::devices);
  recorder.record("doctor.json", joined(doctor, {"--json"}), Opens::devices);
  recorder.record("devices.txt", {"devices"}, Opens::devices);
  recorder.record("devices.json", {"devices", "--json"}, Opens::devices);
  const std::string list =
      recorder.record("runs.json", joined({"log", "--json"}, cache), Opens::nothing);
  record_runs(recorder, list, cache);
  std::vector<BundleMember> members{
      {"README.txt", fmt::format(fmt::runtime(what_is_inside), version, most_logs, most_logs)}};
  if (const auto store = cache::store_path(options.text("cache"))) {
    members.push_back({"results.json", results_in(cache::snapshot_of(*store))});
  }
  for (const BundleMember& member : recorder.members()) members.push_back(member);
  for (BundleMember& log : logs()) members.push_back(std::move(log));
  return members;
}

/// Throws UsageError for a file that must not be written, IoError for one that cannot be.
int write_doctor_bundle(const Options& options) {
  const std::filesystem::path file = options.text("bundle");
  check_bundle_file(file);  // before anybody waits
  Private secrets = Private::here(folders(options));
  std::vector<BundleMember> members = collect(options);
  // Of those who came meanwhile.
  for (const std::string& user : Private::here(folders(options)).users) secrets.add_user(user);
  for (BundleMember& member : members) member.text = scrubbed(member.text, secrets);
  const std::uintmax_t bytes = write_bundle(file, members);
  if (options.has("json")) {
    Json names = Json::array();
    for (const BundleMember& member : members) names.push_back(member.name);
    print_json({{"bundle", file.string()}, {"bytes", bytes}, {"files", names}});
    return 0;
  }
  for (const BundleMember& member : members) {
    say("{:>10} {}\n", member.text.size(), member.name);
  }
  say("{}: {} files, {} bytes; look into it before you send it\n", file.string(), members.size(),
      bytes);
  return 0;
}

}  // namespace

int run_doctor(const Options& options) {
  if (options.has("bundle")) return write_doctor_bundle(options);
  const device::Registry& registry = runtime::registry();
  const std::string asked = options.text("device");
  Examination found{examine_versions(), examine_devices(registry, asked),
                    examine_compilers(registry, asked)};
  if (options.has("measure")) {
    found.push_back(examine_noise({.device = asked.empty() ? "auto" : asked,
                                   .device_worker = device_worker_command(),
                                   .compile_worker = worker_command()}));
  }
  found.push_back(examine_folders(options.text("cache")));
  found.push_back(examine_environment());
  if (options.has("json")) {
    print_json(json_of(found));
  } else {
    fmt::print("{}", text_of(found));
  }
  return static_cast<int>(has_problem(found) ? ExitCode::failed : ExitCode::done);
}

}  // namespace redtune::cli
