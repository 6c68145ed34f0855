// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Reductions: made, asked, waited for.
#include "python/module/handles.hpp"

namespace redtune::python {
namespace {

PyObject* reducer_create(PyObject*, PyObject* const* given, Py_ssize_t count) {
  if (!are_given(count, 2, "reducer_create")) return nullptr;
  redtune_problem problem;
  redtune_options options;
  if (!read(given[0], problem) || !read(given[1], options)) return nullptr;
  redtune_reducer* reducer = nullptr;
  int status = REDTUNE_DONE;
  {
    const WithoutLock free;  // a compiler may be waited for
    status = redtune_reducer_create(&problem, &options, &reducer);
  }
  return status == REDTUNE_DONE ? capsule_of(reducer) : raise(status);
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
    fast("reducer_create", reducer_create),           fast("reducer_device", reducer_device),
    fast("reducer_answer", reducer_answer),           fast("reducer_hits", reducer_hits),
    fast("reducer_synchronize", reducer_synchronize), {nullptr, nullptr, 0, nullptr},
};

}  // namespace redtune::python
