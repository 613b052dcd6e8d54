// SPDX-License-Identifier: Apache-2.0
// The contract of dram_channel.h by the book: every command that was ever given is kept, and whether one may be given
// is found by going through all of them. Nothing is derived, nothing is skipped.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "heddle/config.h"

namespace heddle::test {

class NaiveDram {
 public:
  enum class Kind { kActivate, kPrecharge, kRead, kWrite };
  struct Command {
    Kind kind;
    std::int64_t clock;
    std::uint32_t bank;
    std::uint64_t row;
  };
  struct Answer {
    std::uint32_t tag;
    std::int64_t clock;
  };

  explicit NaiveDram(const Config& config)
      : t_(config.dram),
        columns_(config.l2.line / t_.burst_bytes),
        burst_(t_.burst_bytes / t_.bytes_per_clock),
        lines_(t_.row_bytes / config.l2.line) {}

  [[nodiscard]] std::size_t waiting() const { return queue_.size(); }
  void request(std::uint64_t line, bool write, std::uint32_t tag) { queue_.push_back({line, write, tag, columns_}); }

  // The next clock; what is answered in it.
  std::vector<Answer> tick() {
    ++now_;
    give_a_command();
    std::vector<Answer> now;
    for (const Answer& a : answers_) {
      if (a.clock == now_) now.push_back(a);
    }
    return now;
  }
  [[nodiscard]] const std::vector<Command>& commands() const { return commands_; }

 private:
  struct Entry {
    std::uint64_t line;
    bool write;
    std::uint32_t tag;
    unsigned columns;
  };
  [[nodiscard]] std::uint32_t bank(const Entry& e) const {
    return static_cast<std::uint32_t>(e.line / lines_ % t_.banks);
  }
  [[nodiscard]] std::uint64_t row(const Entry& e) const { return e.line / lines_ / t_.banks; }
  [[nodiscard]] std::optional<std::uint64_t> open_row(std::uint32_t bank) const {
    std::optional<std::uint64_t> row;
    for (const Command& c : commands_) {
      if (c.bank != bank) continue;
      if (c.kind == Kind::kActivate) row = c.row;
      if (c.kind == Kind::kPrecharge) row.reset();
    }
    return row;
  }
  [[nodiscard]] std::int64_t data_end(const Command& c) const {
    return c.clock + (c.kind == Kind::kWrite ? t_.t_wl : t_.t_cl) + burst_;
  }

  [[nodiscard]] bool may(Kind kind, std::uint32_t bank) const {
    const bool column = kind == Kind::kRead || kind == Kind::kWrite;
    const std::int64_t data = now_ + (kind == Kind::kWrite ? t_.t_wl : t_.t_cl);
    for (const Command& c : commands_) {
      const std::int64_t since = now_ - c.clock;
      const bool here = c.bank == bank, c_column = c.kind == Kind::kRead || c.kind == Kind::kWrite;
      if (since == 0) return false;
      if (kind == Kind::kActivate && c.kind == Kind::kActivate && (since < t_.t_rrd || (here && since < t_.t_rc)))
        return false;
      if (kind == Kind::kActivate && c.kind == Kind::kPrecharge && here && since < t_.t_rp) return false;
      if (kind == Kind::kPrecharge && here) {
        if (c.kind == Kind::kActivate && since < t_.t_ras) return false;
        if (c.kind == Kind::kRead && since < burst_) return false;
        if (c.kind == Kind::kWrite && now_ < data_end(c) + t_.t_wr) return false;
      }
      if (column && c.kind == Kind::kActivate && here && since < t_.t_rcd) return false;
      if (column && c_column) {
        if (data < data_end(c) + (c.kind != kind ? 1 : 0)) return false;
        if (kind == Kind::kRead && c.kind == Kind::kWrite && now_ < data_end(c) + t_.t_wtr) return false;
      }
    }
    return true;
  }

  void give(Kind kind, const Entry& e, std::uint64_t row) { commands_.push_back({kind, now_, bank(e), row}); }

  void give_a_command() {
    for (auto e = queue_.begin(); e != queue_.end(); ++e) {
      const bool first_of_line =
          std::none_of(queue_.begin(), e, [&](const Entry& older) { return older.line == e->line; });
      const Kind kind = e->write ? Kind::kWrite : Kind::kRead;
      if (!first_of_line || open_row(bank(*e)) != row(*e) || !may(kind, bank(*e))) continue;
      give(kind, *e, row(*e));
      if (--e->columns == 0) {
        if (!e->write) answers_.push_back({e->tag, data_end(commands_.back())});
        queue_.erase(e);
      }
      return;
    }
    for (const Entry& e : queue_) {
      const std::optional<std::uint64_t> open = open_row(bank(e));
      if (!open && may(Kind::kActivate, bank(e))) return give(Kind::kActivate, e, row(e));
      if (!open || open == row(e)) continue;
      const bool wanted = std::any_of(queue_.begin(), queue_.end(),
                                      [&](const Entry& o) { return bank(o) == bank(e) && row(o) == open; });
      if (!wanted && may(Kind::kPrecharge, bank(e))) return give(Kind::kPrecharge, e, *open);
    }
  }

  const Config::Dram t_;
  const unsigned columns_;
  const std::int64_t burst_;
  const std::uint64_t lines_;
  std::int64_t now_ = 0;
  std::vector<Entry> queue_;
  std::vector<Command> commands_;
  std::vector<Answer> answers_;
};

}  // namespace heddle::test
