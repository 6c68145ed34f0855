# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors

# The libraries redtune is built with: the system's shared ones, or, for a portable build, none that
# has to be there at run time.
option(REDTUNE_PORTABLE "Take Boost, fmt, spdlog, SQLite and zlib in, to run where they are missing" OFF)

# CMake 4.3 calls it SQLite3::SQLite3, and the name of before deprecated.
macro(redtune_find_sqlite)
  find_package(SQLite3 3.37 REQUIRED)
  if(NOT TARGET SQLite3::SQLite3)
    add_library(SQLite3::SQLite3 ALIAS SQLite::SQLite3)
  endif()
endmacro()

find_package(Threads REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
# By its headers alone everywhere: distributions that package a library of it say so by its targets.
find_path(REDTUNE_TOMLPLUSPLUS_INCLUDE_DIR toml++/toml.h REQUIRED)
mark_as_advanced(REDTUNE_TOMLPLUSPLUS_INCLUDE_DIR)
add_library(tomlplusplus::tomlplusplus INTERFACE IMPORTED)
target_include_directories(tomlplusplus::tomlplusplus INTERFACE ${REDTUNE_TOMLPLUSPLUS_INCLUDE_DIR})
set(ZLIB_USE_STATIC_LIBS ${REDTUNE_PORTABLE})
find_package(ZLIB REQUIRED)
if(NOT REDTUNE_PORTABLE)
  find_package(fmt REQUIRED)
  find_package(spdlog REQUIRED)
  redtune_find_sqlite()
  find_package(Boost 1.74 REQUIRED COMPONENTS program_options context)
  return()
endif()

# fmt and spdlog by their headers alone: distributions seldom package them as static libraries.
find_path(REDTUNE_FMT_INCLUDE_DIR fmt/format-inl.h REQUIRED)
find_path(REDTUNE_SPDLOG_INCLUDE_DIR spdlog/spdlog-inl.h REQUIRED)
mark_as_advanced(REDTUNE_FMT_INCLUDE_DIR REDTUNE_SPDLOG_INCLUDE_DIR)
add_library(fmt::fmt INTERFACE IMPORTED)
target_include_directories(fmt::fmt INTERFACE ${REDTUNE_FMT_INCLUDE_DIR})
target_compile_definitions(fmt::fmt INTERFACE FMT_HEADER_ONLY=1)
add_library(spdlog::spdlog INTERFACE IMPORTED)
target_include_directories(spdlog::spdlog INTERFACE ${REDTUNE_SPDLOG_INCLUDE_DIR})
target_compile_definitions(spdlog::spdlog INTERFACE SPDLOG_FMT_EXTERNAL=1)
target_link_libraries(spdlog::spdlog INTERFACE fmt::fmt Threads::Threads)

find_library(SQLite3_LIBRARY libsqlite3.a REQUIRED)
redtune_find_sqlite()
get_target_property(sqlite SQLite3::SQLite3 ALIASED_TARGET)
if(NOT sqlite)
  set(sqlite SQLite3::SQLite3)
endif()
target_link_libraries(${sqlite} INTERFACE m ${CMAKE_DL_LIBS} Threads::Threads)

set(Boost_USE_STATIC_LIBS ON)
find_package(Boost 1.74 REQUIRED COMPONENTS program_options context)
