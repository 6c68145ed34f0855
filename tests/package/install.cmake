# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors

# Installs BUILD into DIR/prefix, and into another prefix that is then moved to "DIR/moved prefix";
# checks what is there, and that nothing in it knows where it was built.
include(${CMAKE_CURRENT_LIST_DIR}/files.cmake NO_POLICY_SCOPE)

file(REMOVE_RECURSE ${DIR}/prefix ${DIR}/staging "${DIR}/moved prefix")
foreach(prefix prefix staging)
  execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --config "${CONFIG}" --prefix
                          ${DIR}/${prefix} OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
endforeach()
file(RENAME ${DIR}/staging "${DIR}/moved prefix")

set(expected
    ${LIBDIR}/libredtune.so
    ${LIBDIR}/libredtune.so.${ABI}
    ${LIBDIR}/cmake/redtune/redtuneConfig.cmake
    ${LIBDIR}/cmake/redtune/redtuneConfigVersion.cmake
    ${LIBDIR}/cmake/redtune/redtuneTargets.cmake
    ${LIBDIR}/pkgconfig/redtune.pc
    bin/redtune
    include/redtune/reducer.hpp
    include/redtune/ops.def
    include/redtune/version.hpp
    lib/systemd/system/redtune@.service
    lib/systemd/user/redtune.service
    share/bash-completion/completions/redtune
    share/doc/redtune/LICENSE
    share/doc/redtune/README.md
    share/doc/redtune/docs/reference/cli.md
    share/doc/redtune/examples/CMakeLists.txt
    share/fish/vendor_completions.d/redtune.fish
    share/man/man1/redtune.1
    share/man/man1/redtune-tune.1)
if(EXISTS ${SOURCE}/include/redtune.h)
  list(APPEND expected include/redtune.h)
endif()
foreach(platform hip cuda)
  string(TOUPPER ${platform} upper)
  if(WITH_${upper})
    list(APPEND expected ${LIBDIR}/redtune/libredtune_${platform}.so)
  endif()
endforeach()
if(WITH_PYTHON)
  foreach(file __init__.py __init__.pyi _built.py _reducer.py _redtune.abi3.so py.typed)
    list(APPEND expected ${PYTHON_SITE}/redtune/${file})
  endforeach()
endif()
foreach(file IN LISTS expected)
  if(NOT EXISTS ${DIR}/prefix/${file})
    fail("${file} is not installed")
  endif()
endforeach()

# Whatever else there is has a reason to be there: no static library, no header of another room, no
# test, no tool of the build.
set(known
    "bin/redtune"
    "${LIBDIR}/(libredtune\\.so[.0-9]*|redtune/libredtune_(hip|cuda)\\.so)"
    "${LIBDIR}/(cmake/redtune/redtune[A-Za-z-]*\\.cmake|pkgconfig/redtune\\.pc)"
    "${PYTHON_SITE}/redtune/([a-z_]+\\.pyi?|py\\.typed|_redtune\\.abi3\\.so)"
    "lib/systemd/(system/redtune@|user/redtune)\\.service"
    "include/redtune(\\.h|/[a-z_]+\\.(h|hpp|def))"
    "share/man/man1/redtune[a-z-]*\\.1"
    "share/[a-z/_.-]*completions[a-z.]*/_?redtune(\\.fish)?|share/zsh/site-functions/_redtune"
    "share/doc/redtune/(LICENSE|[A-Z]+\\.md|notices/[a-z0-9-]+)"
    "share/doc/redtune/docs/[A-Za-z0-9/_-]+\\.(md|svg)"
    "share/doc/redtune/examples/([a-z_]+/)?(CMakeLists\\.txt|[a-z_]+(\\.hip)?\\.(c|cpp|h|hpp))")
files_below(strays ${DIR}/prefix)
foreach(pattern IN LISTS known)
  list(FILTER strays EXCLUDE REGEX "^(${pattern})$")
endforeach()
if(strays)
  fail("not meant to be installed: ${strays}")
endif()

file(GLOB package_files ${DIR}/prefix/${LIBDIR}/cmake/redtune/*.cmake
     ${DIR}/prefix/${LIBDIR}/pkgconfig/*.pc)
foreach(file IN LISTS package_files)
  file(READ ${file} text)
  foreach(word ${BUILD} ${DIR} fmt:: Boost nlohmann SQLite redtune_)
    string(FIND "${text}" "${word}" position)
    if(NOT position EQUAL -1)
      fail("${file} mentions ${word}, which consumers do not have")
    endif()
  endforeach()
endforeach()

# Where HIP was found may be written down; nothing else is looked for at a fixed place.
file(GLOB binaries ${DIR}/prefix/bin/* ${DIR}/prefix/${LIBDIR}/*.so
     ${DIR}/prefix/${LIBDIR}/redtune/*.so)
foreach(file IN LISTS binaries)
  execute_process(COMMAND ${READELF} -dW ${file} OUTPUT_VARIABLE dynamic COMMAND_ERROR_IS_FATAL ANY)
  if(dynamic MATCHES "R(UN)?PATH\\)[^\n]*\\[([^]\n]*)\\]" AND NOT file MATCHES "_hip\\.so$")
    fail("${file} looks for libraries in ${CMAKE_MATCH_2}")
  endif()
  string(FIND "${dynamic}" "${BUILD}" position)
  if(NOT position EQUAL -1)
    fail("${file} looks for libraries where it was built:\n${dynamic}")
  endif()
endforeach()

# Programs remember the library by this name: another number is another library.
set(library ${DIR}/prefix/${LIBDIR}/libredtune.so)
execute_process(COMMAND ${READELF} -dW ${library} OUTPUT_VARIABLE dynamic
                        COMMAND_ERROR_IS_FATAL ANY)
if(NOT dynamic MATCHES "SONAME\\)[^\n]*\\[libredtune\\.so\\.${ABI}\\]")
  fail("the library is not called libredtune.so.${ABI}:\n${dynamic}")
endif()

# The library shows the public API and nothing else of redtune.
execute_process(COMMAND ${NM} -D --defined-only -C ${library} OUTPUT_VARIABLE symbols
                        COMMAND_ERROR_IS_FATAL ANY)
set(private "redtune::(cache|device|kernels|runtime|search)::|fmt::|nlohmann")
if(NOT symbols MATCHES "redtune::find_best" OR symbols MATCHES "${private}")
  fail("libredtune.so shows the wrong symbols:\n${symbols}")
endif()
