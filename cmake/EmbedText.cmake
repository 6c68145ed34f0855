# Writes OUT, a C++ source that holds the text of FILES (relative to ROOT) as embedded_files().
# The texts are written as they are: no configure step that could change an @ or a $.
set(rows "")
file(
  WRITE ${OUT}
  "#include <array>\n\n#include \"kernel_templates/device_text.hpp\"\n\n"
  "namespace redtune::kernels {\n\nstd::span<const EmbeddedFile> embedded_files() {\n"
  "  static constexpr std::array files{\n")
foreach(file IN LISTS FILES)
  file(READ ${ROOT}/${file} text)
  file(APPEND ${OUT} "      EmbeddedFile{\"${file}\", R\"redtune(${text})redtune\"},\n")
endforeach()
file(APPEND ${OUT} "  };\n  return files;\n}\n\n}  // namespace redtune::kernels\n")
