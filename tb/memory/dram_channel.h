// SPDX-License-Identifier: Apache-2.0
// One channel of GDDR-like DRAM: banks with an open row each, one command bus, one data bus, a queue served first-ready
// first-come first-served (FR-FCFS). Timing only; a cycle here is one clock of the command bus.
//
// Contract (all times in clocks; the keys are dram.t_*)
//   Request    one line of l2.line bytes, in one row of one bank: line / dram.burst_bytes column commands, burst_bytes
//   / bytes_per_clock
//              clocks of the data bus each. A read is answered in the clock in which its last byte has passed.
//   Activate   to a closed bank: t_rp after its precharge, t_rc after its last activate, t_rrd after the last activate
//   of any bank. Precharge  t_ras after the activate, a burst after the last read command, t_wr after the last written
//   byte. Column     t_rcd after the activate; its data passes t_cl (read) or t_wl (write) later, when the bus is free.
//   A read command comes
//              t_wtr after the last written byte at the earliest; between read and written data the bus rests for a
//              clock.
//   Order      a command a clock: the oldest column command that can go; else the oldest activate or precharge that
//   can. A row is not
//              closed while a request in the queue wants it. Requests of one line are served in their order.
//   Refresh    is not modelled.
#pragma once

#include <cstdint>
#include <vector>

#include "heddle/config.h"
#include "heddle/stats.h"
#include "memory/ring.h"

namespace heddle {

class DramChannel {
 public:
  struct Request {
    std::uint64_t line = 0;  // number of the line within the channel
    bool write = false;      // not answered
    std::uint32_t tag = 0;   // of the answer
  };

  explicit DramChannel(const Config& config);

  void reset();
  void tick();  // the next clock, before requests and responses in it
  [[nodiscard]] bool can_accept() const { return !free_.empty(); }
  [[nodiscard]] std::uint32_t room() const { return static_cast<std::uint32_t>(free_.size()); }
  void request(const Request& request);  // only when can_accept(), and with at most l2.mshrs reads unanswered
  bool response(std::uint32_t& tag);     // takes one finished read
  [[nodiscard]] bool idle() const { return free_.size() == entries_.size() && reads_.empty(); }
  // Clocks from now to the first in which a command or an answer may go, at least 1; kNever: none.
  [[nodiscard]] std::uint64_t clocks_to_event() const;
  // As so many ticks before that clock.
  void pass_over(std::uint64_t clocks) { stats_.clocks = now_ += clocks; }
  [[nodiscard]] std::uint64_t now() const { return now_; }
  [[nodiscard]] const DramStats& stats() const { return stats_; }

 private:
  using Clock = std::uint64_t;
  static constexpr std::uint64_t kClosed = ~std::uint64_t{0};

  static constexpr std::uint32_t kNone = ~0u;

  struct Bank {
    std::uint64_t row = kClosed;
    std::uint32_t wanted = 0;                      // entries for that row
    std::uint32_t oldest = kNone, newest = kNone;  // its entries, linked
    Clock activate = 0;                            // earliest clock of each command
    Clock column = 0;
    Clock precharge = 0;
  };
  struct Entry {
    std::uint64_t line, row, age;
    std::uint32_t bank, columns;  // column commands left
    std::uint32_t tag;
    std::uint32_t next;  // younger one of the bank
    bool write;
    bool opened;  // a row was opened or closed for it
    bool behind;  // an older one is for the same line
  };
  struct Read {
    std::uint32_t tag;
    Clock ready;
  };

  [[nodiscard]] Clock column_at(
      const Entry& entry) const;  // earliest clock of its next column command, its row being open
  bool give_column();
  void give_row();
  void column(std::size_t n);
  void leave(std::uint32_t id);
  void activate(Bank& bank);
  void may_go(std::uint32_t id);
  void note_rows(std::uint32_t bank);

  const Config::Dram timing_;
  const std::uint32_t columns_;  // column commands of a line
  const std::uint32_t burst_clocks_;
  const std::uint64_t lines_of_row_;
  Clock now_ = 0;
  Clock column_wake_ = 0;  // no column command can go before,
  Clock row_wake_ = 0;     // and no activate or precharge
  Clock activate_any_ = 0;
  Clock bus_free_ = 0;          // first clock without data
  Clock read_after_write_ = 0;  // earliest read command
  bool bus_written_ = false;    // direction of the last data
  std::vector<Bank> banks_;
  std::vector<Entry> entries_;  // the queue
  std::vector<std::uint32_t> free_;
  std::vector<std::uint32_t> ready_;  // entries whose row is open, and that are not behind another one; oldest first
  std::vector<std::uint32_t> rows_;   // banks that have entries, and none for the open row
  std::uint64_t age_ = 0;
  Ring<Read> reads_;  // whose last column command has gone, in the order of their data
  DramStats stats_;
};

}  // namespace heddle
