// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Errors that end an action: a broken environment or a question that cannot be asked. The type says
// what kind of problem it is, the text what to do next.
#pragma once

#include <stdexcept>
#include <string>

#include "redtune/export.hpp"

namespace redtune {

/// Any of them; by itself one that no other type is for.
class REDTUNE_API Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An option, name, number or file that the caller gave cannot be used.
class REDTUNE_API UsageError : public Error {
 public:
  using Error::Error;
};

/// A look-up found less than the caller demanded.
class REDTUNE_API UnmetMatch : public Error {
 public:
  using Error::Error;
};

/// A file or folder cannot be read or written.
class REDTUNE_API IoError : public Error {
 public:
  using Error::Error;
};

/// A device, its driver or its run-time compiler does not do what was asked.
class REDTUNE_API DeviceError : public Error {
 public:
  using Error::Error;
};

/// The device that was asked for is not there, or its platform cannot be used on this machine.
class REDTUNE_API NoSuchDevice : public DeviceError {
 public:
  using DeviceError::DeviceError;
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
