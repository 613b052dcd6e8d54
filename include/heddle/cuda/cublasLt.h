// SPDX-License-Identifier: Apache-2.0
#error Heddle does not have cuBLAS (cublasLt.h): see "What is refused" in docs/cuda.md
