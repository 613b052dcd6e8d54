// SPDX-License-Identifier: Apache-2.0
#include "memory/dram_channel.h"

#include <algorithm>
#include <cassert>

namespace heddle {
DramChannel::DramChannel(const Config& config)
    : timing_(config.dram),
      columns_(config.l2.line / config.dram.burst_bytes),
      burst_clocks_(config.dram.burst_bytes / config.dram.bytes_per_clock),
      lines_of_row_(config.dram.row_bytes / config.l2.line),
      capacity_(config.dram.queue),
      banks_(config.dram.banks),
      reads_(config.l2.mshrs) {
  queue_.reserve(capacity_);
}

void DramChannel::reset() {
  now_ = wake_ = activate_any_ = bus_free_ = read_after_write_ = 0;
  bus_written_ = false;
  std::fill(banks_.begin(), banks_.end(), Bank{});
  queue_.clear();
  reads_.clear();
  stats_ = {};
}

void DramChannel::request(const Request& request) {
  assert(can_accept());
  const std::uint64_t row_number = request.line / lines_of_row_;
  const std::uint64_t row = row_number / banks_.size();
  const auto bank = static_cast<std::uint32_t>(row_number % banks_.size());
  const bool behind = std::any_of(queue_.begin(), queue_.end(), [&](const Entry& e) { return e.line == request.line; });
  queue_.push_back({request.line, row, bank, columns_, request.tag, request.write, false, behind});
  if (banks_[bank].row == row) ++banks_[bank].wanted;
  wake_ = 0;
}

bool DramChannel::response(std::uint32_t& tag) {
  if (reads_.empty() || reads_.front().ready > now_) return false;
  tag = reads_.front().tag;
  reads_.pop();
  return true;
}

std::uint64_t DramChannel::clocks_to_event() const {
  Clock next = queue_.empty() ? kNever : std::max(wake_, now_ + 1);
  if (!reads_.empty()) next = std::min(next, std::max(reads_.front().ready, now_ + 1));
  return next == kNever ? kNever : next - now_;
}

DramChannel::Clock DramChannel::column_at(const Entry& entry) const {
  const Clock delay = entry.write ? timing_.t_wl : timing_.t_cl;
  const Clock bus = bus_free_ + (bus_free_ != 0 && bus_written_ != entry.write ? 1 : 0);
  Clock at = std::max(banks_[entry.bank].column, bus > delay ? bus - delay : 0);
  if (!entry.write) at = std::max(at, read_after_write_);
  return at;
}

void DramChannel::tick() {
  stats_.clocks = ++now_;
  if (queue_.empty() || now_ < wake_) return;
  Clock next = kNever;
  for (std::size_t n = 0; n < queue_.size(); ++n) {
    const Entry& entry = queue_[n];
    if (entry.behind || banks_[entry.bank].row != entry.row) continue;
    const Clock at = column_at(entry);
    if (at <= now_) return column(n);
    next = std::min(next, at);
  }
  for (Entry& entry : queue_) {
    Bank& bank = banks_[entry.bank];
    if (bank.row == entry.row) continue;
    if (bank.row == kClosed) {
      const Clock at = std::max(bank.activate, activate_any_);
      if (at <= now_) {
        bank.row = entry.row;
        bank.wanted = static_cast<std::uint32_t>(std::count_if(queue_.begin(), queue_.end(), [&](const Entry& e) { return e.bank == entry.bank && e.row == entry.row; }));
        bank.column = now_ + timing_.t_rcd;
        bank.precharge = now_ + timing_.t_ras;
        bank.activate = now_ + timing_.t_rc;
        activate_any_ = now_ + timing_.t_rrd;
        entry.opened = true;
        ++stats_.activates;
        wake_ = 0;
        return;
      }
      next = std::min(next, at);
    } else if (bank.wanted == 0) {
      if (bank.precharge <= now_) {
        bank.row = kClosed;
        bank.activate = std::max(bank.activate, now_ + timing_.t_rp);
        entry.opened = true;
        wake_ = 0;
        return;
      }
      next = std::min(next, bank.precharge);
    }
  }
  wake_ = next;
}

void DramChannel::column(std::size_t n) {
  Entry& entry = queue_[n];
  Bank& bank = banks_[entry.bank];
  const Clock data = now_ + (entry.write ? timing_.t_wl : timing_.t_cl);
  bus_free_ = data + burst_clocks_;
  bus_written_ = entry.write;
  stats_.busy_clocks += burst_clocks_;
  if (entry.write) {
    read_after_write_ = bus_free_ + timing_.t_wtr;
    bank.precharge = std::max(bank.precharge, bus_free_ + timing_.t_wr);
  } else {
    bank.precharge = std::max(bank.precharge, now_ + burst_clocks_);
  }
  wake_ = 0;
  if (--entry.columns != 0) return;
  (entry.write ? stats_.writes : stats_.reads) += 1;
  if (!entry.opened) ++stats_.row_hits;
  if (!entry.write) reads_.push({entry.tag, bus_free_});
  --bank.wanted;
  const auto next = std::find_if(queue_.begin() + static_cast<std::ptrdiff_t>(n) + 1, queue_.end(), [&](const Entry& e) { return e.line == entry.line; });
  if (next != queue_.end()) next->behind = false;
  queue_.erase(queue_.begin() + static_cast<std::ptrdiff_t>(n));
}

}  // namespace heddle
