// SPDX-License-Identifier: Apache-2.0
// Breadth-first search with levels instead of flags: one launch a level, a thread a node. What is read while others write it is either
// this level's mark or none, and both lead to the same write, so that the order of threads does not matter.
#include <heddle/kernel.h>

// The edges of node n are edges[first_edge[n]] up to edges[first_edge[n + 1] - 1]; a node without a level has the greatest one.
extern "C" __global__ void bfs2(const int* first_edge, const int* edges, int* level, int now, int* again, int node_count) {
  const int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= node_count || level[node] != now) return;
  const int end = first_edge[node + 1];
  for (int e = first_edge[node]; e < end; ++e) {
    const int neighbour = edges[e];
    if (level[neighbour] > now) {
      level[neighbour] = now + 1;
      *again = 1;
    }
  }
}
