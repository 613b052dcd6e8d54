# SPDX-License-Identifier: Apache-2.0
# heddle_add_plugin(<name> <source>...)
#
# The shared library <name>.so with mechanisms of one's own (docs/add_a_mechanism.md).
function(heddle_add_plugin name)
  add_library(${name} MODULE ${ARGN})
  set_target_properties(${name} PROPERTIES PREFIX "" CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  target_link_libraries(${name} PRIVATE heddle::plugin)
endfunction()

# heddle_verilate(<target> <prefix> <top> SOURCES <file>... [PARAMETERS <name=value>...])
#
# A Verilated model, class <prefix>, of the front end <top>, which is in the sources beside Heddle's RTL, with what the simulator sees inside of
# it (engine/rtl_frontend.h). HEDDLE_RTL_ROOT is the folder of Heddle's RTL, HEDDLE_VERILATE_MODEL the script that calls Verilator.
function(heddle_verilate target prefix top)
  cmake_parse_arguments(PARSE_ARGV 3 MODEL "" "" "SOURCES;PARAMETERS")
  find_program(HEDDLE_VERILATOR verilator REQUIRED)
  execute_process(COMMAND ${HEDDLE_VERILATOR} --getenv VERILATOR_ROOT OUTPUT_VARIABLE root OUTPUT_STRIP_TRAILING_WHITESPACE)
  file(STRINGS ${HEDDLE_RTL_ROOT}/rtl/heddle.f files REGEX "\\.sv$")
  list(TRANSFORM files PREPEND ${HEDDLE_RTL_ROOT}/)
  list(PREPEND files ${HEDDLE_RTL_ROOT}/rtl_view/rtl_visible.vlt)
  list(APPEND files ${HEDDLE_RTL_ROOT}/rtl_view/rtl_events.sv)
  foreach(source IN LISTS MODEL_SOURCES)
    get_filename_component(source ${source} ABSOLUTE)
    list(APPEND files ${source})
  endforeach()
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${prefix})
  add_custom_command(
    OUTPUT ${folder}/fast.cpp ${folder}/slow.cpp
    COMMAND ${CMAKE_COMMAND} -E env "HEDDLE_VERILATOR_OPTIONS=-Wno-UNUSED" ${HEDDLE_VERILATE_MODEL} ${folder} ${prefix} ${top} ${files} -- ${MODEL_PARAMETERS}
    DEPENDS ${files}
    COMMENT "Verilating ${top} as ${prefix}" VERBATIM)
  target_sources(${target} PRIVATE ${folder}/fast.cpp ${folder}/slow.cpp ${root}/include/verilated.cpp ${root}/include/verilated_threads.cpp)
  target_include_directories(${target} SYSTEM PRIVATE ${folder} ${root}/include ${root}/include/vltstd)
  set_source_files_properties(${folder}/fast.cpp PROPERTIES COMPILE_OPTIONS "-O1;-w")
  set_source_files_properties(${folder}/slow.cpp PROPERTIES COMPILE_OPTIONS "-O0;-w")
endfunction()
