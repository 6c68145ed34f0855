// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tests/code_object/launcher_api.hpp"

#include <dlfcn.h>
#include <stdexcept>

namespace redtune::code_object {
namespace {

template <class Function>
void find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (function == nullptr) throw std::runtime_error(std::string("the HIP runtime has no ") + name);
}

}  // namespace

LauncherApi hip_launcher_api(const std::string& library, int device) {
  void* opened = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (opened == nullptr) throw std::runtime_error(dlerror());
  LauncherApi api;
  find(opened, "hipMalloc", api.allocate);
  find(opened, "hipFree", api.release);
  find(opened, "hipMemcpyAsync", api.copy);
  find(opened, "hipMemsetAsync", api.fill);
  find(opened, "hipModuleLoadData", api.load);
  find(opened, "hipModuleUnload", api.unload);
  find(opened, "hipModuleGetFunction", api.find);
  find(opened, "hipModuleLaunchKernel", api.launch);
  find(opened, "hipStreamSynchronize", api.synchronize);
  int (*choose)(int device) = nullptr;
  find(opened, "hipSetDevice", choose);
  if (choose(device) != 0) throw std::runtime_error("there is no such device");
  return api;
}

}  // namespace redtune::code_object
