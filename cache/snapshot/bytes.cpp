// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cache/snapshot/bytes.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cache/files/files.hpp"
#include "cache/keys/sha256.hpp"

namespace redtune::cache {
namespace {

using namespace format;

const SnapshotDamage cut_short{SnapshotFault::truncated, "ends too early"};
const SnapshotDamage not_ours{SnapshotFault::garbage, "is not a snapshot of redtune"};
const SnapshotDamage damaged{SnapshotFault::wrong_checksum, "is damaged: its checksum is wrong"};

SnapshotDamage unreadable(int error) {
  if (error == ENOENT || error == ENOTDIR) return {SnapshotFault::missing, "does not exist"};
  return {SnapshotFault::unreadable,
          "cannot be read: " + std::make_error_code(static_cast<std::errc>(error)).message()};
}

/// An empty file, or one of another kind.
void check_magic(std::string_view head) {
  const std::string_view begin = head.substr(0, std::min(head.size(), magic.size()));
  if (begin != magic.substr(0, begin.size())) throw not_ours;
  if (head.size() < at_block_hashes) throw cut_short;
  const auto written = get<std::uint32_t>(head.data() + at_version);
  if (written > version) {
    throw SnapshotDamage{SnapshotFault::newer,
                         "was written by a newer redtune; update redtune to use it"};
  }
  if (written < version_of_counts ||
      get<std::uint32_t>(head.data() + at_block_bytes) != block_bytes) {
    throw not_ours;
  }
}

/// Asks for memory at once: a fault for each of its pages would take longer than reading.
void prefault([[maybe_unused]] char* bytes, [[maybe_unused]] std::size_t count) {
#ifdef MADV_POPULATE_WRITE
  constexpr std::size_t page = 4096;
  const std::size_t skipped = (page - reinterpret_cast<std::uintptr_t>(bytes) % page) % page;
  if (count < skipped + page) return;
  // Where the kernel does not know it, there are faults.
  madvise(bytes + skipped, (count - skipped) / page * page, MADV_POPULATE_WRITE);
#endif
}

/// Up to here a file is read at once: it is sooner done than many parts.
constexpr std::size_t small_file = 16 * block_bytes;

/// Bytes begin to end of a file, to where they belong in memory.
void read(const Descriptor& file, char* bytes, std::size_t begin, std::size_t end) {
  while (begin < end) {
    const ssize_t got = pread(file.number(), bytes + begin, end - begin, static_cast<off_t>(begin));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw unreadable(errno);
    if (got == 0) throw cut_short;  // somebody cut it meanwhile
    begin += static_cast<std::size_t>(got);
  }
}

}  // namespace

SnapshotBytes::SnapshotBytes(const std::filesystem::path& name, Reading reading) {
  file_.emplace(open(name.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  struct stat status {};
  if (!file_->valid() || fstat(file_->number(), &status) != 0) throw unreadable(errno);
  if (S_ISDIR(status.st_mode)) throw unreadable(EISDIR);
  if (!S_ISREG(status.st_mode)) throw unreadable(EINVAL);
  mark_ = mark_of(status);
  const auto size = static_cast<std::uint64_t>(status.st_size);
  if (size > max_snapshot_bytes) {
    throw SnapshotDamage{SnapshotFault::too_large, "is larger than 64 MiB"};
  }
  allocate(static_cast<std::size_t>(size));
  // Of what is no snapshot no more is read than that.
  const std::size_t first = std::min(size_, format::block_bytes);
  read(*file_, bytes_.get(), 0, first);
  check_head(first);
  if (reading == Reading::needed && size_ > small_file) {
    read(*file_, bytes_.get(), first, head_bytes_);
  } else {
    prefault(bytes_.get(), size_);
    read(*file_, bytes_.get(), first, size_);
    file_.reset();
  }
  read_tables();
}

SnapshotBytes::SnapshotBytes(std::string_view content) {
  allocate(content.size());
  std::copy(content.begin(), content.end(), bytes_.get());
  check_head(size_);
  read_tables();
}

void SnapshotBytes::allocate(std::size_t bytes) {
  size_ = bytes;
  bytes_ = std::make_unique_for_overwrite<char[]>(bytes);
}

void SnapshotBytes::check_head(std::size_t bytes) {
  check_magic({bytes_.get(), bytes});
  read_sizes();
}

void SnapshotBytes::read_tables() {
  const std::string_view head(bytes_.get(), head_bytes_ - head_hash_bytes);
  const Digest hash = sha256(head);
  if (std::memcmp(hash.data(), head.data() + head.size(), hash.size()) != 0) throw damaged;
  for (std::size_t i = 0; i < head_section_count; ++i) {
    const auto section = static_cast<Section>(i);
    const char* const at = head.data() + at_sections + 8 * i;
    Table table{get<std::uint32_t>(at), get<std::uint32_t>(at + 4)};
    const bool is_without = (section == Section::shapes && version_ == version_of_counts) ||
                            (section == Section::more && table.offset == 0 && table.count == 0);
    if (is_without) table = {head_bytes_, 0};
    tables_[i] = checked(table, section);
  }
}

SnapshotBytes::Table SnapshotBytes::checked(Table table, Section section) const {
  const std::size_t row = row_bytes[static_cast<std::size_t>(section)];
  const bool is_inside = head_bytes_ <= table.offset && table.offset <= size_ &&
                         table.count <= (size_ - table.offset) / row;
  if (!is_inside) throw not_ours;
  return table;
}

SnapshotBytes::Table SnapshotBytes::table(Section section) const {
  const auto index = static_cast<std::size_t>(section);
  if (index < head_section_count) return tables_[index];
  const std::size_t row = index - head_section_count;
  if (row >= row_count(Section::more)) return {head_bytes_, 0};
  const char* const at = rows(Section::more, row).data();
  return checked({get<std::uint32_t>(at), get<std::uint32_t>(at + 4)}, section);
}

/// Sizes first, so that a file that was cut or grew is told from one with flipped bits.
void SnapshotBytes::read_sizes() {
  const auto announced = get<std::uint64_t>(bytes_.get() + at_file_bytes);
  version_ = get<std::uint32_t>(bytes_.get() + at_version);
  head_bytes_ = get<std::uint32_t>(bytes_.get() + at_head_bytes);
  generation_ = get<std::int64_t>(bytes_.get() + at_generation);
  if (announced > size_ && announced <= max_snapshot_bytes) throw cut_short;
  if (announced != size_ || size_ % block_bytes != 0 || head_bytes_ >= size_) throw damaged;
  const std::size_t blocks = (size_ - head_bytes_) / block_bytes;
  if (head_bytes_ != head_bytes_for(blocks)) throw damaged;
  checked_ = std::make_unique<std::atomic<bool>[]>(blocks);
}

void SnapshotBytes::check_block(std::size_t block) const {
  if (checked_[block].load(std::memory_order_relaxed)) return;  // nobody writes to the bytes
  const std::size_t offset = head_bytes_ + block * block_bytes;
  if (file_) read(*file_, bytes_.get(), offset, offset + block_bytes);
  const Digest hash = sha256({bytes_.get() + offset, block_bytes});
  const char* const wanted = bytes_.get() + at_block_hashes + block * block_hash_bytes;
  if (std::memcmp(hash.data(), wanted, block_hash_bytes) != 0) throw damaged;
  checked_[block].store(true, std::memory_order_relaxed);
}

std::size_t SnapshotBytes::row_count(Section section) const {
  return table(section).count;
}

std::string_view SnapshotBytes::rows(Section section, std::size_t first, std::size_t count) const {
  const auto index = static_cast<std::size_t>(section);
  const Table table = this->table(section);
  if (first > table.count || count > table.count - first) throw not_ours;
  const std::size_t begin = table.offset + first * row_bytes[index];
  const std::size_t bytes = count * row_bytes[index];
  for (std::size_t at = begin / block_bytes; bytes > 0 && at <= (begin + bytes - 1) / block_bytes;
       ++at) {
    check_block(at - head_bytes_ / block_bytes);
  }
  return {bytes_.get() + begin, bytes};
}

void SnapshotBytes::check_all() const {
  for (std::size_t block = 0; block < (size_ - head_bytes_) / block_bytes; ++block) {
    check_block(block);
  }
  for (std::size_t i = head_section_count; i < section_count; ++i) {
    (void)table(static_cast<Section>(i));
  }
}

}  // namespace redtune::cache
