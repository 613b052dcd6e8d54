// SPDX-License-Identifier: Apache-2.0
// The entry point of every module test: libsystemc brings main() and calls sc_main().
#include <gtest/gtest.h>
#include <string>

#include "tests/common/bench.h"

// A failed assertion or $fatal of the RTL fails the test that provoked it, instead of ending the process.
void vl_stop(const char* file, int line, const char* scope) {
  throw heddle::test::RtlAssertion(std::string(scope) + " at " + file + ":" + std::to_string(line));
}
void vl_fatal(const char* file, int line, const char* scope, const char* message) {
  throw heddle::test::RtlAssertion(std::string(scope) + " at " + file + ":" + std::to_string(line) + ": " + message);
}

int sc_main(int argc, char* argv[]) {
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
