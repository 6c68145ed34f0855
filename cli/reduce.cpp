// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// redtune reduce: a tuned reduction over a file of numbers or generated ones.
#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <span>
#include <spdlog/spdlog.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cache/files/files.hpp"
#include "cache/files/paths.hpp"
#include "cache/store/store.hpp"
#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/names.hpp"
#include "cli/question.hpp"
#include "cli/report/measured_text.hpp"
#include "cli/say.hpp"
#include "kernel_templates/family/family.hpp"
#include "redtune/error.hpp"
#include "redtune/segments.hpp"
#include "runtime/load_config.hpp"
#include "runtime/resolve.hpp"
#include "tuner/measure/statistics.hpp"
#include "tuner/text/measured_json.hpp"
#include "tuner/tuner.hpp"
#include "tuner/verify/input.hpp"
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

/// Bytes of a regular file. Throws UsageError that says what is wrong with it.
std::size_t file_bytes(const std::string& path) {
  struct stat what {};
  if (stat(path.c_str(), &what) != 0) {
    throw UsageError(fmt::format("cannot read {}: {}", path, std::strerror(errno)));
  }
  if (!S_ISREG(what.st_mode)) throw UsageError(fmt::format("{} is not a regular file", path));
  return static_cast<std::size_t>(what.st_size);
}

std::vector<std::byte> read_file(const std::string& path, std::size_t bytes) {
  std::vector<std::byte> data(bytes);
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char*>(data.data()), static_cast<std::streamsize>(bytes));
  if (!file || file.gcount() != static_cast<std::streamsize>(bytes)) {
    throw UsageError(fmt::format("cannot read {}", path));
  }
  return data;
}

/// Segments as --offsets has them: where each begins, and where the last ends.
std::vector<std::int64_t> read_offsets(const std::string& path, std::int64_t bits) {
  const auto each = static_cast<std::size_t>(bits / 8);
  const std::size_t bytes = file_bytes(path);
  if (bytes == 0 || bytes % each != 0) {
    throw UsageError(fmt::format(
        "{} has {} bytes, which are not one offset of {} bits or more: where each segment begins, "
        "and where the last ends",
        path, bytes, bits));
  }
  const std::vector<std::byte> data = read_file(path, bytes);
  std::vector<std::int64_t> offsets(bytes / each);
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    std::int32_t narrow = 0;
    if (each == sizeof(narrow)) {
      std::memcpy(&narrow, &data[i * each], each);
      offsets[i] = narrow;
    } else {
      std::memcpy(&offsets[i], &data[i * each], each);
    }
  }
  return offsets;
}

/// Those of --offsets, which are looked at, or of generated segments; none of anything else.
std::vector<std::int64_t> offsets_asked(const Options& options, const Problem& problem) {
  if (!is_segmented(problem)) return {};
  if (!options.has("offsets")) return segment_offsets(problem);
  const std::string path = options.text("offsets");
  std::vector<std::int64_t> offsets = read_offsets(path, problem.offset_bits);
  const std::string why =
      why_no_segments(segments_at(offsets.data(), problem.segment_count), problem.count);
  if (!why.empty()) throw UsageError(fmt::format("{}: {}", path, why));
  return offsets;
}

/// Of so many elements; nothing where no segments are asked for.
std::optional<Shape> segments_asked(const Options& options, std::int64_t elements) {
  if (!options.has("offsets")) return segments_of(options, elements);
  for (const char* const name : {"segments", "shape"}) {
    if (!options.has(name)) continue;
    throw UsageError(
        fmt::format("--offsets and --{} both say what is reduced; leave one of them out", name));
  }
  const std::int64_t bits = offset_bits_of(options);
  const auto offsets = static_cast<std::int64_t>(file_bytes(options.text("offsets"))) * 8 / bits;
  return Shape::segments(elements, std::max<std::int64_t>(offsets - 1, 0), bits, skew_of(options));
}

/// What is asked, without its data: the file's size or --count.
Problem asked(const Options& options) {
  const DType type = parse_dtype(options.text("type"));
  const std::optional<Shape> shape = shape_of(options);
  const bool has_file = !options.words().empty();
  if (has_file == options.has("count") && !(shape && !has_file)) {
    throw UsageError(
        "name a FILE of raw numbers, or --count N or --shape NxM of generated ones, and not both");
  }
  if (!has_file && options.has("offsets")) {
    throw UsageError("--offsets are of a FILE; name it, or generated ones by --segments");
  }
  if (!has_file) return problem_of(options);
  const std::string& path = options.words()[0];
  const std::size_t bytes = file_bytes(path);
  if (bytes % size_of(type) != 0) {
    throw UsageError(
        fmt::format("{} has {} bytes, which is not a whole number of {} ({} bytes each)", path,
                    bytes, to_string(type), size_of(type)));
  }
  const auto elements = static_cast<std::int64_t>(bytes / size_of(type));
  const std::optional<Shape> segments = segments_asked(options, elements);
  if (segments) return problem_of(options, *segments);
  if (!shape) return problem_of(options, {.count = elements});
  const Problem problem = problem_of(options, *shape);
  // What lies behind the last element may be in the file: a gap that ends each line but the last.
  if (const std::size_t needed = input_bytes(problem); bytes < needed) {
    throw UsageError(fmt::format("{} has {} bytes, and {} of {} needs {}", path, bytes,
                                 options.text("shape"), to_string(type), needed));
  } else if (bytes > needed && !options.has("strides")) {
    throw UsageError(fmt::format("{} has {} bytes, and {} of {} has {}", path, bytes,
                                 options.text("shape"), to_string(type), needed));
  }
  return problem;
}

