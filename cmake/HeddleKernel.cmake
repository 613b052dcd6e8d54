# SPDX-License-Identifier: Apache-2.0
# heddle_add_kernel(<name> <source>... [FLAGS <flag>...])
#
# Compiles one kernel program with heddle-cc at build time to ${CMAKE_BINARY_DIR}/share/heddle/kernels/<name>.elf and installs it.
# Adds the target kernel_<name> and makes the target heddle_kernels depend on it. Rebuilt when a source, a header it includes,
# kernel.h, heddle-cc or the link script changes.
function(heddle_add_kernel name)
  cmake_parse_arguments(PARSE_ARGV 1 KERNEL "" "" "FLAGS")
  set(toolchain ${PROJECT_SOURCE_DIR}/sim/toolchain)
  file(GLOB library CONFIGURE_DEPENDS ${toolchain}/assembly/*.py)
  set(directory ${PROJECT_BINARY_DIR}/share/heddle/kernels)
  set(elf ${directory}/${name}.elf)
  file(MAKE_DIRECTORY ${directory})

  set(objects "")
  foreach(source IN LISTS KERNEL_UNPARSED_ARGUMENTS)
    get_filename_component(source ${source} ABSOLUTE)
    get_filename_component(stem ${source} NAME_WE)
    get_filename_component(extension ${source} LAST_EXT)
    set(object ${CMAKE_CURRENT_BINARY_DIR}/${name}-${stem}.o)
    set(dependencies "")
    set(dependency_file "")
    if(NOT extension MATCHES "^\\.[sS]$")
      set(dependencies -MD -MF ${object}.d)
      set(dependency_file DEPFILE ${object}.d)
    endif()
    add_custom_command(
      OUTPUT ${object}
      COMMAND ${toolchain}/heddle-cc -c ${dependencies} -ffile-prefix-map=${PROJECT_SOURCE_DIR}/= ${KERNEL_FLAGS} ${source}
              -o ${object}
      DEPENDS ${source} ${toolchain}/heddle-cc ${library} ${PROJECT_SOURCE_DIR}/include/heddle/kernel.h
      ${dependency_file}
      COMMENT "Compiling kernel source ${name}/${stem}${extension}"
      VERBATIM)
    list(APPEND objects ${object})
  endforeach()

  add_custom_command(
    OUTPUT ${elf}
    COMMAND ${toolchain}/heddle-cc ${objects} -o ${elf}
    DEPENDS ${objects} ${toolchain}/heddle-cc ${toolchain}/heddle.ld ${toolchain}/exit.S
    COMMENT "Linking kernel ${name}.elf"
    VERBATIM)
  add_custom_target(kernel_${name} DEPENDS ${elf})
  if(NOT TARGET heddle_kernels)
    add_custom_target(heddle_kernels ALL)
  endif()
  add_dependencies(heddle_kernels kernel_${name})
  install(FILES ${elf} DESTINATION ${CMAKE_INSTALL_DATADIR}/heddle/kernels)
endfunction()

# heddle_add_kernel_source(<name> <source>... [FLAGS <flag>...])
#
# Puts the sources, and the flags as words of a file, into share/heddle/kernels/source/<name> and installs them: what compiles a kernel
# anew (heddle run --linearize) finds them there.
function(heddle_add_kernel_source name)
  cmake_parse_arguments(PARSE_ARGV 1 KERNEL "" "" "FLAGS")
  set(directory ${PROJECT_BINARY_DIR}/share/heddle/kernels/source/${name})
  foreach(source IN LISTS KERNEL_UNPARSED_ARGUMENTS)
    get_filename_component(file ${source} NAME)
    configure_file(${source} ${directory}/${file} COPYONLY)
  endforeach()
  list(JOIN KERNEL_FLAGS " " flags)
  file(CONFIGURE OUTPUT ${directory}/flags CONTENT "${flags}\n")
  install(DIRECTORY ${directory} DESTINATION ${CMAKE_INSTALL_DATADIR}/heddle/kernels/source)
endfunction()
