// SPDX-License-Identifier: Apache-2.0
// structures: what a kernel's arguments may be. A structure by value with pointers in it, more than eight arguments of many types, and
// arrays of plain structures in memory.
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <vector>

#define CHECK(call)                                                         \
  do {                                                                      \
    cudaError_t error = (call);                                             \
    if (error != cudaSuccess) {                                             \
      printf("structures: %s: %s\n", #call, cudaGetErrorString(error));     \
      exit(1);                                                              \
    }                                                                       \
  } while (0)

struct Particle {
  char kind;
  short charge;
  float3 place;
  double mass;
  int history[3];
};

struct Job {
  const Particle* in;
  Particle* out;
  int n;
  float step;
  long long stamp;
};

__host__ __device__ Particle moved(Particle p, float step, long long stamp) {
  p.place.x += step * p.charge;
  p.place.y -= step * p.charge;
  p.place.z += p.kind;
  p.mass += p.kind * 0.5;
  p.history[2] = p.history[1];
  p.history[1] = p.history[0];
  p.history[0] = (int)(stamp >> 32) ^ (int)stamp;
  return p;
}

__global__ void move(Job job) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < job.n) job.out[i] = moved(job.in[i], job.step, job.stamp + i);
}

struct Weights {
  float a;
  double b;
  unsigned char c[3];
};

__host__ __device__ double mixed(int i, bool negate, char small, unsigned char byte, short s, unsigned u, float f, double d,
                                 long long wide, unsigned long long wider, Weights w) {
  const double sum = i + small + byte + s + u + f + d + (double)(wide + i) + (double)(wider >> 20) + w.a + w.b + w.c[i % 3];
  return negate ? -sum : sum;
}

__global__ void many(double* out, int n, bool negate, char small, unsigned char byte, short s, unsigned u, float f, double d,
                     long long wide, unsigned long long wider, Weights w, const int* index) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = mixed(index[i], negate, small, byte, s, u, f, d, wide, wider, w);
}

static bool same(const Particle& a, const Particle& b) {
  return a.kind == b.kind && a.charge == b.charge && a.place.x == b.place.x && a.place.y == b.place.y && a.place.z == b.place.z &&
         a.mass == b.mass && a.history[0] == b.history[0] && a.history[1] == b.history[1] && a.history[2] == b.history[2];
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 2500;
  if (n < 1) {
    printf("structures: the number of elements must be positive\n");
    return 1;
  }
  // Whole numbers, halves and quarters: nothing is rounded.
  std::vector<Particle> particles(n), result(n);
  std::vector<int> index(n);
  std::vector<double> sums(n);
  for (int i = 0; i < n; ++i) {
    Particle p = {(char)(i % 5 - 2), (short)(i % 1000 - 500), {i % 10 + 0.5f, 1.0f, 2.0f}, i * 0.25, {i, i + 1, i + 2}};
    particles[i] = p;
    index[i] = n - i;
  }

  Particle *device_in, *device_out;
  int* device_index;
  double* device_sums;
  CHECK(cudaMalloc(&device_in, n * sizeof(Particle)));
  CHECK(cudaMalloc(&device_out, n * sizeof(Particle)));
  CHECK(cudaMalloc(&device_index, n * sizeof(int)));
  CHECK(cudaMalloc(&device_sums, n * sizeof(double)));
  CHECK(cudaMemcpy(device_in, &particles[0], n * sizeof(Particle), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(device_index, &index[0], n * sizeof(int), cudaMemcpyHostToDevice));

  const int blocks = (n + 127) / 128;
  const Job job = {device_in, device_out, n, 0.25f, 0x123456789abcLL};
  const Weights weights = {0.5f, 1024.25, {1, 100, 250}};
  move<<<blocks, 128>>>(job);
  many<<<blocks, 128>>>(device_sums, n, true, -7, 200, -30000, 4000000000u, 0.125f, -3.5, -(1LL << 40), 1ULL << 60, weights,
                        device_index);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(&result[0], device_out, n * sizeof(Particle), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(&sums[0], device_sums, n * sizeof(double), cudaMemcpyDeviceToHost));

  for (int i = 0; i < n; ++i) {
    if (!same(result[i], moved(particles[i], job.step, job.stamp + i))) {
      printf("structures: particle %d is not where it should be\n", i);
      return 1;
    }
    const double expected = mixed(index[i], true, -7, 200, -30000, 4000000000u, 0.125f, -3.5, -(1LL << 40), 1ULL << 60, weights);
    if (sums[i] != expected) {
      printf("structures: sum %d is %.3f, not %.3f\n", i, sums[i], expected);
      return 1;
    }
  }
  printf("structures: passed\n");
  return 0;
}
