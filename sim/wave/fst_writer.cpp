// SPDX-License-Identifier: Apache-2.0
#include <fstapi.h>

#include <array>
#include <new>

#include "output/output_file.h"
#include "wave/fst_output.h"
#include "wave/writers.h"

namespace heddle {
namespace {

class FstWriter final : public WaveWriter {
 public:
  explicit FstWriter(const std::string& path) : file_(path) {
    const FstOutput output(file_);
    context_ = fstWriterCreate(path.c_str(), 1);
    if (context_ == nullptr) throw std::bad_alloc();
    fstWriterSetVersion(context_, "Heddle");
    fstWriterSetComment(context_, "one time unit is one core cycle");
    fstWriterSetTimescale(context_, -9);
    fstWriterSetPackType(context_, FST_WR_PT_LZ4);
  }
  ~FstWriter() override {
    if (context_ != nullptr) fstWriterClose(context_);
  }

  void declare(const std::string& scope, const std::string& name, unsigned width) override {
    go(scope);
    const fstHandle handle =
        fstWriterCreateVar(context_, FST_VT_VCD_WIRE, FST_VD_IMPLICIT, width, with_range(name, width).c_str(), 0);
    signals_.push_back({width, handle});
  }

  void time(Cycle cycle) override {
    if (!started_) {
      go("");
      started_ = true;
    }
    file_.check();
    fstWriterEmitTimeChange(context_, cycle);
  }

  void set(std::size_t handle, std::uint64_t value) override {
    const Signal& signal = signals_[handle];
    std::array<char, 64> bits;
    for (unsigned bit = 0; bit < signal.width; ++bit)
      bits[signal.width - 1 - bit] = static_cast<char>('0' + ((value >> bit) & 1));
    fstWriterEmitValueChange(context_, signal.handle, bits.data());
  }

  void finish() override {
    fstWriterClose(context_);
    context_ = nullptr;
    file_.complete();
  }

 private:
  struct Signal {
    unsigned width;
    fstHandle handle;
  };

  void go(const std::string& scope) {
    walk_.go(
        scope, [this] { fstWriterSetUpscope(context_); },
        [this](const std::string& name) { fstWriterSetScope(context_, FST_ST_VCD_MODULE, name.c_str(), nullptr); });
  }

  OutputFile file_;  // outlives the context
  void* context_ = nullptr;
  ScopeWalk walk_;
  std::vector<Signal> signals_;
  bool started_ = false;
};

}  // namespace

std::unique_ptr<WaveWriter> open_fst(const std::string& path) { return std::make_unique<FstWriter>(path); }

}  // namespace heddle
