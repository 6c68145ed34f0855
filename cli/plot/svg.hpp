// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What all drawings have in common: they are legible on light and on dark backgrounds.
#pragma once

#include <string>
#include <string_view>

namespace redtune::cli {

/// Of every drawing, in pixels at its own size.
inline constexpr double chart_width = 900;
inline constexpr double chart_top = 48;  ///< what the title takes

/// The begin of a drawing with its title; style: rules of its own, before those for dark
/// backgrounds.
[[nodiscard]] std::string svg_begin(double width, double height, const std::string& title,
                                    std::string_view style);

/// As text of an XML document.
[[nodiscard]] std::string svg_escaped(const std::string& text);

}  // namespace redtune::cli
