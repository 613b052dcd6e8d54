// SPDX-License-Identifier: Apache-2.0
// Where an indirect jump may go, read from the code in front of it and from tables in memory: a switch's table of
// addresses, or of distances from the table, or a computed goto. What is found only decides where paths meet, so a
// wrong guess is slow, never wrong.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "isa/program.h"

namespace heddle {

// The graph of a function as far as it is known.
struct CodeBlocks {
  enum class Edge : std::uint8_t { kOther, kTaken, kThrough };
  struct Predecessor {
    std::size_t block;
    Edge edge;
  };
  Pc begin = 0, end = 0;                  // of the function
  std::vector<std::pair<Pc, Pc>> blocks;  // by address
  std::vector<std::vector<Predecessor>> predecessors;

  [[nodiscard]] std::size_t block_of(Pc pc) const;  // which holds it
};

// Words of memory that are addresses of code, for all functions of a program.
class CodePointers {
 public:
  explicit CodePointers(const Program& program);
  [[nodiscard]] std::optional<std::uint32_t> word(Address address) const;
  // Places (value, address of the word) whose value lies between begin and end.
  using Place = std::pair<Pc, Address>;
  [[nodiscard]] std::pair<std::vector<Place>::const_iterator, std::vector<Place>::const_iterator> between(Pc begin,
                                                                                                          Pc end) const;
  // Where the object that holds `address` ends; outside of objects its section, or the first of `known` behind it
  // (sorted: where data is known to begin).
  [[nodiscard]] std::uint64_t end_of_data(Address address, const std::vector<Address>& known) const;
  [[nodiscard]] const std::vector<Place>& places() const { return places_; }

 private:
  const Program& program_;
  std::vector<Place> places_;  // sorted
};

struct JumpTable {
  Address begin = 0;          // of the first entry
  std::uint32_t stride = 0;   // from one to the next, in bytes
  std::uint64_t entries = 0;  // as the code bounds them; 0: it does not
  std::uint32_t add = 0;      // to an entry gives its target
  Address end = 0;            // behind the last entry read
  std::vector<Pc> targets;    // distinct, sorted
};

class JumpTargets {
 public:
  JumpTargets(const Program& program, const CodePointers& pointers);

  // Where the indirect call at `call` in `block` may go: the words of a table of addresses, from the entry that the
  // code names to the table's end. Empty if there is none.
  [[nodiscard]] std::vector<Pc> callees(const CodeBlocks& code, std::size_t block, Pc call);

  // Where the table of the indirect jump that ends `block` begins, and how many entries it has if the code says so.
  [[nodiscard]] std::optional<JumpTable> find(const CodeBlocks& code, std::size_t block);
  // Its targets. It ends where the code bounds it, with its object or section, where another table of this function
  // begins (`known`, sorted), or with the first word that is no instruction of the function. False if there is none.
  [[nodiscard]] bool read(JumpTable& table, const CodeBlocks& code, const std::vector<Address>& known) const;

 private:
  class Evaluation;

  [[nodiscard]] std::vector<std::size_t> chain_to(const CodeBlocks& code, std::size_t block);
  [[nodiscard]] std::optional<std::uint32_t> constant_before(const CodeBlocks& code, std::size_t block, RegId r);
  [[nodiscard]] std::optional<std::uint32_t> constant_at(const CodeBlocks& code, std::size_t block, Pc pc, RegId r,
                                                         unsigned depth);

  const Program& program_;
  const CodePointers& pointers_;
  std::size_t budget_ = 0;  // instructions that may still be looked at for this jump
  std::size_t shared_ = 0;  // and for all jumps together, beyond a small number for each
};

}  // namespace heddle
