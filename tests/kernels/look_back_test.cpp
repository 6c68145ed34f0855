// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A look-back over states of tiles (tile_states.hip.h) that were laid out for it: in its first turn
// and in later ones, which come where more tiles than a wave looks at have told of themselves
// alone.
#include <array>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tests/device/host_programs.hpp"

namespace redtune {
namespace {

using device::host::Numbers;

constexpr std::array some_states{1, 2, 4};
constexpr const char* look_text = R"(
namespace redtune {
template <int wave_size, int some>
REDTUNE_KERNEL(64) look(u64* words, i64 room, u64 of_launch, i64 tile, u64* found) {
  const tile_states states{words, room, of_launch};
  const heads_found before = states.look_back<wave_size, some>(tile);
  if (thread_index() == 0) {
    found[0] = before.many;
    found[1] = before.behind_last;
  }
}
}  // namespace redtune
)";

constexpr std::uint64_t of_tile = std::uint64_t{1} << 62;
constexpr std::uint64_t of_all = std::uint64_t{2} << 62;

struct State {
  std::uint64_t many = 0;
  std::uint64_t behind_last = 0;
};
using States = std::vector<State>;

/// What a look-back finds in states of tiles, or the error that the launch ends with.
struct Looked {
  State found;
  std::string error;
};

class LookBack : public testing::TestWithParam<int> {
 protected:
  [[nodiscard]] int wave_size() const { return GetParam(); }

  /// some: one of some_states; which: set that the states are in.
  [[nodiscard]] Looked look(const States& states, std::size_t some, std::uint64_t which = 0) const {
    const auto room = static_cast<std::int64_t>(states.size()) + 3;
    const Numbers<std::uint64_t> words(*device_, static_cast<std::size_t>(16 + 4 * room));
    if (!states.empty()) {
      device_->copy_to_device(words.data() + 16 + 2 * room * static_cast<std::int64_t>(which),
                              states.data(), states.size() * sizeof(State));
    }
    const Numbers<std::uint64_t> found(*device_, 2);
    const device::Launch launch = device::host::launch_of(
        module_->kernel(program().kernels[some].symbol), 1, wave_size(), words.data(), room, which,
        static_cast<std::int64_t>(states.size()), found.data());
    try {
      device_->launch({&launch, 1}, {});
    } catch (const DeviceError& error) {
      return {{}, error.what()};
    }
    return {{found.read()[0], found.read()[1]}, {}};
  }
  [[nodiscard]] std::int64_t seen_at_a_time(std::size_t some) const {
    return std::int64_t{wave_size()} * some_states[some];
  }

 private:
  /// Compiled once for each size of waves.
  [[nodiscard]] const device::CompiledProgram& program() const {
    static std::map<int, device::CompiledProgram> programs;
    device::CompiledProgram& program = programs[wave_size()];
    if (program.binary.empty()) {
      std::vector<std::string> names;
      for (const int some : some_states) {
        names.push_back(fmt::format("redtune::look<{}, {}>", wave_size(), some));
      }
      auto made = device::host::HostCompiler().compile(
          {kernels::program_text("device_code/tile_states.hip.h") + look_text, names, "native"});
      if (const auto* failure = std::get_if<device::CompileFailure>(&made)) {
        throw Error(failure->log);
      }
      program = std::get<device::CompiledProgram>(std::move(made));
    }
    return program;
  }

