// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Fields as JSON: how the store keeps problems, devices and settings.
#include "cache/keys/fields_text.hpp"
#include "tests/cache/samples.hpp"
#include "tests/fuzz/targets.hpp"

namespace redtune::fuzz {

void read_json(std::string_view bytes) {
  const auto fields = cache::fields_from_json_text(bytes);
  if (!fields) return;
  promise(cache::fields_from_json_text(cache::to_json_text(*fields)) == fields,
          "what is written is what is read");
  (void)cache::problem_from(*fields);
  (void)cache::device_class_from(*fields);
  (void)cache::toolchain_from(*fields);
}

std::vector<std::string> json_samples() {
  using namespace cache;
  const DeviceIdentity device = cache::testing::sample_device();
  return {to_json_text(fields_of(cache::testing::sample_problem())),
          to_json_text(fields_of(device.device_class)),
          to_json_text(fields_of(device.toolchain)),
          to_json_text(cache::testing::sample_settings()),
          R"({"a":"\u00e4\ud83d\ude00","a":"twice","":""})",
          R"({"a":[{"b":1e999}]})"};
}

}  // namespace redtune::fuzz
