// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The program on machines whose NVIDIA driver or NVRTC is not what it should be, or is invented.
#include <cstdlib>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/run_redtune.hpp"

namespace redtune::cli {
namespace {

using ::testing::HasSubstr;

/// The environment of a person whose loader finds a folder's libraries first.
Words with_libraries_of(const std::string& folder, const Words& more = {}) {
  const char* before = std::getenv("LD_LIBRARY_PATH");
  Words environment{"LD_LIBRARY_PATH=" + folder + (before == nullptr ? "" : ":") +
                    (before == nullptr ? "" : before)};
  environment.insert(environment.end(), more.begin(), more.end());
  return environment;
}
Words with_invented_gpu(const Words& more = {}) {
  return with_libraries_of(REDTUNE_INVENTED_DRIVER, more);
}

/// The same GPU with sensors, and with processes on it.
Words with_invented_sensors(const Words& more = {}) {
  return with_libraries_of(REDTUNE_INVENTED_DRIVER ":" REDTUNE_INVENTED_NVML, more);
}

/// The line of redtune devices about NVIDIA GPUs.
std::string cuda_line(const Words& environment) {
  const Said said = Home().run({"devices"}, environment);
  EXPECT_EQ(said.code, 0) << said.err;
  std::istringstream lines(said.out + said.err);
  for (std::string line; std::getline(lines, line);) {
    if (line.find("cuda") != std::string::npos) return line;
  }
  return {};
}

class CudaDevices : public ::testing::Test {
 protected:
  void SetUp() override {
    const Said said =
        Home().run({"query", "--device", "cuda", "--count", "1"}, with_invented_gpu());
    if (said.code == 6 && said.says("no NVRTC here")) GTEST_SKIP() << said.err;
  }
};

TEST_F(CudaDevices, AGpuIsListedAndChosen) {
  const std::string line = cuda_line(with_invented_gpu());
  EXPECT_THAT(line, HasSubstr("cuda:0  Invented GPU"));
  EXPECT_THAT(line, HasSubstr("sm_90"));
  EXPECT_THAT(line, HasSubstr("8192 MiB"));
}

TEST_F(CudaDevices, AGpuThatComputesNothingIsNotBelieved) {
  const Home home;
  const Said tuned = home.run({"tune", "--device", "cuda:0", "--count", "1000", "--budget", "3"},
                              with_invented_gpu());
  EXPECT_EQ(tuned.code, 3) << tuned.err;
  EXPECT_THAT(tuned.err, HasSubstr("wrong_result"));
  const Said reduced =
      home.run({"reduce", "--device", "cuda:0", "--count", "1000"}, with_invented_gpu());
  EXPECT_EQ(reduced.code, 1) << reduced.err;
  EXPECT_THAT(reduced.err, HasSubstr("the result is wrong"));
}

TEST_F(CudaDevices, AClockThatRunsAheadIsNotBelieved) {
  const Said said = Home().run({"probe", "--device", "cuda:0"}, with_invented_gpu());
  EXPECT_EQ(said.code, 5) << said.err;
  EXPECT_THAT(said.err, HasSubstr("Invented GPU cannot be measured"));
}

TEST_F(CudaDevices, ErrorsOfTheDriverReachThePerson) {
  const Said said = Home().run({"tune", "--device", "cuda:0", "--count", "1000", "--budget", "3"},
                               with_invented_gpu({"INVENTED_FAILURE=cuMemAlloc=2"}));
  EXPECT_EQ(said.code, 6) << said.err;
  EXPECT_THAT(said.err, HasSubstr("CUDA_ERROR_OUT_OF_MEMORY (out of memory)"));
}

TEST_F(CudaDevices, AGpuThatOthersUseIsNotTuned) {
  const Said said = Home().run({"tune", "--device", "cuda:0", "--count", "1000", "--budget", "3"},
                               with_invented_sensors());
  EXPECT_EQ(said.code, 75) << said.err;
  EXPECT_THAT(said.err, HasSubstr("1001 (/opt/train 1001), 1002 (/opt/train 1002)"));
}

TEST_F(CudaDevices, TheDoctorReadsSensorsAndListsProcesses) {
  const Home home;
  const Said text = home.run({"doctor"}, with_invented_sensors({"INVENTED_REASONS=0x4"}));
  EXPECT_EQ(text.code, 0) << text.err;
  for (const char* line : {"    clock             1755 MHz\n", "    power cap         700 W\n",
                           "  - throttled by      power cap; ",
                           "  - other processes   1001 /opt/train 1001, 1002 /opt/train 1002; "}) {
    EXPECT_THAT(text.out, HasSubstr(line));
  }
  const json device = home.run({"doctor", "--device", "cuda:0", "--json"}, with_invented_sensors())
                          .document()
                          .at("devices")
                          .at(0);
  EXPECT_EQ(device.at("address"), "0000:fe:00.0");
  EXPECT_EQ(device.at("temperature_c"), 38);
  EXPECT_EQ(device.at("power_w"), 121.5);
  EXPECT_EQ(device.at("other_processes").at(1).at("pid"), 1002);
  EXPECT_EQ(device.at("lease").at("held"), false);
  EXPECT_FALSE(device.contains("throttled_by")) << device;
}

TEST_F(CudaDevices, TheDoctorIsNotAmongTheOtherProcesses) {
  // exec keeps the number of the shell.
  const char* const script = "INVENTED_FIRST_PID=$$ INVENTED_PROCESSES=1 exec \"$@\"";
  const Said said =
      Home().run_in_shell(script, {"doctor", "--device", "cuda:0"}, with_invented_sensors());
  EXPECT_THAT(said.out, HasSubstr("    other processes   none\n")) << said.err;
}

TEST_F(CudaDevices, TheDoctorTellsOfAGpuThatCannotBeOpened) {
  const Words broken = with_invented_sensors(
      {"INVENTED_FAILURE=cuDevicePrimaryCtxRetain=2", "INVENTED_PROCESSES=0"});
  const Said said = Home().run({"doctor"}, broken);
  EXPECT_EQ(said.code, 1) << said.out;
  EXPECT_THAT(said.out, HasSubstr("  ! usable           no: "));
  EXPECT_THAT(said.out, HasSubstr("CUDA_ERROR_OUT_OF_MEMORY"));
  EXPECT_THAT(said.out, HasSubstr("    other processes  none\n")) << "told without opening it";
  EXPECT_EQ(Home().run({"doctor", "--device", "host"}, broken).code, 0);
}

TEST(CudaDriver, WithoutADeviceTheReasonIsTheDrivers) {
  EXPECT_THAT(cuda_line(with_invented_gpu({"INVENTED_FAILURE=cuInit=100"})),
              HasSubstr("no cuda device: no NVIDIA GPU found (driver for CUDA 12.8: "
                        "CUDA_ERROR_NO_DEVICE"));
}

/// One that has cuEventElapsedTime by its old name only, which serves as well.
TEST(CudaDriver, OneThatIsTooOldIsToldByWhatItLacks) {
  EXPECT_EQ(cuda_line(with_libraries_of(REDTUNE_OLD_DRIVER)),
            "no cuda device: the NVIDIA driver is too old: it has no cuGraphLaunch; update it to "
            "one for CUDA 12 or later");
}

TEST(CudaCompiler, OneThatIsTooOldIsToldByWhatItLacks) {
  const Said said = Home().run({"kernels", "compile", "--target", "cuda:sm_90"},
                               with_libraries_of(REDTUNE_EMPTY_NVRTC));
  EXPECT_EQ(said.code, 6) << said.err;
  EXPECT_THAT(said.err, HasSubstr("this NVRTC is too old: it has no nvrtcGetErrorString; install "
                                  "CUDA 12 or later"));
}

TEST(CudaCompiler, OneThatIsMissedByNobodyIsNoRemark) {
  const Words environment = with_libraries_of(REDTUNE_EMPTY_NVRTC);
  const Said said = Home().run({"doctor"}, environment);
  if (said.says("cuda:0")) GTEST_SKIP() << "there is a GPU";
  EXPECT_EQ(said.code, 0) << said.out;
  EXPECT_THAT(said.out, HasSubstr("\n  cuda  this NVRTC is too old"));
  const Said asked = Home().run(
      {"doctor", "--device", "cuda:0"},
      with_libraries_of(std::string(REDTUNE_INVENTED_DRIVER) + ":" + REDTUNE_EMPTY_NVRTC));
  EXPECT_EQ(asked.code, 1) << asked.out;
  EXPECT_THAT(asked.out, HasSubstr("\n! cuda  this NVRTC is too old"));
}

}  // namespace
}  // namespace redtune::cli
