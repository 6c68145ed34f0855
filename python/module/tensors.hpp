// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Tensors of torch, read in C: by DLPack's functions where torch has them (2.10 and later), else by
// their attributes.
#pragma once

#include <array>
#include <cstdint>

#include "python/module/dlpack.hpp"
#include "python/module/python.hpp"

namespace redtune::python {

constexpr int most_axes = 8;

/// A device as it was read.
struct Place {
  DlDevice device{};  // of DLPack
  Ref torch_device;   // else torch's

  [[nodiscard]] bool is(const Place& other) const;
};

/// What a call has to know of a tensor. Extents and strides are read in place where that is
/// possible: they live as long as the tensor stays as it is, and this where it was made.
struct Look {
  void* address = nullptr;
  std::uint64_t type = 0;  // of DLPack, else the address of torch's
  Place place;
  int rank = 0;
  const std::int64_t* extents = nullptr;
  const std::int64_t* strides = nullptr;
  std::array<std::int64_t, 2 * most_axes> numbers;  // where attributes tell them
};

/// What torch has, told once by the package; all of it is kept as long as the process.
struct Torch {
  PyObject* tensor = nullptr;  // the type
  const DlExchange* exchange = nullptr;
  PyObject* empty_like = nullptr;
  PyObject* is_grad_enabled = nullptr;
  PyObject* changed = nullptr;  // counts a change of a tensor, or of those in a tuple
  bool changed_takes_tuples = false;
  PyObject* raw_stream = nullptr;  // by a device's number; null: there are no GPUs
};
extern Torch torch;

/// Whether it is torch's own tensor, and no subclass, which may mean anything.
[[nodiscard]] inline bool is_tensor(PyObject* x) {
  return reinterpret_cast<PyObject*>(Py_TYPE(x)) == torch.tensor;
}
/// Of a tensor. False, without an exception, where it cannot be read, or not where it lies: its
/// type and place are nothing that is known here.
[[nodiscard]] bool read(PyObject* x, Look& look);
[[nodiscard]] bool read_address(PyObject* x, void*& address);
/// Whether gradients are asked for, or its values are others than those in memory: whoever cares
/// does the rest.
[[nodiscard]] bool is_special(PyObject* x);
/// The current one; false without an exception.
[[nodiscard]] bool current_stream(const Look& look, PyObject* device_number, void*& stream);
/// False with an exception.
[[nodiscard]] bool tell_change(PyObject* x);

}  // namespace redtune::python
