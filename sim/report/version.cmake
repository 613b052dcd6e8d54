# SPDX-License-Identifier: Apache-2.0
# Run at every build: writes version.cpp when the revision changed, so that only then it is compiled again.
execute_process(COMMAND git describe --always --dirty --abbrev=10 --match "v[0-9]*"
                WORKING_DIRECTORY ${SOURCE_DIR} OUTPUT_VARIABLE HEDDLE_GIT OUTPUT_STRIP_TRAILING_WHITESPACE
                ERROR_QUIET RESULT_VARIABLE status)
if(NOT status EQUAL 0 OR HEDDLE_GIT STREQUAL "")
  set(HEDDLE_GIT unknown)
endif()
configure_file(${TEMPLATE} ${OUTPUT} @ONLY)
