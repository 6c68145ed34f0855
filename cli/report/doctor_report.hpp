// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What redtune doctor found, as facts in sections: one table for people and for --json.
#pragma once

#include <string>
#include <vector>

#include "cli/names.hpp"
#include "tuner/text/json.hpp"

namespace redtune::cli {

/// remark: worth knowing; problem: keeps tuning from working.
enum class Verdict { fine, remark, problem };

struct Fact {
  std::string name;       ///< "free space"
  std::string key = {};   ///< in JSON, "free_bytes"; empty: the name, with '_' for spaces
  Json value;             ///< null: not known
  std::string text = {};  ///< for people, one line; empty: the value as it is
  Verdict verdict = Verdict::fine;
  std::string next = {};  ///< what to do; empty where the verdict is fine
};

/// A device, a folder; without a name the only one of its section.
struct Topic {
  std::string name;
  std::vector<Fact> facts;
};

struct Section {
  std::string name;
  std::string topic_key = "name";  ///< what a topic's name is called in JSON
  std::vector<Topic> topics;
};

using Examination = std::vector<Section>;

[[nodiscard]] bool has_problem(const Examination& found);

/// Whether tuning works, then one fact a line; lines of problems begin with '!', those of remarks
/// with '-'.
[[nodiscard]] std::string text_of(const Examination& found);

/// An object for each section, or an array of objects where it has topics with a name;
/// then "findings" (remarks and problems, with what to do) and "tuning_works".
[[nodiscard]] Json json_of(const Examination& found);

}  // namespace redtune::cli
