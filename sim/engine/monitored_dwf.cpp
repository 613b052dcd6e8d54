// SPDX-License-Identifier: Apache-2.0
// The scheduler of dynamic warp formation under the monitor.
#include <algorithm>

#include "engine/monitored.h"
#include "wave/dwf_probes.h"

namespace heddle {
namespace {

class MonitoredDwf final : public Monitored {
 public:
  MonitoredDwf(const Config& config, const DwfSides& sides)
      : Monitored("scheduler0"),
        config_(config),
        sides_(sides),
        state_(config),
        rtl_state_(config) {}

  [[nodiscard]] std::vector<WaveProbe> waves(Side side, const std::string& scope) const override {
    return side == Side::kRtl ? dwf_probes(scope, config_, sides_.pins->in, *sides_.rtl_out, rtl_state_)
                              : dwf_probes(scope, config_, sides_.pins->in, sides_.pins->out, state_);
  }
  [[nodiscard]] std::string first_view() const override { return "pins"; }
  // The modules before the pins: the first difference names the module that went wrong.
  [[nodiscard]] std::vector<WaveProbe> outputs(Side side) const override {
    std::vector<WaveProbe> list = waves(side, "");
    std::stable_partition(list.begin(), list.end(),
                          [](const WaveProbe& probe) { return probe.scope.rfind("pins", 0) != 0; });
    return list;
  }

  bool sample() override {
    sides_.view->read_state(state_);
    if (sides_.rtl_view != nullptr) sides_.rtl_view->read_state(rtl_state_);
    return true;
  }
  [[nodiscard]] bool equal() const override {
    return sides_.pins->out.read() == sides_.rtl_out->read() && state_ == rtl_state_;
  }

 private:
  const Config config_;
  const DwfSides sides_;
  DwfState state_, rtl_state_;
};

}  // namespace

std::unique_ptr<Monitored> monitor_dwf(const Config& config, const DwfSides& sides) {
  return std::make_unique<MonitoredDwf>(config, sides);
}

}  // namespace heddle
