// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// redtune ladder: the classic steps of optimising a sum, each checked and timed on a device.
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <set>
#include <spdlog/spdlog.h>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/names.hpp"
#include "cli/question.hpp"
#include "cli/report/ladder_report.hpp"
#include "cli/say.hpp"
#include "cli/terminal.hpp"
#include "redtune/error.hpp"
#include "redtune/suggest.hpp"
#include "tuner/ladder/climb.hpp"
#include "tuner/tuner.hpp"

namespace redtune::cli {
namespace {

DType type_of(const Options& options) {
  const DType type = parse_dtype(options.text("type"));
  const auto types = kernels::ladder_types();
  if (std::ranges::find(types, type) != types.end()) return type;
  std::vector<std::string_view> names;
  for (const DType known : types) names.push_back(to_string(known));
  throw UsageError(fmt::format("the steps of the ladder cannot sum {}; they take {}",
                               to_string(type), join(names)));
}

using kernels::LadderStep;

/// A processor takes a block's threads one after another, by a switch of stacks each.
constexpr std::string_view count_on_host = "2^20";
constexpr std::string_view count_elsewhere = "2^28";

/// Those of --step, in the order of the climb; all without it.
std::vector<const LadderStep*> steps_of(const Options& options) {
  std::set<const LadderStep*> wanted;
  for (const std::string& name : options.all("step")) {
    wanted.insert(&kernels::find_ladder_step(name));
  }
  std::vector<const LadderStep*> steps;
  for (const LadderStep& step : kernels::ladder_steps()) {
    if (wanted.empty() || wanted.contains(&step)) steps.push_back(&step);
  }
  return steps;
}

/// Nobody should wait for a chart that cannot be written.
void require_folder_of(const std::string& path) {
  const auto folder = std::filesystem::absolute(path).parent_path();
  std::error_code ignored;
  if (std::filesystem::is_directory(folder, ignored) &&
      !std::filesystem::is_directory(path, ignored)) {
    return;
  }
  throw UsageError(fmt::format("--svg {} cannot be written; name a file in a folder that exists",
                               path.empty() ? "''" : path));
}

void write_text(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) throw IoError(fmt::format("cannot write {}", path));
}

Problem asked(const Options& options, const device::Device& device) {
  std::string count = options.text("count");
  if (!options.has("count")) {
    const bool is_host = device.identity().device_class.platform == "host";
    count = is_host ? count_on_host : count_elsewhere;
  }
  return make_problem(Op::sum, type_of(options), parse_count(count));
}

bool any_failed(const LadderResult& result) {
  return std::ranges::any_of(result.rows, [](const LadderRow& row) {
    return std::ranges::any_of(row.attempts,
                               [](const auto& attempt) { return !attempt.failure.empty(); });
  });
}

}  // namespace

int run_ladder(const Options& options) {
  const auto steps = steps_of(options);
  (void)type_of(options);
  if (options.has("count")) (void)parse_count(options.text("count"));
  if (options.has("svg")) require_folder_of(options.text("svg"));
  const OpenDevice opened = open_device(options);
  const DeviceIdentity& device = opened.device->identity();
  const Problem problem = asked(options, *opened.device);
  require_memory(problem, opened.device->identity(), opened.device->free_memory());
  warn_of_lease(device);
  ProgressLine progress;
  const LadderResult result =
      climb({{opened.selection.platform, opened.device.get(), problem, worker_command()},
             steps,
             options.text("cache")},
            [&](std::size_t number, const LadderStep& step) {
              progress.show(static_cast<double>(number) / static_cast<double>(steps.size()),
                            fmt::format("{} of {}: {}", number + 1, steps.size(), step.name));
            });
  progress.clear();
  if (options.has("svg")) write_text(options.text("svg"), chart_of(result, device));
  if (options.has("json")) {
    print_json(json_of(result, device));
  } else {
    fmt::print("{}", text_of(result, device));
  }
  if (!any_failed(result)) return static_cast<int>(ExitCode::done);
  spdlog::error("not every step ran and gave the right sum");
  return static_cast<int>(ExitCode::failed);
}

}  // namespace redtune::cli
