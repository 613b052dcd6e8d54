// SPDX-License-Identifier: Apache-2.0
// The unit of convergence barriers (mechanism cbar). It keeps a model of its own of the barriers that a program has
// armed and of the threads that wait there, made of the instructions that it executes and of who lives. What the front
// end answers and tells is held against it; what is the program's mistake is named.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/mechanism_unit.h"
#include "heddle/config.h"

namespace heddle {

constexpr unsigned kConvergenceBarriers = 16;  // of a warp

class BarrierUnit final : public MechanismUnit {
 public:
  explicit BarrierUnit(const Config& config);

  [[nodiscard]] Role role(const Instruction& inst) const override;
  void begin_warp(WarpId warp) override { warps_[warp] = {}; }
  void check_path(UnitCore& core, const PathInstruction& at) override;
  void execute(UnitCore& core, const PathInstruction& at) override;
  [[nodiscard]] LaneMask executed(const UnitCore& core, const PathInstruction& at) const override;
  void mark(const UnitCore& core, const PathInstruction& at, Mark& mark) const override;
  [[nodiscard]] bool together(WarpId warp, LaneMask path, LaneMask live) const override;
  void answered(UnitCore& core, WarpId warp, std::uint64_t value) override;
  void hear(UnitCore& core, WarpId warp, std::uint32_t code) override;

 private:
  struct Barrier {
    LaneMask mask = 0, arrived = 0;
    Pc pc = 0;        // where its threads go on
    Pc armed_at = 0;  // by which instruction
    bool armed = false;
  };
  // Numbered barriers first, then those of warpsyncs, by the lowest lane of their mask.
  static constexpr unsigned kRows = kConvergenceBarriers + kMaxLanes;

  struct Warp {
    std::array<Barrier, kRows> rows{};
    std::vector<unsigned> armed;                  // numbers of rows, the newest last
    std::array<LaneMask, kMaxLanes> last_sync{};  // by lane: the mask of its last warpsync
    bool waits = false;                           // the warpsync that executes
    LaneMask waits_for = 0;
    std::uint64_t answer = 0;    // that the front end owes
    std::uint32_t expected = 0;  // event that the front end owes
    Pc pc = 0;                   // of the instruction that executes, its threads, and the number that it names
    LaneMask threads = 0;
    unsigned number = 0;
  };

  void arm(Warp& warp, unsigned row, LaneMask mask, LaneMask arrived, Pc pc) const;
  static void disarm(Warp& warp, unsigned row);
  static void settle(Warp& warp, LaneMask live);
  void sync(const UnitCore& core, const PathInstruction& at, Warp& warp) const;
  void move_back(const UnitCore& core, const PathInstruction& at, Warp& warp) const;
  void check_instruction(const UnitCore& core, const PathInstruction& at, const Warp& warp) const;
  void check_label(const UnitCore& core, const PathInstruction& at, const Barrier& barrier) const;
  void stuck(const UnitCore& core, WarpId id, const Warp& warp) const;
  [[nodiscard]] std::string name_of_row(const UnitCore& core, const Warp& warp, unsigned row) const;

  const unsigned lanes_;
  const bool yield_leaves_;
  std::vector<Warp> warps_;
};

}  // namespace heddle
