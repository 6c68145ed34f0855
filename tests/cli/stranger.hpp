// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Another user of the machine, without a name or a home. Only root can become one.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <string>
#include <unistd.h>

#include "tests/cli/run_redtune.hpp"

namespace redtune::cli {

inline constexpr unsigned stranger_id = 54321;

class Stranger {
 public:
  Stranger() {
    std::filesystem::create_directory(modules());
    copy(REDTUNE_PROGRAM, program());
    if (const char* const library = std::getenv("LD_PRELOAD")) copy(library, preloaded());
    for (const auto& module : std::filesystem::directory_iterator(REDTUNE_MODULES)) {
      copy(module.path(), modules() / module.path().filename());
    }
#ifdef REDTUNE_SIMULATED_MODULES
    std::filesystem::create_directory(simulated());
    for (const auto& module : std::filesystem::directory_iterator(REDTUNE_SIMULATED_MODULES)) {
      copy(module.path(), simulated() / module.path().filename());
    }
    std::filesystem::permissions(simulated(), std::filesystem::perms(0755));
#endif
    // Whatever the umask of whoever tests.
    for (const auto& folder : {folder_ / "", modules()}) {
      std::filesystem::permissions(folder, std::filesystem::perms(0755));
    }
  }

  /// Why nobody can become a stranger here; empty: it works.
  [[nodiscard]] std::string why_not() const {
    if (getuid() != 0) return "only root can become somebody else";
    const Said said = run_command(command({"true"}));
    return said.code == 0 ? "" : "this root cannot become somebody else: " + said.err;
  }
  /// A command line of the stranger's. The program and its modules are copies where every user may
  /// enter: the build folder may lie in a home that nobody else may.
  [[nodiscard]] Words command(Words words) const {
    for (std::string& word : words) {
      if (word == REDTUNE_PROGRAM) word = program();
      if (word == "REDTUNE_MODULE_PATH=" REDTUNE_MODULES)
        word = "REDTUNE_MODULE_PATH=" + modules().string();
#ifdef REDTUNE_SIMULATED_MODULES
      if (word == "REDTUNE_MODULE_PATH=" REDTUNE_SIMULATED_MODULES)
        word = "REDTUNE_MODULE_PATH=" + simulated().string();
#endif
    }
    const std::string id = std::to_string(stranger_id);
    // The compiler that keeps what tests compile is in the build folder, too.
    words.insert(words.begin(), {"env", preloading(), "setpriv", "--reuid=" + id, "--regid=" + id,
                                 "--clear-groups", "env", "-u", "REDTUNE_HOST_CXX"});
    return words;
  }
  /// What env is told so that a program sees the machine as other tests do.
  [[nodiscard]] std::string preloading() const {
    return exists(preloaded()) ? "LD_PRELOAD=" + preloaded().string() : "-uLD_PRELOAD";
  }

 private:
  [[nodiscard]] std::filesystem::path program() const {
    return folder_ / "redtune";
  }
  [[nodiscard]] std::filesystem::path preloaded() const {
    return folder_ / "preloaded.so";
  }
  [[nodiscard]] std::filesystem::path simulated() const {
    return folder_ / "simulated";
  }
  [[nodiscard]] std::filesystem::path modules() const {
    return folder_ / "modules";
  }
  static void copy(const std::filesystem::path& from, const std::filesystem::path& to) {
    std::filesystem::copy_file(from, to);
    std::filesystem::permissions(to, std::filesystem::perms(0755));
  }

  cache::testing::ScratchFolder folder_{"/tmp"};
};

}  // namespace redtune::cli
