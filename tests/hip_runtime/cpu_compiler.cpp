// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cpu_compiler.hpp"

#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <iterator>
#include <unistd.h>

#include "cache/keys/sha256.hpp"
#include "device/host/services.hpp"
#include "device/host/shared_arrays.hpp"
#include "device/host/subprocess.hpp"
#include "kernel_row.hpp"
#include "redtune/error.hpp"
#include "tests/support/samples.hpp"

namespace redtune::testing::hip {
namespace {

namespace fs = std::filesystem;
namespace host = device::host;

std::string variable(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : otherwise;
}

/// Gone with the compilation.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = variable("TMPDIR", "/tmp") + "/redtune-hip-XXXXXX";
    if (mkdtemp(name.data()) == nullptr) throw IoError("cannot make " + name);
    path_ = name;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  fs::path operator/(const char* name) const { return path_ / name; }

 private:
  fs::path path_;
};

std::string read_text(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string whole_text(const CpuRequest& request) {
  std::string text = fmt::format("{}\n{}\n", host::services_text,
                                 read_text(REDTUNE_TEST_HIP_SOURCES "/device_words.h"));
  text +=
      fmt::format("#line 1 \"redtune.hip\"\n{}\n#line 1 \"table of kernels\"\n{}\n{}\n",
                  host::with_shared_arrays(request.text), REDTUNE_STRINGIZE(REDTUNE_TEST_KERNEL),
                  read_text(REDTUNE_TEST_HIP_SOURCES "/device_table.h"));
  std::string rows;
  for (std::size_t i = 0; i < request.names.size(); ++i) {
    const std::string entry = fmt::format("{}{}", host::kernel_symbol_prefix, i);
    text += fmt::format("extern \"C\" void {}(void* const* a) {{ redtune_call(&{}, a); }}\n", entry,
                        request.names[i]);
    rows += fmt::format("  redtune_describe(&{}, &{}),\n", request.names[i], entry);
  }
  return text + fmt::format("extern \"C\" redtune_test_kernel {}[] = {{\n{}  {{}}}};\n",
                            kernel_table, rows);
}

std::vector<std::string> command(const CpuRequest& request, const fs::path& to,
                                 const fs::path& from) {
  // -O1: what is tested runs a few times only. The libraries are there already, and to look through
  // them is a fifth of the time. Like the host device's compiler: integers wrap, and NaN and the
  // order of additions matter.
  std::vector<std::string> words{variable("REDTUNE_TEST_HIP_CXX", REDTUNE_TEST_HIP_CLANG),
                                 "-x",
                                 "c++",
                                 "-std=c++17",
                                 "-O1",
                                 "-march=native",
                                 "-fPIC",
                                 "-shared",
                                 "-nodefaultlibs",
                                 "-fdeclspec",
                                 "-fwrapv",
                                 "-ffp-contract=off",
                                 "-fno-math-errno",
                                 "-w",
                                 "-Wl,-Bsymbolic",
                                 fmt::format("-DREDTUNE_TEST_WAVE_SIZE={}", request.wave_size)};
  // A third of the time is what is always to be inlined.
  if (!checks::is_full_run()) words.emplace_back("-Dalways_inline=");
  words.insert(words.end(), request.options.begin(), request.options.end());
  words.insert(words.end(), {"-o", to.string(), from.string()});
  return words;
}

/// The compiler's own names of the kernels, and their parameters, from the object's table.
std::vector<KernelShape> kernels_in(const fs::path& object) {
  void* const library = dlopen(object.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw Error(fmt::format("cannot load what was compiled: {}", dlerror()));
  std::vector<KernelShape> kernels;
  const auto* row = static_cast<const redtune_test_kernel*>(dlsym(library, kernel_table));
  for (; row != nullptr && row->address != nullptr; ++row) {
    Dl_info found{};
    dladdr(row->address, &found);
    kernels.push_back({found.dli_sname == nullptr ? "" : found.dli_sname,
                       {row->sizes, row->sizes + row->parameters},
                       {row->alignments, row->alignments + row->parameters}});
  }
  dlclose(library);
  return kernels;
}

CpuProgram program_in(const fs::path& object) {
  const std::string bytes = read_text(object);
  const auto* begin = reinterpret_cast<const std::byte*>(bytes.data());
  return {{begin, begin + bytes.size()}, kernels_in(object), {}};
}

}  // namespace

CpuProgram compile_for_cpu(const CpuRequest& request) {
  const ScratchFolder scratch;
  const fs::path object = scratch / "kernels.so";
  const fs::path source = scratch / "kernels.cpp";
  const std::string text = whole_text(request);
  const auto same_everywhere = command(request, "", "");
  const std::string folder = variable("REDTUNE_TEST_HIP_OBJECTS", "");
  const fs::path kept =
      fs::path(folder) / cache::sha256_hex(fmt::format("{}\n{}", same_everywhere, text));
  if (!folder.empty() && fs::exists(kept)) return program_in(kept);
  if (!host::is_on_path(same_everywhere[0])) {
    return {{},
            {},
            fmt::format("{} cannot be run; install clang 15 or later, or name one in "
                        "REDTUNE_TEST_HIP_CXX",
                        same_everywhere[0])};
  }
  std::ofstream(source) << text;
  const host::Finished compiled =
      host::run_program(command(request, object, source), {.deadline = std::chrono::minutes(5)});
  if (!compiled.succeeded()) {
    return {{}, {}, compiled.errors.empty() ? compiled.ending() : compiled.errors};
  }
  CpuProgram program = program_in(object);
  if (!folder.empty()) {
    // At once and whole, whoever else keeps the same.
    const fs::path mine = fmt::format("{}.{}", kept.string(), getpid());
    std::error_code cannot;
    fs::create_directories(folder, cannot);
    fs::copy_file(object, mine, cannot);
    if (!cannot) fs::rename(mine, kept, cannot);
  }
  return program;
}

}  // namespace redtune::testing::hip
