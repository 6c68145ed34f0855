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
#include "tuner/verify/member_values.hpp"
#include "tuner/verify/operator_watch.hpp"
#include "vocabulary/operator_structs.hpp"

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

bool is_floating(DType type) {
  return info(type).kind == DTypeKind::floating;
}

/// What enters a fold.
enum class Entering : std::int32_t { elements, magnitudes };

/// An input on a program's device, folded there.
class Folder {
 public:
  using Bytes = std::vector<std::byte>;

  Folder(const OperatorProgram& program, const void* in, std::int64_t count)
      : program_(program),
        problem_(program.problem()),
        members_(accumulator_members(problem_)),
        values_(values_of_result(problem_)),
        in_(in),
        count_(count) {}

  [[nodiscard]] const std::vector<ResultValue>& members() const { return members_; }
  [[nodiscard]] const std::vector<ResultValue>& values() const { return values_; }

  /// The accumulator of one order.
  [[nodiscard]] Bytes fold(const FoldOrder& order, Entering entering) const {
    const std::int64_t runs = (count_ + order.length - 1) / order.length;
    const std::size_t bytes = accumulator_bytes(problem_);
    const device::Buffer values =
        program_.device().allocate(static_cast<std::size_t>(runs + 1) * bytes);
    auto* const joined =
        static_cast<std::byte*>(values.data()) + static_cast<std::size_t>(runs) * bytes;
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
    Bytes accumulator(bytes);
    program_.device().copy_to_host(accumulator.data(), joined, bytes);
    return accumulator;
  }

  /// What comes out of accumulators: the values of each result.
  [[nodiscard]] std::vector<std::vector<long double>> results(
      const std::vector<Bytes>& accumulators) const {
    Bytes all;
    for (const Bytes& one : accumulators) all.insert(all.end(), one.begin(), one.end());
    const std::size_t bytes = result_bytes(problem_);
    const device::Buffer in = program_.device().allocate(all.size());
    const device::Buffer out = program_.device().allocate(accumulators.size() * bytes);
    program_.device().copy_to_device(in.data(), all.data(), all.size());
    device::Arguments arguments;
    arguments.append(in.data());
    arguments.append(static_cast<std::int32_t>(accumulators.size()));
    arguments.append(count_);
    arguments.append(out.data());
    program_.run(kernels::CheckKernel::leave_all, static_cast<std::int64_t>(accumulators.size()),
                 arguments);
    Bytes there(out.bytes());
    program_.device().copy_to_host(there.data(), out.data(), there.size());
    std::vector<std::vector<long double>> found;
    for (std::size_t i = 0; i < accumulators.size(); ++i) {
      found.push_back(numbers_of(values_, &there[i * bytes]));
    }
    return found;
  }

 private:
  const OperatorProgram& program_;
  const Problem& problem_;
  std::vector<ResultValue> members_;
  std::vector<ResultValue> values_;
  const void* in_;
  std::int64_t count_;
};

/// A float in an accumulator, and the size that all magnitudes together have there.
struct FloatMember {
  ResultValue member;
  long double middle = 0;
  long double size = 0;
};

std::vector<FloatMember> floats_of(const Folder& folder, const Folder::Bytes& middle,
                                   const Folder::Bytes& magnitudes) {
  std::vector<FloatMember> floats;
  for (const ResultValue& member : folder.members()) {
    if (!is_floating(member.type)) continue;
    FloatMember one{member, member_number(member.type, &middle[member.offset])};
    const long double all = std::fabs(member_number(member.type, &magnitudes[member.offset]));
    one.size = std::isfinite(all) ? std::max(std::fabs(one.middle), all) : std::fabs(one.middle);
    floats.push_back(one);
  }
  return floats;
}

/// How far to move an accumulator's float: enough to be seen in a result with fewer digits, little
/// enough to be a straight line.
long double step_of(const FloatMember& one, DType out) {
  const long double unit = unit_roundoff(one.member.type);
  const long double step = 16 * std::max(unit, unit_roundoff(out)) * one.size;
  return is_floating(out) ? step : std::max(step, 16.0L);
}

