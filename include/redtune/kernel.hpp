// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A kernel of one's own, described by comments in its file, ready to launch with the config that is
// best for its sizes. Never tunes: `redtune tune FILE` does. docs/reference/own_kernels.md.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "redtune/dtype.hpp"
#include "redtune/error.hpp"
#include "redtune/export.hpp"
#include "redtune/find_best.hpp"
#include "redtune/problem.hpp"
#include "redtune/stream.hpp"

namespace redtune {

struct KernelOptions {
  std::string device = "auto";  ///< as for identify_device()
  LookupOptions lookup = {};
  CacheMode cache_mode = CacheMode::cold;  ///< whose results are looked up
};

/// The sizes of a problem, as the kernel's description names them: numbers in the order of the
/// file, {n, k}, or by name, {{"n", n}, {"k", k}}. Takes no memory. Names must outlive it.
class Sizes {
 public:
  static constexpr std::size_t capacity = 16;

  struct Named {
    template <std::integral T>
    constexpr Named(std::string_view its_name, T its_value)
        : name(its_name), value(static_cast<std::int64_t>(its_value)) {}

    std::string_view name;
    std::int64_t value;
  };

  template <std::integral... T>
  requires(sizeof...(T) <= capacity) Sizes(T... values)
      : count_(sizeof...(T)), values_{static_cast<std::int64_t>(values)...} {}
  /// Likewise, of a list. Throws UsageError for more than capacity.
  explicit Sizes(std::span<const std::int64_t> values) : count_(checked(values.size())) {
    std::copy(values.begin(), values.end(), values_.begin());
  }
  /// Throws UsageError for more than capacity.
  Sizes(std::initializer_list<Named> named) : count_(checked(named.size())), is_named_(true) {
    std::size_t i = 0;
    for (const Named& one : named) {
      names_[i] = {one.name.data(), one.name.size()};
      values_[i++] = one.value;
    }
  }

  [[nodiscard]] std::span<const std::int64_t> values() const { return {values_.data(), count_}; }
  [[nodiscard]] bool is_named() const { return is_named_; }
  /// Where they are named.
  [[nodiscard]] std::string_view name(std::size_t i) const {
    return {names_[i].data, names_[i].size};
  }

 private:
  // Not a string_view, all of which would be set for each launch.
  struct Name {
    const char* data;
    std::size_t size;
  };

  static std::size_t checked(std::size_t count) {
    if (count > capacity) throw UsageError("a kernel has 16 sizes at most");
    return count;
  }

  std::size_t count_;
  bool is_named_ = false;
  std::array<std::int64_t, capacity> values_;
  std::array<Name, capacity> names_;
};

namespace detail {

/// What a type of C++ is to a kernel.
enum class Given : std::uint8_t {
  number,   ///< one of DType
  record,   ///< a struct: several numbers, or one of a vendor's type
  nothing,  ///< void
  other,    ///< what no kernel of a description takes
};

/// What an argument of a launch is, as far as its type tells.
struct GivenType {
  Given what;  ///< of a pointer: what it points to
  DType dtype;
  bool is_pointer;
  bool is_const;  ///< what it points to
  std::size_t bytes;

  bool operator==(const GivenType&) const = default;
};

template <class T>
[[nodiscard]] constexpr DType dtype_of_number() {
  if constexpr (std::is_enum_v<T>) {
    return dtype_of_number<std::underlying_type_t<T>>();
  } else if constexpr (std::is_integral_v<T>) {
    constexpr bool is_signed = std::is_signed_v<T>;
    if constexpr (sizeof(T) == 1) return is_signed ? DType::i8 : DType::u8;
    if constexpr (sizeof(T) == 2) return is_signed ? DType::i16 : DType::u16;
    if constexpr (sizeof(T) == 4) return is_signed ? DType::i32 : DType::u32;
    if constexpr (sizeof(T) == 8) return is_signed ? DType::i64 : DType::u64;
  } else {
    return dtype_of<T>();
  }
}

template <class T>
[[nodiscard]] constexpr GivenType given_value() {
  constexpr GivenType other{Given::other, DType::u8, false, false, 0};
  if constexpr (std::is_void_v<T>) {
    return {Given::nothing, DType::u8, false, false, 0};
  } else if constexpr (!requires { sizeof(T); } || std::is_same_v<T, long double>) {
    return other;
  } else if constexpr (is_floating_v<T> || std::is_integral_v<T> || std::is_enum_v<T>) {
    if constexpr (sizeof(T) > 8)
      return other;
    else
      return {Given::number, dtype_of_number<T>(), false, false, sizeof(T)};
  } else if constexpr (std::is_class_v<T> || std::is_union_v<T>) {
    return {Given::record, DType::u8, false, false, sizeof(T)};
  } else {
    return other;
  }
}

/// T: without a const of its own.
template <class T>
[[nodiscard]] constexpr GivenType given_type() {
  if constexpr (std::is_null_pointer_v<T>) {
    return {Given::nothing, DType::u8, true, false, 0};
  } else if constexpr (std::is_pointer_v<T>) {
    using Element = std::remove_pointer_t<T>;
    GivenType type = given_value<std::remove_cv_t<Element>>();
    type.is_pointer = true;
    type.is_const = std::is_const_v<Element>;
    return type;
  } else {
    return given_value<T>();
  }
}

/// As a kernel takes it: in 8 bytes, from the first on.
template <class T>
[[nodiscard]] std::uint64_t slot_of(const T& value) {
  static_assert(std::is_trivially_copyable_v<T>, "a kernel takes numbers, structs and pointers");
  std::uint64_t slot = 0;
  std::memcpy(&slot, &value, sizeof(T) < sizeof(slot) ? sizeof(T) : sizeof(slot));
  return slot;
}

struct GivenArguments {
  const GivenType* types;
  const std::uint64_t* slots;
  std::size_t count;
};

class KernelCore;

}  // namespace detail

/// An argument of a launch.
struct LaunchArgument {
  std::string name;
  bool is_buffer = false;    ///< a device address
  DType dtype = DType::f32;  ///< of a number, or of what is in the buffer
  int lanes = 1;             ///< of a vector like float4
};

/// What is const may be called by several threads at a time, on streams of their own.
class REDTUNE_API Kernel {
 public:
  /// Reads a file that describes a kernel, and what it includes; opens the device. Compiles
  /// nothing. Throws UsageError, with file, line and column where the description is wrong, and
  /// DeviceError.
  explicit Kernel(const std::string& file, const KernelOptions& options = {});
  Kernel(Kernel&&) noexcept;
  Kernel& operator=(Kernel&&) noexcept;
  ~Kernel();

