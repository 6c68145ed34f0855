// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// T1 1.0.0, the JSON in which tuners exchange what is to be tuned, as it is found: its members
// become statements. Nothing of it is run.
#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
#include <regex>

#include "kernel_templates/description/describe.hpp"
#include "kernel_templates/description/parts.hpp"
#include "kernel_templates/description/python_list.hpp"
#include "kernel_templates/description/read_description.hpp"
#include "kernel_templates/description/t1_node.hpp"
#include "redtune/error.hpp"
#include "redtune/suggest.hpp"
#include "vocabulary/json_bounds.hpp"

namespace redtune::kernels {
namespace {

constexpr std::array<std::string_view, 3> axes{"x", "y", "z"};
constexpr std::array<std::string_view, 3> upper_axes{"X", "Y", "Z"};

/// A type of T1 as C spells it; empty: there is none.
std::string c_type_of(std::string_view type) {
  static constexpr std::array<std::array<std::string_view, 3>, 12> rows{
      {{"bool", "bool", ""},
       {"int8", "int8_t", "char"},
       {"uint8", "uint8_t", "uchar"},
       {"int16", "int16_t", "short"},
       {"uint16", "uint16_t", "ushort"},
       {"int32", "int32_t", "int"},
       {"uint32", "uint32_t", "uint"},
       {"int64", "int64_t", "longlong"},
       {"uint64", "uint64_t", "ulonglong"},
       {"half", "half", "half"},
       {"float", "float", "float"},
       {"double", "double", "double"}}};
  for (const auto& [name, scalar, vector] : rows) {
    if (type == name) return std::string(scalar);
  }
  for (const auto& [name, scalar, vector] : rows) {
    if (vector.empty() || type.size() != name.size() + 1 || !type.starts_with(name)) continue;
    if (type.back() == '2' || type.back() == '4') return fmt::format("{}{}", vector, type.back());
  }
  return {};
}

class T1Description {
 public:
  T1Description(const T1Node& root, const std::string& file) : root_(root), file_(file) {}

  KernelDescription read() {
    require_version();
    const T1Node space = root_.required("ConfigurationSpace");
    const T1Node kernel = root_.required("KernelSpecification");
    add_tunables(space.required("TuningParameters"));
    for (const T1Node& condition : space.member("Conditions").elements()) {
      const T1Node expression =
          condition.value().is_object() ? condition.required("Expression") : condition;
      add("require", expression.expression("a condition"), expression);
    }
    add_constants(root_.member("BenchmarkConfig"));
    add_constants(kernel.member("BenchmarkConfig"));
    add_problem_sizes(kernel.member("ProblemSize"));
    add_kernel(kernel);
    for (const T1Node& argument : kernel.required("Arguments").elements()) add_argument(argument);
    add_checks(kernel.member("ReferenceArguments"));
    const T1Node text_file = kernel.required("KernelFile");
    const DescribedFile from{file_, {}};
    KernelDescription description =
        describe({file_, path_beside(from.folder(), text_file.text("KernelFile"))}, statements_);
    description.remarks = std::move(remarks_);
    return description;
  }

 private:
  void add(std::string key, std::string text, const T1Node& node) {
    statements_.push_back({std::move(key), std::move(text), node.place()});
  }

  void require_version() const {
    const T1Node version = root_.member("General").member("FormatVersion");
    if (!version.is_there()) return;
    const std::string text =
        version.value().is_string() ? version.text("FormatVersion") : version.value().dump();
    if (!text.starts_with("1")) {
      version.refuse(fmt::format("this is version {} of the format; redtune reads 1", text));
    }
  }

  // What is tuned.

  [[nodiscard]] static std::string value_text(const T1Node& node) {
    const T1Json& value = node.value();
    if (value.is_boolean() || value.is_number()) return value.dump();
    if (value.is_string()) return quoted_value(value.get<std::string>(), node.place());
    node.refuse(fmt::format("a value is {}; it must be a number, true, false or a string",
                            value.type_name()));
  }

