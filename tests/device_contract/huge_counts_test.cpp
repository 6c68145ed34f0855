// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Counts that 31 and 32 bits do not hold, about both borders. Inputs are one value with a few
// others at places where a shortened index goes wrong, so the exact result needs no copy.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>

#include "tests/device_contract/test_device.hpp"
#include "tests/kernels/config_samples.hpp"
#include "tests/kernels/reduction_checks.hpp"

namespace redtune {
namespace {

constexpr std::int64_t half_range = std::int64_t{1} << 31;
constexpr std::int64_t whole = std::int64_t{1} << 32;
/// More elements than two tiles of any config: so far behind a border lie whole tiles.
constexpr std::int64_t tiles = std::int64_t{1} << 18;
/// With one and two times 2^31 - 1, which some libraries take for the end of a piece.
constexpr std::int64_t byte_counts[] = {
    half_range - 1, half_range, half_range + 1, half_range + tiles + 1, whole - 2,
    whole - 1,      whole,      whole + 1,      whole + tiles + 1};
constexpr std::int64_t float_counts[] = {half_range + 1, half_range + tiles + 1};

/// Device memory that other things need meanwhile.
constexpr std::size_t spare_bytes = std::size_t{256} << 20;

struct Case {
  Op op = Op::sum;
  DType in = DType::u8;
};

std::string name_of(const Case& one) {
  return fmt::format("{}_{}", to_string(one.op), to_string(one.in));
}

void PrintTo(const Case& one, std::ostream* out) {
  *out << name_of(one);
}

/// Operators whose result a few elements among billions of equal ones decide exactly.
constexpr Op huge_ops[] = {Op::sum, Op::min, Op::max, Op::argmin, Op::argmax, Op::count_nonzero};

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const Op op : huge_ops) {
    for (const DType in : {DType::u8, DType::i8, DType::f32}) cases.push_back({op, in});
  }
  cases.push_back({Op::max, DType::f16});
  return cases;
}

/// Elements that differ from the rest, farther and farther above and below it, so that the last one
/// counted decides a minimum or maximum; no two of them stand for a third.
struct Border {
  std::int64_t position;
  int away;
};
constexpr Border borders[] = {{0, 5},
                              {half_range - 2, -11},
                              {half_range - 1, 17},
                              {half_range, -23},
                              {half_range + tiles / 2, 31},
                              {half_range + tiles, -41},
                              {whole - 1, 47},
                              {whole, -59},
                              {whole + tiles / 2, 67},
                              {whole + tiles, -79}};

/// Zeros of floats, so that every order of additions is exact; else a number that a lost or doubled
/// element shows in.
template <class In>
constexpr std::byte filling{is_floating_v<In> ? 0 : (std::is_signed_v<In> ? 0xfd : 0x64)};

/// An input of the largest count on the device: one value, and others at the borders.
template <class In>
class HugeInput {
 public:
  /// shift: elements behind an aligned address.
  HugeInput(device::Device& device, std::int64_t most, std::int64_t shift)
      : device_(device),
        buffer_(device.allocate(static_cast<std::size_t>(most + shift) * sizeof(In))),
        data_(static_cast<In*>(buffer_.data()) + shift),
        rest_(checks::from_number<In>(static_cast<int>(static_cast<std::int8_t>(filling<In>)))) {
    device.fill(buffer_.data(), filling<In>, buffer_.bytes());
    for (const auto& [position, away] : borders) {
      if (position < most) put(position, checks::from_number<In>(checks::number(rest_) + away));
    }
  }

  [[nodiscard]] const In* data() const { return data_; }
  void put(std::int64_t position, In value) {
    device_.copy_to_device(data_ + position, &value, sizeof(In));
    others_.push_back({position, value});
  }

  /// The exact result for the first count elements.
  [[nodiscard]] checks::Output fold(const Problem& problem, std::int64_t count) const {
    std::vector<Other> seen;
    std::ranges::copy_if(others_, std::back_inserter(seen),
                         [&](const Other& one) { return one.position < count; });
    const auto rest_count = count - static_cast<std::int64_t>(seen.size());
    checks::Output output{};
    if (problem.op == Op::sum || problem.op == Op::count_nonzero) {
      visit_dtype(problem.out, [&]<class Out>(std::type_identity<Out>) {
        const auto term = [&](In x) {
          return problem.op == Op::sum ? checks::number(x) : (checks::is_nonzero(x) ? 1.0L : 0.0L);
        };
        long double sum = term(rest_) * static_cast<long double>(rest_count);
        for (const Other& one : seen) sum += term(one.value);
        const Out value = checks::from_number<Out>(sum);
        std::memcpy(output.data(), &value, sizeof(value));
      });
      return output;
    }
    seen.push_back({1, rest_});  // the first element that is none of the others
    std::ranges::sort(seen, {}, &Other::position);
    std::vector<In> values;
    for (const Other& one : seen) values.push_back(one.value);
    const auto found = checks::extreme(problem.op, std::span<const In>(values));
    std::memcpy(output.data(), &found.value, sizeof(In));
    if (info(problem.op).shape == ResultShape::indexed) {
      output[1] = static_cast<std::uint64_t>(seen[static_cast<std::size_t>(found.index)].position);
    }
    return output;
  }

