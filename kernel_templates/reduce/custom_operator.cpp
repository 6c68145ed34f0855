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
#include "redtune/error.hpp"
#include "vocabulary/operator_structs.hpp"
#include "vocabulary/scanned_text.hpp"

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

/// A name that the text has for itself, or has none for: then it is the problem's type.
std::string type_definition(std::string_view name, bool is_struct, DType type) {
  return is_struct ? "" : fmt::format("typedef {} {};\n", value_type(type), name);
}

/// A struct of the text is as large as it was read to be, unless macros made something else of it.
std::string size_check(std::string_view name, std::size_t bytes) {
  return fmt::format(
      "static_assert(sizeof(redtune_custom::given::type::{0}) == {1}, \"redtune says: struct {0} "
      "must stand there as it is, without macros\");\n",
      name, bytes);
}

/// The type that custom_members.hip.h takes: what the members of an accumulator are, where they
/// stand in its words, and what comes out.
std::string members_text(const Problem& problem, const OperatorStructs& structs) {
  const bool is_struct = !structs.accumulator.empty();
  const bool has_result = !structs.result.empty() && !structs.gives_accumulator;
  std::string stores;
  std::string loads;
  std::string magnitudes;
  for (const auto& [name, type, offset] : accumulator_members(problem)) {
    const std::string member = is_struct ? '.' + name : "";
    const std::string_view word = device_type(type);
    const std::size_t at = offset / sizeof(std::uint32_t);
    stores += fmt::format("    member_word<{}>::store(from{}, to.w + {});\n", word, member, at);
    loads += fmt::format("    to{} = member_word<{}>::load(from.w + {});\n", member, word, at);
    magnitudes += fmt::format("    member_word<{}>::make_positive(of.w + {});\n", word, at);
  }
  std::string checks;
  if (is_struct) checks += size_check("accumulator", structs.struct_bytes);
  if (has_result) checks += size_check("result", structs.result_bytes);
  return fmt::format(
      R"({}struct custom_members {{
  typedef {} type;
  static constexpr int words = {};
  static constexpr bool is_struct = {};
  static constexpr bool gives_one = {};
  static constexpr bool gives_accumulator = {};
  static REDTUNE_DEVICE member_words<words> store(const type& from) {{
    member_words<words> to;
{}    return to;
  }}
  static REDTUNE_DEVICE type load(const member_words<words>& from) {{
    type to;
{}    return to;
  }}
  static REDTUNE_DEVICE member_words<words> magnitudes(member_words<words> of) {{
{}    return of;
  }}
}};
)",
      checks,
      is_struct ? "redtune_custom::given::type::accumulator" : "redtune_custom::accumulator",
      accumulator_bytes(problem) / sizeof(std::uint32_t), is_struct, structs.result.empty(),
      structs.gives_accumulator, stores, loads, magnitudes);
}

/// The operator itself, behind the user's text.
std::string operator_text(const Problem& problem) {
  const auto structs = structs_of(problem.custom, problem.in);
  if (!structs->has_members()) {
    return R"(struct custom_operator
    : user_operator<redtune_custom::given::type, redtune_custom::element,
                    redtune_custom::accumulator, redtune_custom::result> {};
)";
  }
  const std::string_view result = structs->gives_accumulator ? "given::type::accumulator"
                                  : structs->result.empty()  ? "result"
                                                             : "given::type::result";
  return members_text(problem, *structs) + fmt::format(R"(struct custom_operator
    : user_operator_of_members<redtune_custom::given::type, redtune_custom::element,
                               redtune_custom::{}, custom_members> {{}};
)",
                                                       result);
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
  const auto structs = structs_of(problem.custom, problem.in);
  const bool has_result = !structs->result.empty() && !structs->gives_accumulator;
  return fmt::format(
      R"({}
namespace redtune_custom {{
typedef {} element;
{}{}namespace given {{
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
{}}}
)",
      program_text(std::array{kernel_file, std::string_view("check_operator.hip.h")}),
      value_type(problem.in),
      type_definition("accumulator", !structs->accumulator.empty(), problem.acc),
      type_definition("result", has_result, problem.out), line_name(problem.custom),
      problem.custom.source, line_name_behind, operator_text(problem));
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
          fmt::format("redtune::combine_triples<{}, {}>", op, acc),
          fmt::format("redtune::fold_runs<{}, {}, {}>", op, in, acc),
          fmt::format("redtune::join_runs<{}, {}>", op, acc),
          fmt::format("redtune::leave_all<{}, {}, {}>", op, acc, device_type(problem.out))};
}

}  // namespace redtune::kernels
