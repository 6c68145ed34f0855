// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "bench/compare/text.hpp"

#include <iomanip>
#include <sstream>

namespace redtune::compare {
namespace {

std::string padding(std::string_view text, std::size_t width) {
  return std::string(text.size() < width ? width - text.size() : 0, ' ');
}

}  // namespace

std::string fixed(double value, int digits) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(digits) << value;
  return text.str();
}

std::string left(std::string_view text, std::size_t width) {
  return std::string(text) + padding(text, width);
}

std::string right(std::string_view text, std::size_t width) {
  return padding(text, width) + std::string(text);
}

}  // namespace redtune::compare
