// SPDX-License-Identifier: Apache-2.0
// minpc_frontend: the front end in which the threads with the lowest PC issue. Contract: docs/frontend.md,
// minpc/minpc_frontend; same pins as rtl/minpc/minpc_frontend.sv.
#pragma once

#include "core/frontend_form.h"
#include "minpc/min_pc_table.h"

namespace heddle {

// A meeting leaves the queue of its warp: it holds what comes after the place where the threads met. A barrier is for
// all threads of a warp: whoever comes to one lets the others go first.
template <unsigned NumWarps, unsigned Lanes, unsigned LevelW, unsigned Watch, unsigned PcStep>
class MinPcHooks : public StackHooks<MinPcTableLogic<NumWarps, Lanes, LevelW, Watch, PcStep>, NumWarps, Lanes> {
 public:
  using Base = StackHooks<MinPcTableLogic<NumWarps, Lanes, LevelW, Watch, PcStep>, NumWarps, Lanes>;
  using Base::Base;
  static constexpr bool kKeepsQueues = true;

  void reset() {
    Base::reset();
    aside_ = 0;
  }
  template <class Front>
  void look(const Front& front) {
    aside_ = 0;
    const std::uint64_t may =
        this->stack_.others() & front.ibuffer().head_valid(0) & ~front.pending() & ~front.at_barrier();
    for (std::uint64_t left = may; left != 0; left &= left - 1) {
      const std::uint32_t warp = lowest_bit(left);
      if (bundle_barrier(front.ibuffer().head(warp, 0))) aside_ |= bit_of(warp);
    }
  }
  [[nodiscard]] std::uint64_t stops(std::uint32_t /*slot*/) const { return aside_; }
  template <class Front>
  void end(Front& front, const NoOwnInput& /*in*/, std::uint64_t /*killed*/) {
    for (std::uint64_t left = aside_; left != 0; left &= left - 1) {
      this->stack_.stand_aside(lowest_bit(left));
      front.drop(lowest_bit(left), 0);
    }
  }
  [[nodiscard]] bool moves() const { return Base::moves() || aside_ != 0; }

 private:
  std::uint64_t aside_ = 0;  // of this cycle
};

template <unsigned NumWarps = 24, unsigned Lanes = 32, unsigned Scoreboard = kScoreboardSpe, unsigned SbEntries = 8,
          unsigned Policy = kPolicyRoundRobin, unsigned IbufDepth = 5, unsigned LevelW = 8, unsigned Predicate = 1,
          unsigned NumWb = 2, unsigned TagW = 3, unsigned Watch = 1, unsigned PayloadW = 0, unsigned PcStep = 4>
using MinPcFrontendLogic = FrontendLogic<MinPcHooks<NumWarps, Lanes, LevelW, Watch, PcStep>,
                                         ScoreboardOf<Scoreboard, NumWarps, Lanes, 1, SbEntries, 0>,
                                         SelectorOf<kSelectorTwoLevel, NumWarps, 1, Policy>, SbEntries, Policy,
                                         IbufDepth, Predicate, NumWb, TagW, Watch, PayloadW, PcStep>;

template <unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
          unsigned, unsigned>
class minpc_frontend;

template <unsigned NumWarps, unsigned Lanes, unsigned Scoreboard, unsigned SbEntries, unsigned Policy,
          unsigned IbufDepth, unsigned LevelW, unsigned Predicate, unsigned NumWb, unsigned TagW, unsigned Watch,
          unsigned PayloadW, unsigned PcStep>
using MinPcFrontendForm = FrontendForm<minpc_frontend<NumWarps, Lanes, Scoreboard, SbEntries, Policy, IbufDepth, LevelW,
                                                      Predicate, NumWb, TagW, Watch, PayloadW, PcStep>,
                                       FrontendPorts<NumWarps, Lanes, 1, NumWb, TagW, PayloadW>,
                                       MinPcFrontendLogic<NumWarps, Lanes, Scoreboard, SbEntries, Policy, IbufDepth,
                                                          LevelW, Predicate, NumWb, TagW, Watch, PayloadW, PcStep>,
                                       min_pc_table<NumWarps, Lanes, LevelW, Watch, PcStep>,
                                       frontend<NumWarps, Lanes, 1, 1, Scoreboard, SbEntries, kSelectorTwoLevel, Policy,
                                                IbufDepth, Predicate, NumWb, TagW, Watch, 0, 0, PayloadW, PcStep>,
                                       LevelW>;

template <unsigned NumWarps = 24, unsigned Lanes = 32, unsigned Scoreboard = kScoreboardSpe, unsigned SbEntries = 8,
          unsigned Policy = kPolicyRoundRobin, unsigned IbufDepth = 5, unsigned LevelW = 8, unsigned Predicate = 1,
          unsigned NumWb = 2, unsigned TagW = 3, unsigned Watch = 1, unsigned PayloadW = 0, unsigned PcStep = 4>
class minpc_frontend : public MinPcFrontendForm<NumWarps, Lanes, Scoreboard, SbEntries, Policy, IbufDepth, LevelW,
                                                Predicate, NumWb, TagW, Watch, PayloadW, PcStep> {
  static_assert(Scoreboard == kScoreboardSpe || Scoreboard == kScoreboardBitmap,
                "minpc_frontend: Scoreboard is 0 (spe_scoreboard) or 3 (bitmap_scoreboard)");

 public:
  using Base = MinPcFrontendForm<NumWarps, Lanes, Scoreboard, SbEntries, Policy, IbufDepth, LevelW, Predicate, NumWb,
                                 TagW, Watch, PayloadW, PcStep>;
  using Logic = MinPcFrontendLogic<NumWarps, Lanes, Scoreboard, SbEntries, Policy, IbufDepth, LevelW, Predicate, NumWb,
                                   TagW, Watch, PayloadW, PcStep>;

#ifdef HEDDLE_SYNTHESIS
  using Base::at_barrier_;
  using Base::barrier_;
  using Base::head_valid_;
  using Base::sensitive;
  using Base::valid_;
  using Base::waits_;
#endif

  SC_HAS_PROCESS(minpc_frontend);
  explicit minpc_frontend(sc_core::sc_module_name name, const FrontendConfig& config = Logic::default_config())
      : Base(name, config) {
#ifdef HEDDLE_SYNTHESIS
    SC_METHOD(find_aside);
    sensitive << valid_ << others_ << head_valid_ << barrier_ << waits_ << at_barrier_;
    Base::stack_.aside_i(aside_);
    Base::stack_.others_o(others_);
    Base::frontend_.room_i(Base::always_);
    Base::frontend_.keep_i(Base::always_);
    Base::frontend_.drop_i(aside_);
    Base::frontend_.wait_i(Base::no_paths_);
    Base::frontend_.stop_i(aside_);
    Base::connect_no_misses();
#endif
  }

  [[nodiscard]] static constexpr unsigned state_bits() { return Logic::state_bits(); }

#ifdef HEDDLE_SYNTHESIS

 private:
  void find_aside() {
    aside_.write(valid_.read() & others_.read() & head_valid_.read() & barrier_.read() & ~waits_.read() &
                 ~at_barrier_.read());
  }

  sc_core::sc_signal<Mask<NumWarps>> SC_NAMED(others_);
  sc_core::sc_signal<Mask<NumWarps>> SC_NAMED(aside_);
#endif
};

}  // namespace heddle
