// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/verify/custom_reference.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <type_traits>
#include <vector>

#include "redtune/error.hpp"
#include "tuner/verify/float_format.hpp"
#include "tuner/verify/operator_watch.hpp"

namespace redtune::tuner {
namespace {

/// How elements are dealt to runs and each run is folded; see check_operator.hip.h.
struct FoldOrder {
  std::int64_t length = 1;
  std::int32_t interleaved = 0;
  std::int32_t backward = 0;
};

std::int64_t root_of(std::int64_t count) {
  return std::max<std::int64_t>(1, std::llround(std::sqrt(static_cast<double>(count))));
}

/// More orders for small inputs, of which two may well agree by chance.
std::vector<FoldOrder> orders_for(std::int64_t count) {
  constexpr std::int64_t small = 4096;
  const std::int64_t root = root_of(count);
  std::vector<std::int64_t> lengths{root, 2 * root + 1};
  if (count <= small)
    lengths.insert(lengths.end(), {root / 3 + 1, std::max<std::int64_t>(1, count)});
  std::vector<FoldOrder> orders;
  for (const std::int64_t length : lengths) {
    for (const std::int32_t interleaved : {0, 1}) {
      for (const std::int32_t backward : {0, 1}) orders.push_back({length, interleaved, backward});
    }
  }
  return orders;
}

/// A result as a number; 16-bit floats and all integers have one.
long double number_of(DType out, const void* bytes) {
  return visit_dtype(out, [&]<class T>(std::type_identity<T>) {
    T value;
    std::memcpy(&value, bytes, sizeof(T));
    if constexpr (std::is_arithmetic_v<T>) {
      return static_cast<long double>(value);
    } else {
      return static_cast<long double>(static_cast<float>(value));
    }
  });
}

bool is_floating(DType type) {
  return info(type).kind == DTypeKind::floating;
}

/// Half the distance from 1 to the next number; 0 for integers.
long double unit_roundoff(DType type) {
  return is_floating(type) ? format_of(type).unit_roundoff() : 0;
}

std::string text_of(DType out, long double value) {
  return is_floating(out) ? fmt::format("{}", static_cast<double>(value))
                          : fmt::format("{:.0f}", value);
}

/// What enters a fold.
enum class Entering : std::int32_t { elements, magnitudes };

/// An input on a program's device, folded there.
class Folder {
 public:
  Folder(const OperatorProgram& program, const void* in, std::int64_t count)
      : program_(program), problem_(program.problem()), in_(in), count_(count) {}

  /// The accumulator of one order, written to the device.
  void fold(const FoldOrder& order, Entering entering, std::byte* joined) const {
    const std::int64_t runs = (count_ + order.length - 1) / order.length;
    const device::Buffer values =
        program_.device().allocate(static_cast<std::size_t>(runs) * size_of(problem_.acc));
    if (runs > 0) {
      device::Arguments arguments;
      arguments.append(in_);
      arguments.append(count_);
      arguments.append(values.data());
      arguments.append(order.length);
      arguments.append(order.interleaved);
      arguments.append(order.backward);
      arguments.append(static_cast<std::int32_t>(entering));
      program_.run(kernels::CheckKernel::fold_runs, runs, arguments);
    }
    device::Arguments arguments;
    arguments.append(values.data());
    arguments.append(runs);
    arguments.append(order.backward);
    arguments.append(joined);
    program_.run(kernels::CheckKernel::join_runs, 1, arguments);
  }

  /// What comes out of accumulators on the device.
  [[nodiscard]] std::vector<long double> results(const void* accumulators,
                                                 std::size_t number) const {
    const device::Buffer out = program_.device().allocate(number * size_of(problem_.out));
    device::Arguments arguments;
    arguments.append(accumulators);
    arguments.append(static_cast<std::int32_t>(number));
    arguments.append(count_);
    arguments.append(out.data());
    program_.run(kernels::CheckKernel::leave_all, static_cast<std::int64_t>(number), arguments);
    return numbers(problem_.out, out.data(), number);
  }

  /// Values of a type on the device.
  [[nodiscard]] std::vector<long double> numbers(DType type, const void* at,
                                                 std::size_t number) const {
    std::vector<std::byte> bytes(number * size_of(type));
    program_.device().copy_to_host(bytes.data(), at, bytes.size());
    std::vector<long double> found;
    for (std::size_t i = 0; i < number; ++i) {
      found.push_back(number_of(type, &bytes[i * size_of(type)]));
    }
    return found;
  }

