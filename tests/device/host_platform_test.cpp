// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Choosing a device by name, the variants of the host, what it says about itself, and its compiler
// when things go wrong.
#include "device/host/host_platform.hpp"

#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <optional>
#include <string>

#include "device/host/host_compiler.hpp"
#include "device/registry.hpp"
#include "redtune/error.hpp"

namespace redtune::device {
namespace {

/// An environment variable while this lives.
class Environment {
 public:
  Environment(const char* name, const char* value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    setenv(name, value, 1);
  }
  ~Environment() {
    if (old_)
      setenv(name_, old_->c_str(), 1);
    else
      unsetenv(name_);
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  const char* name_;
  std::optional<std::string> old_;
};

/// The text of the error of an action, or what it did instead.
template <class Expected, class Action>
std::string refusal(Action&& action) {
  try {
    static_cast<void>(action());
  } catch (const Expected& error) {
    return error.what();
  }
  return "not refused";
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(HostVariant, IsReadWordByWord) {
  EXPECT_EQ(host::parse_host_variant("").wave_size, 1);
  EXPECT_EQ(host::parse_host_variant("wave32").wave_size, 32);
  EXPECT_EQ(host::parse_host_variant("wave64,reverse").order, host::LaneOrder::reverse);
  EXPECT_EQ(host::parse_host_variant("wave64,reverse").wave_size, 64);
  EXPECT_EQ(host::parse_host_variant("forward,wave1").wave_size, 1);
  EXPECT_EQ(host::parse_host_variant("random").order, host::LaneOrder::random);
  EXPECT_EQ(host::parse_host_variant("wave32,random=77").seed, 77U);
  EXPECT_EQ(host::parse_host_variant("random=0").seed, 0U);
  EXPECT_EQ(host::parse_host_variant("random=18446744073709551615").seed, UINT64_MAX);
}

TEST(HostVariant, IsRefusedWithTheWordThatIsWrong) {
  for (const char* wrong : {"wave16", "wave", "Wave32", "random=", "random=x", "random=1x",
                            "random=-1", "random7", "random=18446744073709551616", "backward"}) {
    const std::string text = refusal<UsageError>(
        [&] { return host::parse_host_variant(std::string("wave32,") + wrong); });
    EXPECT_TRUE(holds(text, std::string("'") + wrong + "'")) << text;
    EXPECT_TRUE(holds(text, "wave64")) << text;
  }
  EXPECT_THROW(static_cast<void>(host::parse_host_variant(",")), UsageError);
  EXPECT_THROW(static_cast<void>(host::parse_host_variant("wave32,,reverse")), UsageError);
  EXPECT_THROW(static_cast<void>(host::parse_host_variant(" wave32")), UsageError);
}

class HostRegistry : public testing::Test {
 protected:
  Environment no_modules_{"REDTUNE_MODULE_PATH", "/nonexistent"};
  Registry registry_;
};

TEST_F(HostRegistry, SelectsTheHostWhenThereIsNothingElse) {
  EXPECT_EQ(registry_.select("auto").text(), "host");
  EXPECT_EQ(registry_.select("host").text(), "host");
  EXPECT_EQ(registry_.select("host:0").text(), "host");
  EXPECT_EQ(registry_.select("host:wave32,reverse").text(), "host:wave32,reverse");
  EXPECT_EQ(open(registry_.select("host:wave32"))->limits().wave_size, 32);
}

TEST_F(HostRegistry, SuggestsTheNearestPlatform) {
  EXPECT_TRUE(
      holds(refusal<UsageError>([&] { return registry_.select("hots"); }), "did you mean 'host'?"));
  EXPECT_TRUE(
      holds(refusal<UsageError>([&] { return registry_.select("hop:0"); }), "did you mean 'hip'?"));
  for (const char* wrong : {"", ":", ":0", "HOST", "0", "gpu"}) {
    EXPECT_TRUE(holds(refusal<UsageError>([&] { return registry_.select(wrong); }), "known: "))
        << wrong;
  }
}

TEST_F(HostRegistry, SaysWhyAPlatformCannotBeUsed) {
  for (const PlatformEntry& entry : registry_.platforms()) {
    if (entry.platform) continue;
    EXPECT_TRUE(holds(entry.problem, "not installed")) << entry.problem;
    const std::string text =
        refusal<DeviceError>([&] { return registry_.select(entry.name + ":0"); });
    EXPECT_TRUE(holds(text, entry.problem)) << text;
    EXPECT_THROW(static_cast<void>(registry_.select(entry.name + ":x")), Error);
  }
  EXPECT_EQ(registry_.platforms().front().name, "host");
}

TEST_F(HostRegistry, RefusesHostsThatAreNot) {
  EXPECT_TRUE(holds(refusal<UsageError>([&] { return open(registry_.select("host:1")); }),
                    "there is no host:"));
  EXPECT_THROW(static_cast<void>(open(registry_.select("host:99999999999999"))), UsageError);
  EXPECT_THROW(static_cast<void>(open(registry_.select("host:-1"))), UsageError);
  EXPECT_THROW(static_cast<void>(open(registry_.select("host:wave31"))), UsageError);
}

TEST(HostRegistryModules, ThatAreNoModulesAreReported) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(testing::TempDir()) / "redtune-modules";
  fs::create_directories(folder);
  fs::copy_file("/proc/self/exe", folder / "libredtune_hip.so",
                fs::copy_options::overwrite_existing);
  const Environment here("REDTUNE_MODULE_PATH", (":/nonexistent::" + folder.string()).c_str());
  const Registry registry;
  for (const PlatformEntry& entry : registry.platforms()) {
    if (entry.name != "hip") continue;
    EXPECT_EQ(entry.platform, nullptr);
    EXPECT_TRUE(holds(entry.problem, folder.string())) << entry.problem;
  }
  fs::remove_all(folder);
}

TEST(HostIdentity, IsFilledIn) {
  const auto device = host::make_host_device({.wave_size = 64});
  const DeviceIdentity& identity = device->identity();
  EXPECT_EQ(identity.device_class.platform, "host");
  EXPECT_FALSE(identity.device_class.isa.empty());
  EXPECT_FALSE(identity.device_class.model.empty());
  EXPECT_GE(identity.device_class.compute_units, 1);
  EXPECT_EQ(identity.device_class.wave_size, 64);
  EXPECT_GT(identity.device_class.memory_bytes, 1 << 20);
  EXPECT_GE(identity.device_class.last_level_cache_bytes, 0);
  EXPECT_FALSE(identity.toolchain.driver.empty());
  EXPECT_FALSE(identity.toolchain.runtime.empty());
  EXPECT_FALSE(identity.toolchain.compiler.empty());
  EXPECT_FALSE(identity.name.empty());
  EXPECT_TRUE(identity.address.empty());
  EXPECT_EQ(device->limits().compute_units, identity.device_class.compute_units);
  EXPECT_EQ(host::make_host_device({.threads = 5})->identity().device_class.compute_units, 5);
}

const CompileRequest good{"template <class T> void nothing(T*) {}", {"nothing<int>"}, "native"};

TEST(HostCompiler, ReturnsTheLogOfTextItRefuses) {
  CompileRequest broken = good;
  broken.text += "\n#line 7 \"my_kernel.hip.h\"\nint x = undeclared_name;\n";
  const auto result = host::HostCompiler().compile(broken);
  ASSERT_TRUE(std::holds_alternative<CompileFailure>(result));
  const std::string& log = std::get<CompileFailure>(result).log;
  EXPECT_TRUE(holds(log, "undeclared_name")) << log;
  EXPECT_TRUE(holds(log, "my_kernel.hip.h:7")) << log;
}

TEST(HostCompiler, RefusesInstantiationsThatDoNotExist) {
  CompileRequest broken = good;
  broken.name_expressions.push_back("no_such_kernel<float>");
  const auto result = host::HostCompiler().compile(broken);
  ASSERT_TRUE(std::holds_alternative<CompileFailure>(result));
  EXPECT_TRUE(holds(std::get<CompileFailure>(result).log, "no_such_kernel"));
}

TEST(HostCompiler, GivesOneSymbolForEachNameInOrder) {
  CompileRequest request = good;
  request.name_expressions = {"nothing<int>", "nothing<float>", "nothing<int>"};
  const auto result = host::HostCompiler().compile(request);
  ASSERT_TRUE(std::holds_alternative<CompiledProgram>(result));
  EXPECT_EQ(std::get<CompiledProgram>(result).kernels.size(), 3U);
  EXPECT_FALSE(std::get<CompiledProgram>(result).binary.empty());
}

TEST(HostCompiler, RefusesArchitecturesItCannotBeAskedFor) {
  for (const char* wrong : {"", "gfx90a", "sm_90", "native -o /tmp/x"}) {
    EXPECT_THROW(host::HostCompiler().check_arch(wrong), UsageError) << wrong;
    CompileRequest request = good;
    request.arch = wrong;
    EXPECT_THROW(static_cast<void>(host::HostCompiler().compile(request)), UsageError);
  }
  EXPECT_EQ(host::HostCompiler().wave_size("native"), 1);
}

TEST(HostCompiler, ThatCannotBeRunIsNamed) {
  const Environment missing("REDTUNE_HOST_CXX", "/nonexistent/compiler");
  const host::HostCompiler compiler;
  std::string said;
  try {
    const auto result = compiler.compile(good);
    ASSERT_TRUE(std::holds_alternative<CompileFailure>(result));
    said = std::get<CompileFailure>(result).log;
  } catch (const Error& error) {
    said = error.what();
  }
  EXPECT_TRUE(holds(said, "/nonexistent/compiler")) << said;
}

TEST(HostCompiler, ThatOnlyFailsGivesACompileFailure) {
  const Environment useless("REDTUNE_HOST_CXX", "false");
  EXPECT_TRUE(std::holds_alternative<CompileFailure>(host::HostCompiler().compile(good)));
}

TEST(HostCompiler, MissingFromThePathIsSaidWithWhatToDo) {
  const Environment none("PATH", "/nonexistent");
  const Environment unset("REDTUNE_HOST_CXX", "");
  const host::HostCompiler compiler;
  EXPECT_EQ(compiler.version(), "none");
  const auto result = compiler.compile(good);
  ASSERT_TRUE(std::holds_alternative<CompileFailure>(result));
  EXPECT_TRUE(holds(std::get<CompileFailure>(result).log, "REDTUNE_HOST_CXX"));
  EXPECT_NE(host::make_host_device({}), nullptr);
}

TEST(HostCompiler, LeavesNoFilesBehind) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(testing::TempDir()) / "redtune-scratch-test";
  fs::create_directories(folder);
  const Environment scratch("TMPDIR", folder.c_str());
  CompileRequest broken = good;
  broken.text += "!";
  EXPECT_TRUE(std::holds_alternative<CompileFailure>(host::HostCompiler().compile(broken)));
  EXPECT_TRUE(std::holds_alternative<CompiledProgram>(host::HostCompiler().compile(good)));
  EXPECT_TRUE(fs::is_empty(folder));
  fs::remove_all(folder);
}

TEST(HostCompiler, IsNoneWhereThePathHoldsNoCompiler) {
  namespace fs = std::filesystem;
  const std::string folder = testing::TempDir() + "redtune-no-compiler";
  fs::create_directory(folder);
  const Environment path("PATH", folder.c_str());
  const Environment chosen("REDTUNE_HOST_CXX", "");
  EXPECT_EQ(host::HostCompiler().version(), "none");
  const CompileResult result = host::HostCompiler().compile(good);
  ASSERT_TRUE(std::holds_alternative<CompileFailure>(result));
  EXPECT_NE(std::get<CompileFailure>(result).log.find("install g++"), std::string::npos);
  fs::remove_all(folder);
}

TEST(HostCompiler, SaysSoWhenItHasNoPlaceToWrite) {
  const Environment scratch("TMPDIR", "/proc/nonexistent");
  EXPECT_THROW(static_cast<void>(host::HostCompiler().compile(good)), std::exception);
}

}  // namespace
}  // namespace redtune::device