  /// Looks up what is best for these sizes, now, and loads it, or compiles it. What was found
  /// stays, as long as the Kernel lives; sizes that were prepared before are not looked up again.
  /// Where what is stored does not compile, cannot be loaded or may not run here, the default takes
  /// its place, and answer() says why. Throws UsageError also where the default may not run with
  /// these sizes, DeviceError with the compiler's log where it does not compile, and UnmetMatch
  /// where the answer is below options.lookup.minimum.
  void prepare(const Sizes& sizes) const;

  /// Queues the kernel's launches, one after another. The arguments are those of the description,
  /// in its order, without variables in constant memory and without numbers that depend on tunables
  /// or on the device, which redtune knows: numbers of the very type, and device addresses, of
  /// elements of that type, of structs as large, or of void; the host looks at no memory. With
  /// sizes that were prepared: no allocation, no lock, no synchronisation on a GPU, and a launch
  /// may be captured into a graph, which the Kernel must outlive. Sizes that were not are prepared
  /// first. Throws UsageError that names the argument or the size which is wrong, and where a
  /// variable in constant memory was not set; DeviceError when a launch is refused; and as
  /// prepare().
  template <class... Arguments>
  void launch(Stream stream, const Sizes& sizes, Arguments... arguments) const {
    static constexpr std::array<detail::GivenType, sizeof...(Arguments)> types{
        detail::given_type<std::remove_cv_t<Arguments>>()...};
    const std::array<std::uint64_t, sizeof...(Arguments)> slots{detail::slot_of(arguments)...};
    launch_given(stream, sizes, {types.data(), slots.data(), sizeof...(Arguments)});
  }

  /// Copies host memory to a variable in constant memory, in all that is loaded and in what will
  /// be: as many bytes as the kernel's text has it. Once before the first launch; later while no
  /// launch of this Kernel is queued or runs. Throws UsageError.
  void set_constant(std::string_view name, const void* data, std::size_t bytes);

  /// What these sizes are launched with, and how it was found. Of sizes that are not prepared: what
  /// is looked up now, and would be prepared unless it does not compile. Its problem is of
  /// Op::kernel.
  [[nodiscard]] Answer answer(const Sizes& sizes) const;
  [[nodiscard]] Settings settings(const Sizes& sizes) const { return answer(sizes).settings; }
  /// Elements of a buffer of the description: that of scratch may depend on tunables. Prepares the
  /// sizes. Throws UsageError for a name of no buffer, and as prepare().
  [[nodiscard]] std::int64_t elements(const Sizes& sizes, std::string_view buffer) const;
  /// Waits for the stream. Throws DeviceError for faults of earlier launches.
  void synchronize(Stream stream = {}) const;
  [[nodiscard]] const DeviceIdentity& device() const;
  /// What a launch is given, in the order of the file.
  [[nodiscard]] std::vector<std::string> size_names() const;
  [[nodiscard]] std::vector<LaunchArgument> arguments() const;

  /// For foreign functions, which have no types: of each argument the address of its value, as
  /// drivers take them. Throws as launch().
  void launch_addresses(Stream stream, const Sizes& sizes,
                        std::span<const void* const> arguments) const;

 private:
  void launch_given(Stream stream, const Sizes& sizes, detail::GivenArguments arguments) const;

  std::unique_ptr<detail::KernelCore> core_;
};

}  // namespace redtune
