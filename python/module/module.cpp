// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The extension module redtune._redtune: the C API as functions of Python. What users see is
// written in Python, in python/redtune.
#include "python/module/handles.hpp"

namespace redtune::python {
namespace {

bool fill(PyObject* module) {
  for (PyMethodDef* functions :
       {question_functions, reducer_functions, launcher_functions, tensor_functions, call_functions,
        segment_functions, kernel_functions, dlpack_functions}) {
    if (PyModule_AddFunctions(module, functions) != 0) return false;
  }
  return add_exceptions(module) &&
         PyModule_AddStringConstant(module, "version", redtune_version()) == 0 &&
         PyModule_AddIntConstant(module, "abi", redtune_abi_version()) == 0;
}

PyModuleDef definition{PyModuleDef_HEAD_INIT,
                       "redtune._redtune",
                       nullptr,
                       -1,
                       nullptr,
                       nullptr,
                       nullptr,
                       nullptr,
                       nullptr};

}  // namespace
}  // namespace redtune::python

PyMODINIT_FUNC PyInit__redtune() {
  using namespace redtune::python;
  Ref module(PyModule_Create(&definition));
  if (!module || !fill(module.get())) return nullptr;
  return module.release();
}
