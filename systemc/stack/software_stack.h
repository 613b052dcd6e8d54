// SPDX-License-Identifier: Apache-2.0
// software_stack: same pins as rtl/stack/software_stack.sv. Its state is held once, in pins and signals; what becomes
// of it is decided by the function of software_stack_logic.h, where the machine without a clock is.
#pragma once

#include "stack/software_stack_logic.h"

namespace heddle {

template <unsigned NumWarps = 24, unsigned Lanes = 32, unsigned Depth = 16, unsigned TakenLeft = 1, unsigned LevelW = 8,
          unsigned Watch = 1, unsigned PcStep = 4>
class software_stack : public sc_core::sc_module {
  static_assert(2 * NumWarps <= 64, "software_stack: the pins of the twin carry at most 64 paths");

  static constexpr unsigned kWarpW = index_width(NumWarps);
  static constexpr unsigned kDepthW = index_width(Depth + 1);

 public:
  using Logic = SoftwareStackLogic<NumWarps, Lanes, Depth, TakenLeft, LevelW, Watch, PcStep>;
  static constexpr unsigned kPaths = 2 * NumWarps;

  sc_core::sc_in<bool> SC_NAMED(clk_i);
  sc_core::sc_in<bool> SC_NAMED(rst_ni);
  // launch
  sc_core::sc_in<bool> SC_NAMED(launch_valid_i);
  sc_core::sc_in<Number<kWarpW>> SC_NAMED(launch_warp_i);
  sc_core::sc_in<Number<32>> SC_NAMED(launch_pc_i);
  sc_core::sc_in<Mask<Lanes>> SC_NAMED(launch_mask_i);
  sc_core::sc_in<bool> SC_NAMED(kill_valid_i);
  sc_core::sc_in<Number<kWarpW>> SC_NAMED(kill_warp_i);
  // issue
  sc_core::sc_in<Mask<kPaths>> SC_NAMED(advance_i);
  // resolution
  sc_core::sc_in<bool> SC_NAMED(resolve_valid_i);
  sc_core::sc_in<Number<kWarpW>> SC_NAMED(resolve_warp_i);
  sc_core::sc_in<Number<1>> SC_NAMED(resolve_slot_i);
  sc_core::sc_in<Mask<Lanes>> SC_NAMED(resolve_taken_i);
  sc_core::sc_in<Number<32>> SC_NAMED(resolve_target_i);
  sc_core::sc_in<Number<32>> SC_NAMED(resolve_next_i);
  sc_core::sc_in<Number<32>> SC_NAMED(resolve_rpc_i);
  sc_core::sc_in<Mask<Lanes>> SC_NAMED(resolve_exit_i);
  sc_core::sc_in<bool> SC_NAMED(resolve_call_i);
  sc_core::sc_in<bool> SC_NAMED(resolve_return_i);
  sc_core::sc_in<Number<kKindWidth>> SC_NAMED(resolve_kind_i);
  // from memory
  sc_core::sc_in<bool> SC_NAMED(load_ready_i);
  sc_core::sc_in<bool> SC_NAMED(fill_valid_i);
  sc_core::sc_in<Number<kWarpW>> SC_NAMED(fill_warp_i);
  sc_core::sc_vector<sc_core::sc_in<Number<32>>> SC_NAMED(fill_pc_i, 2);
  sc_core::sc_vector<sc_core::sc_in<Mask<Lanes>>> SC_NAMED(fill_mask_i, 2);
  // paths
  sc_core::sc_vector<sc_core::sc_out<Number<32>>> SC_NAMED(pc_o, kPaths);
  sc_core::sc_vector<sc_core::sc_out<Mask<Lanes>>> SC_NAMED(mask_o, kPaths);
  sc_core::sc_vector<sc_core::sc_out<Number<LevelW>>> SC_NAMED(level_o, kPaths);
  sc_core::sc_out<Mask<kPaths>> SC_NAMED(valid_o);
  sc_core::sc_out<Mask<kPaths>> SC_NAMED(sibling_o);
  // warps
  sc_core::sc_vector<sc_core::sc_out<Number<32>>> SC_NAMED(rpc_o, NumWarps);
  sc_core::sc_vector<sc_core::sc_out<Number<LevelW>>> SC_NAMED(rpc_level_o, NumWarps);
  sc_core::sc_vector<sc_core::sc_out<Mask<Lanes>>> SC_NAMED(live_o, NumWarps);
  sc_core::sc_vector<sc_core::sc_out<Number<kDepthW>>> SC_NAMED(depth_o, NumWarps);
  // events
  sc_core::sc_out<bool> SC_NAMED(resolved_valid_o);
  sc_core::sc_out<Number<kWarpW>> SC_NAMED(resolved_warp_o);
  sc_core::sc_out<Number<1>> SC_NAMED(resolved_slot_o);
  sc_core::sc_out<bool> SC_NAMED(resolved_next_o);
  sc_core::sc_out<bool> SC_NAMED(push_valid_o);
  sc_core::sc_out<Number<kWarpW>> SC_NAMED(push_warp_o);
  sc_core::sc_out<bool> SC_NAMED(pop_valid_o);
  sc_core::sc_out<Number<kWarpW>> SC_NAMED(pop_warp_o);
  sc_core::sc_out<bool> SC_NAMED(done_valid_o);
  sc_core::sc_out<Number<kWarpW>> SC_NAMED(done_warp_o);
  sc_core::sc_out<bool> SC_NAMED(overflow_valid_o);
  sc_core::sc_out<Number<kWarpW>> SC_NAMED(overflow_warp_o);
  // to memory
  sc_core::sc_out<bool> SC_NAMED(save_valid_o);
  sc_core::sc_out<Number<kWarpW>> SC_NAMED(save_warp_o);
  sc_core::sc_out<Number<kDepthW>> SC_NAMED(save_row_o);
  sc_core::sc_vector<sc_core::sc_out<Number<32>>> SC_NAMED(save_pc_o, 2);
  sc_core::sc_vector<sc_core::sc_out<Mask<Lanes>>> SC_NAMED(save_mask_o, 2);
  sc_core::sc_out<bool> SC_NAMED(load_valid_o);
  sc_core::sc_out<Number<kWarpW>> SC_NAMED(load_warp_o);
  sc_core::sc_out<Number<kDepthW>> SC_NAMED(load_row_o);
  // status
  sc_core::sc_out<Number<kDepthW>> SC_NAMED(max_depth_o);

