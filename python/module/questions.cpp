// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What is asked: operators, types, shapes of arrays, results, the best known configuration.
#include <vector>

#include "python/module/handles.hpp"

namespace redtune::python {
namespace {

/// A tuple of what name_of(0), name_of(1), ... give, each made by one().
template <class Name, class One>
PyObject* list_of(Name name_of, One one) {
  Ref list(PyList_New(0));
  if (!list) return nullptr;
  for (std::size_t i = 0; name_of(i) != nullptr; ++i) {
    const Ref item(one(name_of(i)));
    if (!item || PyList_Append(list.get(), item.get()) != 0) return nullptr;
  }
  return PyList_AsTuple(list.get());
}

PyObject* operators(PyObject*, PyObject*) {
  return list_of(redtune_op_name, [](const char* op) -> PyObject* {
    const Ref values(
        list_of([op](std::size_t i) { return redtune_op_value_name(op, i); }, text_of));
    if (!values) return nullptr;
    return Py_BuildValue("(ssssO)", op, redtune_op_summary(op), redtune_op_takes(op),
                         redtune_op_shape(op), values.get());
  });
}

PyObject* types(PyObject*, PyObject*) {
  return list_of(redtune_type_name, [](const char* type) {
    return Py_BuildValue("(ssn)", type, redtune_type_kind(type),
                         static_cast<Py_ssize_t>(redtune_type_bytes(type)));
  });
}

bool numbers_of(PyObject* tuple, std::vector<std::int64_t>& numbers) {
  const Py_ssize_t size = PyTuple_Size(tuple);
  if (size < 0) return false;
  numbers.resize(static_cast<std::size_t>(size));
  for (Py_ssize_t i = 0; i < size; ++i) {
    if (!number_of(PyTuple_GetItem(tuple, i), numbers[static_cast<std::size_t>(i)])) return false;
  }
  return true;
}

/// (extents, strides or None, axes): the array as a capsule, and its members.
PyObject* reduce_axes(PyObject*, PyObject* const* given, Py_ssize_t count) {
  if (!are_given(count, 3, "reduce_axes")) return nullptr;
  std::vector<std::int64_t> extents;
  std::vector<std::int64_t> strides;
  std::vector<std::int64_t> axes;
  const bool has_strides = given[1] != Py_None;
  if (!numbers_of(given[0], extents) || (has_strides && !numbers_of(given[1], strides)) ||
      !numbers_of(given[2], axes)) {
    return nullptr;
  }
  if (has_strides && strides.size() != extents.size()) {
    PyErr_SetString(PyExc_ValueError, "there are as many strides as extents");
    return nullptr;
  }
  redtune_array array{};
  array.size = sizeof(array);
  const int status = redtune_reduce_axes(extents.data(), has_strides ? strides.data() : nullptr,
                                         extents.size(), axes.data(), axes.size(), &array);
  if (status != REDTUNE_DONE) return raise(status);
  auto* kept = new (std::nothrow) redtune_array(array);
  if (kept == nullptr) return PyErr_NoMemory();
  const Ref capsule(capsule_of(kept));
  if (!capsule) return nullptr;
  return Py_BuildValue(
      "(OLLLLLLL)", capsule.get(), static_cast<long long>(array.count),
      static_cast<long long>(array.outer), static_cast<long long>(array.inner),
      static_cast<long long>(array.outer_pitch), static_cast<long long>(array.count_pitch),
      static_cast<long long>(array.batch), static_cast<long long>(array.batch_pitch));
}

PyObject* describe_result(PyObject*, PyObject* const* given, Py_ssize_t count) {
  if (!are_given(count, 1, "describe_result")) return nullptr;
  redtune_problem problem;
  if (!read(given[0], problem)) return nullptr;
  redtune_result result{};
  result.size = sizeof(result);
  const int status = redtune_describe_result(&problem, &result);
  if (status != REDTUNE_DONE) return raise(status);
  return Py_BuildValue("(sssLL)", result.acc, result.out, result.shape,
                       static_cast<long long>(result.bytes),
                       static_cast<long long>(result.results));
}

PyObject* find_best(PyObject*, PyObject* const* given, Py_ssize_t count) {
  if (!are_given(count, 2, "find_best")) return nullptr;
  redtune_problem problem;
  redtune_options options;
  if (!read(given[0], problem) || !read(given[1], options)) return nullptr;
  redtune_answer* answer = nullptr;
  int status = REDTUNE_DONE;
  {
    const WithoutLock free;
    status = redtune_find_best(&problem, &options, &answer);
  }
  return status == REDTUNE_DONE ? described(answer) : raise(status);
}

PyObject* interval_of(const redtune_answer* answer,
                      double (*value)(const redtune_answer*, const char*)) {
  const double median = value(answer, "median");
  if (median != median) Py_RETURN_NONE;  // NaN: nothing is known
  return Py_BuildValue("(ddd)", value(answer, "low"), median, value(answer, "high"));
}

PyObject* settings_of(const redtune_answer* answer) {
  Ref settings(PyDict_New());
  if (!settings) return nullptr;
  for (std::size_t i = 0; redtune_answer_setting_name(answer, i) != nullptr; ++i) {
    const char* name = redtune_answer_setting_name(answer, i);
    const Ref value(text_of(redtune_answer_setting(answer, name)));
    if (!value || PyDict_SetItemString(settings.get(), name, value.get()) != 0) return nullptr;
  }
  return settings.release();
}

/// A child of a fork begins with objects of its own.
PyObject* forked(PyObject*, PyObject*) {
  ++generation;
  Py_RETURN_NONE;
}

}  // namespace

unsigned generation = 0;

bool read(PyObject* given, redtune_problem& problem) {
  problem = {};
  problem.size = sizeof(problem);
  if (!PyTuple_Check(given) || PyTuple_Size(given) != 8) {
    PyErr_SetString(PyExc_TypeError, "a problem is a tuple of 8");
    return false;
  }
  const char** const texts[] = {&problem.op,       &problem.type,       &problem.acc,
                                &problem.out,      &problem.cache_mode, &problem.order,
                                &problem.op_source};
  Py_ssize_t i = 0;
  for (const char** text : texts) {
    if (!text_or_null(PyTuple_GetItem(given, i++), *text)) return false;
  }
  problem.array = object_of<redtune_array>(PyTuple_GetItem(given, i));
  return problem.array != nullptr;
}

bool read(PyObject* given, redtune_options& options) {
  options = {};
  options.size = sizeof(options);
  if (!PyTuple_Check(given) || PyTuple_Size(given) != 6) {
    PyErr_SetString(PyExc_TypeError, "options are a tuple of 6");
    return false;
  }
  const char** const texts[] = {&options.device, &options.cache_file, &options.minimum_match,
                                &options.snapshot};
  Py_ssize_t i = 0;
  for (const char** text : texts) {
    if (!text_or_null(PyTuple_GetItem(given, i++), *text)) return false;
  }
  options.pinned = PyObject_IsTrue(PyTuple_GetItem(given, i));
  options.strict = PyObject_IsTrue(PyTuple_GetItem(given, i + 1));
  return options.pinned >= 0 && options.strict >= 0;
}

PyObject* described(redtune_answer* answer) {
  const Ref owned(capsule_of(answer));
  if (!owned) return nullptr;
  const Ref settings(settings_of(answer));
  const Ref time(interval_of(answer, redtune_answer_time_us));
  const Ref gain(interval_of(answer, redtune_answer_gain));
  if (!settings || !time || !gain) return nullptr;
  return Py_BuildValue("(sOOOssss)", redtune_answer_match(answer), settings.get(), time.get(),
                       gain.get(), redtune_answer_explanation(answer),
                       redtune_answer_source(answer), redtune_answer_family(answer),
                       redtune_answer_tuned_at(answer));
}

PyMethodDef question_functions[] = {
    {"operators", operators, METH_NOARGS, nullptr},
    {"types", types, METH_NOARGS, nullptr},
    {"forked", forked, METH_NOARGS, nullptr},
    fast("reduce_axes", reduce_axes),
    fast("describe_result", describe_result),
    fast("find_best", find_best),
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace redtune::python