 private:
  const OperatorProgram& program_;
  const Problem& problem_;
  const void* in_;
  std::int64_t count_;
};

/// How far the result moves when the accumulator moves by one unit of rounding of the size that
/// all magnitudes together have; see acceptable_error(). 0: nothing is known of it.
long double moved_by_a_rounding(const OperatorProgram& program, const Folder& folder,
                                const FoldOrder& order) {
  const Problem& problem = program.problem();
  device::Device& device = program.device();
  const device::Buffer values = device.allocate(3 * size_of(problem.acc));
  auto* const first = static_cast<std::byte*>(values.data());
  folder.fold(order, Entering::elements, first);
  folder.fold(order, Entering::magnitudes, first + size_of(problem.acc));
  const auto folded = folder.numbers(problem.acc, first, 2);
  const long double middle = folded[0];
  const long double size = std::isfinite(folded[1])
                               ? std::max(std::fabs(middle), std::fabs(folded[1]))
                               : std::fabs(middle);
  if (!std::isfinite(middle) || size == 0) return 0;
  // Far enough to be seen in a result with fewer digits, near enough to be a straight line.
  const long double unit = unit_roundoff(problem.acc) * size;
  long double step = 16 * std::max(unit, unit_roundoff(problem.out) * size);
  if (!is_floating(problem.out)) step = std::max(step, 16.0L);
  visit_dtype(problem.acc, [&]<class Acc>(std::type_identity<Acc>) {
    if constexpr (std::is_floating_point_v<Acc>) {
      const std::array<Acc, 3> moved{static_cast<Acc>(middle - step), static_cast<Acc>(middle),
                                     static_cast<Acc>(middle + step)};
      device.copy_to_device(first, moved.data(), sizeof moved);
    }
  });
  const auto results = folder.results(first, 3);
  long double most = 0;
  for (const long double result : {results[0], results[2]}) {
    // A root or a logarithm may have no value there.
    if (const long double by = std::fabs(result - results[1]); std::isfinite(by)) {
      most = std::max(most, by);
    }
  }
  return most / step * unit;
}

/// How far a result may be from the reference.
///
/// Where combine() makes no error larger than it came, as sums, extremes, norms and log-sum-exp do
/// not, an element passes through k operations, each of which adds at most c units of rounding of
/// what it makes:
///   |accumulator - exact| <= gamma(c k) * A,  gamma(n) = n u / (1 - n u),
/// with u the unit roundoff of the accumulator and A what the operator makes of all magnitudes.
/// For sums A is sum|x_i|, c is 1, and this is the bound of Higham, Accuracy and Stability of
/// Numerical Algorithms, 2nd ed., section 4.2. Here c is 2, since functions of mathematics are
/// right to a unit in the last place and no better. finish() takes this to the result.
///
/// The reference is off too, by far less than its chain allows. Its orders differ in the length of
/// their chains by a quarter, so that 8 times what they differ by is twice of what grows with the
/// chain, and much more of what does not. Operators that do enlarge errors, as products, are known
/// by this alone: there it grows with the root of how much longer the candidate's chain is.
long double acceptable_error(const Problem& problem, const CustomReference& reference,
                             std::int64_t longest_chain) {
  const long double spread =
      reference.low == reference.high ? 0 : reference.high - reference.low;  // of infinities: 0
  const long double size = std::max(std::fabs(reference.low), std::fabs(reference.high));
  const auto growth = std::sqrt(std::max(
      1.0L, static_cast<long double>(longest_chain) / static_cast<long double>(reference.chain)));
  long double analysed = 0;
  if (is_floating(problem.acc)) {
    constexpr std::int64_t units = 2;
    constexpr std::int64_t entering = 8;  // operations of transform()
    const FloatFormat format = format_of(problem.acc);
    analysed = reference.per_rounding / format.unit_roundoff() *
               relative_error(units * (longest_chain + entering), format);
  }
  const long double bound = std::max(8 * growth * spread, 8 * spread + analysed) +
                            64 * unit_roundoff(problem.acc) * size +
                            // A function in finish() may be compiled in two ways.
                            4 * unit_roundoff(problem.out) * size;
  return is_floating(problem.acc) && !is_floating(problem.out) ? bound + 1 : bound;
}

}  // namespace

CustomReference custom_reference(const OperatorProgram& program, const void* in,
                                 std::int64_t count) {
  const Problem& problem = program.problem();
  const OperatorWatch watch(problem, count,
                            fmt::format("while the reference of {} elements was computed", count));
  const Folder folder(program, in, count);
  const std::vector<FoldOrder> orders = orders_for(count);
  const device::Buffer joined = program.device().allocate(orders.size() * size_of(problem.acc));
  for (std::size_t i = 0; i < orders.size(); ++i) {
    folder.fold(orders[i], Entering::elements,
                static_cast<std::byte*>(joined.data()) + i * size_of(problem.acc));
  }
  const std::vector<long double> results = folder.results(joined.data(), orders.size());
  CustomReference reference{.low = results[0], .high = results[0]};
  reference.chain = 2 * root_of(count) + 2;
  std::size_t nans = 0;
  bool is_finite = true;
  for (const long double value : results) {
    nans += std::isnan(value) ? 1 : 0;
    is_finite = is_finite && std::isfinite(value);
    reference.low = std::min(reference.low, value);
    reference.high = std::max(reference.high, value);
  }
  reference.is_nan = nans == orders.size();
  const bool is_one_infinity = nans == 0 && reference.low == reference.high;
  reference.is_unclear = !is_finite && !reference.is_nan && !is_one_infinity;
  if (is_finite && is_floating(problem.acc)) {
    reference.per_rounding = moved_by_a_rounding(program, folder, orders[0]);
  }
  if (!is_floating(problem.acc) && nans == 0 && reference.low != reference.high) {
    throw UsageError(
        fmt::format("{}: not associative: {} elements come to {} in one order and to "
                    "{} in another",
                    problem.custom.name, count, text_of(problem.out, reference.low),
                    text_of(problem.out, reference.high)));
  }
  return reference;
}

std::string why_wrong(const Problem& problem, const CustomReference& reference,
                      std::int64_t longest_chain, const void* got) {
  const long double value = number_of(problem.out, got);
  if (reference.is_unclear || (reference.is_nan && std::isnan(value))) return {};
  if (reference.low <= value && value <= reference.high) return {};
  const std::string found = text_of(problem.out, value);
  if (reference.is_nan) return fmt::format("expected NaN, got {}", found);
  const long double bound = acceptable_error(problem, reference, longest_chain);
  const long double middle =
      reference.low == reference.high ? reference.low : (reference.low + reference.high) / 2;
  if (std::fabs(value - middle) <= bound) return {};  // false for a NaN
  if (bound == 0) return fmt::format("expected {}, got {}", text_of(problem.out, middle), found);
  return fmt::format("expected {} within {:.3g}, got {}", text_of(problem.out, middle),
                     static_cast<double>(bound), found);
}

}  // namespace redtune::tuner
