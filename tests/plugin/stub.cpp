// SPDX-License-Identifier: Apache-2.0
// A plug-in for tests of the loader, in several builds: one whose mechanism is spe without a SystemC module, RTL and
// bits; others that are refused.
#ifndef STUB_IS_EMPTY
#include "core/spe_frontend.h"
#include "engine/twin_frontend.h"
#include "mechanisms/plugin.h"

#ifdef STUB_INTERFACE
#undef HEDDLE_PLUGIN_INTERFACE
#define HEDDLE_PLUGIN_INTERFACE STUB_INTERFACE
#endif

namespace {

using namespace heddle;

class Design final : public FrontendDesign {
 public:
  [[nodiscard]] FrontendShape shape(const Config&) const override { return {}; }
  [[nodiscard]] std::unique_ptr<Frontend> twin(const FrontendContext&) const override { return nullptr; }
  [[nodiscard]] std::unique_ptr<DirectFrontend> direct_twin(
      [[maybe_unused]] const DirectContext& context) const override {
#ifdef STUB_HAS_A_FRONTEND
    return std::make_unique<DirectTwin<TwinRules, OneSlotTwin<spe_frontend, ScoreboardModule::kSpe>>>(
        context, shape(context.config));
#else
    return nullptr;
#endif
  }
};

class Stub final : public Mechanism {
 public:
  Stub() : Mechanism(MechanismKind::kFrontend, STUB_NAME, "for tests", "nobody") {}
  [[nodiscard]] std::vector<ConfigKey> keys() const override {
    return {own_number(STUB_KEY, 7, 1, 9, "", "a number", "assumed")};
  }
  [[nodiscard]] const FrontendDesign* design(const Config&) const override {
    static const Design design;
    return &design;
  }
};

}  // namespace

HEDDLE_PLUGIN(list) {
  static const Stub stub;
  list.add(stub);
}
#endif
