// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Results that were exported by whoever.
#include "cache/exchange/exchange.hpp"
#include "cache/exchange/results.hpp"
#include "redtune/error.hpp"
#include "tests/cache/samples.hpp"
#include "tests/fuzz/targets.hpp"

namespace redtune::fuzz {

void read_results(std::string_view bytes) {
  cache::Incoming incoming;
  try {
    incoming = cache::read_exchange(bytes);
  } catch (const UsageError& error) {
    promise(*error.what() != '\0', "a refusal says why");
    return;
  }
  for (const cache::SharedRun& run : incoming.runs) {
    promise(cache::why_unfit(run).empty(), "what is taken over is fit");
    for (const cache::SharedResult& result : run.results) {
      promise(cache::is_plausible(result.best), "what is taken over is a measurement");
    }
  }
  const std::string written = cache::results_text(incoming.runs);
  promise(cache::results_text(cache::read_exchange(written).runs) == written,
          "what is written is what is read");
}

std::vector<std::string> results_samples() {
  cache::SharedRun run{.start = cache::testing::sample_start(),
                       .started_at = "2026-01-02T03:00:00.000Z",
                       .finished_at = "2026-01-02T03:04:06.000Z"};
  run.results = {{"2026-01-02T03:04:05.678Z", cache::testing::sample_best()}};
  cache::SharedRun custom = run;
  custom.start.problem =
      make_problem(CustomOp{"twice", "struct custom {};"}, DType::f64, 0, {.order = Order::any});
  custom.results[0].best.measurement = R"({"finalists":[]})";
  return {cache::results_text({run}), cache::results_text({run, custom}), cache::results_text({})};
}

}  // namespace redtune::fuzz
