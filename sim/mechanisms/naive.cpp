// SPDX-License-Identifier: Apache-2.0
// A reference without hardware (barrel/reference_sources.h).
#include "barrel/reference_sources.h"
#include "mechanisms/mechanism.h"

namespace heddle {
namespace {

class Naive final : public Mechanism {
 public:
  Naive()
      : Mechanism(MechanismKind::kReference, "naive",
                  "reference: a divergent branch splits a warp for good (barrel core)", "DWF paper 3.1") {}
  [[nodiscard]] WarpSourceFactory source_of_warps() const override { return make_naive_source; }
};

}  // namespace

const Mechanism& naive_mechanism() {
  static const Naive naive;
  return naive;
}

}  // namespace heddle
