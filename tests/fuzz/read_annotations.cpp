// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Descriptions in comments of kernels.
#include "tests/fuzz/description_promises.hpp"

namespace redtune::fuzz {

void read_annotations(std::string_view bytes) {
  read_description_by(kernels::description_in_comments, bytes);
}

std::vector<std::string> annotations_samples() {
  return {
      "// redtune: kernel a::row_sum<float, BLOCK>\n// redtune: tune BLOCK = 64..256 pow2 default "
      "128\n"
      "// redtune: tune T = float, \"unsigned int\", true, 0.5\n// redtune: require BLOCK % WAVE "
      "== 0\n"
      "// redtune: size n = 2^10, 1000..4000 step 1000\n// redtune: launch block = BLOCK, 2\n"
      "// redtune: + grid = ceil(n / BLOCK) shared = BLOCK * ELEMENT_in args = out, in, n\n"
      "// redtune: reference plain block = 1 grid = 1\n// redtune: arg float out[n] out\n"
      "// redtune: arg const float4 in[n] uniform(-1, 1e3)\n// redtune: arg int n\n"
      "// redtune: check out within 1e-5 or 4 ulps of kernel plain\n// redtune: traffic 8 * n\nint "
      "x;\n",
      "// redtune: kernel k\n// redtune: launch block = 1 grid = 1\n// redtune: arg int a[1] inout "
      "zero\n"
      "// redtune: arg constant double c[9] file \"a b\"\n// redtune: arg float x = -1.5\n"
      "// redtune: arg unsigned char s[7] scratch each(i % 3)\n// redtune: check a exact of file "
      "e\n"};
}

}  // namespace redtune::fuzz
