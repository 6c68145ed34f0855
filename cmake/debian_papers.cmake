# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors

# Run by CPack between installing and packing: what Debian's policy asks for in each package, and
# the folder for the results of a whole machine.

# gzip(FILE): without name and time, so that the same text gives the same bytes.
function(gzip file)
  execute_process(COMMAND gzip -9n ${file} COMMAND_ERROR_IS_FATAL ANY)
  file(CHMOD ${file}.gz PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
endfunction()

# The day of the first version in CHANGELOG.md, as Debian's changelogs write days.
file(STRINGS ${CPACK_REDTUNE_SOURCE}/CHANGELOG.md versions ENCODING UTF-8 REGEX "^## ")
if(NOT versions MATCHES "[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]")
  message(FATAL_ERROR "CHANGELOG.md does not say of which day its first version is")
endif()
execute_process(
  COMMAND ${CMAKE_COMMAND} -E env LC_ALL=C date -u -R -d ${CMAKE_MATCH_0}
  OUTPUT_VARIABLE day OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
file(READ ${CPACK_REDTUNE_SOURCE}/LICENSE licence)

foreach(pair IN LISTS CPACK_REDTUNE_PACKAGES)
  string(REPLACE "=" ";" pair ${pair})
  list(POP_FRONT pair component package)
  set(root ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/${component})
  set(papers ${root}/usr/share/doc/${package})
  file(WRITE ${papers}/copyright "redtune ${CPACK_REDTUNE_VERSION}\n\n${licence}")
  file(
    WRITE ${papers}/changelog
    "redtune (${CPACK_REDTUNE_VERSION}) unstable; urgency=medium\n\n"
    "  * What has changed: CHANGELOG.md of redtune.\n\n"
    " -- ${CPACK_DEBIAN_PACKAGE_MAINTAINER}  ${day}\n")
  gzip(${papers}/changelog)
  file(CHMOD ${papers}/copyright PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
  file(GLOB pages ${root}/usr/share/man/man1/*.1)
  foreach(page IN LISTS pages)
    gzip(${page})
  endforeach()
  if(component STREQUAL tools)
    file(MAKE_DIRECTORY ${root}/var/lib/redtune)
  endif()
  # Not what the umask of whoever packs would make of them.
  file(GLOB_RECURSE folders LIST_DIRECTORIES ON ${root}/usr/* ${root}/var/*)
  foreach(folder IN LISTS folders ITEMS ${root}/usr ${root}/var)
    if(IS_DIRECTORY ${folder} AND NOT IS_SYMLINK ${folder})
      file(CHMOD ${folder} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ
                                       GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
    endif()
  endforeach()
endforeach()
