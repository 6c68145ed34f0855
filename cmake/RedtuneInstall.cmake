# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors

# What `cmake --install` lays down, relocatable. Components: runtime (the library), hip and cuda (its
# modules for GPUs), python (the package of Python), dev (headers, CMake and pkg-config files, examples), tools (the program, its
# manual pages and completions, the documentation).
include(CMakePackageConfigHelpers)

# Every public header but the one whose functions the library keeps to itself.
set(written ${PROJECT_SOURCE_DIR}/include)
set(generated ${PROJECT_BINARY_DIR}/include/generated)
file(GLOB public_headers CONFIGURE_DEPENDS ${written}/*.h ${written}/redtune/*.h
     ${written}/redtune/*.hpp)
list(FILTER public_headers EXCLUDE REGEX "/suggest\\.hpp$")
list(APPEND public_headers ${generated}/redtune/version.hpp)
file(GLOB public_tables CONFIGURE_DEPENDS ${written}/redtune/*.def)
target_sources(
  redtune_runtime
  PUBLIC FILE_SET HEADERS BASE_DIRS ${written} ${generated} FILES ${public_headers}
  PUBLIC FILE_SET tables TYPE HEADERS BASE_DIRS ${written} FILES ${public_tables})
set_target_properties(
  redtune_runtime PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON
                             INTERFACE_HEADER_SETS_TO_VERIFY HEADERS)

install(
  TARGETS redtune_runtime
  EXPORT redtune
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime NAMELINK_COMPONENT dev
  FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev
  FILE_SET tables DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/redtune)
install(
  EXPORT redtune
  NAMESPACE redtune::
  FILE redtuneTargets.cmake
  DESTINATION ${package_folder}
  COMPONENT dev)
configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/cmake/redtuneConfig.cmake.in ${PROJECT_BINARY_DIR}/redtuneConfig.cmake
  INSTALL_DESTINATION ${package_folder} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/redtuneConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(
  FILES ${PROJECT_BINARY_DIR}/redtuneConfig.cmake ${PROJECT_BINARY_DIR}/redtuneConfigVersion.cmake
  DESTINATION ${package_folder}
  COMPONENT dev)

# For builds without CMake. It finds the prefix from where it stands, as the CMake package does.
set(pkg_config_folder ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH REDTUNE_PC_TO_PREFIX /${pkg_config_folder} /)
string(REGEX REPLACE "/$" "" REDTUNE_PC_TO_PREFIX "${REDTUNE_PC_TO_PREFIX}")
configure_file(${PROJECT_SOURCE_DIR}/cmake/redtune.pc.in ${PROJECT_BINARY_DIR}/redtune.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/redtune.pc DESTINATION ${pkg_config_folder} COMPONENT dev)

set(papers ${CMAKE_INSTALL_DOCDIR})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${papers} COMPONENT runtime)

# Licences that ask to be passed on with binaries, of libraries that are taken in as headers. Of
# those in a portable build, Boost's does not and SQLite has none.
set(taken_in nlohmann-json3 tomlplusplus)
if(REDTUNE_PORTABLE)
  list(APPEND taken_in fmt spdlog)
  if(REDTUNE_SODIUM_LIBRARY)
    list(APPEND taken_in sodium)
  endif()
endif()
foreach(library IN LISTS taken_in)
  find_file(
    REDTUNE_NOTICE_${library} NAMES copyright LICENSE LICENSE.MIT LICENSE.rst
    PATHS /usr/share/doc/lib${library}-dev /usr/share/doc/${library}-dev
          /usr/share/licenses/${library}-devel /usr/share/licenses/${library}
    NO_DEFAULT_PATH)
  mark_as_advanced(REDTUNE_NOTICE_${library})
  if(REDTUNE_NOTICE_${library})
    install(FILES ${REDTUNE_NOTICE_${library}} DESTINATION ${papers}/notices RENAME ${library}
            COMPONENT runtime)
  else()
    message(STATUS "no licence of ${library} found: add it before you publish what is built")
  endif()
endforeach()

install(
  DIRECTORY ${PROJECT_SOURCE_DIR}/examples
  DESTINATION ${papers}
  COMPONENT dev
  FILES_MATCHING
  PATTERN "*.c"
  PATTERN "*.cpp"
  PATTERN "*.h"
  PATTERN "*.hpp"
  PATTERN CMakeLists.txt)

# Beside one another as in the source, so that the links from page to page hold.
install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md
              ${PROJECT_SOURCE_DIR}/CONTRIBUTING.md
        DESTINATION ${papers} COMPONENT tools)
install(
  DIRECTORY ${PROJECT_SOURCE_DIR}/docs
  DESTINATION ${papers}
  COMPONENT tools
  FILES_MATCHING
  PATTERN "*.md"
  PATTERN "*.svg")
install(TARGETS redtune_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT tools)
install(DIRECTORY ${REDTUNE_MANUAL}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT tools)

# Where each shell looks below a prefix such as /usr.
set(REDTUNE_BASH_COMPLETIONS ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
    CACHE STRING "Where bash looks for completions")
set(REDTUNE_ZSH_COMPLETIONS ${CMAKE_INSTALL_DATADIR}/zsh/site-functions
    CACHE STRING "Where zsh looks for completions; on Debian share/zsh/vendor-completions")
set(REDTUNE_FISH_COMPLETIONS ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d
    CACHE STRING "Where fish looks for completions")
mark_as_advanced(REDTUNE_BASH_COMPLETIONS REDTUNE_ZSH_COMPLETIONS REDTUNE_FISH_COMPLETIONS)
install(FILES ${REDTUNE_MANUAL}/bash/redtune DESTINATION ${REDTUNE_BASH_COMPLETIONS}
        COMPONENT tools)
install(FILES ${REDTUNE_MANUAL}/zsh/_redtune DESTINATION ${REDTUNE_ZSH_COMPLETIONS}
        COMPONENT tools)
install(FILES ${REDTUNE_MANUAL}/fish/redtune.fish DESTINATION ${REDTUNE_FISH_COMPLETIONS}
        COMPONENT tools)

# Units of systemd; nothing enables them. systemd finds the program on its own path.
set(REDTUNE_SYSTEMD_UNITS lib/systemd CACHE STRING "Where systemd looks for units")
mark_as_advanced(REDTUNE_SYSTEMD_UNITS)
install(FILES ${PROJECT_SOURCE_DIR}/cmake/systemd/redtune@.service
        DESTINATION ${REDTUNE_SYSTEMD_UNITS}/system COMPONENT tools)
install(FILES ${PROJECT_SOURCE_DIR}/cmake/systemd/redtune.service
        DESTINATION ${REDTUNE_SYSTEMD_UNITS}/user COMPONENT tools)
