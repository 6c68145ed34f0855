// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/serve/service_manager.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace redtune::cli {
namespace {

std::string take_variable(const char* name) {
  const char* const value = std::getenv(name);
  std::string text = value == nullptr ? "" : value;
  unsetenv(name);
  return text;
}

std::optional<long long> whole_number(const std::string& text) {
  long long number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// A socket in the file system, or with '@' one in the abstract namespace; empty: neither.
std::string socket_address(std::string name) {
  const bool is_one = name.starts_with('/') || name.starts_with('@');
  if (!is_one || name.size() < 2 || name.size() >= sizeof(sockaddr_un::sun_path)) return {};
  if (name[0] == '@') name[0] = '\0';
  return name;
}

}  // namespace

ServiceManager::ServiceManager() {
  address_ = socket_address(take_variable("NOTIFY_SOCKET"));
  const auto period = whole_number(take_variable("WATCHDOG_USEC"));
  const std::string process = take_variable("WATCHDOG_PID");
  if (address_.empty()) return;
  socket_ = device::host::Descriptor(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const bool is_meant = process.empty() || whole_number(process) == getpid();
  // Twice as often as it must be told, as sd_watchdog_enabled(3) advises.
  if (period && *period > 0 && is_meant) every_ = std::chrono::microseconds(*period / 2);
}

/// Who does not listen, or is slow, is not waited for.
bool ServiceManager::send(std::string_view lines) {
  if (!socket_.is_open()) return false;
  sockaddr_un to{};
  to.sun_family = AF_UNIX;
  std::memcpy(to.sun_path, address_.data(), address_.size());
  const auto bytes = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + address_.size());
  return sendto(socket_.get(), lines.data(), lines.size(), MSG_NOSIGNAL,
                reinterpret_cast<const sockaddr*>(&to), bytes) >= 0;
}

void ServiceManager::ready() {
  is_ready_to_tell_ = !send("READY=1");
}

void ServiceManager::stopping() {
  send("STOPPING=1");
}

void ServiceManager::status(const std::string& line) {
  if (line == status_) return;
  std::string one_line = "STATUS=" + line;
  std::ranges::replace_if(
      one_line, [](unsigned char c) { return std::iscntrl(c) != 0; }, ' ');
  if (send(one_line)) status_ = line;
}

void ServiceManager::alive() {
  if (is_ready_to_tell_) ready();
  const auto now = std::chrono::steady_clock::now();
  if (!every_ || now - told_ < *every_) return;
  if (send("WATCHDOG=1")) told_ = now;
}

bool leads_to_journal(int descriptor) {
  const char* const named = std::getenv("JOURNAL_STREAM");  // "DEVICE:INODE"
  struct stat status {};
  return named != nullptr && fstat(descriptor, &status) == 0 &&
         fmt::format("{}:{}", status.st_dev, status.st_ino) == named;
}

}  // namespace redtune::cli
