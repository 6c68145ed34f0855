// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "device/hip/kfd_topology.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <limits>
#include <map>
#include <string_view>
#include <system_error>

namespace redtune::device::hip {
namespace {

namespace fs = std::filesystem;

/// "name value" lines; the first of a name counts.
std::map<std::string, std::int64_t> properties_in(const fs::path& file) {
  std::map<std::string, std::int64_t> properties;
  std::ifstream stream(file);
  std::string name;
  std::string text;
  while (stream >> name >> text) {
    std::int64_t value = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error == std::errc{} && stop == end) properties.emplace(name, value);
  }
  return properties;
}

std::optional<std::int64_t> value_of(const std::map<std::string, std::int64_t>& properties,
                                     const std::string& name) {
  const auto found = properties.find(name);
  return found == properties.end() ? std::nullopt : std::optional(found->second);
}

/// A PCI address as the KFD writes it.
struct Location {
  std::int64_t domain = 0;
  std::int64_t id = 0;  ///< bus, device and function: 8, 5 and 3 bits

  bool operator==(const Location&) const = default;
};

std::optional<std::int64_t> hexadecimal(std::string_view digits) {
  std::int64_t value = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value, 16);
  return error == std::errc{} && stop == end ? std::optional(value) : std::nullopt;
}

/// Of "0000:c1:00.3".
std::optional<Location> location_of(std::string_view address) {
  if (address.size() != 12 || address[4] != ':' || address[7] != ':' || address[10] != '.') {
    return std::nullopt;
  }
  const auto domain = hexadecimal(address.substr(0, 4));
  const auto bus = hexadecimal(address.substr(5, 2));
  const auto device = hexadecimal(address.substr(8, 2));
  const auto function = hexadecimal(address.substr(11, 1));
  if (!domain || !bus || !device || !function) return std::nullopt;
  return Location{*domain, *bus << 8 | *device << 3 | *function};
}

/// The folder of the node at a location; empty when there is none.
fs::path node_at(const Location& wanted, const fs::path& sysfs) {
  std::error_code hidden;
  for (const auto& entry : fs::directory_iterator(sysfs / "class/kfd/kfd/topology/nodes", hidden)) {
    const auto properties = properties_in(entry.path() / "properties");
    // Processors are nodes as well, without lanes.
    if (value_of(properties, "simd_count").value_or(0) == 0) continue;
    const auto id = value_of(properties, "location_id");
    if (id && Location{value_of(properties, "domain").value_or(0), *id} == wanted) {
      return entry.path();
    }
  }
  return {};
}

/// The largest cache of level 3: each is listed, whoever shares it.
std::optional<std::int64_t> level_3_of(const fs::path& node) {
  constexpr std::int64_t kibi = 1024;
  std::optional<std::int64_t> largest;
  std::error_code hidden;
  for (const auto& entry : fs::directory_iterator(node / "caches", hidden)) {
    const auto properties = properties_in(entry.path() / "properties");
    if (value_of(properties, "level") != 3) continue;
    const std::int64_t size = value_of(properties, "size").value_or(0);
    if (size <= 0 || size > std::numeric_limits<std::int64_t>::max() / kibi) continue;
    largest = std::max(largest.value_or(0), kibi * size);
  }
  return largest;
}

}  // namespace

KfdNode kfd_node(const std::string& address, const fs::path& sysfs) {
  auto location = location_of(address);
  if (!location) return {};
  fs::path folder = node_at(*location, sysfs);
  constexpr std::int64_t function_bits = 7;
  if (folder.empty() && (location->id & function_bits) != 0) {
    location->id &= ~function_bits;
    folder = node_at(*location, sysfs);
  }
  if (folder.empty()) return {};
  KfdNode node{.dies = {}, .last_level_cache_bytes = level_3_of(folder)};
  const auto dies = value_of(properties_in(folder / "properties"), "num_xcc");
  if (dies && *dies > 0 && *dies <= 64) node.dies = static_cast<int>(*dies);
  return node;
}

}  // namespace redtune::device::hip
