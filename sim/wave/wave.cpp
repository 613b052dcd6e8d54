// SPDX-License-Identifier: Apache-2.0
#include "wave/wave.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <functional>
#include <numeric>

#include "output/output_file.h"
#include "wave/writers.h"

namespace heddle {
namespace {

class VcdWriter final : public WaveWriter {
 public:
  explicit VcdWriter(const std::string& path) : file_(path) {
    file_.write("$version Heddle $end\n$comment one time unit is one core cycle $end\n$timescale 1 ns $end\n");
  }

  void declare(const std::string& scope, const std::string& name, unsigned width) override {
    go(scope);
    std::string id;
    for (std::size_t n = signals_.size();; n = n / 94 - 1) {
      id += static_cast<char>('!' + n % 94);
      if (n < 94) break;
    }
    file_.write("$var wire " + std::to_string(width) + " " + id + " " + with_range(name, width) + " $end\n");
    signals_.push_back({width, id});
  }

  void time(Cycle cycle) override {
    if (!started_) {
      go("");
      file_.write("$enddefinitions $end\n");
      started_ = true;
    }
    file_.check();
    std::array<char, 24> line;
    line[0] = '#';
    char* end = std::to_chars(&line[1], line.data() + line.size(), cycle).ptr;
    *end++ = '\n';
    file_.write(line.data(), static_cast<std::size_t>(end - line.data()));
  }

  void set(std::size_t handle, std::uint64_t value) override {
    const Signal& signal = signals_[handle];
    std::array<char, 64 + 16> line;
    std::size_t length = 0;
    if (signal.width == 1) {
      line[length++] = static_cast<char>('0' + (value & 1));
    } else {
      line[length++] = 'b';
      const unsigned digits = value == 0 ? 1 : 64 - static_cast<unsigned>(__builtin_clzll(value));
      for (unsigned bit = digits; bit-- > 0;) line[length++] = static_cast<char>('0' + ((value >> bit) & 1));
      line[length++] = ' ';
    }
    std::memcpy(&line[length], signal.id.data(), signal.id.size());
    length += signal.id.size();
    line[length++] = '\n';
    file_.write(line.data(), length);
  }

  void finish() override { file_.complete(); }

 private:
  struct Signal {
    unsigned width;
    std::string id;
  };

  void go(const std::string& scope) {
    walk_.go(
        scope, [this] { file_.write("$upscope $end\n"); },
        [this](const std::string& name) { file_.write("$scope module " + name + " $end\n"); });
  }

  OutputFile file_;
  ScopeWalk walk_;
  std::vector<Signal> signals_;
  bool started_ = false;
};

bool is_fst(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension().string();
#ifdef HEDDLE_HAVE_FST
  if (extension == ".fst") return true;
#else
  if (extension == ".fst")
    throw bad_input("option", path + ": this build writes .vcd only; for .fst install verilator and build again");
#endif
  if (extension == ".vcd") return false;
  throw bad_input("option", path + ": a wave file ends in .fst or .vcd; rename it");
}

void declare_all(WaveWriter& writer, const std::vector<WaveProbe>& probes) {
  for (const WaveProbe& probe : probes) writer.declare(probe.scope, probe.name, probe.width);
}

}  // namespace

std::unique_ptr<WaveWriter> open_wave(const std::string& path) {
#ifdef HEDDLE_HAVE_FST
  if (is_fst(path)) return open_fst(path);
#endif
  return std::make_unique<VcdWriter>(path);
}

void check_wave_path(const std::string& path) {
  static_cast<void>(is_fst(path));
  check_writable(path);
}

WaveSampler::WaveSampler(const std::vector<WaveProbe>& probes) : order_(probes.size()), places_(probes.size()) {
  constexpr std::size_t kMaxGap = 64;  // copying so much for nothing is cheaper than another piece
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  const auto begin_of = [&](std::size_t probe) { return static_cast<const std::uint8_t*>(probes[probe].data); };
  std::sort(order_.begin(), order_.end(),
            [&](std::size_t a, std::size_t b) { return std::less<>()(begin_of(a), begin_of(b)); });
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const WaveProbe& probe = probes[order_[i]];
    const std::uint8_t* begin = begin_of(order_[i]);
    const bool same_object = i > 0 && probe.object != nullptr && probe.object == probes[order_[i - 1]].object;
    if (!same_object || begin > regions_.back().data + regions_.back().bytes + kMaxGap) {
      const std::size_t before =
          probe.element == 0 ? 0 : static_cast<std::size_t>(begin - static_cast<const std::uint8_t*>(probe.object));
      regions_.push_back({begin, 0, 0, i, i, probe.element, before});
    }
    Region& region = regions_.back();
    region.bytes = std::max(region.bytes, static_cast<std::size_t>(begin - region.data) + probe.bytes);
    region.last = i + 1;
  }
  for (Region& region : regions_) {
    region.row = row_bytes_;
    row_bytes_ += (region.bytes + 7) / 8 * 8;
    for (std::size_t i = region.first; i < region.last; ++i) {
      const WaveProbe& probe = probes[order_[i]];
      places_[order_[i]] = {region.row + static_cast<std::size_t>(begin_of(order_[i]) - region.data), probe.bytes,
                            lane_mask(probe.width)};
    }
  }
}

