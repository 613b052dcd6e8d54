// SPDX-License-Identifier: Apache-2.0
// A reference without hardware (barrel/reference_sources.h).
#include "barrel/reference_sources.h"
#include "mechanisms/mechanism.h"

namespace heddle {
namespace {

class PdomBarrel final : public Mechanism {
 public:
  PdomBarrel()
      : Mechanism(MechanismKind::kReference, "pdom-barrel",
                  "reference: static warps with the stack of spe, one instruction of a warp in flight (barrel core)",
                  "DWF paper 3.2") {}
  [[nodiscard]] WarpSourceFactory source_of_warps() const override { return make_pdom_barrel_source; }
};

}  // namespace

const Mechanism& pdom_barrel_mechanism() {
  static const PdomBarrel pdom_barrel;
  return pdom_barrel;
}

}  // namespace heddle
