// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/verify/adversary.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <type_traits>

#include "tuner/verify/float_format.hpp"
#include "tuner/verify/offsets.hpp"

namespace redtune::tuner {
namespace {

struct TrickRow {
  Trick trick;
  const char* name;
  bool is_for_floats;
  bool has_place;
};

constexpr TrickRow tricks[] = {
    {Trick::equal, "equal", false, false},
    {Trick::ascending, "ascending", false, false},
    {Trick::descending, "descending", false, false},
    {Trick::cancelling, "cancelling", false, false},
    {Trick::lowest, "lowest", false, false},
    {Trick::highest, "highest", false, false},
    {Trick::neutral, "neutral", false, false},
    {Trick::one_zero, "one_zero", false, true},
    {Trick::one_nonzero, "one_nonzero", false, true},
    {Trick::one_bit_clear, "one_bit_clear", false, true},
    {Trick::one_lowest, "one_lowest", false, true},
    {Trick::one_highest, "one_highest", false, true},
    {Trick::tiny_and_huge, "tiny_and_huge", true, true},
    {Trick::denormal, "denormal", true, false},
    {Trick::negative_zeros, "negative_zeros", true, false},
    {Trick::mixed_zeros, "mixed_zeros", true, false},
    {Trick::all_nan, "all_nan", true, false},
    {Trick::both_infinities, "both_infinities", true, false},
    {Trick::one_infinity, "one_infinity", true, true},
    {Trick::one_nan, "one_nan", true, true},
};

const TrickRow& row_of(Trick trick) {
  return *std::ranges::find(tricks, trick, &TrickRow::trick);
}

const char* name_of(Place place) {
  return place == Place::head ? "head" : place == Place::middle ? "middle" : "tail";
}

/// An element's index, and that of the one which is unlike the others.
struct Position {
  std::int64_t index;
  std::int64_t special;

  [[nodiscard]] bool is_special() const { return index == special; }
};

constexpr double inf = std::numeric_limits<double>::infinity();

double float_element(const FloatFormat& format, Trick trick, const Position& at) {
  const double largest =
      static_cast<double>(format.overflow() - format.spacing(format.overflow()) / 2);
  const double least = static_cast<double>(format.least());
  const bool is_even = at.index % 2 == 0;
  switch (trick) {
    case Trick::lowest:
      return -largest;
    case Trick::highest:
      return largest;
    case Trick::one_lowest:
      return at.is_special() ? -largest : 2;
    case Trick::one_highest:
      return at.is_special() ? largest : 2;
    case Trick::tiny_and_huge:
      return at.is_special() ? largest / 2 : static_cast<double>(format.least_normal()) * 4;
    case Trick::denormal:
      return least * static_cast<double>(at.index % 5 + 1) * (is_even ? 1 : -1);
    case Trick::negative_zeros:
      return -0.0;
    case Trick::mixed_zeros:
      return is_even ? 0.0 : -0.0;
    case Trick::all_nan:
      return std::numeric_limits<double>::quiet_NaN();
    case Trick::both_infinities:
      return at.index == 0 ? inf : is_even ? 1 : -inf;
    case Trick::one_infinity:
      return at.is_special() ? -inf : 1;
    case Trick::one_nan:
      return at.is_special() ? std::numeric_limits<double>::quiet_NaN() : 1;
    default:
      return 0;
  }
}

template <class T>
T integer_element(Trick trick, const Position& at) {
  using Limits = std::numeric_limits<T>;
  const T all = static_cast<T>(~std::uint64_t{0});
  switch (trick) {
    case Trick::lowest:
      return Limits::lowest();
    case Trick::highest:
      return Limits::max();
    case Trick::one_lowest:
      return at.is_special() ? Limits::lowest() : T{2};
    case Trick::one_highest:
      return at.is_special() ? Limits::max() : T{2};
    case Trick::one_bit_clear:
      return at.is_special() ? static_cast<T>(all - 4) : all;
    default:
      return 0;
  }
}

/// An element that leaves a result what it is; where there is none, one that hardly changes it.
double neutral_of(Op op) {
  switch (op) {
    case Op::product:
    case Op::all:
      return 1;
    case Op::min:
    case Op::min_ignore_nan:
    case Op::argmin:
    case Op::argmin_ignore_nan:
      return inf;
    case Op::max:
    case Op::max_ignore_nan:
    case Op::argmax:
    case Op::argmax_ignore_nan:
    case Op::softmax_stats:
    case Op::logsumexp:
      return -inf;
    default:
      return 0;
  }
}

template <class T>
T neutral_element(Op op) {
  const double neutral = neutral_of(op);
  if constexpr (is_floating_v<T>) {
    return static_cast<T>(neutral);
  } else {
    using Limits = std::numeric_limits<T>;
    if (op == Op::bit_and) return static_cast<T>(~std::uint64_t{0});
    return neutral == inf    ? Limits::max()
           : neutral == -inf ? Limits::lowest()
                             : static_cast<T>(neutral);
  }
}

/// What all types can say: small whole numbers.
double common_element(Trick trick, const Position& at) {
  const auto step = static_cast<double>(at.index % 100);
  switch (trick) {
    case Trick::equal:
      return 3;
    case Trick::ascending:
      return step;
    case Trick::descending:
      return 100 - step;
    case Trick::cancelling:
      return at.index % 2 == 0 ? step + 1 : -step;
    case Trick::one_zero:
      return at.is_special() ? 0 : 1;
    default:
      return at.is_special() ? 1 : 0;  // one_nonzero
  }
}

template <class T>
T element(const Problem& problem, Trick trick, const Position& at) {
  switch (trick) {
    case Trick::neutral:
      return neutral_element<T>(problem.op);
    case Trick::equal:
    case Trick::ascending:
    case Trick::descending:
    case Trick::cancelling:
    case Trick::one_zero:
    case Trick::one_nonzero:
      if constexpr (is_floating_v<T>) {
        return static_cast<T>(common_element(trick, at));
      } else {
        return static_cast<T>(static_cast<std::int64_t>(common_element(trick, at)));
      }
    default:
      if constexpr (is_floating_v<T>) {
        return static_cast<T>(float_element(format_of(dtype_of<T>()), trick, at));
      } else {
        return integer_element<T>(trick, at);
      }
  }
}

/// Elements after which every trick begins again.
constexpr std::int64_t period = 100;

/// Fills the rest with copies of the first so many bytes.
void repeat(std::span<std::byte> bytes, std::size_t done) {
  while (done > 0 && done < bytes.size()) {
    const std::size_t next = std::min(done, bytes.size() - done);
    std::memcpy(&bytes[done], bytes.data(), next);
    done += next;
  }
}

/// What an operator of which nothing is known can be asked for: plain numbers.
bool is_plain(Trick trick) {
  constexpr Trick plain[] = {Trick::equal, Trick::ascending, Trick::descending, Trick::cancelling,
                             Trick::one_nonzero};
  return std::ranges::find(plain, trick) != std::end(plain);
}

/// The lines of a slice: each holds the same element of all its results.
class Lines {
 public:
  Lines(const Problem& problem, const Adversary& adversary)
      : problem_(problem),
        trick_(adversary.trick),
        special_(adversary.place == Place::head     ? 0
                 : adversary.place == Place::middle ? elements_of_result(problem) / 2
                                                    : elements_of_result(problem) - 1) {}

