// SPDX-License-Identifier: Apache-2.0
// Waveform files of a run: VCD or FST by file name, signals sampled once a core cycle.
//
// A probe is a named pointer to a variable that holds still between two samples. Sampling compares with the value last
// written and emits changes only. Time in the file is the core cycle. Files appear under their final name when they are
// complete; a recorder that is destroyed completes its file, so a run that stops with an error leaves the wave up to
// there. When the file cannot be written (a full disk) the recording ends, the run does not; finish() says so.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "heddle/error.h"
#include "heddle/types.h"

namespace heddle {

// How a viewer should show a value.
enum class WaveFormat { kHex, kBinary, kDecimal, kPc, kStall };

struct WaveProbe {
  std::string scope;  // hierarchy, separated by dots: "systemc.scheduler0.warp03.stack"
  std::string name;
  unsigned width = 1;          // 1 to 64 bits
  const void* data = nullptr;  // outlives the recorder
  unsigned bytes = 1;          // 1, 2, 4 or 8: size of the variable
  WaveFormat format = WaveFormat::kHex;
  const void* object =
      nullptr;  // the variable is a part of this object: what lies between two of its variables may be read too
  std::size_t element = 0;  // the object is an array with an element a warp, each of so many bytes; 0: it is not
};

template <class T>
[[nodiscard]] WaveProbe wave_probe(std::string scope, std::string name, unsigned width, const T& variable,
                                   WaveFormat format = WaveFormat::kHex, const void* object = nullptr,
                                   std::size_t element = 0) {
  static_assert(std::is_integral_v<T> && (sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8));
  return {std::move(scope), std::move(name), width, &variable, sizeof(T), format, object, element};
}

// One file. Signals are declared first; then, for growing times, values are set.
class WaveWriter {
 public:
  virtual ~WaveWriter() = default;
  // Signals of one scope should come together. The handle counts from 0.
  virtual void declare(const std::string& scope, const std::string& name, unsigned width) = 0;
  virtual void time(Cycle cycle) = 0;  // not smaller than before; throws Error(output) when the disk is full
  virtual void set(std::size_t handle, std::uint64_t value) = 0;  // at the current time
  // Completes the file and gives it its name; nothing may follow. Throws Error(output) when the disk is full.
  virtual void finish() = 0;
};

// Opens `path` (.vcd or .fst) for writing. Throws Error(option) for another extension and Error(output) for an
// unwritable path.
[[nodiscard]] std::unique_ptr<WaveWriter> open_wave(const std::string& path);
// The same checks without touching the disk content.
void check_wave_path(const std::string& path);

// Takes the variables of all probes at once, as rows of bytes: neighbouring variables of one object are copied
// together.
class WaveSampler {
 public:
  explicit WaveSampler(const std::vector<WaveProbe>& probes);
  [[nodiscard]] std::size_t size() const { return places_.size(); }
  [[nodiscard]] std::size_t row_bytes() const { return row_bytes_; }
  // Of arrays with an element a warp only the first `warps` elements.
  void copy(std::uint8_t* row, unsigned warps = ~0u) const;
  // Value of a probe in a row.
  [[nodiscard]] std::uint64_t value(const std::uint8_t* row, std::size_t probe) const;
  // Current values, in the order of the probes.
  void read(std::uint64_t* values) const;
  // Calls change(probe, value) for each probe that differs between two rows.
  template <class Change>
  void for_each_change(const std::uint8_t* before, const std::uint8_t* now, Change change) const {
    for (const Region& region : regions_) {
      if (std::memcmp(before + region.row, now + region.row, region.bytes) == 0) continue;
      for (std::size_t i = region.first; i < region.last; ++i) {
        const std::uint64_t current = value(now, order_[i]);
        if (current != value(before, order_[i])) change(order_[i], current);
      }
    }
  }

 private:
  // Bytes copied in one piece, and the probes in them: order_[first] to order_[last - 1].
  struct Region {
    const std::uint8_t* data;
    std::size_t bytes;
    std::size_t row;  // offset in a row
    std::size_t first, last;
    std::size_t element, begin;  // of an array: bytes of an element, and those before `data`
  };
  struct Place {
    std::size_t row = 0;
    unsigned bytes = 1;
    std::uint64_t mask = 0;
  };
  std::vector<std::size_t> order_;  // probes by address
  std::vector<Region> regions_;
  std::vector<Place> places_;  // by probe
  std::size_t row_bytes_ = 0;
};

// Records the cycles start..end (both included) of a run.
class WaveRecorder {
 public:
  WaveRecorder(const std::string& path, std::vector<WaveProbe> probes, Cycle start = 0, Cycle end = ~Cycle{0});
  ~WaveRecorder();
  WaveRecorder(const WaveRecorder&) = delete;
  WaveRecorder& operator=(const WaveRecorder&) = delete;
  [[nodiscard]] bool wants(Cycle cycle) const { return cycle >= start_ && cycle <= end_ && writer_ != nullptr; }
  void sample(Cycle cycle) {
    if (wants(cycle)) record(cycle);
  }
  // Completes the file, once. Throws Error(output) if it could not be written: there is none then.
  void finish();

 private:
  void record(Cycle cycle);
  void give_up(const Error& error);

  WaveSampler sampler_;
  std::unique_ptr<WaveWriter> writer_;  // until the file is complete, or cannot be
  std::optional<Error> failure_;
  Cycle start_, end_;
  bool first_ = true, finished_ = false;
  Cycle last_cycle_ = 0;                  // of the last sample
  std::vector<std::uint8_t> last_, now_;  // rows
};

// Remembers the last cycles of a run, to be written when something went wrong.
class WaveRing {
 public:
  explicit WaveRing(std::vector<WaveProbe> probes, std::size_t cycles = 200);
  // What the probes show of warps from this number on does not change until the next begin().
  void begin(unsigned warps);
  void sample(Cycle cycle);
  void pass(Cycle cycle) { last_ = cycle; }  // with the values of the last sample
  void write(const std::string& path) const;
  [[nodiscard]] const std::vector<WaveProbe>& probes() const { return probes_; }

 private:
  std::vector<WaveProbe> probes_;
  WaveSampler sampler_;
  std::size_t capacity_;
  unsigned warps_ = ~0u;
  std::uint64_t samples_ = 0;
  std::uint64_t whole_ =
      ~std::uint64_t{0};  // samples below this number are taken of all warps: every row has them then
  Cycle last_ = 0;
  std::vector<Cycle> cycles_;
  std::vector<std::uint8_t> rows_;
};

}  // namespace heddle
