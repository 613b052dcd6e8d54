// SPDX-License-Identifier: Apache-2.0
#error Heddle does not have cuSOLVER (cusolverDn.h): see "What is refused" in docs/cuda.md