  [[nodiscard]] std::int64_t special() const { return special_; }

  /// Every trick repeats itself, but for the special line and the first.
  void write_usual(std::int64_t line, std::span<std::byte> bytes) const {
    constexpr std::int64_t none = -1;
    write(bytes, {period + line, none});
  }
  void write_special(std::int64_t line, std::span<std::byte> bytes) const {
    write(bytes, {line, special_});
  }

 private:
  void write(std::span<std::byte> bytes, const Position& at) const {
    visit_dtype(problem_.in, [&]<class T>(std::type_identity<T>) {
      const T value = element<T>(problem_, trick_, at);
      std::memcpy(bytes.data(), &value, sizeof(T));
    });
    repeat(bytes, size_of(problem_.in));
  }

  const Problem& problem_;
  Trick trick_;
  std::int64_t special_;
};

/// Copies so many bytes behind themselves until there are as many as wanted.
void repeat_within(InputMemory& memory, std::size_t done, std::size_t wanted,
                   std::size_t begin = 0) {
  while (done < wanted) {
    const std::size_t next = std::min(done, wanted - done);
    memory.copy(begin + done, begin, next);
    done += next;
  }
}

/// Elements that are not special, from a line on with which a period begins.
std::vector<std::byte> usual_elements(const Problem& problem, const Lines& lines,
                                      std::int64_t count) {
  const std::size_t element = size_of(problem.in);
  std::vector<std::byte> usual(static_cast<std::size_t>(count) * element);
  const auto written = static_cast<std::size_t>(std::min(count, period));
  for (std::size_t line = 0; line < written; ++line) {
    lines.write_usual(static_cast<std::int64_t>(line),
                      std::span(usual).subspan(line * element, element));
  }
  repeat(usual, written * element);
  return usual;
}

/// The elements of a channel go on from array to array; all channels are alike.
void lay_out_batch(const Problem& problem, const Lines& lines, InputMemory& memory) {
  const std::size_t element = size_of(problem.in);
  const auto bytes = [&](std::int64_t elements) {
    return static_cast<std::size_t>(elements) * element;
  };
  // Long enough to cut an array from that begins at any line of a period.
  const std::vector<std::byte> usual = usual_elements(problem, lines, problem.count + period);
  std::vector<std::byte> channel(bytes(problem.count));
  for (std::int64_t array = 0; array < problem.batch; ++array) {
    const std::int64_t first = array * problem.count;
    std::memcpy(channel.data(), &usual[bytes(first % period)], channel.size());
    for (const std::int64_t line : {std::int64_t{0}, lines.special()}) {
      if (line < first || line >= first + problem.count) continue;
      lines.write_special(line, std::span(channel).subspan(bytes(line - first), element));
    }
    const std::size_t begin = bytes(array * batch_step_of(problem));
    memory.write(begin, channel);
    if (problem.outer == 1) continue;
    const std::size_t slice = bytes(slice_of(problem));
    repeat_within(memory, slice,
                  static_cast<std::size_t>(problem.outer - 1) * slice + channel.size(), begin);
  }
}

/// Each segment has the elements of an input of its length.
void lay_out_segments(const Problem& problem, const Adversary& adversary, InputMemory& memory) {
  const std::size_t element = size_of(problem.in);
  const std::vector<std::int64_t> offsets = segment_offsets(problem);
  const auto bytes_of = [&](std::int64_t elements) {
    return static_cast<std::size_t>(elements) * element;
  };
  std::int64_t longest = 0;
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
    longest = std::max(longest, offsets[i + 1] - offsets[i]);
  }
  Problem of_segment = problem;
  static_cast<Shape&>(of_segment) = {.count = longest};
  const auto usual = usual_elements(problem, Lines(of_segment, adversary), longest);
  std::vector<std::byte> all(bytes_of(problem.count), in_gaps);
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
    of_segment.count = offsets[i + 1] - offsets[i];
    if (of_segment.count == 0) continue;
    const auto segment = std::span(all).subspan(bytes_of(offsets[i]), bytes_of(of_segment.count));
    std::memcpy(segment.data(), usual.data(), segment.size());
    const Lines lines(of_segment, adversary);
    for (const std::int64_t k : {std::int64_t{0}, lines.special()}) {
      lines.write_special(k, segment.subspan(bytes_of(k), element));
    }
  }
  memory.write(0, all);
}

}  // namespace

