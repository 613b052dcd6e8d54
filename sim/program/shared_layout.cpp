// SPDX-License-Identifier: Apache-2.0
#include "program/shared_layout.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <optional>

#include "isa/launch.h"

namespace heddle {
namespace {

constexpr unsigned kDynamicAlignment = 16;
constexpr std::uint64_t kMaxWork = 1u << 28;

bool in_window(Address address) { return address >= kSharedBase && address < kLocalBase; }

// A word with the part of an address that a relocation of this type puts there; nothing for other types.
std::optional<std::uint32_t> with_address(std::uint32_t word, unsigned type, Address address) {
  switch (type) {
    case R_RISCV_64:  // its lower word: the windows lie below 2 GB
    case R_RISCV_32: return address;
    case R_RISCV_HI20: return (word & 0xFFFu) | ((address + 0x800u) & 0xFFFFF000u);
    case R_RISCV_LO12_I: return (word & 0xFFFFFu) | address << 20;
    case R_RISCV_LO12_S: return (word & 0x1FFF07Fu) | (address & 0xFE0u) << 20 | (address & 0x1Fu) << 7;
    default: return std::nullopt;
  }
}

class Layout {
 public:
  Layout(Program& program, const SharedWindow& window, const std::vector<Reference>& references)
      : program_(program),
        window_(window),
        references_(references),
        data_(program.functions.size()) {}

  // False: it stays as the linker has it.
  bool run() {
    if (!window_.known || !find_variables() || !find_uses()) return false;
    find_calls();
    for (std::size_t kernel = 0; kernel < program_.kernels.size(); ++kernel) reach(kernel);
    place_variables();
    place_dynamic();
    change_references();
    return true;
  }

 private:
  struct Variable {
    Address begin = 0, end = 0;  // the linker's
    Address place = 0;
    std::vector<bool> users = {};  // kernels
    [[nodiscard]] Address place_end() const { return place + (end - begin); }
    [[nodiscard]] bool meets(const Variable& other) const {
      if (place >= other.place_end() || other.place >= place_end()) return false;
      for (std::size_t k = 0; k < users.size(); ++k)
        if (users[k] && other.users[k]) return true;
      return false;
    }
  };
  struct Use {
    std::size_t reference;
    std::size_t variable;  // kDynamic: dynamic shared memory
  };
  static constexpr std::size_t kDynamic = ~std::size_t{0};

  struct Node {  // a function; the last one: data and code outside of functions, which every kernel may use
    std::vector<Use> uses = {};
    std::vector<std::size_t> calls = {};
    bool calls_any = false;     // through a pointer
    std::uint32_t dynamic = 0;  // where its dynamic shared memory begins
  };

  bool find_variables() {
    for (const Program::Extent& object : program_.objects) {
      if (!in_window(object.begin)) continue;
      if (object.size > window_.dynamic - object.begin || object.begin >= window_.dynamic) return false;
      const Address end = object.begin + object.size;
      if (!variables_.empty() && object.begin < variables_.back().end) {
        variables_.back().end = std::max(variables_.back().end, end);
      } else {
        variables_.push_back({object.begin, end, object.begin, std::vector<bool>(program_.kernels.size())});
      }
    }
    const std::uint64_t n = variables_.size();
    return program_.kernels.size() * (n * n + references_.size() + data_) <= kMaxWork;
  }

  [[nodiscard]] std::size_t node_at(Address address) const {
    const auto& all = program_.functions;
    const auto after =
        std::upper_bound(all.begin(), all.end(), address, [](Pc p, const Program::Function& f) { return p < f.begin; });
    return after != all.begin() && address < std::prev(after)->end ? static_cast<std::size_t>(after - all.begin()) - 1
                                                                   : data_;
  }

  [[nodiscard]] std::uint8_t* bytes_at(Address address) const {
    for (Segment& s : program_.segments) {
      if (address >= s.address && address - s.address + std::uint64_t{4} <= s.data.size())
        return s.data.data() + (address - s.address);
    }
    return nullptr;
  }

  // Who refers to which variable; false if that is not all known.
  bool find_uses() {
    nodes_.resize(data_ + 1);
    for (std::size_t r = 0; r < references_.size(); ++r) {
      const Reference& reference = references_[r];
      if (!in_window(reference.symbol)) {
        const std::size_t to = node_at(reference.target());
        const bool call = reference.type == R_RISCV_JAL || reference.type == R_RISCV_BRANCH ||
                          reference.type == R_RISCV_CALL || reference.type == R_RISCV_CALL_PLT;
        if (!call && to != data_ && program_.functions[to].begin == reference.target()) pointed_to_.push_back(to);
        continue;
      }
      const std::uint8_t* bytes = bytes_at(reference.site);
      std::uint32_t word = 0;
      if (bytes == nullptr) return false;
      std::memcpy(&word, bytes, sizeof word);
      if (with_address(word, reference.type, reference.target()) != word) return false;
      Node& node = nodes_[node_at(reference.site)];
      if (reference.symbol >= window_.dynamic) {
        node.uses.push_back({r, kDynamic});
        continue;
      }
      const auto after = std::upper_bound(variables_.begin(), variables_.end(), reference.symbol,
                                          [](Address a, const Variable& v) { return a < v.begin; });
      if (after == variables_.begin() || reference.symbol >= std::prev(after)->end) return false;
      node.uses.push_back({r, static_cast<std::size_t>(after - variables_.begin()) - 1});
    }
    return true;
  }

