// SPDX-License-Identifier: Apache-2.0
#error Heddle does not have Thrust (thrust/copy.h): see "What is refused" in docs/cuda.md
