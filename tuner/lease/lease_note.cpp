// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/lease/lease_note.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "tuner/lease/user_name.hpp"

namespace redtune::tuner {
namespace {

using nlohmann::json;

constexpr std::size_t most_bytes = 16 * 1024;
constexpr std::size_t most_of_command = 2000;  // each byte may become six
constexpr std::size_t most_shown = 200;

/// One line of at most so many bytes, whatever the text holds.
std::string one_line(std::string text) {
  std::ranges::replace_if(
      text, [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
  if (text.size() > most_shown) text.replace(most_shown, std::string::npos, "...");
  return text;
}

std::string own_command_line() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  while (text.ends_with('\0')) text.pop_back();
  std::ranges::replace(text, '\0', ' ');
  return text;
}

}  // namespace

LeaseNote note_of_this_process() {
  const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  return {.pid = getpid(),
          .user = user_name(geteuid()),
          .since = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now)),
          .command = own_command_line()};
}

void write_note(int descriptor, const LeaseNote& note) {
  const json document{{"pid", note.pid},
                      {"user", note.user},
                      {"since", note.since},
                      {"command", note.command.substr(0, most_of_command)}};
  const std::string text = document.dump(-1, ' ', true, json::error_handler_t::replace) + '\n';
  if (ftruncate(descriptor, 0) != 0) return;
  (void)!pwrite(descriptor, text.data(), text.size(), 0);
}

std::optional<LeaseNote> read_note(int descriptor) {
  std::string text(most_bytes, '\0');
  const ssize_t got = pread(descriptor, text.data(), text.size(), 0);
  if (got <= 0) return std::nullopt;
  text.resize(static_cast<std::size_t>(got));
  const json document = json::parse(text, nullptr, false);
  if (!document.is_object()) return std::nullopt;
  const auto word = [&](const char* name) {
    const auto found = document.find(name);
    return found != document.end() && found->is_string() ? found->get<std::string>()
                                                         : std::string();
  };
  const auto pid = document.find("pid");
  if (pid == document.end() || !pid->is_number_integer()) return std::nullopt;
  return LeaseNote{.pid = pid->get<long>(),
                   .user = word("user"),
                   .since = word("since"),
                   .command = word("command")};
}

std::string text_of(const std::optional<LeaseNote>& holder) {
  if (!holder) return "another process, whose number is not recorded";
  std::string text = fmt::format("process {}", holder->pid);
  if (!holder->user.empty()) text += " of " + one_line(holder->user);
  if (!holder->command.empty()) text += " (" + one_line(holder->command) + ")";
  if (!holder->since.empty()) text += ", since " + one_line(holder->since);
  return text;
}

}  // namespace redtune::tuner
