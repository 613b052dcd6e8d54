// SPDX-License-Identifier: Apache-2.0
// A reference without hardware (barrel/reference_sources.h).
#include "barrel/reference_sources.h"
#include "config/key_macros.h"
#include "mechanisms/mechanism.h"

namespace heddle {
namespace {

class Mimd final : public Mechanism {
 public:
  Mimd()
      : Mechanism(MechanismKind::kReference, "mimd",
                  "reference: any ready threads issue together, no cost of divergence (barrel core)", "DWF paper 6") {}
  [[nodiscard]] std::vector<ConfigKey> keys() const override {
    return {HEDDLE_CHOICE("mimd.memory_path", mimd.memory_path,
                          "mimd: from a thread to L1 and shared memory without queues, banks and order, or through the "
                          "load/store unit of the others",
                          "assumed", "unlimited", "lsu")};
  }
  [[nodiscard]] WarpSourceFactory source_of_warps() const override { return make_mimd_source; }
};

}  // namespace

const Mechanism& mimd_mechanism() {
  static const Mimd mimd;
  return mimd;
}

}  // namespace heddle
