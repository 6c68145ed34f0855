// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/verify/custom_reference.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <type_traits>
#include <vector>

#include "redtune/error.hpp"
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
  if (type == DType::f16) return 0x1p-11L;
  if (type == DType::bf16) return 0x1p-8L;
  return visit_dtype(type, []<class T>(std::type_identity<T>) -> long double {
    if constexpr (std::is_floating_point_v<T>) return std::numeric_limits<T>::epsilon() / 2;
    return 0;
  });
}

std::string text_of(DType out, long double value) {
  return is_floating(out) ? fmt::format("{}", static_cast<double>(value))
                          : fmt::format("{:.0f}", value);
}

/// The result of one order, in the bytes of the output's type.
std::uint64_t fold(const OperatorProgram& program, const void* in, std::int64_t count,
                   const FoldOrder& order) {
  const Problem& problem = program.problem();
  device::Device& device = program.device();
  const std::int64_t runs = (count + order.length - 1) / order.length;
  const device::Buffer values =
      device.allocate(static_cast<std::size_t>(runs) * size_of(problem.acc));
  const device::Buffer out = device.allocate(size_of(problem.out));
  if (runs > 0) {
    device::Arguments arguments;
    arguments.append(in);
    arguments.append(count);
    arguments.append(values.data());
    arguments.append(order.length);
    arguments.append(order.interleaved);
    arguments.append(order.backward);
    program.run(kernels::CheckKernel::fold_runs, runs, arguments);
  }
  device::Arguments arguments;
  arguments.append(values.data());
  arguments.append(runs);
  arguments.append(count);
  arguments.append(order.backward);
  arguments.append(out.data());
  program.run(kernels::CheckKernel::join_runs, 1, arguments);
  std::uint64_t result = 0;
  device.copy_to_host(&result, out.data(), size_of(problem.out));
  return result;
}

}  // namespace

CustomReference custom_reference(const OperatorProgram& program, const void* in,
                                 std::int64_t count) {
  const Problem& problem = program.problem();
  const OperatorWatch watch(problem, count,
                            fmt::format("while the reference of {} elements was computed", count));
  CustomReference reference;
  reference.chain = 2 * root_of(count) + 2;
  std::size_t nans = 0;
  bool is_finite = true;
  const std::vector<FoldOrder> orders = orders_for(count);
  for (std::size_t i = 0; i < orders.size(); ++i) {
    const std::uint64_t bytes = fold(program, in, count, orders[i]);
    const long double value = number_of(problem.out, &bytes);
    if (i == 0) reference.low = reference.high = value;
    nans += std::isnan(value) ? 1 : 0;
    is_finite = is_finite && std::isfinite(value);
    reference.low = std::min(reference.low, value);
    reference.high = std::max(reference.high, value);
  }
  reference.is_nan = nans == orders.size();
  const bool is_one_infinity = nans == 0 && reference.low == reference.high;
  reference.is_unclear = !is_finite && !reference.is_nan && !is_one_infinity;
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
  const long double spread =
      reference.low == reference.high ? 0 : reference.high - reference.low;  // of infinities: 0
  const long double size = std::max(std::fabs(reference.low), std::fabs(reference.high));
  const auto growth = std::sqrt(std::max(
      1.0L, static_cast<long double>(longest_chain) / static_cast<long double>(reference.chain)));
  long double bound = 8 * growth * spread + 64 * unit_roundoff(problem.acc) * size +
                      // A function in finish() may be compiled in two ways.
                      4 * unit_roundoff(problem.out) * size;
  if (is_floating(problem.acc) && !is_floating(problem.out)) bound += 1;
  const long double middle = reference.low + spread / 2;
  if (std::fabs(value - middle) <= bound) return {};  // false for a NaN
  if (bound == 0) return fmt::format("expected {}, got {}", text_of(problem.out, middle), found);
  return fmt::format("expected {} within {:.3g}, got {}", text_of(problem.out, middle),
                     static_cast<double>(bound), found);
}

}  // namespace redtune::tuner
