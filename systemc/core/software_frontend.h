// SPDX-License-Identifier: Apache-2.0
// software_frontend: the front end with two paths a warp whose rows are in memory, pushed and popped by the program.
// Contract: docs/frontend.md, core/software_frontend; same pins as rtl/core/software_frontend.sv.
#pragma once

#include "core/frontend_form.h"
#include "stack/software_stack.h"

namespace heddle {

// What memory says of rows.
struct RowInput {
  bool load_ready = false;
  bool fill_valid = false;
  std::uint32_t fill_warp = 0;
  SoftwarePaths fill;
  [[nodiscard]] bool says_nothing() const { return !fill_valid; }
};

// A warp without paths waits for its row; who is chosen has it loaded, or ends.
template <class Stack, unsigned NumWarps, unsigned Lanes>
class RowHooks : public StackHooks<Stack, NumWarps, Lanes, RowInput> {
 public:
  using Base = StackHooks<Stack, NumWarps, Lanes, RowInput>;
  using Base::Base;
  static constexpr bool kNeedsRoom = true;

  void reset() {
    Base::reset();
    stays_ = false;
  }

  template <class Front>
  [[nodiscard]] PopChoice decide(const Front& /*front*/, const RowInput& in, const PathGrant& /*grant*/,
                                 std::uint64_t killed) {
    const PopChoice chosen = this->stack_.chosen();
    PopChoice popped;
    popped.valid = in.fill_valid || this->stack_.ends(in.fill_valid);
    popped.warp = in.fill_valid ? in.fill_warp : chosen.warp;
    stays_ = this->stack_.stays(in.fill_valid, in.load_ready) && !has_bit(killed, chosen.warp);
    this->poppable_ = this->stack_.poppable();
    return popped;
  }
  template <class Front>
  void begin(Front& /*front*/, std::uint64_t /*killed*/) {
    this->stack_.forget_saved();
  }
  bool pop(const PopChoice& /*popped*/, const RowInput& in) {
    const bool ends = this->stack_.ends(in.fill_valid);
    this->stack_.serve_chosen(in.fill_valid, in.load_ready);
    if (in.fill_valid) this->stack_.fill(in.fill_warp, in.fill);
    return ends;
  }
  void choose() {
    if (!stays_) Base::choose();
  }

  [[nodiscard]] bool moves() const { return Base::moves() || this->stack_.save().valid; }

