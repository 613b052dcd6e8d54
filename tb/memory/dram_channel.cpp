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
      banks_(config.dram.banks),
      entries_(config.dram.queue),
      reads_(config.l2.mshrs) {
  free_.reserve(entries_.size());
  ready_.reserve(entries_.size());
  rows_.reserve(banks_.size());
  reset();
}

void DramChannel::reset() {
  now_ = activate_any_ = bus_free_ = read_after_write_ = age_ = 0;
  column_wake_ = row_wake_ = kNever;
  bus_written_ = false;
  std::fill(banks_.begin(), banks_.end(), Bank{});
  free_.clear();
  for (auto id = static_cast<std::uint32_t>(entries_.size()); id-- != 0;) free_.push_back(id);
  ready_.clear();
  rows_.clear();
  reads_.clear();
  stats_ = {};
}

void DramChannel::request(const Request& request) {
  assert(can_accept());
  const std::uint64_t row_number = request.line / lines_of_row_;
  const std::uint64_t row = row_number / banks_.size();
  const auto number = static_cast<std::uint32_t>(row_number % banks_.size());
  Bank& bank = banks_[number];
  bool behind = false;
  for (std::uint32_t id = bank.oldest; id != kNone; id = entries_[id].next) behind |= entries_[id].line == request.line;
  const std::uint32_t id = free_.back();
  free_.pop_back();
  entries_[id] = {request.line, row, age_++, number, columns_, request.tag, kNone, request.write, false, behind};
  (bank.oldest == kNone ? bank.oldest : entries_[bank.newest].next) = id;
  bank.newest = id;
  if (bank.row == row) {
    if (bank.wanted++ == 0) note_rows(number);
    if (!behind) may_go(id);
  } else if (bank.oldest == id) {
    note_rows(number);
  }
}

bool DramChannel::response(std::uint32_t& tag) {
  if (reads_.empty() || reads_.front().ready > now_) return false;
  tag = reads_.front().tag;
  reads_.pop();
  return true;
}

std::uint64_t DramChannel::clocks_to_event() const {
  Clock next = std::min(column_wake_, row_wake_);
  if (next != kNever) next = std::max(next, now_ + 1);
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
  if (now_ >= column_wake_ && give_column()) return;
  if (now_ >= row_wake_) give_row();
}

// The oldest column command that can go.
bool DramChannel::give_column() {
  Clock next = kNever;
  for (std::size_t n = 0; n < ready_.size(); ++n) {
    const Clock at = column_at(entries_[ready_[n]]);
    if (at <= now_) {
      column(n);
      return true;
    }
    next = std::min(next, at);
  }
  column_wake_ = next;
  return false;
}

// The oldest activate or precharge that can go. Of the entries of a bank the oldest one is for all.
void DramChannel::give_row() {
  Clock next = kNever;
  Bank* first = nullptr;
  for (const std::uint32_t number : rows_) {
    Bank& bank = banks_[number];
    const Clock at = bank.row == kClosed ? std::max(bank.activate, activate_any_) : bank.precharge;
    if (at > now_) next = std::min(next, at);
    else if (first == nullptr || entries_[bank.oldest].age < entries_[first->oldest].age) first = &bank;
  }
  row_wake_ = first == nullptr ? next : now_ + 1;
  if (first == nullptr) return;
  entries_[first->oldest].opened = true;
  if (first->row == kClosed) {
    activate(*first);
  } else {
    first->row = kClosed;
    first->activate = std::max(first->activate, now_ + timing_.t_rp);
  }
}

void DramChannel::activate(Bank& bank) {
  bank.row = entries_[bank.oldest].row;
  bank.column = now_ + timing_.t_rcd;
  bank.precharge = now_ + timing_.t_ras;
  bank.activate = now_ + timing_.t_rc;
  activate_any_ = now_ + timing_.t_rrd;
  ++stats_.activates;
  for (std::uint32_t id = bank.oldest; id != kNone; id = entries_[id].next) {
    if (entries_[id].row != bank.row) continue;
    ++bank.wanted;
    if (!entries_[id].behind) may_go(id);
  }
  note_rows(entries_[bank.oldest].bank);
}

// The entry's column commands may go.
void DramChannel::may_go(std::uint32_t id) {
  auto at = ready_.end();
  while (at != ready_.begin() && entries_[*std::prev(at)].age > entries_[id].age) --at;
  ready_.insert(at, id);
  column_wake_ = 0;
}

// Whether the bank has entries, and none for its open row, has changed.
void DramChannel::note_rows(std::uint32_t number) {
  const Bank& bank = banks_[number];
  if (bank.oldest != kNone && bank.wanted == 0) {
    rows_.push_back(number);
    row_wake_ = 0;
  } else if (const auto found = std::find(rows_.begin(), rows_.end(), number); found != rows_.end()) {
    *found = rows_.back();
    rows_.pop_back();
  }
}

void DramChannel::column(std::size_t n) {
  const std::uint32_t id = ready_[n];
  Entry& entry = entries_[id];
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
  if (--entry.columns == 0) {
    (entry.write ? stats_.writes : stats_.reads) += 1;
    if (!entry.opened) ++stats_.row_hits;
    if (!entry.write) reads_.push({entry.tag, bus_free_});
    ready_.erase(ready_.begin() + static_cast<std::ptrdiff_t>(n));
    leave(id);
  }
  // The data bus is taken.
  const Clock delay = std::max(timing_.t_wl, timing_.t_cl);
  column_wake_ = ready_.empty() ? kNever : bus_free_ > delay ? bus_free_ - delay : 0;
}

// The entry has been served.
void DramChannel::leave(std::uint32_t id) {
  const Entry& entry = entries_[id];
  Bank& bank = banks_[entry.bank];
  std::uint32_t before = kNone;
  for (std::uint32_t other = bank.oldest; other != id; other = entries_[other].next) before = other;
  (before == kNone ? bank.oldest : entries_[before].next) = entry.next;
  if (bank.newest == id) bank.newest = before;
  std::uint32_t after = entry.next;
  while (after != kNone && entries_[after].line != entry.line) after = entries_[after].next;
  if (after != kNone) {
    entries_[after].behind = false;
    may_go(after);
  }
  free_.push_back(id);
  if (--bank.wanted == 0) note_rows(entry.bank);
}

}  // namespace heddle
