// SPDX-License-Identifier: Apache-2.0
// bfs: breadth-first search, one launch a level. The host goes on until a launch has found nothing new: it reads a flag back.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                  \
  do {                                                               \
    cudaError_t error = (call);                                      \
    if (error != cudaSuccess) {                                      \
      printf("bfs: %s: %s\n", #call, cudaGetErrorString(error));     \
      exit(1);                                                       \
    }                                                                \
  } while (0)

const int kUnreached = -1;

struct Node {
  int first_edge;
  int edges;
};

// One thread a node. Several threads may reach a node at once: all of them write the same level. A level written here is never the
// one that is looked for here, so it does not matter which thread is first.
__global__ void expand(const Node* nodes, const int* edges, int* level, int current, bool* stop, int n) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n || level[v] != current) return;
  const Node node = nodes[v];
  for (int e = node.first_edge; e < node.first_edge + node.edges; ++e) {
    int w = edges[e];
    if (level[w] == kUnreached) {
      level[w] = current + 1;
      *stop = false;
    }
  }
}

static unsigned state = 1;
static unsigned next_random() {
  state = state * 1664525u + 1013904223u;
  return state >> 8;
}

static std::vector<int> reference(const std::vector<Node>& nodes, const std::vector<int>& edges) {
  std::vector<int> level(nodes.size(), kUnreached);
  std::vector<int> queue(1, 0);
  level[0] = 0;
  for (size_t head = 0; head < queue.size(); ++head) {
    const int v = queue[head];
    for (int e = 0; e < nodes[v].edges; ++e) {
      const int w = edges[nodes[v].first_edge + e];
      if (level[w] != kUnreached) continue;
      level[w] = level[v] + 1;
      queue.push_back(w);
    }
  }
  return level;
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 8192;
  if (n < 1) {
    printf("bfs: the number of nodes must be positive\n");
    return 1;
  }
  std::vector<Node> nodes(n);
  std::vector<int> edges;
  for (int v = 0; v < n; ++v) {
    nodes[v].first_edge = (int)edges.size();
    nodes[v].edges = v == 0 ? 3 : next_random() % 8;
    for (int e = 0; e < nodes[v].edges; ++e) edges.push_back(next_random() % n);
  }
  std::vector<int> level(n, kUnreached);
  level[0] = 0;

  Node* device_nodes;
  int *device_edges, *device_level;
  bool* device_stop;
  CHECK(cudaMalloc((void**)&device_nodes, n * sizeof(Node)));
  CHECK(cudaMalloc((void**)&device_edges, edges.size() * sizeof(int)));
  CHECK(cudaMalloc((void**)&device_level, n * sizeof(int)));
  CHECK(cudaMalloc((void**)&device_stop, sizeof(bool)));
  CHECK(cudaMemcpy(device_nodes, nodes.data(), n * sizeof(Node), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(device_edges, edges.data(), edges.size() * sizeof(int), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(device_level, level.data(), n * sizeof(int), cudaMemcpyHostToDevice));

  bool stop = false;
  for (int current = 0; !stop; ++current) {
    stop = true;
    CHECK(cudaMemcpy(device_stop, &stop, sizeof(bool), cudaMemcpyHostToDevice));
    expand<<<(n + 127) / 128, 128>>>(device_nodes, device_edges, device_level, current, device_stop, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&stop, device_stop, sizeof(bool), cudaMemcpyDeviceToHost));
  }
  CHECK(cudaMemcpy(level.data(), device_level, n * sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(device_nodes));
  CHECK(cudaFree(device_edges));
  CHECK(cudaFree(device_level));
  CHECK(cudaFree(device_stop));

  const std::vector<int> expected = reference(nodes, edges);
  for (int v = 0; v < n; ++v) {
    if (level[v] != expected[v]) {
      printf("bfs: node %d has level %d, not %d\n", v, level[v], expected[v]);
      return 1;
    }
  }
  printf("bfs: passed\n");
  return 0;
}
