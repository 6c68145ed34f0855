// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Users' files as compilers get them.
#include "kernel_templates/description/kernel_text.hpp"

#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>

#include "kernel_templates/description/kernel_plan.hpp"
#include "tests/descriptions/described.hpp"
#include "tests/support/scratch_folder.hpp"

namespace redtune::kernels {
namespace {

class KernelText : public ::testing::Test {
 protected:
  void write(const std::string& name, std::string_view text) const {
    std::filesystem::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
  }
  [[nodiscard]] std::string path(const std::string& name) const {
    return (folder_ / name).string();
  }

  checks::ScratchFolder folder_;
};

TEST_F(KernelText, HasItsOwnFilesInsideAndNoHeadersOfVendors) {
  write("k.cpp",
        "#include <hip/hip_runtime.h>\n#include <math.h>\n# include \"sub/a.h\"\nint k;\n"
        "#include \"sub/a.h\"\n");
  write("sub/a.h", "#pragma once\n#include \"b.h\"\nint a;");
  write("sub/b.h", "int b;\n");
  EXPECT_EQ(
      text_with_includes(path("k.cpp")),
      fmt::format("#line 1 \"{0}\"\n\n#include <math.h>\n#line 1 \"{1}\"\n\n#line 1 \"{2}\"\n"
                  "int b;\n#line 3 \"{1}\"\nint a;\n#line 4 \"{0}\"\nint k;\n#line 6 \"{0}\"\n",
                  path("k.cpp"), path("sub/a.h"), path("sub/b.h")));
}

TEST_F(KernelText, TellsThePlaceOfAFileThatIsNotThere) {
  write("k.cpp", "int k;\n  #include \"gone.h\"\n");
  EXPECT_EQ(testing::why_refused([&] { return text_with_includes(path("k.cpp")); }),
            fmt::format("{}:2:12: there is no file {}", path("k.cpp"), path("gone.h")));
}

TEST_F(KernelText, OfFilesThatIncludeThemselvesIsRefused) {
  write("k.cpp", "#include \"k.cpp\"\n");
  EXPECT_NE(testing::why_refused([&] {
              return text_with_includes(path("k.cpp"));
            }).find("more than 32 files include each other"),
            std::string::npos);
}

TEST(KernelPrograms, TellWordsToThoseWhoDoNotKnowThem) {
  const KernelDescription all = description_in_comments(
      testing::row_sum_with("tune    BLOCK", "tune    ITEMS = 4\n// redtune: tune    BLOCK"),
      "k.cpp");
  Limits limits;
  limits.wave_size = 32;
  const search::Point config = default_config(all);
  EXPECT_EQ(program_of(all, "text", config, KernelWords::known, limits), "#define ITEMS 4\ntext");
  const std::string told = program_of(all, "text", config, KernelWords::told, limits);
  EXPECT_TRUE(told.starts_with("#define warpSize 32\n")) << told.substr(0, 40);
  EXPECT_NE(told.find("#define __global__"), std::string::npos);
  EXPECT_TRUE(told.ends_with("#define ITEMS 4\ntext"));
}

}  // namespace
}  // namespace redtune::kernels
