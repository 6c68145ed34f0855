// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "python/module/python.hpp"

#include <array>
#include <cstring>

#include "redtune.h"

namespace redtune::python {
namespace {

struct ExceptionRow {
  int status;
  const char* name;
  const char* of_redtune;
  PyObject** builtin;  ///< what such an error is in Python as well
  const char* text;
};

constexpr std::size_t base_row = 0;
const std::array<ExceptionRow, 5> exception_rows{{
    {REDTUNE_FAILED, "Error", "redtune.Error", &PyExc_RuntimeError,
     "Any error of redtune's; by itself one that no other type is for."},
    {REDTUNE_USAGE, "UsageError", "redtune.UsageError", &PyExc_ValueError,
     "The request itself is wrong, or names a device that is not there."},
    {REDTUNE_MISSED, "UnmetMatch", "redtune.UnmetMatch", &PyExc_LookupError,
     "A look-up found less than was demanded."},
    {REDTUNE_DEVICE, "DeviceError", "redtune.DeviceError", nullptr,
     "The device, its driver or its compiler fails."},
    {REDTUNE_IO, "IoError", "redtune.IoError", &PyExc_OSError,
     "A file or folder cannot be read or written."},
}};
std::array<PyObject*, exception_rows.size()> exceptions{};  // as long as the process

/// The bases of a row but the first: redtune's, then Python's own.
Ref bases_of(const ExceptionRow& row) {
  if (row.builtin == nullptr) return Ref(PyTuple_Pack(1, exceptions[base_row]));
  return Ref(PyTuple_Pack(2, exceptions[base_row], *row.builtin));
}

}  // namespace

bool text_or_null(PyObject* given, const char*& text) {
  text = nullptr;
  if (given == Py_None) return true;
  if (!PyUnicode_Check(given)) {
    PyErr_SetString(PyExc_TypeError, "a text is expected");
    return false;
  }
  Py_ssize_t length = 0;
  text = PyUnicode_AsUTF8AndSize(given, &length);
  if (text == nullptr) return false;
  for (Py_ssize_t i = 0; i < length; ++i) {
    if (text[i] != '\0') continue;
    PyErr_SetString(PyExc_ValueError, "a text has a zero in it");
    return false;
  }
  return true;
}

bool number_of(PyObject* given, std::int64_t& number) {
  number = PyLong_AsLongLong(given);
  return number != -1 || PyErr_Occurred() == nullptr;
}

bool address_of(PyObject* given, void*& address) {
  const unsigned long long number = PyLong_AsUnsignedLongLong(given);
  address = reinterpret_cast<void*>(static_cast<std::uintptr_t>(number));
  return number != static_cast<unsigned long long>(-1) || PyErr_Occurred() == nullptr;
}

PyObject* text_of(const char* text) {
  if (text == nullptr) Py_RETURN_NONE;
  return PyUnicode_DecodeUTF8(text, static_cast<Py_ssize_t>(std::strlen(text)), "replace");
}

bool are_given(Py_ssize_t given, Py_ssize_t expected, const char* function) {
  if (given == expected) return true;
  PyErr_Format(PyExc_TypeError, "%s takes %zd arguments, and %zd were given", function, expected,
               given);
  return false;
}

PyObject* raise(int status) {
  const Ref text(text_of(redtune_last_error()));
  if (!text) return nullptr;
  std::size_t row = base_row;
  for (std::size_t i = 0; i < exception_rows.size(); ++i) {
    if (exception_rows[i].status == status) row = i;
  }
  PyErr_SetObject(exceptions[row], text.get());
  return nullptr;
}

bool add_exceptions(PyObject* module) {
  for (std::size_t i = 0; i < exception_rows.size(); ++i) {
    const ExceptionRow& row = exception_rows[i];
    if (exceptions[i] == nullptr) {
      const Ref bases = i == base_row ? Ref(PyTuple_Pack(1, *row.builtin)) : bases_of(row);
      if (!bases) return false;
      exceptions[i] = PyErr_NewExceptionWithDoc(row.of_redtune, row.text, bases.get(), nullptr);
    }
    if (exceptions[i] == nullptr || PyModule_AddObjectRef(module, row.name, exceptions[i]) != 0) {
      return false;
    }
  }
  return true;
}

}  // namespace redtune::python
