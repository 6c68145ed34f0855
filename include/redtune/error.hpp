// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Errors that end an action: a broken environment or a question that cannot be asked.
// Each carries the exit code that the command line ends with, and a text that says what to do next.
#pragma once

#include <stdexcept>
#include <string>

#include "redtune/export.hpp"

namespace redtune {

/// Exit codes of the redtune program.
enum class ExitCode {
  done = 0,
  failed = 1,
  usage = 2,          ///< the request itself is wrong
  nothing_valid = 3,  ///< no configuration gave a right result
  missed = 4,         ///< a look-up found less than the caller demanded
  untrustworthy = 5,  ///< the measurement cannot be believed
  device_unhealthy = 6,
  io = 74,
  busy = 75,  ///< another process holds the device or the store: wait until it is done, or end it
  interrupted = 130,
};

class REDTUNE_API Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  [[nodiscard]] virtual ExitCode exit_code() const noexcept { return ExitCode::failed; }
};

/// An option, name, number or file that the caller gave cannot be used.
class REDTUNE_API UsageError : public Error {
 public:
  using Error::Error;
  [[nodiscard]] ExitCode exit_code() const noexcept override { return ExitCode::usage; }
};

/// A look-up found less than the caller demanded.
class REDTUNE_API UnmetMatch : public Error {
 public:
  using Error::Error;
  [[nodiscard]] ExitCode exit_code() const noexcept override { return ExitCode::missed; }
};

/// A file or folder cannot be read or written.
class REDTUNE_API IoError : public Error {
 public:
  using Error::Error;
  [[nodiscard]] ExitCode exit_code() const noexcept override { return ExitCode::io; }
};

/// A device, its driver or its run-time compiler does not do what was asked.
class REDTUNE_API DeviceError : public Error {
 public:
  using Error::Error;
  [[nodiscard]] ExitCode exit_code() const noexcept override { return ExitCode::device_unhealthy; }
};

/// The device that was asked for is not there, or its platform cannot be used on this machine.
class REDTUNE_API NoSuchDevice : public DeviceError {
 public:
  using DeviceError::DeviceError;
  [[nodiscard]] ExitCode exit_code() const noexcept override { return ExitCode::usage; }
};

/// The device has not enough memory for the request.
class REDTUNE_API OutOfMemory : public DeviceError {
 public:
  using DeviceError::DeviceError;
};

/// After this no call of the process to the device succeeds any more: a kernel faulted, or the
/// driver gave the device up.
class REDTUNE_API DeviceLost : public DeviceError {
 public:
  using DeviceError::DeviceError;
};

}  // namespace redtune
