// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>

#include "workloads/host.h"

namespace heddle {
namespace {

constexpr std::int32_t kNone = std::numeric_limits<std::int32_t>::max();
constexpr std::uint32_t kDoublings = 6;

class Bfs2 final : public Workload {
 public:
  explicit Bfs2(const Settings& settings) : Workload(settings), count_(settings["nodes"]), block_(settings["block"]) {
    Random random(settings.seed());
    for (std::uint32_t node = 0; node < count_; ++node) {
      first_edge_.push_back(static_cast<std::int32_t>(edges_.size()));
      std::uint32_t degree = settings["degree"];
      for (std::uint32_t coins = random.word(), k = 0; k < kDoublings && (coins >> k & 1u) != 0; ++k) degree *= 2;
      for (std::uint32_t e = 0; e < degree; ++e) edges_.push_back(static_cast<std::int32_t>(random.below(count_)));
    }
    first_edge_.push_back(static_cast<std::int32_t>(edges_.size()));
    source_ = random.below(count_);
  }

  void run(DeviceInterface& device) override {
    std::vector<std::int32_t> level(count_, kNone);
    level[source_] = 0;
    const Address first_edge = upload(device, first_edge_);
    const Address edges = upload(device, edges_);
    const Address levels = upload(device, level);
    const Address again = device.allocate(4);
    const std::vector<std::int32_t> no(1, 0);
    std::int32_t now = 0;
    do {
      device.write(again, no.data(), bytes_of(no));
      launch(device, "bfs2", {blocks_for(count_, block_)}, {block_}, first_edge, edges, levels, now, again, count_);
      ++now;
    } while (download<std::int32_t>(device, again, 1)[0] != 0);
    level_ = download<std::int32_t>(device, levels, count_);
  }

  // Relaxes all edges until nothing changes (Bellman and Ford).
  void check() const override {
    std::vector<std::int32_t> wanted(count_, kNone);
    wanted[source_] = 0;
    for (bool changed = true; changed;) {
      changed = false;
      for (std::uint32_t node = 0; node < count_; ++node) {
        if (wanted[node] == kNone) continue;
        for (std::int32_t e = first_edge_[node]; e < first_edge_[node + 1]; ++e) {
          std::int32_t& other = wanted[static_cast<std::size_t>(edges_[static_cast<std::size_t>(e)])];
          if (other <= wanted[node] + 1) continue;
          other = wanted[node] + 1;
          changed = true;
        }
      }
    }
    expect_equal("bfs2: level", level_, wanted);
  }

 private:
  std::uint32_t count_, block_;
  std::vector<std::int32_t> first_edge_, edges_;
  std::uint32_t source_ = 0;
  std::vector<std::int32_t> level_;
};

}  // namespace

WorkloadInfo bfs2_workload() {
  return {"bfs2",
          "breadth-first search of a graph whose degrees are far apart, levels instead of flags, one launch a level",
          "Rodinia bfs; DPE paper",
          {{"nodes", "nodes of the graph", 512, 32768, 262144, 1, 4194304},
           {"degree", "least number of edges of a node; doubled with probability 1/2, up to six times", 2, 2, 2, 1, 16},
           {"block", "threads a block", 256, 256, 256, 1, 1024}},
          false,
          make<Bfs2>,
          {{"nodes", 131072}}};
}

}  // namespace heddle
