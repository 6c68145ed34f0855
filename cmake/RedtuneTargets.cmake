# How every target of redtune is compiled: C++20, position independent, warnings on, sanitizers on demand.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "Build type" FORCE)
endif()

add_library(redtune_options INTERFACE)
target_compile_options(
  redtune_options INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wno-missing-field-initializers
                            $<$<BOOL:${REDTUNE_WARNINGS_AS_ERRORS}>:-Werror>)
# Together, files see names of each other that they do not hide: ./dev test full builds them apart.
if(NOT CMAKE_UNITY_BUILD)
  target_compile_options(redtune_options INTERFACE -Wshadow)
elseif(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC looks for garbage whenever what it holds has doubled: a tenth of the time of many files, for a
  # few hundred MB less.
  target_compile_options(redtune_options INTERFACE -Wshadow=local
                                                   $<$<COMPILE_LANGUAGE:CXX>:--param=ggc-min-heapsize=1048576>)
endif()
if(REDTUNE_SANITIZE)
  # A finding ends the program: a test whose output nobody reads must fail.
  target_compile_options(redtune_options INTERFACE -fsanitize=${REDTUNE_SANITIZE}
                                                   -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(redtune_options INTERFACE -fsanitize=${REDTUNE_SANITIZE})
endif()

# redtune_build_fast(): what this folder compiles computes little, and may be optimised less.
macro(redtune_build_fast)
  if(REDTUNE_BUILD_FAST AND CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
    add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Og>)
  endif()
endmacro()

# redtune_runs_much(target ...): tests compute in these for longer than their compilation takes, so they are
# optimised as if for users.
function(redtune_runs_much)
  if(REDTUNE_BUILD_FAST AND CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
    foreach(target IN LISTS ARGN)
      target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-O2>)
    endforeach()
  endif()
endfunction()

# redtune_library(NAME room SOURCES ... LIBRARIES ...): one room as a static library.
function(redtune_library)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME" "SOURCES;LIBRARIES;PRIVATE")
  add_library(${arg_NAME} STATIC ${arg_SOURCES})
  target_link_libraries(${arg_NAME} PUBLIC ${arg_LIBRARIES} PRIVATE ${arg_PRIVATE}
                                           $<BUILD_INTERFACE:redtune_options>)
  target_include_directories(${arg_NAME} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>)
endfunction()
