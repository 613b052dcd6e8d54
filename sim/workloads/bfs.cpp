// SPDX-License-Identifier: Apache-2.0
#include <queue>

#include "workloads/host.h"

namespace heddle {
namespace {

class Bfs final : public Workload {
 public:
  explicit Bfs(const Settings& settings)
      : Workload(settings),
        count_(settings["nodes"]),
        block_(settings["block"]),
        nodes_(count_) {
    Random random(settings.seed());
    const std::uint32_t degree = settings["degree"];
    for (Node& node : nodes_) {
      node.first_edge = static_cast<std::int32_t>(edges_.size());
      node.edge_count = static_cast<std::int32_t>(1 + random.below(2 * degree - 1));
      for (std::int32_t e = 0; e < node.edge_count; ++e)
        edges_.push_back(static_cast<std::int32_t>(random.below(count_)));
    }
    source_ = random.below(count_);
  }

  void run(DeviceInterface& device) override {
    std::vector<std::uint8_t> flags(count_, 0);
    std::vector<std::int32_t> cost(count_, -1);
    flags[source_] = 1;
    cost[source_] = 0;
    const Address nodes = upload(device, nodes_);
    const Address edges = upload(device, edges_);
    const Address frontier = upload(device, flags);
    const Address next_frontier = device.allocate(count_);
    const Address visited = upload(device, flags);
    const Address costs = upload(device, cost);
    const Address again = device.allocate(4);
    const Dim3 grid{blocks_for(count_, block_)};
    const std::vector<std::int32_t> no(1, 0);
    do {
      device.write(again, no.data(), bytes_of(no));
      launch(device, "bfs_expand", grid, {block_}, nodes, edges, frontier, next_frontier, visited, costs, count_);
      launch(device, "bfs_advance", grid, {block_}, frontier, next_frontier, visited, again, count_);
    } while (download<std::int32_t>(device, again, 1)[0] != 0);
    cost_ = download<std::int32_t>(device, costs, count_);
  }

  void check() const override {
    std::vector<std::int32_t> wanted(count_, -1);
    std::queue<std::uint32_t> queue;
    wanted[source_] = 0;
    queue.push(source_);
    while (!queue.empty()) {
      const std::uint32_t id = queue.front();
      queue.pop();
      for (std::int32_t e = 0; e < nodes_[id].edge_count; ++e) {
        const auto neighbour = static_cast<std::uint32_t>(edges_[nodes_[id].first_edge + e]);
        if (wanted[neighbour] >= 0) continue;
        wanted[neighbour] = wanted[id] + 1;
        queue.push(neighbour);
      }
    }
    expect_equal("bfs: cost", cost_, wanted);
  }

 private:
  struct Node {
    std::int32_t first_edge;
    std::int32_t edge_count;
  };

  std::uint32_t count_;
  std::uint32_t block_;
  std::vector<Node> nodes_;
  std::vector<std::int32_t> edges_;
  std::uint32_t source_ = 0;
  std::vector<std::int32_t> cost_;
};

}  // namespace

WorkloadInfo bfs_workload() {
  return {"bfs",
          "level-synchronous breadth-first search of a random graph, two launches a level",
          "Rodinia bfs",
          {{"nodes", "nodes of the graph", 512, 32768, 262144, 1, 4194304},
           {"degree", "mean number of edges of a node", 6, 6, 6, 1, 64},
           {"block", "threads a block", 256, 256, 256, 1, 1024}},
          false,
          make<Bfs>,
          {{"nodes", 48000}}};
}

}  // namespace heddle
