// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// redtune reduce: a tuned reduction over a file of numbers or generated ones.
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <span>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include "cache/files/files.hpp"
#include "cache/files/paths.hpp"
#include "cache/store/store.hpp"
#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/names.hpp"
#include "cli/question.hpp"
#include "cli/reduce_inputs.hpp"
#include "cli/report/measured_text.hpp"
#include "cli/say.hpp"
#include "cli/set_option.hpp"
#include "kernel_templates/family/family.hpp"
#include "redtune/error.hpp"
#include "runtime/by_key_launches.hpp"
#include "runtime/load_config.hpp"
#include "runtime/resolve.hpp"
#include "tuner/measure/statistics.hpp"
#include "tuner/session/restriction.hpp"
#include "tuner/text/measured_json.hpp"
#include "tuner/tuner.hpp"
#include "tuner/verify/job.hpp"
#include "tuner/verify/offsets.hpp"
#include "tuner/verify/operator_program.hpp"
#include "tuner/verify/operator_samples.hpp"
#include "tuner/verify/operator_watch.hpp"
#include "tuner/verify/oracle.hpp"
#include "tuner/verify/reference.hpp"

namespace redtune::cli {
namespace {

constexpr std::size_t timed_runs = 9;

struct Reduced {
  Answer answer;                   ///< what ran
  std::vector<std::byte> results;  ///< one behind the other, as the device gave them
  Interval time_us;
  std::string why_wrong;  ///< empty: it agrees with the host's exact answer
};

/// Microseconds; the first run, which warms up, is left out.
std::vector<double> times_of(device::Device& device, std::span<const device::Launch> launches) {
  std::vector<double> times;
  for (std::size_t i = 0; i < timed_runs + 1; ++i) {
    const double us = device.time(launches).device_us;
    if (i > 0) times.push_back(us);
  }
  return times;
}

Interval timed(device::Device& device, const Problem& problem,
               std::span<const device::Launch> launches) {
  const std::int64_t elements = elements_of(problem);
  const OperatorWatch watch(problem, elements,
                            fmt::format("while {} elements were reduced", elements));
  return median_interval(times_of(device, launches));
}

/// Why results of an input on the device are wrong; empty: they are right.
std::string why_wrong(const Problem& problem, std::int64_t longest_chain, const void* in,
                      const ReduceData& data, std::span<const std::byte> results,
                      const OperatorProgram* custom) {
  const auto oracle = custom == nullptr ? host_oracle(problem) : device_oracle(*custom);
  const auto expected = oracle->of_elements({problem, in, data.offsets}, data.elements);
  return expected->why_wrong(results.data(), longest_chain);
}

Reduced reduce(OpenDevice& opened, const Answer& found, const ReduceData& data,
               const OperatorProgram* custom) {
  const Problem& problem = found.problem;
  device::Device& device = *opened.device;
  const kernels::Family& family = kernels::find_family(found.family);
  const auto [answer, config] =
      runtime::load_found(*opened.selection.platform, device,
                          {&family, found, family.default_settings(problem, device.limits())});
  const runtime::Workspace workspace = config.make_workspace(device);
  const device::Buffer in = device.allocate(data.elements.size());
  const device::Buffer out = device.allocate(output_bytes(problem));
  device.copy_to_device(in.data(), data.elements.data(), data.elements.size());
  const std::vector<std::byte> packed = packed_offsets(data.offsets, problem);
  const device::Buffer offsets = device.allocate(packed.size());
  device.copy_to_device(offsets.data(), packed.data(), packed.size());
  const auto launches =
      config.launches(operands_of(problem, in.data(), offsets.data(), out.data()), workspace);
  const Interval time_us = timed(device, problem, launches);
  std::vector<std::byte> results(output_bytes(problem));
  device.copy_to_host(results.data(), out.data(), results.size());
  Shape of_any_lengths = problem;
  if (is_segmented(problem)) of_any_lengths.skew = Skew::giant;
  std::string wrong =
      why_wrong(problem, config.longest_chain(of_any_lengths), in.data(), data, results, custom);
  return {answer, std::move(results), time_us, std::move(wrong)};
}

/// Groups are found on the device; the host knows them from the file.
Reduced reduce_by_key(OpenDevice& opened, const Answer& found, const ReduceData& data,
                      const OperatorProgram* custom, ByKeyWay way) {
  const Problem& problem = found.problem;
  const GroupedKeys& keys = *data.keys;
  device::Device& device = *opened.device;
  const runtime::ByKeyLaunches reduction(*opened.selection.platform, device, found,
                                         static_cast<int>(keys.bits), {.way = way});
  const auto bytes_of_keys = static_cast<std::size_t>(keys.groups() * keys.bits / 8);
  const device::Buffer all = device.allocate(keys.all.size());
  const device::Buffer in = device.allocate(data.elements.size());
  const device::Buffer of_groups = device.allocate(bytes_of_keys);
  const device::Buffer out = device.allocate(output_bytes(problem));
  const device::Buffer number = device.allocate(sizeof(std::int64_t));
  device.copy_to_device(all.data(), keys.all.data(), keys.all.size());
  device.copy_to_device(in.data(), data.elements.data(), data.elements.size());
  const Interval time_us =
      timed(device, problem,
            reduction.launches({all.data(), in.data(), of_groups.data(), out.data(),
                                static_cast<std::int64_t*>(number.data())},
                               problem.count));
  std::int64_t groups = 0;
  device.copy_to_host(&groups, number.data(), sizeof(groups));
  std::vector<std::byte> found_keys(bytes_of_keys);
  device.copy_to_host(found_keys.data(), of_groups.data(), found_keys.size());
  std::vector<std::byte> results(output_bytes(problem));
  device.copy_to_host(results.data(), out.data(), results.size());
  std::string wrong;
  if (groups != keys.groups()) {
    wrong = fmt::format("{} groups were found, and there are {}", groups, keys.groups());
  } else if (keys_in(found_keys, keys.bits) != keys.of_groups) {
    wrong = "the keys of the groups are others";
  } else {
    wrong = why_wrong(problem, reduction.longest_chain(), in.data(), data, results, custom);
  }
  Answer used = reduction.answer();
  if (reduction.way() == ByKeyWay::tiles) {
    used.settings = reduction.settings();
    used.match = Match::fallback;
    used.explanation =
        "groups are short: they are found and reduced in one launch, which is not tuned";
  }
  return {std::move(used), std::move(results), time_us, std::move(wrong)};
}

/// What tuning once found such a device to read, from where this input lies: the same buffer is
/// read again and again.
Peak known_peak(const Options& options, Problem problem, const DeviceClass& device) {
  problem.cache_mode = CacheMode::warm;
  const auto path = cache::store_path(options.text("cache"));
  std::error_code ignored;
  if (!path || cache::names_snapshot(*path) || !std::filesystem::exists(*path, ignored)) return {};
  try {
    const auto peaks = cache::newest_peaks(*path, device);
    return peak_for(problem, peaks.value_or(cache::ReadPeaks{}), device.last_level_cache_bytes);
  } catch (const Error&) {
    return {};  // a reduction is none the worse for it
  }
}

/// The first of the results as people read them, at most so many.
std::vector<std::string> texts_of(const Problem& problem, std::span<const std::byte> results,
                                  std::size_t most) {
  std::vector<std::string> texts;
  const std::size_t bytes = result_bytes(problem);
  for (std::size_t at = 0; at < results.size() && texts.size() < most; at += bytes) {
    texts.push_back(result_text(problem, &results[at]));
  }
  return texts;
}

/// "1.5", or the first of many and how many there are; of groups with their keys: "7: 1.5".
std::string text_of_results(const Problem& problem, const ReduceData& data,
                            std::span<const std::byte> results) {
  constexpr std::size_t shown = 4;
  auto texts = texts_of(problem, results, shown);
  if (data.keys) {
    for (std::size_t i = 0; i < texts.size(); ++i) {
      texts[i] = fmt::format("{}: {}", data.keys->of_groups[i], texts[i]);
    }
  }
  const auto all = static_cast<std::size_t>(results_of(problem));
  std::string text = fmt::format("{}", fmt::join(texts, ", "));
  if (all > shown) text += fmt::format(", ... ({} results)", all);
  return text;
}

/// What JSON says of a result: its text, or of several values each by its name.
Json json_of_result(const Problem& problem, const std::byte* result) {
  const auto values = values_of_result(problem);
  if (values.size() == 1) return result_text(problem, result);
  Json all = Json::object();
  for (const ResultValue& value : values) all[value.name] = tuner::value_text(value, result);
  return all;
}

Json json_of_results(const Problem& problem, std::span<const std::byte> results, std::size_t most) {
  Json all = Json::array();
  const std::size_t bytes = result_bytes(problem);
  for (std::size_t at = 0; at < results.size() && all.size() < most; at += bytes) {
    all.push_back(json_of_result(problem, &results[at]));
  }
  return all;
}

void write_results(const std::string& path, std::span<const std::byte> results) {
  cache::replace_file(path, {reinterpret_cast<const char*>(results.data()), results.size()});
}

void print_result(const Options& options, const ReduceData& data, const Reduced& reduced,
                  const DeviceIdentity& device) {
  const Answer& answer = reduced.answer;
  const Problem& problem = answer.problem;
  const Peak peak = known_peak(options, problem, device.device_class);
  const auto of_keys = data.keys ? static_cast<double>(data.keys->all.size()) : 0.0;
  const double bytes = kernels::family_of(problem).bytes_moved(problem) + of_keys;
  const double gigabytes_per_second = bytes / reduced.time_us.median / 1e3;
  if (options.has("json")) {
    Json document{
        {"problem", json_of(problem)},          {"device", device.name},
        {"time_us", json_of(reduced.time_us)},  {"gigabytes_per_second", gigabytes_per_second},
        {"settings", json_of(answer.settings)}, {"match", to_string(answer.match)},
        {"explanation", answer.explanation}};
    constexpr std::size_t most_values = 1024;
    if (data.keys) {
      const auto& keys = data.keys->of_groups;
      document["keys"] = std::vector(
          keys.begin(), keys.begin() + std::ptrdiff_t(std::min(keys.size(), most_values)));
    }
    if (results_of(problem) == 1 && !data.keys) {
      document["value"] = json_of_result(problem, reduced.results.data());
    } else {
      document["results"] = results_of(problem);
      document["values"] = json_of_results(problem, reduced.results, most_values);
    }
    if (peak.gbps > 0) document["peak"] = json_of(peak);
    print_json(document);
    return;
  }
  say("{} of {} {}{} = {}\n",
      problem.op == Op::custom ? problem.custom.name : to_string(problem.op), shape_text(problem),
      to_string(problem.in), data.keys ? " by key" : "",
      text_of_results(problem, data, reduced.results));
  say("time    {:.2f} us on {} (median of {}, the same buffer each time), {:.2f} GB/s\n",
      reduced.time_us.median, device.name, timed_runs, gigabytes_per_second);
  if (peak.gbps > 0) say("        {}\n", share_text(gigabytes_per_second, peak));
  say("config  {}\nfound   {}: {}\n", to_string(answer.settings), to_string(answer.match),
      answer.explanation);
}

/// Compiles a custom operator and tries it on samples; nothing for a built-in one. Throws
/// UsageError when it does not compile or breaks a promise.
std::unique_ptr<const OperatorProgram> checked_operator(const OpenDevice& opened,
                                                        const kernels::Family& family,
                                                        const Problem& problem) {
  const CompilePool compiler(target_of(*opened.selection.platform, opened.device->identity()),
                             worker_command(), 1);
  return sound_operator(*opened.device, family, problem, compiler);
}

/// With the values that --set gives, whatever was tuned. Throws UsageError for what is no tunable,
/// and for what cannot run.
Answer with_given_values(Answer answer, const Options& options, const Limits& limits) {
  if (!options.has("set")) return answer;
  const kernels::Family& family = kernels::find_family(answer.family);
  const Settings values = set_values(options);
  require_known(values, family);
  for (const Setting& one : values) {
    std::ranges::find(answer.settings, one.name, &Setting::name)->value = one.value;
  }
  const std::string given = to_string(values);
  const std::string why = family.why_invalid(answer.settings, answer.problem, limits);
  if (!why.empty()) throw UsageError(fmt::format("--set {} cannot run here: {}", given, why));
  answer.explanation = fmt::format("with {} as given; but for that {}", given, answer.explanation);
  return answer;
}

}  // namespace

int run_reduce(const Options& options) {
  require_inputs(options);
  ReduceInputs inputs = inputs_of(options);
  const Problem problem = problem_of(options, inputs);
  set_hang_handler([](const std::string& why) {
    spdlog::error("{}", why);
    _exit(static_cast<int>(ExitCode::usage));
  });
  OpenDevice opened = open_device(options);
  require_memory(problem, opened.device->identity(), opened.device->free_memory());
  const ReduceData data = data_of(options, inputs, problem);
  inputs = {};  // what pipes gave is not needed twice
  const DeviceIdentity& identity = opened.device->identity();
  warn_of_lease(identity);
  const Limits& limits = opened.device->limits();
  const Answer answer = with_given_values(
      runtime::resolve(problem, identity, limits, {options.text("cache"), Match::fallback}).answer,
      options, limits);
  const auto custom = checked_operator(opened, kernels::find_family(answer.family), problem);
  // Values that are given are those of segments.
  const ByKeyWay way = options.has("set") ? ByKeyWay::segments : ByKeyWay::by_length;
  const Reduced reduced = data.keys ? reduce_by_key(opened, answer, data, custom.get(), way)
                                    : reduce(opened, answer, data, custom.get());
  if (!reduced.why_wrong.empty()) {
    throw Error(fmt::format("the result is wrong: {}; config {}", reduced.why_wrong,
                            to_string(reduced.answer.settings)));
  }
  if (options.has("results")) write_results(options.text("results"), reduced.results);
  if (options.has("result-keys"))
    write_results(options.text("result-keys"), data.keys->raw_of_groups());
  print_result(options, data, reduced, identity);
  return 0;
}

}  // namespace redtune::cli
