// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Trials in the format T4, ours and those of other tuners.
#include "cache/exchange/exchange.hpp"
#include "cache/exchange/t4.hpp"
#include "redtune/error.hpp"
#include "tests/cache/samples.hpp"
#include "tests/fuzz/targets.hpp"

namespace redtune::fuzz {

void read_t4(std::string_view bytes) {
  cache::Incoming incoming;
  try {
    incoming = cache::read_exchange(bytes);
  } catch (const UsageError& error) {
    promise(*error.what() != '\0', "a refusal says why");
    return;
  }
  for (const cache::SharedRun& run : incoming.runs) {
    promise(cache::why_unfit(run).empty(), "what is taken over is fit");
    const std::string written = cache::t4_text(run);
    const auto again = cache::read_exchange(written);
    promise(again.runs.size() == 1 && cache::t4_text(again.runs[0]) == written,
            "what is written is what is read");
  }
}

std::vector<std::string> t4_samples() {
  cache::SharedRun run{.start = cache::testing::sample_start(),
                       .started_at = "2026-01-02T03:00:00.000Z",
                       .finished_at = "2026-01-02T03:04:06.000Z"};
  run.trials = {{cache::testing::sample_trial(0), "2026-01-02T03:04:05.678Z"}};
  cache::Trial failed = cache::testing::sample_trial(1);
  failed.status = "compile_failed";
  failed.time_us.reset();
  failed.detail = "error:\n\tno \xc3\xa4";
  run.trials.push_back({failed, ""});
  return {cache::t4_text(run),
          R"({"schema_version":"1.0.0","metadata":{"timeunit":"miliseconds"},"results":[{}]})"};
}

}  // namespace redtune::fuzz
