// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A person's home on a machine with fictional AMD GPUs: the HIP runtime for tests in the library
// path, and the files in which the kernel would tell of such devices.
#pragma once

#include <chrono>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "call_trace.hpp"
#include "fictional_devices.hpp"
#include "tests/cli/run_redtune.hpp"

namespace redtune::testing::hip {

using cli::Home;
using cli::Said;
using cli::Words;

/// The count of reductions: of a few blocks, as fibers are slow.
inline constexpr int few = 3000;

class FictionalHome {
 public:
  explicit FictionalHome(std::string devices) : devices_(std::move(devices)) {
    std::filesystem::create_directory(trace());
    // Of these alone: file systems that have just deleted many files make new ones slowly.
    for (const FictionalDevice& device : fictional_devices) {
      const bool is_there =
          fmt::format(",{},", devices_).find(fmt::format(",{},", device.key)) != std::string::npos;
      if (is_there) write_kernel_files(device);
    }
    write(home_ / "sysfs/module/amdgpu/version", "6.7.0");
  }

  /// faults: see faults.hpp.
  [[nodiscard]] Said run(const Words& words, const std::string& faults = {}) const {
    return home_.run(words, environment(faults));
  }
  /// On the device with little memory: with caches of hundreds of megabytes, which are displaced
  /// before each sample, fibers would take minutes. And with few units: the kernels that stand
  /// around a reduction fill all of them, and in their time that of a few blocks would be lost.
  [[nodiscard]] Said run_small(const Words& words, const std::string& faults = {}) const {
    return run(words, fmt::format("memory:1500000;units:2;refuse:redtune::pace<;{}", faults));
  }
  [[nodiscard]] static Words small_tune() {
    return {"tune",     "--device", "hip:0",        "--count", std::to_string(few),
            "--budget", "3",        "--force-noisy"};
  }
  /// A small search. The pace of a busy processor says nothing of a GPU's clock and is not asked.
  [[nodiscard]] Said tune(const std::string& faults = {}) const {
    return run_small(small_tune(), faults);
  }
  /// Again, after a longer and longer while, where the machine is too busy for times to be
  /// believed: what happens once happens again.
  [[nodiscard]] Said in_peace(Words words, const std::string& faults = {}) const {
    Said said = run_small(words, faults);
    for (int attempt = 1; attempt < 9 && said.code == 5; ++attempt) {
      std::this_thread::sleep_for(std::chrono::milliseconds(125 << attempt));
      std::filesystem::remove_all(trace());
      std::filesystem::create_directory(trace());
      if (words[0] == "tune" && attempt == 1) words.emplace_back("--fresh");
      said = run_small(words, faults);
    }
    return said;
  }
  [[nodiscard]] Said tune_in_peace(const std::string& faults = {}) const {
    return in_peace(small_tune(), faults);
  }
  /// Of ones: the sum is few.
  [[nodiscard]] Said reduce_ones(const std::string& faults = {}) const {
    const std::vector<float> ones(few, 1.0F);
    std::ofstream file(home_ / "ones", std::ios::binary);
    file.write(reinterpret_cast<const char*>(ones.data()), few * sizeof(float));
    file.close();
    return run_small({"reduce", "--device", "hip:0", "--json", (home_ / "ones").string()}, faults);
  }
  [[nodiscard]] Words environment(const std::string& faults = {}) const {
    return {"LD_LIBRARY_PATH=" REDTUNE_HIP_RUNTIME,
            "REDTUNE_TEST_HIP=" + devices_,
            "REDTUNE_TEST_HIP_OBJECTS=" REDTUNE_HIP_OBJECTS,
            "REDTUNE_TEST_HIP_TRACE=" + trace().string(),
            "REDTUNE_TEST_HIP_FAULTS=" + faults,
            "REDTUNE_SYSFS=" + (home_ / "sysfs").string()};
  }
  /// What the KFD says of a device: its compute dies and, in MiB, the cache behind its L2.
  void write_topology(const FictionalDevice& device, int dies, int cache_mib) const {
    const auto part = [&](std::size_t at, std::size_t digits) {
      return std::stoi(std::string(device.address.substr(at, digits)), nullptr, 16);
    };
    const int location = part(5, 2) << 8 | part(8, 2) << 3 | part(11, 1);
    const std::filesystem::path node =
        home_ / "sysfs/class/kfd/kfd/topology/nodes" / std::to_string(location);
    write(node / "properties", fmt::format("simd_count {}\nlocation_id {}\ndomain {}\nnum_xcc {}",
                                           4 * device.compute_units, location, part(0, 4), dies));
    write(node / "caches/0/properties", fmt::format("level 2\nsize {}", device.l2_mib << 10));
    write(node / "caches/1/properties", fmt::format("level 3\nsize {}", cache_mib << 10));
  }
  [[nodiscard]] std::filesystem::path trace() const { return home_ / "trace"; }
  [[nodiscard]] const Home& home() const { return home_; }

 private:
  static void write(const std::filesystem::path& file, std::string_view text) {
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text << '\n';
  }
  void write_kernel_files(const FictionalDevice& device) const {
    // Partitions are found at function 0.
    const std::string address = std::string(device.address.substr(0, 11)) + "0";
    const std::filesystem::path folder = home_ / "sysfs/bus/pci/devices" / address;
    write(folder / "vendor", "0x1002");
    write(folder / "device", device.pci_device);
    write(folder / "subsystem_vendor", "0x1002");
    write(folder / "subsystem_device", "0xf1c7");
    write(folder / "hwmon/hwmon0/temp1_input", "41000");
    write(folder / "hwmon/hwmon0/power1_average", "123000000");
    if (device.partition.empty()) return;
    write(folder / "current_compute_partition", device.partition);
    write(folder / "current_memory_partition", device.memory_partition);
    write_topology(device, device.dies, device.last_level_cache_mib);
  }

  std::string devices_;
  Home home_;
};

/// For the messages of a test that fails.
inline void PrintTo(const FictionalDevice& device, std::ostream* out) {
  *out << device.key;
}

/// "gfx942_CPX".
[[nodiscard]] inline std::string test_name(std::string_view key) {
  std::string name(key);
  std::ranges::replace(name, ':', '_');
  return name;
}

}  // namespace redtune::testing::hip
