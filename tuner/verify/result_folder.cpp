// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/verify/result_folder.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "tuner/verify/fold.hpp"

namespace redtune::tuner {

void ResultFolder::fold_results(std::size_t first, std::span<Reference> references) {
  if (references.empty()) return;
  std::ranges::fill(references, nothing_of(of_one_));
  if (is_segmented(shape_)) return fold_segments(first, references);
  fold_some(first, 0, static_cast<std::size_t>(elements_of_result(shape_)), references);
}

void ResultFolder::fold_some(std::size_t first, std::size_t from, std::size_t to,
                             std::span<Reference> references) {
  if (are_rows(shape_)) return fold_rows(first, from, to, references);
  if (shape_.batch != 1) return fold_channels(first, from, to, references);
  const auto inner = static_cast<std::size_t>(shape_.inner);
  while (!references.empty()) {
    const std::size_t column = first % inner;
    const std::size_t here = std::min({references.size(), inner - column, columns()});
    const auto slice = static_cast<std::int64_t>(first / inner) * slice_of(shape_);
    fold_columns(slice + static_cast<std::int64_t>(column), from, to, references.first(here));
    first += here;
    references = references.subspan(here);
  }
}

/// What stays in the nearest cache, in elements.
std::size_t ResultFolder::most_elements() const {
  return (std::size_t{1} << 15) / element_;
}
/// So many at a time that each has some elements to fold.
std::size_t ResultFolder::columns() const {
  constexpr std::int64_t some = 256;
  const auto lines = static_cast<std::size_t>(std::clamp<std::int64_t>(shape_.count, 1, some));
  return std::max<std::size_t>(1, most_elements() / lines);
}

/// One array of the batch after the other: as rows, or of several short channels what is of one.
void ResultFolder::fold_channels(std::size_t first, std::size_t from, std::size_t to,
                                 std::span<Reference> references) {
  const auto count = static_cast<std::size_t>(std::max<std::int64_t>(shape_.count, 1));
  const auto slice = static_cast<std::size_t>(slice_of(shape_));
  const std::size_t channels =
      std::clamp<std::size_t>(most_elements() / std::max<std::size_t>(slice, 1), 1,
                              std::max<std::size_t>(references.size(), 1));
  for (std::size_t some = 0; some < references.size(); some += channels) {
    const std::size_t here = std::min(channels, references.size() - some);
    const auto begin = static_cast<std::int64_t>((first + some) * slice);
    for (std::size_t k = from; k < to;) {
      const std::size_t within = k % count;
      const std::size_t length = std::min({to - k, count - within, most_elements()});
      const std::int64_t array = static_cast<std::int64_t>(k / count) * batch_step_of(shape_);
      const auto written = written_elements(begin + array + static_cast<std::int64_t>(within),
                                            (here - 1) * slice + length);
      for (std::size_t i = 0; i < here; ++i) {
        fold(of_one_,
             {written.subspan(i * slice * element_, length * element_),
              static_cast<std::int64_t>(k)},
             references[some + i]);
      }
      k += length;
    }
  }
}

/// Several short segments at a time, or parts of a long one.
void ResultFolder::fold_segments(std::size_t first, std::span<Reference> references) {
  const auto end_of = [&](std::size_t i) { return offsets_[first + i + 1]; };
  const auto most = static_cast<std::int64_t>(most_elements());
  for (std::size_t i = 0; i < references.size();) {
    std::int64_t begin = offsets_[first + i];
    std::int64_t done = 0;
    for (; end_of(i) - begin > most; begin += most, done += most) {
      fold(of_one_, {written_elements(begin, most_elements()), done}, references[i]);
    }
    std::size_t behind = i + 1;
    while (behind < references.size() && end_of(behind) - begin <= most) ++behind;
    const auto written =
        written_elements(begin, static_cast<std::size_t>(end_of(behind - 1) - begin));
    std::size_t at = 0;
    for (; i < behind; ++i, done = 0) {
      const std::size_t length = static_cast<std::size_t>(end_of(i) - begin) - at;
      fold(of_one_, {written.subspan(at * element_, length * element_), done}, references[i]);
      at += length;
    }
  }
}

/// Several short rows at a time, or parts of a long one.
void ResultFolder::fold_rows(std::size_t first, std::size_t from, std::size_t to,
                             std::span<Reference> references) {
  const auto slice = static_cast<std::size_t>(std::max<std::int64_t>(slice_of(shape_), 1));
  const bool is_whole = to - from == static_cast<std::size_t>(shape_.count);
  const std::size_t rows =
      is_whole ? std::clamp<std::size_t>(most_elements() / slice, 1, references.size()) : 1;
  for (std::size_t row = 0; row < references.size(); row += rows) {
    const std::size_t here = std::min(rows, references.size() - row);
    for (std::size_t k = from; k < to; k += most_elements()) {
      const std::size_t length = std::min(to - k, most_elements());
      const auto index = static_cast<std::int64_t>((first + row) * slice + k);
      const auto written = written_elements(index, (here - 1) * slice + length);
      for (std::size_t i = 0; i < here; ++i) {
        fold(of_one_,
             {written.subspan(i * slice * element_, length * element_),
              static_cast<std::int64_t>(k)},
             references[row + i]);
      }
    }
  }
}

/// Of neighbouring results, as many as references, of which the first begins at an element.
void ResultFolder::fold_columns(std::int64_t begin, std::size_t from, std::size_t to,
                                std::span<Reference> references) {
  const std::size_t width = references.size();
  const std::size_t lines = std::max<std::size_t>(1, most_elements() / width);
  for (std::size_t line = from; line < to; line += lines) {
    const std::size_t here = std::min(lines, to - line);
    const std::int64_t first = begin + static_cast<std::int64_t>(line) * step_of(shape_);
    const auto written = written_lines(first, here, width);
    for (std::size_t i = 0; i < width; ++i) {
      fold(of_one_, {column(written, i, width), static_cast<std::int64_t>(line)}, references[i]);
    }
  }
}

std::span<const std::byte> ResultFolder::written_elements(std::int64_t index,
                                                          std::size_t elements) {
  elements_.resize(std::max(elements_.size(), elements * element_));
  const auto here = std::span(elements_).first(elements * element_);
  write_(index, here);
  return here;
}
/// Without what lies between them.
std::span<const std::byte> ResultFolder::written_lines(std::int64_t first, std::size_t lines,
                                                       std::size_t width) {
  if (step_of(shape_) == static_cast<std::int64_t>(width)) {
    return written_elements(first, lines * width);
  }
  elements_.resize(std::max(elements_.size(), lines * width * element_));
  const auto here = std::span(elements_).first(lines * width * element_);
  for (std::size_t line = 0; line < lines; ++line) {
    write_(first + static_cast<std::int64_t>(line) * step_of(shape_),
           here.subspan(line * width * element_, width * element_));
  }
  return here;
}
std::span<const std::byte> ResultFolder::column(std::span<const std::byte> lines, std::size_t i,
                                                std::size_t width) {
  column_.resize(lines.size() / width);
  visit_dtype(of_one_.in, [&]<class T>(std::type_identity<T>) {
    for (std::size_t k = 0; k < column_.size() / sizeof(T); ++k) {
      std::memcpy(&column_[k * sizeof(T)], &lines[(k * width + i) * sizeof(T)], sizeof(T));
    }
  });
  return column_;
}

}  // namespace redtune::tuner
