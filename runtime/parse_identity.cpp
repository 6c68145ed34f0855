// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "redtune/parse_identity.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "redtune/error.hpp"

namespace redtune {
namespace {

using nlohmann::json;

constexpr std::size_t most_bytes = 64 * 1024;

class Reader {
 public:
  explicit Reader(const json& document) : document_(document) {}

  template <class T>
  void optional(const char* name, T& value) const {
    const auto member = document_.find(name);
    if (member == document_.end() || member->is_null()) return;
    try {
      require_kind<T>(name, *member);
      value = member->template get<T>();
    } catch (const json::exception&) {
      throw UsageError(fmt::format("a device's '{}' cannot be {}", name, member->dump()));
    }
  }
  template <class T>
  void required(const char* name, T& value) const {
    if (!document_.contains(name)) {
      throw UsageError(fmt::format(
          "this is not a device: '{}' is missing; write one as `redtune devices --json` does",
          name));
    }
    optional(name, value);
  }

 private:
  /// Numbers of the wrong kind, or too large, would be converted.
  template <class T>
  static void require_kind(const char* name, const json& member) {
    if constexpr (std::is_integral_v<T>) {
      const bool fits = member.is_number_integer() && member.get<std::int64_t>() >= 0 &&
                        std::in_range<T>(member.get<std::int64_t>());
      if (!fits) throw UsageError(fmt::format("a device's '{}' cannot be {}", name, member.dump()));
    }
  }

  const json& document_;
};

}  // namespace

DeviceIdentity parse_identity(std::string_view text) {
  if (text.size() > most_bytes) throw UsageError("this is not a device: it is too long");
  // Without nesting there is no depth to run out of: a device is one flat object.
  const json document = json::parse(
      text, [](int depth, json::parse_event_t, json&) { return depth < 2; }, false);
  if (!document.is_object()) {
    throw UsageError("this is not a device: write a JSON object as `redtune devices --json` does");
  }
  const Reader reader(document);
  DeviceIdentity identity;
  DeviceClass& what = identity.device_class;
  reader.required("platform", what.platform);
  reader.required("isa", what.isa);
  reader.required("compute_units", what.compute_units);
  reader.required("wave_size", what.wave_size);
  reader.optional("model", what.model);
  reader.optional("partition", what.partition);
  reader.optional("last_level_cache_bytes", what.last_level_cache_bytes);
  reader.optional("memory_bytes", what.memory_bytes);
  reader.optional("name", identity.name);
  reader.optional("address", identity.address);
  reader.optional("dies", identity.dies);
  reader.optional("driver", identity.toolchain.driver);
  reader.optional("runtime", identity.toolchain.runtime);
  reader.optional("compiler", identity.toolchain.compiler);
  const int wave = what.wave_size;
  if (what.compute_units < 1 || wave < 1 || wave > 64 || (wave & (wave - 1)) != 0) {
    throw UsageError("a device has at least one compute unit, and waves of 1, 2, 4, ... 64 lanes");
  }
  return identity;
}

}  // namespace redtune