  void add_tunables(const T1Node& parameters) {
    for (const T1Node& parameter : parameters.elements()) {
      const std::string name = parameter.required("Name").text("Name");
      const T1Node values = parameter.required("Values");
      std::vector<std::string> all;
      if (values.value().is_array()) {
        for (const T1Node& value : values.elements()) all.push_back(value_text(value));
      } else {
        all = values_of_python_list(values.text("Values"), values.place());
      }
      std::string text = fmt::format("{} = {}", name, fmt::join(all, ", "));
      const T1Node otherwise = parameter.member("Default");
      if (otherwise.is_there()) text += fmt::format(" default {}", default_text(otherwise, all));
      tunables_.push_back({name, all});
      add("tune", text, values);
    }
  }

  /// Numbers may be written as texts.
  [[nodiscard]] static std::string default_text(const T1Node& node,
                                                const std::vector<std::string>& values) {
    if (node.value().is_string()) {
      const std::string text = node.value().get<std::string>();
      if (std::ranges::find(values, text) != values.end()) return text;
    }
    return value_text(node);
  }

  void add_constants(const T1Node& constants) {
    if (!constants.value().is_object()) return;
    for (const auto& entry : constants.value().items()) {
      const T1Node node = constants.member(entry.key());
      const T1Json& value = entry.value();
      if (is_name(entry.key()) && value.is_number_integer() && value >= 0) {
        add("size", fmt::format("{} = {}", entry.key(), value.dump()), node);
      } else {
        remarks_.push_back(fmt::format("BenchmarkConfig: '{}' is no whole number", entry.key()));
      }
    }
  }

  void add_problem_sizes(const T1Node& sizes) {
    for (const T1Node& size : sizes.elements()) {
      if (problem_axes_ == axes.size())
        size.refuse("a problem has at most three sizes, x, y and z");
      const Formula formula = Formula::parse(size.expression("ProblemSize"), size.place());
      formula.require_known({});
      const std::int64_t value = formula.whole([](std::string_view) { return Value(); });
      add("size", fmt::format("problem_size_{} = {}", axes[problem_axes_++], value), size);
    }
  }

  // How it is launched.

  void add_kernel(const T1Node& kernel) {
    const T1Node language = kernel.required("Language");
    const std::string written = language.text("Language");
    if (written != "CUDA" && written != "HIP") {
      language.refuse(
          fmt::format("{} is not compiled; redtune tunes kernels in CUDA C++ or HIP", written));
    }
    const T1Node name = kernel.required("KernelName");
    add("kernel", name.text("KernelName"), name);
    for (const T1Node& option : kernel.member("CompilerOptions").elements()) add_option(option);
    const auto block = extents_of(kernel, "LocalSize");
    std::string launch =
        fmt::format("block = {} grid = {}", fmt::join(blocks_of(kernel, block), ", "),
                    fmt::join(grid_of(kernel, block), ", "));
    const T1Node shared = kernel.member("SharedMemory");
    if (shared.is_there()) launch += fmt::format(" shared = {}", shared.expression("SharedMemory"));
    add("launch", launch, kernel);
  }

  /// "-DNAME=VALUE" is a tunable of one value.
  void add_option(const T1Node& option) {
    const std::string text = option.text("a compiler option");
    const std::size_t is = text.find('=');
    const std::string_view name = std::string_view(text).substr(
        2 < text.size() ? 2 : text.size(), is == std::string::npos ? is : is - 2);
    if (text.starts_with("-D") && is_name(name)) {
      const std::string value = is == std::string::npos ? "1" : text.substr(is + 1);
      const bool is_number = value.find_first_not_of("0123456789") == std::string::npos;
      add("tune",
          fmt::format("{} = {}", name,
                      is_number && !value.empty() ? value : quoted_value(value, option.place())),
          option);
    } else {
      remarks_.push_back(fmt::format("the compiler option '{}' is not passed on", text));
    }
  }

