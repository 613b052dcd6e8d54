# SPDX-License-Identifier: Apache-2.0
# Module tests: Verilated models at chosen parameters, test executables, and variants of them with a seeded fault.
#
#   heddle_model(<name> <unit/stem> [USES <unit/stem>...] PARAMS <Name=Value>...)
#     Object library model_<name> with the Verilated class V<name>, and a header models/<name>.h with
#     struct heddle::test::models::<name> {using Rtl; static constexpr unsigned k<Name> = <Value>; ...}.
#     The models of full size (..._default) are left out unless HEDDLE_FULL_SIZE_MODELS is on, and their header has no Rtl then
#     (ParameterSets in set_names.h): they have the structure of the small ones, and the simulator runs that size in lockstep.
#   heddle_module_test(<name> SOURCES <file>... MODELS <name>...)
#     Executable <name>; every GoogleTest case is a ctest case of its own (label: module).
include_guard(GLOBAL)


set(HEDDLE_MODULE_TESTS ${CMAKE_CURRENT_LIST_DIR} CACHE INTERNAL "")
get_filename_component(HEDDLE_ROOT ${CMAKE_CURRENT_LIST_DIR}/../.. ABSOLUTE CACHE)
mark_as_advanced(HEDDLE_ROOT)

find_path(HEDDLE_VERILATOR_INCLUDE verilated.h HINTS ${VERILATOR_ROOT}/include /usr/share/verilator/include REQUIRED)

add_library(verilated_runtime STATIC ${HEDDLE_VERILATOR_INCLUDE}/verilated.cpp
                                     ${HEDDLE_VERILATOR_INCLUDE}/verilated_threads.cpp)
set(HEDDLE_VERILATOR_OPTIONS "--assert -O3 -Wno-fatal" CACHE INTERNAL "")
if(HEDDLE_COVERAGE)
  set(HEDDLE_VERILATOR_OPTIONS "${HEDDLE_VERILATOR_OPTIONS} --coverage-line --coverage-toggle" CACHE INTERNAL "")
  target_sources(verilated_runtime PRIVATE ${HEDDLE_VERILATOR_INCLUDE}/verilated_cov.cpp)
  target_compile_definitions(verilated_runtime PUBLIC VM_COVERAGE=1)
endif()
target_include_directories(verilated_runtime SYSTEM PUBLIC ${HEDDLE_VERILATOR_INCLUDE}
                                                           ${HEDDLE_VERILATOR_INCLUDE}/vltstd)
# The bench brings vl_stop and vl_fatal: a failed assertion of the RTL fails a test.
target_compile_definitions(verilated_runtime PRIVATE VL_USER_STOP VL_USER_FATAL PUBLIC VL_TIME_CONTEXT)
target_compile_options(verilated_runtime PRIVATE -O1 -w)
find_package(Threads REQUIRED)
target_link_libraries(verilated_runtime PUBLIC Threads::Threads)

add_library(module_test_main OBJECT ${HEDDLE_MODULE_TESTS}/sc_main.cpp)
target_link_libraries(module_test_main PUBLIC heddle_headers verilated_runtime PkgConfig::SYSTEMC GTest::gtest)
target_include_directories(module_test_main PUBLIC ${HEDDLE_ROOT})

# Oracles, and the core around a front end: compiled once for all tests.
set(opinions "")
foreach(name core/frontend_oracle core/kernel_run core/random_program dws/warp_split_table_oracle stack/convergence_barriers_oracle stack/dpe_stack_oracle
             stack/fork_join_stack_oracle stack/software_stack_oracle stack/spe_stack_oracle)
  list(APPEND opinions ${HEDDLE_ROOT}/tests/${name}.cpp)
endforeach()
add_library(module_test_oracles STATIC ${opinions})
target_compile_options(module_test_oracles PRIVATE -Wno-maybe-uninitialized)  # of an optional that is looked at only if it holds something
target_link_libraries(module_test_oracles PUBLIC heddle_headers PkgConfig::SYSTEMC)
target_include_directories(module_test_oracles PUBLIC ${HEDDLE_ROOT})

