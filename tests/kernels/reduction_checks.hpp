// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a reduction must give, how to run one with guards around its output, and many configs
// compiled as one program. Works on any device.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "device/compiler.hpp"
#include "device/device.hpp"
#include "kernel_templates/family.hpp"
#include "redtune/error.hpp"
#include "redtune/problem.hpp"
#include "runtime/loaded_config.hpp"
#include "tests/kernels/reduction_inputs.hpp"

namespace redtune::checks {

/// The sum of floats far beyond their own precision (Neumaier's compensated sum in long double).
struct ExactSum {
  long double sum = 0;
  long double lost = 0;
  long double magnitudes = 0;

  template <class T>
  explicit ExactSum(std::span<const T> values) {
    for (const T value : values) {
      const auto x = static_cast<long double>(value);
      const long double next = sum + x;
      lost += std::fabs(sum) >= std::fabs(x) ? (sum - next) + x : (x - next) + sum;
      sum = next;
      magnitudes += std::fabs(x);
    }
  }
  [[nodiscard]] long double value() const { return std::isfinite(sum) ? sum + lost : sum; }
};

/// |result - exact| <= k*u/(1 - k*u) * sum|x| (Higham 4.2); infinities and NaN as they are.
template <class T>
[[nodiscard]] testing::AssertionResult is_sum(const ExactSum& exact, T result, std::int64_t chain) {
  const auto got = static_cast<long double>(result);
  if (!std::isfinite(exact.magnitudes)) {
    const bool same =
        std::isnan(exact.value()) ? std::isnan(got) : !std::isnan(got) && got == exact.value();
    if (same) return testing::AssertionSuccess();
    return testing::AssertionFailure() << result << " instead of " << exact.value();
  }
  const long double ku = static_cast<long double>(chain) * std::numeric_limits<T>::epsilon() / 2;
  const long double bound = ku / (1 - ku) * exact.magnitudes;
  if (std::fabs(got - exact.value()) <= bound) return testing::AssertionSuccess();
  return testing::AssertionFailure()
         << got << " is farther than " << bound << " from the sum " << exact.value();
}

/// Exact for integers (wrapping) and for min and max; NaN wins over everything.
template <class Out, class In>
[[nodiscard]] Out fold_of(Op op, std::span<const In> values) {
  std::uint64_t total = 0;
  Out least = highest<Out>();
  Out most = lowest<Out>();
  for (const In value : values) {
    const Out x = static_cast<Out>(value);
    if (x != x) return x;
    if constexpr (std::is_integral_v<Out>) total += static_cast<std::uint64_t>(x);
    least = x < least ? x : least;
    most = x > most ? x : most;
  }
  switch (op) {
    case Op::sum:
      return static_cast<Out>(total);
    case Op::min:
      return least;
    case Op::max:
      return most;
  }
  throw Error("a new operator needs its expected value here");
}

/// Whether the bytes of an output are this value, or NaN where it is NaN.
template <class Out>
[[nodiscard]] testing::AssertionResult is_value(std::uint64_t output, Out expected) {
  Out result;
  std::memcpy(&result, &output, sizeof(result));
  const bool same = expected != expected ? result != result : result == expected;
  if (same) return testing::AssertionSuccess();
  return testing::AssertionFailure() << +result << " instead of " << +expected;
}

/// What the result of a problem must be for some values; computed once for many outputs.
class Expectation {
 public:
  template <class In>
  Expectation(const Problem& problem, std::span<const In> values) : out_(problem.out) {
    visit_dtype(problem.out, [&]<class Out>(std::type_identity<Out>) {
      if (std::is_floating_point_v<In> && problem.op == Op::sum) {
        sum_ = ExactSum(values);
      } else {
        const Out value = fold_of<Out>(problem.op, values);
        std::memcpy(&value_, &value, sizeof(value));
      }
    });
  }

  /// Whether the bytes of an output are right. chain: the additions a value may have lost in.
  [[nodiscard]] testing::AssertionResult met_by(std::uint64_t output, std::int64_t chain) const {
    return visit_dtype(out_, [&]<class Out>(std::type_identity<Out>) {
      Out value;
      if constexpr (std::is_floating_point_v<Out>) {
        std::memcpy(&value, &output, sizeof(value));
        if (sum_) return is_sum<Out>(*sum_, value, chain);
      }
      std::memcpy(&value, &value_, sizeof(value));
      return is_value<Out>(output, value);
    });
  }

