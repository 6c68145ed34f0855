// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Operators that come as text and have accumulators, or results, of several members: in every
// family, with every way to hand over, they give what the host computes, member by member.
#include <algorithm>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <ostream>
#include <vector>

#include "tests/kernels/host_cells.hpp"
#include "vocabulary/operator_structs.hpp"

namespace redtune {
namespace {

using device::host::LaneOrder;
using Values = std::vector<double>;

/// An operator, and what it must give. All numbers are whole and small, so that floats hold them.
struct Example {
  std::string name;
  std::string text;
  DType in = DType::i32;
  std::function<Values(const std::vector<std::int64_t>&)> right;
  ProblemChoices choices = {};

  friend void PrintTo(const Example& one, std::ostream* out) { *out << one.name; }
};

constexpr double infinite = std::numeric_limits<double>::infinity();

double least_of(const std::vector<std::int64_t>& all) {
  return all.empty() ? infinite : static_cast<double>(std::ranges::min(all));
}
double greatest_of(const std::vector<std::int64_t>& all) {
  return all.empty() ? -infinite : static_cast<double>(std::ranges::max(all));
}
double sum_of(const std::vector<std::int64_t>& all) {
  double sum = 0;
  for (const std::int64_t x : all) sum += static_cast<double>(x);
  return sum;
}
double squares_of(const std::vector<std::int64_t>& all) {
  double sum = 0;
  for (const std::int64_t x : all) sum += static_cast<double>(x * x);
  return sum;
}
/// The greatest two, each as often as it is there.
Values top_two_of(std::vector<std::int64_t> all) {
  std::ranges::sort(all, std::greater<>());
  all.resize(std::max<std::size_t>(all.size(), 2), -128);
  return {static_cast<double>(all[0]), static_cast<double>(all[1])};
}

const std::vector<Example>& examples() {
  static const std::vector<Example> all{
      // 12 bytes; the accumulator is the result.
      {"extent",
       R"(struct custom {
  struct accumulator { float low, high; element sum; };
  static accumulator identity() { return {1 / 0.0f, -1 / 0.0f, 0}; }
  static accumulator combine(accumulator a, accumulator b) {
    return {a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high, a.sum + b.sum};
  }
  static accumulator transform(element x) { return {x, x, x}; }
};)",
       DType::f32,
       [](const auto& in) {
         return Values{least_of(in), greatest_of(in), sum_of(in)};
       }},
      // Members of all sizes with room between them; one of 64 bits at an odd word. So is the
      // result.
      {"of_all_sizes",
       R"(struct custom {
  struct accumulator {
    u8 seen;        // whether there is an element
    double sum;
    i16 least;
    unsigned long long squares;
  };
  struct result { unsigned char seen; double mean; short least; i64 squares, count; };
  static accumulator identity() { return {0, 0.0, 32767, 0}; }
  static accumulator combine(accumulator a, accumulator b) {
    a.seen |= b.seen;
    a.sum += b.sum;
    a.least = a.least < b.least ? a.least : b.least;
    a.squares += b.squares;
    return a;
  }
  static accumulator transform(element x) { return {1, double(x), x, u64(i64(x) * x)}; }
  static result finish(accumulator a, i64 count) {
    return {a.seen, count > 0 ? 2 * a.sum : -1.0, a.least, i64(a.squares), count};
  }
};)",
       DType::i16,
       [](const auto& in) {
         return Values{in.empty() ? 0.0 : 1.0, in.empty() ? -1.0 : 2 * sum_of(in),
                       in.empty() ? 32767.0 : least_of(in), squares_of(in),
                       static_cast<double>(in.size())};
       }},
      // An array; small members alone; one value comes out.
      {"gap_between_top_two",
       R"(struct custom {
  struct accumulator { element best[2]; };
  static accumulator identity() { return {{-128, -128}}; }
  static accumulator combine(accumulator a, accumulator b) {
    const bool is_a = a.best[0] > b.best[0];
    const element first = is_a ? a.best[0] : b.best[0];
    const element other = is_a ? b.best[0] : a.best[0];
    const element second = is_a ? a.best[1] : b.best[1];
    return {{first, other > second ? other : second}};
  }
  static accumulator transform(element x) { return {{x, -128}}; }
  static result finish(accumulator a, i64) { return a.best[0] - a.best[1]; }
};)",
       DType::i8,
       [](const auto& in) {
         const Values two = top_two_of(in);
         return Values{two[0] - two[1]};
       },
       {.out = DType::i32}},
      // Eight words, which is the most.
      {"box_of_points",
       R"(struct custom {
  struct accumulator { double low_x, high_x, low_y, high_y; };
  static accumulator identity() { return {1 / 0.0, -1 / 0.0, 1 / 0.0, -1 / 0.0}; }
  static accumulator combine(accumulator a, accumulator b) {
    return {a.low_x < b.low_x ? a.low_x : b.low_x, a.high_x > b.high_x ? a.high_x : b.high_x,
            a.low_y < b.low_y ? a.low_y : b.low_y, a.high_y > b.high_y ? a.high_y : b.high_y};
  }
  static accumulator transform(element point) {
    const double x = u32(point);
    const double y = x - 7;
    return {x, x, y, y};
  }
};)",
       DType::u64,
       [](const auto& in) {
         return Values{least_of(in), greatest_of(in), least_of(in) - 7, greatest_of(in) - 7};
       }},
      // An accumulator of one value, of which several come out.
      {"sum_and_mean",
       R"(struct custom {
  struct result { i64 count; float half_of_sum; };
  static accumulator identity() { return 0; }
  static accumulator combine(accumulator a, accumulator b) { return a + b; }
  static result finish(accumulator a, i64 count) { return {count, a / 2}; }
};)",
       DType::bf16,
       [](const auto& in) {
         return Values{static_cast<double>(in.size()), sum_of(in) / 2};
       }},
      // One member, smaller than a word.
      {"parity",
       R"(struct custom {
  struct accumulator { u8 odd; };
  static accumulator identity() { return {0}; }
  static accumulator combine(accumulator a, accumulator b) { return {u8(a.odd ^ b.odd)}; }
  static accumulator transform(element x) { return {u8(x & 1)}; }
};)",
       DType::u32,
       [](const auto& in) {
         return Values{static_cast<double>(static_cast<std::int64_t>(sum_of(in)) & 1)};
       }},
      // Two float sums that elements enter with different signs: a complex number, packed in one.
      {"complex_sum",
       R"(struct custom {
  struct accumulator { float real, imaginary; };
  struct result { double real; float imaginary; };
  static accumulator identity() { return {}; }
  static accumulator combine(accumulator a, accumulator b) {
    return {a.real + b.real, a.imaginary + b.imaginary};
  }
  static accumulator transform(element x) { return {float(x), -2 * float(x)}; }
  static result finish(accumulator a, i64) { return {a.real, a.imaginary}; }
};)",
       DType::f16,
       [](const auto& in) {
         return Values{sum_of(in), -2 * sum_of(in)};
       }},
  };
  return all;
}

