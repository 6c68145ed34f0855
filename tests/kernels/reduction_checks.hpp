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
#include "kernel_templates/family/family.hpp"
#include "redtune/error.hpp"
#include "redtune/problem.hpp"
#include "runtime/loaded_config.hpp"
#include "tests/kernels/expected_values.hpp"

namespace redtune::checks {

/// An output with a cache line of guards on either side, all poisoned before every use.
class GuardedOutput {
 public:
  explicit GuardedOutput(device::Device& device)
      : device_(device), buffer_(device.allocate(2 * margin + sizeof(Output))) {}

  [[nodiscard]] void* poisoned() {
    device_.fill(buffer_.data(), poison, buffer_.bytes());
    return static_cast<std::byte*>(buffer_.data()) + margin;
  }
  /// The bytes at the output. Throws Error when a guard has changed.
  [[nodiscard]] Output read(const Problem& problem) {
    std::vector<std::byte> all(buffer_.bytes());
    device_.copy_to_host(all.data(), buffer_.data(), all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (i >= margin && i < margin + result_bytes(problem)) continue;
      if (all[i] != poison) throw Error("a byte beside the output was written");
    }
    Output output{};
    const bool is_pair = info(problem.op).shape == ResultShape::pair;
    std::memcpy(output.data(), all.data() + margin,
                is_pair ? result_bytes(problem) : size_of(problem.out));
    // Between value and index stands nothing.
    if (info(problem.op).shape == ResultShape::indexed) {
      std::memcpy(&output[1], all.data() + margin + sizeof(std::uint64_t), sizeof(std::uint64_t));
    }
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

  /// The bytes of the result. Throws Error when the workspace is not left as the next launch needs
  /// it.
  [[nodiscard]] Output run(const void* in, std::int64_t count) {
    const auto launches = config_.launches({in, {.count = count}, output_.poisoned()}, workspace_);
    device_.launch(launches, {});
    device_.synchronize({});
    require_zero_workspace();
    return output_.read(config_.choice().problem);
  }

 private:
  void require_zero_workspace() {
    zeros_.resize(workspace_.zero_bytes());
    device_.copy_to_host(zeros_.data(), workspace_.counter(), zeros_.size());
    for (std::size_t i = 0; i < zeros_.size(); ++i) {
      if (zeros_[i] == std::byte{0}) continue;
      throw Error("byte " + std::to_string(i) + " of the workspace is not zero after a launch of " +
                  to_string(config_.choice().settings));
    }
  }

  device::Device& device_;
  runtime::LoadedConfig config_;
  runtime::Workspace workspace_;
  GuardedOutput output_;
  std::vector<std::byte> zeros_;
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
