// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Descriptions in T1.
#include "tests/fuzz/description_promises.hpp"

namespace redtune::fuzz {

void read_t1(std::string_view bytes) {
  read_description_by(kernels::description_from_t1, bytes);
}

std::vector<std::string> t1_samples() {
  return {
      R"json({"ConfigurationSpace":{"TuningParameters":[{"Name":"B","Type":"int","Values":"[2**i for i in range(3) if i > 0] + list(range(8, 0, -4))","Default":"2"},{"Name":"W","Values":["a",1,0.5,true]}],
"Conditions":[{"Expression":"B <= 8"}]},"BenchmarkConfig":{"c":3},"KernelSpecification":{"Language":"CUDA","KernelName":"k","KernelFile":"k.cu","CompilerOptions":["-DX=1"],
"ProblemSize":["100",2],"GridDivX":["B"],"LocalSize":{"X":"B"},"SharedMemory":4,"Arguments":[{"Name":"o","Type":"float4","MemoryType":"Vector","Size":"max(B) * 4","Output":1},
{"Type":"int32","MemoryType":"Scalar","FillValue":3},{"Name":"c","Type":"half","MemType":"Constant","MemoryType":"Vector","Size":9,"FillType":"Random"}],
"ReferenceArguments":[{"TargetName":"o","FillType":"BinaryRaw","DataSource":"o.bin","ValidationThreshold":0.1}]}})json"};
}

}  // namespace redtune::fuzz
