// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/doctor/bundle.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <spdlog/spdlog.h>
#include <string_view>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include "device/compiler.hpp"
#include "device/host/subprocess.hpp"
#include "redtune/error.hpp"

namespace redtune::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view suffix = ".tar.gz";

/// A folder of its own beside the bundle, so that a full disk shows in one place.
class Stage {
 public:
  explicit Stage(const fs::path& file) : folder_(file.string() + ".XXXXXX") {
    std::string name = folder_.string();
    if (mkdtemp(name.data()) == nullptr) {
      throw IoError(fmt::format("cannot write {}: {}", file.string(), std::strerror(errno)));
    }
    folder_ = name;
  }
  ~Stage() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;
  [[nodiscard]] const fs::path& folder() const { return folder_; }

 private:
  fs::path folder_;
};

void write_text(const fs::path& path, const std::string& text) {
  std::error_code ignored;  // writing tells
  fs::create_directories(path.parent_path(), ignored);
  std::ofstream file(path, std::ios::binary);
  file << text << std::flush;
  if (!file) throw IoError(fmt::format("cannot write {}; is the disk full?", path.string()));
}

void pack(const fs::path& folder, const std::string& name, const fs::path& archive) {
  const auto done =
      device::host::run_program({"tar", "--create", "--gzip", "--file", archive.string(),
                                 "--owner=0", "--group=0", "--numeric-owner", "--force-local",
                                 "--mode=u=rwX,go=rX", "--directory", folder.string(), "--", name});
  if (done.succeeded()) return;
  throw IoError(fmt::format("tar cannot pack the bundle: {}",
                            done.errors.empty() ? done.ending() : device::first_line(done.errors)));
}

}  // namespace

void check_bundle_file(const fs::path& file) {
  const std::string name = file.filename().string();
  if (!name.ends_with(suffix) || name.size() == suffix.size()) {
    throw UsageError(fmt::format("'{}' is not a name for a bundle; write one like report{}",
                                 file.string(), suffix));
  }
  std::error_code ignored;
  if (fs::exists(fs::symlink_status(file, ignored))) {
    throw UsageError(
        fmt::format("{} already exists; remove it or choose another name", file.string()));
  }
  if (!device::host::is_on_path("tar")) {
    throw IoError("a bundle is packed by the program tar, which is not on the PATH");
  }
  const Stage attempt(file);
}

std::uintmax_t write_bundle(const fs::path& file, const std::vector<BundleMember>& members) {
  check_bundle_file(file);
  std::string name = file.filename().string();
  name.resize(name.size() - suffix.size());
  const Stage stage(file);
  for (const BundleMember& member : members) {
    write_text(stage.folder() / name / member.name, member.text);
  }
  const fs::path archive = stage.folder() / "bundle.tar.gz";
  pack(stage.folder(), name, archive);
  const std::uintmax_t bytes = fs::file_size(archive);
  // A link and no renaming: what somebody else has put there meanwhile stays.
  std::error_code error;
  fs::create_hard_link(archive, file, error);
  if (error && error != std::errc::file_exists) fs::rename(archive, file, error);
  if (error) throw IoError(fmt::format("cannot write {}: {}", file.string(), error.message()));
  return bytes;
}

namespace {

constexpr std::size_t most_output = std::size_t{16} << 20;

}  // namespace

std::string CommandRecorder::record(const std::string& name, const std::vector<std::string>& words,
                                    Opens opens) {
  const std::string shown = fmt::format("redtune {}", fmt::join(words, " "));
  const auto tell = [&](const std::string& what) {
    members_.push_back({name + ".err.txt", fmt::format("{}: {}\n", shown, what)});
  };
  if (opens == Opens::devices && !hung_.empty()) {
    tell(fmt::format("not run, because {} did not answer", hung_));
    return {};
  }
  spdlog::info("running {}", shown);
  std::vector<std::string> command{program_};
  command.insert(command.end(), words.begin(), words.end());
  const auto done =
      device::host::run_program(command, {.deadline = most_time_, .most_output = most_output});
  if (!done.output.empty()) members_.push_back({name, done.output});
  if (!done.succeeded() || !done.errors.empty()) {
    tell(fmt::format("{}\n{}", done.ending(), done.errors));
  }
  if (done.timed_out) {
    spdlog::warn("{}: {}", shown, done.ending());
    if (opens == Opens::devices) hung_ = shown;
  }
  return done.output;
}

}  // namespace redtune::cli