  SC_HAS_PROCESS(software_stack);
  explicit software_stack(sc_core::sc_module_name name, const StackConfig& config = Logic::default_config())
      : sc_core::sc_module(name),
        depth_limit_(config.depth_limit),
        order_(config.order) {
    HEDDLE_EXPECT(config.depth_limit >= 1 && config.depth_limit <= Depth);
    HEDDLE_CLOCKED_PROCESS();
    SC_METHOD(show_paths);
    for (unsigned p = 0; p < kPaths; ++p) sensitive << mask_o[p];
    SC_METHOD(show_choice);
    sensitive << chosen_valid_ << chosen_warp_ << fill_valid_i << fill_warp_i;
    for (unsigned w = 0; w < NumWarps; ++w) sensitive << depth_o[w];
    SC_METHOD(show_resolution);
    sensitive << acts_ << acting_warp_ << acting_slot_ << taken_ << exit_ << target_ << next_ << rpc_ << kind_;
    for (unsigned p = 0; p < kPaths; ++p) sensitive << pc_o[p] << mask_o[p];
    for (unsigned w = 0; w < NumWarps; ++w) sensitive << live_o[w] << depth_o[w];
  }

  [[nodiscard]] static constexpr unsigned state_bits() { return Logic::state_bits(); }

 private:
  void reset() {
    for (unsigned p = 0; p < kPaths; ++p) {
      pc_o[p].write(0);
      mask_o[p].write(0);
    }
    for (unsigned w = 0; w < NumWarps; ++w) {
      live_o[w].write(0);
      depth_o[w].write(0);
      loading_[w].write(false);
    }
    acts_.write(false);
    acting_warp_.write(0);
    acting_slot_.write(0);
    taken_.write(0);
    exit_.write(0);
    target_.write(0);
    next_.write(0);
    rpc_.write(0);
    kind_.write(kMarkNone);
    chosen_valid_.write(false);
    chosen_warp_.write(0);
    save_valid_o.write(false);
    save_warp_o.write(0);
    save_row_o.write(0);
    for (unsigned slot = 0; slot < 2; ++slot) {
      save_pc_o[slot].write(0);
      save_mask_o[slot].write(0);
    }
    max_depth_o.write(0);
  }

