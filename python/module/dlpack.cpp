// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a DLPack capsule says of an array.
#include "python/module/dlpack.hpp"

#include "python/module/handles.hpp"

namespace redtune::python {
namespace {

PyObject* tuple_of(const std::int64_t* numbers, std::int32_t count) {
  if (numbers == nullptr && count > 0) Py_RETURN_NONE;
  Ref tuple(PyTuple_New(count));
  if (!tuple) return nullptr;
  for (std::int32_t i = 0; i < count; ++i) {
    PyObject* number = PyLong_FromLongLong(numbers[i]);
    if (number == nullptr || PyTuple_SetItem(tuple.get(), i, number) != 0) return nullptr;
  }
  return tuple.release();
}

/// Reads a capsule and leaves it as it was: whoever holds it keeps the array alive. Gives the
/// address, device type and number, code, bits and lanes of the element, extents, strides or None,
/// and flags, of which versions before 1 have none.
PyObject* dlpack(PyObject*, PyObject* const* given, Py_ssize_t count) {
  if (!are_given(count, 1, "dlpack")) return nullptr;
  const DlTensor* tensor = nullptr;
  std::uint64_t flags = 0;
  if (PyCapsule_IsValid(given[0], "dltensor_versioned") != 0) {
    const auto* versioned =
        static_cast<const DlVersioned*>(PyCapsule_GetPointer(given[0], "dltensor_versioned"));
    if (versioned->major != known_major) {
      PyErr_Format(PyExc_BufferError, "the array is of DLPack %u; redtune reads version %u",
                   versioned->major, known_major);
      return nullptr;
    }
    tensor = &versioned->tensor;
    flags = versioned->flags;
  } else {
    tensor = static_cast<const DlTensor*>(PyCapsule_GetPointer(given[0], "dltensor"));
    if (tensor == nullptr) return nullptr;
  }
  const Ref extents(tuple_of(tensor->extents, tensor->rank));
  const Ref strides(tuple_of(tensor->strides, tensor->rank));
  if (!extents || !strides) return nullptr;
  const auto address = reinterpret_cast<std::uintptr_t>(tensor->data) + tensor->byte_offset;
  return Py_BuildValue("(KiiiiiOOK)", static_cast<unsigned long long>(address),
                       static_cast<int>(tensor->device.type), static_cast<int>(tensor->device.id),
                       static_cast<int>(tensor->type.code), static_cast<int>(tensor->type.bits),
                       static_cast<int>(tensor->type.lanes), extents.get(), strides.get(),
                       static_cast<unsigned long long>(flags));
}

}  // namespace

PyMethodDef dlpack_functions[] = {
    fast("dlpack", dlpack),
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace redtune::python
