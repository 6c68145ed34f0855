// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/worker/device_watch.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <unistd.h>

namespace redtune::tuner {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

constexpr auto listed_when_gone = 3s;
/// More generations than there are between a service and its compilers' children.
constexpr int most_generations = 32;

/// 0: there is none, or it is not told.
pid_t parent_of(pid_t process) {
  std::ifstream file(fmt::format("/proc/{}/stat", process));
  std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto name_end = text.rfind(')');  // a name may hold anything
  if (name_end == std::string::npos) return 0;
  char state = 0;
  pid_t parent = 0;
  const std::string rest = text.substr(name_end + 1);
  return std::sscanf(rest.c_str(), " %c %d", &state, &parent) == 2 ? parent : 0;
}

bool descends_from(pid_t process, pid_t from) {
  for (int i = 0; i < most_generations && process > 1; ++i) {
    if (process == from) return true;
    process = parent_of(process);
  }
  return false;
}

/// Also of one whose files this user may not see.
bool is_there(pid_t process) {
  return kill(process, 0) == 0 || errno == EPERM;
}

bool was_started_with(pid_t process, const std::string& word) {
  std::ifstream file(fmt::format("/proc/{}/cmdline", process), std::ios::binary);
  std::string words{std::istreambuf_iterator<char>(file), {}};
  return words.find('\0' + word + '\0') != std::string::npos;
}

}  // namespace

bool Family::is_relative(pid_t process) {
  if (known_.contains(process)) return true;
  if (!descends_from(process, getpid())) return false;
  known_.insert(process);
  return true;
}

DeviceUsers Family::strangers(const DeviceUsers& users,
                              const std::function<std::size_t()>& workers) {
  DeviceUsers found;
  DeviceUsers without_process;
  // Numbers are given again.
  std::erase_if(known_, [&](pid_t process) { return !users.contains(process); });
  for (const auto& user : users) {
    const auto process = static_cast<pid_t>(user.first);
    if (is_relative(process)) continue;
    (is_there(process) ? found : without_process).insert(user);
  }
  if (without_process.empty()) return found;
  if (without_process.size() > workers()) found.merge(without_process);
  return found;
}

std::size_t descendants_with(const std::string& word, pid_t of) {
  std::size_t count = 0;
  std::error_code error;
  for (fs::directory_iterator entry("/proc", error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    pid_t process = 0;
    const auto [last, wrong] = std::from_chars(name.data(), name.data() + name.size(), process);
    if (wrong != std::errc{} || last != name.data() + name.size()) continue;
    if (was_started_with(process, word) && descends_from(process, of)) ++count;
  }
  return count;
}

DeviceWatch::DeviceWatch(const WorkerCommand& command) : worker_(DeviceWorker::Unasked{}, command) {
  worker_.ask_later("find", {{"device", command.device}});
}

bool DeviceWatch::is_found(std::chrono::milliseconds patience) {
  if (is_found_) return true;
  if (!worker_.is_answered(patience)) return false;
  device_ = decode_device(worker_.take_answer("find"));
  is_found_ = true;
  since_.reset();
  return true;
}

void DeviceWatch::let_end() {
  if (since_)
    give_up();
  else
    worker_.let_end();
}

std::size_t DeviceWatch::workers_of(pid_t tuner) {
  const auto now = Clock::now();
  const std::size_t count = tuner > 0 ? descendants_with("device-worker", tuner) : 0;
  if (count >= most_workers_ || now > most_until_) {
    most_workers_ = count;
    most_until_ = now + listed_when_gone;
  }
  return most_workers_;
}

std::optional<std::string> DeviceWatch::strangers(pid_t tuner, std::chrono::milliseconds patience) {
  if (!is_found(patience)) return std::nullopt;
  if (!since_) {
    worker_.ask_later("users", nlohmann::json::object());
    since_ = Clock::now();
  }
  if (!worker_.is_answered(patience)) return std::nullopt;
  const auto answer = worker_.take_answer("users");
  since_.reset();
  can_tell_ = answer.is_array();
  if (!can_tell_) return std::string();
  DeviceUsers users;
  for (const auto& one : answer) {
    users[one.at("pid").get<long>()] = one.at("name").get<std::string>();
  }
  std::string text;
  for (const auto& [pid, name] : family_.strangers(users, [&] { return workers_of(tuner); })) {
    text += fmt::format("{}{}{}", text.empty() ? "" : ", ", pid,
                        name.empty() ? "" : fmt::format(" ({})", name));
  }
  return text;
}

}  // namespace redtune::tuner
