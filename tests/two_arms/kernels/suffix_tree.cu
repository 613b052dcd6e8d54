// SPDX-License-Identifier: Apache-2.0
// Matches of queries in a suffix tree: a query a thread walks down edges letter by letter, and over suffix links where it fails.
#include <heddle/kernel.h>

struct Node {
  int child[4];
  int begin, end;  // letters of the edge to this node
  int link, parent;
};

extern "C" __global__ void match(const Node* nodes, const char* text, const char* queries, const int* starts, const int* lengths, int* found,
                                 int* depth_at, int count, int least) {
  const int q = blockIdx.x * blockDim.x + threadIdx.x;
  if (q >= count) return;
  const char* query = queries + starts[q];
  const int length = lengths[q];
  int at = 0, matched = 0, along = 0;
  bool must_skip = false, done = false;
  for (int i = 0; i <= length - least && !done; ++i) {
    int position = i + matched;
    while (!done) {
      const char letter = query[position];
      int next;
      switch (letter) {
        case 'A': next = nodes[at].child[0]; break;
        case 'C': next = nodes[at].child[1]; break;
        case 'G': next = nodes[at].child[2]; break;
        case 'T': next = nodes[at].child[3]; break;
        default: next = -1; break;
      }
      if (letter == 0) done = true;
      if (next < 0) break;
      const Node node = nodes[next];
      int k = node.begin;
      if (must_skip) {
        const int whole = node.end - node.begin + 1;
        if (along >= whole) {
          along -= whole;
          position += whole;
          at = next;
          continue;
        }
        k += along;
        position += along;
        along = 0;
        must_skip = false;
      }
      bool equal = true;
      while (k <= node.end && equal) {
        if (query[position] == 0) done = true;
        if (query[position] != text[k]) equal = false;
        else ++k, ++position;
      }
      if (!equal) {
        along = k - node.begin;
        break;
      }
      at = next;
    }
    matched = position - i;
    if (matched >= least) {
      found[starts[q] + i] = at;
      depth_at[starts[q] + i] = matched;
    } else {
      found[starts[q] + i] = -1;
    }
    if (at == 0) {
      matched = 0;
    } else {
      at = nodes[at].link >= 0 ? nodes[at].link : nodes[nodes[at].parent].link;
      must_skip = along > 0;
      matched = matched > 0 ? matched - 1 : 0;
    }
  }
}
