// SPDX-License-Identifier: Apache-2.0
#include "engine/sm.h"

#include <algorithm>

#include "barrel/barrel_backend.h"
#include "barrel/dwf_source.h"
#include "barrel/warp_source.h"
#include "core/backend.h"
#include "mechanisms/mechanism.h"

namespace heddle {

namespace {

const DirectFactory& factory(const Config& config, Engine engine) {
  const FrontendMechanism& mechanism = frontend_mechanism(config.mechanism);
  return engine == Engine::kRtl ? mechanism.direct_rtl : mechanism.direct;
}

}  // namespace

bool Sm::exists(const Config& config, Engine engine) {
  if (engine == Engine::kCosim) return false;
  switch (mechanism_kind(config.mechanism)) {
    case MechanismKind::kFrontend: return static_cast<bool>(factory(config, engine));
    case MechanismKind::kFormation: return engine == Engine::kSystemC && dwf_engines().direct;
    case MechanismKind::kReference: break;
  }
  return engine == Engine::kSystemC;
}

Sm::Sm(const Config& config, Engine engine) {
  switch (mechanism_kind(config.mechanism)) {
    case MechanismKind::kFrontend: {
      const FrontendMechanism& mechanism = frontend_mechanism(config.mechanism);
      std::vector<DirectFrontendPins*> pins;
      std::vector<const FrontendView*> views;
      for (unsigned s = 0; s < config.core.schedulers; ++s) {
        pins_.push_back(std::make_unique<DirectFrontendPins>());
        frontends_.push_back(factory(config, engine)({config, *pins_.back()}));
        pins.push_back(pins_.back().get());
        views.push_back(frontends_.back().get());
      }
      backend_ = std::make_unique<Backend<DirectFrontendPins>>(config, pins, views, capabilities_of(mechanism, config),
                                                               unit_of(mechanism, config));
      break;
    }
    case MechanismKind::kFormation:
      dwf_pins_ = std::make_unique<DirectDwfPins>();
      dwf_ = dwf_engines().direct({config, *dwf_pins_});
      backend_ = std::make_unique<BarrelBackend>(
          config, std::make_unique<DwfSource<DirectDwfPins>>(*dwf_pins_, config.core.lanes));
      break;
    case MechanismKind::kReference:
      backend_ = std::make_unique<BarrelBackend>(config, find_mechanism(config.mechanism)->source_of_warps()(config));
      break;
  }
}

void Sm::begin(const Launch& launch, AddressSpace& space, MemoryInterface& memory, Observer* observer,
               std::ostream& text) {
  backend_->begin(launch, space, memory, observer, text);
  for (const std::unique_ptr<DirectFrontend>& frontend : frontends_) {
    frontend->begin_launch(backend_->warp_slots());
    frontend->reset();
  }
  if (dwf_) dwf_->reset();
}

void Sm::cycle() {
  const std::uint32_t stepped = ((1u << frontends_.size()) - 1) & ~backend_->asleep();
  for (std::uint32_t left = stepped; left != 0; left &= left - 1)
    frontends_[static_cast<unsigned>(__builtin_ctz(left))]->step();
  if (dwf_) dwf_->step();
  backend_->edge();
  for (std::uint32_t left = stepped; left != 0; left &= left - 1)
    frontends_[static_cast<unsigned>(__builtin_ctz(left))]->show();
  if (dwf_) dwf_->show();
}

void Sm::skip(Cycle end) {
  if (backend_->finished()) return;
  const Cycle next = std::min(backend_->next_event(), end);
  if (next > backend_->now()) backend_->pass_over(next);
}

}  // namespace heddle
