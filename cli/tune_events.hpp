// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a tune does, as JSON lines for programs that show it.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "cli/names.hpp"
#include "tuner/tuner.hpp"

namespace redtune::cli {

class TuneEvents {
 public:
  /// Into this file or pipe; empty: nowhere. Throws IoError for one that cannot be opened.
  explicit TuneEvents(const std::string& file);

  /// The observer of a device, which tells here as well. The events outlive it. Several may not
  /// tell at a time.
  [[nodiscard]] TunerObserver told_by(TunerObserver observer, const std::string& device);
  /// A line: {"event": name, "at": UTC, ...fields}. A reader that has gone is no failure.
  void write(std::string_view name, Json fields);

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::unique_ptr<std::FILE, Close> file_;
};

/// Of a trial, for one event.
[[nodiscard]] Json json_of(const Progress& progress);

}  // namespace redtune::cli
