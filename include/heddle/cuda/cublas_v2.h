// SPDX-License-Identifier: Apache-2.0
#error Heddle does not have cuBLAS (cublas_v2.h): see "What is refused" in docs/cuda.md
