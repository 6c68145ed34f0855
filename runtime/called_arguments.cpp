// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "runtime/called_arguments.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>

#include "redtune/error.hpp"
#include "redtune/suggest.hpp"

namespace redtune::runtime {
namespace {

using detail::Given;
using detail::GivenType;
using kernels::ArgumentKind;
using kernels::KernelArgument;

/// Whoever launches knows neither a config nor a device, and so no number that depends on them.
bool depends_on_config(const KernelArgument& argument,
                       const kernels::KernelDescription& description) {
  const auto& names = argument.amount.expression.names();
  return !argument.fraction && std::ranges::any_of(names, [&](const std::string& name) {
    return name == kernels::wave_name || name == kernels::units_name ||
           std::ranges::find(description.tunables, name, &kernels::Tunable::name) !=
               description.tunables.end();
  });
}

std::string element_text(const GivenType& given) {
  switch (given.what) {
    case Given::number:
      return to_string(kernels::ElementType{given.dtype, 1});
    case Given::nothing:
      return "void";
    default:
      return "what no kernel takes";
  }
}

std::string text_of(const GivenType& given) {
  const bool is_record = given.what == Given::record;
  if (!given.is_pointer) {
    return is_record ? fmt::format("a struct of {} bytes", given.bytes) : element_text(given);
  }
  const std::string_view qualifier = given.is_const ? "const " : "";
  if (is_record) return fmt::format("a pointer to {}structs of {} bytes", qualifier, given.bytes);
  if (given.what == Given::other) return "a pointer to " + element_text(given);
  return fmt::format("{}{}*", qualifier, element_text(given));
}

}  // namespace

CalledArguments::CalledArguments(const kernels::KernelDescription& description)
    : description_(description) {
  for (std::size_t i = 0; i < description.arguments.size(); ++i) {
    const KernelArgument& argument = description.arguments[i];
    const bool is_known =
        argument.kind == ArgumentKind::constant ||
        (argument.kind == ArgumentKind::scalar && depends_on_config(argument, description));
    if (is_known) {
      numbers_.emplace_back();
      continue;
    }
    numbers_.emplace_back(expected_.size());
    expected_.push_back(
        {argument.type.dtype, argument.kind == ArgumentKind::buffer,
         argument.kind == ArgumentKind::buffer && argument.access != kernels::Access::in,
         argument.type.bytes(), i});
  }
}

std::vector<LaunchArgument> CalledArguments::described() const {
  std::vector<LaunchArgument> all;
  for (const Expected& one : expected_) {
    const KernelArgument& argument = description_.arguments[one.argument];
    all.push_back({argument.name, one.is_pointer, one.dtype, argument.type.lanes});
  }
  return all;
}

std::size_t CalledArguments::bytes(std::size_t number) const {
  return expected_[number].is_pointer ? sizeof(void*) : expected_[number].bytes;
}

void CalledArguments::refuse_count(std::size_t given) const {
  std::vector<std::string_view> names;
  for (const Expected& one : expected_) names.push_back(description_.arguments[one.argument].name);
  throw UsageError(fmt::format("{} takes {} argument{}: {}; {} {} given", description_.name,
                               expected_.size(), expected_.size() == 1 ? "" : "s",
                               names.empty() ? "none" : join(names), given,
                               given == 1 ? "was" : "were"));
}

void CalledArguments::refuse_null(std::size_t number) const {
  throw UsageError(fmt::format("{}: the address of argument {}, {}, is a null pointer",
                               description_.name, number + 1,
                               description_.arguments[expected_[number].argument].name));
}

void CalledArguments::refuse_type(std::size_t number, const GivenType& given) const {
  const Expected& expected = expected_[number];
  const KernelArgument& argument = description_.arguments[expected.argument];
  std::string wanted = to_string(argument.type);
  if (expected.is_pointer) {
    wanted = expected.is_written ? fmt::format("{}*, which the kernel writes", wanted)
                                 : fmt::format("const {}*", wanted);
  }
  throw UsageError(fmt::format("{}: argument {}, {}, is {}; {} was given", description_.name,
                               number + 1, argument.name, wanted, text_of(given)));
}

}  // namespace redtune::runtime
