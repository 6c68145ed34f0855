// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Reductions: made, asked, launched.
#include "python/module/handles.hpp"

namespace redtune::python {
namespace {

/// What is made without Python's lock: a compiler may be waited for.
template <class T, class Make>
PyObject* made(Make make) {
  T* object = nullptr;
  int status = REDTUNE_DONE;
  {
    const WithoutLock free;
    status = make(&object);
  }
  return status == REDTUNE_DONE ? capsule_of(object) : raise(status);
}

PyObject* reducer_create(PyObject*, PyObject* const* given, Py_ssize_t count) {
  if (!are_given(count, 2, "reducer_create")) return nullptr;
  redtune_problem problem;
  redtune_options options;
  if (!read(given[0], problem) || !read(given[1], options)) return nullptr;
  return made<redtune_reducer>(
      [&](redtune_reducer** place) { return redtune_reducer_create(&problem, &options, place); });
}

PyObject* workspace_create(PyObject*, PyObject* const* given, Py_ssize_t count) {
  if (!are_given(count, 1, "workspace_create")) return nullptr;
  const auto* reducer = object_of<redtune_reducer>(given[0]);
  if (reducer == nullptr) return nullptr;
  return made<redtune_workspace>(
      [&](redtune_workspace** place) { return redtune_workspace_create(reducer, place); });
}

PyObject* reducer_device(PyObject*, PyObject* const* given, Py_ssize_t count) {
  if (!are_given(count, 1, "reducer_device")) return nullptr;
  const auto* reducer = object_of<redtune_reducer>(given[0]);
  return reducer != nullptr ? text_of(redtune_reducer_device(reducer)) : nullptr;
}

PyObject* reducer_answer(PyObject*, PyObject* const* given, Py_ssize_t count) {
  if (!are_given(count, 2, "reducer_answer")) return nullptr;
  const auto* reducer = object_of<redtune_reducer>(given[0]);
  if (reducer == nullptr) return nullptr;
  const auto* array = object_of<redtune_array>(given[1]);
  if (array == nullptr) return nullptr;
  redtune_answer* answer = nullptr;
  const int status = redtune_reducer_answer_for_array(reducer, array, &answer);
  return status == REDTUNE_DONE ? described(answer) : raise(status);
}

PyObject* reducer_hits(PyObject*, PyObject* const* given, Py_ssize_t count) {
  if (!are_given(count, 2, "reducer_hits")) return nullptr;
  const char* match = nullptr;
  const auto* reducer = object_of<redtune_reducer>(given[0]);
  if (reducer == nullptr || !text_or_null(given[1], match)) return nullptr;
  return PyLong_FromUnsignedLongLong(redtune_reducer_hits(reducer, match));
}

struct Launch {
  redtune_reducer* reducer;
  redtune_workspace* workspace;
  const redtune_array* array;
  void* in;
  void* out;
  void* stream;
};

bool read(PyObject* const* given, Launch& launch) {
  launch.reducer = object_of<redtune_reducer>(given[0]);
  if (launch.reducer == nullptr) return false;
  launch.workspace = object_of<redtune_workspace>(given[1]);
  if (launch.workspace == nullptr) return false;
  launch.array = object_of<redtune_array>(given[2]);
  return launch.array != nullptr && address_of(given[3], launch.in) &&
         address_of(given[4], launch.out) && address_of(given[5], launch.stream);
}

int launched(const Launch& launch) {
  return redtune_reducer_launch_array(launch.reducer, launch.in, launch.array, launch.out,
                                      launch.workspace, launch.stream);
}

/// (reducer, workspace, array, in, out, stream): on a GPU a launch is done sooner than the lock is
/// given away and taken back.
PyObject* launch(PyObject*, PyObject* const* given, Py_ssize_t count) {
  Launch launch;
  if (!are_given(count, 6, "launch") || !read(given, launch)) return nullptr;
  const int status = launched(launch);
  if (status != REDTUNE_DONE) return raise(status);
  Py_RETURN_NONE;
}

/// Likewise on the host, where it is over when it returns.
PyObject* run(PyObject*, PyObject* const* given, Py_ssize_t count) {
  Launch launch;
  if (!are_given(count, 6, "run") || !read(given, launch)) return nullptr;
  int status = REDTUNE_DONE;
  {
    const WithoutLock free;
    status = launched(launch);
  }
  if (status != REDTUNE_DONE) return raise(status);
  Py_RETURN_NONE;
}

PyObject* reducer_synchronize(PyObject*, PyObject* const* given, Py_ssize_t count) {
  if (!are_given(count, 2, "reducer_synchronize")) return nullptr;
  void* stream = nullptr;
  const auto* reducer = object_of<redtune_reducer>(given[0]);
  if (reducer == nullptr || !address_of(given[1], stream)) return nullptr;
  int status = REDTUNE_DONE;
  {
    const WithoutLock free;
    status = redtune_reducer_synchronize(reducer, stream);
  }
  if (status != REDTUNE_DONE) return raise(status);
  Py_RETURN_NONE;
}

}  // namespace

PyMethodDef reducer_functions[] = {
    fast("reducer_create", reducer_create),
    fast("workspace_create", workspace_create),
    fast("reducer_device", reducer_device),
    fast("reducer_answer", reducer_answer),
    fast("reducer_hits", reducer_hits),
    fast("launch", launch),
    fast("run", run),
    fast("reducer_synchronize", reducer_synchronize),
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace redtune::python
