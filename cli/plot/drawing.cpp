// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/plot/drawing.hpp"

#include <cmath>
#include <fmt/format.h>

#include "tuner/text/printable.hpp"

namespace redtune::cli {
namespace {

// The colours of curves are told apart by most eyes (after Okabe and Ito), each with 3 : 1 or more
// to white and to black. Paper is white however dark the screen is.
constexpr std::string_view chart_rules = R"(.chart {
  --ink: #57606a; --strong: #24292f; --grid: #8c959f66; --mark: #0072b2; --faint: #8c959f;
  --tie: #0072b21f; --other: #b35900;
  --h0: #08306b; --h1: #1f5a9b; --h2: #3f80b8; --h3: #72a8d2; --h4: #a6c8e4; --h5: #cfe0f0;
  --h6: #edf3f9; --on-strong: #ffffff; --on-weak: #24292f;
}
@media screen and (prefers-color-scheme: dark) {
  .chart {
    --ink: #adbac7; --strong: #e6edf3; --grid: #8c959f59; --mark: #58a6ff; --faint: #768390;
    --tie: #58a6ff2b; --other: #f0883e;
    --h0: #cfe6ff; --h1: #9ccbff; --h2: #6cabef; --h3: #4487cd; --h4: #2d659f; --h5: #1f4670;
    --h6: #182d45; --on-strong: #0d1117; --on-weak: #e6edf3;
  }
}
.chart text { font: 12px system-ui, sans-serif; fill: var(--ink); }
.chart .title { font-size: 15px; font-weight: 600; fill: var(--strong); }
.chart .name { text-anchor: end; }
.chart .tick { text-anchor: middle; }
.chart .strong { font-weight: 600; fill: var(--strong); }
.chart .halo { paint-order: stroke; stroke: var(--paper, transparent); stroke-width: 4px; }
.chart line { stroke: var(--grid); }
.chart rect { fill: var(--mark); }
.chart rect.tie { fill: var(--tie); }
.chart polyline { fill: none; stroke-width: 2; }
.chart .whisker { stroke: var(--mark); stroke-width: 2; fill: none; }
.chart .point { fill: var(--mark); stroke: var(--mark); stroke-width: 2; }
.chart .default { stroke: var(--other); }
.chart .point.default { fill: var(--paper, none); }
.chart .point.rough { fill: var(--faint); stroke: var(--faint); }
.chart .reference { stroke: var(--other); stroke-dasharray: 6 4; stroke-width: 1.5; }
.chart .best { fill: none; stroke: var(--mark); stroke-width: 2; }
.chart .dots { fill: none; stroke: var(--faint); stroke-width: 4; stroke-linecap: round; }
.chart .expected { fill: none; stroke: var(--ink); stroke-width: 1.5; stroke-dasharray: 2 3; }
.chart .curve { fill: none; stroke: var(--ink); stroke-width: 1.5; }
.chart .fallback { stroke-width: 1; stroke-dasharray: 5 3; }
.chart .spots { fill: none; stroke-width: 5; stroke-linecap: round; }
.chart .peer { fill: none; stroke: var(--ink); stroke-width: 2; }
.chart .heat { stroke: var(--grid); }
.chart .h0 { fill: var(--h0); } .chart .h1 { fill: var(--h1); } .chart .h2 { fill: var(--h2); }
.chart .h3 { fill: var(--h3); } .chart .h4 { fill: var(--h4); } .chart .h5 { fill: var(--h5); }
.chart .h6 { fill: var(--h6); }
.chart .t0, .chart .t1, .chart .t2 { fill: var(--on-strong); }
.chart .t3, .chart .t4, .chart .t5, .chart .t6 { fill: var(--on-weak); }
.chart .hatch { fill: none; stroke: var(--grid); }
.chart .cross { fill: none; stroke: var(--faint); stroke-width: 1.5; }
.chart .frame { fill: none; stroke: var(--other); stroke-width: 2; }
.chart .frame.default { stroke: var(--other); stroke-dasharray: 4 3; }
.chart .ticks { fill: none; stroke: var(--faint); stroke-width: 1; }
.chart .c0 { stroke: #0072b2; }
.chart .c1 { stroke: #d55e00; }
.chart .c2 { stroke: #008f68; }
.chart .c3 { stroke: #b8578f; }
.chart .c4 { stroke: #8a7a00; }
.chart .c5 { stroke: #5a78d1; }
.chart .c6 { stroke: #a0522d; }
.chart .d1 { stroke-dasharray: 7 4; }
.chart .d2 { stroke-dasharray: 2 3; }
)";

std::string without_markup(const std::string& text) {
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
      case '\'':
        safe += "&#39;";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

bool continues_character(char c) {
  return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
}

}  // namespace

std::string markup(std::string_view text) {
  return without_markup(tuner::printable(text));
}

std::string markup_lines(std::string_view text) {
  std::string marked;
  for (const char character : without_markup(tuner::printable_lines(text))) {
    if (character == '\n')
      marked += "&#10;";
    else
      marked += character;
  }
  return marked;
}

std::string shortened(std::string_view text, std::size_t most) {
  std::size_t characters = 0;
  std::size_t keep = 0;  // bytes of all but the last character that is allowed
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (continues_character(text[at])) continue;
    if (++characters == most) keep = at;
  }
  if (characters <= most) return std::string(text);
  return std::string(text.substr(0, keep)) + "…";
}

std::string_view chart_style() {
  return chart_rules;
}

Drawing::Drawing(const Place& place, double width, double height, const std::string& title,
                 const std::string& about) {
  const std::string id = place.is_page() ? place.id : "chart";
  // In a page a drawing is as wide as its column.
  const std::string size =
      place.is_page() ? "" : fmt::format("width=\"{:g}\" height=\"{:g}\" ", width, height);
  text_ = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" {0}viewBox=\"0 0 {1:g} {2:g}\" "
      "role=\"img\" aria-labelledby=\"{3}-title {3}-desc\">\n<title id=\"{3}-title\">{4}</title>\n"
      "<desc id=\"{3}-desc\">{5}</desc>\n",
      size, width, height, id, markup(title), markup(about));
  if (place.is_page()) return;
  text_ += fmt::format("<style>\n{}</style>\n<text class=\"title\" x=\"12\" y=\"22\">{}</text>\n",
                       chart_rules, markup(title));
}

double step_of(double range, int most) {
  const double power = std::pow(10, std::floor(std::log10(range / most)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (range / (factor * power) <= most) return factor * power;
  }
  return 10 * power;
}

Axis::Axis(double low, double high, Scale scale, double from, double to)
    : low_(low), high_(high), scale_(scale), from_(from), to_(to) {
  if (high_ - low_ > 1e-9 * std::abs(high_)) return;
  // A single value stands in the middle.
  if (scale_ == Scale::logarithmic) {
    low_ = low * 0.9;
    high_ = low * 1.1;
  } else {
    const double around = low == 0 ? 1 : std::abs(low) * 0.1;
    low_ = low - around;
    high_ = low + around;
  }
}

double Axis::at(double value) const {
  const double share = scale_ == Scale::logarithmic
                           ? std::log(value / low_) / std::log(high_ / low_)
                           : (value - low_) / (high_ - low_);
  return from_ + share * (to_ - from_);
}

std::vector<double> Axis::ticks(int most) const {
  std::vector<double> found;
  if (scale_ == Scale::logarithmic && high_ / low_ >= 8) {
    // Powers of ten, and where there are few of them 2 and 5 times those.
    const double decades = std::log10(high_ / low_);
    const bool is_fine = decades * 3 <= most;
    const int stride = std::max(1, static_cast<int>(std::ceil(decades / most)));
    const int last = static_cast<int>(std::floor(std::log10(high_)));
    for (int power = static_cast<int>(std::floor(std::log10(low_))); power <= last; ++power) {
      if (power % stride != 0) continue;
      for (const double factor : {1.0, 2.0, 5.0}) {
        const double value = factor * std::pow(10, power);
        if (value >= low_ && value <= high_ && (is_fine || factor == 1)) found.push_back(value);
      }
    }
    if (found.size() >= 2) return found;
    found.clear();
  }
  const double step = step_of(high_ - low_, most);
  const double first = std::ceil(low_ / step);
  for (int i = 0; i <= most; ++i) {
    const double value = (first + i) * step;
    if (value <= high_ + step * 1e-9) found.push_back(value);
  }
  return found;
}

}  // namespace redtune::cli
