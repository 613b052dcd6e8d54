// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "workloads/host.h"

namespace heddle {
namespace {

constexpr std::uint32_t kResidues = 20;      // amino acids
constexpr std::int32_t kNever = -987654321;  // NEVER of kernels/viterbi.cu

struct Model {
  std::int32_t positions, loop, move, end_to_j, end_to_c;
};

struct Position {
  std::int32_t mm, im, dm, bm, md, dd, mi, ii, me;
};

struct Emission {
  std::int32_t match, insert;
};

class Viterbi final : public Workload {
 public:
  explicit Viterbi(const Settings& settings)
      : Workload(settings),
        count_(settings["sequences"]),
        positions_(settings["positions"]),
        block_(settings["block"]) {
    Random random(settings.seed());
    make_model(random);
    make_sequences(random, settings["length"]);
  }

  void run(DeviceInterface& device) override {
    const Address model = upload(device, std::vector<Model>{model_});
    const Address profile = upload(device, profile_);
    const Address emissions = upload(device, emissions_);
    const Address residues = upload(device, residues_);
    const Address offsets = upload(device, offsets_);
    const Address rows = device.allocate(3 * positions_ * count_ * 4);
    const Address scores = device.allocate(count_ * 4);
    launch(device, "viterbi", {blocks_for(count_, block_)}, {block_}, model, profile, emissions, residues, offsets,
           rows, scores, count_);
    scores_ = download<std::int32_t>(device, scores, count_);
  }

  void check() const override {
    std::vector<std::int32_t> wanted;
    for (std::uint32_t s = 0; s < count_; ++s) {
      wanted.push_back(
          static_cast<std::int32_t>(best_path(residues_.data() + offsets_[s], offsets_[s + 1] - offsets_[s])));
    }
    expect_equal("viterbi: score", scores_, wanted);
  }

 private:
  // A score in low .. high.
  static std::int32_t score(Random& random, std::int32_t low, std::int32_t high) {
    return low + static_cast<std::int32_t>(random.below(static_cast<std::uint32_t>(high - low + 1)));
  }

  // A profile with one preferred residue a position. Whole domains are likelier than parts; gaps are rare and longer
  // ones cheaper.
  void make_model(Random& random) {
    model_ = {static_cast<std::int32_t>(positions_), -8, -6000, -1000, -1000};
    emissions_.resize(std::size_t{kResidues} * positions_);
    for (std::uint32_t k = 0; k < positions_; ++k) {
      const bool first = k == 0, last = k + 1 == positions_;
      profile_.push_back({first ? kNever : score(random, -300, -10), first ? kNever : score(random, -2000, -500),
                          first ? kNever : score(random, -1500, -300), first ? -500 : score(random, -9000, -6000),
                          first ? kNever : score(random, -9000, -5000), first ? kNever : score(random, -2500, -500),
                          last ? kNever : score(random, -9000, -5000), last ? kNever : score(random, -2500, -500),
                          last ? 0 : score(random, -9000, -6000)});
      consensus_.push_back(static_cast<std::uint8_t>(random.below(kResidues)));
      for (std::uint32_t r = 0; r < kResidues; ++r) {
        const bool preferred = r == consensus_[k];
        emissions_[std::size_t{r} * positions_ + k] = {
            preferred ? score(random, 2000, 4000) : score(random, -3000, 500), score(random, -1000, 0)};
      }
    }
  }

  // Sequences of length/4 .. length residues. Every other one is related to the profile: its consensus with
  // substitutions, insertions and deletions, beginning anywhere and perhaps going round more than once.
  void make_sequences(Random& random, std::uint32_t length) {
    offsets_.push_back(0);
    for (std::uint32_t s = 0; s < count_; ++s) {
      const std::uint32_t shortest = std::max<std::uint32_t>(1, length / 4);
      const std::uint32_t residues = shortest + random.below(length - shortest + 1);
      const bool related = s % 2 == 0;
      std::uint32_t at = random.below(positions_);
      for (std::uint32_t i = 0; i < residues; ++i) {
        const std::uint32_t event = random.below(20);
        if (event == 0) at += 1 + random.below(3);  // a deletion
        const bool copied = related && event > 4;   // else a substitution or, with event 1, an insertion
        residues_.push_back(copied ? consensus_[at % positions_] : static_cast<std::uint8_t>(random.below(kResidues)));
        if (event != 1) ++at;
      }
      offsets_.push_back(static_cast<std::uint32_t>(residues_.size()));
    }
  }

