// SPDX-License-Identifier: Apache-2.0
// The in-process oracle: every thread of the machine is executed a second time, alone, by the scalar reference with a
// memory of its own, at the moment the machine executes it. The first difference in PC, register, address, exit or, at
// the end, memory stops the run with Error (status 1, code "oracle").
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "heddle/config.h"
#include "heddle/observer.h"
#include "heddle/types.h"
#include "isa/launch.h"
#include "memory/address_space.h"
#include "oracle/thread_oracle.h"

namespace heddle {

class Oracle final : public Observer {
 public:
  explicit Oracle(const Config& config);

  void launch_begin(const Launch& launch, const AddressSpace& memory) override;
  void block_begin(Cycle, unsigned block_slot, std::uint64_t block) override;
  void warp_begin(Cycle, WarpId warp, unsigned block_slot, std::uint32_t warp_in_block, LaneMask threads) override;
  void commit(const CommitEvent& event) override;
  // Of two explanations the reference's comes first: a front end that goes astray makes the machine stop, too.
  void stopping(Cycle, WarpId warp, Pc pc, LaneMask mask, int lane) override;
  void warp_end(Cycle, WarpId warp) override;
  void launch_end(Cycle, const AddressSpace& memory) override;

  [[nodiscard]] std::uint64_t instructions_checked() const { return checked_; }

 private:
  // Word: an integer register of the program.
  template <typename Word>
  struct Warp {
    std::vector<BasicThreadOracle<Word>> threads;
    std::vector<Word> registers;  // [register][lane]
    LaneMask live = 0;
  };
  template <typename Word>
  [[nodiscard]] std::vector<Warp<Word>>& warps() {
    if constexpr (sizeof(Word) == 8) return wide_warps_;
    else return warps_;
  }

  template <typename Word>
  void make_warps();
  template <typename Word>
  void begin(Warp<Word>& warp, WarpId id, unsigned block_slot, std::uint32_t warp_in_block, LaneMask threads);
  template <typename Word>
  void check(const CommitEvent& event, Warp<Word>& warp);
  template <typename Word>
  void check_stop(const CommitEvent& event, Warp<Word>& warp, int lane);
  template <typename Word>
  void check_end(Cycle cycle, WarpId id, const Warp<Word>& warp) const;
  template <typename Word, typename StepOf>
  void check_lanes(const CommitEvent& event, Warp<Word>& warp, StepOf step_of);
  template <typename Word>
  void check_warp_wide(const CommitEvent& event, Warp<Word>& warp, const Instruction& instruction);
  template <typename Word>
  [[nodiscard]] static bool agrees(const CommitEvent& event, unsigned lane, const BasicThreadOracle<Word>& thread,
                                   const Step& step);
  [[nodiscard]] static Pc next_pc(const CommitEvent& event, unsigned lane);
  template <typename Word>
  [[noreturn]] void explain(const CommitEvent& event, unsigned lane, const BasicThreadOracle<Word>& thread, Pc pc,
                            const Step& step) const;
  [[noreturn]] void dead_thread(const CommitEvent& event, LaneMask live) const;

  Config config_;
  AddressSpace memory_;
  Launch launch_;
  std::vector<InitialRegister> initial_;
  std::vector<std::uint64_t> block_in_slot_;
  bool wide_ = false;  // the program is RV64
  std::vector<Warp<std::uint32_t>> warps_;
  std::vector<Warp<std::uint64_t>> wide_warps_;
  std::uint64_t threads_left_ = 0;
  std::uint64_t checked_ = 0;
};

}  // namespace heddle