  // Of the events of a cycle only a kill meets another one of its warp: it comes last, and wins.
  void step() {
    const bool kills = kill_valid_i.read();
    const std::uint32_t killed = kill_warp_i.read();
    const bool fills = fill_valid_i.read();
    HEDDLE_EXPECT(!(kills && launch_valid_i.read() && launch_warp_i.read() == killed));
    std::uint32_t most = max_depth_o.read();
    if (launch_valid_i.read()) {
      const std::uint32_t warp = launch_warp_i.read();
      HEDDLE_EXPECT(depth_o[warp].read() == 0 && launch_mask_i.read() != 0);
      SoftwarePaths paths;
      paths.pc_l = launch_pc_i.read();
      paths.mask_l = launch_mask_i.read();
      write_paths(warp, paths);
      live_o[warp].write(launch_mask_i.read());
      depth_o[warp].write(1);
      loading_[warp].write(false);
      if (most == 0) most = 1;
    }
    HEDDLE_EXPECT(at_most_one(advance_i.read()));
    for (unsigned p = 0; p < kPaths; ++p) {
      if (has_bit(advance_i.read(), p)) {
        HEDDLE_EXPECT(mask_o[p].read() != 0);
        pc_o[p].write(pc_o[p].read() + PcStep);
      }
    }
    bool saves = false;
    if (acts_.read()) {
      const std::uint32_t warp = acting_warp_.read();
      const std::uint32_t depth = depth_o[warp].read();
      SoftwareResolved resolved;
      SoftwarePaths row;
      SoftwarePaths paths;
      resolve(resolved, row, paths);
      saves = resolved.saves;
      if (saves) {
        save_warp_o.write(warp);
        save_row_o.write(depth - 1);
        save_pc_o[0].write(row.pc_l);
        save_pc_o[1].write(row.pc_r);
        save_mask_o[0].write(row.mask_l);
        save_mask_o[1].write(row.mask_r);
      }
      if (!(kills && killed == warp) && !resolved.overflow) {
        if (saves) {
          depth_o[warp].write(depth + 1);
          if (depth + 1 > most) most = depth + 1;
        }
        write_paths(warp, paths);
        live_o[warp].write(resolved.live);
      }
    }
    save_valid_o.write(saves);
    if (chosen_valid_.read()) {
      const std::uint32_t warp = chosen_warp_.read();
      if (depth_o[warp].read() != 1) {
        if (load_ready_i.read()) loading_[warp].write(true);
      } else if (!fills) {
        depth_o[warp].write(0);
      }
    }
    if (fills) fill();
    if (kills) {
      mask_o[killed].write(0);
      mask_o[NumWarps + killed].write(0);
      depth_o[killed].write(0);
      loading_[killed].write(false);
    }
    if (Watch != 0) max_depth_o.write(most);
    take_in();
    choose();
  }

  void fill() {
    const std::uint32_t warp = fill_warp_i.read();
    HEDDLE_EXPECT(loading_[warp].read());
    const std::uint64_t live = live_o[warp].read();
    SoftwarePaths paths;
    paths.pc_l = fill_pc_i[0].read();
    paths.pc_r = fill_pc_i[1].read();
    paths.mask_l = fill_mask_i[0].read() & live;
    paths.mask_r = fill_mask_i[1].read() & live;
    write_paths(warp, paths);
    depth_o[warp].write(depth_o[warp].read() - 1);
    loading_[warp].write(false);
  }

  // The resolution that acts at the next edge.
  void take_in() {
    const std::uint32_t warp = resolve_warp_i.read();
    acts_.write(resolve_valid_i.read() && !(kill_valid_i.read() && kill_warp_i.read() == warp));
    if (resolve_valid_i.read()) {
      HEDDLE_EXPECT(mask_o[resolve_slot_i.read() * NumWarps + warp].read() != 0);
      HEDDLE_EXPECT(resolve_kind_i.read() != kMarkPush ||
                    (resolve_taken_i.read() == 0 && resolve_exit_i.read() == 0 && resolve_rpc_i.read() != kNoPlace));
      acting_warp_.write(warp);
      acting_slot_.write(resolve_slot_i.read());
      taken_.write(resolve_taken_i.read());
      exit_.write(resolve_exit_i.read());
      target_.write(resolve_target_i.read());
      next_.write(resolve_next_i.read());
      rpc_.write(resolve_rpc_i.read());
      kind_.write(resolve_kind_i.read());
    }
  }

  // A warp stays chosen whose end waits for a row of another one, or whose load memory did not take. Else the lowest
  // without a path is next, but for one that ends, starts to load or is killed in this cycle.
  void choose() {
    const bool chosen = chosen_valid_.read();
    const std::uint32_t current = chosen_warp_.read();
    const bool kills = kill_valid_i.read();
    const bool waits = depth_o[current].read() == 1 ? fill_valid_i.read() : !load_ready_i.read();
    const bool stays = chosen && waits && !(kills && kill_warp_i.read() == current);
    std::uint64_t candidates = 0;
    for (unsigned w = 0; w < NumWarps; ++w) {
      const bool none = mask_o[w].read() == 0 && mask_o[NumWarps + w].read() == 0;
      const bool now = chosen && current == w;
      const bool killed = kills && kill_warp_i.read() == w;
      candidates = with_bit(candidates, w, depth_o[w].read() != 0 && none && !loading_[w].read() && !now && !killed);
    }
    if (!stays) {
      chosen_valid_.write(candidates != 0);
      chosen_warp_.write(candidates != 0 ? lowest_bit(candidates) : 0);
    }
  }

