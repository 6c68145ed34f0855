// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "kernel_templates/reduce/custom_operator.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>

#include "kernel_templates/text/compiler_log.hpp"
#include "kernel_templates/text/device_names.hpp"
#include "kernel_templates/text/device_text.hpp"
#include "kernel_templates/text/scanned_text.hpp"
#include "redtune/error.hpp"

namespace redtune::kernels {
namespace {

/// What an operator is called where nothing else is known.
std::string_view name_of(const CustomOp& op) {
  return op.name.empty() ? "custom operator" : std::string_view(op.name);
}

/// What compilers are told of the lines behind an operator's text, where they may find out that
/// it does not end as it should.
constexpr std::string_view line_name_behind = "behind the operator";

/// Its name as compilers are told it: within the quotes of a #line.
std::string line_name(const CustomOp& op) {
  std::string name(name_of(op));
  const auto is_awkward = [](char c) { return c == '"' || c == '\\' || (c >= 0 && c < ' '); };
  std::ranges::replace_if(name, is_awkward, '_');
  return name;
}

/// The type that values of a type are computed with.
std::string_view value_type(DType dtype) {
  const bool is_storage = dtype == DType::f16 || dtype == DType::bf16;
  return device_type(is_storage ? DType::f32 : dtype);
}

}  // namespace

void require_operator_text(const CustomOp& op) {
  const auto refuse = [&](std::string_view why) {
    throw UsageError(fmt::format("{}: {}", name_of(op), why));
  };
  if (op.source.find('\0') != std::string::npos) refuse("it is not text: it has a zero byte");
  if (std::ranges::all_of(op.source, [](unsigned char c) { return std::isspace(c) != 0; })) {
    refuse("it is empty; write a struct 'custom' with identity() and combine()");
  }
  const ScannedText scanned(op.source);
  if (const auto& fault = scanned.fault()) {
    throw UsageError(fmt::format("{}:{}: {}", name_of(op), fault->line, fault->what));
  }
  if (scanned.line_of("custom") == 0) refuse("there is no struct 'custom' in it");
}

std::string custom_program(std::string_view kernel_file, const Problem& problem) {
  require_operator_text(problem.custom);
  const std::string_view source = problem.custom.source;
  return fmt::format(
      R"({}
namespace redtune_custom {{
typedef {} element;
typedef {} accumulator;
typedef {} result;
namespace given {{
REDTUNE_USER_TEXT_BEGINS
#line 1 "{}"
{}
#line 1 "{}"
;
REDTUNE_USER_TEXT_ENDS
typedef custom type;
}}
}}
namespace redtune {{
struct custom_operator
    : user_operator<redtune_custom::given::type, redtune_custom::element,
                    redtune_custom::accumulator, redtune_custom::result> {{}};
}}
)",
      program_text(std::array{kernel_file, std::string_view("check_operator.hip.h")}),
      value_type(problem.in), value_type(problem.acc), value_type(problem.out),
      line_name(problem.custom), source, line_name_behind);
}

std::optional<std::string> explain_operator_log(const CustomOp& op, std::string_view log) {
  return explain_log({.name = std::string(name_of(op)),
                      .line_name = line_name(op),
                      .line_name_behind = std::string(line_name_behind),
                      .source = op.source},
                     log);
}

std::vector<std::string> check_kernel_names(const Problem& problem) {
  const std::string op = device_operator(problem.op);
  const std::string_view in = device_type(problem.in);
  const std::string_view acc = device_type(problem.acc);
  return {fmt::format("redtune::check_triples<{}, {}, {}>", op, in, acc),
          fmt::format("redtune::fold_runs<{}, {}, {}>", op, in, acc),
          fmt::format("redtune::join_runs<{}, {}>", op, acc),
          fmt::format("redtune::leave_all<{}, {}, {}>", op, acc, device_type(problem.out))};
}

}  // namespace redtune::kernels
