# Writes OUT, a C++ source that holds the text of FILES (relative to ROOT) as embedded_files() of
# NAMESPACE, whose HEADER declares it and EmbeddedFile.
# The texts are written as they are: no configure step that could change an @ or a $.
file(
  WRITE ${OUT}
  "#include <array>\n\n#include \"${HEADER}\"\n\n"
  "namespace ${NAMESPACE} {\n\nstd::span<const EmbeddedFile> embedded_files() {\n"
  "  static constexpr std::array files{\n")
foreach(file IN LISTS FILES)
  file(READ ${ROOT}/${file} text)
  file(APPEND ${OUT} "      EmbeddedFile{\"${file}\", R\"redtune(${text})redtune\"},\n")
endforeach()
file(APPEND ${OUT} "  };\n  return files;\n}\n\n}  // namespace ${NAMESPACE}\n")