  void show_paths() {
    std::uint64_t valid = 0;
    std::uint64_t sibling = 0;
    for (unsigned w = 0; w < NumWarps; ++w) {
      const bool left = mask_o[w].read() != 0;
      const bool right = mask_o[NumWarps + w].read() != 0;
      valid = with_bit(with_bit(valid, w, left), NumWarps + w, right);
      sibling = with_bit(with_bit(sibling, w, right), NumWarps + w, left);
      level_o[w].write(0);
      level_o[NumWarps + w].write(0);
      rpc_o[w].write(0);
      rpc_level_o[w].write(0);
    }
    valid_o.write(valid);
    sibling_o.write(sibling);
  }

  void show_choice() {
    const bool fills = fill_valid_i.read();
    const std::uint32_t warp = chosen_warp_.read();
    const std::uint32_t depth = depth_o[warp].read();
    const bool loads = chosen_valid_.read() && depth != 1;
    const bool ends = chosen_valid_.read() && depth == 1 && !fills;
    pop_valid_o.write(fills || ends);
    pop_warp_o.write(fills ? static_cast<std::uint32_t>(fill_warp_i.read()) : ends ? warp : 0);
    done_valid_o.write(ends);
    done_warp_o.write(ends ? warp : 0);
    load_valid_o.write(loads);
    load_warp_o.write(loads ? warp : 0);
    load_row_o.write(loads ? depth - 2 : 0);
  }

  void show_resolution() {
    const bool acts = acts_.read();
    const std::uint32_t warp = acting_warp_.read();
    SoftwareResolved result;
    SoftwarePaths row;
    SoftwarePaths paths;
    resolve(result, row, paths);
    const bool resolved = acts && !result.overflow;
    const bool push = acts && result.push;
    const bool overflow = acts && result.overflow;
    resolved_valid_o.write(resolved);
    resolved_warp_o.write(resolved ? warp : 0);
    resolved_slot_o.write(resolved ? static_cast<std::uint32_t>(acting_slot_.read()) : 0);
    resolved_next_o.write(acts && result.next);
    push_valid_o.write(push);
    push_warp_o.write(push ? warp : 0);
    overflow_valid_o.write(overflow);
    overflow_warp_o.write(overflow ? warp : 0);
  }

  // What follows from the resolution that acts.
  void resolve(SoftwareResolved& resolved, SoftwarePaths& row, SoftwarePaths& paths) const {
    const std::uint32_t warp = acting_warp_.read();
    StackConfig config;
    config.depth_limit = depth_limit_;
    config.order = order_;
    ResolveInput in;
    in.taken = taken_.read();
    in.exit = exit_.read();
    in.target = target_.read();
    in.next = next_.read();
    in.rpc = rpc_.read();
    in.kind = kind_.read();
    SoftwarePaths old;
    old.pc_l = pc_o[warp].read();
    old.pc_r = pc_o[NumWarps + warp].read();
    old.mask_l = mask_o[warp].read();
    old.mask_r = mask_o[NumWarps + warp].read();
    software_resolve(old, acting_slot_.read() != 0, live_o[warp].read(), depth_o[warp].read(), config, in, resolved,
                     row, paths);
  }

  void write_paths(std::uint32_t warp, const SoftwarePaths& paths) {
    pc_o[warp].write(paths.pc_l);
    pc_o[NumWarps + warp].write(paths.pc_r);
    mask_o[warp].write(paths.mask_l);
    mask_o[NumWarps + warp].write(paths.mask_r);
  }

  HEDDLE_CLOCKED_BODY()

  const std::uint32_t depth_limit_;
  const std::uint32_t order_;
  sc_core::sc_vector<sc_core::sc_signal<bool>> SC_NAMED(loading_, NumWarps);
  sc_core::sc_signal<bool> SC_NAMED(chosen_valid_);
  sc_core::sc_signal<Number<kWarpW>> SC_NAMED(chosen_warp_);
  // the resolution that was taken in at the last edge
  sc_core::sc_signal<bool> SC_NAMED(acts_);
  sc_core::sc_signal<Number<kWarpW>> SC_NAMED(acting_warp_);
  sc_core::sc_signal<Number<1>> SC_NAMED(acting_slot_);
  sc_core::sc_signal<Mask<Lanes>> SC_NAMED(taken_);
  sc_core::sc_signal<Mask<Lanes>> SC_NAMED(exit_);
  sc_core::sc_signal<Number<32>> SC_NAMED(target_);
  sc_core::sc_signal<Number<32>> SC_NAMED(next_);
  sc_core::sc_signal<Number<32>> SC_NAMED(rpc_);
  sc_core::sc_signal<Number<kKindWidth>> SC_NAMED(kind_);
};

}  // namespace heddle
