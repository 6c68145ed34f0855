// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What is known of a kernel that somebody else wrote: what can be tuned, how it is launched, on
// which data, and when its results are right. docs/reference/own_kernels.md is for those who write
// one; read_description.hpp reads it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernel_templates/description/formula.hpp"
#include "redtune/dtype.hpp"

namespace redtune::kernels {

struct TunableValue {
  std::string text;             ///< as the kernel's text gets it
  std::optional<Value> number;  ///< as expressions know it; words have none

  bool operator==(const TunableValue&) const = default;
};

struct Tunable {
  std::string name;
  std::vector<TunableValue> values;  ///< one at least, each once
  std::size_t default_index = 0;

  bool operator==(const Tunable&) const = default;
};

/// A size of the problem; each of its values is a problem of its own.
struct NamedSize {
  std::string name;
  std::vector<std::int64_t> values;

  bool operator==(const NamedSize&) const = default;
};

/// A type of elements: a number, or several that are loaded together, like float4.
struct ElementType {
  DType dtype = DType::f32;
  int lanes = 1;

  [[nodiscard]] std::size_t bytes() const {
    return size_of(dtype) * static_cast<std::size_t>(lanes);
  }
  bool operator==(const ElementType&) const = default;
};

/// "float", "unsigned int", "float4", as in the kernel's text.
[[nodiscard]] std::string to_string(const ElementType& type);

enum class FillKind {
  none,  ///< outputs: what lies there before is no part of the problem
  zero,
  constant,  ///< all are low
  uniform,   ///< at random from low to high
  counting,  ///< 0, 1, 2, ...
  formula,   ///< calculated from the index, i
  file,      ///< the bytes of a file
};

struct Fill {
  FillKind kind = FillKind::none;
  double low = 0;
  double high = 0;
  Formula formula = {};
  std::string path = {};  ///< beside the file that names it

  bool operator==(const Fill&) const = default;
};

enum class ArgumentKind {
  scalar,
  buffer,    ///< an address of the device's memory
  constant,  ///< a variable of the kernel's text in constant memory; no argument of a call
};
/// scratch: what launches leave for each other; nobody looks at it after.
enum class Access { in, out, inout, scratch };

struct KernelArgument {
  ArgumentKind kind = ArgumentKind::scalar;
  ElementType type;
  std::string name;
  Access access = Access::in;
  Formula amount;                       ///< elements of a buffer; the value of a scalar
  std::optional<double> fraction = {};  ///< the value of a scalar that no formula is
  Fill fill = {};
  Place place = {};

  [[nodiscard]] bool is_memory() const { return kind != ArgumentKind::scalar; }
  [[nodiscard]] bool is_output() const { return access == Access::out || access == Access::inout; }
  bool operator==(const KernelArgument& other) const {
    return kind == other.kind && type == other.type && name == other.name &&
           access == other.access && amount == other.amount && fraction == other.fraction &&
           fill == other.fill;
  }
};

/// A kernel with its geometry. Launches of a description run in their order and share buffers.
struct KernelLaunch {
  std::string kernel;  ///< a name, or an instantiation whose arguments may be tunables
  std::array<Formula, 3> block;
  std::array<Formula, 3> grid;
  Formula shared;                      ///< bytes of dynamic shared memory
  std::vector<std::size_t> arguments;  ///< of the description, in call order
  Place place = {};

  bool operator==(const KernelLaunch& other) const {
    return kernel == other.kernel && block == other.block && grid == other.grid &&
           shared == other.shared && arguments == other.arguments;
  }
};

/// How far a number may be off. It is right when it is near enough in one of these ways; all 0: it
/// has to be the same.
struct Tolerance {
  double absolute = 0;
  double relative = 0;  ///< of what is expected
  double ulps = 0;      ///< floats of its type between both

  bool operator==(const Tolerance&) const = default;
};

/// What an output is compared with.
enum class Authority { default_config, kernel, file };

struct OutputCheck {
  std::size_t output = 0;  ///< an argument
  Tolerance tolerance;
  Authority authority = Authority::default_config;
  std::size_t reference = 0;  ///< a launch of the description's references
  std::string path = {};      ///< of a file with its elements, beside the file that names it

  bool operator==(const OutputCheck&) const = default;
};

struct KernelDescription {
  std::string name;  ///< of the kernel, for people: without its template arguments
  std::string text_file;
  std::vector<Tunable> tunables;
  std::vector<Formula> requirements;
  std::vector<NamedSize> sizes;
  std::vector<KernelLaunch> launches;    ///< one at least
  std::vector<KernelLaunch> references;  ///< that some check names
  std::vector<KernelArgument> arguments;
  std::vector<OutputCheck> checks;   ///< one for each output, in the order of arguments
  std::optional<Formula> traffic;    ///< bytes that the device's memory has to move
  std::vector<std::string> remarks;  ///< what was read and is of no effect

  bool operator==(const KernelDescription& other) const {
    return name == other.name && text_file == other.text_file && tunables == other.tunables &&
           requirements == other.requirements && sizes == other.sizes &&
           launches == other.launches && references == other.references &&
           arguments == other.arguments && checks == other.checks && traffic == other.traffic;
  }
};

/// What a formula of a fill knows: the index of an element.
inline constexpr std::string_view index_name = "i";

/// Names that expressions know beside tunables, sizes and ELEMENT_NAME, the bytes of an element of
/// an argument.
inline constexpr std::string_view wave_name = "WAVE";          ///< lanes of a wave
inline constexpr std::string_view units_name = "UNITS";        ///< compute units of the device
inline constexpr std::string_view shared_name = "SHARED_MAX";  ///< bytes that a block may share
inline constexpr std::string_view element_prefix = "ELEMENT_";

}  // namespace redtune::kernels