std::string to_string(const Adversary& adversary) {
  const TrickRow& row = row_of(adversary.trick);
  if (!row.has_place) return row.name;
  return fmt::format("{} at the {}", row.name, name_of(adversary.place));
}

std::vector<Adversary> adversaries_of(const Problem& problem) {
  const bool is_float = info(problem.in).kind == DTypeKind::floating;
  std::vector<Adversary> all;
  for (const TrickRow& row : tricks) {
    if (row.is_for_floats && !is_float) continue;
    if (row.trick == Trick::one_bit_clear && is_float) continue;
    if (problem.op == Op::custom && !is_plain(row.trick)) continue;
    for (const Place place : {Place::head, Place::middle, Place::tail}) {
      if (row.has_place || place == Place::head) all.push_back({row.trick, place});
    }
  }
  return all;
}

void lay_out(const Problem& problem, const Adversary& adversary, InputMemory& memory) {
  if (elements_of(problem) == 0) return;
  const auto bytes = [&](std::int64_t elements) {
    return static_cast<std::size_t>(elements) * size_of(problem.in);
  };
  if (is_segmented(problem)) return lay_out_segments(problem, adversary, memory);
  const Lines lines(problem, adversary);
  if (problem.batch != 1) return lay_out_batch(problem, lines, memory);
  const std::size_t step = bytes(step_of(problem));
  const std::size_t width = bytes(problem.inner);
  const auto count = static_cast<std::size_t>(problem.count);

  const std::size_t usual = std::min<std::size_t>(count, period);
  std::vector<std::byte> block(count == usual ? (usual - 1) * step + width : usual * step, in_gaps);
  for (std::size_t i = 0; i < usual; ++i) {
    lines.write_usual(static_cast<std::int64_t>(i), std::span(block).subspan(i * step, width));
  }
  memory.write(0, block);
  const std::size_t slice = (count - 1) * step + width;
  repeat_within(memory, block.size(), slice);
  for (const std::int64_t line : {std::int64_t{0}, lines.special()}) {
    const auto special = std::span(block).first(width);
    lines.write_special(line, special);
    memory.write(static_cast<std::size_t>(line) * step, special);
  }
  if (problem.outer == 1) return;  // which may have any pitch
  const std::size_t slices = bytes(slice_of(problem));
  repeat_within(memory, slices, static_cast<std::size_t>(problem.outer - 1) * slices + slice);
}

std::vector<std::byte> adversarial_input(const Problem& problem, const Adversary& adversary) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(span_of(problem)) * size_of(problem.in),
                               in_gaps);
  HostInputMemory memory(bytes);
  lay_out(problem, adversary, memory);
  return bytes;
}

}  // namespace redtune::tuner
