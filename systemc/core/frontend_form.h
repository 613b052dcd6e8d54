// SPDX-License-Identifier: Apache-2.0
// FrontendForm: what a mechanism derives its front end from, in the two forms that it has: Module is its class, Pins
// those of all front ends, Logic its machine in simulation, StackModule and FrontModule what it holds for synthesis.
#pragma once

#include "core/frontend_ports.h"
#ifdef HEDDLE_SYNTHESIS
#include "core/frontend_netlist.h"
#else
#include "core/frontend_process.h"
#endif

namespace heddle {

template <unsigned NumWarps, unsigned Lanes, unsigned NumSlots, unsigned DepthW, unsigned Scoreboard,
          unsigned SbEntries, unsigned Selector, unsigned Policy, unsigned IbufDepth, unsigned Predicate,
          unsigned NumWb, unsigned TagW, unsigned Watch, unsigned PathBarriers, unsigned Partial, unsigned PayloadW,
          unsigned PcStep>
class frontend;

#ifdef HEDDLE_SYNTHESIS
template <class Module, class Pins, class Logic, class StackModule, class FrontModule, unsigned LevelW>
using FrontendForm = FrontendNetlist<Pins, StackModule, FrontModule, LevelW>;
#else
template <class Module, class Pins, class Logic, class StackModule, class FrontModule, unsigned LevelW>
using FrontendForm = FrontendProcess<Module, Pins, Logic>;
#endif

}  // namespace heddle