 private:
  bool stays_ = false;  // who is chosen, of this cycle
};

template <unsigned NumWarps, unsigned Lanes, unsigned StackDepth, unsigned TakenLeft, unsigned LevelW, unsigned Watch,
          unsigned PcStep>
using SoftwareHooks =
    RowHooks<SoftwareStackLogic<NumWarps, Lanes, StackDepth, TakenLeft, LevelW, Watch, PcStep>, NumWarps, Lanes>;

template <unsigned NumWarps = 24, unsigned Lanes = 32, unsigned StackDepth = 16, unsigned TakenLeft = 1,
          unsigned Scoreboard = kScoreboardDpe, unsigned SbEntries = 8, unsigned Selector = kSelectorTwoLevel,
          unsigned Policy = kPolicyRoundRobin, unsigned IbufDepth = 5, unsigned LevelW = 8, unsigned Predicate = 1,
          unsigned NumWb = 2, unsigned TagW = 3, unsigned Watch = 1, unsigned PayloadW = 0, unsigned PcStep = 4>
using SoftwareFrontendLogic =
    FrontendLogic<SoftwareHooks<NumWarps, Lanes, StackDepth, TakenLeft, LevelW, Watch, PcStep>,
                  ScoreboardOf<Scoreboard, NumWarps, Lanes, 2, SbEntries, 0>, SelectorOf<Selector, NumWarps, 2, Policy>,
                  SbEntries, Policy, IbufDepth, Predicate, NumWb, TagW, Watch, PayloadW, PcStep>;

template <unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
          unsigned, unsigned, unsigned, unsigned, unsigned>
class software_frontend;

template <unsigned NumWarps, unsigned Lanes, unsigned StackDepth, unsigned TakenLeft, unsigned Scoreboard,
          unsigned SbEntries, unsigned Selector, unsigned Policy, unsigned IbufDepth, unsigned LevelW,
          unsigned Predicate, unsigned NumWb, unsigned TagW, unsigned Watch, unsigned PayloadW, unsigned PcStep>
using SoftwareFrontendForm =
    FrontendForm<software_frontend<NumWarps, Lanes, StackDepth, TakenLeft, Scoreboard, SbEntries, Selector, Policy,
                                   IbufDepth, LevelW, Predicate, NumWb, TagW, Watch, PayloadW, PcStep>,
                 SlotFrontendPorts<NumWarps, Lanes, 2, StackDepth, NumWb, TagW, PayloadW>,
                 SoftwareFrontendLogic<NumWarps, Lanes, StackDepth, TakenLeft, Scoreboard, SbEntries, Selector, Policy,
                                       IbufDepth, LevelW, Predicate, NumWb, TagW, Watch, PayloadW, PcStep>,
                 software_stack<NumWarps, Lanes, StackDepth, TakenLeft, LevelW, Watch, PcStep>,
                 frontend<NumWarps, Lanes, 2, index_width(StackDepth + 1), Scoreboard, SbEntries, Selector, Policy,
                          IbufDepth, Predicate, NumWb, TagW, Watch, 0, 0, PayloadW, PcStep>,
                 LevelW>;

template <unsigned NumWarps = 24, unsigned Lanes = 32, unsigned StackDepth = 16, unsigned TakenLeft = 1,
          unsigned Scoreboard = kScoreboardDpe, unsigned SbEntries = 8, unsigned Selector = kSelectorTwoLevel,
          unsigned Policy = kPolicyRoundRobin, unsigned IbufDepth = 5, unsigned LevelW = 8, unsigned Predicate = 1,
          unsigned NumWb = 2, unsigned TagW = 3, unsigned Watch = 1, unsigned PayloadW = 0, unsigned PcStep = 4>
class software_frontend
    : public SoftwareFrontendForm<NumWarps, Lanes, StackDepth, TakenLeft, Scoreboard, SbEntries, Selector, Policy,
                                  IbufDepth, LevelW, Predicate, NumWb, TagW, Watch, PayloadW, PcStep> {
  static_assert(Scoreboard >= kScoreboardDpe && Scoreboard <= kScoreboardBitmap,
                "software_frontend: Scoreboard is 1 to 3");
  static constexpr unsigned kWarpW = index_width(NumWarps);
  static constexpr unsigned kDepthW = index_width(StackDepth + 1);

 public:
  using Base = SoftwareFrontendForm<NumWarps, Lanes, StackDepth, TakenLeft, Scoreboard, SbEntries, Selector, Policy,
                                    IbufDepth, LevelW, Predicate, NumWb, TagW, Watch, PayloadW, PcStep>;
  using Logic = SoftwareFrontendLogic<NumWarps, Lanes, StackDepth, TakenLeft, Scoreboard, SbEntries, Selector, Policy,
                                      IbufDepth, LevelW, Predicate, NumWb, TagW, Watch, PayloadW, PcStep>;
#ifndef HEDDLE_SYNTHESIS
  using Base::resolve_ready_o;
  using Base::sensitive;
#endif

  // from execute
  sc_core::sc_in<Number<kKindWidth>> SC_NAMED(resolve_kind_i);
  // from L1
  sc_core::sc_in<bool> SC_NAMED(miss_valid_i);
  sc_core::sc_in<Number<kWarpW>> SC_NAMED(miss_warp_i);
  sc_core::sc_in<Number<1>> SC_NAMED(miss_slot_i);
  // from memory
  sc_core::sc_in<bool> SC_NAMED(save_ready_i);
  sc_core::sc_in<bool> SC_NAMED(load_ready_i);
  sc_core::sc_in<bool> SC_NAMED(fill_valid_i);
  sc_core::sc_in<Number<kWarpW>> SC_NAMED(fill_warp_i);
  sc_core::sc_vector<sc_core::sc_in<Number<32>>> SC_NAMED(fill_pc_i, 2);
  sc_core::sc_vector<sc_core::sc_in<Mask<Lanes>>> SC_NAMED(fill_mask_i, 2);
  // to memory
  sc_core::sc_out<bool> SC_NAMED(save_valid_o);
  sc_core::sc_out<Number<kWarpW>> SC_NAMED(save_warp_o);
  sc_core::sc_out<Number<kDepthW>> SC_NAMED(save_row_o);
  sc_core::sc_vector<sc_core::sc_out<Number<32>>> SC_NAMED(save_pc_o, 2);
  sc_core::sc_vector<sc_core::sc_out<Mask<Lanes>>> SC_NAMED(save_mask_o, 2);
  sc_core::sc_out<bool> SC_NAMED(load_valid_o);
  sc_core::sc_out<Number<kWarpW>> SC_NAMED(load_warp_o);
  sc_core::sc_out<Number<kDepthW>> SC_NAMED(load_row_o);

  SC_HAS_PROCESS(software_frontend);
  explicit software_frontend(sc_core::sc_module_name name, const FrontendConfig& config = Logic::default_config())
      : Base(name, config) {
#ifdef HEDDLE_SYNTHESIS
    Base::stack_.resolve_kind_i(resolve_kind_i);
    connect_rows();
    Base::frontend_.room_i(save_ready_i);
    Base::frontend_.keep_i(Base::never_);
    Base::frontend_.drop_i(Base::no_paths_);
    Base::frontend_.wait_i(Base::no_paths_);
    Base::frontend_.stop_i(Base::no_paths_);
    Base::frontend_.miss_valid_i(miss_valid_i);
    Base::frontend_.miss_warp_i(miss_warp_i);
    Base::frontend_.miss_slot_i(miss_slot_i);
#else
    SC_METHOD(show_room);
    sensitive << save_ready_i;
#endif
  }

  [[nodiscard]] static constexpr unsigned state_bits() { return Logic::state_bits(); }

#ifndef HEDDLE_SYNTHESIS
  void reset_own() {
    save_valid_o.write(false);
    write_save(RowAsked(), SoftwarePaths());
    load_valid_o.write(false);
    load_warp_o.write(0);
    load_row_o.write(0);
  }
  void read_own(typename Logic::Input& in) const {
    if (!save_ready_i.read()) in.resolve_valid = false;
    if (in.resolve_valid) in.resolve.kind = resolve_kind_i.read();
    if constexpr (Logic::kConstrained) {
      in.miss_valid = miss_valid_i.read();
      if (in.miss_valid) {
        in.miss_warp = miss_warp_i.read();
        in.miss_slot = miss_slot_i.read();
      }
    }
    in.load_ready = load_ready_i.read();
    in.fill_valid = fill_valid_i.read();
    if (in.fill_valid) {
      in.fill_warp = fill_warp_i.read();
      in.fill.pc_l = fill_pc_i[0].read();
      in.fill.pc_r = fill_pc_i[1].read();
      in.fill.mask_l = fill_mask_i[0].read();
      in.fill.mask_r = fill_mask_i[1].read();
    }
  }
  void write_own() {
    const RowAsked save = this->logic_.stack().save();
    const RowAsked load = this->logic_.stack().load();
    save_valid_o.write(save.valid);
    if (save.valid) write_save(save, this->logic_.stack().saved_row());
    load_valid_o.write(load.valid);
    load_warp_o.write(load.warp);
    load_row_o.write(load.row);
  }

 private:
  void write_save(const RowAsked& save, const SoftwarePaths& row) {
    save_warp_o.write(save.warp);
    save_row_o.write(save.row);
    save_pc_o[0].write(row.pc_l);
    save_pc_o[1].write(row.pc_r);
    save_mask_o[0].write(row.mask_l);
    save_mask_o[1].write(row.mask_r);
  }

  void show_room() { resolve_ready_o.write(save_ready_i.read()); }
#else

 private:
  void connect_rows() {
    Base::stack_.load_ready_i(load_ready_i);
    Base::stack_.fill_valid_i(fill_valid_i);
    Base::stack_.fill_warp_i(fill_warp_i);
    Base::stack_.fill_pc_i(fill_pc_i);
    Base::stack_.fill_mask_i(fill_mask_i);
    Base::stack_.save_valid_o(save_valid_o);
    Base::stack_.save_warp_o(save_warp_o);
    Base::stack_.save_row_o(save_row_o);
    Base::stack_.save_pc_o(save_pc_o);
    Base::stack_.save_mask_o(save_mask_o);
    Base::stack_.load_valid_o(load_valid_o);
    Base::stack_.load_warp_o(load_warp_o);
    Base::stack_.load_row_o(load_row_o);
  }
#endif
};

}  // namespace heddle