  // The same maximum from the other end: the best score of completing a path from each state when i residues have been
  // emitted.
  [[nodiscard]] std::int64_t best_path(const std::uint8_t* residues, std::uint32_t length) const {
    constexpr std::int64_t kImpossible = -1'000'000'000'000;
    const std::uint32_t n = positions_;
    std::vector<std::int64_t> match(n + 1, kImpossible), insert(n + 1, kImpossible),
        gap(n + 1, kImpossible);                                         // with n: beyond the last
    std::vector<std::int64_t> match_after(match), insert_after(insert);  // of i + 1
    std::int64_t c = kImpossible, j = kImpossible, start = kImpossible;
    for (std::uint32_t i = length + 1; i-- > 0;) {
      const bool more = i < length;
      match.swap(match_after);
      insert.swap(insert_after);
      const Emission* emission = more ? &emissions_[std::size_t{residues[i]} * n] : nullptr;
      const auto emit_match = [&](std::uint32_t k) {
        return more && k < n ? emission[k].match + match_after[k] : kImpossible;
      };
      const auto emit_insert = [&](std::uint32_t k) {
        return more ? emission[k].insert + insert_after[k] : kImpossible;
      };
      std::int64_t begin = kImpossible;
      for (std::uint32_t k = 0; k < n; ++k) begin = std::max(begin, profile_[k].bm + emit_match(k));
      c = more ? model_.loop + c : model_.move;
      j = std::max(model_.loop + j, model_.move + begin);
      start = std::max(model_.loop + start, model_.move + begin);
      const std::int64_t end = std::max(model_.end_to_c + c, model_.end_to_j + j);
      for (std::uint32_t k = n; k-- > 0;) {
        const Position& here = profile_[k];
        const bool last = k + 1 == n;
        const std::int64_t next = emit_match(k + 1);
        const std::int64_t longer = emit_insert(k);
        match[k] = here.me + end;
        insert[k] = here.ii + longer;
        match[k] = std::max(match[k], here.mi + longer);
        gap[k] = kImpossible;
        if (last) continue;
        const Position& after = profile_[k + 1];
        match[k] = std::max({match[k], after.mm + next, after.md + gap[k + 1]});
        insert[k] = std::max(insert[k], after.im + next);
        gap[k] = std::max(after.dm + next, after.dd + gap[k + 1]);
      }
    }
    return start;
  }

  std::uint32_t count_;
  std::uint32_t positions_;
  std::uint32_t block_;
  Model model_{};
  std::vector<Position> profile_;
  std::vector<std::uint8_t> consensus_;
  std::vector<Emission> emissions_;
  std::vector<std::uint8_t> residues_;
  std::vector<std::uint32_t> offsets_;
  std::vector<std::int32_t> scores_;
};

}  // namespace

WorkloadInfo viterbi_workload() {
  return {"viterbi",
          "Viterbi scores of sequences against a profile hidden Markov model, a sequence a thread",
          "SPEC CPU2006 hmmer; HMMer of the DWF paper",
          {{"sequences", "sequences, one a thread", 48, 512, 1024, 1, 16384},
           {"positions", "positions of the profile", 8, 32, 100, 1, 512},
           {"length", "residues of the longest sequence; the shortest has a quarter", 20, 20, 48, 1, 4096},
           {"block", "threads a block", 32, 128, 256, 1, 1024}},
          false,
          make<Viterbi>};
}

}  // namespace heddle
