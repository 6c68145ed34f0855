// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A platform module that takes the place of the one for AMD GPUs: the program that is tested is the
// one that users run, and every fault happens where it would.
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <thread>
#include <unistd.h>
#include <vector>

#include "device/platform.hpp"
#include "redtune/error.hpp"
#include "tests/simulated_gpu/simulated_device.hpp"

namespace redtune::simulated {
namespace {

/// "hangs_in:users", "hangs_in:facts" or "hangs_in:open": that call of the driver does not return
/// while there is a file "hanging". "hangs_in_second:facts": that of the second GPU.
void hang_in(const World& world, std::string_view call, int ordinal) {
  if (world.find("hangs_in") != call && (world.find("hangs_in_second") != call || ordinal != 1))
    return;
  while (std::filesystem::exists(World::state_file("hanging")))
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
}

/// Eats memory until there is no more.
[[noreturn]] void eat_memory() {
  std::vector<std::vector<char>> eaten;
  while (true) eaten.emplace_back(std::size_t{64} << 20, 'x');
}

[[noreturn]] void hang() {
  while (true) std::this_thread::sleep_for(std::chrono::hours(1));
}

class SimulatedCompiler final : public device::Compiler {
 public:
  explicit SimulatedCompiler(const World& world) : world_(world) {}
  [[nodiscard]] std::string version() const override { return "simulated compiler 1"; }
  void check_arch(std::string_view) const override {}
  [[nodiscard]] int wave_size(std::string_view) const override { return 64; }
  [[nodiscard]] device::CompileResult compile(
      const device::CompileRequest& request) const override {
    device::CompiledProgram program;
    std::this_thread::sleep_for(
        std::chrono::milliseconds(static_cast<int>(world_.number("compile_takes", 0))));
    std::string binary;
    for (const std::string& name : request.name_expressions) {
      if (world_.concerns("compile_abort", name)) std::abort();
      if (world_.concerns("compile_abort_once", name) && World::count("compile_aborted") == 0) {
        raise(SIGSEGV);
      }
      if (world_.concerns("compile_hang", name)) hang();
      if (world_.concerns("compile_eat", name)) eat_memory();
      if (world_.concerns("compile_talk", name)) {
        const std::string line(1 << 20, 'y');
        for (int i = 0; i < 100; ++i) fmt::print(stderr, "{}\n", line);
        return device::CompileFailure{std::string(std::size_t{100} << 20, 'z')};
      }
      if (world_.concerns("compile_refuse", name)) return device::CompileFailure{"no " + name};
      binary += name + "\n";
      device::KernelResources used;
      used.vector_registers = 32;
      program.kernels.push_back({name, used});
    }
    const auto* data = reinterpret_cast<const std::byte*>(binary.data());
    program.binary.assign(data, data + binary.size());
    World::count("compiled");
    for (const std::string& name : request.name_expressions) World::note("compiled_names", name);
    return program;
  }

 private:
  const World& world_;
};

class SimulatedPlatform final : public device::Platform {
 public:
  [[nodiscard]] std::string_view name() const override { return "hip"; }
  /// "gpus:3".
  [[nodiscard]] int device_count() const override {
    return static_cast<int>(world_.number("gpus", 1));
  }
  [[nodiscard]] std::string why_no_devices() const override { return {}; }
  [[nodiscard]] std::unique_ptr<device::Device> open(int ordinal, std::string_view) override {
    hang_in(world_, "open", ordinal);
    World::count("opened");
    if (world_.find("users_told_apart")) World::note(fmt::format("on-{}", getpid()), "here");
    if (const int sick = World::kept("sick"); sick > 0) World::keep("sick", sick - 1);
    return std::make_unique<SimulatedDevice>(world_, ordinal);
  }
  [[nodiscard]] device::Facts facts(int ordinal, std::string_view) const override {
    if (ordinal >= device_count()) throw NoSuchDevice(fmt::format("there is no hip:{}", ordinal));
    hang_in(world_, "facts", ordinal);
    if (const auto process = world_.find("comes_at_start")) {
      std::ofstream(World::state_file("users")) << *process << " solver\n";
    }
    return {SimulatedDevice::identity_of(world_, ordinal), SimulatedDevice::limits_of_all()};
  }
  [[nodiscard]] const device::Compiler& compiler() const override { return compiler_; }
  [[nodiscard]] std::string arch_of(const DeviceIdentity& identity) const override {
    return identity.device_class.isa;
  }
  [[nodiscard]] Limits limits_of(std::string_view) const override {
    return SimulatedDevice::limits_of_all();
  }
  [[nodiscard]] device::Readings readings(int) const override { return {.temperature_c = 55}; }
  /// "users:NAME" is there from the beginning, "users_later:NAME" comes during the first final,
  /// "users_behind:NAME" behind it. "users_in_file:" are those whom the file "users" names now, a
  /// number and a name in a line; "comes_at_start:NUMBER" is in it since a device was found.
  /// "users_told_apart:" are those who have opened a device of this folder of states, and live.
  /// "used:1" is in use while the others are not.
  /// "users_refused_after:N": who is there is told so often and no more.
  [[nodiscard]] std::optional<std::vector<device::DeviceUser>> users(int ordinal) const override {
    hang_in(world_, "users", ordinal);
    if (const double most = world_.number("users_refused_after", -1); most >= 0) {
      if (World::count("users_told") >= static_cast<int>(most)) {
        throw DeviceError("the driver does not answer");
      }
    }
    std::vector<device::DeviceUser> all;
    if (world_.number("used", -1) == ordinal) all.push_back({4710, "solver"});
    if (const auto name = world_.find("users")) all.push_back({4711, *name});
    const auto early = world_.find("users_at_first");
    if (early && World::count("users_asked") < 6) all.push_back({4713, *early});
    // A worker asks four times until it has the device, and the search once.
    const auto late = world_.find("users_later");
    if (late && World::count("users_asked") >= 9) all.push_back({4712, *late});
    const auto behind = world_.find("users_behind");
    if (behind && World::count("users_asked") >= 10) all.push_back({4714, *behind});
    if (world_.find("users_in_file")) {
      std::ifstream told(World::state_file("users"));
      device::DeviceUser user;
      while (told >> user.pid >> user.name) all.push_back(user);
    }
    if (world_.find("users_told_apart")) {
      for (const auto& file : std::filesystem::directory_iterator(World::state_file(""))) {
        const std::string name = file.path().filename().string();
        if (!name.starts_with("on-")) continue;
        const long pid = std::stol(name.substr(3));
        if (std::filesystem::exists(fmt::format("/proc/{}", pid))) all.push_back({pid, "worker"});
      }
    }
    return all;
  }

 private:
  World world_;
  SimulatedCompiler compiler_{world_};
};

std::unique_ptr<device::Platform> open_simulated() {
  return std::make_unique<SimulatedPlatform>();
}

/// Who loads this module is somebody who touches the device.
struct Witness {
  Witness() {
    const char* folder = std::getenv("REDTUNE_SIMULATED_STATE");
    if (folder == nullptr) return;
    std::ofstream(std::string(folder) + "/loaded_by", std::ios::app) << getpid() << '\n';
  }
} const witness;

}  // namespace
}  // namespace redtune::simulated

extern "C" {
extern const redtune::device::ModuleEntry redtune_device_module
    __attribute__((visibility("default")));
const redtune::device::ModuleEntry redtune_device_module{redtune::device::module_abi,
                                                         &redtune::simulated::open_simulated};
}
