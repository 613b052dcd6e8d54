// SPDX-License-Identifier: Apache-2.0
// template_reduce: one kernel template for any sum, maximum, ... of any type. A block halves its values in shared memory until one
// warp can go on with shuffles. The functors are arguments: one with a value in it, one with nothing in it.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <vector>

#define CHECK(call)                                                              \
  do {                                                                           \
    cudaError_t error = (call);                                                  \
    if (error != cudaSuccess) {                                                  \
      printf("template_reduce: %s: %s\n", #call, cudaGetErrorString(error));     \
      exit(1);                                                                   \
    }                                                                            \
  } while (0)

template <class T>
struct Sum {
  T identity;
  __host__ __device__ T operator()(T a, T b) const { return a + b; }
};

template <class T>
struct Maximum {
  T identity;
  __host__ __device__ T operator()(T a, T b) const { return a < b ? b : a; }
};

struct Same {
  template <class T>
  __host__ __device__ T operator()(T x) const { return x; }
};

struct Square {
  template <class T>
  __host__ __device__ T operator()(T x) const { return x * x; }
};

template <class T, class Combine>
__device__ T reduce_warp(T value, Combine combine) {
  for (int distance = warpSize / 2; distance > 0; distance /= 2)
    value = combine(value, __shfl_down_sync(0xffffffffu, value, distance));
  return value;  // right in lane 0
}

template <int Threads, class T, class Combine, class Map>
__global__ void reduce(const T* in, T* out, int n, Combine combine, Map map) {
  __shared__ T partial[Threads];
  const int t = threadIdx.x;
  T value = combine.identity;
  for (int i = blockIdx.x * Threads + t; i < n; i += gridDim.x * Threads) value = combine(value, map(in[i]));
  partial[t] = value;
  __syncthreads();
  for (int half = Threads / 2; half >= warpSize; half /= 2) {
    if (t < half) partial[t] = combine(partial[t], partial[t + half]);
    __syncthreads();
  }
  if (t < warpSize) {
    value = reduce_warp(partial[t], combine);
    if (t == 0) out[blockIdx.x] = value;
  }
}

// True if the device's result is the host's; all values here are whole numbers, so that the order does not matter.
template <class T, class Combine, class Map>
bool test(const char* what, int n, Combine combine, Map map) {
  const int blocks = 32, threads = 128;
  std::vector<T> in(n), out(blocks);
  T expected = combine.identity;
  for (int i = 0; i < n; ++i) {
    in[i] = (T)(i * 7919LL % 1001 - 500);
    expected = combine(expected, map(in[i]));
  }
  T *device_in, *device_out;
  CHECK(cudaMalloc(&device_in, n * sizeof(T)));
  CHECK(cudaMalloc(&device_out, blocks * sizeof(T)));
  CHECK(cudaMemcpy(device_in, &in[0], n * sizeof(T), cudaMemcpyHostToDevice));
  reduce<threads><<<blocks, threads>>>(device_in, device_out, n, combine, map);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(&out[0], device_out, blocks * sizeof(T), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(device_in));
  CHECK(cudaFree(device_out));
  T result = combine.identity;
  for (int block = 0; block < blocks; ++block) result = combine(result, out[block]);
  if (result == expected) return true;
  printf("template_reduce: the %s is %.0f, not %.0f\n", what, (double)result, (double)expected);
  return false;
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 20000;
  if (n < 1) {
    printf("template_reduce: the number of elements must be positive\n");
    return 1;
  }
  const Sum<int> add_ints = {0};
  const Maximum<float> larger_float = {-1e30f};
  const Sum<double> add_doubles = {0.0};
  if (!test<int>("sum of int", n, add_ints, Same())) return 1;
  if (!test<float>("maximum of float", n, larger_float, Same())) return 1;
  if (!test<double>("sum of squares of double", n, add_doubles, Square())) return 1;
  printf("template_reduce: passed\n");
  return 0;
}
