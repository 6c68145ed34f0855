// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What comes through a pipe: whole where it ends, refused where it does not.
#include "cli/raw_file.hpp"

#include <csignal>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <thread>

#include "redtune/error.hpp"
#include "tests/support/scratch_folder.hpp"

namespace redtune::cli {
namespace {

/// A pipe that somebody writes so many bytes to, each the lowest byte of its number.
class WrittenPipe {
 public:
  explicit WrittenPipe(std::size_t bytes) {
    if (mkfifo(path().c_str(), 0600) != 0) throw Error("no pipe can be made");
    writer_ = std::jthread([this, bytes] {
      std::ofstream to(path(), std::ios::binary);
      for (std::size_t i = 0; i < bytes && to; ++i) to.put(static_cast<char>(i));
    });
  }
  [[nodiscard]] std::string path() const { return (folder_ / "pipe").string(); }

 private:
  checks::ScratchFolder folder_;
  std::jthread writer_;
};

TEST(RawFile, ReadsAPipeToItsEnd) {
  for (const std::size_t bytes : {0UL, 1UL, (1UL << 20) - 1, 1UL << 20, (3UL << 20) + 5}) {
    const WrittenPipe pipe(bytes);
    const RawFile file(pipe.path());
    ASSERT_EQ(file.bytes(), bytes);
    const std::vector<std::byte> read = file.read();
    ASSERT_EQ(read.size(), bytes);
    for (std::size_t i = 0; i < bytes; i += 4093) ASSERT_EQ(read[i], static_cast<std::byte>(i));
    if (bytes == 0) continue;
    EXPECT_EQ(read.back(), static_cast<std::byte>(bytes - 1));
  }
}

TEST(RawFile, RefusesAPipeThatDoesNotEnd) {
  (void)std::signal(SIGPIPE, SIG_IGN);  // its writer goes on when nobody reads any more
  const WrittenPipe pipe(1UL << 20);
  try {
    const RawFile file(pipe.path(), 1000);
    FAIL() << "read it all";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("does not end after"), std::string::npos)
        << error.what();
  }
}

TEST(RawFile, IsReadOnceWhereItIsAPipe) {
  const WrittenPipe pipe(0);
  EXPECT_THROW(require_read_once({pipe.path(), pipe.path()}), UsageError);
  EXPECT_THROW(require_read_once({"-", "-"}), UsageError);
  require_read_once({pipe.path(), "/dev/null/nothing", "/dev/null/nothing"});
  (void)RawFile(pipe.path());  // whom its writer waits for
}

}  // namespace
}  // namespace redtune::cli
