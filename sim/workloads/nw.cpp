// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "workloads/host.h"

namespace heddle {
namespace {

constexpr std::uint32_t kScoreTile = 16;  // TILE of kernels/nw.cu
constexpr std::uint32_t kLetters = 24;

class Nw final : public Workload {
 public:
  explicit Nw(const Settings& settings)
      : Workload(settings),
        length_(settings["length"]),
        penalty_(static_cast<std::int32_t>(settings["penalty"])) {
    Random random(settings.seed());
    for (std::uint32_t a = 0; a < kLetters; ++a) {
      for (std::uint32_t b = 0; b < kLetters; ++b)
        table_.push_back(b < a ? table_[b * kLetters + a]
                               : static_cast<std::int32_t>(random.below(9)) - (a == b ? -4 : 4));
    }
    for (std::uint32_t i = 0; i < length_; ++i) {
      one_.push_back(random.below(kLetters));
      other_.push_back(random.below(4) != 0 ? one_.back() : random.below(kLetters));  // related sequences
    }
  }

  void run(DeviceInterface& device) override {
    const std::uint32_t edge = length_ + 1;
    std::vector<std::int32_t> similarity(std::size_t{edge} * edge), score(similarity.size());
    for (std::uint32_t y = 1; y < edge; ++y) {
      for (std::uint32_t x = 1; x < edge; ++x) similarity[std::size_t{y} * edge + x] = alike(y, x);
    }
    for (std::uint32_t i = 0; i < edge; ++i)
      score[i] = score[std::size_t{i} * edge] = -penalty_ * static_cast<std::int32_t>(i);
    const Address similarities = upload(device, similarity), scores = upload(device, score);
    const std::uint32_t tiles = length_ / kScoreTile;
    for (std::uint32_t diagonal = 0; diagonal < 2 * tiles - 1; ++diagonal) {
      const std::uint32_t first = diagonal < tiles ? 0 : diagonal - tiles + 1;
      launch(device, "nw", {std::min(diagonal, tiles - 1) - first + 1}, {kScoreTile}, similarities, scores, edge,
             penalty_, diagonal, first);
    }
    result_ = download<std::int32_t>(device, scores, score.size());
  }

  // A column after the other.
  void check() const override {
    const std::uint32_t edge = length_ + 1;
    std::vector<std::int32_t> wanted(std::size_t{edge} * edge);
    for (std::uint32_t x = 0; x < edge; ++x) {
      for (std::uint32_t y = 0; y < edge; ++y) {
        const std::size_t at = std::size_t{y} * edge + x;
        if (x == 0 || y == 0) {
          wanted[at] = -penalty_ * static_cast<std::int32_t>(x + y);
        } else {
          wanted[at] =
              std::max({wanted[at - edge - 1] + alike(y, x), wanted[at - 1] - penalty_, wanted[at - edge] - penalty_});
        }
      }
    }
    expect_equal("nw: score (row * (length + 1) + column)", result_, wanted);
  }

 private:
  [[nodiscard]] std::int32_t alike(std::uint32_t y, std::uint32_t x) const {
    return table_[other_[y - 1] * kLetters + one_[x - 1]];
  }

  std::uint32_t length_;
  std::int32_t penalty_;
  std::vector<std::int32_t> table_;
  std::vector<std::uint32_t> one_, other_;
  std::vector<std::int32_t> result_;
};

}  // namespace

WorkloadInfo nw_workload() {
  return {"nw",
          "alignment of two sequences: tiles along diagonals, and along the diagonals of each tile",
          "Rodinia nw; DPE paper",
          {{"length", "letters of a sequence", 64, 256, 1024, kScoreTile, 4096, kScoreTile},
           {"penalty", "of a gap", 10, 10, 10, 0, 1000}},
          false,
          make<Nw>,
          {{"length", 816}}};
}

}  // namespace heddle
