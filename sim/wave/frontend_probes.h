// SPDX-License-Identifier: Apache-2.0
// The signals of one front end as wave probes: pins, and per warp stack, scoreboard, selector and instruction buffers.
#pragma once

#include <string>
#include <vector>

#include "core/frontend_pins.h"
#include "core/frontend_state.h"
#include "heddle/config.h"
#include "wave/wave.h"

namespace heddle {

// Of pins that only one mechanism has; it adds them itself (FrontendDesign::add_probes).
class PinProbes {
 public:
  PinProbes(std::string scope, const FrontendPins& pins, unsigned lanes, std::vector<WaveProbe>& list)
      : pins(pins),
        scope_(std::move(scope)),
        lanes_(lanes),
        list_(list) {}

  const FrontendPins& pins;

  void flag(const std::string& name, const Wire<bool>& wire) { add(name, 1, wire, WaveFormat::kHex); }
  template <class T>
  void number(const std::string& name, unsigned width, const Wire<T>& wire) {
    add(name, width, wire, WaveFormat::kDecimal);
  }
  void pc(const std::string& name, const Wire<std::uint32_t>& wire) { add(name, 32, wire, WaveFormat::kPc); }
  void mask(const std::string& name, const Wire<std::uint64_t>& wire) {
    add(name, lanes_, wire, lanes_ <= 16 ? WaveFormat::kBinary : WaveFormat::kHex);
  }

 private:
  template <class T>
  void add(const std::string& name, unsigned width, const Wire<T>& wire, WaveFormat format) {
    list_.push_back(wave_probe(scope_, name, width, wire.read(), format));
  }
  const std::string scope_;
  const unsigned lanes_;
  std::vector<WaveProbe>& list_;
};

// `scope` is the place of the front end in the hierarchy, for example "systemc.scheduler0"; warps are named by their
// number in the core. `pins` and `state` are read at every sample: they outlive the recorder, and `state` is refreshed
// by the caller.
[[nodiscard]] std::vector<WaveProbe> frontend_probes(const std::string& scope, const Config& config, unsigned scheduler,
                                                     const FrontendPins& pins, const FrontendState& state);

}  // namespace heddle