  std::unique_ptr<device::Device> device_ =
      device::host::make_host_device({.wave_size = wave_size(), .threads = 1});
  std::unique_ptr<device::Module> module_ = device_->load(program().binary);
};

/// Of a tile: ever other numbers, and in some no head at all.
State heads_in(std::int64_t tile) {
  if (tile % 4 == 2) return {0, 0};
  return {static_cast<std::uint64_t>(tile * 7 % 31 + 1),
          static_cast<std::uint64_t>(tile * 100 + 1)};
}

/// Those of tiles so many tiles from the end on have told of themselves alone, the one before them
/// of all; nothing is there where no turn comes, and what is farther in the last one is wrong.
struct Laid {
  States states;
  State expected;
};
Laid laid_out(std::int64_t tiles, std::int64_t alone, std::int64_t seen) {
  Laid laid{States(static_cast<std::size_t>(tiles)), {}};
  const std::int64_t looked_at = (alone / seen + 1) * seen;
  for (std::int64_t back = 1; back <= std::min(tiles, looked_at); ++back) {
    State& state = laid.states[static_cast<std::size_t>(tiles - back)];
    state = heads_in(tiles - back);
    if (back > alone + 1) state = {1'000'000, 1'000'000'000};
    if (back <= alone + 1) {
      laid.expected.many += state.many;
      laid.expected.behind_last = std::max(laid.expected.behind_last, state.behind_last);
    }
    const bool knows_all = back == alone + 1 || (back > alone && back % 2 == 0);
    const std::uint64_t kind = knows_all ? of_all : of_tile;
    state = {kind | state.many, kind | state.behind_last};
  }
  return laid;
}

TEST_P(LookBack, EndsAtTheNearestTileThatKnowsOfAll) {
  for (std::size_t some = 0; some < some_states.size(); ++some) {
    const std::int64_t seen = seen_at_a_time(some);
    for (const std::int64_t tiles :
         {std::int64_t{1}, std::int64_t{2}, seen, seen + 1, 2 * seen, 2 * seen + 1, 4 * seen + 3}) {
      for (const std::int64_t alone : {std::int64_t{0}, std::int64_t{1}, seen - 2, seen - 1, seen,
                                       seen + 1, 2 * seen - 1, 2 * seen, 3 * seen + 2, tiles - 1}) {
        if (alone < 0 || alone >= tiles) continue;
        const Laid laid = laid_out(tiles, alone, seen);
        for (const std::uint64_t which : {0, 1}) {
          const auto [found, error] = look(laid.states, some, which);
          ASSERT_EQ(error, "") << tiles << " tiles, " << alone << " told of themselves alone";
          ASSERT_EQ(found.many, laid.expected.many)
              << tiles << " tiles, " << alone << " told of themselves alone, " << seen << " a turn";
          ASSERT_EQ(found.behind_last, laid.expected.behind_last)
              << tiles << " tiles, " << alone << " told of themselves alone, " << seen << " a turn";
        }
      }
    }
  }
}

TEST_P(LookBack, FindsNothingBeforeTheFirstTile) {
  for (std::size_t some = 0; some < some_states.size(); ++some) {
    const auto [found, error] = look({}, some);
    EXPECT_EQ(error, "");
    EXPECT_EQ(found.many, 0U);
    EXPECT_EQ(found.behind_last, 0U);
  }
}

/// A state is there when both its words are, and of one kind; in whichever turn.
TEST_P(LookBack, WaitsForStatesThatAreNotThere) {
  for (std::size_t some = 0; some < some_states.size(); ++some) {
    const std::int64_t seen = seen_at_a_time(some);
    for (const std::int64_t back : {std::int64_t{1}, seen, seen + 1, 2 * seen}) {
      const Laid laid = laid_out(2 * seen + 1, 2 * seen, seen);
      for (const State& torn : {State{0, 0}, State{of_tile | 3, 0}, State{0, of_tile | 3},
                                State{of_tile | 3, of_all | 3}, State{of_all | 3, of_tile | 3}}) {
        States states = laid.states;
        states[states.size() - static_cast<std::size_t>(back)] = torn;
        EXPECT_THAT(look(states, some).error, testing::HasSubstr("for what no block stores"))
            << back << " of " << seen << " a turn";
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, LookBack, testing::Values(1, 32, 64),
                         [](const auto& wave) { return fmt::format("wave{}", wave.param); });

}  // namespace
}  // namespace redtune
