// SPDX-License-Identifier: Apache-2.0
// Where the paths of an entry meet (docs/frontend.md, "Where paths meet"): one of three things, and how the pins write
// it.
#pragma once

#include <optional>
#include <ostream>
#include <variant>

#include "heddle/types.h"

namespace heddle::test {

// Call levels of `bits` bits: they count modulo 2^bits.
class Levels {
 public:
  explicit Levels(unsigned bits) : count_(1u << bits) {}
  [[nodiscard]] unsigned above(unsigned level) const { return (level + 1) % count_; }
  [[nodiscard]] unsigned below(unsigned level) const { return (level + count_ - 1) % count_; }
  [[nodiscard]] unsigned last() const { return count_ - 1; }

 private:
  unsigned count_;
};

struct Nowhere {};
struct AtPc {
  Pc pc;
  unsigned level;
};
struct WhereTheyReturn {
  unsigned level;
  std::optional<Pc> address;
};  // the address, once a path has brought it

class Place {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): a PC in a script is that PC outside all calls; kNoRpc is nowhere
  Place(Pc pc = kNoRpc) {
    if (pc != kNoRpc) what_ = AtPc{pc, 0};
  }
  static Place at(Pc pc, unsigned level) {
    Place place;
    place.what_ = AtPc{pc, level};
    return place;
  }
  static Place where_they_return(unsigned level, std::optional<Pc> address = std::nullopt) {
    Place place;
    place.what_ = WhereTheyReturn{level, address};
    return place;
  }

  [[nodiscard]] bool nowhere() const { return std::holds_alternative<Nowhere>(what_); }
  [[nodiscard]] bool returning() const { return std::holds_alternative<WhereTheyReturn>(what_); }
  [[nodiscard]] std::optional<Pc> address() const { return std::get<WhereTheyReturn>(what_).address; }
  [[nodiscard]] std::optional<Pc> pc() const {
    const auto* there = std::get_if<AtPc>(&what_);
    return there == nullptr ? std::nullopt : std::optional<Pc>(there->pc);
  }

  // A path that a resolution brought to this PC and level is there.
  [[nodiscard]] bool arrived(Pc pc, unsigned level) const {
    if (const auto* there = std::get_if<AtPc>(&what_)) return there->pc == pc && there->level == level;
    if (const auto* there = std::get_if<WhereTheyReturn>(&what_)) {
      return there->level == level && (!there->address || *there->address == pc);
    }
    return false;
  }
  // The first path that returned says where to. Address 0 is none.
  void learn(Pc pc) {
    auto* there = std::get_if<WhereTheyReturn>(&what_);
    if (there != nullptr && pc != 0) there->address = pc;
  }
  // The same place, whatever is known of it.
  [[nodiscard]] bool same(const Place& other) const {
    if (what_.index() != other.what_.index() || level() != other.level()) return false;
    return pc() == other.pc();
  }

  // What the pins rpc_o and rpc_level_o show.
  [[nodiscard]] Pc rpc() const {
    if (returning()) return address().value_or(0) | kReturnRpc;
    return pc().value_or(kNoRpc);
  }
  [[nodiscard]] unsigned level() const {
    if (const auto* there = std::get_if<AtPc>(&what_)) return there->level;
    if (const auto* there = std::get_if<WhereTheyReturn>(&what_)) return there->level;
    return 0;
  }

  friend bool operator==(const Place& a, const Place& b) {
    return a.what_.index() == b.what_.index() && a.rpc() == b.rpc() && a.level() == b.level();
  }
  friend std::ostream& operator<<(std::ostream& out, const Place& place) {
    if (place.nowhere()) return out << "nowhere";
    out << std::hex;
    if (place.returning()) {
      out << "return";
      if (place.address()) out << " to " << *place.address();
    } else {
      out << *place.pc();
    }
    return out << std::dec << " at level " << place.level();
  }

 private:
  std::variant<Nowhere, AtPc, WhereTheyReturn> what_;
};

// The place that a resolution names with `rpc`, for a path at `level` of an entry that meets at `own`.
inline Place meeting_place(Pc rpc, unsigned level, const Place& own, const Levels& levels) {
  if (rpc == kNoRpc) return own;
  if (rpc != kReturnRpc) return Place::at(rpc, level);
  if (level == 0) return own;  // the end of the function is the end of the thread
  const Place place = Place::where_they_return(levels.below(level));
  return place.same(own) ? own : place;
}

}  // namespace heddle::test
