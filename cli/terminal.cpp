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

ProgressLine::ProgressLine() : in_place_(is_capable(stderr)) {}

ProgressLine::~ProgressLine() {
  clear();
}

void ProgressLine::show(double share, const std::string& text) {
  const auto now = Clock::now();
  if (now - last_ < (in_place_ ? Clock::duration(in_place_pause) : Clock::duration(plain_pause))) {
    return;
  }
  last_ = now;
  if (!in_place_) {
    fmt::print(stderr, "{:3.0f} %  {}\n", share * 100, text);
    return;
  }
  const auto full = static_cast<std::size_t>(share * bar_width);
  const std::string line = fmt::format("[{:<{}}] {}", std::string(full, '#'), bar_width, text);
  fmt::print(stderr, "\r\x1b[K{}", line.substr(0, columns() - 1));
  std::fflush(stderr);
  is_drawn_ = true;
}

void ProgressLine::clear() {
  if (is_drawn_) fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
  is_drawn_ = false;
}

}  // namespace redtune::cli