 private:
  DType out_;
  std::optional<ExactSum> sum_;  // of floats
  std::uint64_t value_ = 0;      // the bytes of everything else
};

/// Whether the bytes of an output are the result of the problem for these values.
template <class In>
[[nodiscard]] testing::AssertionResult is_right(const Problem& problem, std::span<const In> values,
                                                std::uint64_t output, std::int64_t chain) {
  return Expectation(problem, values).met_by(output, chain);
}

/// An output with a cache line of guards on either side, all poisoned before every use.
class GuardedOutput {
 public:
  explicit GuardedOutput(device::Device& device)
      : device_(device), buffer_(device.allocate(2 * margin + sizeof(std::uint64_t))) {}

  [[nodiscard]] void* poisoned() {
    device_.fill(buffer_.data(), poison, buffer_.bytes());
    return static_cast<std::byte*>(buffer_.data()) + margin;
  }
  /// The 8 bytes at the output. Throws Error when a guard has changed.
  [[nodiscard]] std::uint64_t read(std::size_t result_bytes) {
    std::vector<std::byte> all(buffer_.bytes());
    device_.copy_to_host(all.data(), buffer_.data(), all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (i >= margin && i < margin + result_bytes) continue;
      if (all[i] != poison) throw Error("a byte beside the output was written");
    }
    std::uint64_t output = 0;
    std::memcpy(&output, all.data() + margin, result_bytes);
    return output;
  }

 private:
  static constexpr std::size_t margin = 64;
  static constexpr std::byte poison{0xa5};

  device::Device& device_;
  device::Buffer buffer_;
};

/// A loaded config with the workspace and the output it runs with.
class Runner {
 public:
  Runner(device::Device& device, runtime::LoadedConfig config)
      : device_(device),
        config_(std::move(config)),
        workspace_(config_.make_workspace(device)),
        output_(device) {}

  [[nodiscard]] const runtime::LoadedConfig& config() const { return config_; }

  /// The bytes of the result.
  [[nodiscard]] std::uint64_t run(const void* in, std::int64_t count) {
    const auto launches = config_.launches({in, count, output_.poisoned()}, workspace_);
    device_.launch(launches, {});
    device_.synchronize({});
    return output_.read(size_of(config_.choice().problem.out));
  }

 private:
  device::Device& device_;
  runtime::LoadedConfig config_;
  runtime::Workspace workspace_;
  GuardedOutput output_;
};

/// Many configs of one family and problem, compiled together.
class ConfigProgram {
 public:
  ConfigProgram(const kernels::Family& family, const Problem& problem, const Limits& limits)
      : family_(family), problem_(problem), limits_(limits), text_(family.device_text(problem)) {}

  void set_text(std::string text) { text_ = std::move(text); }

  void compile(const device::Compiler& compiler, std::vector<Settings> configs,
               const std::string& arch) {
    configs_ = std::move(configs);
    std::vector<std::string> names;
    std::map<std::string, std::size_t> index;
    for (const Settings& config : configs_) {
      auto& own = kernels_of_.emplace_back();
      for (auto& name : family_.name_expressions(config, problem_, limits_.wave_size)) {
        const auto [place, is_new] = index.try_emplace(name, names.size());
        if (is_new) names.push_back(name);
        own.push_back(place->second);
      }
    }
    auto result = compiler.compile({text_, names, arch});
    if (auto* failure = std::get_if<device::CompileFailure>(&result)) throw Error(failure->log);
    program_ = std::move(std::get<device::CompiledProgram>(result));
  }

  /// One runner for each config, in order.
  [[nodiscard]] std::vector<Runner> load(device::Device& device) const {
    const std::shared_ptr<device::Module> module = device.load(program_.binary);
    std::vector<Runner> runners;
    for (std::size_t i = 0; i < configs_.size(); ++i) {
      std::vector<device::Kernel> kernels;
      for (const std::size_t k : kernels_of_[i]) {
        kernels.push_back(module->kernel(program_.kernels[k].symbol));
      }
      runners.emplace_back(device, runtime::LoadedConfig({&family_, problem_, configs_[i], limits_},
                                                         module, std::move(kernels)));
    }
    return runners;
  }

 private:
  const kernels::Family& family_;
  Problem problem_;
  Limits limits_;
  std::string text_;
  std::vector<Settings> configs_;
  std::vector<std::vector<std::size_t>> kernels_of_;  // per config: indices of compiled kernels
  device::CompiledProgram program_;
};

}  // namespace redtune::checks
