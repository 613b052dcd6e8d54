// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "workloads/host.h"

namespace heddle {
namespace {

constexpr std::uint32_t kHidden = 16;  // SIDE of kernels/backprop.cu: units of the hidden layer, inputs of a block
constexpr float kLearning = 0.3f, kKeep = 0.3f, kTarget = 0.1f;

class Backprop final : public Workload {
 public:
  explicit Backprop(const Settings& settings) : Workload(settings), inputs_(settings["inputs"]) {
    Random random(settings.seed());
    for (std::uint32_t i = 0; i < inputs_; ++i) input_.push_back(random.between(0.0f, 1.0f));
    for (std::size_t i = 0; i < std::size_t{inputs_} * kHidden; ++i) {
      weight_.push_back(random.between(-1.0f, 1.0f));
      momentum_.push_back(random.between(-0.1f, 0.1f));
    }
    for (std::uint32_t i = 0; i < kHidden; ++i) outer_.push_back(random.between(-1.0f, 1.0f));
  }

  void run(DeviceInterface& device) override {
    const std::uint32_t blocks = inputs_ / kHidden;
    const Address input = upload(device, input_), weight = upload(device, weight_),
                  momentum = upload(device, momentum_);
    const Address sum = device.allocate(blocks * kHidden * 4);
    launch(device, "layer_forward", {blocks}, {kHidden, kHidden}, input, weight, sum);
    sums_ = download<float>(device, sum, std::size_t{blocks} * kHidden);
    std::vector<double> hidden(kHidden);
    for (std::size_t i = 0; i < sums_.size(); ++i) hidden[i % kHidden] += sums_[i];
    delta_ = deltas(hidden);
    launch(device, "adjust_weights", {blocks}, {kHidden, kHidden}, input, upload(device, delta_), weight, momentum,
           kLearning, kKeep);
    new_weight_ = download<float>(device, weight, weight_.size());
    new_momentum_ = download<float>(device, momentum, momentum_.size());
  }

  void check() const override {
    std::vector<double> sums(inputs_ / kHidden * kHidden), weight, momentum;
    for (std::uint32_t i = 0; i < inputs_; ++i) {
      for (std::uint32_t unit = 0; unit < kHidden; ++unit)
        sums[i / kHidden * kHidden + unit] += double{input_[i]} * weight_[i * kHidden + unit];
    }
    expect_close("backprop: sum (block * 16 + unit)", sums_, sums, 2e-6);
    for (std::size_t i = 0; i < weight_.size(); ++i) {
      const double change =
          double{kLearning} * delta_[i % kHidden] * input_[i / kHidden] + double{kKeep} * momentum_[i];
      weight.push_back(weight_[i] + change);
      momentum.push_back(change);
    }
    expect_close("backprop: weight (input * 16 + unit)", new_weight_, weight, 1e-6);
    expect_close("backprop: momentum (input * 16 + unit)", new_momentum_, momentum, 1e-6);
  }

 private:
  // Of the hidden units, for one output unit that should be kTarget.
  [[nodiscard]] std::vector<float> deltas(const std::vector<double>& sums) const {
    const auto squash = [](double x) { return 1.0 / (1.0 + std::exp(-x)); };
    double out = 0;
    for (std::uint32_t unit = 0; unit < kHidden; ++unit) out += squash(sums[unit]) * outer_[unit];
    out = squash(out);
    const double error = out * (1.0 - out) * (kTarget - out);
    std::vector<float> delta;
    for (std::uint32_t unit = 0; unit < kHidden; ++unit) {
      const double h = squash(sums[unit]);
      delta.push_back(static_cast<float>(h * (1.0 - h) * error * outer_[unit]));
    }
    return delta;
  }

  std::uint32_t inputs_;
  std::vector<float> input_, weight_, momentum_, outer_;
  std::vector<float> sums_, delta_, new_weight_, new_momentum_;
};

}  // namespace

WorkloadInfo backprop_workload() {
  return {"backprop",
          "training of a layer of a neural network: sums by a tree in shared memory, then the weights",
          "Rodinia backprop; DPE paper",
          {{"inputs", "units of the input layer", 256, 16384, 131072, kHidden, 1u << 20, kHidden}},
          false,
          make<Backprop>,
          {{"inputs", 110336}}};
}

}  // namespace heddle
