// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a simulated GPU is told to do wrong, from the environment: REDTUNE_SIMULATED holds
// directives like "hang:, 512,;noise:0.01". What must last longer than a process is kept in files
// of the folder REDTUNE_SIMULATED_STATE.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace redtune::simulated {

struct Directive {
  std::string what;
  std::string text;  ///< behind the first ':'
};

inline std::vector<Directive> read_directives() {
  std::vector<Directive> all;
  const char* given = std::getenv("REDTUNE_SIMULATED");
  std::string_view rest = given != nullptr ? given : "";
  while (!rest.empty()) {
    const std::string_view one = rest.substr(0, rest.find(';'));
    const auto colon = std::min(one.find(':'), one.size());
    const std::string_view text = one.substr(std::min(colon + 1, one.size()));
    all.push_back({std::string(one.substr(0, colon)), std::string(text)});
    rest.remove_prefix(std::min(one.size() + 1, rest.size()));
  }
  return all;
}

class World {
 public:
  /// The text of a directive.
  [[nodiscard]] std::optional<std::string> find(std::string_view what) const {
    for (const Directive& one : directives_) {
      if (one.what == what) return one.text;
    }
    return std::nullopt;
  }
  [[nodiscard]] double number(std::string_view what, double otherwise) const {
    const auto text = find(what);
    return text ? std::stod(*text) : otherwise;
  }
  /// Whether a directive names a part of this kernel's name.
  [[nodiscard]] bool concerns(std::string_view what, std::string_view kernel) const {
    for (const Directive& one : directives_) {
      if (one.what == what && kernel.find(one.text) != std::string_view::npos) return true;
    }
    return false;
  }

  /// A number that outlives processes; 0 at first.
  [[nodiscard]] static int kept(const std::string& name) {
    std::error_code none;
    const auto counted = std::filesystem::file_size(state_file(name + ".count"), none);
    if (!none) return static_cast<int>(counted);
    int value = 0;
    std::ifstream(state_file(name)) >> value;
    return value;
  }
  static void keep(const std::string& name, int value) { std::ofstream(state_file(name)) << value; }
  /// Adds one, whoever else does; what it was before.
  static int count(const std::string& name) {
    const int before = kept(name);
    std::ofstream(state_file(name + ".count"), std::ios::app) << '.';
    return before;
  }
  /// Adds a line, in one write.
  static void note(const std::string& name, const std::string& line) {
    std::ofstream(state_file(name), std::ios::app) << line + '\n';
  }

  [[nodiscard]] static std::filesystem::path state_file(const std::string& name) {
    const char* folder = std::getenv("REDTUNE_SIMULATED_STATE");
    return std::filesystem::path(folder != nullptr ? folder : "/nonexistent") / name;
  }

 private:
  std::vector<Directive> directives_ = read_directives();
};

}  // namespace redtune::simulated
