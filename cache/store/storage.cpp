// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cache/store/storage.hpp"

#include <cstdint>
#include <fmt/format.h>
#include <linux/magic.h>
#include <sqlite3.h>
#include <sys/vfs.h>

namespace redtune::cache {
namespace {

struct Row {
  std::uint32_t type;
  const char* name;
  bool serves_wal;
};

/// Those with a number have no name in the kernel's public header.
constexpr Row file_systems[] = {
    {EXT4_SUPER_MAGIC, "ext4", true},
    {XFS_SUPER_MAGIC, "xfs", true},
    {BTRFS_SUPER_MAGIC, "btrfs", true},
    {TMPFS_MAGIC, "tmpfs", true},
    {OVERLAYFS_SUPER_MAGIC, "overlay", true},
    {F2FS_SUPER_MAGIC, "f2fs", true},
    {0x2fc12fc1, "zfs", true},
    {0xca451a4e, "bcachefs", true},
    {NFS_SUPER_MAGIC, "nfs", false},
    {SMB_SUPER_MAGIC, "smb", false},
    {0xff534d42, "cifs", false},
    {0xfe534d42, "smb2", false},
    {0x0bd00bd0, "lustre", false},
    {0x47504653, "gpfs", false},
    {0x19830326, "beegfs", false},
    {0x00c36400, "ceph", false},
    {0x65735546, "fuse", false},
    {V9FS_MAGIC, "9p", false},
    {RAMFS_MAGIC, "ramfs", false},
    {PROC_SUPER_MAGIC, "proc", false},
    {SYSFS_MAGIC, "sysfs", false},
};

}  // namespace

std::optional<FileSystem> file_system_of(const std::filesystem::path& file) {
  struct statfs status {};
  if (statfs(file.c_str(), &status) != 0) return std::nullopt;
  const auto type = static_cast<std::uint32_t>(status.f_type);
  for (const Row& row : file_systems) {
    if (row.type == type) return FileSystem{row.name, row.serves_wal};
  }
  return FileSystem{fmt::format("{:#x}", type), false};
}

std::string sqlite_version() {
  return sqlite3_libversion();
}

}  // namespace redtune::cache