  /// X, Y and Z of an object; none where it is not there.
  [[nodiscard]] static std::vector<std::string> extents_of(const T1Node& kernel,
                                                           const std::string& name) {
    std::vector<std::string> extents;
    const T1Node sizes = kernel.member(name);
    if (!sizes.is_there()) return extents;
    for (const std::string_view axis : upper_axes) {
      const T1Node extent = sizes.member(std::string(axis));
      if (!extent.is_there()) break;
      extents.push_back(extent.expression(name));
    }
    if (extents.empty()) sizes.refuse("here 'X' is missing");
    return extents;
  }

  [[nodiscard]] bool is_tunable(std::string_view name) const {
    return find_named(tunables_, name) != nullptr;
  }

  /// LocalSize, or the tunables by which other tuners know a block.
  [[nodiscard]] std::vector<std::string> blocks_of(const T1Node& kernel,
                                                   const std::vector<std::string>& told) const {
    if (!told.empty()) return told;
    std::vector<std::string> block;
    for (const std::string_view axis : axes) {
      const std::string name = fmt::format("block_size_{}", axis);
      if (!is_tunable(name)) break;
      block.push_back(name);
    }
    if (block.empty()) kernel.refuse("here 'LocalSize' is missing, and no tunable is block_size_x");
    return block;
  }

  [[nodiscard]] std::vector<std::string> grid_of(const T1Node& kernel,
                                                 const std::vector<std::string>& block) const {
    const bool is_divided = std::ranges::any_of(upper_axes, [&](auto axis) {
      return kernel.member(fmt::format("GridDiv{}", axis)).is_there();
    });
    if (problem_axes_ > 0 && (is_divided || !kernel.member("GlobalSize").is_there())) {
      return divided_grid(kernel, blocks_of(kernel, block), is_divided);
    }
    std::vector<std::string> grid = extents_of(kernel, "GlobalSize");
    if (grid.empty()) kernel.refuse("here 'GlobalSize' is missing, or 'ProblemSize'");
    const T1Node type = kernel.member("GlobalSizeType");
    if (type.is_there() && type.text("GlobalSizeType") == "OpenCL") {
      const std::vector<std::string> threads = blocks_of(kernel, block);
      for (std::size_t i = 0; i < grid.size() && i < threads.size(); ++i) {
        grid[i] = fmt::format("ceil(({}) / ({}))", grid[i], threads[i]);
      }
    }
    return grid;
  }

  [[nodiscard]] std::vector<std::string> divided_grid(const T1Node& kernel,
                                                      const std::vector<std::string>& block,
                                                      bool is_divided) const {
    std::vector<std::string> grid;
    for (std::size_t i = 0; i < problem_axes_; ++i) {
      std::vector<std::string> divisors;
      for (const T1Node& one : kernel.member(fmt::format("GridDiv{}", upper_axes[i])).elements()) {
        divisors.push_back(fmt::format("({})", one.expression("a divisor of the grid")));
      }
      if (!is_divided && i < block.size()) divisors.push_back(fmt::format("({})", block[i]));
      const std::string size = fmt::format("problem_size_{}", axes[i]);
      grid.push_back(divisors.empty()
                         ? size
                         : fmt::format("ceil({} / ({}))", size, fmt::join(divisors, " * ")));
    }
    return grid;
  }

  // What it works on.