/// What each value of a result does when a float of an accumulator moves: a little, to see how far
/// its roundings reach; see acceptable_error(). And a lot, to see whether the value depends on it
/// at all: what does not, and is an integer, is exact.
void move_float(const Folder& folder, const Folder::Bytes& middle, const FloatMember& one,
                std::vector<ValueReference>& values) {
  const auto moved = [&](long double to) {
    Folder::Bytes accumulator = middle;
    write_number(one.member.type, to, &accumulator[one.member.offset]);
    return accumulator;
  };
  const auto differ = [](long double a, long double b) {
    return a != b && !(std::isnan(a) && std::isnan(b));
  };
  const bool is_alone = folder.members().size() == 1;
  for (std::size_t v = 0; v < values.size(); ++v) {
    const long double step = step_of(one, folder.values()[v].type);
    const auto results = folder.results({middle, moved(one.middle - step), moved(one.middle + step),
                                         moved(2 * one.middle + 1), moved(one.middle / 2 - 1)});
    long double most = 0;
    bool depends = is_alone || !std::isfinite(one.middle);
    for (std::size_t i = 1; i < results.size(); ++i) {
      depends = depends || differ(results[i][v], results[0][v]);
      // A root or a logarithm may have no value there.
      const long double by = std::fabs(results[i][v] - results[0][v]);
      if (i <= 2 && std::isfinite(by)) most = std::max(most, by);
    }
    const long double unit = unit_roundoff(one.member.type);
    if (depends) values[v].unit_roundoff = std::max(values[v].unit_roundoff, unit);
    if (std::isfinite(one.middle) && one.size > 0) {
      values[v].per_rounding += most / step * unit * one.size;
    }
  }
}

/// How far a result may be from the reference.
///
/// Where combine() makes no error larger than it came, as sums, extremes, norms and log-sum-exp do
/// not, an element passes through k operations, each of which adds at most c units of rounding of
/// what it makes:
///   |accumulator - exact| <= gamma(c k) * A,  gamma(n) = n u / (1 - n u),
/// with u the unit roundoff of the accumulator and A what the operator makes of all magnitudes. Of
/// a struct each member has its own A and u, and what they do to a value is added up.
/// For sums A is sum|x_i|, c is 1, and this is the bound of Higham, Accuracy and Stability of
/// Numerical Algorithms, 2nd ed., section 4.2. Here c is 2, since functions of mathematics are
/// right to a unit in the last place and no better. finish() takes this to the result.
///
/// The reference is off too, by far less than its chain allows. Its orders differ in the length of
/// their chains by a quarter, so that 8 times what they differ by is twice of what grows with the
/// chain, and much more of what does not. Operators that do enlarge errors, as products, are known
/// by this alone: there it grows with the root of how much longer the candidate's chain is.
long double acceptable_error(DType out, const ValueReference& reference, std::int64_t chain,
                             std::int64_t longest_chain) {
  const long double spread =
      reference.low == reference.high ? 0 : reference.high - reference.low;  // of infinities: 0
  const long double size = std::max(std::fabs(reference.low), std::fabs(reference.high));
  const auto growth = std::sqrt(
      std::max(1.0L, static_cast<long double>(longest_chain) / static_cast<long double>(chain)));
  const bool rounds = reference.unit_roundoff > 0;
  long double analysed = 0;
  if (rounds) {
    constexpr std::int64_t units = 2;
    constexpr std::int64_t entering = 8;  // operations of transform()
    const FloatFormat format =
        format_of(reference.unit_roundoff == unit_roundoff(DType::f32) ? DType::f32 : DType::f64);
    analysed = reference.per_rounding / format.unit_roundoff() *
               relative_error(units * (longest_chain + entering), format);
  }
  const long double bound = std::max(8 * growth * spread, 8 * spread + analysed) +
                            64 * reference.unit_roundoff * size +
                            // A function in finish() may be compiled in two ways.
                            4 * unit_roundoff(out) * size;
  return rounds && !is_floating(out) ? bound + 1 : bound;
}

