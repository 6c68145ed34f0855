// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/verify/operator_samples.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <type_traits>

#include "redtune/error.hpp"
#include "search/rng.hpp"
#include "tuner/verify/float_format.hpp"
#include "tuner/verify/input.hpp"
#include "tuner/verify/member_values.hpp"
#include "tuner/verify/operator_watch.hpp"
#include "vocabulary/operator_structs.hpp"

namespace redtune::tuner {
namespace {

constexpr std::int64_t generated_elements = 48;
constexpr std::size_t random_triples = 3000;

/// Simple ones first: the first violation is the one that is told.
template <class T>
std::vector<T> sample_elements(DType dtype, std::uint64_t seed) {
  using Limits = std::numeric_limits<T>;
  std::vector<T> samples;
  for (const int simple : {1, 2, 3, 0, 5, -1, -2}) {
    if (simple >= 0 || std::is_signed_v<T>) samples.push_back(static_cast<T>(simple));
  }
  if constexpr (std::is_integral_v<T>) {
    for (const T edge : {Limits::max(), Limits::min(), static_cast<T>(Limits::max() / 2)}) {
      samples.push_back(edge);
    }
  } else {
    for (const T edge : {T(0.5), T(-1.5), Limits::max(), Limits::lowest(), Limits::min(),
                         std::sqrt(Limits::max()), std::sqrt(Limits::min())}) {
      samples.push_back(edge);
    }
  }
  const auto generated = make_input(make_problem(Op::sum, dtype, generated_elements), seed);
  const std::size_t known = samples.size();
  samples.resize(known + generated_elements);
  std::memcpy(&samples[known], generated.data(), generated.size());
  return samples;
}

/// Triples of the first few samples, all of them, then of any.
std::vector<std::size_t> triple_indices(std::size_t samples, std::size_t simple,
                                        std::uint64_t seed) {
  std::vector<std::size_t> indices;
  for (std::size_t sum = 0; sum <= 3 * (simple - 1); ++sum) {  // 1, 2, 3 before the ends
    for (std::size_t a = 0; a < simple; ++a) {
      for (std::size_t b = 0; b < simple && a + b <= sum; ++b) {
        const std::size_t c = sum - a - b;
        if (c < simple) indices.insert(indices.end(), {a, b, c});
      }
    }
  }
  search::Rng random(seed);
  for (std::size_t i = 0; i < 3 * random_triples; ++i) indices.push_back(random.below(samples));
  return indices;
}

/// An accumulator, member by member.
using MemberNumbers = std::vector<long double>;

/// What check_triples leaves for each triple.
struct OperatorSample {
  static constexpr std::size_t accumulators = 11;
  MemberNumbers a, b, c, identity, identity_a, a_identity, ab, ba, ab_c, a_bc, identities;
};

/// How far rounding moves each member of a struct; nothing of a single value, whose size tells.
using MemberSlack = std::vector<long double>;

/// Judges samples of an operator.
class Promises {
 public:
  explicit Promises(const Operation& operation) : members_(accumulator_members(operation)) {}

  [[nodiscard]] const std::vector<ResultValue>& members() const { return members_; }
  [[nodiscard]] bool has_names() const { return !members_.front().name.empty(); }

  /// One line about the first promise that a sample breaks; empty: it keeps all. slack: see
  /// rounding_of().
  [[nodiscard]] std::string broken(const OperatorSample& s, const MemberSlack& slack = {}) const {
    const MemberSlack none;
    if (const auto at = differs(s.identities, s.identity, {}, none)) {
      return fmt::format(
          "identity() is not neutral{}: combine(identity(), identity()) is {}, not {}",
          in_member(*at), text(s.identities), text(s.identity));
    }
    if (!are_fine(s, {&s.a, &s.b, &s.c})) return {};
    if (const auto at = differs(s.identity_a, s.a, {}, none)) {
      return fmt::format("identity() is not neutral{0}: combine(identity(), {1}) is {2}, not {1}",
                         in_member(*at), text(s.a), text(s.identity_a));
    }
    if (const auto at = differs(s.a_identity, s.a, {}, none)) {
      return fmt::format("identity() is not neutral{0}: combine({1}, identity()) is {2}, not {1}",
                         in_member(*at), text(s.a), text(s.a_identity));
    }
    if (!are_fine(s, {&s.ab, &s.ba})) return {};
    if (const auto at = differs(s.ab, s.ba, {&s.a, &s.b}, slack)) {
      return fmt::format("not commutative{0}: combine({1}, {2}) is {3}, combine({2}, {1}) is {4}",
                         in_member(*at), text(s.a), text(s.b), text(s.ab), text(s.ba));
    }
    if (!are_fine(s, {&s.ab_c, &s.a_bc})) return {};
    if (const auto at = differs(s.ab_c, s.a_bc, {&s.a, &s.b, &s.c, &s.ab}, slack)) {
      return fmt::format(
          "not associative{0}: combine(combine({1}, {2}), {3}) is {4}, combine({1}, combine({2}, "
          "{3})) is {5}",
          in_member(*at), text(s.a), text(s.b), text(s.c), text(s.ab_c), text(s.a_bc));
    }
    return {};
  }

