// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cache/store/file_kind.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <fmt/format.h>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <sqlite3.h>
#include <string_view>
#include <sys/stat.h>
#include <system_error>
#include <vector>

#include "cache/snapshot/format.hpp"
#include "cache/store/schema.hpp"

namespace redtune::cache {
namespace {

namespace fs = std::filesystem;
using namespace std::string_view_literals;

/// Enough for the header of anything, and for the tables' definitions of a store.
constexpr std::size_t looked_at = 256 << 10;

/// A damaged snapshot is one that still begins nearly as a snapshot does.
constexpr int most_wrong_magic_bytes = 2;

constexpr std::string_view sqlite_magic = "SQLite format 3\0"sv;
constexpr std::size_t at_page_size = 16;          // these places: sqlite.org/fileformat2.html
constexpr std::size_t at_payload_fractions = 21;  // always 64, 32, 32
constexpr std::size_t at_application_id = 68;
constexpr std::size_t sqlite_header_bytes = 100;

struct Beginning {
  std::string_view bytes;
  std::string_view what;
};

constexpr std::array beginnings{
    Beginning{"\x7f"
              "ELF"sv,
              "a program or library"},
    Beginning{"\x1f\x8b"sv, "a gzip file"},
    Beginning{"PK\x03\x04"sv, "a zip archive"},
    Beginning{"\xfd"
              "7zXZ"sv,
              "an xz file"},
    Beginning{"\x28\xb5\x2f\xfd"sv, "a zstd file"},
    Beginning{"BZh"sv, "a bzip2 file"},
    Beginning{"\x89PNG"sv, "a PNG picture"},
    Beginning{"\xff\xd8\xff"sv, "a JPEG picture"},
    Beginning{"%PDF"sv, "a PDF document"},
    Beginning{"\x93NUMPY"sv, "a NumPy array"},
    Beginning{"\x89HDF"sv, "an HDF5 file"},
};

SeenFile refused(int error) {
  return {FileKind::unreadable,
          fmt::format("cannot be read: {}", std::generic_category().message(error))};
}

bool is_text(std::string_view begin) {
  return std::ranges::none_of(begin, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && (byte < '\t' || byte > '\r') && byte != 0x1b) || byte == 0x7f;
  });
}

std::uint32_t big_endian(std::string_view text, std::size_t at) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < 4; ++i)
    number = number << 8 | static_cast<unsigned char>(text[at + i]);
  return number;
}

/// A store whose header was damaged: the definitions of its tables follow, and what is left of the
/// header, or the page behind it, is SQLite's.
bool is_store_inside(std::string_view begin) {
  if (begin.size() < 2 * sqlite_header_bytes) return false;
  const bool has_fractions = begin.substr(at_payload_fractions, 3) == "\x40\x20\x20"sv;
  const bool has_page = "\x02\x05\x0a\x0d"sv.find(begin[sqlite_header_bytes]) != begin.npos;
  return (has_fractions || has_page) && begin.find("CREATE TABLE device_class ("sv) != begin.npos &&
         begin.find("best is append-only"sv) != begin.npos;
}

bool is_like_snapshot(std::string_view begin) {
  const std::string_view magic = format::magic;
  return begin.size() >= magic.size() &&
         std::inner_product(magic.begin(), magic.end(), begin.begin(), 0, std::plus<>{},
                            std::not_equal_to<>{}) <= most_wrong_magic_bytes;
}

SeenFile kind_of(std::string_view begin) {
  if (begin.empty()) return {FileKind::empty, "is empty"};
  if (begin.starts_with(sqlite_magic) && begin.size() >= sqlite_header_bytes) {
    if (big_endian(begin, at_application_id) == application_id || is_store_inside(begin)) {
      return {FileKind::store, "is a store of redtune"};
    }
    return {FileKind::database, "is an SQLite database of another program"};
  }
  if (is_like_snapshot(begin)) return {FileKind::snapshot, "is a snapshot of redtune"};
  for (const auto& [bytes, what] : beginnings) {
    if (begin.starts_with(bytes)) return {FileKind::foreign, fmt::format("is {}", what)};
  }
  if (is_text(begin.substr(0, 4096))) return {FileKind::foreign, "is a text file"};
  if (is_store_inside(begin)) return {FileKind::store, "is a damaged store of redtune"};
  return {FileKind::foreign, "is a file of other data"};
}

/// Reads through SQLite's own layer over the system: a descriptor opened beside it would, when it
/// is closed, take away the locks that a connection of this process has on the same file
/// (sqlite.org/howtocorrupt.html, 2.2). Nothing, and errno, for what cannot be read.
std::optional<std::string> beginning_of(const fs::path& file, off_t file_bytes) {
  sqlite3_vfs* const vfs = sqlite3_vfs_find(nullptr);
  const std::unique_ptr<const char, decltype(&sqlite3_free_filename)> name(
      sqlite3_create_filename(file.c_str(), "", "", 0, nullptr), sqlite3_free_filename);
  std::vector<std::max_align_t> space(
      static_cast<std::size_t>(vfs->szOsFile) / sizeof(std::max_align_t) + 1);
  auto* const opened = reinterpret_cast<sqlite3_file*>(space.data());
  int flags = 0;
  errno = 0;
  if (vfs->xOpen(vfs, name.get(), opened, SQLITE_OPEN_READONLY | SQLITE_OPEN_MAIN_DB, &flags) !=
      SQLITE_OK) {
    if (errno == 0) errno = EIO;
    return std::nullopt;
  }
  std::string begin(std::min<std::size_t>(looked_at, static_cast<std::size_t>(file_bytes)), '\0');
  const int code = begin.empty() ? SQLITE_OK
                                 : opened->pMethods->xRead(opened, begin.data(),
                                                           static_cast<int>(begin.size()), 0);
  opened->pMethods->xClose(opened);
  if (code == SQLITE_OK || code == SQLITE_IOERR_SHORT_READ) return begin;
  errno = EIO;
  return std::nullopt;
}

}  // namespace

SeenFile look_at_file(const fs::path& file) {
  struct stat status {};
  if (stat(file.c_str(), &status) != 0) {
    if (errno != ENOENT && errno != ENOTDIR) return refused(errno);
    std::error_code error;
    const fs::path target = fs::read_symlink(file, error);
    if (error) return {FileKind::missing, "does not exist"};
    return {FileKind::broken_link,
            fmt::format("is a symbolic link to {}, which does not exist", target.string())};
  }
  if (S_ISDIR(status.st_mode)) return {FileKind::folder, "is a folder"};
  if (!S_ISREG(status.st_mode)) return {FileKind::folder, "is not a regular file"};
  const auto begin = beginning_of(std::filesystem::absolute(file), status.st_size);
  if (!begin) return refused(errno);
  return kind_of(*begin);
}

}  // namespace redtune::cache
