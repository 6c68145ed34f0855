// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/raw_file.hpp"

#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <sys/stat.h>

#include "redtune/error.hpp"

namespace redtune::cli {

std::size_t file_bytes(const std::string& path) {
  struct stat what {};
  if (stat(path.c_str(), &what) != 0) {
    throw UsageError(fmt::format("cannot read {}: {}", path, std::strerror(errno)));
  }
  if (!S_ISREG(what.st_mode)) throw UsageError(fmt::format("{} is not a regular file", path));
  return static_cast<std::size_t>(what.st_size);
}

std::vector<std::byte> read_file(const std::string& path, std::size_t bytes) {
  std::vector<std::byte> data(bytes);
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char*>(data.data()), static_cast<std::streamsize>(bytes));
  if (!file || file.gcount() != static_cast<std::streamsize>(bytes)) {
    throw UsageError(fmt::format("cannot read {}", path));
  }
  return data;
}

std::vector<std::int64_t> keys_in(const std::vector<std::byte>& raw, std::int64_t bits) {
  const auto each = static_cast<std::size_t>(bits / 8);
  std::vector<std::int64_t> keys(raw.size() / each);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    std::int32_t narrow = 0;
    if (each == sizeof(narrow)) {
      std::memcpy(&narrow, &raw[i * each], each);
      keys[i] = narrow;
    } else {
      std::memcpy(&keys[i], &raw[i * each], each);
    }
  }
  return keys;
}

std::vector<std::byte> GroupedKeys::raw_of_groups() const {
  std::vector<std::byte> raw;
  const std::int64_t each = bits / 8;
  for (std::size_t i = 0; i < of_groups.size(); ++i) {
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(offsets[i] * each);
    raw.insert(raw.end(), first, first + static_cast<std::ptrdiff_t>(each));
  }
  return raw;
}

GroupedKeys read_keys(const std::string& path, std::int64_t bits, std::int64_t elements) {
  const std::size_t bytes = file_bytes(path);
  const auto needed = static_cast<std::size_t>(elements * (bits / 8));
  if (bytes != needed) {
    throw UsageError(fmt::format("{} has {} bytes, and keys of {} bits for {} elements have {}",
                                 path, bytes, bits, elements, needed));
  }
  GroupedKeys grouped;
  grouped.all = read_file(path, bytes);
  grouped.bits = bits;
  const std::vector<std::int64_t> keys = keys_in(grouped.all, bits);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (i > 0 && keys[i] == keys[i - 1]) continue;
    grouped.offsets.push_back(static_cast<std::int64_t>(i));
    grouped.of_groups.push_back(keys[i]);
  }
  grouped.offsets.push_back(elements);
  return grouped;
}

}  // namespace redtune::cli