/// What the orders say of one value.
ValueReference seen_in(const std::vector<std::vector<long double>>& results, std::size_t value) {
  ValueReference seen{.low = results[0][value], .high = results[0][value]};
  std::size_t nans = 0;
  bool is_finite = true;
  for (const auto& result : results) {
    const long double one = result[value];
    nans += std::isnan(one) ? 1 : 0;
    is_finite = is_finite && std::isfinite(one);
    seen.low = std::min(seen.low, one);
    seen.high = std::max(seen.high, one);
  }
  seen.is_nan = nans == results.size();
  const bool is_one_infinity = nans == 0 && seen.low == seen.high;
  seen.is_unclear = !is_finite && !seen.is_nan && !is_one_infinity;
  return seen;
}

/// Throws UsageError for an integer that no rounding explains.
void require_one_integer(const Problem& problem, std::int64_t count, const ResultValue& value,
                         const ValueReference& seen, bool is_named) {
  const bool is_exact = seen.unit_roundoff == 0 && !is_floating(value.type);
  const bool has_floats = std::ranges::any_of(
      accumulator_members(problem), [](const ResultValue& one) { return is_floating(one.type); });
  if ((!is_exact && has_floats) || seen.is_nan || seen.is_unclear || seen.low == seen.high) return;
  throw UsageError(
      fmt::format("{}: not associative: {} elements come to {}{} in one order and to "
                  "{} in another",
                  problem.custom.name, count, is_named ? fmt::format("a {} of ", value.name) : "",
                  number_text(value.type, seen.low), number_text(value.type, seen.high)));
}

std::string why_value_wrong(DType out, const ValueReference& reference, std::int64_t chain,
                            std::int64_t longest_chain, long double value) {
  if (reference.is_unclear || (reference.is_nan && std::isnan(value))) return {};
  if (reference.low <= value && value <= reference.high) return {};
  const std::string found = number_text(out, value);
  if (reference.is_nan) return fmt::format("expected NaN, got {}", found);
  if (reference.is_infinite) {
    return fmt::format("expected {}, got {}", number_text(out, reference.low), found);
  }
  const long double bound = acceptable_error(out, reference, chain, longest_chain);
  const long double middle =
      reference.low == reference.high ? reference.low : (reference.low + reference.high) / 2;
  if (std::fabs(value - middle) <= bound) return {};  // false for a NaN
  if (bound == 0) return fmt::format("expected {}, got {}", number_text(out, middle), found);
  return fmt::format("expected {} within {:.3g}, got {}", number_text(out, middle),
                     static_cast<double>(bound), found);
}

}  // namespace

CustomReference custom_reference(const OperatorProgram& program, const void* in,
                                 std::int64_t count) {
  const Problem& problem = program.problem();
  const OperatorWatch watch(problem, count,
                            fmt::format("while the reference of {} elements was computed", count));
  const Folder folder(program, in, count);
  const std::vector<FoldOrder> orders = orders_for(count);
  std::vector<Folder::Bytes> accumulators;
  for (const FoldOrder& order : orders) {
    accumulators.push_back(folder.fold(order, Entering::elements));
  }
  const auto results = folder.results(accumulators);
  CustomReference reference;
  reference.chain = 2 * root_of(count) + 2;
  for (std::size_t v = 0; v < folder.values().size(); ++v) {
    ValueReference& value = reference.values.emplace_back(seen_in(results, v));
    value.is_infinite = count == 0 && std::isinf(value.low) && value.low == value.high;
  }
  const Folder::Bytes magnitudes = folder.fold(orders[0], Entering::magnitudes);
  for (const FloatMember& one : floats_of(folder, accumulators[0], magnitudes)) {
    move_float(folder, accumulators[0], one, reference.values);
  }
  const bool is_named = folder.values().size() > 1;
  for (std::size_t v = 0; v < folder.values().size(); ++v) {
    require_one_integer(problem, count, folder.values()[v], reference.values[v], is_named);
  }
  return reference;
}

std::string why_wrong(const Problem& problem, const CustomReference& reference,
                      std::int64_t longest_chain, const void* got) {
  const std::vector<ResultValue> values = values_of_result(problem);
  for (std::size_t v = 0; v < values.size(); ++v) {
    const auto& [name, type, offset] = values[v];
    const std::string why =
        why_value_wrong(type, reference.values[v], reference.chain, longest_chain,
                        member_number(type, static_cast<const std::byte*>(got) + offset));
    if (!why.empty()) return values.size() > 1 ? fmt::format("{}: {}", name, why) : why;
  }
  return {};
}

}  // namespace redtune::tuner
