// SPDX-License-Identifier: Apache-2.0
// Runs a front end for some thousand cycles on a small program with divergent branches, predicated ones too, calls,
// returns, exits and kills, and prints a digest of every output pin in every cycle. Built twice, as the simulator uses
// the twins and as a synthesis compiler reads them (HEDDLE_SYNTHESIS: SC_CTHREADs, loops in place of built-ins): the
// two must print the same. And a front end of large sizes that is narrowed by its configuration ("narrowed" as second
// argument) must print the same as one of those sizes.
#include <algorithm>
#include <array>
#include <cinttypes>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/cbar_frontend.h"
#include "core/compact_frontend.h"
#include "core/dpe_forward_frontend.h"
#include "core/dpe_frontend.h"
#include "core/dpe_split_frontend.h"
#include "core/dws_frontend.h"
#include "core/fork_join_frontend.h"
#include "core/software_frontend.h"
#include "core/spe_frontend.h"

namespace {

using Word = std::uint64_t;

constexpr unsigned kWarps = 5;
constexpr unsigned kLanes = 8;
constexpr unsigned kSlots = 5;  // at most
constexpr std::uint32_t kEntry = 0x1000;

// 5: some threads may exit. 7: branch to 12, else 8..11; inside 12..17 a branch from 13 to 16, else 14..15. 23: back
// edge, taken by some threads (so the loop's exit is its reconvergence point). 24: the rest exit. 26..32 is a function
// with two returns, which some threads call once more from 28; the call at 16 returns to where the branch at 13 meets.
// 0, 8, 18: branches over one or two instructions, which are predicated or not. With rows in memory 9 pushes its
// threads, for 11, and 10 pops them; where a program opens regions 9 opens one, up to 11. With convergence barriers 6
// arms one at which the threads come together at 21, 22 is a warpsync of all, and 10, 12, 14, 29 and 31 do this and
// that.
struct Control {
  std::uint32_t at, target, rpc;  // instruction numbers
  bool call = false, ret = false;
  std::uint32_t skip = 0;  // instructions that the path may go through with some threads masked off
};
constexpr std::uint32_t kNowhere = 0;
constexpr std::uint32_t kWhereItReturns = 99;
constexpr Control kControls[] = {{0, 3, 3, false, false, 2},
                                 {3, 26, kNowhere, true},
                                 {5, 6, kNowhere},
                                 {7, 12, 18},
                                 {8, 11, 11, false, false, 2},
                                 {11, 18, 18},
                                 {13, 16, 17},
                                 {15, 17, 17},
                                 {16, 26, kNowhere, true},
                                 {18, 20, 20, false, false, 1},
                                 {20, 26, kNowhere, true},
                                 {23, 0, 24},
                                 {24, 25, kNowhere},
                                 {26, 31, kWhereItReturns},
                                 {27, 29, 29},
                                 {28, 26, kNowhere, true},
                                 {30, 0, kWhereItReturns, false, true},
                                 {32, 0, kNowhere, false, true}};
constexpr Control kPush = {9, 10, 11}, kPop = {10, 11, kWhereItReturns}, kFork = {9, 10, 11};
constexpr Control kMarks[] = {{6, 7, 22},         {10, 11, kNowhere}, {12, 13, kNowhere}, {14, 15, kNowhere},
                              {21, 22, kNowhere}, {22, 23, kNowhere}, {29, 30, kNowhere}, {31, 32, 6}};
constexpr unsigned kCalls = 5;  // of one thread, one inside the other

// What a mechanism's program has that others have not.
enum class Own { kNothing, kSplits, kRows, kRegions, kBarriers };

const Control* control_at(std::uint32_t i, Own own) {
  if (own == Own::kRows && i == kPush.at) return &kPush;
  if (own == Own::kRows && i == kPop.at) return &kPop;
  if (own == Own::kRegions && i == kFork.at) return &kFork;
  for (const Control& mark : kMarks) {
    if (own == Own::kBarriers && mark.at == i) return &mark;
  }
  for (const Control& control : kControls) {
    if (control.at == i) return &control;
  }
  return nullptr;
}

// Calls, returns, the two jumps over the other side, and where threads exit.
bool is_jump(const Control& control) {
  return control.call || control.ret || control.at == 5 || control.at == 11 || control.at == 15 || control.at == 24;
}

// With paths that are split at loads: barriers behind a call and in the loop, where parts meet.
bool is_barrier(std::uint32_t i) { return i == 4 || i == 22; }

Word instruction(std::uint32_t pc, Own own) {
  const std::uint32_t i = (pc - kEntry) / 4;
  const Control* at = control_at(i, own);
  const bool control = at != nullptr;
  const bool jump = control && is_jump(*at);
  const Word rd = control ? 0 : 1 + i % 5;
  const Word unit = i % 6 == 2 ? 4 : (i % 6 == 3 ? 3 : 0);
  return rd | Word{1 + (i + 2) % 5} << 6 | Word{1 + (i + 4) % 5} << 12 | unit << 24 | Word{control} << 27 |
         Word{own == Own::kSplits && is_barrier(i)} << 28 | Word{jump} << 29;
}

struct Event {
  std::uint32_t warp = 0;
  std::uint32_t slot = 0;
  std::uint32_t pc = 0;
  std::uint32_t tag = 0;
  std::uint32_t reg = 0;
  Word mask = 0;
};

class Random {
 public:
  std::uint32_t operator()(std::uint32_t n) {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return static_cast<std::uint32_t>(state_ >> 20) % n;
  }

