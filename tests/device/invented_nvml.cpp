// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A libnvidia-ml.so.1 with one device, at 0000:fe:00.0. Built three times: as today's, as one that
// calls things by their older names, and as the 535 series with its longer records. In the
// environment, INVENTED_NVML_FAILURE=Name=3 makes a call fail, INVENTED_PROCESSES is how many there
// are, INVENTED_REASONS what slows the clocks.
#include <cstdlib>
#include <cstring>
#include <string>

#ifndef INVENTED_RECORD_BYTES
#define INVENTED_RECORD_BYTES 24
#endif
#ifdef INVENTED_IS_OLD
#define PROCESSES nvmlDeviceGetComputeRunningProcesses
#define REASONS nvmlDeviceGetCurrentClocksThrottleReasons
#else
#define PROCESSES nvmlDeviceGetComputeRunningProcesses_v3
#define REASONS nvmlDeviceGetCurrentClocksEventReasons
#endif

namespace {

int the_device = 0;
bool started = false;

int asked(const std::string& call, const void* device = &the_device) {
  if (!started) return 1;               // NVML_ERROR_UNINITIALIZED
  if (device != &the_device) return 2;  // NVML_ERROR_INVALID_ARGUMENT
  const char* wish = std::getenv("INVENTED_NVML_FAILURE");
  const std::string begin = call + '=';
  if (wish == nullptr || std::strncmp(wish, begin.c_str(), begin.size()) != 0) return 0;
  return std::atoi(wish + begin.size());
}

unsigned long long number_from(const char* variable, unsigned long long fallback) {
  const char* text = std::getenv(variable);
  return text == nullptr ? fallback : std::strtoull(text, nullptr, 0);
}

}  // namespace

extern "C" {

int nvmlInit_v2() {
  started = true;
  return asked("Init");
}
int nvmlDeviceGetHandleByPciBusId_v2(const char* address, void** device) {
  if (std::strcmp(address, "0000:fe:00.0") != 0) return 6;  // NVML_ERROR_NOT_FOUND
  *device = &the_device;
  return asked("Handle");
}
int nvmlDeviceGetClockInfo(void* device, int domain, unsigned* mhz) {
  *mhz = domain == 1 ? 1755 : domain == 2 ? 3201 : 1;
  return asked("Clock", device);
}
int nvmlDeviceGetTemperature(void* device, int sensor, unsigned* celsius) {
  if (sensor != 0) return 2;
  *celsius = 38;
  return asked("Temperature", device);
}
int nvmlDeviceGetPowerUsage(void* device, unsigned* milliwatts) {
  *milliwatts = 121500;
  return asked("Power", device);
}
int nvmlDeviceGetEnforcedPowerLimit(void* device, unsigned* milliwatts) {
  *milliwatts = static_cast<unsigned>(number_from("INVENTED_CAP", 700000));
  return asked("Cap", device);
}
int REASONS(void* device, unsigned long long* bits) {
  *bits = number_from("INVENTED_REASONS", 1);
  return asked("Reasons", device);
}
/// Processes 1001, 1002 and so on (INVENTED_FIRST_PID is another first one), each with some memory
/// on no slice.
int PROCESSES(void* device, unsigned* count, void* records) {
  const int status = asked("Processes", device);
  if (status != 0) return status;
  const auto all = static_cast<unsigned>(number_from("INVENTED_PROCESSES", 2));
  const auto first = static_cast<unsigned>(number_from("INVENTED_FIRST_PID", 1001));
  const unsigned room = *count;
  *count = all;
  if (room < all) return 7;  // NVML_ERROR_INSUFFICIENT_SIZE
  for (unsigned i = 0; i < all; ++i) {
    unsigned char record[32];
    std::memset(record, 0xff, sizeof(record));  // "no slice" is all bits set
    const unsigned pid = first + i;
    const unsigned long long bytes = 512ULL << 20;
    std::memcpy(record, &pid, sizeof(pid));
    std::memcpy(record + 8, &bytes, sizeof(bytes));
    std::memcpy(static_cast<char*>(records) + i * INVENTED_RECORD_BYTES, record,
                INVENTED_RECORD_BYTES);
  }
  return 0;
}
int nvmlSystemGetProcessName(unsigned pid, char* name, unsigned bytes) {
  const std::string text = "/opt/train " + std::to_string(pid);
  if (bytes <= text.size()) return 7;
  std::memcpy(name, text.c_str(), text.size() + 1);
  return asked("Name");
}
}
