// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A short run without a device, for tests that make its files fail: opens the store it is given,
// records trials, publishes. Says each step once it is done; ends like the redtune program.
#include <cstdio>
#include <fmt/format.h>

#include "cache/store/sqlite_error.hpp"
#include "cache/store/store.hpp"
#include "redtune/error.hpp"
#include "tests/cache/samples.hpp"

namespace {

using namespace redtune::cache;
using namespace redtune::cache::testing;

void done(const std::string& what) {
  fmt::print("{}\n", what);
  std::fflush(stdout);
}

void run(const char* file) {
  Store store = Store::open(file);
  const RunId id = store.begin(sample_start());
  done(fmt::format("run {}", static_cast<std::int64_t>(id)));
  for (int i = 0; i < 4; ++i) {
    const Intent next{sample_settings(i + 1), IntentStage::launch};
    store.record(id, sample_trial(i, i));
    store.intend(id, {&next, 1});
    done(fmt::format("trial {}", i));
  }
  store.publish(id, sample_best(3));
  done("published");
  store.finish(id, RunState::done);
  done("finished");
  for (const std::string& warning : store.warnings()) fmt::print(stderr, "warning: {}\n", warning);
}

}  // namespace

int main(int, char** words) {
  try {
    run(words[1]);
    return 0;
  } catch (const StoreBusy& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return 75;
  } catch (const redtune::IoError& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return 74;
  } catch (const std::exception& error) {
    fmt::print(stderr, "unforeseen: {}\n", error.what());
    return 1;
  }
}
