// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "fleet/key_folder.hpp"

#include <cerrno>
#include <fmt/format.h>
#include <string>
#include <sys/stat.h>
#include <system_error>

#include "cache/files/trust.hpp"
#include "redtune/error.hpp"

namespace redtune::fleet {
namespace {

namespace fs = std::filesystem;

/// Only what is not there is no folder: who may not look would else believe everything.
bool is_there(const fs::path& folder) {
  struct stat status {};
  if (stat(folder.c_str(), &status) == 0) return true;
  if (errno == ENOENT) return false;
  throw UsageError(fmt::format("cannot read the allowed keys in {}: {}", folder.string(),
                               std::generic_category().message(errno)));
}

void require_trust(const fs::path& path, const char* what) {
  const std::string why = cache::why_untrusted(path);
  if (why.empty()) return;
  throw UsageError(fmt::format("the {} {} is not believed: it {}", what, path.string(), why));
}

}  // namespace

std::vector<fs::path> key_files(const fs::path& folder, Keys keys) {
  std::vector<fs::path> files;
  if (is_there(folder)) {
    require_trust(folder, "folder of keys");
    std::error_code error;
    for (fs::directory_iterator file(folder, error), end; !error && file != end;
         file.increment(error)) {
      if (file->path().extension() == ".pub") files.push_back(file->path());
    }
    if (error) {
      throw UsageError(
          fmt::format("cannot read the allowed keys in {}: {}", folder.string(), error.message()));
    }
  }
  if (files.empty() && keys == Keys::must_be_there) {
    throw UsageError(
        fmt::format("no key in {} says who is believed; put public keys there (redtune fleet key)",
                    folder.string()));
  }
  for (const fs::path& file : files) require_trust(file, "key");
  return files;
}

}  // namespace redtune::fleet
