// SPDX-License-Identifier: Apache-2.0
// Which path of which warp issued when: recorded from the events of a run, drawn as SVG or written for Perfetto. Of a
// core that forms its warps in each cycle: which threads ran in which lanes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/frontend_state.h"
#include "heddle/observer.h"
#include "heddle/types.h"

namespace heddle {

class Program;

// Records the cycles start..end (both included), counted over all launches of the run, up to `max_issues` warp
// instructions. Where warps are formed, those are recorded instead of the static warps' shares of them.
class Timeline final : public Observer {
 public:
  struct Issue {
    Cycle cycle;
    WarpId warp;
    unsigned slot;
    Pc pc;
    LaneMask mask;
  };
  struct FormedWarp {
    Cycle cycle;
    Pc pc;
    LaneMask mask;
    std::size_t tids;  // where those of the lanes in mask stand in formed_tids(), lowest lane first
  };
  enum class MarkKind { kPush, kPop, kBarrier, kEnd };
  struct Mark {
    Cycle cycle;
    WarpId warp;
    MarkKind kind;
    std::size_t before;  // number of issues recorded before it
  };
  // A stack after a push or a pop: entries from..from + depth - 1 of stack_entries(), the bottom first.
  struct Stack {
    Cycle cycle;
    WarpId warp;
    std::size_t from;
    unsigned depth;
  };
  struct LaunchMark {
    Cycle cycle;
    std::string kernel;
  };

  Timeline(Cycle start, Cycle end, std::size_t max_issues, bool keep_stacks = false)
      : start_(start),
        end_(end),
        max_issues_(max_issues),
        keep_stacks_(keep_stacks) {}

  void launch_begin(const Launch& launch, const AddressSpace& memory) override;
  void warp_begin(Cycle cycle, WarpId warp, unsigned block_slot, std::uint32_t warp_in_block,
                  LaneMask threads) override;
  void commit(const CommitEvent& event) override;
  void formed_warp(Cycle cycle, Pc pc, LaneMask mask, const std::uint16_t* tids) override;
  void push(Cycle cycle, WarpId warp) override { mark(cycle, warp, MarkKind::kPush); }
  void pop(Cycle cycle, WarpId warp) override { mark(cycle, warp, MarkKind::kPop); }
  void stack_changed(Cycle cycle, WarpId warp, const FrontendView& view, unsigned local) override;
  void barrier_release(Cycle cycle, unsigned block_slot) override;
  void warp_end(Cycle cycle, WarpId warp) override { mark(cycle, warp, MarkKind::kEnd); }
  void launch_end(Cycle cycle, const AddressSpace& memory) override;

  [[nodiscard]] const std::vector<Issue>& issues() const { return issues_; }
  [[nodiscard]] const std::vector<FormedWarp>& formed() const { return formed_; }
  [[nodiscard]] const std::vector<std::uint16_t>& formed_tids() const { return formed_tids_; }
  [[nodiscard]] const std::vector<Mark>& marks() const { return marks_; }
  [[nodiscard]] const std::vector<Stack>& stacks() const { return stacks_; }
  [[nodiscard]] const std::vector<StackEntry>& stack_entries() const { return stack_entries_; }
  [[nodiscard]] const std::vector<LaunchMark>& launches() const { return launches_; }
  [[nodiscard]] std::uint64_t left_out() const {
    return left_out_;
  }  // issues or formed warps inside the window that did not fit

 private:
  [[nodiscard]] bool inside(Cycle cycle) const { return cycle >= start_ && cycle <= end_; }
  [[nodiscard]] bool room() const { return issues_.size() < max_issues_ && formed_.size() < max_issues_; }
  void mark(Cycle cycle, WarpId warp, MarkKind kind);

  Cycle start_, end_;
  std::size_t max_issues_;
  bool keep_stacks_;
  Cycle base_ = 0;      // first cycle of the launch, in cycles of the whole run
  bool forms_ = false;  // the core forms warps
  std::vector<Issue> issues_;
  std::vector<FormedWarp> formed_;
  std::vector<std::uint16_t> formed_tids_;
  std::vector<Mark> marks_;
  std::vector<Stack> stacks_;
  std::vector<StackEntry> stack_entries_;
  std::vector<LaunchMark> launches_;
  std::vector<unsigned> block_slot_of_warp_;
  std::uint64_t left_out_ = 0;
};

// Largest recordings that the two formats are meant for.
constexpr std::size_t kSvgIssues = 6000;
constexpr std::size_t kTraceIssues = 1000000;

struct TimelineView {
  std::string title;  // "figure6 on dpe"
  unsigned lanes = 32;
  unsigned slots = 2;   // rows of a warp
  bool splits = false;  // they have numbers: not left and right
};

[[nodiscard]] std::string timeline_svg(const Timeline& timeline, const Program& program, const TimelineView& view);
// Trace events of Chrome and Perfetto: one microsecond is one cycle.
[[nodiscard]] std::string timeline_trace(const Timeline& timeline, const Program& program, const TimelineView& view);

}  // namespace heddle
