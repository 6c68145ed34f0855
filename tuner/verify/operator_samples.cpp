// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/verify/operator_samples.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <span>
#include <type_traits>

#include "redtune/error.hpp"
#include "search/rng.hpp"
#include "tuner/verify/input.hpp"
#include "tuner/verify/operator_watch.hpp"

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

/// What check_triples leaves for each triple.
template <class Acc>
struct OperatorSample {
  Acc a, b, c, identity, identity_a, a_identity, ab, ba, ab_c, a_bc, identities;
};

template <class Acc>
bool is_finite(Acc x) {
  if constexpr (std::is_floating_point_v<Acc>) return std::isfinite(x);
  return true;
}

/// Whether two results that should be the same are, up to what rounding makes of values as large as
/// these. One function may use others of its kind that are right to a few units only: 2^10 units.
template <class Acc>
bool agree(Acc x, Acc y, std::initializer_list<Acc> values) {
  if (x == y || (x != x && y != y)) return true;
  if constexpr (std::is_floating_point_v<Acc>) {
    if (!std::isfinite(x) || !std::isfinite(y)) return false;
    Acc size = std::max(std::fabs(x), std::fabs(y));
    for (const Acc value : values) size = std::max(size, std::fabs(value));
    // Below the least normal number units do not shrink any more.
    size = std::max(size, std::numeric_limits<Acc>::min());
    return std::fabs(x / 2 - y / 2) <= 512 * std::numeric_limits<Acc>::epsilon() * size;
  }
  return false;
}

/// One line about the first promise that a sample breaks; empty: it keeps all.
template <class Acc>
std::string broken_promise(const OperatorSample<Acc>& s) {
  if (!agree(s.identities, s.identity, {})) {
    return fmt::format("identity() is not neutral: combine(identity(), identity()) is {}, not {}",
                       s.identities, s.identity);
  }
  if (!is_finite(s.a) || !is_finite(s.b) || !is_finite(s.c)) return {};
  if (!agree(s.identity_a, s.a, {})) {
    return fmt::format("identity() is not neutral: combine(identity(), {0}) is {1}, not {0}", s.a,
                       s.identity_a);
  }
  if (!agree(s.a_identity, s.a, {})) {
    return fmt::format("identity() is not neutral: combine({0}, identity()) is {1}, not {0}", s.a,
                       s.a_identity);
  }
  if (!is_finite(s.ab) || !is_finite(s.ba)) return {};
  if (!agree(s.ab, s.ba, {s.a, s.b})) {
    return fmt::format("not commutative: combine({0}, {1}) is {2}, combine({1}, {0}) is {3}", s.a,
                       s.b, s.ab, s.ba);
  }
  if (!is_finite(s.ab_c) || !is_finite(s.a_bc)) return {};
  if (!agree(s.ab_c, s.a_bc, {s.a, s.b, s.c, s.ab})) {
    return fmt::format(
        "not associative: combine(combine({0}, {1}), {2}) is {3}, combine({0}, combine({1}, {2})) "
        "is {4}",
        s.a, s.b, s.c, s.ab_c, s.a_bc);
  }
  return {};
}

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

template <class Acc>
void require_promises(const OperatorProgram& program, std::uint64_t seed) {
  const Problem& problem = program.problem();
  device::Device& device = program.device();
  const std::vector<std::byte> elements = triples_of(problem.in, seed);
  const std::size_t triples = elements.size() / size_of(problem.in) / 3;
  std::vector<OperatorSample<Acc>> samples(triples);
  const device::Buffer in = device.allocate(elements.size());
  const device::Buffer out = device.allocate(triples * sizeof(OperatorSample<Acc>));
  device.copy_to_device(in.data(), elements.data(), elements.size());
  device::Arguments arguments;
  arguments.append(in.data());
  arguments.append(static_cast<std::int32_t>(triples));
  arguments.append(out.data());
  {
    const OperatorWatch watch(problem, 0, "while it was tried on samples");
    program.run(kernels::CheckKernel::check_triples, static_cast<std::int64_t>(triples), arguments);
  }
  device.copy_to_host(samples.data(), out.data(), out.bytes());
  for (const OperatorSample<Acc>& sample : samples) {
    const std::string broken = broken_promise(sample);
    if (!broken.empty()) {
      throw UsageError(fmt::format("{}: {}", problem.custom.name, broken));
    }
  }
}

}  // namespace

void require_sound(const OperatorProgram& program, std::uint64_t seed) {
  visit_dtype(program.problem().acc, [&]<class Acc>(std::type_identity<Acc>) {
    // make_problem() refuses 16-bit floats to accumulate in.
    if constexpr (std::is_arithmetic_v<Acc>) require_promises<Acc>(program, seed);
  });
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