 private:
  [[nodiscard]] std::string text(const MemberNumbers& one) const {
    return members_text(members_, one);
  }
  [[nodiscard]] std::string in_member(std::size_t at) const {
    return members_.size() == 1 ? "" : fmt::format(" in '{}'", members_[at].name);
  }

  /// Values that overflowed are passed over. A member of a struct may be as infinite as that of the
  /// identity, as the second of two is while there is one.
  [[nodiscard]] bool are_fine(const OperatorSample& s,
                              std::initializer_list<const MemberNumbers*> all) const {
    return std::ranges::all_of(all, [&](const MemberNumbers* one) {
      for (std::size_t m = 0; m < members_.size(); ++m) {
        const bool is_of_identity = has_names() && (*one)[m] == s.identity[m];
        if (!std::isfinite((*one)[m]) && !is_of_identity) return false;
      }
      return true;
    });
  }

  /// The first member in which two accumulators that should be the same are not, up to what
  /// rounding makes of values as large as these. One function may use others of its kind that are
  /// right to a few units only: 2^10 units.
  [[nodiscard]] std::optional<std::size_t> differs(
      const MemberNumbers& x, const MemberNumbers& y,
      std::initializer_list<const MemberNumbers*> values, const MemberSlack& slack) const {
    for (std::size_t m = 0; m < members_.size(); ++m) {
      const bool are_same = x[m] == y[m] || (std::isnan(x[m]) && std::isnan(y[m]));
      if (are_same) continue;
      if (unit_roundoff(members_[m].type) == 0) return m;
      if (!std::isfinite(x[m]) || !std::isfinite(y[m])) return m;
      long double size = std::max(std::fabs(x[m]), std::fabs(y[m]));
      for (const MemberNumbers* value : values) {
        if (std::isfinite((*value)[m])) size = std::max(size, std::fabs((*value)[m]));
      }
      // Below the least normal number units do not shrink any more.
      size = std::max(size, format_of(members_[m].type).least_normal());
      const long double allowed = units * unit_roundoff(members_[m].type) * size;
      if (!(std::fabs(x[m] - y[m]) <= allowed + (slack.empty() ? 0 : units / 2 * slack[m])))
        return m;
    }
    return std::nullopt;
  }

  static constexpr long double units = 2048;  // of half a last place
  std::vector<ResultValue> members_;
};

template <class T>
std::vector<T> chosen(const std::vector<T>& samples, const std::vector<std::size_t>& indices) {
  std::vector<T> elements;
  elements.reserve(indices.size());
  for (const std::size_t i : indices) elements.push_back(samples[i]);
  return elements;
}

/// The bytes of the triples, three elements each.
std::vector<std::byte> triples_of(DType in, std::uint64_t seed) {
  return visit_dtype(in, [&]<class T>(std::type_identity<T>) {
    std::vector<T> elements;
    if constexpr (std::is_arithmetic_v<T>) {
      const auto samples = sample_elements<T>(in, seed);
      const std::size_t simple = samples.size() - generated_elements;
      elements = chosen(samples, triple_indices(samples.size(), simple, seed));
    } else {  // 16-bit floats: the same numbers where they have them
      const auto samples = sample_elements<float>(DType::f32, seed);
      const std::size_t simple = samples.size() - generated_elements;
      for (const float x : chosen(samples, triple_indices(samples.size(), simple, seed))) {
        elements.push_back(std::isfinite(static_cast<float>(T(x))) ? T(x) : T(1000.0F));
      }
    }
    const auto* bytes = reinterpret_cast<const std::byte*>(elements.data());
    return std::vector<std::byte>(bytes, bytes + elements.size() * sizeof(T));
  });
}

/// A custom operator on its device, asked for samples.
class SampleReader {
 public:
  explicit SampleReader(const OperatorProgram& program)
      : program_(program),
        members_(accumulator_members(program.problem())),
        bytes_(accumulator_bytes(program.problem())) {}

