// SPDX-License-Identifier: Apache-2.0
// nbody: gravity between all pairs of bodies. Accelerations in float, with float4 vectors and tiles of bodies in shared memory;
// potential energies summed in double, because there small terms meet a large sum.
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <vector>

#define CHECK(call)                                                    \
  do {                                                                 \
    cudaError_t error = (call);                                        \
    if (error != cudaSuccess) {                                        \
      printf("nbody: %s: %s\n", #call, cudaGetErrorString(error));     \
      exit(1);                                                         \
    }                                                                  \
  } while (0)

#define THREADS 64
#define SOFTENING 0.01f

// A body is its place (x, y, z) and its mass (w).
__device__ float3 difference(float4 to, float4 from) { return make_float3(to.x - from.x, to.y - from.y, to.z - from.z); }

__device__ float inverse_distance(float3 d) { return rsqrtf(d.x * d.x + d.y * d.y + d.z * d.z + SOFTENING); }

__global__ void accelerate(const float4* bodies, float4* accelerations, int n) {
  __shared__ float4 tile[THREADS];
  const int i = blockIdx.x * THREADS + threadIdx.x;
  const float4 nobody = make_float4(0, 0, 0, 0);
  const float4 me = i < n ? bodies[i] : nobody;
  float4 sum = nobody;
  for (int start = 0; start < n; start += THREADS) {
    const int j = start + threadIdx.x;
    tile[threadIdx.x] = j < n ? bodies[j] : nobody;  // a mass of 0 adds nothing
    __syncthreads();
    for (int k = 0; k < THREADS; ++k) {
      const float3 d = difference(tile[k], me);
      const float inverse = inverse_distance(d);
      const float factor = tile[k].w * inverse * inverse * inverse;
      sum.x += factor * d.x;
      sum.y += factor * d.y;
      sum.z += factor * d.z;
    }
    __syncthreads();
  }
  if (i < n) accelerations[i] = sum;
}

__global__ void potential(const float4* bodies, double* energies, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double sum = 0;
  for (int j = 0; j < n; ++j)
    if (j != i) sum += bodies[j].w * inverse_distance(difference(bodies[j], bodies[i]));
  energies[i] = -0.5 * bodies[i].w * sum;
}

static bool close(double value, double expected, double scale) { return fabs(value - expected) <= 1e-5 * scale; }

int main(int argc, char** argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 180;
  if (n < 1) {
    printf("nbody: the number of bodies must be positive\n");
    return 1;
  }
  std::vector<float4> bodies(n), accelerations(n);
  std::vector<double> energies(n);
  unsigned state = 1;
  for (int i = 0; i < n; ++i) {
    float part[4];
    for (int k = 0; k < 4; ++k) {
      state = state * 1664525u + 1013904223u;
      part[k] = (state >> 8) / 16777216.0f;
    }
    bodies[i] = make_float4(part[0], part[1], part[2], 0.5f + part[3]);
  }

  float4 *device_bodies, *device_accelerations;
  double* device_energies;
  CHECK(cudaMalloc(&device_bodies, n * sizeof(float4)));
  CHECK(cudaMalloc(&device_accelerations, n * sizeof(float4)));
  CHECK(cudaMalloc(&device_energies, n * sizeof(double)));
  CHECK(cudaMemcpy(device_bodies, &bodies[0], n * sizeof(float4), cudaMemcpyHostToDevice));
  const int blocks = (n + THREADS - 1) / THREADS;
  accelerate<<<blocks, THREADS>>>(device_bodies, device_accelerations, n);
  potential<<<blocks, THREADS>>>(device_bodies, device_energies, n);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(&accelerations[0], device_accelerations, n * sizeof(float4), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(&energies[0], device_energies, n * sizeof(double), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(device_bodies));
  CHECK(cudaFree(device_accelerations));
  CHECK(cudaFree(device_energies));

  for (int i = 0; i < n; ++i) {
    double x = 0, y = 0, z = 0, energy = 0, scale = 1;
    for (int j = 0; j < n; ++j) {
      if (j == i) continue;
      const double dx = bodies[j].x - bodies[i].x, dy = bodies[j].y - bodies[i].y, dz = bodies[j].z - bodies[i].z;
      const double inverse = 1 / sqrt(dx * dx + dy * dy + dz * dz + SOFTENING);
      const double factor = bodies[j].w * inverse * inverse * inverse;
      x += factor * dx;
      y += factor * dy;
      z += factor * dz;
      energy -= 0.5 * bodies[i].w * bodies[j].w * inverse;
      scale += factor;  // of the terms: the sum itself may be near 0
    }
    const float4 a = accelerations[i];
    if (!close(a.x, x, scale) || !close(a.y, y, scale) || !close(a.z, z, scale) || !close(energies[i], energy, -energy)) {
      printf("nbody: body %d has (%g, %g, %g) and %g, not (%g, %g, %g) and %g\n", i, a.x, a.y, a.z, energies[i], x, y, z, energy);
      return 1;
    }
  }
  printf("nbody: passed\n");
  return 0;
}
