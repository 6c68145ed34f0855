// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/report/kernel_constants.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <fmt/format.h>
#include <map>
#include <string_view>

namespace redtune::cli {
namespace {

struct SizeOfProblem {
  std::string name;
  std::int64_t value;
};

/// A kernel's problem as its name tells it: "row_sum(rows, n)", with the values of its first three
/// sizes as extents, and "stencil(a, b, c, taps=5)".
struct NamedProblem {
  explicit NamedProblem(const Problem& problem) {
    const std::string& text = problem.custom.name;
    const std::size_t open = std::min(text.find('('), text.size());
    kernel = text.substr(0, open);
    const std::array extents{problem.count, problem.outer, problem.inner};
    for (std::size_t at = open + 1; at < text.size();) {
      const std::size_t end = std::min(text.find_first_of(",)", at), text.size());
      const std::string word = text.substr(at, end - at);
      const std::size_t is = word.find('=');
      std::int64_t value = sizes.size() < extents.size() ? extents[sizes.size()] : 0;
      if (is != std::string::npos) {
        std::from_chars(word.data() + is + 1, word.data() + word.size(), value);
      }
      if (!word.empty()) sizes.push_back({word.substr(0, is), value});
      at = end + (text.substr(end, 2) == ", " ? 2 : 1);
    }
  }

  std::string kernel;
  std::vector<SizeOfProblem> sizes;
};

/// What a struct of this header calls members and parameters of its own.
constexpr std::array own_names{"config",   "configs",  "settings", "for_sizes",
                               "distance", "nearest_", "tuned_",   "ratio"};

bool is_member_name(std::string_view name) {
  const auto is_of_name = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0 &&
         std::ranges::all_of(name, is_of_name) &&
         std::ranges::find(own_names, name) == own_names.end();
}

/// Whether members can be called by the names of its sizes and tunables.
bool has_member_names(const cache::StoredBest& result) {
  std::vector<std::string> names;
  for (const SizeOfProblem& size : NamedProblem(result.question.problem).sizes) {
    names.push_back(size.name);
  }
  for (const Setting& tunable : result.best.settings) names.push_back(tunable.name);
  std::ranges::sort(names);
  return std::ranges::all_of(names, is_member_name) &&
         std::ranges::adjacent_find(names) == names.end();
}

std::string name_of_struct(const cache::StoredBest& result) {
  const Problem& problem = result.question.problem;
  std::string name = NamedProblem(problem).kernel;
  std::ranges::replace_if(
      name, [](unsigned char c) { return std::isalnum(c) == 0 && c != '_'; }, '_');
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) != 0) name = '_' + name;
  return problem.cache_mode == CacheMode::cold ? name : name + "_warm";
}

std::vector<std::int64_t> values_of(const cache::StoredBest& result) {
  std::vector<std::int64_t> values;
  for (const SizeOfProblem& size : NamedProblem(result.question.problem).sizes) {
    values.push_back(size.value);
  }
  return values;
}

/// What constants of a tunable are, and how a value is written.
struct TunableType {
  std::string_view type;
  bool (*takes)(const std::string& value);
};

/// As it is written, and no other number in C++: 010 is one.
bool is_whole(const std::string& value) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  return error == std::errc{} && end == value.data() + value.size() &&
         value == fmt::format("{}", number);
}

bool is_truth(const std::string& value) {
  return value == "true" || value == "false";
}

bool is_any(const std::string&) {
  return true;
}

/// The first that takes all values.
constexpr std::array tunable_types{TunableType{"std::int64_t", is_whole},
                                   TunableType{"bool", is_truth},
                                   TunableType{"const char*", is_any}};

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += static_cast<unsigned char>(c) < 0x20 ? '?' : c;
  }
  return result + '"';
}

using BySizes = std::map<std::vector<std::int64_t>, const cache::StoredBest*>;

