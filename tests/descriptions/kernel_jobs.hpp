// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Described kernels on the host device: a text and a config, and what is said of its results.
#pragma once

#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>

#include "device/registry.hpp"
#include "kernel_templates/description/kernel_text.hpp"
#include "kernel_templates/description/read_description.hpp"
#include "redtune/error.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tuner/own_kernel/check_kernel.hpp"
#include "tuner/own_kernel/kernel_job.hpp"

namespace redtune::tuner::testing {

/// The usual description, for out and in of n floats; more: lines behind it.
inline std::string doubled(std::string_view body, std::string_view more = "") {
  return fmt::format(
      "// redtune: kernel doubled\n"
      "// redtune: tune BLOCK = 32, 64 default 64\n"
      "// redtune: tune WAY = 0, 1\n"
      "// redtune: size n = 100\n"
      "// redtune: launch block = BLOCK grid = ceil(n / BLOCK)\n"
      "// redtune: arg float out[n] out\n"
      "// redtune: arg const float in[n] uniform(1, 2)\n"
      "// redtune: arg int n\n"
      "// redtune: check out exact of default\n"
      "{}\n"
      "__global__ void doubled(float* out, const float* in, int n) {{\n"
      "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  {}\n"
      "}}\n",
      more, body);
}

inline constexpr std::string_view right_body = "if (i < n) out[i] = 2 * in[i];";

class KernelJobs : public ::testing::Test {
 protected:
  KernelJobs()
      : selection_(registry_.select("host:wave32")),
        device_(selection_.platform->open(selection_.ordinal, selection_.variant)) {}

  /// What is said of a text and the config of these values of its tunables; of the default, where
  /// that is none.
  [[nodiscard]] std::string why_wrong(const std::string& text,
                                      std::initializer_list<std::size_t> values) {
    const std::string path = (folder_ / "k.hip.cpp").string();
    std::ofstream(path) << text;
    const kernels::KernelDescription description = kernels::read_description(path);
    KernelJob job(*device_, {&description, kernels::problems_of(description).front()});
    const search::Point config = kernels::default_config(description);
    const std::string why = job.why_no_default(loaded(job, description, config));
    if (!why.empty()) return "default: " + why;
    const search::Point other(values);
    return job.why_wrong(loaded(job, description, other));
  }
  [[nodiscard]] std::string why_wrong(const std::string& text) { return why_wrong(text, {1, 1}); }

  [[nodiscard]] LoadedKernels loaded(KernelJob& job, const kernels::KernelDescription& description,
                                     const search::Point& config) {
    const auto compiled = selection_.platform->compiler().compile(
        {kernels::program_of(description, kernels::text_with_includes(description.text_file),
                             config, kernels::KernelWords::told, device_->limits()),
         kernels_of(job.plan(config), WithReferences::yes), "native"});
    if (const auto* failure = std::get_if<device::CompileFailure>(&compiled)) {
      ADD_FAILURE() << failure->log;
      throw Error("it does not compile");
    }
    const auto& program = std::get<device::CompiledProgram>(compiled);
    return job.load(
        config, {std::make_shared<const std::vector<std::byte>>(program.binary), program.kernels},
        WithReferences::yes);
  }

  device::Registry registry_;
  device::Selection selection_;
  std::unique_ptr<device::Device> device_;
  checks::ScratchFolder folder_;
};

}  // namespace redtune::tuner::testing