std::int64_t element_at(std::size_t i) {
  return static_cast<std::int64_t>((i * 7 + i / 5) % 9);
}

/// Elements of a type, so many of them that decide every result around what is reduced.
std::vector<std::byte> elements_of(DType type, std::size_t many) {
  std::vector<std::byte> bytes(many * size_of(type));
  visit_dtype(type, [&]<class T>(std::type_identity<T>) {
    for (std::size_t i = 0; i < many; ++i) {
      const auto x = static_cast<T>(static_cast<float>(element_at(i)));
      std::memcpy(&bytes[i * sizeof(T)], &x, sizeof(T));
    }
  });
  return bytes;
}

/// What is at an address, as a number.
double number_at(const std::byte* at, DType type) {
  return visit_dtype(type, [&]<class T>(std::type_identity<T>) {
    T value;
    std::memcpy(&value, at, sizeof(T));
    return static_cast<double>(value);
  });
}

/// Runs one config on one array, and compares each value of each result. Bytes between values are
/// nobody's.
class OneRun {
 public:
  OneRun(device::Device& device, const runtime::LoadedConfig& config, const Example& example)
      : device_(device),
        config_(config),
        example_(example),
        problem_(config.choice().problem),
        workspace_(config.make_workspace(device)) {}

  void expect_right(const Shape& shape, const std::vector<std::int32_t>& offsets = {}) {
    if (testing::Test::HasFailure()) return;
    const auto span = static_cast<std::size_t>(span_of(shape));
    const std::vector<std::byte> in = elements_of(problem_.in, span + 1);
    const std::size_t bytes = output_bytes_of(shape);
    const device::Buffer there = device_.allocate(in.size());
    const device::Buffer results = device_.allocate(bytes + 2 * guard);
    const device::Buffer begins = device_.allocate(offsets.size() * 4 + 1);
    device_.copy_to_device(there.data(), in.data(), in.size());
    if (!offsets.empty()) device_.copy_to_device(begins.data(), offsets.data(), offsets.size() * 4);
    device_.fill(results.data(), poison, results.bytes());
    auto* const first = static_cast<std::byte*>(there.data()) + size_of(problem_.in);
    auto* const out = static_cast<std::byte*>(results.data()) + guard;
    const auto* const begin = static_cast<std::int32_t*>(begins.data());
    for (int turn = 0; turn < 2; ++turn) {  // the second finds what the first left
      device_.launch(config_.launches({first, shape, out, offsets.empty() ? nullptr : begin,
                                       offsets.empty() ? nullptr : begin + 1},
                                      workspace_),
                     {});
      device_.synchronize({});
    }
    std::vector<std::byte> got(results.bytes());
    device_.copy_to_host(got.data(), results.data(), got.size());
    for (std::size_t i = 0; i < guard; ++i) {
      ASSERT_EQ(got[i], poison) << what(shape);
      ASSERT_EQ(got[guard + bytes + i], poison) << what(shape);
    }
    for (std::int64_t i = 0; i < results_of(shape); ++i) {
      compare(shape, i, &got[guard + static_cast<std::size_t>(i) * result_bytes(problem_)],
              elements_of_result(shape, i, offsets));
    }
  }

