// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/verify/device_comparison.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>

#include "redtune/error.hpp"
#include "tuner/verify/float_format.hpp"
#include "tuner/verify/fold.hpp"
#include "tuner/verify/one_result.hpp"
#include "tuner/verify/parallel.hpp"

namespace redtune::tuner {
namespace {

using kernels::NearValue;

/// Numbers of results that the kernel has room for in its report.
constexpr std::size_t most_uncertain = 1024;

std::size_t values_of(const Problem& problem) {
  return value_names(problem.op).size();
}

/// A result that is right, or a value of it; exact: that value, of floats.
template <class T>
void write_value(const Problem& problem, std::uint64_t bits, long double exact, std::byte* to) {
  T value;
  if constexpr (!is_floating_v<T>) {
    value = static_cast<T>(bits);
  } else if constexpr (std::is_floating_point_v<T>) {
    value = static_cast<T>(exact);
  } else {  // rounded once, which a conversion by way of float would not be
    value = static_cast<T>(static_cast<double>(format_of(problem.out).rounded(exact)));
  }
  std::memcpy(to, &value, sizeof(T));
}
template <class T>
void write_result(const Problem& problem, const Reference& reference, NearValue* near,
                  std::byte* to) {
  for (std::size_t i = 0; i < values_of(problem); ++i) {
    long double exact = i == 0 ? reference.value : reference.second;
    if (near != nullptr) {
      const Near of_one = near_of(problem, reference, i);
      near[i] = near_value(of_one);
      exact = of_one.value;
    }
    write_value<T>(problem, i == 0 ? reference.bits : reference.second_bits, exact,
                   to + i * sizeof(T));
  }
  if (info(problem.op).shape != ResultShape::indexed) return;
  std::memcpy(to + offsetof(IndexedValue<std::int64_t>, index), &reference.index,
              sizeof(reference.index));
}

/// Results that are right, one behind the other, and what they are compared with if that is not
/// they.
void write_expected(const Problem& problem, std::span<const Reference> references,
                    std::byte* results, NearValue* near) {
  visit_dtype(problem.out, [&]<class T>(std::type_identity<T>) {
    for (const Reference& reference : references) {
      write_result<T>(problem, reference, near, results);
      if (near != nullptr) near += values_of(problem);
      results += result_bytes(problem);
    }
  });
}

/// A byte of each of a result's values, and one of its index where it has one.
std::vector<std::size_t> spoilt_bytes(const Problem& problem) {
  std::vector<std::size_t> bytes;
  for (std::size_t i = 1; i <= values_of(problem); ++i) {
    bytes.push_back(i * size_of(problem.out) - 1);
  }
  if (info(problem.op).shape == ResultShape::indexed) {
    bytes.push_back(offsetof(IndexedValue<std::int64_t>, index));
  }
  return bytes;
}

}  // namespace

bool is_compared_as_near(const Problem& problem) {
  return problem.op != Op::custom && info(problem.out).kind == DTypeKind::floating &&
         group_of(problem.op) != Group::extremes && group_of(problem.op) != Group::min_max;
}

NearValue near_value(const Near& near) {
  constexpr NearValue nothing_certain{.value = std::numeric_limits<double>::quiet_NaN()};
  const auto value = static_cast<double>(near.value);
  const long double rest = near.value - static_cast<long double>(value);
  auto reach = static_cast<float>(near.reach);
  if (!std::isnormal(reach) && std::isfinite(reach)) reach = 0;  // as its digits are few
  const bool keeps_rest = rest == 0 || std::isnormal(static_cast<float>(rest));
  if (!std::isfinite(value) || !keeps_rest || !std::isfinite(reach)) return nothing_certain;
  return {value, static_cast<float>(rest), reach};
}

ComparisonKernel::ComparisonKernel(device::Device& device, const Problem& problem,
                                   const CompilePool& compiler)
    : device_(device), problem_(problem), rounds_(false) {
  if (problem.op == Op::custom) return;  // which the host knows in other words
  rounds_ = is_compared_as_near(problem);
  const CompileUnit unit = ComparisonKernel::unit(problem, device.limits());
  const std::vector<UnitResult> results = compiler.compile({&unit, 1});
  const auto* compiled = std::get_if<CompiledUnit>(results.data());
  if (compiled == nullptr) return;
  try {
    module_ = device.load(*compiled->binary);
    kernel_ = module_->kernel(compiled->kernels.front().symbol);
  } catch (const DeviceError&) {
    kernel_.reset();
  }
}

CompileUnit ComparisonKernel::unit(const Problem& problem, const Limits& limits) {
  return {is_compared_as_near(problem) ? kernels::compare_near_name(problem, limits)
                                       : kernels::compare_same_name(problem, limits)};
}

std::size_t ComparisonKernel::expected_bytes() const {
  return rounds_ ? values_of(problem_) * sizeof(NearValue) : result_bytes(problem_);
}

DeviceComparison::DeviceComparison(const ComparisonKernel& kernel, const Shape& shape)
    : kernel_(kernel),
      shape_(shape),
      results_(static_cast<std::size_t>(results_of(shape))),
      expected_(kernel.device_.allocate(results_ * kernel.expected_bytes())),
      report_(kernel.device_.allocate((2 + most_uncertain) * sizeof(std::uint64_t))) {}

std::unique_ptr<const DeviceComparison> DeviceComparison::make(const ComparisonKernel& kernel,
                                                               const Expected& expected,
                                                               const Shape& shape, void* place) {
  const auto results = static_cast<std::size_t>(results_of(shape));
  Reference first;
  if (!kernel.is_able() || results == 0 || !expected.fill_references(0, {&first, 1}))
    return nullptr;
  try {
    // A bench has two inputs, and candidates need room as well.
    constexpr std::size_t parts_of_free = 4;
    const std::size_t most = kernel.device_.free_memory() / parts_of_free;
    if (results > most / kernel.expected_bytes()) return nullptr;
    std::unique_ptr<DeviceComparison> made(new DeviceComparison(kernel, shape));
    made->bring(expected, place);
    if (made->finds_wrong_results(place)) return made;
  } catch (const DeviceError&) {
    // The host will compare, or say what is wrong with the device.
  }
  return nullptr;
}

/// By all cores, some results at a time.
void DeviceComparison::bring(const Expected& expected, void* right_results) const {
  constexpr std::size_t at_a_time = 1 << 14;
  const Problem& problem = kernel_.problem_;
  const std::size_t each = kernel_.expected_bytes();
  const auto to = [](void* first, std::size_t bytes) {
    return static_cast<std::byte*>(first) + bytes;
  };
  for_each_piece_of_results(shape_, [&](std::size_t, std::size_t begin, std::size_t end) {
    std::vector<Reference> references(std::min(at_a_time, end - begin));
    std::vector<std::byte> right(references.size() * result_bytes(problem));
    std::vector<NearValue> near(kernel_.rounds_ ? references.size() * values_of(problem) : 0);
    for (; begin < end; begin += references.size()) {
      references.resize(std::min(references.size(), end - begin));
      (void)expected.fill_references(begin, references);
      write_expected(problem, references, right.data(), kernel_.rounds_ ? near.data() : nullptr);
      kernel_.device_.copy_to_device(to(right_results, begin * result_bytes(problem)), right.data(),
                                     references.size() * result_bytes(problem));
      const void* const from = kernel_.rounds_ ? static_cast<const void*>(near.data())
                                               : static_cast<const void*>(right.data());
      kernel_.device_.copy_to_device(to(expected_.data(), begin * each), from,
                                     references.size() * each);
    }
  });
}

/// The first, one in the middle and the last, each alone: of another value, and at another index.
bool DeviceComparison::finds_wrong_results(void* right_results) const {
  constexpr std::int64_t chain = 1;  // allows less than any other
  using Numbers = std::vector<std::size_t>;
  if (uncertain(right_results, chain) != Numbers{}) return false;
  const Problem& problem = kernel_.problem_;
  std::vector<std::byte> right(result_bytes(problem));
  for (const std::size_t number : {std::size_t{0}, results_ / 2, results_ - 1}) {
    std::byte* const result = static_cast<std::byte*>(right_results) + number * right.size();
    kernel_.device_.copy_to_host(right.data(), result, right.size());
    for (const std::size_t spoilt : spoilt_bytes(problem)) {
      std::vector<std::byte> wrong = right;
      wrong[spoilt] ^= std::byte{0x40};  // of a float: the highest bit of its exponent
      kernel_.device_.copy_to_device(result, wrong.data(), wrong.size());
      if (uncertain(right_results, chain) != Numbers{number}) return false;
    }
    kernel_.device_.copy_to_device(result, right.data(), right.size());
  }
  return true;
}

std::optional<std::vector<std::size_t>> DeviceComparison::uncertain(
    const void* results, std::int64_t longest_chain) const {
  device::Device& device = kernel_.device_;
  const Limits& limits = device.limits();
  // A result of two values is two values to the kernel.
  const std::size_t values = values_of(kernel_.problem_);
  const auto count = static_cast<std::int64_t>(results_ * values);
  device::Launch launch{.kernel = *kernel_.kernel_,
                        .grid = kernels::compare_grid(count, limits),
                        .block = kernels::compare_block(limits)};
  launch.arguments.append(results);
  launch.arguments.append(count);
  launch.arguments.append(static_cast<const void*>(expected_.data()));
  launch.arguments.append(report_.data());
  launch.arguments.append(static_cast<std::int64_t>(most_uncertain));
  if (kernel_.rounds_) {
    const Slack slack = slack_of(one_of(kernel_.problem_, shape_), longest_chain);
    if (!(slack.per_reach <= 1)) return std::nullopt;
    launch.arguments.append(static_cast<double>(slack.per_value));
    launch.arguments.append(static_cast<double>(slack.per_reach));
  }
  device.fill(report_.data(), std::byte{0}, report_.bytes());
  device.launch({&launch, 1}, {});
  device.synchronize({});
  std::vector<std::uint64_t> report(2 + most_uncertain);
  device.copy_to_host(report.data(), report_.data(), report_.bytes());
  const auto [looked_at, found] = std::pair(report[0], report[1]);
  if (looked_at != results_ * values || found > most_uncertain) return std::nullopt;
  std::vector<std::size_t> numbers(report.begin() + 2,
                                   report.begin() + 2 + static_cast<std::ptrdiff_t>(found));
  std::ranges::sort(numbers);
  const bool are_numbers = std::ranges::adjacent_find(numbers) == numbers.end() &&
                           (numbers.empty() || numbers.back() < results_ * values);
  if (!are_numbers) return std::nullopt;
  for (std::size_t& number : numbers) number /= values;
  const auto repeated = std::ranges::unique(numbers);
  numbers.erase(repeated.begin(), repeated.end());
  return numbers;
}

}  // namespace redtune::tuner
