// SPDX-License-Identifier: Apache-2.0
#error Heddle does not have asynchronous copies to shared memory (cuda_pipeline.h): see "What is refused" in docs/cuda.md