 private:
  Word state_ = 0x2545f4914f6cdd1dull;
};

// A signal for every pin, by the pin's name, with its value as a number.
class Rig {
 public:
  explicit Rig(const sc_core::sc_module& module) {
    for (sc_core::sc_object* child : module.get_child_objects()) {
      bind<bool>(child);
      bind<std::uint32_t>(child);
      bind<Word>(child);
      bind_sc_uint(child, std::make_integer_sequence<int, 64>());
    }
  }

  [[nodiscard]] bool has(const std::string& pin) const { return writers_.count(pin) != 0; }
  void set(const std::string& pin, Word value) { writers_.at(pin)->set(value); }
  [[nodiscard]] Word get(const std::string& pin) const { return writers_.at(pin)->get(); }
  [[nodiscard]] const std::vector<std::string>& outputs() const { return outputs_; }

  void cycle() {
    set("clk_i", 0);
    sc_core::sc_start(1, sc_core::SC_NS);
    set("clk_i", 1);
    sc_core::sc_start(1, sc_core::SC_NS);
  }

 private:
  struct Pin {
    virtual ~Pin() = default;
    virtual void set(Word value) = 0;
    [[nodiscard]] virtual Word get() const = 0;
  };
  template <class T>
  struct TypedPin final : Pin {
    sc_core::sc_signal<T, sc_core::SC_UNCHECKED_WRITERS> signal;
    void set(Word value) override { signal.write(static_cast<T>(value)); }
    [[nodiscard]] Word get() const override { return static_cast<Word>(signal.read()); }
  };

  template <class T>
  void bind(sc_core::sc_object* object) {
    auto* in = dynamic_cast<sc_core::sc_in<T>*>(object);
    auto* out = dynamic_cast<sc_core::sc_out<T>*>(object);
    if (in == nullptr && out == nullptr) return;
    auto pin = std::make_unique<TypedPin<T>>();
    if (in != nullptr) {
      (*in)(pin->signal);
    } else {
      (*out)(pin->signal);
      outputs_.push_back(object->basename());
    }
    writers_[object->basename()] = std::move(pin);
  }

  template <int... Less>
  void bind_sc_uint(sc_core::sc_object* object, std::integer_sequence<int, Less...>) {
    (bind<sc_dt::sc_uint<Less + 1>>(object), ...);
  }