  void add_argument(const T1Node& argument) {
    const T1Node written_type = argument.required("Type");
    const std::string type = c_type_of(written_type.text("Type"));
    if (type.empty()) {
      written_type.refuse(
          fmt::format("arguments of type '{}' are not known; known: bool, int8 to "
                      "int64, uint8 to uint64, half, float, double, and vectors "
                      "like float4",
                      written_type.text("Type")));
    }
    const std::string name = argument.member("Name").is_there()
                                 ? argument.member("Name").text("Name")
                                 : fmt::format("argument_{}", arguments_.size());
    const T1Node memory = argument.member("MemoryType").is_there() ? argument.member("MemoryType")
                                                                   : argument.required("MemType");
    const T1Node other_memory = argument.member("MemType");
    const bool is_constant =
        memory.text("MemoryType") == "Symbol" ||
        (other_memory.is_there() && other_memory.text("MemType") == "Constant");
    const std::string kind = memory.text("MemoryType");
    if (kind == "Scalar") {
      add("arg", fmt::format("{} {} = {}", type, name, scalar_of(argument)), argument);
    } else if (kind == "Vector" || is_constant) {
      add_memory(argument, fmt::format("{} {}", type, name), is_constant);
    } else {
      memory.refuse(
          fmt::format("memory of type '{}' is not known; known: Scalar, Vector, Symbol; "
                      "what blocks share is told by SharedMemory",
                      kind));
    }
    const bool is_float =
        type.starts_with("half") || type.starts_with("float") || type.starts_with("double");
    arguments_.push_back({name, is_output(argument) && is_float && kind != "Scalar"});
  }

  [[nodiscard]] static bool is_output(const T1Node& argument) {
    const T1Node told = argument.member("Output");
    if (told.is_there() && told.value() != false && told.value() != 0) return true;
    const T1Node access = argument.member("AccessType");
    return access.is_there() && access.text("AccessType") != "ReadOnly";
  }

  [[nodiscard]] static std::string scalar_of(const T1Node& argument) {
    const T1Node type = argument.member("FillType");
    if (type.is_there() && type.text("FillType") != "Constant") {
      type.refuse("a scalar is filled by FillType Constant");
    }
    const T1Node value = argument.required("FillValue");
    if (value.value().is_number_float()) return fmt::format("{}", value.value().get<double>());
    if (value.value().is_boolean()) return value.value().dump();
    return value.expression("FillValue");
  }

  void add_memory(const T1Node& argument, const std::string& declared, bool is_constant) {
    std::string text = fmt::format("{}[{}]", declared, size_of_argument(argument));
    const T1Node access = argument.member("AccessType");
    const bool is_only_written = access.is_there() && access.text("AccessType") == "WriteOnly";
    if (is_constant) {
      text = fmt::format("constant {} {}", text, fill_of(argument));
    } else if (!is_output(argument)) {
      text += " in " + fill_of(argument);
    } else if (is_only_written || !argument.member("FillType").is_there()) {
      text += " out";
    } else {
      text += " inout " + fill_of(argument);
    }
    add("arg", text, argument);
  }

  /// In a size, max() and min() of a tunable are those of all its values.
  [[nodiscard]] std::string size_of_argument(const T1Node& argument) const {
    std::string size = argument.required("Size").expression("Size");
    static const std::regex extreme(R"re(\b(max|min)\(\s*([A-Za-z_]\w*)\s*\))re");
    std::smatch found;
    std::string rest = size;
    size.clear();
    while (std::regex_search(rest, found, extreme)) {
      const Listed* tunable = find_named(tunables_, found[2].str());
      const std::string all =
          tunable == nullptr ? found[2].str() : fmt::format("{}", fmt::join(tunable->values, ", "));
      size += fmt::format("{}{}({})", found.prefix().str(), found[1].str(), all);
      rest = found.suffix();
    }
    return size + rest;
  }

  /// Where a fill's numbers are: text, number or nothing.
  [[nodiscard]] static std::optional<double> fill_value_of(const T1Node& argument) {
    const T1Node value = argument.member("FillValue");
    if (!value.is_there()) return std::nullopt;
    if (value.value().is_number()) return value.value().get<double>();
    const Formula formula = Formula::parse(value.expression("FillValue"), value.place());
    formula.require_known({});
    const Value number = formula.value([](std::string_view) { return Value(); });
    return static_cast<double>(number.numerator()) / static_cast<double>(number.denominator());
  }

