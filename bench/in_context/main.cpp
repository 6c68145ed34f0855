// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Whether the tuner's score tells what programs get: configs timed by the score and in patterns of
// kernels as programs have them, and how far both agree. Usage: in_context --help
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <string_view>
#include <thread>

#include "bench/exit_code.hpp"
#include "bench/in_context/contestants.hpp"
#include "bench/in_context/report.hpp"
#include "cache/files/paths.hpp"
#include "redtune/error.hpp"
#include "runtime/compiled_unit_cache.hpp"
#include "runtime/resolve.hpp"
#include "tuner/measure/untrustworthy.hpp"

namespace redtune::bench {
namespace {

/// What this program is called with to compile, where the compiler works inside its caller.
constexpr const char* compile_word = "compile-worker";

int serve_compiler(const char* platform) {
  return tuner::serve_compile_requests(runtime::registry().platform(platform).compiler());
}

int jobs_of(const Options& options) {
  return options.jobs > 0 ? options.jobs
                          : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

tuner::CompilePool compile_pool(const device::Selection& selection, const device::Device& device,
                                const cache::Binaries& binaries, int jobs) {
  tuner::CompileTarget target = tuner::target_of(*selection.platform, device.identity());
  target.binaries = &binaries;
  target.toolchain = runtime::toolchain_text(device.identity());
  std::error_code ignored;
  const std::string self = std::filesystem::read_symlink("/proc/self/exe", ignored).string();
  return {std::move(target), {self, compile_word}, jobs};
}

int run(int argc, char** argv) {
  if (argc == 3 && std::string_view(argv[1]) == compile_word) return serve_compiler(argv[2]);
  const auto options = read_options(argc, argv);
  if (!options) return 0;
  const device::Selection selection = runtime::registry().select(options->device);
  const auto device = device::open(selection);
  const cache::Binaries binaries(cache::binaries_folder());
  const auto any_text = compile_pool(selection, *device, binaries, jobs_of(*options));
  std::vector<ProblemFindings> findings;
  std::vector<ProblemVerdict> verdicts;
  if (!options->is_json) fmt::print("{} ({})\n", device->identity().name, selection.text());
  for (const Problem& problem : options->problems()) {
    const kernels::Family& family = kernels::family_of(problem);
    const auto compiler = any_text.with_text(family.device_text(problem));
    findings.push_back(measure({device.get(), &family, problem, &compiler}, *options));
    verdicts.push_back(judge(findings.back()));
    if (options->is_json) continue;
    fmt::print("\n{}", text_of(findings.back(), verdicts.back()));
    std::fflush(stdout);
  }
  if (options->is_json) {
    fmt::print("{}", json_of(device->identity(), findings, verdicts));
  } else if (verdicts.size() > 1) {
    fmt::print("\n{}", text_of(summary_of(verdicts), verdicts.size()));
  }
  return 0;
}

}  // namespace
}  // namespace redtune::bench

int main(int argc, char** argv) try {
  return redtune::bench::run(argc, argv);
} catch (const redtune::Error& error) {
  fmt::print(stderr, "in_context: {}\n", error.what());
  const bool is_doubtful =
      dynamic_cast<const redtune::tuner::UntrustworthyMeasurement*>(&error) != nullptr;
  return is_doubtful ? 5 : redtune::bench::exit_code_of(error);
}
