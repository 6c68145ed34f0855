// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Segments of an array, plans of them, and groups by key.
#include <new>

#include "python/module/handles.hpp"
#include "python/module/launcher.hpp"

namespace redtune::python {
namespace {

/// None, or the exception of a status.
PyObject* none_or(int status) {
  if (status != REDTUNE_DONE) return raise(status);
  Py_RETURN_NONE;
}

/// (begins, ends or 0, how many, bits of an offset)
bool read_segments(PyObject* given, redtune_segments& segments) {
  segments = {};
  segments.size = sizeof(segments);
  if (!PyTuple_Check(given) || PyTuple_Size(given) != 4) {
    PyErr_SetString(PyExc_TypeError, "segments are a tuple of 4");
    return false;
  }
  void* begins = nullptr;
  void* ends = nullptr;
  if (!address_of(PyTuple_GetItem(given, 0), begins) ||
      !address_of(PyTuple_GetItem(given, 1), ends) ||
      !number_of(PyTuple_GetItem(given, 2), segments.count) ||
      !number_of(PyTuple_GetItem(given, 3), segments.offset_bits)) {
    return false;
  }
  segments.begins = begins;
  segments.ends = ends;
  return true;
}

/// (elements, segments, bits of an offset, skew or None): an array in segments, as a capsule.
PyObject* segmented_array(PyObject*, PyObject* const* given, Py_ssize_t count) {
  if (!are_given(count, 4, "segmented_array")) return nullptr;
  redtune_array array{};
  array.size = sizeof(array);
  array.outer = array.inner = 1;
  const char* skew = nullptr;
  if (!number_of(given[0], array.count) || !number_of(given[1], array.segments) ||
      !number_of(given[2], array.offset_bits) || !text_or_null(given[3], skew)) {
    return nullptr;
  }
  // The text has to live as long as the array: those that there are do.
  for (const char* known : {"uniform", "zipf", "giant"}) {
    if (skew != nullptr && PyUnicode_CompareWithASCIIString(given[3], known) == 0)
      array.skew = known;
  }
  if (skew != nullptr && array.skew == nullptr) {
    PyErr_Format(PyExc_ValueError, "unknown skew '%s'; known: uniform zipf giant", skew);
    return nullptr;
  }
  auto* kept = new (std::nothrow) redtune_array(array);
  return kept != nullptr ? capsule_of(kept) : PyErr_NoMemory();
}

/// (launcher, in, elements, segments, out, stream)
PyObject* launch_segments(PyObject*, PyObject* const* given, Py_ssize_t count) {
  if (!are_given(count, 6, "launch_segments")) return nullptr;
  auto* launcher = object_of<Launcher>(given[0]);
  if (launcher == nullptr) return nullptr;
  SegmentsLaunch one{};
  void* stream = nullptr;
  if (!address_of(given[1], one.in) || !number_of(given[2], one.elements) ||
      !read_segments(given[3], one.segments) || !address_of(given[4], one.out) ||
      !address_of(given[5], stream) || !launch(*launcher, one, stream)) {
    return nullptr;
  }
  Py_RETURN_NONE;
}

/// (reducer, elements, segments)
PyObject* check_offsets(PyObject*, PyObject* const* given, Py_ssize_t count) {
  if (!are_given(count, 3, "check_offsets")) return nullptr;
  const auto* reducer = object_of<redtune_reducer>(given[0]);
  std::int64_t elements = 0;
  redtune_segments segments;
  if (reducer == nullptr || !number_of(given[1], elements) || !read_segments(given[2], segments)) {
    return nullptr;
  }
  int status = REDTUNE_DONE;
  {
    const WithoutLock free;
    status = redtune_reducer_check_offsets(reducer, elements, &segments);
  }
  return none_or(status);
}

/// (reducer, elements, segments, way or None, measured, checked, stream)
PyObject* plan_create(PyObject*, PyObject* const* given, Py_ssize_t count) {
  if (!are_given(count, 7, "plan_create")) return nullptr;
  const auto* reducer = object_of<redtune_reducer>(given[0]);
  std::int64_t elements = 0;
  redtune_segments segments;
  redtune_plan_options options{};
  options.size = sizeof(options);
  void* stream = nullptr;
  if (reducer == nullptr || !number_of(given[1], elements) || !read_segments(given[2], segments) ||
      !text_or_null(given[3], options.way) || !address_of(given[6], stream)) {
    return nullptr;
  }
  options.measured = PyObject_IsTrue(given[4]);
  options.checked = PyObject_IsTrue(given[5]);
  if (options.measured < 0 || options.checked < 0) return nullptr;
  redtune_plan* plan = nullptr;
  int status = REDTUNE_DONE;
  {
    const WithoutLock free;
    status = redtune_plan_create(reducer, elements, &segments, &options, stream, &plan);
  }
  return status == REDTUNE_DONE ? capsule_of(plan) : raise(status);
}

/// (plan, segments, stream)
PyObject* plan_update(PyObject*, PyObject* const* given, Py_ssize_t count) {
  if (!are_given(count, 3, "plan_update")) return nullptr;
  auto* plan = object_of<redtune_plan>(given[0]);
  redtune_segments segments;
  void* stream = nullptr;
  if (plan == nullptr || !read_segments(given[1], segments) || !address_of(given[2], stream))
    return nullptr;
  int status = REDTUNE_DONE;
  {
    const WithoutLock free;
    status = redtune_plan_update(plan, &segments, stream);
  }
  return none_or(status);
}

/// (plan, stream): elements of all segments, those of the longest, and the skew.
PyObject* plan_measure(PyObject*, PyObject* const* given, Py_ssize_t count) {
  if (!are_given(count, 2, "plan_measure")) return nullptr;
  const auto* plan = object_of<redtune_plan>(given[0]);
  void* stream = nullptr;
  if (plan == nullptr || !address_of(given[1], stream)) return nullptr;
  redtune_lengths lengths{};
  lengths.size = sizeof(lengths);
  int status = REDTUNE_DONE;
  {
    const WithoutLock free;
    status = redtune_plan_measure(plan, stream, &lengths);
  }
  if (status != REDTUNE_DONE) return raise(status);
  return Py_BuildValue("(LLs)", static_cast<long long>(lengths.elements),
                       static_cast<long long>(lengths.longest), lengths.skew);
}

PyObject* plan_bytes(PyObject*, PyObject* const* given, Py_ssize_t count) {
  if (!are_given(count, 1, "plan_bytes")) return nullptr;
  const auto* plan = object_of<redtune_plan>(given[0]);
  return plan != nullptr ? PyLong_FromSize_t(redtune_plan_bytes(plan)) : nullptr;
}

PyObject* plan_answer(PyObject*, PyObject* const* given, Py_ssize_t count) {
  if (!are_given(count, 1, "plan_answer")) return nullptr;
  const auto* plan = object_of<redtune_plan>(given[0]);
  if (plan == nullptr) return nullptr;
  redtune_answer* answer = nullptr;
  const int status = redtune_plan_answer(plan, &answer);
  return status == REDTUNE_DONE ? described(answer) : raise(status);
}

/// (reducer, plan, in, out, stream), of which the host waits for the end without Python's lock.
PyObject* plan_launch(PyObject*, PyObject* const* given, Py_ssize_t count) {
  if (!are_given(count, 5, "plan_launch")) return nullptr;
  const auto* reducer = object_of<redtune_reducer>(given[0]);
  if (reducer == nullptr) return nullptr;
  auto* plan = object_of<redtune_plan>(given[1]);
  void* in = nullptr;
  void* out = nullptr;
  void* stream = nullptr;
  if (plan == nullptr || !address_of(given[2], in) || !address_of(given[3], out) ||
      !address_of(given[4], stream)) {
    return nullptr;
  }
  int status = REDTUNE_DONE;
  {
    const WithoutLock free;
    status = redtune_reducer_launch_plan(reducer, in, plan, out, stream);
  }
  return none_or(status);
}

/// (problem, bits of a key, options, way or None)
PyObject* by_key_create(PyObject*, PyObject* const* given, Py_ssize_t count) {
  if (!are_given(count, 4, "by_key_create")) return nullptr;
  redtune_problem problem;
  redtune_options options;
  std::int64_t key_bits = 0;
  const char* way = nullptr;
  if (!read(given[0], problem) || !number_of(given[1], key_bits) || !read(given[2], options) ||
      !text_or_null(given[3], way)) {
    return nullptr;
  }
  redtune_by_key* by_key = nullptr;
  int status = REDTUNE_DONE;
  {
    const WithoutLock free;
    status = redtune_by_key_create_in(&problem, static_cast<int>(key_bits), way, &options, &by_key);
  }
  return status == REDTUNE_DONE ? capsule_of(by_key) : raise(status);
}

/// (by_key, keys, in, count, keys of groups, out, number of groups, stream)
PyObject* by_key_launch(PyObject*, PyObject* const* given, Py_ssize_t count) {
  if (!are_given(count, 8, "by_key_launch")) return nullptr;
  auto* by_key = object_of<redtune_by_key>(given[0]);
  if (by_key == nullptr) return nullptr;
  std::int64_t elements = 0;
  void* keys = nullptr;
  void* in = nullptr;
  void* keys_of_groups = nullptr;
  void* out = nullptr;
  void* groups = nullptr;
  void* stream = nullptr;
  if (!address_of(given[1], keys) || !address_of(given[2], in) || !number_of(given[3], elements) ||
      !address_of(given[4], keys_of_groups) || !address_of(given[5], out) ||
      !address_of(given[6], groups) || !address_of(given[7], stream)) {
    return nullptr;
  }
  int status = REDTUNE_DONE;
  {
    const WithoutLock free;
    status = redtune_by_key_launch(by_key, keys, in, elements, keys_of_groups, out,
                                   static_cast<std::int64_t*>(groups), stream);
  }
  return none_or(status);
}

PyObject* by_key_answer(PyObject*, PyObject* const* given, Py_ssize_t count) {
  if (!are_given(count, 1, "by_key_answer")) return nullptr;
  const auto* by_key = object_of<redtune_by_key>(given[0]);
  if (by_key == nullptr) return nullptr;
  redtune_answer* answer = nullptr;
  const int status = redtune_by_key_answer(by_key, &answer);
  return status == REDTUNE_DONE ? described(answer) : raise(status);
}

PyObject* by_key_device(PyObject*, PyObject* const* given, Py_ssize_t count) {
  if (!are_given(count, 1, "by_key_device")) return nullptr;
  const auto* by_key = object_of<redtune_by_key>(given[0]);
  return by_key != nullptr ? text_of(redtune_by_key_device(by_key)) : nullptr;
}

PyObject* by_key_way(PyObject*, PyObject* const* given, Py_ssize_t count) {
  if (!are_given(count, 1, "by_key_way")) return nullptr;
  const auto* by_key = object_of<redtune_by_key>(given[0]);
  return by_key != nullptr ? text_of(redtune_by_key_way(by_key)) : nullptr;
}

PyObject* by_key_bytes(PyObject*, PyObject* const* given, Py_ssize_t count) {
  if (!are_given(count, 1, "by_key_bytes")) return nullptr;
  const auto* by_key = object_of<redtune_by_key>(given[0]);
  return by_key != nullptr ? PyLong_FromSize_t(redtune_by_key_bytes(by_key)) : nullptr;
}

PyObject* by_key_synchronize(PyObject*, PyObject* const* given, Py_ssize_t count) {
  if (!are_given(count, 2, "by_key_synchronize")) return nullptr;
  const auto* by_key = object_of<redtune_by_key>(given[0]);
  void* stream = nullptr;
  if (by_key == nullptr || !address_of(given[1], stream)) return nullptr;
  int status = REDTUNE_DONE;
  {
    const WithoutLock free;
    status = redtune_by_key_synchronize(by_key, stream);
  }
  return none_or(status);
}

}  // namespace

PyMethodDef segment_functions[] = {
    fast("segmented_array", segmented_array), fast("launch_segments", launch_segments),
    fast("check_offsets", check_offsets),     fast("plan_create", plan_create),
    fast("plan_update", plan_update),         fast("plan_measure", plan_measure),
    fast("plan_bytes", plan_bytes),           fast("plan_answer", plan_answer),
    fast("plan_launch", plan_launch),         fast("by_key_create", by_key_create),
    fast("by_key_launch", by_key_launch),     fast("by_key_answer", by_key_answer),
    fast("by_key_device", by_key_device),     fast("by_key_bytes", by_key_bytes),
    fast("by_key_way", by_key_way),           fast("by_key_synchronize", by_key_synchronize),
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace redtune::python
