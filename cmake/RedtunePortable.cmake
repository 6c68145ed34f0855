# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors

# What a portable build adds to the targets and to what is installed; why: docs/decisions/
# 0008-one-unwinder-per-process.md. How it is used: docs/how-to/copy_to_another_machine.md.

# The program has its own C++ library, the machine's unwinder. Without unused sections it asks for
# an older glibc: that of GCC 12 names arc4random in a part that nothing calls.
target_link_options(redtune_cli PRIVATE -static-libstdc++ -shared-libgcc -Wl,--gc-sections)

# Where AMD installs HIP, rather than where this machine has it.
if(TARGET redtune_hip)
  set_target_properties(redtune_hip PROPERTIES INSTALL_RPATH_USE_LINK_PATH OFF INSTALL_RPATH
                                                                               /opt/rocm/lib)
endif()

enable_testing()
add_subdirectory(tests/portable)