  /// Of elements, three for each sample.
  [[nodiscard]] std::vector<OperatorSample> samples(const std::vector<std::byte>& elements) const {
    const std::size_t triples = elements.size() / size_of(program_.problem().in) / 3;
    const auto found = run(kernels::CheckKernel::check_triples, elements, triples,
                           triples * OperatorSample::accumulators);
    std::vector<OperatorSample> samples;
    samples.reserve(triples);
    for (std::size_t i = 0; i < triples; ++i) {
      const MemberNumbers* const v = &found[i * OperatorSample::accumulators];
      samples.push_back({v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], v[10]});
    }
    return samples;
  }

  /// How far members of combine(combine(a, b), c) move, and of combine(a, b), when each float of a,
  /// b and c moves by a last place: the size of one value alone does not tell what rounding does
  /// to the others, as that of a mean to squares of distances.
  [[nodiscard]] MemberSlack rounding_of(const OperatorSample& s) const {
    MemberSlack most(members_.size());
    for (const MemberNumbers& last : {s.c, s.identity}) {
      const std::vector<MemberNumbers> inputs{s.a, s.b, last};
      std::vector<MemberNumbers> triples = inputs;
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        for (std::size_t m = 0; m < members_.size(); ++m) {
          const long double unit = unit_roundoff(members_[m].type);
          if (unit == 0 || !std::isfinite(inputs[i][m])) continue;
          triples.insert(triples.end(), inputs.begin(), inputs.end());
          triples[triples.size() - 3 + i][m] *= 1 + 2 * unit;
        }
      }
      const std::vector<MemberNumbers> moved = combined(triples);
      MemberSlack all(members_.size());
      for (const MemberNumbers& one : moved) {
        for (std::size_t m = 0; m < members_.size(); ++m) {
          const long double by = std::fabs(one[m] - moved.front()[m]);
          if (std::isfinite(by)) all[m] += by;
        }
      }
      for (std::size_t m = 0; m < members_.size(); ++m) most[m] = std::max(most[m], all[m]);
    }
    return most;
  }

 private:
  [[nodiscard]] std::vector<MemberNumbers> combined(
      const std::vector<MemberNumbers>& triples) const {
    std::vector<std::byte> bytes(triples.size() * bytes_);
    for (std::size_t i = 0; i < triples.size(); ++i) {
      for (std::size_t m = 0; m < members_.size(); ++m) {
        write_number(members_[m].type, triples[i][m], &bytes[i * bytes_ + members_[m].offset]);
      }
    }
    return run(kernels::CheckKernel::combine_triples, bytes, triples.size() / 3,
               triples.size() / 3);
  }
  /// What a kernel makes of triples.
  [[nodiscard]] std::vector<MemberNumbers> run(kernels::CheckKernel kernel,
                                               const std::vector<std::byte>& from,
                                               std::size_t triples, std::size_t results) const {
    device::Device& device = program_.device();
    const device::Buffer in = device.allocate(from.size());
    const device::Buffer out = device.allocate(results * bytes_);
    device.copy_to_device(in.data(), from.data(), from.size());
    device::Arguments arguments;
    arguments.append(in.data());
    arguments.append(static_cast<std::int32_t>(triples));
    arguments.append(out.data());
    {
      const OperatorWatch watch(program_.problem(), 0, "while it was tried on samples");
      program_.run(kernel, static_cast<std::int64_t>(triples), arguments);
    }
    std::vector<std::byte> bytes(out.bytes());
    device.copy_to_host(bytes.data(), out.data(), bytes.size());
    std::vector<MemberNumbers> found;
    found.reserve(results);
    for (std::size_t i = 0; i < results; ++i) {
      found.push_back(numbers_of(members_, &bytes[i * bytes_]));
    }
    return found;
  }

  const OperatorProgram& program_;
  std::vector<ResultValue> members_;
  std::size_t bytes_;
};

}  // namespace

void require_sound(const OperatorProgram& program, std::uint64_t seed) {
  const Problem& problem = program.problem();
  const SampleReader reader(program);
  const Promises promises(problem);
  for (const OperatorSample& sample : reader.samples(triples_of(problem.in, seed))) {
    std::string broken = promises.broken(sample);
    if (!broken.empty() && promises.has_names()) {
      broken = promises.broken(sample, reader.rounding_of(sample));
    }
    if (!broken.empty()) throw UsageError(fmt::format("{}: {}", problem.custom.name, broken));
  }
}

std::unique_ptr<const OperatorProgram> sound_operator(device::Device& device,
                                                      const kernels::Family& family,
                                                      const Problem& problem,
                                                      const CompilePool& compiler) {
  // Samples are the same whatever a run is seeded with: an operator is sound or it is not.
  constexpr std::uint64_t seed = 1;
  if (problem.op != Op::custom) return nullptr;
  auto program = std::make_unique<const OperatorProgram>(
      device, family, problem, compiler.with_text(family.device_text(problem)));
  require_sound(*program, seed);
  return program;
}

}  // namespace redtune::tuner
