// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>

#include "workloads/host.h"

namespace heddle {
namespace {

constexpr std::uint32_t kMaxThreads = 96;  // MAX_THREADS of kernels/nqueen.cu
constexpr std::uint32_t kLargest = 14;
// Of n queens, n = 0..14 (OEIS A000170).
constexpr std::uint32_t kSolutions[kLargest + 1] = {1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200, 73712, 365596};

class Nqueen final : public Workload {
 public:
  explicit Nqueen(const Settings& settings)
      : Workload(settings),
        n_(settings["n"]),
        given_(std::min(settings["given"], n_ - 1)),
        block_(settings["block"]) {
    std::vector<std::uint32_t> board;
    place_given(board);
    // Which placements share a warp is the seed's choice.
    Random random(settings.seed());
    for (std::size_t i = boards_.size(); i > 1; --i)
      std::swap(boards_[i - 1], boards_[random.below(static_cast<std::uint32_t>(i))]);
  }

  void run(DeviceInterface& device) override {
    std::vector<Placement> placements;
    for (const auto& board : boards_) {
      Placement p{};
      for (const std::uint32_t column : board)
        p = {p.columns | 1u << column, (p.left | 1u << column) << 1, (p.right | 1u << column) >> 1};
      placements.push_back(p);
    }
    const auto count = static_cast<std::uint32_t>(placements.size());
    const Address input = upload(device, placements);
    const Address solutions = device.allocate(count * 4);
    launch(device, "nqueen", {blocks_for(count, block_)}, {block_}, input, solutions, count, n_, n_ - given_);
    solutions_ = download<std::uint32_t>(device, solutions, count);
  }

  // Queens by their columns, each tried against all before it; the sum must be the published number.
  void check() const override {
    std::vector<std::uint32_t> wanted;
    for (auto board : boards_) wanted.push_back(complete(board));
    expect_equal("nqueen: solutions of placement", solutions_, wanted);
    const auto sum = std::accumulate(solutions_.begin(), solutions_.end(), 0u);
    if (sum != kSolutions[n_]) throw wrong_result("nqueen: sum", std::to_string(sum), std::to_string(kSolutions[n_]));
  }

 private:
  struct Placement {
    std::uint32_t columns, left, right;
  };

  static bool attacked(const std::vector<std::uint32_t>& board, std::uint32_t column) {
    for (std::size_t row = 0; row < board.size(); ++row) {
      const std::size_t rows = board.size() - row,
                        columns = column > board[row] ? column - board[row] : board[row] - column;
      if (columns == 0 || columns == rows) return true;
    }
    return false;
  }

  void place_given(std::vector<std::uint32_t>& board) {
    if (board.size() == given_) {
      boards_.push_back(board);
      return;
    }
    for (std::uint32_t column = 0; column < n_; ++column) {
      if (attacked(board, column)) continue;
      board.push_back(column);
      place_given(board);
      board.pop_back();
    }
  }

  std::uint32_t complete(std::vector<std::uint32_t>& board) const {
    if (board.size() == n_) return 1;
    std::uint32_t found = 0;
    for (std::uint32_t column = 0; column < n_; ++column) {
      if (attacked(board, column)) continue;
      board.push_back(column);
      found += complete(board);
      board.pop_back();
    }
    return found;
  }

  std::uint32_t n_;
  std::uint32_t given_;
  std::uint32_t block_;
  std::vector<std::vector<std::uint32_t>> boards_;  // columns of the given queens, row by row
  std::vector<std::uint32_t> solutions_;
};

}  // namespace

WorkloadInfo nqueen_workload() {
  return {
      "nqueen",
      "n-queens by backtracking with bit masks and a stack in shared memory, a placement of the first rows a thread",
      "ISPASS NQU; linearization paper",
      {{"n", "rows and columns of the board", 7, 11, 12, 4, kLargest},
       {"given", "rows with a given queen, at most n - 1", 3, 3, 4, 2, 5},
       {"block", "threads a block", 32, 96, 96, 1, kMaxThreads}},
      false,
      make<Nqueen>};
}

}  // namespace heddle