void WaveSampler::copy(std::uint8_t* row, unsigned warps) const {
  for (const Region& region : regions_) {
    std::size_t bytes = region.bytes;
    if (region.element != 0) {
      const std::size_t end = region.element * warps;
      bytes = std::min(bytes, end > region.begin ? end - region.begin : 0);
    }
    switch (bytes) {  // single variables without a call
      case 0: break;
      case 1: row[region.row] = *region.data; break;
      case 4: std::memcpy(row + region.row, region.data, 4); break;
      case 8: std::memcpy(row + region.row, region.data, 8); break;
      default: std::memcpy(row + region.row, region.data, bytes); break;
    }
  }
}

std::uint64_t WaveSampler::value(const std::uint8_t* row, std::size_t probe) const {
  const Place& place = places_[probe];
  std::uint64_t value = 0;  // little endian host
  std::memcpy(&value, row + place.row, place.bytes);
  return value & place.mask;
}

void WaveSampler::read(std::uint64_t* values) const {
  std::vector<std::uint8_t> row(row_bytes_);
  copy(row.data());
  for (std::size_t i = 0; i < size(); ++i) values[i] = value(row.data(), i);
}

WaveRecorder::WaveRecorder(const std::string& path, std::vector<WaveProbe> probes, Cycle start, Cycle end)
    : sampler_(probes),
      start_(start),
      end_(end),
      last_(sampler_.row_bytes()),
      now_(sampler_.row_bytes()) {
  static_cast<void>(is_fst(path));
  try {
    writer_ = open_wave(path);
    declare_all(*writer_, probes);
  } catch (const Error& error) {
    give_up(error);
  }
}

WaveRecorder::~WaveRecorder() {
  try {
    finish();
  } catch (const Error& error) {
    std::fprintf(stderr, "heddle: %s\n", error.what());
  }
}

void WaveRecorder::give_up(const Error& error) {
  failure_ = error;
  writer_.reset();
}

void WaveRecorder::finish() {
  if (finished_) return;
  finished_ = true;
  if (failure_) throw Error(*failure_);
  // The file reaches to the last sample even if nothing changed there.
  if (!first_) writer_->time(last_cycle_);
  writer_->finish();
  writer_.reset();
}

void WaveRecorder::record(Cycle cycle) {
  sampler_.copy(now_.data());
  try {
    if (first_) {
      writer_->time(cycle);
      for (std::size_t i = 0; i < sampler_.size(); ++i) writer_->set(i, sampler_.value(now_.data(), i));
    } else {
      bool timed = false;
      sampler_.for_each_change(last_.data(), now_.data(), [&](std::size_t probe, std::uint64_t value) {
        if (!timed) writer_->time(cycle);
        timed = true;
        writer_->set(probe, value);
      });
    }
  } catch (const Error& error) {
    give_up(error);
  }
  first_ = false;
  last_cycle_ = cycle;
  last_.swap(now_);
}

WaveRing::WaveRing(std::vector<WaveProbe> probes, std::size_t cycles)
    : probes_(std::move(probes)),
      sampler_(probes_),
      capacity_(cycles),
      cycles_(cycles),
      rows_(cycles * sampler_.row_bytes()) {}

void WaveRing::begin(unsigned warps) {
  warps_ = warps;
  whole_ = samples_ + capacity_;
}

void WaveRing::sample(Cycle cycle) {
  const bool whole = samples_ < whole_;
  const std::size_t row = samples_++ % capacity_;
  cycles_[row] = last_ = cycle;
  sampler_.copy(&rows_[row * sampler_.row_bytes()], whole ? ~0u : warps_);
}

void WaveRing::write(const std::string& path) const {
  const std::unique_ptr<WaveWriter> writer = open_wave(path);
  declare_all(*writer, probes_);
  const Cycle begin = last_ >= capacity_ ? last_ - capacity_ + 1 : 0;
  const std::uint64_t kept = samples_ > capacity_ ? samples_ - capacity_ : 0;
  std::uint64_t first = samples_;  // the sample that holds at `begin`
  while (first > kept && (first == samples_ || cycles_[first % capacity_] > begin)) --first;
  const std::uint8_t* before = nullptr;
  for (std::uint64_t sample = first; sample < samples_; ++sample) {
    const std::uint8_t* row = &rows_[sample % capacity_ * sampler_.row_bytes()];
    writer->time(std::max(cycles_[sample % capacity_], begin));
    if (before == nullptr) {
      for (std::size_t i = 0; i < sampler_.size(); ++i) writer->set(i, sampler_.value(row, i));
    } else {
      sampler_.for_each_change(before, row, [&](std::size_t probe, std::uint64_t value) { writer->set(probe, value); });
    }
    before = row;
  }
  writer->finish();
}

}  // namespace heddle
