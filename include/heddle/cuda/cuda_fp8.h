// SPDX-License-Identifier: Apache-2.0
#error Heddle does not have 8-bit floating point (cuda_fp8.h): see "What is refused" in docs/cuda.md