function(heddle_model name key)
  set(CMAKE_UNITY_BUILD OFF)  # of one file, whose object tests/faults replaces
  cmake_parse_arguments(arg "" "" "USES;PARAMS" ${ARGN})
  set(header "")
  set(rtl "")
  if(HEDDLE_FULL_SIZE_MODELS OR NOT name MATCHES "_default$")
    set(header "\n#include \"V${name}.h\"\n")
    set(rtl "  using Rtl = V${name};\n")
  endif()
  set(constants "")
  foreach(parameter ${arg_PARAMS})
    string(REPLACE "=" " = " parameter ${parameter})
    string(APPEND constants "  static constexpr unsigned k${parameter};\n")
  endforeach()
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/models/${name}.h @ONLY CONTENT
"// SPDX-License-Identifier: Apache-2.0
// Made by CMake: ${key} Verilated as V${name}.
#pragma once
${header}
namespace heddle::test::models {
struct ${name} {
${rtl}  static constexpr const char* kModelName = \"${name}\";
${constants}};
}  // namespace heddle::test::models
")
  if(NOT rtl)
    return()
  endif()

  get_filename_component(top ${key} NAME)
  set(folder ${CMAKE_BINARY_DIR}/models/${name})
  set(sources ${HEDDLE_ROOT}/rtl/common/heddle_pkg.sv ${HEDDLE_ROOT}/rtl/common/heddle_mem.sv)
  foreach(use ${arg_USES} ${key})
    list(APPEND sources ${HEDDLE_ROOT}/rtl/${use}.sv)
  endforeach()
  set(optimize -O1)
  if(HEDDLE_COVERAGE)
    set(optimize -O0)
  endif()
  add_custom_command(
    OUTPUT ${folder}/all.cpp
    COMMAND ${CMAKE_COMMAND} -E env "HEDDLE_VERILATOR_OPTIONS=${HEDDLE_VERILATOR_OPTIONS}"
            ${HEDDLE_ROOT}/cmake/verilate_model ${folder} V${name} ${top} ${sources} -- ${arg_PARAMS}
    DEPENDS ${sources} ${HEDDLE_ROOT}/cmake/verilate_model
    COMMENT "Verilating ${key} as ${name}" VERBATIM)
  add_library(model_${name} OBJECT ${folder}/all.cpp)
  target_compile_options(model_${name} PRIVATE ${optimize} ${HEDDLE_MODEL_OPTIONS})
  target_include_directories(model_${name} SYSTEM PUBLIC ${folder})
  target_include_directories(model_${name} PUBLIC ${CMAKE_BINARY_DIR})
  target_link_libraries(model_${name} PUBLIC verilated_runtime)

  # What tests/faults needs to make this model again from changed sources.
  string(REPLACE ";" "\", \"" source_list "${sources}")
  string(REPLACE ";" "\", \"" parameter_list "${arg_PARAMS}")
  set_property(GLOBAL PROPERTY heddle_model_${name} "\"${name}\": {\"prefix\": \"V${name}\", \"top\": \"${top}\",
      \"object\": \"$<TARGET_OBJECTS:model_${name}>\",
      \"sources\": [\"${source_list}\"],
      \"parameters\": [\"${parameter_list}\"]}")
endfunction()

function(heddle_module_test name)
  set(CMAKE_UNITY_BUILD OFF)  # as above
  cmake_parse_arguments(arg "" "" "SOURCES;MODELS" ${ARGN})
  if(NOT HEDDLE_FULL_SIZE_MODELS)
    list(FILTER arg_MODELS EXCLUDE REGEX "_default$")
  endif()
  list(TRANSFORM arg_MODELS PREPEND model_ OUTPUT_VARIABLE libraries)
  add_library(${name}_objects OBJECT ${arg_SOURCES})
  # verilated.h before systemc: in the other order it takes its time from a global sc_time_stamp() that does not exist.
  # The warning that is off would take a third of the time that a test of a front end compiles.
  target_compile_options(${name}_objects PRIVATE -O1 -Wno-maybe-uninitialized -include verilated.h)
  target_link_libraries(${name}_objects PUBLIC module_test_main module_test_oracles ${libraries})
  foreach(library ${libraries})
    add_dependencies(${name}_objects ${library})   # their headers are made with them
  endforeach()
  list(TRANSFORM libraries REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>" OUTPUT_VARIABLE models)
  add_executable(${name} $<TARGET_OBJECTS:${name}_objects> $<TARGET_OBJECTS:module_test_main> ${models})
  target_link_libraries(${name} PRIVATE ${name}_objects)
  get_filename_component(unit ${CMAKE_CURRENT_SOURCE_DIR} NAME)
  gtest_discover_tests(${name} NO_PRETTY_TYPES DISCOVERY_TIMEOUT 60
    PROPERTIES LABELS module.${unit} TIMEOUT 300 ENVIRONMENT SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1)

  set(descriptions "")
  foreach(model ${arg_MODELS})
    get_property(description GLOBAL PROPERTY heddle_model_${model})
    list(APPEND descriptions "${description}")
  endforeach()
  list(JOIN descriptions ",\n    " descriptions)
  set(library_files ${models} $<TARGET_FILE:module_test_oracles> $<TARGET_FILE:verilated_runtime> $<TARGET_FILE:GTest::gtest> -lsystemc -lpthread)
  list(JOIN library_files "\", \"" library_files)
  list(GET arg_SOURCES 0 source)
  file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/faults/${name}.json CONTENT
"{
  \"root\": \"${HEDDLE_ROOT}\",
  \"compiler\": \"${CMAKE_CXX_COMPILER}\",
  \"launcher\": \"${CMAKE_CXX_COMPILER_LAUNCHER}\",
  \"verilate\": \"${HEDDLE_ROOT}/cmake/verilate_model\",
  \"source\": \"${CMAKE_CURRENT_SOURCE_DIR}/${source}\",
  \"includes\": [\"$<JOIN:$<TARGET_PROPERTY:${name}_objects,INCLUDE_DIRECTORIES>,\", \">\"],
  \"objects\": [\"$<JOIN:$<TARGET_OBJECTS:${name}_objects>,\", \">\", \"$<JOIN:$<TARGET_OBJECTS:module_test_main>,\", \">\"],
  \"libraries\": [\"${library_files}\"],
  \"models\": {
    ${descriptions}
  }
}
")
endfunction()
