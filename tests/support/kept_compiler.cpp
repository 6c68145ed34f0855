// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The host's C++ compiler for tests, which keeps what it compiles: most of what hundreds of short
// processes ask for is the same. The quick one, for tests that are not about kernels, optimises
// and inlines less than it is told to, except in a full run. All else is the compiler's own: how it
// ends, and what it says.
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <string>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include "cache/keys/sha256.hpp"
#include "tests/support/samples.hpp"

namespace redtune::checks {
namespace {

namespace fs = std::filesystem;

constexpr const char* compiler = REDTUNE_KEPT_COMPILER;

using Words = std::vector<std::string>;

[[noreturn]] void become_the_compiler(const Words& words) {
  std::vector<char*> arguments{const_cast<char*>(compiler)};
  for (std::size_t i = 1; i < words.size(); ++i) {
    arguments.push_back(const_cast<char*>(words[i].c_str()));
  }
  arguments.push_back(nullptr);
  execv(compiler, arguments.data());
  std::fprintf(stderr, "cannot run %s: %s\n", compiler, std::strerror(errno));
  _exit(127);
}

std::string text_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// What -march=native means here: a build folder may move to another machine.
std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("flags") || line.starts_with("Features")) return line;
  }
  return {};
}

/// Another compiler by the same name is another file.
std::string identity(const char* program) {
  struct stat found {};
  if (stat(program, &found) != 0) return {};
  return fmt::format("{} {} {}.{}", program, found.st_size, found.st_mtim.tv_sec,
                     found.st_mtim.tv_nsec);
}

/// Of a compilation as redtune asks for it: "... -o OBJECT SOURCE". Both are in a folder of its
/// own.
fs::path place_of(const Words& words, const std::string& text) {
  std::string all = identity(compiler) + '\n' + processor() + '\n';
  for (std::size_t i = 1; i + 2 < words.size(); ++i) all += fmt::format("{}\n", words[i]);
  return fs::path(REDTUNE_KEPT_OBJECTS) / cache::sha256_hex(all + text);
}

/// How the compiler ended, as wait tells it.
int status_of_compiler(const Words& words) {
  const pid_t child = fork();
  if (child == 0) become_the_compiler(words);
  int status = 127 << 8;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

/// At once and whole, whoever else keeps the same; not where another user tests.
void keep(const fs::path& object, const fs::path& kept) {
  const fs::path mine = fmt::format("{}.{}", kept.string(), getpid());
  std::error_code cannot;
  fs::create_directories(kept.parent_path(), cannot);
  fs::copy_file(object, mine, cannot);
  if (!cannot) fs::rename(mine, kept, cannot);
}

/// Kernels that are run a few times take longer to compile than to run. Most of that is what is
/// always to be inlined, at -O0, too; and to look through libraries that the program has already.
Words less_optimised(Words words) {
  const auto level = std::ranges::find(words, "-O3");
  if (level == words.end()) return words;
  *level = "-Og";
  const bool is_library = std::ranges::count(words, "-shared") > 0;
  words.insert(words.begin() + 1, {"-Dalways_inline=", "-Wno-psabi"});
  if (is_library) words.insert(words.begin() + 1, "-nodefaultlibs");
  return words;
}

/// What the compiler says of itself; nothing where it fails. Each process that opens the host
/// device asks: kept, too.
std::string version() {
  const fs::path kept =
      fs::path(REDTUNE_KEPT_OBJECTS) / cache::sha256_hex("--version\n" + identity(compiler));
  std::string text = text_of(kept);
  if (!text.empty()) return text;
  const std::string command = fmt::format("'{}' --version", compiler);
  FILE* const asked = popen(command.c_str(), "r");
  char line[512];
  while (asked != nullptr && std::fgets(line, sizeof line, asked) != nullptr) text += line;
  if (asked == nullptr || pclose(asked) != 0) return {};
  const fs::path said = fmt::format("{}.{}.said", kept.string(), getpid());
  std::error_code cannot;
  fs::create_directories(kept.parent_path(), cannot);
  std::ofstream file(said, std::ios::binary);
  file << text;
  file.close();
  if (file) fs::rename(said, kept, cannot);
  return text;
}

/// What is kept elsewhere by the compiler's version is not taken for what users have.
int say_version(bool is_quick) {
  std::string text = version();
  if (text.empty()) return 127;
  if (is_quick) text.insert(std::min(text.find('\n'), text.size()), " -Og");
  std::fputs(text.c_str(), stdout);
  return 0;
}

int run(Words words) {
  const bool is_quick = REDTUNE_KEPT_QUICK && !is_full_run();
  if (words.size() == 2 && words[1] == "--version") return say_version(is_quick);
  if (is_quick) words = less_optimised(std::move(words));
  if (words.size() < 4 || words[words.size() - 3] != "-o") become_the_compiler(words);
  const std::string text = text_of(words.back());
  if (text.find("#include") != std::string::npos) become_the_compiler(words);
  const fs::path object = words[words.size() - 2];
  const fs::path kept = place_of(words, text);
  std::error_code not_kept;
  fs::copy_file(kept, object, fs::copy_options::overwrite_existing, not_kept);
  if (!not_kept) return 0;
  const int status = status_of_compiler(words);
  if (WIFSIGNALED(status)) raise(WTERMSIG(status));
  if (status == 0) keep(object, kept);
  return WEXITSTATUS(status);
}

}  // namespace
}  // namespace redtune::checks

int main(int count, char** words) {
  return redtune::checks::run({words, words + count});
}
