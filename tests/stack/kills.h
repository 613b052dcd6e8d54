// SPDX-License-Identifier: Apache-2.0
// Kills of warps in the random tests of the stacks: where they are aimed, and which of the situations that the contract
// orders were met (docs/frontend.md, "Kill").
#pragma once

#include <optional>
#include <vector>

#include "tests/common/bench.h"
#include "tests/common/random.h"

namespace heddle::test {

// Seldom a warp, and then mostly one to which something else happens in the same cycle; oftener where that is seldom
// itself.
template <class Oracle, class Inputs>
std::optional<WarpId> random_kill(Random& random, const Oracle& oracle, const Inputs& in, unsigned warps) {
  if (!random.chance(oracle.popping() ? 10 : 4)) return std::nullopt;
  std::vector<WarpId> busy;
  if (in.resolve) busy.push_back(in.resolve->warp);
  if (in.advance) busy.push_back(in.advance->warp);
  for (const std::optional<WarpId>& warp : {oracle.resolving(), oracle.popping(), oracle.waiting_for_a_pop()}) {
    if (warp) busy.push_back(*warp);
  }
  const WarpId killed = busy.empty() || random.chance(20) ? random.below(warps) : random.pick(busy);
  if (in.launch && in.launch->warp == killed) return std::nullopt;
  return killed;
}

// What a kill met: of one cycle, before and after its edge.
class Kills {
 public:
  template <class Oracle, class Inputs>
  void before(const Oracle& oracle, const Inputs& in) {
    idle_ = in.kill && oracle.depth(*in.kill) == 0;
    resolving_ = in.kill && oracle.resolving() == in.kill;
    chosen_ = in.kill && oracle.waiting_for_a_pop() == in.kill;
    relaunched_ = killed_ && in.launch && in.launch->warp == *killed_;
    killed_ = in.kill;
  }
  template <class Oracle, class Inputs, class Events>
  void count(Coverage& met, const Oracle&, const Inputs& in, const Events& events, unsigned warps) const {
    met.hit("kill_of_an_idle_warp", idle_);
    met.hit("kill_with_a_resolution_taken_in", in.kill && in.resolve && in.resolve->warp == *in.kill);
    met.hit("kill_as_a_resolution_acts", resolving_);
    met.hit("kill_with_a_push", in.kill && events.push == in.kill);
    met.hit("kill_with_an_advance", in.kill && in.advance && in.advance->warp == *in.kill);
    met.hit("kill_as_it_would_be_chosen", chosen_);
    met.hit("kill_with_a_pop", in.kill && events.pop == in.kill && !events.done);
    met.hit("kill_with_the_last_pop", in.kill && events.done == in.kill);
    met.hit("launch_behind_a_kill", relaunched_);
    if (warps > 1) {
      met.hit("kill_beside_a_push", in.kill && events.push && events.push != in.kill);
      met.hit("kill_beside_a_pop", in.kill && events.pop && events.pop != in.kill);
    }
  }

 private:
  std::optional<WarpId> killed_;
  bool idle_ = false, resolving_ = false, chosen_ = false, relaunched_ = false;
};

}  // namespace heddle::test
