// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/own_kernel/buffer_fill.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <functional>
#include <future>
#include <limits>
#include <span>
#include <thread>
#include <type_traits>

#include "redtune/error.hpp"

namespace redtune::tuner {
namespace {

using kernels::Fill;
using kernels::FillKind;

/// Evenly over [0, 1): the finisher of SplitMix64, of seed and index.
double fraction_at(std::uint64_t seed, std::uint64_t index) {
  std::uint64_t z = (seed + 1) * 0x9e3779b97f4a7c15u + index * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

template <class T>
T element_at(const Fill& fill, std::uint64_t seed, std::uint64_t index) {
  switch (fill.kind) {
    case FillKind::constant:
      return static_cast<T>(fill.low);
    case FillKind::counting:
      if constexpr (std::is_integral_v<T>) return static_cast<T>(index);  // wraps
      return static_cast<T>(static_cast<double>(index));
    case FillKind::uniform: {
      const double fraction = fraction_at(seed, index);
      if constexpr (!std::is_integral_v<T>) {
        return static_cast<T>(fill.low + fraction * (fill.high - fill.low));
      } else {
        return static_cast<T>(std::floor(fill.low + fraction * (fill.high - fill.low + 1)));
      }
    }
    default:
      return T{};
  }
}

/// Throws UsageError at its place where an element has no value.
template <class T>
T calculated_element(const kernels::Formula& formula, std::int64_t index) {
  const kernels::Value of_index(index);
  const std::span<const kernels::Value> values{&of_index, formula.expression.names().size()};
  if constexpr (std::is_integral_v<T>) return static_cast<T>(formula.whole(values));
  const kernels::Value value = formula.value(values);
  return static_cast<T>(static_cast<double>(value.numerator()) /
                        static_cast<double>(value.denominator()));
}

/// Calls work(first, last) for parts of so many numbers, one for each processor. What one of them
/// throws is thrown.
void for_each_part(std::size_t numbers, const std::function<void(std::size_t, std::size_t)>& work) {
  constexpr std::size_t least_part = std::size_t{1} << 20;
  const std::size_t parts =
      std::clamp<std::size_t>(numbers / least_part, 1, std::thread::hardware_concurrency() + 1);
  std::vector<std::future<void>> behind;
  for (std::size_t part = 0; part < parts; ++part) {
    const auto when = parts == 1 ? std::launch::deferred : std::launch::async;
    behind.push_back(std::async(
        when, [&, part] { work(numbers * part / parts, numbers * (part + 1) / parts); }));
  }
  for (std::future<void>& one : behind) one.wait();
  for (std::future<void>& one : behind) one.get();
}

}  // namespace

std::vector<std::byte> elements_of_file(const std::string& path, const kernels::ElementType& type,
                                        std::int64_t elements) {
  const std::size_t bytes = static_cast<std::size_t>(elements) * type.bytes();
  std::error_code error;
  const auto there = std::filesystem::file_size(path, error);
  if (error) throw UsageError(fmt::format("cannot read {}: {}", path, error.message()));
  if (there != bytes) {
    throw UsageError(fmt::format("{} has {} bytes, and {} elements of {} have {}", path, there,
                                 elements, to_string(type), bytes));
  }
  std::vector<std::byte> data(bytes);
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char*>(data.data()), static_cast<std::streamsize>(bytes));
  if (!file) throw UsageError(fmt::format("cannot read {}", path));
  return data;
}

std::vector<std::byte> filled(const Fill& fill, const kernels::ElementType& type,
                              std::int64_t elements, std::uint64_t seed) {
  if (fill.kind == FillKind::file) return elements_of_file(fill.path, type, elements);
  std::vector<std::byte> data(static_cast<std::size_t>(elements) * type.bytes());
  if (fill.kind == FillKind::none || fill.kind == FillKind::zero) return data;
  visit_dtype(type.dtype, [&]<class T>(std::type_identity<T>) {
    for_each_part(data.size() / sizeof(T), [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        const T element = fill.kind == FillKind::formula
                              ? calculated_element<T>(fill.formula, static_cast<std::int64_t>(i))
                              : element_at<T>(fill, seed, i);
        std::memcpy(&data[i * sizeof(T)], &element, sizeof(T));
      }
    });
  });
  return data;
}

}  // namespace redtune::tuner
