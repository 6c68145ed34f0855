// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What NVRTC makes of redtune's kernels: all of them compile, elements stay in registers, and loads
// are as wide as asked.
#include <algorithm>
#include <array>
#include <dlfcn.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iterator>
#include <map>
#include <regex>
#include <sstream>

#include "cuda_texts.hpp"
#include "device/cuda/cuda_arch.hpp"
#include "kernel_templates/family/family.hpp"
#include "kernel_templates/probe/probe.hpp"
#include "tests/kernels/atomic_kernels.hpp"
#include "tests/kernels/compare_names.hpp"
#include "tests/kernels/config_samples.hpp"
#include "tests/kernels/ladder_names.hpp"
#include "tests/kernels/operator_cells.hpp"
#include "tests/support/own_kernel_programs.hpp"
#include "tests/support/samples.hpp"

namespace redtune::device::cuda::testing {
namespace {

using kernels::ProbeKind;

constexpr const char* arch = "sm_90";

Limits limits() {
  Limits limits = limits_of(arch);
  limits.compute_units = 132;
  return limits;
}

/// Name expressions, each with the registers that it may keep in memory.
using Names = std::map<std::string, int>;

void expect_few_spills(const std::string& text, const Names& names, const std::string& target) {
  CompileRequest request{text, {}, target};
  for (const auto& [name, spills] : names) request.name_expressions.push_back(name);
  const auto program = compiled(request);
  ASSERT_EQ(program.kernels.size(), names.size());
  for (std::size_t i = 0; i < program.kernels.size(); ++i) {
    const CompiledKernel& kernel = program.kernels[i];
    const int spills = names.at(request.name_expressions[i]);
    EXPECT_LE(kernel.resources.spills, spills) << kernel.symbol;
    EXPECT_LE(kernel.resources.scratch_bytes, 8 * spills) << kernel.symbol;
    EXPECT_GT(kernel.resources.vector_registers.value_or(0), 0) << kernel.symbol;
    EXPECT_GT(kernel.resources.code_bytes.value_or(0), 0) << kernel.symbol;
  }
}

class CudaProbe : public NvrtcArchTest {};

TEST_P(CudaProbe, CompilesEveryShapeWithoutSpills) {
  const Limits limits = limits_of(GetParam());
  Names names{{kernels::empty_probe_name(limits), 0}};
  for (const ProbeKind kind : {ProbeKind::read, ProbeKind::cached_read, ProbeKind::copy}) {
    for (const auto& shape : kernels::probe_shapes(kind, limits)) {
      names[kernels::probe_name(kind, shape, limits)] = 0;
    }
  }
  expect_few_spills(kernels::probe_text(), names, GetParam());
}

INSTANTIATE_TEST_SUITE_P(Architectures, CudaProbe,
                         ::testing::Values("sm_80", "sm_90", "sm_100", "sm_120"),
                         [](const auto& test) { return std::string(test.param); });

const kernels::Family& reduce() {
  return kernels::find_family("reduce");
}

/// Every operator and type in turn; each with configs of every finish.
class CudaReduce : public NeedsNvrtc<::testing::TestWithParam<checks::OperatorCell>> {
 protected:
  static Problem problem() {
    // Every second so large that other kernels read it, of each operator other types.
    const auto [op, type] = GetParam();
    const bool is_large = (static_cast<int>(op) + static_cast<int>(type)) % 2 == 1;
    return make_problem(op, type, std::int64_t{1} << (is_large ? 26 : 22));
  }
  static std::size_t number() {
    const auto [op, type] = GetParam();
    return static_cast<std::size_t>(op) * all_dtypes().size() + static_cast<std::size_t>(type);
  }
};

/// None where elements are folded as they come. Smaller ones are widened, and the assembler of CUDA
/// 13.0 then keeps a few in memory, though it has more registers; blocks too large to give a thread
/// 255 of them are the tuner's to turn down.
int allowed_spills(const Settings& config, const Problem& problem) {
  const std::size_t bytes = info(problem.in).bytes;
  if (bytes >= 4) return bytes < info(problem.acc).bytes ? 8 : 0;
  const int block_size = std::stoi(std::ranges::find(config, "block_size", &Setting::name)->value);
  return block_size <= 256 ? 8 : 64;
}

/// The default, and one of each finish; in samples half of them, which take turns from cell to
/// cell.
TEST_P(CudaReduce, CompilesASampleOfConfigsWithFewSpills) {
  const auto configs =
      checks::every_nth(checks::sample(reduce(), problem(), limits(), number(), 9), 2, number());
  Names names;
  for (const Settings& config : configs) {
    for (const std::string& name : reduce().name_expressions(config, problem(), warp_size)) {
      names[name] = std::max(names[name], allowed_spills(config, problem()));
    }
  }
  EXPECT_GE(names.size(), configs.size() / 2);
  expect_few_spills(reduce().device_text(problem()), names, arch);
}

class CudaKnownShapes : public CudaReduce {};

TEST_P(CudaKnownShapes, SpillLittleAndTheDefaultNever) {
  Names names;
  for (const Settings& config : reduce().known_shapes(problem(), limits(), arch)) {
    for (const std::string& name : reduce().name_expressions(config, problem(), warp_size)) {
      names[name] = allowed_spills(config, problem());
    }
  }
  Names normal;
  const Settings config = reduce().default_settings(problem(), limits());
  for (const std::string& name : reduce().name_expressions(config, problem(), warp_size)) {
    names[name] = 0;
    normal[name] = 0;
  }
  expect_few_spills(reduce().device_text(problem()), names, arch);
  expect_few_spills(reduce().device_text(problem()), normal, "sm_80");
}

INSTANTIATE_TEST_SUITE_P(Some, CudaReduce, ::testing::ValuesIn(checks::some_operator_cells()),
                         checks::OperatorCellName());
INSTANTIATE_TEST_SUITE_P(Full, CudaReduce, ::testing::ValuesIn(checks::other_operator_cells()),
                         checks::OperatorCellName());

/// Of every fifth cell of the sample.
std::vector<checks::OperatorCell> some_known_shapes() {
  std::vector<checks::OperatorCell> cells = checks::some_operator_cells();
  std::erase_if(cells, [n = 0](const auto&) mutable { return n++ % 5 != 0; });
  return cells;
}

std::vector<checks::OperatorCell> other_known_shapes() {
  return checks::all_but(some_known_shapes(), checks::operator_cells(),
                         [](const checks::OperatorCell& cell) { return checks::axes_of(cell); });
}

INSTANTIATE_TEST_SUITE_P(Some, CudaKnownShapes, ::testing::ValuesIn(some_known_shapes()),
                         checks::OperatorCellName());
INSTANTIATE_TEST_SUITE_P(Full, CudaKnownShapes, ::testing::ValuesIn(other_known_shapes()),
                         checks::OperatorCellName());

/// NVRTC's text for the assembler, of one kernel; there is no disassembler beside it.
std::string ptx_of(const std::string& text, const std::string& name) {
  Dl_info nvrtc_file{};
  dladdr(reinterpret_cast<const void*>(nvrtc().CompileProgram), &nvrtc_file);
  void* library = dlopen(nvrtc_file.dli_fname, RTLD_NOW | RTLD_LOCAL);
  const auto ptx_size =
      reinterpret_cast<decltype(&nvrtcGetPTXSize)>(dlsym(library, "nvrtcGetPTXSize"));
  const auto get_ptx = reinterpret_cast<decltype(&nvrtcGetPTX)>(dlsym(library, "nvrtcGetPTX"));
  nvrtcProgram program = nullptr;
  EXPECT_EQ(nvrtc().CreateProgram(&program, text.c_str(), "k.cu", 0, nullptr, nullptr),
            NVRTC_SUCCESS);
  EXPECT_EQ(nvrtc().AddNameExpression(program, name.c_str()), NVRTC_SUCCESS);
  constexpr std::array options = {"--gpu-architecture=compute_90", "--std=c++17",
                                  "-DREDTUNE_CUDA=1"};
  EXPECT_EQ(nvrtc().CompileProgram(program, options.size(), options.data()), NVRTC_SUCCESS);
  std::size_t bytes = 0;
  EXPECT_EQ(ptx_size(program, &bytes), NVRTC_SUCCESS);
  std::string ptx(bytes, '\0');
  EXPECT_EQ(get_ptx(program, ptx.data()), NVRTC_SUCCESS);
  (void)nvrtc().DestroyProgram(&program);
  return ptx;
}

/// Lines of one kind of global loads, e.g. ".v4.b32"; the letter of the type is the compiler's.
std::vector<std::string> loads_of(const std::string& ptx, const std::string& pattern) {
  std::vector<std::string> found;
  std::istringstream lines(ptx);
  const std::regex load("\\sld\\.global\\S*" + pattern + "\\s");
  for (std::string line; std::getline(lines, line);) {
    if (std::regex_search(line, load)) found.push_back(line);
  }
  return found;
}

class CudaLoads : public NvrtcTest {
 protected:
  static std::string ptx(DType type, const std::string& settings) {
    return ptx(make_problem(Op::sum, type, std::int64_t{1} << 24), settings);
  }
  static std::string ptx(const Problem& problem, const std::string& settings) {
    Settings config = reduce().default_settings(problem, limits());
    for (const Setting& wanted : parse_settings(settings)) {
      std::ranges::find(config, wanted.name, &Setting::name)->value = wanted.value;
    }
    EXPECT_EQ(reduce().why_invalid(config, problem, limits()), "");
    return ptx_of(reduce().device_text(problem),
                  reduce().name_expressions(config, problem, warp_size)[0]);
  }
};

TEST_F(CudaLoads, SixteenBytesAreOneInstruction) {
  const std::initializer_list<std::pair<DType, const char*>> cases = {
      {DType::f32, "vector_width=4 items_per_thread=16"},
      {DType::i32, "vector_width=4 items_per_thread=16"},
      {DType::f64, "vector_width=2 items_per_thread=8"},
      {DType::u16, "vector_width=8 items_per_thread=32"},
      {DType::i8, "vector_width=16 items_per_thread=64"}};
  for (const auto& [type, width] : cases) {
    for (const std::string load : {"cached", "streaming"}) {
      const std::string text = ptx(
          type, std::string(width) + " block_size=256 finish=second_pass fence=full load=" + load);
      const auto loads = loads_of(text, "\\.(v4\\.[bfsu]32|v2\\.[bfsu]64)");
      // Four loads of a whole tile and four of the last one.
      EXPECT_EQ(loads.size(), 8U) << to_string(type) << load << text;
      for (const std::string& line : loads) {
        EXPECT_EQ(line.find(".cs") != std::string::npos, load == "streaming") << line;
        EXPECT_EQ(line.find(".nc"), std::string::npos) << line;  // may pass wait_for_previous()
      }
    }
  }
}

TEST_F(CudaLoads, NarrowerVectorsLoadLess) {
  const std::string common = " items_per_thread=16 block_size=256 finish=second_pass fence=full";
  EXPECT_TRUE(
      loads_of(ptx(DType::f32, "vector_width=1 load=cached" + common), "\\.v[24]\\.\\S+").empty());
  EXPECT_EQ(
      loads_of(ptx(DType::f32, "vector_width=2 load=cached" + common), "\\.v2\\.[bfsu]32").size(),
      16U);
}

std::size_t times(const std::string& text, const std::string& word) {
  std::size_t found = 0;
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
  return found;
}

TEST_F(CudaLoads, SlotsAreReadAndWrittenRelaxedWithoutAFence) {
  for (const DType type : {DType::f32, DType::f64, DType::u8}) {
    for (const std::string reader : {"wave", "block"}) {
      const std::string text = ptx(
          type, "finish=slots fence=full vector_width=2 slot_wait=missing slot_reader=" + reader);
      const std::string vector = type == DType::f32 ? "" : ".v2";  // two words for 64 bits
      EXPECT_GE(times(text, "st.relaxed.gpu.global" + vector + ".u64"), 2U) << text;
      EXPECT_GE(times(text, "ld.relaxed.gpu.global" + vector + ".u64"), 1U) << text;
      EXPECT_EQ(times(text, "nanosleep"), 0U) << text;
      EXPECT_EQ(times(text, "fence.") + times(text, "membar"), 0U) << text;
      EXPECT_EQ(times(text, "atom."), 0U) << text;
    }
  }
}

/// In a block of four waves: what a wave comes to in so many instructions of these kinds, and no
/// shuffle. One lane adds up the values of the waves.
TEST_F(CudaLoads, WordsOfAWaveAreFoldedByOneInstruction) {
  const auto reduxes = [](Op op, DType type, const std::vector<std::string>& kinds) {
    const Problem problem = make_problem(op, type, std::int64_t{1} << 24);
    const std::string text = ptx(problem, "finish=single_block block_size=128 blocks_per_unit=0");
    std::size_t found = 0;
    for (const std::string& kind : kinds) found += times(text, "redux.sync." + kind);
    EXPECT_EQ(times(text, "redux.sync"), found) << text;
    EXPECT_EQ(times(text, "shfl.") > 0, found == 0) << text;
    return found;
  };
  EXPECT_EQ(reduxes(Op::min, DType::i32, {"min.s32"}), 1U);
  EXPECT_EQ(reduxes(Op::max, DType::u8, {"max.u32"}), 1U);
  EXPECT_EQ(reduxes(Op::all, DType::f32, {"and.b32"}), 1U);
  EXPECT_EQ(reduxes(Op::bit_xor, DType::u64, {"xor.b32"}), 2U);
  EXPECT_EQ(reduxes(Op::sum, DType::i32, {"add.u32"}), 3U) << "of 64 bits, in three pieces";
  EXPECT_EQ(reduxes(Op::sum, DType::f32, {}), 0U);
  // Floats as integers of the same order; 64 bits in halves, the upper one with the sign.
  EXPECT_EQ(reduxes(Op::min, DType::f32, {"min.s32"}), 1U);
  EXPECT_EQ(reduxes(Op::max_ignore_nan, DType::bf16, {"max.s32"}), 1U);
  EXPECT_EQ(reduxes(Op::min, DType::i64, {"min.s32", "min.u32"}), 2U);
  EXPECT_EQ(reduxes(Op::max, DType::f64, {"max.s32", "max.u32"}), 2U);
  EXPECT_EQ(reduxes(Op::max, DType::u64, {"max.u32"}), 2U);
  // A value, and its place in a tile or its index; folded twice, but for an index looked up, the
  // values of whose waves one lane folds.
  EXPECT_EQ(reduxes(Op::argmax, DType::f32, {"max.s32", "min.u32"}), 2 * 2 + 2 * 3 + 2U);
  EXPECT_EQ(reduxes(Op::argmin_ignore_nan, DType::f64, {"min.s32", "min.u32"}), 2 * 3 + 2 * 4 + 2U);
}

TEST_F(CudaLoads, OneLaneTakesTheValuesOfWavesByLoadsOf16Bytes) {
  for (const auto& [type, threads, loads] :
       {std::tuple{DType::f32, 256, 2U}, {DType::f32, 512, 4U}, {DType::f64, 128, 2U}}) {
    const std::string text =
        ptx(type, fmt::format("finish=single_block block_size={} blocks_per_unit=0", threads));
    const std::string vector = type == DType::f32 ? "ld.shared.v4.f32" : "ld.shared.v2.f64";
    EXPECT_EQ(times(text, vector), loads) << text;
    EXPECT_EQ(times(text, "ld.shared."), loads) << text;
  }
}

/// The word of sum and count; where there is no room for both the sum alone, and a ticket between
/// two fences.
TEST_F(CudaLoads, ACountedWordIsAddedToOnce) {
  const std::string text = ptx(DType::i32, "finish=counted fence=full");
  EXPECT_EQ(times(text, "atom.global.add.u64") + times(text, "atom.add.u64"), 2U) << text;
  EXPECT_EQ(times(text, "membar.gl") + times(text, "fence."), 2U) << text;
}

TEST_F(CudaLoads, NothingIsLoadedBeforeTheWorkAheadHasEnded) {
  const std::string text = ptx(DType::f32, "vector_width=4");
  const auto wait = text.find("griddepcontrol.wait");
  ASSERT_NE(wait, std::string::npos);
  EXPECT_GT(text.find("ld.global"), wait);
}

// What NVRTC makes of the kernels that compare results, which no tune launches before there are
// many.

class CudaComparisons : public NvrtcArchTest {};

TEST_P(CudaComparisons, CompileForEveryTypeWithoutSpills) {
  const auto names = checks::compare_names(limits_of(GetParam()));
  const auto program = compiled({kernels::compare_text(), names, GetParam()});
  ASSERT_EQ(program.kernels.size(), names.size());
  for (const CompiledKernel& kernel : program.kernels) {
    EXPECT_EQ(kernel.resources.scratch_bytes, 0) << kernel.symbol;
  }
}

INSTANTIATE_TEST_SUITE_P(Architectures, CudaComparisons, ::testing::Values("sm_80", "sm_90"));

// What NVRTC makes of the atomics: every change of every type compiles, nothing is kept in memory.

class CudaAtomics : public NvrtcArchTest {};

TEST_P(CudaAtomics, CompileForEveryTypeWithoutSpills) {
  const auto names = checks::atomic_names();
  const auto program = compiled({checks::atomic_text(), names, GetParam()});
  ASSERT_EQ(program.kernels.size(), names.size());
  for (const CompiledKernel& kernel : program.kernels) {
    EXPECT_EQ(kernel.resources.scratch_bytes, 0) << kernel.symbol;
  }
}

INSTANTIATE_TEST_SUITE_P(Architectures, CudaAtomics, ::testing::Values("sm_80", "sm_90"));

// What NVRTC makes of the ladder: every step compiles for every type, nothing is kept in memory.
// In samples each type for one of the architectures.

constexpr const char* architectures[] = {"sm_80", "sm_90"};

class CudaLadder : public NvrtcArchTest {};

TEST_P(CudaLadder, CompilesEveryStepForEveryTypeWithoutSpills) {
  const auto turn = std::ranges::find(architectures, GetParam()) - std::begin(architectures);
  for (const DType in : checks::every_nth(kernels::ladder_types(), std::size(architectures),
                                          static_cast<std::size_t>(turn))) {
    const auto names = checks::ladder_names(in, limits_of(GetParam()));
    const auto program = compiled({kernels::ladder_text(), names, GetParam()});
    ASSERT_EQ(program.kernels.size(), names.size()) << to_string(in);
    for (std::size_t i = 0; i < names.size(); ++i) {
      EXPECT_EQ(program.kernels[i].resources.spills, 0) << names[i];
      EXPECT_EQ(program.kernels[i].resources.scratch_bytes, 0) << names[i];
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Architectures, CudaLadder, ::testing::ValuesIn(architectures));

// What NVRTC makes of the examples of users' kernels.

class CudaOwnKernels : public NeedsNvrtc<::testing::TestWithParam<std::string>> {};

TEST_P(CudaOwnKernels, Compile) {
  for (const CompileRequest& request : checks::own_kernel_requests(GetParam(), arch, limits())) {
    EXPECT_EQ(compiled(request).kernels.size(), request.name_expressions.size());
  }
}

INSTANTIATE_TEST_SUITE_P(Examples, CudaOwnKernels,
                         ::testing::ValuesIn(checks::own_kernel_examples()),
                         checks::own_kernel_name);

}  // namespace
}  // namespace redtune::device::cuda::testing