  std::map<std::string, std::unique_ptr<Pin>> writers_;
  std::vector<std::string> outputs_;
};

[[nodiscard]] bool is_mark(const Control& control) {
  return &control >= std::begin(kMarks) && &control < std::end(kMarks);
}

// {barrier, mark}. Barrier 1 is the one that is armed; the others are restored, and nobody comes to them.
std::uint32_t barrier_kind_of(const Control& control, Random& random) {
  using namespace heddle;
  constexpr std::uint32_t kAny[] = {kMarkNone, kMarkYield, kMarkBreak, kMarkSavePc};
  std::uint32_t mark = kAny[random(4)];
  if (control.at == 6) mark = kMarkArm;
  if (control.at == 21) mark = kMarkArrive;
  if (control.at == 22) mark = kMarkSync;
  if (control.at == 29) mark = random(4) == 0 ? kMarkSave : kMarkNone;
  if (control.at == 31) mark = kMarkRestore;
  return mark | (mark == kMarkRestore ? 2 + random(14) : 1) << kKindWidth;
}

// What a control instruction says to the mechanism. A return that waits would take the address of its threads twice.
std::uint32_t kind_of(const Control& control, Own own, bool subdivides, Random& random) {
  std::uint32_t kind = heddle::kMarkNone;
  if (&control == &kPush) kind = heddle::kMarkPush;
  if (&control == &kPop) kind = heddle::kMarkPop;
  if (&control == &kFork) kind = heddle::kMarkFork;
  if (is_mark(control)) kind = barrier_kind_of(control, random);
  if (own == Own::kSplits && control.ret) kind = heddle::kMarkOnce;
  if (subdivides && random(2) == 0) kind = heddle::kMarkDivide;
  return kind;
}

void run(Rig& rig, Own own) {
  const bool splits = own == Own::kSplits;
  const bool rows = own == Own::kRows;
  const unsigned cycles = splits ? 60000 : 20000;
  Random random;
  std::map<unsigned, Event> decodes, resolutions, wb[2];  // by cycle
  std::vector<unsigned> rounds(kWarps, 0);
  std::vector<bool> running(kWarps, false);
  std::vector<unsigned> last_issue(kWarps, 0);
  unsigned last_answer[kWarps][kSlots] = {};
  std::vector<std::uint32_t> returns[kWarps][kLanes];  // return addresses of each thread, the innermost last
  Word digest = 14695981039346656037ull;
  unsigned issued = 0, predicated = 0, ended = 0, killed = 0;
  bool taken = true;  // the instruction in the issue register, in this cycle
  bool dead = false;  // its warp was killed as it waited
  const bool slots = rig.has("issue_slot_o");
  const bool subdivides = rig.has("max_splits_o");
  const bool may_split = rig.has("split_valid_i");
  unsigned at_barrier = 0;
  std::map<std::pair<std::uint32_t, Word>, std::array<Word, 4>>
      memory;                                                // by warp and row: PCs and masks, left and right
  std::map<unsigned, std::pair<std::uint32_t, Word>> fills;  // by cycle
  unsigned saved = 0, filled = 0;
  // Warp and slot of what comes now, at the pins of a group, or of a port of it.
  const auto send = [&](std::map<unsigned, Event>& queue, unsigned now, const std::string& group,
                        const std::string& port = "") -> const Event* {
    const auto found = queue.find(now);
    if (found == queue.end()) return nullptr;
    rig.set(group + "_warp_i" + port, found->second.warp);
    if (slots) rig.set(group + "_slot_i" + port, found->second.slot);
    return &found->second;
  };
  const auto free_cycle = [](const std::map<unsigned, Event>& queue, unsigned cycle) {
    while (queue.count(cycle) != 0) ++cycle;
    return cycle;
  };

  rig.set("rst_ni", 1);
  rig.cycle();
  rig.set("rst_ni", 0);
  rig.cycle();
  rig.set("rst_ni", 1);
  for (unsigned now = 0; now < cycles; ++now) {
    const std::uint32_t warp = random(kWarps);
    rig.set("launch_valid_i", !running[warp]);
    if (!running[warp]) {
      running[warp] = true;
      rounds[warp] = 0;
      for (auto& addresses : returns[warp]) addresses.clear();
      rig.set("launch_warp_i", warp);
      rig.set("launch_pc_i", kEntry);
      rig.set("launch_mask_i", 1 + random((1u << kLanes) - 1));
    }
    rig.set("fetch_ready_i", random(8) != 0);
    rig.set("unit_ready_i", 31 & ~(random(4) == 0 ? 1u << random(5) : 0u));
    rig.set("hold_i", random(4) == 0 ? 1u << random(kWarps) : 0);
    rig.set("issue_ready_i", taken);
    const std::uint32_t victim = random(kWarps);
    const bool waits = !taken && rig.get("issue_valid_o") != 0 && rig.get("issue_warp_o") == victim;
    const bool kills = random(waits ? 8 : 200) == 0 && running[victim] && victim != warp;
    rig.set("kill_valid_i", kills);
    if (kills) {
      dead = dead || waits;
      rig.set("kill_warp_i", victim);
      running[victim] = false;
      ++killed;
      for (auto e = resolutions.begin(); e != resolutions.end();)
        e = e->second.warp == victim ? resolutions.erase(e) : std::next(e);
    }
    if (rows) {
      const bool loads = random(3) != 0;
      const auto warp = static_cast<std::uint32_t>(rig.get("load_warp_o"));
      rig.set("load_ready_i", loads);
      rig.set("fill_valid_i", fills.count(now));
      if (const auto fill = fills.find(now); fill != fills.end()) {
        const std::array<Word, 4>& row = memory.at(fill->second);
        rig.set("fill_warp_i", fill->second.first);
        for (const unsigned s : {0, 1}) {
          rig.set("fill_pc_i_" + std::to_string(s), row[s]);
          rig.set("fill_mask_i_" + std::to_string(s), row[2 + s]);
        }
        ++filled;
        fills.erase(fill);
      }
      if (kills) {
        for (auto f = fills.begin(); f != fills.end();) f = f->second.first == victim ? fills.erase(f) : std::next(f);
      }
      if (loads && rig.get("load_valid_o") != 0 && !(kills && warp == victim)) {
        unsigned cycle = now + 1 + random(20);
        while (fills.count(cycle) != 0) ++cycle;
        fills[cycle] = {warp, rig.get("load_row_o")};
      }
      // A resolution waits for room for its row.
      const bool room = random(4) != 0;
      rig.set("save_ready_i", room);
      if (const auto waits = resolutions.find(now); !room && waits != resolutions.end()) {
        resolutions[free_cycle(resolutions, now + 1)] = waits->second;
        resolutions.erase(waits);
        rig.set("resolve_valid_i", 1);
      } else {
        rig.set("resolve_valid_i", resolutions.count(now));
      }
    } else {
      rig.set("resolve_valid_i", resolutions.count(now));
    }
    rig.set("decode_valid_i", decodes.count(now));
    if (const Event* e = send(decodes, now, "decode")) {
      const Word first = instruction(e->pc, own);
      rig.set("decode_tag_i", e->tag);
      rig.set("decode_count_i", heddle::bundle_jump(first) ? 1 : 2);
      rig.set("decode_instr0_i", first);
      rig.set("decode_instr1_i", instruction(e->pc + 4, own));
    }
    if (const Event* e = send(resolutions, now, "resolve")) {
      const Control& control = *control_at((e->pc - kEntry) / 4, own);
      const bool jump = control.at == 11 || control.at == 15;
      const bool loops_on = control.at != 23 || rounds[e->warp]++ < 12;
      const Word leavers = random(4) == 0 ? e->mask & random(1u << kLanes) : 0;
      Word taken = jump || control.call ? e->mask : loops_on ? random(1u << kLanes) : 0;
      if (control.at == 26 || control.at == 27)
        taken &= random(1u << kLanes) & random(1u << kLanes);  // most of them call on
      std::uint32_t target = kEntry + 4 * control.target;
      std::uint32_t next = e->pc + 4;
      if (control.ret) {  // to where the lowest thread goes; the others return again
        target = returns[e->warp][heddle::lowest_bit(e->mask)].back();
        next = e->pc;
        taken = 0;
      }
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        if (!heddle::has_bit(e->mask, lane)) continue;
        std::vector<std::uint32_t>& addresses = returns[e->warp][lane];
        if (control.at == 26 && addresses.size() >= kCalls) taken = e->mask;
        if (control.call) addresses.push_back(next);
        if (control.ret && addresses.back() == target) {
          taken |= heddle::bit_of(lane);
          addresses.pop_back();
        }
      }
      rig.set("resolve_exit_i", control.at == 24 ? e->mask : control.at == 5 ? leavers : 0);
      rig.set("resolve_taken_i", taken);
      rig.set("resolve_target_i", target);
      rig.set("resolve_next_i", next);
      rig.set("resolve_rpc_i", control.rpc == kNowhere          ? 0
                               : control.rpc == kWhereItReturns ? 1
                                                                : kEntry + 4 * control.rpc);
      rig.set("resolve_call_i", control.call);
      rig.set("resolve_return_i", control.ret);
      const std::uint32_t kind = kind_of(control, own, subdivides, random);
      if (&control == &kPush || &control == &kPop || &control == &kFork || is_mark(control))
        rig.set("resolve_taken_i", taken = 0);
      if (rig.has("resolve_kind_i")) rig.set("resolve_kind_i", kind);
      if (rig.has("resolve_operand_i"))
        rig.set("resolve_operand_i", control.at == 22 ? ~Word{0} : random(1u << kLanes));
      const bool divergent = (e->mask & taken) != 0 && (e->mask & ~taken) != 0;
      rig.set("resolve_skip_i", divergent && random(4) != 0 &&
                                        !((rows || own == Own::kRegions || own == Own::kBarriers) && control.at == 8)
                                    ? control.skip
                                    : 0);
    }
    rig.set("wb_valid_i", wb[0].count(now) | wb[1].count(now) << 1);
    for (unsigned k = 0; k < 2; ++k) {
      const std::string port = "_" + std::to_string(k);
      if (const Event* e = send(wb[k], now, "wb", port)) {
        rig.set("wb_reg_i" + port, e->reg);
        if (slots) rig.set("wb_mask_i" + port, e->mask);
      }
    }
    if (rig.has("miss_valid_i")) {
      rig.set("miss_valid_i", now < cycles / 2 && random(5) == 0);  // later no miss helps who is stuck
      rig.set("miss_warp_i", random(kWarps));
      rig.set("miss_slot_i", random(2));
    }
    if (may_split) {  // at any time, any threads
      rig.set("split_valid_i", random(2));
      rig.set("split_warp_i", random(kWarps));
      rig.set("split_slot_i", random(2));
      rig.set("split_mask_i", random(1u << kLanes));
    }
    if (splits) rig.set("release_i", random(4) == 0 ? random(1u << kWarps) : 0);
    rig.cycle();
    for (const std::string& pin : rig.outputs()) {
      const Word value = pin == "idle_o" ? rig.get(pin) & heddle::low_bits(kWarps)
                                         : rig.get(pin);  // larger ones have more warps, all idle
      digest = (digest ^ value) * 1099511628211ull;
    }
    if (rows && rig.get("save_valid_o") != 0) {
      ++saved;
      memory[{static_cast<std::uint32_t>(rig.get("save_warp_o")), rig.get("save_row_o")}] = {
          rig.get("save_pc_o_0"), rig.get("save_pc_o_1"), rig.get("save_mask_o_0"), rig.get("save_mask_o_1")};
    }
    if (rig.get("done_valid_o") != 0) {
      ++ended;
      running[rig.get("done_warp_o")] = false;
    }
    const auto slot = [&](const char* pin) { return slots ? static_cast<std::uint32_t>(rig.get(pin)) : 0; };
    if (rig.get("fetch_valid_o") != 0) {
      const Event e{static_cast<std::uint32_t>(rig.get("fetch_warp_o")), slot("fetch_slot_o"),
                    static_cast<std::uint32_t>(rig.get("fetch_pc_o")),
                    static_cast<std::uint32_t>(rig.get("fetch_tag_o"))};
      unsigned& last = last_answer[e.warp][e.slot];  // those of a path come in their order
      last = free_cycle(decodes, std::max(now + 2 + random(3), last + 1));
      decodes[last] = e;
    }
    taken = dead ? random(32) == 0 : random(8) != 0;
    if (taken && rig.get("issue_valid_o") != 0) {
      ++issued;
      predicated += rig.get("issue_predicated_o") != 0;
      const Word bundle = rig.get("issue_instr_o");
      const Event e{static_cast<std::uint32_t>(rig.get("issue_warp_o")),
                    slot("issue_slot_o"),
                    static_cast<std::uint32_t>(rig.get("issue_pc_o")),
                    0,
                    heddle::bundle_rd(bundle),
                    rig.get("issue_mask_o")};
      last_issue[e.warp] = now;
      if (heddle::bundle_control(bundle)) {
        if (!dead) resolutions[free_cycle(resolutions, now + 2 + random(4))] = e;
      } else {
        const bool load = splits && (bundle >> 24 & 7) == heddle::kUnitCodeLsu;
        const Word first = load ? e.mask & random(1u << kLanes) : e.mask;
        at_barrier += heddle::bundle_barrier(bundle);
        for (const Word threads : {first, e.mask & ~first}) {  // those of a load apart
          if (threads == 0) continue;
          auto& port = wb[random(2)];
          Event& write = port[free_cycle(port, now + 2 + random(load ? 80 : 12))];
          write = e;
          write.mask = threads;
        }
      }
      dead = false;
    }
  }
  const auto stuck =
      std::count_if(last_issue.begin(), last_issue.end(), [cycles](unsigned last) { return last + 1000 < cycles; });
  std::printf("digest %016" PRIx64 " issued %u predicated %u ended %u killed %u stuck %u depth %u", digest, issued,
              predicated, ended, killed, static_cast<unsigned>(stuck), static_cast<unsigned>(rig.get("max_depth_o")));
  if (splits) {
    std::printf(" barriers %u splits %u merges %u", at_barrier, static_cast<unsigned>(rig.get("splits_o")),
                static_cast<unsigned>(rig.get("merges_o")));
  }
  if (rows) std::printf(" saved %u filled %u", saved, filled);
  std::printf("\n");
}