  [[nodiscard]] static std::string fill_of(const T1Node& argument) {
    const T1Node type = argument.required("FillType");
    const std::string fill = type.text("FillType");
    const std::optional<double> value = fill_value_of(argument);
    if (fill == "Constant") {
      if (!value) argument.refuse("here 'FillValue' is missing");
      return *value == 0 ? "zero" : fmt::format("constant({})", *value);
    }
    if (fill == "Random") return fmt::format("uniform(0, {})", value.value_or(1));
    if (fill == "Generator") {
      const std::string formula = argument.required("DataSource").expression("DataSource");
      return formula == index_name ? "counting" : fmt::format("each({})", formula);
    }
    if (fill == "BinaryRaw") return "file " + source_of(argument);
    type.refuse(
        fmt::format("FillType {} is not read: redtune runs no code of descriptions and "
                    "reads no HDF5; take Constant, Random, Generator or BinaryRaw",
                    fill));
  }

  [[nodiscard]] static std::string source_of(const T1Node& node) {
    const T1Node source = node.required("DataSource");
    return quoted_value(source.text("DataSource"), source.place());
  }

  // When it is right.

  /// Floats that nothing is said of are compared as by Kernel Tuner.
  void add_checks(const T1Node& references) {
    std::vector<std::string> told;
    for (const T1Node& reference : references.elements()) {
      const std::string target = reference.required("TargetName").text("TargetName");
      const T1Node type = reference.required("FillType");
      if (type.text("FillType") != "BinaryRaw") {
        type.refuse(fmt::format("expected values of FillType {} are not read; take BinaryRaw",
                                type.text("FillType")));
      }
      add("check",
          fmt::format("{} {} of file {}", target, nearness_of(reference), source_of(reference)),
          reference);
      told.push_back(target);
    }
    for (const Written& argument : arguments_) {
      if (!argument.is_checked_float || std::ranges::find(told, argument.name) != told.end())
        continue;
      add("check", fmt::format("{} within 1e-6 of default", argument.name), references);
    }
  }

  [[nodiscard]] std::string nearness_of(const T1Node& reference) {
    const T1Node threshold = reference.member("ValidationThreshold");
    if (!threshold.is_there() || threshold.value() == 0) return "exact";
    if (!threshold.value().is_number()) threshold.refuse("ValidationThreshold must be a number");
    const T1Node method = reference.member("ValidationMethod");
    const std::string way =
        method.is_there() ? method.text("ValidationMethod") : "SideBySideComparison";
    const auto within = fmt::format("within {}", threshold.value().get<double>());
    if (way == "SideBySideRelativeComparison") return within + " relative";
    if (way == "AbsoluteDifference") {
      remarks_.push_back("AbsoluteDifference is taken for each element, and not for their sum");
    } else if (way != "SideBySideComparison") {
      method.refuse(
          fmt::format("ValidationMethod {} is not known; known: SideBySideComparison, "
                      "SideBySideRelativeComparison, AbsoluteDifference",
                      way));
    }
    return within;
  }

  struct Listed {
    std::string name;
    std::vector<std::string> values;
  };
  struct Written {
    std::string name;
    bool is_checked_float = false;
  };

  T1Node root_;
  const std::string& file_;
  std::vector<Listed> tunables_;
  std::vector<Written> arguments_;
  std::size_t problem_axes_ = 0;
  std::vector<Statement> statements_;
  std::vector<std::string> remarks_;
};

}  // namespace

KernelDescription description_from_t1(std::string_view text, const std::string& file) {
  constexpr std::size_t most_levels = 32;
  const JsonFit fit = JsonBounds(most_levels, text.size()).fit_of(text);
  if (fit == JsonFit::too_deep) {
    throw UsageError(fmt::format("{}: its JSON is nested too deeply for a description", file));
  }
  T1Json document;
  try {
    document = T1Json::parse(text);
  } catch (const T1Json::parse_error& error) {
    refuse_at(place_in(text, error.byte == 0 ? 0 : error.byte - 1, file),
              "this is no JSON; see https://json.org");
  } catch (const T1Json::exception&) {
    throw UsageError(fmt::format("{}: a number in it is too large", file));
  }
  const JsonPlaces places(text, file);
  return T1Description({document, places, ""}, file).read();
}

}  // namespace redtune::kernels