 private:
  struct Other {
    std::int64_t position;
    In value;
  };
  device::Device& device_;
  device::Buffer buffer_;
  In* data_;
  In rest_;
  std::vector<Other> others_;
};

long double number_in(DType type, const checks::Output& output) {
  return visit_dtype(type, [&]<class T>(std::type_identity<T>) {
    return checks::number(checks::value_in<T>(output));
  });
}

class DeviceContractHuge : public OnTestDevice, public testing::WithParamInterface<Case> {
 protected:
  /// Shapes that get through so much in reasonable time, without their finish.
  [[nodiscard]] std::vector<std::string> shapes(const Problem& problem,
                                                std::string_view finish) const {
    const Limits& limits = device().limits();
    const auto bytes = static_cast<int>(size_of(problem.in));
    const std::string wide = fmt::format("items_per_thread={} vector_width={} ", 64 / bytes,
                                         std::min(16, limits.max_vector_bytes / bytes));
    const std::string scalar = "items_per_thread=16 vector_width=1 ";
    const bool one_block = finish == "single_block";
    if (test_device().is_host) {
      const auto cores =
          fmt::format("block_size={} blocks_per_unit=1 tile_order=chunked ", limits.min_block_size);
      if (one_block) return {cores + wide};
      return {cores + wide, cores + scalar};
    }
    std::vector<std::string> all{
        wide + "block_size=1024 blocks_per_unit=4",
        wide + "block_size=512 blocks_per_unit=1 tile_order=chunked load=streaming"};
    if (one_block) return all;  // with scalar loads it takes seconds
    all.push_back(scalar + "block_size=256 blocks_per_unit=32");
    all.push_back(scalar + "block_size=256 blocks_per_unit=8 tile_order=chunked");
    all.push_back("items_per_thread=4 vector_width=4 block_size=1024 blocks_per_unit=0");
    return all;
  }

  /// Every finish in each of its shapes, as far as the device allows.
  [[nodiscard]] std::vector<Settings> configs(const Problem& problem) const {
    const kernels::Family& family = kernels::find_family("reduce");
    std::vector<Settings> allowed;
    for (const Setting& finish : checks::all_values(family)) {
      if (finish.name != "finish") continue;
      for (const std::string& shape : shapes(problem, finish.value)) {
        Settings settings = parse_settings(shape);
        settings.push_back(finish);
        if (!family.why_invalid(settings, problem, device().limits()).empty()) continue;
        allowed.push_back(std::move(settings));
      }
    }
    return allowed;
  }

  [[nodiscard]] std::vector<std::int64_t> counts() const {
    const bool floats = info(GetParam().in).kind == DTypeKind::floating;
    if (test_device().is_host) return {(floats ? half_range : whole) + tiles + 1};
    if (floats) return {std::begin(float_counts), std::end(float_counts)};
    return {std::begin(byte_counts), std::end(byte_counts)};
  }

  template <class In>
  void expect_right(std::vector<checks::Runner>& runners, const HugeInput<In>& input,
                    std::int64_t count) {
    const Problem& problem = runners.front().config().choice().problem;
    const checks::Output expected = input.fold(problem, count);
    for (checks::Runner& runner : runners) {
      if (HasFailure()) return;
      const checks::Output output = runner.run(input.data(), count);
      const auto value = [&](const checks::Output& one) { return number_in(problem.out, one); };
      const bool same = std::isnan(value(expected)) ? std::isnan(value(output))
                                                    : value(output) == value(expected);
      EXPECT_TRUE(same && output[1] == expected[1])
          << fmt::format("{} elements, {}", count, to_string(runner.config().choice().settings));
    }
  }

  template <class In>
  void expect_kept(std::vector<checks::Runner>& runners, std::int64_t shift) {
    const std::vector<std::int64_t> all = counts();
    HugeInput<In> input(device(), all.back(), shift);
    for (const std::int64_t count : all) expect_right(runners, input, count);
    if constexpr (is_floating_v<In>) {
      if (GetParam().op == Op::count_nonzero) return;  // a NaN counts, and decides nothing
      for (const std::int64_t position : {half_range, half_range - 1}) {  // the last, then one more
        if (HasFailure()) return;
        input.put(position, checks::not_a_number<In>());
        expect_right(runners, input, position + 1);
      }
    }
  }
};

TEST_P(DeviceContractHuge, IsRightBeyondWhat32BitsCount) {
  const Problem problem = make_problem(GetParam().op, GetParam().in, counts().back());
  const std::size_t needed =
      static_cast<std::size_t>(problem.count) * size_of(problem.in) + spare_bytes;
  if (device().free_memory() < needed) {
    GTEST_SKIP() << fmt::format("{} MiB of device memory are free, {} needed",
                                device().free_memory() >> 20, needed >> 20);
  }
  std::vector<checks::Runner> runners = loaded(problem, configs(problem));
  ASSERT_FALSE(runners.empty());
  visit_dtype(GetParam().in, [&]<class In>(std::type_identity<In>) {
    for (const std::int64_t shift : {0, 3}) {
      if (shift > 0 && test_device().is_host) continue;
      expect_kept<In>(runners, shift);
    }
  });
}

INSTANTIATE_TEST_SUITE_P(All, DeviceContractHuge, testing::ValuesIn(all_cases()),
                         [](const auto& one) { return name_of(one.param); });

}  // namespace
}  // namespace redtune
