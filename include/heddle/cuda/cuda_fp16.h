// SPDX-License-Identifier: Apache-2.0
#error Heddle does not have half precision (cuda_fp16.h): see "What is refused" in docs/cuda.md