 private:
  static constexpr std::size_t guard = 64;
  static constexpr std::byte poison{0xa5};

  [[nodiscard]] std::size_t output_bytes_of(const Shape& shape) const {
    return static_cast<std::size_t>(results_of(shape)) * result_bytes(problem_);
  }
  [[nodiscard]] std::string what(const Shape& shape) const {
    return fmt::format("{} of {}, {}", example_.name, describe_shape(shape),
                       to_string(config_.choice().settings));
  }
  [[nodiscard]] static std::vector<std::int64_t> elements_of_result(
      const Shape& shape, std::int64_t result, const std::vector<std::int32_t>& offsets) {
    std::vector<std::int64_t> elements;
    const auto number = static_cast<std::size_t>(result);
    if (!offsets.empty()) {
      for (auto k = offsets[number]; k < offsets[number + 1]; ++k) {
        elements.push_back(element_at(static_cast<std::size_t>(k) + 1));
      }
      return elements;
    }
    const std::int64_t first = result / shape.inner * slice_of(shape) + result % shape.inner;
    for (std::int64_t k = 0; k < shape.batch * shape.count; ++k) {
      const std::int64_t at =
          first + k / shape.count * batch_step_of(shape) + k % shape.count * step_of(shape);
      elements.push_back(element_at(static_cast<std::size_t>(at) + 1));
    }
    return elements;
  }
  void compare(const Shape& shape, std::int64_t result, const std::byte* got,
               const std::vector<std::int64_t>& elements) {
    const Values right = example_.right(elements);
    const auto values = values_of_result(problem_);
    ASSERT_EQ(values.size(), right.size());
    for (std::size_t v = 0; v < values.size(); ++v) {
      ASSERT_EQ(number_at(got + values[v].offset, values[v].type), right[v])
          << values[v].name << " of result " << result << ", " << what(shape);
    }
  }

  device::Device& device_;
  const runtime::LoadedConfig& config_;
  const Example& example_;
  Problem problem_;
  runtime::Workspace workspace_;
};

