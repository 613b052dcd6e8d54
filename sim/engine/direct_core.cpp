// SPDX-License-Identifier: Apache-2.0
#include "engine/direct_core.h"

#include "memory/memory_system.h"

namespace heddle {

DirectCore::DirectCore(const Config& config, Engine engine) : memory_(make_memory(config)), sm_(config, engine) {}

void DirectCore::begin(const Launch& launch, AddressSpace& space, Observer* observer, std::ostream& text) {
  sm_.begin(launch, space, *memory_, observer, text);
}

void DirectCore::run() {
  CoreBackend& backend = sm_.backend();
  backend.go();
  while (!backend.finished()) {
    sm_.cycle();
    sm_.skip(kNever);
  }
  if (backend.error()) std::rethrow_exception(backend.error());
}

}  // namespace heddle
