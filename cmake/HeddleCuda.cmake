# SPDX-License-Identifier: Apache-2.0
# heddle_add_cuda_executable(<name> <source>... [FLAGS <flag>...])
#
# An executable of CUDA sources: heddle-nvcc compiles each one, host code and kernels, to an object, again when it or a header it includes
# changes; the runtime is linked. More sources and libraries come with target_sources and target_link_libraries as for any other target.
# HEDDLE_NVCC is the compiler, HEDDLE_CUDART the runtime's target.
function(heddle_add_cuda_executable name)
  cmake_parse_arguments(PARSE_ARGV 1 CUDA "" "" "FLAGS")
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${name}.cuda)
  file(MAKE_DIRECTORY ${folder})
  set(objects "")
  foreach(source IN LISTS CUDA_UNPARSED_ARGUMENTS)
    get_filename_component(source ${source} ABSOLUTE)
    get_filename_component(stem ${source} NAME)
    set(object ${folder}/${stem}.o)
    add_custom_command(
      OUTPUT ${object}
      COMMAND ${HEDDLE_NVCC} -c ${CUDA_FLAGS} -MD -MF ${object}.d -MT ${object} ${source} -o ${object}
      DEPENDS ${source} ${HEDDLE_NVCC} ${HEDDLE_NVCC_DEPENDS}
      DEPFILE ${object}.d
      COMMENT "Compiling CUDA source ${stem} of ${name}"
      VERBATIM)
    list(APPEND objects ${object})
  endforeach()
  set_source_files_properties(${objects} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
  add_executable(${name} ${objects})
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
  target_link_libraries(${name} PRIVATE ${HEDDLE_CUDART})
endfunction()