struct Reduced {
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

struct Data {
  std::vector<std::byte> elements;
  std::vector<std::int64_t> offsets;  ///< of segments
};

Reduced reduce(OpenDevice& opened, const runtime::LoadedConfig& config, const Data& data,
               const OperatorProgram* custom) {
  const Problem& problem = config.choice().problem;
  device::Device& device = *opened.device;
  const runtime::Workspace workspace = config.make_workspace(device);
  const device::Buffer in = device.allocate(data.elements.size());
  const device::Buffer out = device.allocate(output_bytes(problem));
  device.copy_to_device(in.data(), data.elements.data(), data.elements.size());
  const std::vector<std::byte> packed = packed_offsets(data.offsets, problem);
  const device::Buffer offsets = device.allocate(packed.size());
  device.copy_to_device(offsets.data(), packed.data(), packed.size());
  const auto launches =
      config.launches(operands_of(problem, in.data(), offsets.data(), out.data()), workspace);
  const std::vector<double> times = [&] {
    const std::int64_t elements = elements_of(problem);
    const OperatorWatch watch(problem, elements,
                              fmt::format("while {} elements were reduced", elements));
    return times_of(device, launches);
  }();
  std::vector<std::byte> results(output_bytes(problem));
  device.copy_to_host(results.data(), out.data(), results.size());
  const auto oracle = custom == nullptr ? host_oracle(problem) : device_oracle(*custom);
  const auto expected = oracle->of_elements({problem, in.data(), data.offsets}, data.elements);
  Shape of_any_lengths = problem;
  if (is_segmented(problem)) of_any_lengths.skew = Skew::giant;
  std::string why_wrong = expected->why_wrong(results.data(), config.longest_chain(of_any_lengths));
  return {std::move(results), median_interval(times), std::move(why_wrong)};
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

/// "1.5", or the first of many and how many there are.
std::string text_of_results(const Problem& problem, std::span<const std::byte> results) {
  constexpr std::size_t shown = 4;
  const auto texts = texts_of(problem, results, shown);
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

void print_result(const Options& options, const Reduced& reduced, const Answer& answer,
                  const DeviceIdentity& device) {
  const Problem& problem = answer.problem;
  const Peak peak = known_peak(options, problem, device.device_class);
  const double bytes = kernels::family_of(problem).bytes_moved(problem);
  const double gigabytes_per_second = bytes / reduced.time_us.median / 1e3;
  if (options.has("json")) {
    Json document{
        {"problem", json_of(problem)},          {"device", device.name},
        {"time_us", json_of(reduced.time_us)},  {"gigabytes_per_second", gigabytes_per_second},
        {"settings", json_of(answer.settings)}, {"match", to_string(answer.match)},
        {"explanation", answer.explanation}};
    if (results_of(problem) == 1) {
      document["value"] = json_of_result(problem, reduced.results.data());
    } else {
      constexpr std::size_t most_values = 1024;
      document["results"] = results_of(problem);
      document["values"] = json_of_results(problem, reduced.results, most_values);
    }
    if (peak.gbps > 0) document["peak"] = json_of(peak);
    print_json(document);
    return;
  }
  say("{} of {} {} = {}\n", problem.op == Op::custom ? problem.custom.name : to_string(problem.op),
      shape_text(problem), to_string(problem.in), text_of_results(problem, reduced.results));
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

}  // namespace

int run_reduce(const Options& options) {
  const Problem problem = asked(options);
  set_hang_handler([](const std::string& why) {
    spdlog::error("{}", why);
    _exit(static_cast<int>(ExitCode::usage));
  });
  OpenDevice opened = open_device(options);
  require_memory(problem, opened.device->identity(), opened.device->free_memory());
  const Data data{options.words().empty() ? make_input(problem, options.number("seed"))
                                          : read_file(options.words()[0], input_bytes(problem)),
                  offsets_asked(options, problem)};
  const DeviceIdentity& identity = opened.device->identity();
  const Limits& limits = opened.device->limits();
  const Answer answer =
      runtime::resolve(problem, identity, limits, {options.text("cache"), Match::fallback}).answer;
  const auto custom = checked_operator(opened, kernels::find_family(answer.family), problem);
  const auto config = runtime::load_config(
      *opened.selection.platform, *opened.device,
      {&kernels::find_family(answer.family), problem, answer.settings, limits});
  const Reduced reduced = reduce(opened, config, data, custom.get());
  if (!reduced.why_wrong.empty()) {
    throw Error(fmt::format("the result is wrong: {}; config {}", reduced.why_wrong,
                            to_string(answer.settings)));
  }
  if (options.has("results")) write_results(options.text("results"), reduced.results);
  print_result(options, reduced, answer, identity);
  return 0;
}

}  // namespace redtune::cli
