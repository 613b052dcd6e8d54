// SPDX-License-Identifier: Apache-2.0
#error Heddle does not have Thrust (thrust/device_vector.h): see "What is refused" in docs/cuda.md
