// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What the tuner and the worker that owns a device tell each other, as JSON.
#pragma once

#include <cstdint>
#include <exception>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "device/platform.hpp"
#include "kernel_templates/description/read_description.hpp"
#include "kernel_templates/family/family.hpp"
#include "redtune/device_identity.hpp"
#include "redtune/limits.hpp"
#include "redtune/problem.hpp"
#include "tuner/measure/probe.hpp"
#include "tuner/worker/bench.hpp"

namespace redtune::tuner {

/// What a worker tells of the device it has opened.
struct FoundDevice {
  std::string selection;  ///< as it is typed: "host", "cuda:0"
  std::string alone;      ///< "NAME=value", with which a process sees only this one; empty: none
  std::string platform;
  std::string arch;  ///< to compile for
  DeviceIdentity identity;
  Limits limits;
};

/// What a worker is to set up.
struct BenchOrder {
  std::string family;
  Problem problem;
  std::uint64_t seed = 0;
  /// Of a kernel of a user's: as the file was when the tuner read it.
  std::optional<kernels::DescriptionSource> described = {};
};

[[nodiscard]] BenchOrder bench_order(const kernels::Family& family, const Problem& problem,
                                     std::uint64_t seed);

using nlohmann::json;

// Each pair undoes itself; reading throws nlohmann's exceptions and BadFrame for anything else.
[[nodiscard]] json encode(const FoundDevice& device);
[[nodiscard]] FoundDevice decode_device(const json& document);
[[nodiscard]] json encode(const BenchOrder& order);
[[nodiscard]] BenchOrder decode_bench_order(const json& document);
[[nodiscard]] json encode(const Sample& sample);
[[nodiscard]] Sample decode_sample(const json& document);
[[nodiscard]] json encode(const Floor& floor);
[[nodiscard]] Floor decode_floor(const json& document);

[[nodiscard]] json encode(const BatchOrder& order);
[[nodiscard]] BatchOrder decode_batch_order(const json& document);
[[nodiscard]] json encode(const device::BatchTime& time);
[[nodiscard]] device::BatchTime decode_batch_time(const json& document);
[[nodiscard]] json encode(const Probe& probe);
[[nodiscard]] Probe decode_probe(const json& document);
/// Only what could be read; for people and records, so that nothing reads it back.
[[nodiscard]] json encode(const device::Readings& readings);
/// Without the binary, which is sent once and named.
[[nodiscard]] json encode(const Candidate& candidate);
[[nodiscard]] Candidate decode_candidate(const json& document);

/// The error's text and its kind, as far as the tuner tells kinds apart.
[[nodiscard]] json encode_error(const std::exception& error);
/// Throws an error of this kind; Error for a kind that is unknown.
[[noreturn]] void throw_decoded(const json& error);

}  // namespace redtune::tuner
