// SPDX-License-Identifier: Apache-2.0
// A mechanism, as the simulator knows it. Each has a file beside this one that says all that is its own: name, keys,
// front end in SystemC and RTL, what can be seen of its stack, bits, and what it asks of the core. Nobody else asks
// which mechanism it is; registry.cpp lists them. A plug-in (plugin.h) brings others: it names no symbol of the
// simulator, so what a mechanism derives from or calls here is virtual or inline.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/config.h"
#include "core/mechanism_unit.h"
#include "heddle/config.h"
#include "report/bits.h"

namespace heddle {

class DirectFrontend;
class Frontend;
class FrontendBits;
class PinProbes;
class WarpSource;
struct DirectContext;
struct FrontendContext;

// The core that runs it: front ends with static warps (also those that a program registers), or the barrel core with a
// dwf_scheduler or with a reference model that has no hardware.
enum class MechanismKind { kFrontend, kFormation, kReference };

enum class ScoreboardModule { kSpe, kDpe, kOptimistic, kBitmap };  // as heddle_pkg numbers them

// How a front end is built for a configuration.
struct FrontendShape {
  unsigned slots = 1;  // paths of a warp that may issue
  ScoreboardModule scoreboard = ScoreboardModule::kSpe;
  SelectorKind selector = SelectorKind::kTwoLevel;
  Capabilities core;
};

// A Verilated model of a front end.
struct RtlModelOf {
  ScoreboardModule scoreboard;
  SelectorKind selector;
  Policy policy;
  PushOrder order;
  unsigned lanes;  // at most
  unsigned slots, stack_depth;
  std::unique_ptr<Frontend> (*make)(const FrontendContext&);
  std::unique_ptr<DirectFrontend> (*make_direct)(const DirectContext&);
};

// A front end of rtl/core and systemc/core in the simulator. It lives as long as the program.
class FrontendDesign {
 public:
  virtual ~FrontendDesign() = default;
  [[nodiscard]] virtual FrontendShape shape(const Config& config) const = 0;
  // In the SystemC kernel, where waves and engine cosim run; may be null. And without it.
  [[nodiscard]] virtual std::unique_ptr<Frontend> twin(const FrontendContext& context) const = 0;
  [[nodiscard]] virtual std::unique_ptr<DirectFrontend> direct_twin(const DirectContext& context) const = 0;
  // Its Verilated models, of which a configuration takes the first that fits; none in a build without RTL.
  [[nodiscard]] virtual const std::vector<RtlModelOf>& rtl_models() const {
    static const std::vector<RtlModelOf> none;
    return none;
  }
  // Null: no instruction is its own, and its stack is told nothing but branches.
  [[nodiscard]] virtual std::unique_ptr<MechanismUnit> unit(const Config&) const { return nullptr; }
  // Adds the stack to a list that has everything else; one that does not has said nothing of its bits.
  virtual void count_bits(FrontendBits&) const {}
  // Pins that only this front end has.
  virtual void add_probes(PinProbes&) const {}
};

class Mechanism {
 public:
  // "key = value (where it was set)"
  using Describe = std::function<std::string(const char* key)>;
  using IsSet = std::function<bool(const char* key)>;

  Mechanism(MechanismKind kind, const char* name, const char* summary, const char* source)
      : kind(kind),
        name(name),
        summary(summary),
        source(source) {}
  virtual ~Mechanism() = default;
  Mechanism(const Mechanism&) = delete;
  Mechanism& operator=(const Mechanism&) = delete;

  const MechanismKind kind;
  const char* const name;  // value of --mechanism and of the key `mechanism`
  const char* const summary;
  const char* const source;  // paper and section

  // ---- configuration
  [[nodiscard]] virtual std::vector<ConfigKey> keys() const { return {}; }
  // Values of these keys that follow from others, where nobody set them.
  virtual void complete(Config&, const IsSet&) const {}
  // What does not fit together throws Error ("config"): of these keys, whatever the mechanism is; of all, when it is
  // this one.
  virtual void check_keys(const Config&, const Describe&) const {}
  virtual void check(const Config&, const Describe&) const {}
  [[nodiscard]] virtual unsigned stack_depth() const { return Config{}.stack.depth; }  // if nothing sets it
  // The preset that a command line without one starts from; empty: the defaults of all keys.
  [[nodiscard]] virtual std::string preset() const { return kind == MechanismKind::kFrontend ? "" : "dwf2007"; }

  // ---- programs
  // The form of the workloads' kernels it runs: NAME.elf, or NAME.form.elf, compiled with what the mechanism asks of a
  // compiler.
  [[nodiscard]] virtual std::string kernel_form(const Config&) const { return ""; }
  // A thread gets a lock that another one of its warp holds, when that has given it back.
  [[nodiscard]] virtual bool passes_locks() const { return true; }

  // ---- hardware
  [[nodiscard]] virtual const FrontendDesign* design(const Config&) const { return nullptr; }  // kFrontend
  using WarpSourceFactory = std::unique_ptr<WarpSource> (*)(const Config&);
  [[nodiscard]] virtual WarpSourceFactory source_of_warps() const { return nullptr; }  // kReference
  // Of hardware that is no front end.
  [[nodiscard]] virtual std::optional<BitReport> bits(const Config&) const { return std::nullopt; }
  [[nodiscard]] virtual std::string sizes(const Config&) const { return ""; }  // what they are of, on a line
  [[nodiscard]] virtual const char* bits_compared() const { return ""; }       // what of spe they are compared with
};

// Those of this build, then those of plug-ins.
[[nodiscard]] const std::vector<const Mechanism*>& mechanisms();
// Of a plug-in; they live as long as the program. Throws Error ("plugin"), and adds none, if a name or a key of them is
// taken.
void add_mechanisms(const std::vector<const Mechanism*>& more, const std::string& library);
// The plug-in that a mechanism came with; empty: none, it is of this build.
[[nodiscard]] std::string library_of(const Mechanism& mechanism);
// Null: one that a program registered, or none.
[[nodiscard]] const Mechanism* find_mechanism(const std::string& name);
// Of one that a program registered: a front end without a word of its own.
[[nodiscard]] MechanismKind mechanism_kind(const std::string& name);
[[nodiscard]] FrontendShape frontend_shape(const Config& config);
[[nodiscard]] std::string kernel_form(const Config& config);
[[nodiscard]] std::string option_of_form(const std::string& form);  // of heddle-cc; empty: none
[[nodiscard]] std::string preset_of_mechanism(const std::string& name);
[[nodiscard]] unsigned default_stack_depth(const std::string& name);

}  // namespace heddle
