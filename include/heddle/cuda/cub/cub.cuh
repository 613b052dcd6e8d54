// SPDX-License-Identifier: Apache-2.0
#error Heddle does not have CUB (cub/cub.cuh): see "What is refused" in docs/cuda.md
