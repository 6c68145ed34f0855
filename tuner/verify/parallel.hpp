// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Large inputs by all cores: filling and summing 2^28 elements alone takes longer than tuning them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <thread>

#include "device/host/thread_pool.hpp"
#include "redtune/problem.hpp"

namespace redtune::tuner {

/// The pieces that a whole is cut into: one for each core, none smaller than 2^17.
[[nodiscard]] inline std::size_t pieces_of(std::size_t size) {
  constexpr std::size_t least = std::size_t{1} << 17;
  const std::size_t most = size / least;
  // How many cores there are, a file of the kernel's tells: small inputs do not ask.
  return most < 2 ? 1
                  : std::min<std::size_t>(most, std::max(1U, std::thread::hardware_concurrency()));
}

/// Calls work(piece, begin, end) for all pieces of [0, size) at the same time.
template <class Work>
void for_each_piece(std::size_t size, Work&& work) {
  const std::size_t pieces = pieces_of(size);
  device::host::ThreadPool threads(static_cast<int>(pieces));
  threads.for_each(static_cast<std::int64_t>(pieces), [&](int, std::int64_t item) {
    const auto piece = static_cast<std::size_t>(item);
    work(piece, size / pieces * piece, piece + 1 == pieces ? size : size / pieces * (piece + 1));
  });
}

/// Calls work(i) for each of so many things, at the same time; size: of all of them.
template <class Work>
void for_each_of(std::size_t things, std::size_t size, Work&& work) {
  device::host::ThreadPool threads(static_cast<int>(std::min(pieces_of(size), things)));
  threads.for_each(static_cast<std::int64_t>(things),
                   [&](int, std::int64_t i) { work(static_cast<std::size_t>(i)); });
}

/// What there is to do for all results of a shape: as for so many elements in one.
[[nodiscard]] inline std::size_t work_of(const Shape& shape) {
  return static_cast<std::size_t>(elements_of(shape) + results_of(shape));
}

/// Calls work(piece, begin, end) for pieces of the results, at the same time.
template <class Work>
void for_each_piece_of_results(const Shape& shape, Work&& work) {
  const auto results = static_cast<std::size_t>(results_of(shape));
  const std::size_t pieces = pieces_of(work_of(shape));
  for_each_piece(work_of(shape), [&](std::size_t piece, std::size_t, std::size_t) {
    const std::size_t each = results / pieces;
    const std::size_t rest = results % pieces;
    const std::size_t begin = piece * each + std::min(piece, rest);
    work(piece, begin, begin + each + (piece < rest ? 1 : 0));
  });
}

}  // namespace redtune::tuner
