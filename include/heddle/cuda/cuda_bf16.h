// SPDX-License-Identifier: Apache-2.0
#error Heddle does not have bfloat16 (cuda_bf16.h): see "What is refused" in docs/cuda.md
