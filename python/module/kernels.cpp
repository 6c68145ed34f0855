// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Kernels of users, described by comments in their files.
#include <vector>

#include "python/module/handles.hpp"

namespace redtune::python {
namespace {

using SizeList = std::vector<std::int64_t>;

bool sizes_of(PyObject* tuple, SizeList& sizes) {
  const Py_ssize_t count = PyTuple_Size(tuple);
  if (count < 0) return false;
  sizes.resize(static_cast<std::size_t>(count));
  for (Py_ssize_t i = 0; i < count; ++i) {
    if (!number_of(PyTuple_GetItem(tuple, i), sizes[static_cast<std::size_t>(i)])) return false;
  }
  return true;
}

/// None, or the exception of a status.
PyObject* done(int status) {
  if (status != REDTUNE_DONE) return raise(status);
  Py_RETURN_NONE;
}

/// (file, cache mode or None, options)
PyObject* kernel_create(PyObject*, PyObject* const* given, Py_ssize_t count) {
  if (!are_given(count, 3, "kernel_create")) return nullptr;
  const char* file = nullptr;
  const char* cache_mode = nullptr;
  redtune_options options;
  if (!text_or_null(given[0], file) || !text_or_null(given[1], cache_mode) ||
      !read(given[2], options)) {
    return nullptr;
  }
  redtune_kernel* kernel = nullptr;
  int status = REDTUNE_DONE;
  {
    const WithoutLock free;
    status = redtune_kernel_create(file, cache_mode, &options, &kernel);
  }
  return status == REDTUNE_DONE ? capsule_of(kernel) : raise(status);
}

/// The device, the names of sizes, and name and type of each argument.
PyObject* kernel_describe(PyObject*, PyObject* const* given, Py_ssize_t count) {
  if (!are_given(count, 1, "kernel_describe")) return nullptr;
  const auto* kernel = object_of<redtune_kernel>(given[0]);
  if (kernel == nullptr) return nullptr;
  const Ref sizes(PyList_New(0));
  const Ref arguments(PyList_New(0));
  if (!sizes || !arguments) return nullptr;
  for (std::size_t i = 0; redtune_kernel_size_name(kernel, i) != nullptr; ++i) {
    const Ref name(text_of(redtune_kernel_size_name(kernel, i)));
    if (!name || PyList_Append(sizes.get(), name.get()) != 0) return nullptr;
  }
  for (std::size_t i = 0; redtune_kernel_argument_name(kernel, i) != nullptr; ++i) {
    const Ref argument(Py_BuildValue("(ss)", redtune_kernel_argument_name(kernel, i),
                                     redtune_kernel_argument_type(kernel, i)));
    if (!argument || PyList_Append(arguments.get(), argument.get()) != 0) return nullptr;
  }
  return Py_BuildValue("(sOO)", redtune_kernel_device(kernel), sizes.get(), arguments.get());
}

PyObject* kernel_prepare(PyObject*, PyObject* const* given, Py_ssize_t count) {
  if (!are_given(count, 2, "kernel_prepare")) return nullptr;
  SizeList sizes;
  const auto* kernel = object_of<redtune_kernel>(given[0]);
  if (kernel == nullptr || !sizes_of(given[1], sizes)) return nullptr;
  int status = REDTUNE_DONE;
  {
    const WithoutLock free;
    status = redtune_kernel_prepare(kernel, sizes.data(), sizes.size());
  }
  return done(status);
}

/// (kernel, sizes, bytes of each argument's value, stream): the values, each padded to 8 bytes at
/// least, one behind the other.
PyObject* kernel_launch(PyObject*, PyObject* const* given, Py_ssize_t count) {
  if (!are_given(count, 4, "kernel_launch")) return nullptr;
  SizeList sizes;
  void* stream = nullptr;
  const auto* kernel = object_of<redtune_kernel>(given[0]);
  if (kernel == nullptr || !sizes_of(given[1], sizes) || !address_of(given[3], stream)) {
    return nullptr;
  }
  const Py_ssize_t values = PyTuple_Size(given[2]);
  if (values < 0) return nullptr;
  std::vector<const void*> arguments;
  for (Py_ssize_t i = 0; i < values; ++i) {
    const char* bytes = PyBytes_AsString(PyTuple_GetItem(given[2], i));
    if (bytes == nullptr) return nullptr;
    arguments.push_back(bytes);
  }
  int status = REDTUNE_DONE;
  {
    const WithoutLock free;  // sizes that are not prepared are compiled here
    status = redtune_kernel_launch(kernel, sizes.data(), sizes.size(), arguments.data(),
                                   arguments.size(), stream);
  }
  return done(status);
}

PyObject* kernel_set_constant(PyObject*, PyObject* const* given, Py_ssize_t count) {
  if (!are_given(count, 3, "kernel_set_constant")) return nullptr;
  const char* name = nullptr;
  char* bytes = nullptr;
  Py_ssize_t length = 0;
  auto* kernel = object_of<redtune_kernel>(given[0]);
  if (kernel == nullptr || !text_or_null(given[1], name) ||
      PyBytes_AsStringAndSize(given[2], &bytes, &length) != 0) {
    return nullptr;
  }
  return done(redtune_kernel_set_constant(kernel, name, bytes, static_cast<std::size_t>(length)));
}

PyObject* kernel_answer(PyObject*, PyObject* const* given, Py_ssize_t count) {
  if (!are_given(count, 2, "kernel_answer")) return nullptr;
  SizeList sizes;
  const auto* kernel = object_of<redtune_kernel>(given[0]);
  if (kernel == nullptr || !sizes_of(given[1], sizes)) return nullptr;
  redtune_answer* answer = nullptr;
  const int status = redtune_kernel_answer(kernel, sizes.data(), sizes.size(), &answer);
  return status == REDTUNE_DONE ? described(answer) : raise(status);
}

PyObject* kernel_elements(PyObject*, PyObject* const* given, Py_ssize_t count) {
  if (!are_given(count, 3, "kernel_elements")) return nullptr;
  SizeList sizes;
  const char* buffer = nullptr;
  const auto* kernel = object_of<redtune_kernel>(given[0]);
  if (kernel == nullptr || !sizes_of(given[1], sizes) || !text_or_null(given[2], buffer)) {
    return nullptr;
  }
  std::int64_t elements = 0;
  int status = REDTUNE_DONE;
  {
    const WithoutLock free;
    status = redtune_kernel_elements(kernel, sizes.data(), sizes.size(), buffer, &elements);
  }
  return status == REDTUNE_DONE ? PyLong_FromLongLong(elements) : raise(status);
}

PyObject* kernel_synchronize(PyObject*, PyObject* const* given, Py_ssize_t count) {
  if (!are_given(count, 2, "kernel_synchronize")) return nullptr;
  void* stream = nullptr;
  const auto* kernel = object_of<redtune_kernel>(given[0]);
  if (kernel == nullptr || !address_of(given[1], stream)) return nullptr;
  int status = REDTUNE_DONE;
  {
    const WithoutLock free;
    status = redtune_kernel_synchronize(kernel, stream);
  }
  return done(status);
}

}  // namespace

PyMethodDef kernel_functions[] = {
    fast("kernel_create", kernel_create),
    fast("kernel_describe", kernel_describe),
    fast("kernel_prepare", kernel_prepare),
    fast("kernel_launch", kernel_launch),
    fast("kernel_set_constant", kernel_set_constant),
    fast("kernel_answer", kernel_answer),
    fast("kernel_elements", kernel_elements),
    fast("kernel_synchronize", kernel_synchronize),
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace redtune::python
