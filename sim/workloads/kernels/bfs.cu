// SPDX-License-Identifier: Apache-2.0
// Level-synchronous breadth-first search, one thread per node, after Rodinia's: two kernels per level, so that a node's
// frontier flag never changes while other threads of the same level still read it.
#include <heddle/kernel.h>

struct Node {
  int first_edge;
  int edge_count;
};

// Visits the neighbours of the nodes of the frontier.
extern "C" __global__ void bfs_expand(const Node* nodes, const int* edges, bool* frontier, bool* next_frontier,
                                      const bool* visited, int* cost, int node_count) {
  const int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id < node_count && frontier[id]) {
    frontier[id] = false;
    const Node node = nodes[id];
    for (int e = node.first_edge; e < node.first_edge + node.edge_count; ++e) {
      const int neighbour = edges[e];
      if (!visited[neighbour]) {
        cost[neighbour] = cost[id] + 1;  // several threads may write it, all of them the same value
        next_frontier[neighbour] = true;
      }
    }
  }
}

// Makes the nodes just found the new frontier, and tells the host whether there were any.
extern "C" __global__ void bfs_advance(bool* frontier, bool* next_frontier, bool* visited, int* again, int node_count) {
  const int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id < node_count && next_frontier[id]) {
    frontier[id] = true;
    visited[id] = true;
    next_frontier[id] = false;
    *again = 1;
  }
}
