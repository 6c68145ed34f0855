// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "python/module/launcher.hpp"

#include <algorithm>
#include <new>

namespace redtune::python {
namespace {

/// Null with an exception. Python's lock is free meanwhile.
redtune_workspace* made_workspace(const redtune_reducer* reducer) {
  redtune_workspace* workspace = nullptr;
  int status = REDTUNE_DONE;
  {
    const WithoutLock free;
    status = redtune_workspace_create(reducer, &workspace);
  }
  if (status == REDTUNE_DONE) return workspace;
  raise(status);
  return nullptr;
}

/// In front afterwards; null where the stream has none yet.
redtune_workspace* known_workspace(Launcher& launcher, void* stream) {
  auto& known = launcher.of_streams;
  for (auto one = known.begin(); one != known.end(); ++one) {
    if (one->first != stream) continue;
    if (one != known.begin()) std::rotate(known.begin(), one, one + 1);
    return known.front().second;
  }
  return nullptr;
}

redtune_workspace* new_workspace(Launcher& launcher, void* stream) {
  redtune_workspace* workspace = made_workspace(launcher.reducer);
  if (workspace == nullptr) return nullptr;
  redtune_workspace* superfluous = nullptr;
  redtune_workspace* chosen = known_workspace(launcher, stream);
  if (chosen != nullptr) {
    superfluous = workspace;  // another thread made one meanwhile
  } else {
    chosen = workspace;
    auto& known = launcher.of_streams;
    if (known.size() >= most_streams) {
      superfluous = known.back().second;
      known.pop_back();
    }
    known.insert(known.begin(), {stream, chosen});
  }
  // Devices free memory when what is queued before has come to its end.
  if (superfluous != nullptr) redtune_workspace_destroy(superfluous);
  return chosen;
}

/// A graph is replayed on any stream, and while it is captured no memory can be taken.
redtune_workspace* workspace_for(Launcher& launcher, void* stream) {
  if (stream != default_stream && redtune_reducer_is_capturing(launcher.reducer, stream) != 0) {
    return launcher.of_graphs;
  }
  redtune_workspace* known = known_workspace(launcher, stream);
  return known != nullptr ? known : new_workspace(launcher, stream);
}

/// start(workspace, stream) gives a status.
template <class Start>
bool launched_on_host(Launcher& launcher, const Start& start) {
  redtune_workspace* workspace = nullptr;
  if (launcher.free.empty()) {
    workspace = made_workspace(launcher.reducer);
    if (workspace == nullptr) return false;
  } else {
    workspace = launcher.free.back();
    launcher.free.pop_back();
  }
  int status = REDTUNE_DONE;
  {
    const WithoutLock free;
    status = start(workspace, nullptr);
  }
  launcher.free.push_back(workspace);
  if (status != REDTUNE_DONE) raise(status);
  return status == REDTUNE_DONE;
}

template <class Start>
bool launched(Launcher& launcher, void* stream, const Start& start) {
  if (launcher.is_host) return launched_on_host(launcher, start);
  redtune_workspace* workspace = workspace_for(launcher, stream);
  if (workspace == nullptr) return false;
  const int status = start(workspace, stream);
  if (status != REDTUNE_DONE) raise(status);
  return status == REDTUNE_DONE;
}

/// (reducer, whether it is the host's): with memory for graphs, which is not taken later.
PyObject* launcher_create(PyObject*, PyObject* const* given, Py_ssize_t count) {
  if (!are_given(count, 2, "launcher_create")) return nullptr;
  auto* reducer = object_of<redtune_reducer>(given[0]);
  const int is_host = PyObject_IsTrue(given[1]);
  if (reducer == nullptr || is_host < 0) return nullptr;
  redtune_workspace* of_graphs = nullptr;
  if (is_host == 0) {
    of_graphs = made_workspace(reducer);
    if (of_graphs == nullptr) return nullptr;
  }
  auto* launcher = new (std::nothrow) Launcher;
  if (launcher == nullptr) {
    redtune_workspace_destroy(of_graphs);
    return PyErr_NoMemory();
  }
  launcher->reducer_capsule = Py_NewRef(given[0]);
  launcher->reducer = reducer;
  launcher->is_host = is_host != 0;
  launcher->of_graphs = of_graphs;
  return capsule_of(launcher);
}

/// (launcher, array, in, out, stream)
PyObject* launch_array(PyObject*, PyObject* const* given, Py_ssize_t count) {
  if (!are_given(count, 5, "launch")) return nullptr;
  auto* launcher = object_of<Launcher>(given[0]);
  if (launcher == nullptr) return nullptr;
  const auto* array = object_of<redtune_array>(given[1]);
  void* in = nullptr;
  void* out = nullptr;
  void* stream = nullptr;
  if (array == nullptr || !address_of(given[2], in) || !address_of(given[3], out) ||
      !address_of(given[4], stream) || !launch(*launcher, array, in, out, stream)) {
    return nullptr;
  }
  Py_RETURN_NONE;
}

/// (launcher): how many streams have memory, and how many launches on the host have had some at a
/// time.
PyObject* launcher_workspaces(PyObject*, PyObject* const* given, Py_ssize_t count) {
  if (!are_given(count, 1, "launcher_workspaces")) return nullptr;
  const auto* launcher = object_of<Launcher>(given[0]);
  if (launcher == nullptr) return nullptr;
  return Py_BuildValue("(nn)", static_cast<Py_ssize_t>(launcher->of_streams.size()),
                       static_cast<Py_ssize_t>(launcher->free.size()));
}

}  // namespace

Launcher::~Launcher() {
  for (redtune_workspace* workspace : free) redtune_workspace_destroy(workspace);
  for (const auto& one : of_streams) redtune_workspace_destroy(one.second);
  redtune_workspace_destroy(of_graphs);
  Py_XDECREF(reducer_capsule);
}

bool launch(Launcher& launcher, const redtune_array* array, void* in, void* out, void* stream) {
  return launched(launcher, stream, [&](redtune_workspace* workspace, void* on) {
    return redtune_reducer_launch_array(launcher.reducer, in, array, out, workspace, on);
  });
}

bool launch(Launcher& launcher, const SegmentsLaunch& one, void* stream) {
  return launched(launcher, stream, [&](redtune_workspace* workspace, void* on) {
    return redtune_reducer_launch_segments(launcher.reducer, one.in, one.elements, &one.segments,
                                           one.out, workspace, on);
  });
}

PyMethodDef launcher_functions[] = {
    fast("launcher_create", launcher_create),
    fast("launcher_workspaces", launcher_workspaces),
    fast("launch", launch_array),
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace redtune::python
