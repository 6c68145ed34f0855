# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors

# Debian packages of what is installed, one for each component, by CPack: `cpack` in the build
# folder, or `./dev packages`. Where dpkg does not know what is installed nothing is set up.
find_program(REDTUNE_DPKG dpkg)
find_program(REDTUNE_SHLIBDEPS dpkg-shlibdeps)
mark_as_advanced(REDTUNE_DPKG REDTUNE_SHLIBDEPS)
if(NOT REDTUNE_DPKG OR NOT REDTUNE_SHLIBDEPS OR NOT EXISTS /var/lib/dpkg/status)
  return()
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME redtune)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # each package has its own
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/debian_papers.cmake)
set(CPACK_THREADS 0)

# Debian's own variables say who builds a package; .invalid is nobody's domain (RFC 2606).
set(builder "the redtune authors <unset@redtune.invalid>")
if(DEFINED ENV{DEBEMAIL})
  set(builder "$ENV{DEBFULLNAME} <$ENV{DEBEMAIL}>")
endif()
set(REDTUNE_PACKAGE_MAINTAINER "${builder}" CACHE STRING "Who packages are from: NAME <ADDRESS>")
mark_as_advanced(REDTUNE_PACKAGE_MAINTAINER)

set(CPACK_DEBIAN_PACKAGE_MAINTAINER "${REDTUNE_PACKAGE_MAINTAINER}")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Where the library is that the module of Python's is linked to, which is in another package.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_LIBRARY_OUTPUT_DIRECTORY})
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_COMPONENTS_ALL "")

# debian_package(COMPONENT c NAME n SECTION s SUMMARY text DESCRIPTION text [DEPENDS ...] ...)
macro(debian_package)
  cmake_parse_arguments(arg "" "COMPONENT;NAME;SECTION;SUMMARY;DESCRIPTION"
                        "DEPENDS;RECOMMENDS;SUGGESTS;ENHANCES" ${ARGN})
  list(APPEND CPACK_COMPONENTS_ALL ${arg_COMPONENT})
  string(TOUPPER ${arg_COMPONENT} component)
  set(CPACK_DEBIAN_${component}_PACKAGE_NAME ${arg_NAME})
  set(CPACK_DEBIAN_${component}_PACKAGE_SECTION ${arg_SECTION})
  set(CPACK_DEBIAN_${component}_DESCRIPTION "${arg_SUMMARY}\n${arg_DESCRIPTION}")
  foreach(relation DEPENDS RECOMMENDS SUGGESTS ENHANCES)
    list(JOIN arg_${relation} ", " packages)
    set(CPACK_DEBIAN_${component}_PACKAGE_${relation} "${packages}")
  endforeach()
endmacro()

# All of one build: a module serves the library and the program of its own version.
set(library libredtune${REDTUNE_ABI})
set(same_library "${library} (= ${PROJECT_VERSION})")
debian_package(
  COMPONENT runtime NAME ${library} SECTION libs
  SUMMARY "auto-tuned reductions for every GPU"
  DESCRIPTION
    "A library for sum, min, max, argmin and others over arrays, on AMD GPUs, NVIDIA
GPUs or the processor. It looks up the launch parameters that were found to be
the fastest on this device, and launches. redtune-tools finds them."
  SUGGESTS libredtune-hip libredtune-cuda redtune-tools "g++ | c++-compiler")
if(TARGET redtune_hip)
  debian_package(
    COMPONENT hip NAME libredtune-hip SECTION libs
    SUMMARY "auto-tuned reductions for every GPU - AMD GPUs"
    DESCRIPTION "The part of redtune that compiles for AMD GPUs and runs on them, by HIP."
    DEPENDS "${same_library}"
    ENHANCES ${library} redtune-tools)
endif()
if(TARGET redtune_cuda)
  debian_package(
    COMPONENT cuda NAME libredtune-cuda SECTION libs
    SUMMARY "auto-tuned reductions for every GPU - NVIDIA GPUs"
    DESCRIPTION
      "The part of redtune that compiles for NVIDIA GPUs and runs on them. It opens
the driver (libcuda.so.1) and NVRTC of CUDA 12 or later when it is used, from
wherever they were installed."
    DEPENDS "${same_library}"
    SUGGESTS libcuda1 libnvrtc12
    ENHANCES ${library} redtune-tools)
endif()
debian_package(
  COMPONENT tools NAME redtune-tools SECTION utils
  SUMMARY "auto-tuned reductions for every GPU - program"
  DESCRIPTION
    "The program redtune: it finds the launch parameters with which a reduction is
fastest on a device, keeps them for libredtune, and shows, compares and
reduces. With manual pages, completions for shells, and documentation."
  DEPENDS "${same_library}"
  RECOMMENDS "g++ | c++-compiler"
  SUGGESTS libredtune-hip libredtune-cuda libpq5)
if(TARGET redtune_python)
  debian_package(
    COMPONENT python NAME python3-redtune SECTION python
    SUMMARY "auto-tuned reductions for every GPU - Python"
    DESCRIPTION
      "The package redtune for Python: sum, min, max, argmin and others over arrays of
torch, CuPy and NumPy, where they lie; look-ups, tuning and reports."
    DEPENDS "${same_library}" "python3 (>= 3.10)"
    RECOMMENDS redtune-tools python3-numpy
    SUGGESTS python3-torch libredtune-hip libredtune-cuda)
endif()
debian_package(
  COMPONENT dev NAME libredtune-dev SECTION libdevel
  SUMMARY "auto-tuned reductions for every GPU - development files"
  DESCRIPTION
    "Headers, CMake package, pkg-config file and examples, to build programs
that use redtune."
  DEPENDS "${same_library}"
  SUGGESTS redtune-tools)
# Programs that are linked to the library need this version of it or a later one.
set(control ${PROJECT_BINARY_DIR}/debian_control)
file(WRITE ${control}/shlibs "libredtune ${REDTUNE_ABI} ${library} (>= ${PROJECT_VERSION})\n")
file(WRITE ${control}/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA ${control}/shlibs ${control}/triggers)
# What Python writes beside modules when root runs it goes with them.
file(
  WRITE ${control}/prerm
  "#!/bin/sh\nset -e\nrm -rf \"$\{DPKG_ROOT:-}/usr/${REDTUNE_PYTHON_SITE}/redtune/__pycache__\"\n")
file(CHMOD ${control}/prerm PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ
                                        WORLD_EXECUTE)
set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA ${control}/prerm)

# What each package holds beside its component's files.
set(CPACK_REDTUNE_SOURCE ${PROJECT_SOURCE_DIR})
set(CPACK_REDTUNE_VERSION ${PROJECT_VERSION})
foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  string(TOUPPER ${component} upper)
  list(APPEND CPACK_REDTUNE_PACKAGES ${component}=${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
endforeach()
include(CPack)
