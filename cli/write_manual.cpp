// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A step of the build: writes the manual pages and the completion scripts as they are installed.
// Usage: redtune_write_manual FOLDER
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fmt/chrono.h>
#include <fstream>

#include "cli/completions.hpp"
#include "cli/man_page.hpp"
#include "redtune/error.hpp"

namespace redtune::cli {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& file, const std::string& text) {
  std::ofstream stream(file, std::ios::binary);
  stream << text << std::flush;
  if (!stream) throw IoError(fmt::format("cannot write {}", file.string()));
}

/// The day of SOURCE_DATE_EPOCH, so that two builds give the same bytes; without it none.
std::string date_of_build() {
  const char* seconds = std::getenv("SOURCE_DATE_EPOCH");
  if (seconds == nullptr) return {};
  return fmt::format("{:%Y-%m-%d}", fmt::gmtime(static_cast<std::time_t>(std::atoll(seconds))));
}

void write_manual(const fs::path& folder) {
  for (const char* part : {"man1", "bash", "zsh", "fish"}) {
    fs::remove_all(folder / part);  // no page of a command that is gone
    fs::create_directories(folder / part);
  }
  const std::string date = date_of_build();
  write(folder / "man1/redtune.1", man_page_of_all(commands(), date));
  for (const Command& command : commands()) {
    if (command.is_hidden) continue;
    write(folder / "man1" / (page_name(command) + ".1"), man_page(command, date));
  }
  write(folder / "bash/redtune", bash_completions(commands()));
  write(folder / "zsh/_redtune", zsh_completions(commands()));
  write(folder / "fish/redtune.fish", fish_completions(commands()));
}

}  // namespace
}  // namespace redtune::cli

int main(int argc, char** argv) try {
  if (argc != 2) throw redtune::UsageError("usage: redtune_write_manual FOLDER");
  redtune::cli::write_manual(argv[1]);
} catch (const std::exception& error) {
  fmt::print(stderr, "redtune_write_manual: {}\n", error.what());
  return 1;
}
