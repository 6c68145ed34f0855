// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Python's limited API, of CPython 3.10 and later, and what keeps its objects.
#pragma once

#define PY_SSIZE_T_CLEAN
#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x030A0000
#endif
#include <Python.h>
#include <cstdint>
#include <utility>

namespace redtune::python {

/// Owns a reference, or none.
class Ref {
 public:
  Ref() = default;
  explicit Ref(PyObject* owned) : object_(owned) {}
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Ref& operator=(Ref&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Ref() { Py_XDECREF(object_); }

  [[nodiscard]] PyObject* get() const { return object_; }
  [[nodiscard]] PyObject* release() { return std::exchange(object_, nullptr); }
  explicit operator bool() const { return object_ != nullptr; }

 private:
  PyObject* object_ = nullptr;
};

/// Python's lock is free as long as it lives. Where the interpreter has ended meanwhile, a thread
/// that asks for the lock back is ended, too, through this destructor; nothing that is Python's may
/// live around it.
class WithoutLock {
 public:
  WithoutLock() : state_(PyEval_SaveThread()) {}
  WithoutLock(const WithoutLock&) = delete;
  WithoutLock& operator=(const WithoutLock&) = delete;
  ~WithoutLock() noexcept(false) { PyEval_RestoreThread(state_); }

 private:
  PyThreadState* state_;
};

/// Functions that give null, or false, have set an exception.

/// A text, or null for None.
[[nodiscard]] bool text_or_null(PyObject* given, const char*& text);
[[nodiscard]] bool number_of(PyObject* given, std::int64_t& number);
/// An address, or a stream: as Python has it, a number from 0.
[[nodiscard]] bool address_of(PyObject* given, void*& address);
/// A text, or None of null.
[[nodiscard]] PyObject* text_of(const char* text);
/// Whether so many were given.
[[nodiscard]] bool are_given(Py_ssize_t given, Py_ssize_t expected, const char* function);

/// A row of a function that takes its arguments as an array.
using FastFunction = PyObject* (*)(PyObject*, PyObject* const*, Py_ssize_t);
[[nodiscard]] inline PyMethodDef fast(const char* name, FastFunction function) {
  return {name, reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function)),
          METH_FASTCALL, nullptr};
}

/// The exception of a status of the C API, with the library's last error; always null.
PyObject* raise(int status);
/// Puts the exceptions into the module.
[[nodiscard]] bool add_exceptions(PyObject* module);

}  // namespace redtune::python
