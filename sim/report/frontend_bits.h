// SPDX-License-Identifier: Apache-2.0
// The list of a front end's bits: names and widths follow docs/frontend.md section by section. The stack is a
// mechanism's own, which adds it first (FrontendDesign::count_bits); all else is known from the configuration.
#pragma once

#include <string>
#include <vector>

#include "mechanisms/mechanism.h"
#include "report/bits.h"

namespace heddle {

class FrontendBits {
 public:
  FrontendBits(const Config& config, const FrontendShape& shape);
  virtual ~FrontendBits() = default;
  FrontendBits(const FrontendBits&) = delete;
  FrontendBits& operator=(const FrontendBits&) = delete;

  static constexpr unsigned kPcBits = 32;
  // Reasons of fields that papers do not list.
  static constexpr const char* kLevelReason =
      "call level: threads of a recursive function meet at their own depth, and behind a function with several returns";
  static constexpr const char* kValidReason = "mask not empty, kept so that selection does not wait for a wide OR";
  static constexpr const char* kLiveReason = "threads that have not exited; every mask is read through it";
  static constexpr const char* kSiblingReason =
      "statistics: the entry below has the same rpc, so a dual-path stack could interleave";
  static constexpr const char* kDepthReason = "number of entries: stack pointer, emptiness and overflow";
  static constexpr const char* kStage =
      "pipeline register: resolutions act, and pops are chosen, a cycle ahead of the change";

  // ---- what a stack adds. Keys of the modules, for example "core/spe_frontend" and "stack/spe_stack":
  void begin(const char* frontend, const char* stack) {
    frontend_ = frontend;
    module_ = stack;
  }
  void add(const std::string& name, std::vector<BitField> fields, std::uint64_t entries, std::uint64_t copies,
           Storage storage = Storage::kFlipFlop) {
    structures_.push_back({name, module_, std::move(fields), entries, copies, storage});
  }
  void add_to_warps(const std::string& name, std::vector<BitField> fields) {
    add(name, std::move(fields), 1, all_warps());
  }
  void add_once(const std::string& name, std::vector<BitField> fields) { add(name, std::move(fields), 1, partitions_); }
  // Rows below the top, and addresses of them without a use. Virtual: a plug-in names no symbol.
  virtual void storage(const std::vector<BitField>& entry);
  virtual void rows_without_use(unsigned row);
  // The addresses at which the memories of the rows were read, and of two of them the one that the row is in.
  virtual void row_address(unsigned banks);
  virtual void stack_control();
  virtual void add_pop_register();
  virtual void high_water_mark();
  // Why the source of the mechanism lists no scoreboard.
  void scoreboard_is_not_listed(const char* reason) { scoreboard_reason_ = reason; }

  [[nodiscard]] const Config& config() const { return config_; }
  [[nodiscard]] unsigned slots() const { return shape_.slots; }
  [[nodiscard]] unsigned lanes() const { return config_.core.lanes; }
  [[nodiscard]] unsigned levels() const { return config_.stack.level_bits; }
  [[nodiscard]] unsigned warps() const { return warps_; }  // of one front end
  [[nodiscard]] unsigned warp_bits() const { return warp_bits_; }
  [[nodiscard]] unsigned slot_bits() const { return slot_bits_; }
  [[nodiscard]] unsigned depth_bits() const { return depth_bits_; }
  [[nodiscard]] std::uint64_t all_warps() const { return std::uint64_t{warps_} * partitions_; }

  // After that: everything. Throws Error ("option") if the stack added nothing.
  [[nodiscard]] BitReport report();

 private:
  [[nodiscard]] bool predicated() const { return config_.core.predicate != 0 && shape_.core.predicates; }
  void scoreboard();
  void wakeup();
  void selector();
  void ibuffer();
  void predication();
  void frontend();
  void compare_with_paper(BitReport& report) const;

  const Config& config_;
  const FrontendShape shape_;
  const bool several_;        // paths of a warp
  const unsigned slot_bits_;  // 0 with one
  const unsigned partitions_;
  const unsigned warps_;  // of one partition
  const unsigned warp_bits_;
  const unsigned depth_bits_;
  std::string frontend_, module_;
  const char* scoreboard_reason_ = "";
  std::vector<BitStructure> structures_;
};

[[nodiscard]] BitReport bits_of_frontend(const FrontendDesign& design, const Config& config);

}  // namespace heddle
