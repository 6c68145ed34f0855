# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors

# What `cmake --install` lays down, relocatable. Components: runtime (the library), hip (its module
# for AMD GPUs), dev (headers and CMake package), tools (the redtune program).
include(CMakePackageConfigHelpers)

# Every header of include/redtune but the one whose functions the library keeps to itself.
set(written ${PROJECT_SOURCE_DIR}/include)
set(generated ${PROJECT_BINARY_DIR}/include/generated)
file(GLOB public_headers CONFIGURE_DEPENDS ${written}/redtune/*.hpp)
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

# The program finds the library from where it stands, wherever the prefix is moved to.
if(TARGET redtune_cli)
  file(RELATIVE_PATH bin_to_lib /${CMAKE_INSTALL_BINDIR} /${CMAKE_INSTALL_LIBDIR})
  set_target_properties(redtune_cli PROPERTIES INSTALL_RPATH "$ORIGIN/${bin_to_lib}")
  install(TARGETS redtune_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT tools)
endif()

foreach(document LICENSE README.md)
  if(EXISTS ${PROJECT_SOURCE_DIR}/${document})
    install(FILES ${PROJECT_SOURCE_DIR}/${document} DESTINATION ${CMAKE_INSTALL_DOCDIR}
            COMPONENT runtime)
  endif()
endforeach()
