// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "device/hip/hip_readings.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <set>
#include <string_view>
#include <system_error>

namespace redtune::device::hip {
namespace {

using gpu::word_of;
namespace fs = std::filesystem;

/// Of a word that begins with a whole number, like "1700Mhz"; nothing of any other.
std::optional<std::uint64_t> number_of(std::string_view word, int base = 10) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value, base);
  return error == std::errc{} ? std::optional(value) : std::nullopt;
}

std::optional<double> scaled(const fs::path& file, double scale) {
  const auto value = number_of(word_of(file));
  return value ? std::optional(static_cast<double>(*value) / scale) : std::nullopt;
}

std::vector<fs::path> entries_of(const fs::path& folder) {
  std::vector<fs::path> entries;
  std::error_code error;
  for (fs::directory_iterator at(folder, error); !error && at != fs::directory_iterator{};
       at.increment(error)) {
    entries.push_back(at->path());
  }
  return entries;
}

/// The clock of the line with a star, "1: 1700Mhz *".
std::optional<double> marked_clock(const fs::path& file) {
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    const auto colon = line.find(": ");
    if (colon == std::string::npos || line.find('*') == std::string::npos) continue;
    const auto mhz = number_of(std::string_view(line).substr(colon + 2));
    if (mhz) return static_cast<double>(*mhz);
  }
  return std::nullopt;
}

template <class T>
void take_if_missing(std::optional<T>& value, const std::optional<T>& other) {
  if (!value) value = other;
}

/// Files of the kernel's hardware monitors: millidegrees, microwatts, hertz.
void read_monitor(const fs::path& folder, Readings& readings) {
  for (const char* wanted : {"edge", "junction"}) {
    for (int i = 1; i <= 3; ++i) {
      const std::string label = word_of(folder / fmt::format("temp{}_label", i));
      if (label != wanted) continue;
      take_if_missing(readings.temperature_c, scaled(folder / fmt::format("temp{}_input", i), 1e3));
    }
  }
  take_if_missing(readings.temperature_c, scaled(folder / "temp1_input", 1e3));
  take_if_missing(readings.power_w, scaled(folder / "power1_average", 1e6));
  take_if_missing(readings.power_w, scaled(folder / "power1_input", 1e6));
  take_if_missing(readings.power_cap_w, scaled(folder / "power1_cap", 1e6));
  take_if_missing(readings.clock_mhz, scaled(folder / "freq1_input", 1e6));
  take_if_missing(readings.memory_clock_mhz, scaled(folder / "freq2_input", 1e6));
}

/// Where a device is, without the function, which partitions of it differ in.
struct Slot {
  std::uint64_t domain = 0;
  std::uint64_t device = 0;  ///< bus * 32 + device

  bool operator==(const Slot&) const = default;
};

/// Of "0000:c1:00.0".
std::optional<Slot> slot_of(const std::string& address) {
  const auto bus_at = address.find(':') + 1;
  const auto device_at = address.find(':', bus_at) + 1;
  if (bus_at == 0 || device_at == 0) return std::nullopt;
  const auto domain = number_of(address, 16);
  const auto bus = number_of(std::string_view(address).substr(bus_at), 16);
  const auto device = number_of(std::string_view(address).substr(device_at), 16);
  if (!domain || !bus || !device) return std::nullopt;
  return Slot{*domain, *bus * 32 + *device};
}

std::map<std::string, std::uint64_t> numbers_in(const fs::path& file) {
  std::map<std::string, std::uint64_t> numbers;
  std::ifstream stream(file);
  std::uint64_t value = 0;
  for (std::string name; stream >> name >> value;) numbers[name] = value;
  return numbers;
}

/// The numbers by which amdkfd knows a device and its partitions; processors have the number 0.
std::set<std::string> kfd_ids_of(const Slot& slot, const fs::path& kfd) {
  std::set<std::string> ids;
  for (const fs::path& node : entries_of(kfd / "topology/nodes")) {
    const std::string id = word_of(node / "gpu_id");
    if (id.empty() || id == "0") continue;
    const auto properties = numbers_in(node / "properties");
    const auto location = properties.find("location_id");  // bus * 256 + device * 8 + function
    if (location == properties.end()) continue;
    const auto domain = properties.find("domain");
    const Slot here{domain == properties.end() ? 0 : domain->second, location->second / 8};
    if (here == slot) ids.insert(id);
  }
  return ids;
}

bool uses(const fs::path& process, const std::set<std::string>& ids) {
  for (const std::string& id : ids) {
    if (number_of(word_of(process / ("vram_" + id))).value_or(0) > 0) return true;
  }
  for (const fs::path& queue : entries_of(process / "queues")) {
    if (ids.contains(word_of(queue / "gpuid"))) return true;
  }
  return false;
}

/// A program's name may hold spaces.
std::string first_line(const fs::path& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  return line;
}

}  // namespace

Readings readings_of(const std::string& address, const KernelFolders& folders) {
  const fs::path folder = gpu::pci_folder(address, folders.sysfs);
  Readings readings;
  readings.clock_mhz = marked_clock(folder / "pp_dpm_sclk");
  readings.memory_clock_mhz = marked_clock(folder / "pp_dpm_mclk");
  for (const fs::path& monitor : entries_of(folder / "hwmon")) read_monitor(monitor, readings);
  return readings;
}

std::optional<std::vector<DeviceUser>> users_of(const std::string& address,
                                                const KernelFolders& folders) {
  const fs::path kfd = folders.sysfs / "class/kfd/kfd";
  std::error_code ignored;
  const auto slot = slot_of(address);
  if (!slot || !fs::is_directory(kfd / "proc", ignored)) return std::nullopt;
  const std::set<std::string> ids = kfd_ids_of(*slot, kfd);
  if (ids.empty()) return std::nullopt;
  std::vector<DeviceUser> users;
  for (const fs::path& process : entries_of(kfd / "proc")) {
    const std::string name = process.filename().string();
    const auto pid = number_of(name);
    if (!pid || !uses(process, ids)) continue;
    users.push_back({static_cast<long>(*pid), first_line(folders.procfs / name / "comm")});
  }
  std::sort(users.begin(), users.end(),
            [](const DeviceUser& a, const DeviceUser& b) { return a.pid < b.pid; });
  return users;
}

}  // namespace redtune::device::hip
