// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/raw_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <deque>
#include <fcntl.h>
#include <fmt/format.h>
#include <fstream>
#include <set>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "redtune/error.hpp"

namespace redtune::cli {

namespace {

[[noreturn]] void refuse_to_read(const std::string& name) {
  throw UsageError(fmt::format("cannot read {}: {}", name, std::strerror(errno)));
}

/// In parts, which take their own room and no more.
std::vector<std::byte> read_to_end(int from, const std::string& name, std::size_t most) {
  constexpr std::size_t part = 1 << 20;
  std::deque<std::vector<std::byte>> parts;
  std::size_t all = 0;
  std::size_t filled = part;  // of the last
  while (true) {
    if (filled == part) {
      parts.emplace_back(part);
      filled = 0;
    }
    const ssize_t got = ::read(from, &parts.back()[filled], part - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) refuse_to_read(name);
    if (got == 0) break;
    filled += static_cast<std::size_t>(got);
    all += static_cast<std::size_t>(got);
    if (all > most) {
      throw UsageError(fmt::format(
          "{} does not end after {} bytes; pipes are read up to a quarter of this machine's memory",
          name, all));
    }
  }
  std::vector<std::byte> data;
  data.reserve(all);
  while (!parts.empty()) {
    const auto end =
        parts.front().begin() + static_cast<std::ptrdiff_t>(std::min(part, all - data.size()));
    data.insert(data.end(), parts.front().begin(), end);
    parts.pop_front();
  }
  return data;
}

}  // namespace

std::size_t most_piped_bytes() {
  return static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) / 4;
}

void require_read_once(const std::vector<std::string>& paths) {
  std::set<std::pair<dev_t, ino_t>> pipes;
  for (const std::string& path : paths) {
    struct stat what {};
    const int failed = path == "-" ? fstat(STDIN_FILENO, &what) : stat(path.c_str(), &what);
    if (failed != 0) continue;  // which is told when it is read
    const bool is_again = path != "-" && S_ISREG(what.st_mode);
    if (is_again || pipes.emplace(what.st_dev, what.st_ino).second) continue;
    throw UsageError(fmt::format("{} can be read once; name files for the others",
                                 path == "-" ? "standard input" : path));
  }
}

RawFile::RawFile(const std::string& path, std::size_t most_piped) : name_(path) {
  if (path == "-") {
    name_ = "standard input";
    if (isatty(STDIN_FILENO) != 0) {
      throw UsageError(
          "standard input is a terminal; name a file, or write: ... | redtune reduce -");
    }
    piped_ = read_to_end(STDIN_FILENO, name_, most_piped);
    bytes_ = piped_->size();
    return;
  }
  struct stat what {};
  if (stat(path.c_str(), &what) != 0) refuse_to_read(name_);
  if (S_ISREG(what.st_mode)) {
    bytes_ = static_cast<std::size_t>(what.st_size);
    return;
  }
  if (!S_ISFIFO(what.st_mode)) {
    throw UsageError(fmt::format("{} is neither a file nor a pipe", name_));
  }
  const int pipe = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (pipe < 0) refuse_to_read(name_);
  try {
    piped_ = read_to_end(pipe, name_, most_piped);
  } catch (...) {
    close(pipe);
    throw;
  }
  close(pipe);
  bytes_ = piped_->size();
}

std::vector<std::byte> RawFile::read(std::size_t bytes) const {
  if (piped_) {
    return {piped_->begin(), piped_->begin() + static_cast<std::ptrdiff_t>(bytes)};
  }
  std::vector<std::byte> data(bytes);
  std::ifstream file(name_, std::ios::binary);
  file.read(reinterpret_cast<char*>(data.data()), static_cast<std::streamsize>(bytes));
  if (!file || file.gcount() != static_cast<std::streamsize>(bytes)) {
    throw UsageError(fmt::format("cannot read {}", name_));
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

GroupedKeys read_keys(const RawFile& file, std::int64_t bits, std::int64_t elements) {
  const auto needed = static_cast<std::size_t>(elements * (bits / 8));
  if (file.bytes() != needed) {
    throw UsageError(fmt::format("{} has {} bytes, and keys of {} bits for {} elements have {}",
                                 file.name(), file.bytes(), bits, elements, needed));
  }
  GroupedKeys grouped;
  grouped.all = file.read();
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