std::string struct_text(const std::string& name, const BySizes& results) {
  const cache::StoredBest& first = *results.begin()->second;
  const NamedProblem problem(first.question.problem);
  std::string members;
  std::string parameters;
  std::string distance = "1";
  std::string passed;
  for (const auto& [size, _] : problem.sizes) {
    members += fmt::format("    std::int64_t {};  ///< that it was tuned with\n", size);
    parameters += fmt::format("{}std::int64_t {}", parameters.empty() ? "" : ", ", size);
    distance += fmt::format(" * ratio(tuned_.{0}, {0})", size);
    passed += fmt::format(", {}", size);
  }
  std::vector<const TunableType*> types;
  for (const Setting& tunable : first.best.settings) {
    types.push_back(&*std::ranges::find_if(tunable_types, [&](const TunableType& type) {
      return std::ranges::all_of(results, [&](const auto& result) {
        const Settings& settings = result.second->best.settings;
        const auto same = std::ranges::find(settings, tunable.name, &Setting::name);
        return same == settings.end() || type.takes(same->value);
      });
    }));
    members += fmt::format("    {} {};\n", types.back()->type, tunable.name);
  }
  std::string configs;
  for (const auto& [values, result] : results) {
    configs += "      {";
    for (const std::int64_t value : values) configs += fmt::format("{}, ", value);
    for (std::size_t i = 0; i < types.size(); ++i) {
      const Settings& settings = result->best.settings;
      const auto same = std::ranges::find(settings, first.best.settings[i].name, &Setting::name);
      const std::string value = same == settings.end() ? "" : same->value;
      configs += types[i]->takes == is_any ? quoted(value) : value.empty() ? "0" : value;
      configs += ", ";
    }
    configs += fmt::format("{}}},\n", quoted(to_string(result->best.settings)));
  }
  return fmt::format(R"(struct {0} {{
  struct config {{
{1}    const char* settings;  ///< for people
  }};
  static constexpr config configs[] = {{
{2}  }};
  /// That which was tuned with the nearest sizes.
  static constexpr const config& for_sizes({3}) {{
    const config* nearest_ = configs;
    for (const config& tuned_ : configs) {{
      if (distance(tuned_{5}) < distance(*nearest_{5})) nearest_ = &tuned_;
    }}
    return *nearest_;
  }}

 private:
  static constexpr double distance(const config& {6}tuned_{7}{3}) {{
    return {4};
  }}
}};

)",
                     name, members, configs, parameters, distance, passed,
                     problem.sizes.empty() ? "/*" : "", problem.sizes.empty() ? "*/" : ", ");
}

constexpr std::string_view head = R"(
#include <cstdint>

namespace tuned_kernels {

/// How many times one size is another, on the scale that near ones are looked up by: 1 or more.
constexpr double ratio(std::int64_t one, std::int64_t other) {
  const double up = (static_cast<double>(one) + 1) / (static_cast<double>(other) + 1);
  return up < 1 ? 1 / up : up;
}

)";

}  // namespace

KernelConstants::KernelConstants(std::span<const cache::StoredBest> results) {
  Results of_kernels;
  for (const cache::StoredBest& result : results) {
    if (result.question.problem.op == Op::kernel) of_kernels.push_back(&result);
  }
  const auto is_of_older_text = [&](const cache::StoredBest& result) {
    return std::ranges::any_of(of_kernels, [&](const cache::StoredBest* other) {
      return name_of_struct(*other) == name_of_struct(result) &&
             other->question.family != result.question.family &&
             other->generation > result.generation;
    });
  };
  for (const cache::StoredBest* result : of_kernels) {
    const std::string what = describe(result->question.problem);
    if (!has_member_names(*result)) {
      left_out_.push_back(fmt::format("{}, for its names", what));
    } else if (is_of_older_text(*result)) {
      left_out_.push_back(fmt::format("{}, of an older text, {}", what, result->question.family));
    } else {
      results_.push_back(result);
    }
  }
}

std::string KernelConstants::text() const {
  std::map<std::string, BySizes> kernels;
  for (const cache::StoredBest* result : results_) {
    const cache::StoredBest*& known = kernels[name_of_struct(*result)][values_of(*result)];
    if (known == nullptr || known->generation < result->generation) known = result;
  }
  std::string text(head);
  for (const auto& [name, results] : kernels) text += struct_text(name, results);
  return text + "}  // namespace tuned_kernels\n";
}

}  // namespace redtune::cli