template <class Module>
void run(const typename Module::Logic::Config& config, Own own) {
  Module module("frontend", config);
  Rig rig(module);
  run(rig, own);
}

// At its own sizes, or at larger ones narrowed to them, which synthesis has no form of.
template <class Module, class Large>
void run_either([[maybe_unused]] bool narrowed, Own own = Own::kNothing) {
  const typename Module::Logic::Config config = Module::Logic::default_config();
#ifndef HEDDLE_SYNTHESIS
  if (narrowed) return run<Large>(config, own);
#endif
  run<Module>(config, own);
}

}  // namespace

int sc_main(int argc, char** argv) {
  using heddle::cbar_frontend;
  using heddle::compact_frontend;
  using heddle::dpe_forward_frontend;
  using heddle::dpe_frontend;
  using heddle::dpe_split_frontend;
  using heddle::dws_frontend;
  using heddle::fork_join_frontend;
  using heddle::software_frontend;
  using heddle::spe_frontend;
  const std::string which = argc > 1 ? argv[1] : "";
  const bool narrowed = argc > 2 && std::string(argv[2]) == "narrowed";
  int status = 0;
  if (which == "spe") {
    run_either<spe_frontend<kWarps, kLanes, 8, 2, 0, 3, 0, 4>, spe_frontend<24, 64, 20, 0, 0, 9, 0, 7, 16>>(narrowed);
  } else if (which == "spe_gto") {
    run_either<spe_frontend<kWarps, kLanes, 12, 3, 0, 3, 1, 3, 2>, spe_frontend<24, 64, 20, 0, 0, 9, 0, 7, 16>>(
        narrowed);
  } else if (which == "spe_bitmap") {
    run_either<spe_frontend<kWarps, kLanes, 9, 1, 3, 3, 0, 4, 3>, spe_frontend<24, 64, 20, 0, 3, 9, 1, 7, 16>>(
        narrowed);
  } else if (which == "compact") {
    run_either<compact_frontend<kWarps, kLanes, 6, 0, 3, 3, 0, 4>, compact_frontend<24, 64, 20, 0, 3, 9, 0, 7, 16>>(
        narrowed);
  } else if (which == "fork_join") {
    run_either<fork_join_frontend<kWarps, kLanes, 9, 1, 0, 3, 0, 4>, fork_join_frontend<24, 64, 20, 0, 0, 9, 0, 7, 16>>(
        narrowed, Own::kRegions);
  } else if (which == "cbar_frontend") {
    run_either<cbar_frontend<kWarps, kLanes, 16, 2, 1, 0, 0, 3, 0, 4>,
               cbar_frontend<24, 64, 16, 0, 0, 1, 0, 9, 1, 7, 16>>(narrowed, Own::kBarriers);
  } else if (which == "cbar_leaves") {
    run_either<cbar_frontend<kWarps, kLanes, 16, 3, 0, 1, 3, 3, 1, 4, 2>,
               cbar_frontend<24, 64, 16, 0, 2, 1, 3, 9, 0, 7, 16>>(narrowed, Own::kBarriers);
  } else if (which == "cbar_loops") {
    run_either<cbar_frontend<kWarps, kLanes, 16, 1, 2, 0, 0, 2, 0, 3>,
               cbar_frontend<24, 64, 16, 0, 1, 1, 0, 9, 0, 7, 16>>(narrowed, Own::kBarriers);
  } else if (which == "dpe") {
    run_either<dpe_frontend<kWarps, kLanes, 7, 1, 1, 3, 0, 0, 4>, dpe_frontend<24, 64, 20, 0, 1, 9, 0, 1, 7, 16>>(
        narrowed);
  } else if (which == "dpe_optimistic") {
    run_either<dpe_frontend<kWarps, kLanes, 7, 0, 2, 2, 0, 1, 4, 2>, dpe_frontend<24, 64, 20, 1, 2, 9, 0, 0, 7, 16>>(
        narrowed);
  } else if (which == "dpe_constrained") {
    run_either<dpe_frontend<kWarps, kLanes, 7, 1, 1, 3, 1, 0, 4, 2>, dpe_frontend<24, 64, 20, 0, 1, 9, 1, 1, 7, 16>>(
        narrowed);
  } else if (which == "dpe_bitmap") {
    run_either<dpe_frontend<kWarps, kLanes, 7, 1, 3, 2, 1, 1, 3, 8>, dpe_frontend<24, 64, 20, 0, 3, 9, 1, 0, 7, 16>>(
        narrowed);
  } else if (which == "dpe_forward") {
    run_either<dpe_forward_frontend<kWarps, kLanes, 7, 1, 1, 3, 0, 0, 4>,
               dpe_forward_frontend<24, 64, 20, 0, 1, 9, 0, 1, 7, 16>>(narrowed);
  } else if (which == "dpe_split") {
    run_either<dpe_split_frontend<kWarps, kLanes, 9, 1, 3, 0, 4>, dpe_split_frontend<24, 64, 20, 0, 9, 1, 7, 16>>(
        narrowed, Own::kSplits);
  } else if (which == "software") {
    run_either<software_frontend<kWarps, kLanes, 12, 1, 1, 3, 0, 0, 4>,
               software_frontend<24, 64, 20, 0, 1, 9, 0, 1, 7, 16>>(narrowed, Own::kRows);
  } else if (which == "dws") {
    run_either<dws_frontend<kWarps, kLanes, 4, 9, 2, 3, 0, 4>, dws_frontend<12, 64, kSlots, 20, 0, 9, 1, 7, 16>>(
        narrowed);
  } else {
    std::fprintf(stderr,
                 "usage: %s "
                 "spe|spe_gto|spe_bitmap|compact|fork_join|cbar_frontend|cbar_leaves|cbar_loops|dpe|dpe_optimistic|dpe_"
                 "constrained|dpe_bitmap|"
                 "dpe_forward|dpe_split|software|dws [narrowed]\n",
                 argv[0]);
    status = 2;
  }
  return status;
}
