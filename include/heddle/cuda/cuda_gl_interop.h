// SPDX-License-Identifier: Apache-2.0
#error Heddle does not have OpenGL (cuda_gl_interop.h): see "What is refused" in docs/cuda.md
