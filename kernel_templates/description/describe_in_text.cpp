// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "kernel_templates/description/describe_in_text.hpp"

#include <fmt/format.h>

namespace redtune::kernels {

std::string to_string(const Fill& fill) {
  switch (fill.kind) {
    case FillKind::zero:
      return "zero";
    case FillKind::constant:
      return fmt::format("constant({})", fill.low);
    case FillKind::uniform:
      return fmt::format("uniform({}, {})", fill.low, fill.high);
    case FillKind::counting:
      return "counting";
    case FillKind::formula:
      return fmt::format("each({})", fill.formula.expression.text());
    case FillKind::file:
      return fmt::format("file {}", fill.path);
    default:
      return {};
  }
}

std::string_view to_string(Access access) {
  switch (access) {
    case Access::in:
      return "in";
    case Access::out:
      return "out";
    case Access::inout:
      return "inout";
    default:
      return "scratch";
  }
}

std::string to_string(const Tolerance& tolerance) {
  std::string text;
  const auto add = [&](double amount, std::string_view unit) {
    if (amount == 0) return;
    text += fmt::format("{}{}{}", text.empty() ? "within " : " or ", amount, unit);
  };
  add(tolerance.absolute, "");
  add(tolerance.relative, " relative");
  add(tolerance.ulps, " ulps");
  return text.empty() ? "exact" : text;
}

std::string to_string(const KernelDescription& description, const OutputCheck& check) {
  const std::string near =
      fmt::format("{} {}", description.arguments[check.output].name, to_string(check.tolerance));
  switch (check.authority) {
    case Authority::kernel:
      return fmt::format("{} of kernel {}", near, description.references[check.reference].kernel);
    case Authority::file:
      return fmt::format("{} of file {}", near, check.path);
    default:
      return near + " of default";
  }
}

}  // namespace redtune::kernels
