// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "bench/handover_stress/inputs.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

#include "redtune/error.hpp"
#include "search/rng.hpp"

namespace redtune::bench {
namespace {

constexpr std::size_t index_offset = 8;  // of an IndexedValue

bool is_min(Op op) {
  return op == Op::min || op == Op::argmin;
}
bool is_max(Op op) {
  return op == Op::max || op == Op::argmax;
}

/// Numbers of which as many as there are elements add up without rounding.
std::int64_t largest_addend(const Problem& problem) {
  const std::int64_t whole = std::int64_t{1} << (problem.acc == DType::f64 ? 53 : 24);
  return std::min<std::int64_t>(100, whole / std::max<std::int64_t>(problem.count, 1));
}

/// So many values for each input, all whole numbers in the type.
std::int64_t span_of(DType type) {
  return size_of(type) < 4 ? 31 : std::int64_t{1} << 20;
}

template <class T>
T value_of(std::int64_t number) {
  if constexpr (is_floating_v<T> && sizeof(T) == 2) {
    return T(static_cast<float>(number));
  } else {
    return static_cast<T>(number);
  }
}

/// What an element of a type makes of a number: integers are cut off, floats hold it.
template <class T>
std::int64_t number_in(std::int64_t number) {
  if constexpr (is_floating_v<T>) {
    return number;
  } else {
    return static_cast<std::int64_t>(static_cast<T>(number));
  }
}

/// The number that stands at a place of an input.
class Numbers {
 public:
  Numbers(const Problem& problem, int turn, std::uint64_t seed)
      : problem_(problem), random_(seed + static_cast<std::uint64_t>(turn)) {
    const DTypeInfo& type = info(problem.in);
    const int step = is_min(problem.op) ? turn : inputs_in_turn - 1 - turn;
    first_ = 1 + step * span_of(problem.in);
    if (type.kind == DTypeKind::signed_int && type.bytes == 1) first_ -= 110;
  }

  std::int64_t next() {
    if (problem_.op == Op::count_nonzero) return random_.below(3) == 0 ? 0 : 1;
    if (is_min(problem_.op) || is_max(problem_.op)) return first_ + below(span_of(problem_.in));
    if (info(problem_.in).kind != DTypeKind::floating) {
      return static_cast<std::int64_t>(random_.next());
    }
    const std::int64_t most = largest_addend(problem_);
    return below(2 * most + 1) - most;
  }

 private:
  std::int64_t below(std::int64_t bound) {
    return static_cast<std::int64_t>(random_.below(static_cast<std::size_t>(bound)));
  }

  Problem problem_;
  search::Rng random_;
  std::int64_t first_ = 0;
};

/// Folds as it goes. Sums of integers wrap at 64 bits, those of floats are of whole numbers.
class Folded {
 public:
  explicit Folded(Op op) : op_(op) {}

  void add(std::int64_t number, std::int64_t index) {
    sum_ += static_cast<std::uint64_t>(number);
    nonzero_ += number != 0 ? 1 : 0;
    const bool comes_first = is_min(op_) ? number < best_ : number > best_;
    if (index > 0 && !comes_first) return;
    best_ = number;
    index_ = index;
  }

  [[nodiscard]] std::int64_t number() const {
    if (op_ == Op::count_nonzero) return nonzero_;
    return is_min(op_) || is_max(op_) ? best_ : static_cast<std::int64_t>(sum_);
  }
  [[nodiscard]] std::int64_t index() const { return index_; }

 private:
  Op op_;
  std::uint64_t sum_ = 0;
  std::int64_t nonzero_ = 0;
  std::int64_t best_ = 0;
  std::int64_t index_ = 0;
};

std::int64_t count_in_turn(std::int64_t count, int turn) {
  if (turn % 2 == 0) return count;
  return std::max<std::int64_t>(1, count - turn * (count / 64) - turn);
}

ExactInput exact_input(const Problem& problem, int turn, std::uint64_t seed) {
  ExactInput input{.count = count_in_turn(problem.count, turn)};
  input.elements.resize(static_cast<std::size_t>(input.count) * size_of(problem.in));
  Folded folded(problem.op);
  visit_dtype(problem.in, [&]<class In>(std::type_identity<In>) {
    Numbers numbers(problem, turn, seed);
    for (std::int64_t i = 0; i < input.count; ++i) {
      const std::int64_t number = numbers.next();
      const In value = value_of<In>(number);
      std::memcpy(input.elements.data() + static_cast<std::size_t>(i) * sizeof(In), &value,
                  sizeof(In));
      folded.add(number_in<In>(number), i);
    }
  });
  visit_dtype(problem.out, [&]<class Out>(std::type_identity<Out>) {
    const Out value = value_of<Out>(folded.number());
    std::memcpy(input.result.data(), &value, sizeof(Out));
  });
  const std::int64_t index = folded.index();
  if (info(problem.op).shape == ResultShape::indexed) {
    std::memcpy(input.result.data() + index_offset, &index, sizeof(index));
  }
  return input;
}

}  // namespace

void require_exact(const Problem& problem) {
  const bool is_known = problem.op == Op::sum || problem.op == Op::count_nonzero ||
                        is_min(problem.op) || is_max(problem.op);
  if (!is_known) {
    throw UsageError(fmt::format(
        "results are known here of sum, count_nonzero, min, max, argmin and argmax, not of {}",
        to_string(problem.op)));
  }
  if (problem.count < 1) throw UsageError("there is nothing to hand over below 1 element");
  if (problem.op == Op::sum && rounds(problem) && largest_addend(problem) < 1) {
    throw UsageError(fmt::format("sums of {} of {} elements would round: at most 2^24, f64 2^53",
                                 to_string(problem.in), problem.count));
  }
}

std::vector<ExactInput> exact_inputs(const Problem& problem, std::uint64_t seed) {
  require_exact(problem);
  std::vector<ExactInput> inputs;
  for (int turn = 0; turn < inputs_in_turn; ++turn) {
    inputs.push_back(exact_input(problem, turn, seed));
  }
  return inputs;
}

bool is_result(const Problem& problem, std::span<const std::byte> output,
               const ExactResult& result) {
  if (std::memcmp(output.data(), result.data(), size_of(problem.out)) != 0) return false;
  return info(problem.op).shape != ResultShape::indexed ||
         std::memcmp(output.data() + index_offset, result.data() + index_offset,
                     sizeof(std::int64_t)) == 0;
}

}  // namespace redtune::bench
