// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Objects of the C API as capsules. One that was made before a fork is left as it is in the child:
// threads and devices that it holds are the parent's.
#pragma once

#include <new>

#include "python/module/python.hpp"
#include "redtune.h"

namespace redtune::python {

/// Raised in each child of a fork.
extern unsigned generation;

/// Of each kind of object: what its capsules are called, and how one is destroyed.
template <class T>
struct HandleTraits;

#define REDTUNE_HANDLE(type)                                      \
  template <>                                                     \
  struct HandleTraits<type> {                                     \
    static constexpr bool survives_forks = false;                 \
    static constexpr const char* name = #type;                    \
    static void destroy(type* object) { type##_destroy(object); } \
  }
REDTUNE_HANDLE(redtune_reducer);
REDTUNE_HANDLE(redtune_workspace);
REDTUNE_HANDLE(redtune_kernel);
REDTUNE_HANDLE(redtune_plan);
REDTUNE_HANDLE(redtune_by_key);
REDTUNE_HANDLE(redtune_answer);
#undef REDTUNE_HANDLE

/// Memory and nothing else: that of a parent is as good.
template <>
struct HandleTraits<redtune_array> {
  static constexpr bool survives_forks = true;
  static constexpr const char* name = "redtune_array";
  static void destroy(redtune_array* object) { delete object; }
};

template <class T>
struct Handle {
  T* object;
  unsigned of_generation;

  [[nodiscard]] bool is_ours() const {
    return HandleTraits<T>::survives_forks || of_generation == generation;
  }
};

template <class T>
void destroy_capsule(PyObject* capsule) {
  auto* handle = static_cast<Handle<T>*>(PyCapsule_GetPointer(capsule, HandleTraits<T>::name));
  if (handle == nullptr) {
    PyErr_Clear();
    return;
  }
  if (handle->is_ours()) HandleTraits<T>::destroy(handle->object);
  delete handle;
}

/// Takes the object, also where it gives null.
template <class T>
[[nodiscard]] PyObject* capsule_of(T* object) {
  auto* handle = new (std::nothrow) Handle<T>{object, generation};
  PyObject* capsule = handle != nullptr
                          ? PyCapsule_New(handle, HandleTraits<T>::name, destroy_capsule<T>)
                          : PyErr_NoMemory();
  if (capsule == nullptr) {
    delete handle;
    HandleTraits<T>::destroy(object);
  }
  return capsule;
}

/// Null, with an exception, for what is none, and for one of before a fork.
template <class T>
[[nodiscard]] T* object_of(PyObject* capsule) {
  auto* handle = static_cast<Handle<T>*>(PyCapsule_GetPointer(capsule, HandleTraits<T>::name));
  if (handle == nullptr) return nullptr;
  if (handle->is_ours()) return handle->object;
  PyErr_SetString(PyExc_RuntimeError,
                  "this was made before the process was forked: make it again in the child");
  return nullptr;
}

/// Structs of the C API from the tuples that the package gives. What they point to belongs to the
/// tuples. False with an exception.
[[nodiscard]] bool read(PyObject* given, redtune_problem& problem);
[[nodiscard]] bool read(PyObject* given, redtune_options& options);

/// What is known of an answer, as the package's Answer takes it; destroys the answer.
[[nodiscard]] PyObject* described(redtune_answer* answer);

/// The functions of each file, up to one without a name.
extern PyMethodDef question_functions[];
extern PyMethodDef reducer_functions[];
extern PyMethodDef launcher_functions[];
extern PyMethodDef tensor_functions[];
extern PyMethodDef call_functions[];
extern PyMethodDef segment_functions[];
extern PyMethodDef kernel_functions[];
extern PyMethodDef dlpack_functions[];

}  // namespace redtune::python
