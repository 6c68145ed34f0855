// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "python/module/tensors.hpp"

#include "python/module/handles.hpp"
#include "python/module/launcher.hpp"

namespace redtune::python {
namespace {

/// Names of attributes, made once.
struct Names {
  PyObject* data_ptr = PyUnicode_InternFromString("data_ptr");
  PyObject* device = PyUnicode_InternFromString("device");
  PyObject* dtype = PyUnicode_InternFromString("dtype");
  PyObject* is_inference = PyUnicode_InternFromString("is_inference");
  PyObject* is_neg = PyUnicode_InternFromString("is_neg");
  PyObject* requires_grad = PyUnicode_InternFromString("requires_grad");
  PyObject* shape = PyUnicode_InternFromString("shape");
  PyObject* stride = PyUnicode_InternFromString("stride");
};

const Names& names() {
  static const Names all;
  return all;
}

Ref attribute(PyObject* x, PyObject* name) {
  return Ref(PyObject_GetAttr(x, name));
}

Ref called(PyObject* x, PyObject* method) {
  return Ref(PyObject_CallMethodObjArgs(x, method, nullptr));
}

/// What fails counts as true: the long way is the safe one.
bool is_true(const Ref& answer) {
  if (!answer) PyErr_Clear();
  return answer.get() != Py_False;
}

bool numbers_of(PyObject* tuple, int count, std::int64_t* numbers) {
  for (int i = 0; i < count; ++i) {
    PyObject* one = PyTuple_GetItem(tuple, i);
    if (one == nullptr || !number_of(one, numbers[i])) return false;
  }
  return true;
}

bool read_attributes(PyObject* x, Look& look) {
  const Ref type = attribute(x, names().dtype);
  const Ref shape = attribute(x, names().shape);
  const Ref strides = called(x, names().stride);
  const Ref address = called(x, names().data_ptr);
  look.place.torch_device = attribute(x, names().device);
  if (!type || !shape || !strides || !address || !look.place.torch_device) return false;
  const Py_ssize_t rank = PyTuple_Size(shape.get());
  if (rank < 0 || rank > most_axes || PyTuple_Size(strides.get()) != rank) return false;
  look.rank = static_cast<int>(rank);
  look.type = reinterpret_cast<std::uintptr_t>(type.get());  // torch's types live on
  look.extents = look.numbers.data();
  look.strides = look.numbers.data() + most_axes;
  return numbers_of(shape.get(), look.rank, look.numbers.data()) &&
         numbers_of(strides.get(), look.rank, look.numbers.data() + most_axes) &&
         address_of(address.get(), look.address);
}

bool read_exchanged(PyObject* x, Look& look) {
  DlTensor tensor{};
  if (torch.exchange->tensor_of(x, &tensor) != 0) return false;
  if (tensor.rank > most_axes || (tensor.rank > 0 && tensor.strides == nullptr)) return false;
  look.address = static_cast<char*>(tensor.data) + tensor.byte_offset;
  look.type = static_cast<std::uint64_t>(tensor.type.code) << 32 |
              static_cast<std::uint64_t>(tensor.type.bits) << 16 | tensor.type.lanes;
  look.place.device = tensor.device;
  look.rank = tensor.rank;
  look.extents = tensor.extents;
  look.strides = tensor.strides;
  return true;
}

/// Of this version, among those that a library has.
const DlExchange* known_exchange(PyObject* capsule) {
  if (PyCapsule_IsValid(capsule, "dlpack_exchange_api") == 0) return nullptr;
  const auto* exchange =
      static_cast<const DlExchange*>(PyCapsule_GetPointer(capsule, "dlpack_exchange_api"));
  while (exchange != nullptr && exchange->major != known_major) exchange = exchange->older;
  const bool has_all =
      exchange != nullptr && exchange->tensor_of != nullptr && exchange->current_stream != nullptr;
  return has_all ? exchange : nullptr;
}

PyObject* kept_or_null(PyObject* given) {
  return given != Py_None ? Py_NewRef(given) : nullptr;
}

/// (Tensor, capsule of DLPack's functions or None, empty_like, is_grad_enabled, what counts a
/// change, whether that takes tuples, what tells a device's current stream or None): whether the
/// capsule is used.
PyObject* know_torch(PyObject*, PyObject* const* given, Py_ssize_t count) {
  if (!are_given(count, 7, "know_torch")) return nullptr;
  const int takes_tuples = PyObject_IsTrue(given[5]);
  if (takes_tuples < 0) return nullptr;
  torch = {Py_NewRef(given[0]),   known_exchange(given[1]), Py_NewRef(given[2]),
           Py_NewRef(given[3]),   Py_NewRef(given[4]),      takes_tuples != 0,
           kept_or_null(given[6])};
  return PyBool_FromLong(torch.exchange != nullptr ? 1 : 0);
}

/// Of a tensor its address, else None: what reading one takes.
PyObject* read_tensor(PyObject*, PyObject* const* given, Py_ssize_t count) {
  if (!are_given(count, 1, "read_tensor")) return nullptr;
  Look look;
  if (!is_tensor(given[0]) || !read(given[0], look)) Py_RETURN_NONE;
  return PyLong_FromVoidPtr(look.address);
}

/// (tensor, number of its device): its current stream, else None.
PyObject* stream_of_tensor(PyObject*, PyObject* const* given, Py_ssize_t count) {
  if (!are_given(count, 2, "stream_of_tensor")) return nullptr;
  Look look;
  void* stream = nullptr;
  if (!is_tensor(given[0]) || !read(given[0], look) || !current_stream(look, given[1], stream)) {
    Py_RETURN_NONE;
  }
  return PyLong_FromVoidPtr(stream);
}

}  // namespace

Torch torch;

bool Place::is(const Place& other) const {
  if (!torch_device) {
    return device.type == other.device.type && device.id == other.device.id;
  }
  const int same = PyObject_RichCompareBool(torch_device.get(), other.torch_device.get(), Py_EQ);
  if (same < 0) PyErr_Clear();
  return same == 1;
}

bool read(PyObject* x, Look& look) {
  if (torch.exchange != nullptr ? read_exchanged(x, look) : read_attributes(x, look)) return true;
  PyErr_Clear();
  return false;
}

bool read_address(PyObject* x, void*& address) {
  if (torch.exchange != nullptr) {
    Look look;
    const bool is_read = read(x, look);
    address = look.address;
    return is_read;
  }
  const Ref found = called(x, names().data_ptr);
  if (found && address_of(found.get(), address)) return true;
  PyErr_Clear();
  return false;
}

bool is_special(PyObject* x) {
  if (is_true(attribute(x, names().requires_grad)) &&
      is_true(Ref(PyObject_CallFunctionObjArgs(torch.is_grad_enabled, nullptr)))) {
    return true;
  }
  return is_true(called(x, names().is_neg));
}

bool current_stream(const Look& look, PyObject* device_number, void*& stream) {
  if (torch.exchange != nullptr) {
    if (torch.exchange->current_stream(look.place.device.type, look.place.device.id, &stream) !=
        0) {
      PyErr_Clear();
      return false;
    }
  } else {
    if (torch.raw_stream == nullptr) return false;
    const Ref found(PyObject_CallFunctionObjArgs(torch.raw_stream, device_number, nullptr));
    if (!found || !address_of(found.get(), stream)) {
      PyErr_Clear();
      return false;
    }
  }
  if (stream == nullptr) stream = default_stream;
  return true;
}

bool tell_change(PyObject* x) {
  const Ref is_inference = called(x, names().is_inference);
  if (!is_inference) return false;
  if (is_inference.get() == Py_True) return true;
  if (!torch.changed_takes_tuples) {
    return static_cast<bool>(Ref(PyObject_CallFunctionObjArgs(torch.changed, x, nullptr)));
  }
  const Ref tuple(PyTuple_Pack(1, x));
  return tuple && Ref(PyObject_CallFunctionObjArgs(torch.changed, tuple.get(), nullptr));
}

PyMethodDef tensor_functions[] = {
    fast("know_torch", know_torch),
    fast("read_tensor", read_tensor),
    fast("stream_of_tensor", stream_of_tensor),
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace redtune::python
