// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Operators given as text, for the tests of every platform's compiler.
#pragma once

#include <gtest/gtest.h>
#include <map>
#include <string>

#include "tests/cli/run_redtune.hpp"
#include "tests/support/operators_of_the_docs.hpp"
#include "tests/support/samples.hpp"

namespace redtune::cli {

using checks::operators_of_the_docs;

/// Those, and one that uses the words of GPUs.
[[nodiscard]] inline std::map<std::string, std::string> custom_operators() {
  auto all = operators_of_the_docs();
  EXPECT_EQ(all.size(), 6u);
  all["words.hpp"] = R"(#pragma once
template <class T> __host__ __device__ __forceinline__ T twice(T x) { return x + x; }
static __device__ accumulator half_of(accumulator x) { return x / 2; }
struct custom {
  __host__ __device__ static accumulator identity() { return 0; }
  static __device__ __forceinline__ accumulator combine(accumulator a, accumulator b) {
    return a + b;
  }
  static accumulator transform(element x) { return half_of(twice(accumulator(x))); }
  static double finish(accumulator a, i64) { return sqrt(fabs(double(a))); }
};
)";
  return all;
}

/// Integers have no infinity, and floats no halves.
[[nodiscard]] inline bool takes(const std::string& name, const std::string& type) {
  if (name == "bounding_box.hpp") return type == "u64";
  return name != "log_sum_exp.hpp" || type.find('f') != std::string::npos;
}

/// The name of an operator, and a type that it takes.
using CustomCell = std::pair<std::string, std::string>;

/// In which every operator and every type occurs; in a full run every two that go together.
[[nodiscard]] inline std::vector<CustomCell> custom_cells() {
  std::vector<CustomCell> cells;
  for (const auto& [name, text] : custom_operators()) {
    for (const char* type : {"f32", "f16", "bf16", "i8", "u64"}) {
      if (takes(name, type)) cells.emplace_back(name, type);
    }
  }
  if (checks::is_full_run()) return cells;
  return checks::every_value(cells, [](const CustomCell& cell) {
    return checks::Axes{cell.first, cell.second};
  });
}

/// What they are compiled with: in a full run in every width.
[[nodiscard]] inline Words settings_for_custom() {
  Words some{"block_size=256", "finish=second_pass", "load=cached", "items_per_thread=16"};
  if (!checks::is_full_run()) some.emplace_back("vector_width=2");
  return some;
}

/// What a platform's compiler says of wrong operators, as people see it: one line and the source.
inline void expect_errors_of_custom_operators(const Home& home, const std::string& target,
                                              const std::string& words) {
  const std::string source = (home / "op.hpp").string();
  const std::string text = operators_of_the_docs().at("abs_sum.hpp");
  const auto said_of = [&](const std::string& word, const std::string& other) {
    std::string changed = text;
    changed.replace(changed.find(word), word.size(), other);
    cache::testing::write_text(source, changed);
    const Said said =
        home.run({"kernels", "compile", "--target", target, "--op-source", source, "--set",
                  "block_size=64", "--set", "load=cached", "--set", "finish=single_block"});
    EXPECT_EQ(said.code, 2) << said.err;
    return said.err;
  };
  const std::string prefix = "redtune: error: " + source;
  const std::string first = said_of("x < 0", "y < 0");
  EXPECT_TRUE(first.starts_with(prefix + ":5: " + words + "\n     5 |   static accumulator tr"))
      << first;
  EXPECT_LE(count_of(first, "\n"), 3u) << first;
  EXPECT_EQ(said_of("static accumulator identity() { return 0; }", ""),
            prefix + ": custom has no function identity()\n");
  EXPECT_EQ(said_of("accumulator combine", "int combine"),
            prefix + ":4: it must be: static accumulator combine(accumulator, accumulator)\n");
  EXPECT_EQ(said_of("static accumulator identity", "accumulator identity"),
            prefix + ":3: it must be: static accumulator identity()\n");
  EXPECT_EQ(said_of("element x", "element x, int z"),
            prefix + ":5: it must be: static accumulator transform(element)\n");
}

}  // namespace redtune::cli
