// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What most commands ask: a problem on a device.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "cli/command.hpp"
#include "cli/names.hpp"
#include "device/registry.hpp"
#include "kernel_templates/family/family.hpp"
#include "redtune/problem.hpp"
#include "tuner/workload/lists.hpp"

namespace redtune::cli {

/// A text file that a person named, of 1 MiB at most. Throws UsageError.
[[nodiscard]] std::string read_text(const std::string& path);

/// The operator of a file, named as the file. Throws as read_text(), and as
/// kernels::require_operator_text().
[[nodiscard]] CustomOp read_operator(const std::string& path);

/// From --acc, --out, --order and --cache-mode, as far as the command has them; out_option: what it
/// calls --out. Throws UsageError.
[[nodiscard]] ProblemChoices choices_of(const Options& options,
                                        std::string_view out_option = "out");

/// Throws UsageError when both --op and --op-source are given.
void require_one_operator(const Options& options);

/// From --shape, --axis and --strides; nothing without --shape. Throws UsageError, also where
/// --axis or --strides stand alone, or --count is given as well.
[[nodiscard]] std::optional<Shape> shape_of(const Options& options);
/// From --segments, --offset-bits and --skew, of so many elements; nothing without --segments.
/// Throws UsageError, also where the others stand alone, or --shape is given as well.
[[nodiscard]] std::optional<Shape> segments_of(const Options& options, std::int64_t elements);
/// The bits of --offset-bits, and the spread of --skew. Throws UsageError.
[[nodiscard]] std::int64_t offset_bits_of(const Options& options);
[[nodiscard]] Skew skew_of(const Options& options);
/// From --axis and --strides, for arrays.
[[nodiscard]] ArrayAxes array_axes_of(const Options& options);

/// From --op or --op-source, --type, --acc, --out, --order and --cache-mode, as far as the command
/// has them; out_option: what it calls --out. Throws UsageError.
[[nodiscard]] Problem problem_of(const Options& options, const Shape& shape,
                                 std::string_view out_option = "out");
/// Likewise, with the shape of --shape, the segments of --segments, or the count of --count.
[[nodiscard]] Problem problem_of(const Options& options, std::string_view out_option = "out");

/// --family, or that of the problem. Throws UsageError for one that does not serve it.
[[nodiscard]] const kernels::Family& family_of(const Options& options, const Problem& problem);

struct OpenDevice {
  device::Selection selection;
  std::unique_ptr<device::Device> device;
};

/// From --device.
[[nodiscard]] OpenDevice open_device(const Options& options);

/// Warns where a tuner holds the device: what is timed now is disturbed, and disturbs.
void warn_of_lease(const DeviceIdentity& device);

/// From --jobs; 0 means one for each processor.
[[nodiscard]] int jobs_of(const Options& options);

/// The commands of a compile worker, of one that owns a device, and of one that runs somebody's
/// kernel: this program.
[[nodiscard]] std::vector<std::string> worker_command();
[[nodiscard]] std::vector<std::string> device_worker_command();
[[nodiscard]] std::vector<std::string> check_worker_command();

}  // namespace redtune::cli
