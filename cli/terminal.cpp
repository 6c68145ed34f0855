// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/terminal.hpp"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <string_view>
#include <sys/ioctl.h>
#include <unistd.h>

namespace redtune::cli {
namespace {

constexpr auto in_place_pause = std::chrono::milliseconds(100);
constexpr auto plain_pause = std::chrono::seconds(5);
constexpr std::size_t bar_width = 20;

/// A terminal whose cursor can be moved.
bool is_capable(std::FILE* stream) {
  const char* term = std::getenv("TERM");
  return isatty(fileno(stream)) != 0 && term != nullptr && std::string_view(term) != "dumb";
}

std::size_t columns() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

}  // namespace

bool color_wanted(std::FILE* stream) {
  const char* no_color = std::getenv("NO_COLOR");
  return (no_color == nullptr || *no_color == '\0') && is_capable(stream);
}

ProgressLine::ProgressLine()
    : in_place_(is_capable(stderr)), is_quiet_(isatty(STDERR_FILENO) == 0) {}

ProgressLine::~ProgressLine() {
  clear();
}

/// Past the library's buffer: processes are made meanwhile, and none is to inherit a half of a line
/// or a lock.
void ProgressLine::draw(const std::string& line) {
  const std::string text = "\r\x1b[K" + line;
  (void)!write(STDERR_FILENO, text.data(), text.size());
  is_drawn_ = !line.empty();
}

void ProgressLine::show(double share, const std::string& text) {
  if (is_quiet_) return;
  stop_ticking();
  const std::lock_guard lock(drawing_);
  const auto now = Clock::now();
  if (now - last_ < (in_place_ ? Clock::duration(in_place_pause) : Clock::duration(plain_pause))) {
    return;
  }
  last_ = now;
  if (!in_place_) {
    fmt::print(stderr, "{:3.0f} %  {}\n", share * 100, text);
    return;
  }
  const auto full = static_cast<std::size_t>(std::clamp(share, 0.0, 1.0) * bar_width);
  const std::string line = fmt::format("[{:<{}}] {}", std::string(full, '#'), bar_width, text);
  draw(line.substr(0, columns() - 1));
}

void ProgressLine::begin(const std::string& what) {
  if (is_quiet_) return;
  stop_ticking();
  if (!in_place_) return show(0, what);
  const std::lock_guard lock(drawing_);
  stage_ = what;
  stage_begin_ = Clock::now();
  draw(what.substr(0, columns() - 1));
  ticker_ = std::thread([this] { tick(); });
}

void ProgressLine::tick() {
  std::unique_lock lock(drawing_);
  while (!ended_.wait_for(lock, std::chrono::seconds(1), [this] { return stage_.empty(); })) {
    const double seconds = std::chrono::duration<double>(Clock::now() - stage_begin_).count();
    draw(fmt::format("{}, {:.0f} s", stage_, seconds).substr(0, columns() - 1));
  }
}

void ProgressLine::stop_ticking() {
  if (!ticker_.joinable()) return;
  {
    const std::lock_guard lock(drawing_);
    stage_.clear();
    last_ = {};  // what comes next is shown at once
  }
  ended_.notify_all();
  ticker_.join();
}

void ProgressLine::clear() {
  stop_ticking();
  const std::lock_guard lock(drawing_);
  if (is_drawn_) draw("");
}

}  // namespace redtune::cli