struct Kind {
  std::string family;
  Shape shape;  ///< for which configs are drawn
  std::vector<Shape> tried;
};

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all{
      {"reduce", {.count = 5003}, {{0}, {1}, {33}, {1000}, {5003}}},
      {"reduce_rows",
       Shape::rows(300, 77),
       {Shape::rows(3, 0), Shape::rows(5, 1), Shape::rows(40, 77), Shape::rows(3, 2000, 2011)}},
      {"reduce_columns",
       Shape::columns(1000, 77),
       {Shape::columns(0, 9), Shape::columns(5, 9),
        Shape{.count = 303, .outer = 2, .inner = 33, .count_pitch = 35}}},
      {"reduce_channels",
       Shape::channels(16, 9, 100),
       {Shape::channels(2, 5, 1), Shape::channels(7, 3, 101)}},
      {"reduce_segments", Shape::segments(1 << 20, 1 << 15), {}}};
  return all;
}

class CustomMembers : public testing::TestWithParam<Example> {};

/// Families and wave sizes in turn, whole arrays always; in a full run all that go together.
struct Place {
  const Kind* kind;
  int wave_size;
};
std::vector<Place> places_of(std::size_t turn) {
  constexpr int wave_sizes[] = {1, 32, 64};
  std::vector<Place> places;
  const std::size_t others = kinds().size() - 1;
  for (std::size_t k = 0; k < kinds().size(); ++k) {
    const bool is_its_turn = k == 0 || k - 1 == turn % others || k - 1 == (turn + 1) % others;
    for (std::size_t w = 0; w < std::size(wave_sizes); ++w) {
      const bool is_of_turn = is_its_turn && w == (turn + k) % std::size(wave_sizes);
      if (is_of_turn || checks::is_full_run()) places.push_back({&kinds()[k], wave_sizes[w]});
    }
  }
  return places;
}

std::size_t turn_of(const Example& example) {
  const auto found = std::ranges::find(examples(), example.name, &Example::name);
  return static_cast<std::size_t>(found - examples().begin());
}

TEST_P(CustomMembers, AreRightInEveryFamilyAndWay) {
  const Example& example = GetParam();
  const std::vector<std::int32_t> offsets{0, 0, 5, 6, 406, 406, 1411, 1412};
  std::size_t number = turn_of(example);
  for (const auto& [kind, wave_size] : places_of(turn_of(example))) {
    const kernels::Family& family = kernels::find_family(kind->family);
    const Problem problem = make_problem(CustomOp{example.name, example.text}, example.in,
                                         kind->shape, example.choices);
    const auto options = checks::options_of(wave_size, LaneOrder::random);
    const Limits limits = host_limits(options);
    checks::ConfigProgram program(family, problem, limits);
    program.compile(device::host::HostCompiler(device::host::AlignmentCheck::on),
                    checks::sample(family, problem, limits, ++number, 6), "native");
    const auto device = device::host::make_host_device(options);
    for (const checks::Runner& runner : program.load(*device)) {
      OneRun run(*device, runner.config(), example);
      for (const Shape& shape : kind->tried) run.expect_right(shape);
      if (is_segmented(kind->shape)) run.expect_right(Shape::segments(1412, 7), offsets);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, CustomMembers, testing::ValuesIn(examples()),
                         [](const auto& one) { return one.param.name; });

/// Atomics and counted words take single numbers.
TEST(CustomMembersRules, LeaveOutFinishesOfSingleWords) {
  const kernels::Family& family = kernels::find_family("reduce");
  const Example& example = examples().front();
  const Problem problem = make_problem(CustomOp{example.name, example.text}, example.in, 1 << 20,
                                       {.order = Order::any});
  const Limits limits = host_limits(checks::options_of(32, LaneOrder::forward));
  for (const char* const finish : {"atomic", "counted"}) {
    Settings settings = family.default_settings(problem, limits);
    for (Setting& one : settings) {
      if (one.name == "finish") one.value = finish;
    }
    const std::string why = family.why_invalid(settings, problem, limits);
    EXPECT_FALSE(why.empty()) << finish;
    EXPECT_EQ(why.find("redtune"), std::string::npos) << why;
  }
}

}  // namespace
}  // namespace redtune
