// SPDX-License-Identifier: Apache-2.0
// Viterbi scores of many sequences against one profile hidden Markov model of the plan-7 kind (match, insert and delete states,
// N, J and C loops around them), as a profile search does it: one thread a sequence. Scores are whole numbers, thousandths of a bit.
// Every maximum is a branch around one move, taken or not as the data of a thread want it, and threads end when their sequences do.
#include <heddle/kernel.h>

#define NEVER (-987654321)  // of what cannot be; two of them still fit an int

struct Model {
  int positions;
  int loop;       // N, J and C emit one more residue
  int move;       // N and J to the begin state, C to the end
  int end_to_j;   // another domain follows
  int end_to_c;   // the last domain was this
};

// Transitions into position k from position k - 1 (mm im dm md dd), within k (mi ii), from the begin (bm) and to the end state (me).
struct Position {
  int mm, im, dm, bm, md, dd, mi, ii, me;
};

// emissions[residue * positions + k]: x of the match state, y of the insert state. The rows of the recurrence are interleaved over
// the threads: state s (0 match, 1 insert, 2 delete) of position k is rows[(3 * k + s) * count + thread].
extern "C" __global__ void viterbi(const Model* model, const Position* positions, const int2* emissions, const unsigned char* residues,
                                   const int* offsets, int* rows, int* scores, int count) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  if (thread >= count) return;
  const int length = model->positions;
  const int loop = model->loop;
  const int move = model->move;

  for (int k = 0; k < 3 * length; ++k) rows[k * count + thread] = NEVER;
  int n = 0;
  int begin = move;
  int j = NEVER;
  int c = NEVER;

  for (int i = offsets[thread]; i < offsets[thread + 1]; ++i) {
    const Position* position = positions;
    const int2* emission = emissions + residues[i] * length;
    int* row = rows + thread;
    int diagonal_match = NEVER;   // position k - 1, residue i - 1
    int diagonal_insert = NEVER;
    int diagonal_delete = NEVER;
    int match_before = NEVER;     // position k - 1, residue i
    int delete_before = NEVER;
    int end = NEVER;
    for (int k = 0; k < length; ++k) {
      const int old_match = row[0];
      const int old_insert = row[count];
      const int old_delete = row[2 * count];

      int match = diagonal_match + position->mm;
      const int from_insert = diagonal_insert + position->im;
      if (from_insert > match) match = from_insert;
      const int from_delete = diagonal_delete + position->dm;
      if (from_delete > match) match = from_delete;
      const int from_begin = begin + position->bm;
      if (from_begin > match) match = from_begin;
      if (match < NEVER) match = NEVER;
      match += emission->x;

      int gap = match_before + position->md;
      const int longer_gap = delete_before + position->dd;
      if (longer_gap > gap) gap = longer_gap;
      if (gap < NEVER) gap = NEVER;

      int insert = old_match + position->mi;
      const int longer_insert = old_insert + position->ii;
      if (longer_insert > insert) insert = longer_insert;
      if (insert < NEVER) insert = NEVER;
      insert += emission->y;

      const int to_end = match + position->me;
      if (to_end > end) end = to_end;

      row[0] = match;
      row[count] = insert;
      row[2 * count] = gap;
      diagonal_match = old_match;
      diagonal_insert = old_insert;
      diagonal_delete = old_delete;
      match_before = match;
      delete_before = gap;
      row += 3 * count;
      ++position;
      ++emission;
    }

    n += loop;
    j += loop;
    if (end + model->end_to_j > j) j = end + model->end_to_j;
    c += loop;
    if (end + model->end_to_c > c) c = end + model->end_to_c;
    begin = n + move;
    if (j + move > begin) begin = j + move;
  }
  scores[thread] = c + move;
}
