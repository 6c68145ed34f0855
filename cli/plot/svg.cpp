// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/plot/svg.hpp"

#include <fmt/format.h>

namespace redtune::cli {
namespace {

constexpr std::string_view light = R"(<style>
  text { font: 12px system-ui, sans-serif; fill: #57606a; }
  .title { font-size: 15px; font-weight: 600; fill: #24292f; }
  .name { text-anchor: end; }
  .tick { text-anchor: middle; }
  line { stroke: #8c959f; stroke-opacity: 0.4; }
)";

constexpr std::string_view dark = R"(  @media (prefers-color-scheme: dark) {
    text { fill: #adbac7; }
    .title { fill: #e6edf3; }
  }
</style>
)";

}  // namespace

std::string svg_begin(double width, double height, const std::string& title,
                      std::string_view style) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:g}\" height=\"{1:g}\" "
      "viewBox=\"0 0 {0:g} {1:g}\" role=\"img\" aria-label=\"{2}\">\n{3}{4}{5}"
      "<text class=\"title\" x=\"12\" y=\"22\">{2}</text>\n",
      width, height, svg_escaped(title), light, style, dark);
}

std::string svg_escaped(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

}  // namespace redtune::cli
