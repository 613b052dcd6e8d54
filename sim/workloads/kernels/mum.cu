// SPDX-License-Identifier: Apache-2.0
// Exact matches of DNA queries in a reference by its suffix tree, after MUMmerGPU: one query a thread. For each suffix of the query the
// tree is walked until the next character does not fit; the suffix link of the last node is where the walk for the next suffix goes on
// (Chang and Lawler), below which so many characters are known to match that edges are skipped by their lengths (McCreight).
// The walk ends in the middle of three nested loops: no edge with the next character, the query's end or a character that is none of the
// four, a mismatch within an edge.
#include <heddle/kernel.h>

#define ROOT 0
#define NONE 0  // no child: the root is nobody's

struct Node {
  int begin, end;   // the edge to this node: reference[begin .. end)
  int link;         // the node of this string without its first character
  int depth;        // characters from the root
  int a, c, g, t;   // children
};

// A match of at least `shortest` characters: where in the reference, and how long. matches[] has one element a character of the queries.
extern "C" __global__ void mum(const Node* tree, const char* reference, const char* queries, const int* offsets, int2* matches, int count,
                               int shortest) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  if (thread >= count) return;
  const int first = offsets[thread];
  const int last = offsets[thread + 1] - 1 - shortest;  // a query ends in 0

  int node = ROOT;
  int known = 0;  // characters below the node that are known to match
  for (int start = first; start <= last; ++start) {
    int at = start + tree[node].depth;  // the query's next character
    int below = 0;                      // characters matched on the edge below the node
    int child = NONE;
    char character = queries[at];
    for (;;) {
      switch (character) {
        case 'A': child = tree[node].a; break;
        case 'C': child = tree[node].c; break;
        case 'G': child = tree[node].g; break;
        case 'T': child = tree[node].t; break;
        default: child = NONE;  // a way out from here would keep threads apart until their matches end
      }
      if (child == NONE) goto record;
      const int begin = tree[child].begin;
      const int length = tree[child].end - begin;
      if (known >= length) {
        known -= length;
        at += length;
      } else {
        below = known > 0 ? known : 1;  // the first character fits: it has chosen the edge
        known = 0;
        at += below;
        while (below < length) {
          if (queries[at] != reference[begin + below]) goto record;
          ++below;
          ++at;
        }
        below = 0;
      }
      node = child;
      character = queries[at];
    }

  record:
    const int matched = at - start;
    if (matched >= shortest) {
      const int end = below > 0 ? tree[child].begin + below : tree[node].end;
      matches[start] = make_int2(end - matched, matched);
    }
    if (node == ROOT) {
      known = below > 0 ? below - 1 : 0;
    } else {
      node = tree[node].link;
      known = below;
    }
  }
}