  void find_calls() {
    const Instruction* before = nullptr;
    std::size_t last = data_;
    for (Pc pc = program_.text_begin; pc < program_.text_end; pc += 4) {
      const Instruction& i = *program_.at(pc);
      const std::size_t n = node_at(pc);
      const auto call = [&](std::size_t from, std::size_t to) {
        if (from != to) nodes_[from].calls.push_back(to);
      };
      const bool pair = before != nullptr && before->op == Op::kAuipc && before->rd == i.rs1;
      if (i.op == Op::kJal || i.is_branch()) call(n, node_at(pc + static_cast<Pc>(i.imm)));
      else if (i.op == Op::kJalr && pair)
        call(n, node_at(pc - 4 + static_cast<Pc>(before->imm) + static_cast<Pc>(i.imm)));
      else if (i.op == Op::kJalr && !i.is_return()) nodes_[n].calls_any = true;
      // From a function on into the next one, or one within it. A call at the end does not come back.
      if (last != data_ && before != nullptr && !before->ends_fetch() && before->op != Op::kIllegal) call(last, n);
      before = &i;
      last = n;
    }
  }

  void reach(std::size_t kernel) {
    std::vector<bool> seen(nodes_.size());
    std::vector<std::size_t> open, dynamic;
    const auto visit = [&](std::size_t node) {
      if (!seen[node]) open.push_back(node);
      seen[node] = true;
    };
    visit(data_);
    visit(node_at(program_.kernels[kernel].entry));
    while (!open.empty()) {
      const std::size_t n = open.back();
      open.pop_back();
      for (const Use& use : nodes_[n].uses) {
        if (use.variable != kDynamic) variables_[use.variable].users[kernel] = true;
        else if (dynamic.empty() || dynamic.back() != n) dynamic.push_back(n);
      }
      for (const std::size_t callee : nodes_[n].calls) visit(callee);
      if (nodes_[n].calls_any)
        for (const std::size_t callee : pointed_to_) visit(callee);
    }
    dynamic_of_.push_back(std::move(dynamic));
  }

  void place_variables() {
    const auto users = [&](std::size_t v) {
      return std::count(variables_[v].users.begin(), variables_[v].users.end(), true);
    };
    std::vector<std::size_t> order(variables_.size()), placed;
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return users(a) > users(b); });
    for (const std::size_t n : order) {
      Variable& v = variables_[n];
      if (users(n) == 0) continue;
      const std::uint32_t alignment = std::gcd(v.begin - kSharedBase, window_.alignment);  // at least its own
      v.place = kSharedBase;
      for (bool moved = true; moved;) {
        moved = false;
        for (const std::size_t p : placed) {
          if (!v.meets(variables_[p])) continue;
          v.place = round_up(variables_[p].place_end(), alignment);
          moved = true;
        }
      }
      placed.push_back(n);
      const std::uint32_t end = round_up(v.place_end() - kSharedBase, kDynamicAlignment);
      for (std::size_t k = 0; k < v.users.size(); ++k) {
        if (v.users[k]) program_.kernels[k].shared_size = std::max(program_.kernels[k].shared_size, end);
      }
    }
  }

  // Behind the variables of each kernel that reaches it: functions of one kernel agree.
  void place_dynamic() {
    for (bool moved = true; moved;) {
      moved = false;
      for (std::size_t k = 0; k < dynamic_of_.size(); ++k) {
        std::uint32_t& size = program_.kernels[k].shared_size;
        for (const std::size_t n : dynamic_of_[k]) size = std::max(size, nodes_[n].dynamic);
        for (const std::size_t n : dynamic_of_[k]) {
          moved = moved || nodes_[n].dynamic != size;
          nodes_[n].dynamic = size;
        }
      }
    }
  }

  void change_references() {
    for (const Node& node : nodes_) {
      for (const Use& use : node.uses) {
        const Reference& reference = references_[use.reference];
        const Address from = use.variable == kDynamic ? window_.dynamic : variables_[use.variable].begin;
        const Address to = use.variable == kDynamic ? kSharedBase + node.dynamic : variables_[use.variable].place;
        std::uint8_t* bytes = bytes_at(reference.site);
        std::uint32_t word = 0;
        std::memcpy(&word, bytes, sizeof word);
        word = *with_address(word, reference.type, reference.target() - from + to);
        std::memcpy(bytes, &word, sizeof word);
        if (program_.at(reference.site) != nullptr)
          program_.text[(reference.site - program_.text_begin) / 4] = decode(word, program_.xlen);
      }
    }
  }

  Program& program_;
  const SharedWindow& window_;
  const std::vector<Reference>& references_;
  const std::size_t data_;           // number of the last node
  std::vector<Variable> variables_;  // by address
  std::vector<Node> nodes_;
  std::vector<std::size_t> pointed_to_;  // functions
  std::vector<std::vector<std::size_t>>
      dynamic_of_;  // of each kernel: the nodes with dynamic shared memory that it reaches
};

}  // namespace

void lay_out_shared(Program& program, const SharedWindow& window, const std::vector<Reference>& references) {
  if (Layout(program, window, references).run()) {
    program.shared.clear();
    return;
  }
  for (Kernel& kernel : program.kernels) kernel.shared_size = window.dynamic - kSharedBase;
}

}  // namespace heddle
