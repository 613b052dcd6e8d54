// SPDX-License-Identifier: Apache-2.0
#include "workloads/host.h"

namespace heddle {
namespace {

constexpr float kInterest = 0.02f;
constexpr float kVolatility = 0.30f;

class Blackscholes final : public Workload {
 public:
  explicit Blackscholes(const Settings& settings)
      : Workload(settings),
        count_(settings["count"]),
        blocks_(settings["blocks"]),
        block_(settings["block"]),
        kernel_(settings["functions"] == 0 ? "blackscholes" : "blackscholes_library") {
    Random random(settings.seed());
    for (std::uint32_t i = 0; i < count_; ++i) {
      prices_.push_back(random.between(5.0f, 30.0f));
      strikes_.push_back(random.between(1.0f, 100.0f));
      years_.push_back(random.below(32) == 0 ? 0.0f : random.between(0.25f, 10.0f));
    }
  }

  void run(DeviceInterface& device) override {
    const Address prices = upload(device, prices_);
    const Address strikes = upload(device, strikes_);
    const Address years = upload(device, years_);
    const Address calls = device.allocate(count_ * 4);
    const Address puts = device.allocate(count_ * 4);
    launch(device, kernel_, {blocks_}, {block_}, prices, strikes, years, calls, puts, count_, kInterest, kVolatility);
    calls_ = download<float>(device, calls, count_);
    puts_ = download<float>(device, puts, count_);
  }

  // The distribution by the host's erfc. What the kernel may be off by: 1.3e-7 in each probability (7.5e-8 of its
  // polynomial, the rest rounding), times prices and strikes up to 100, of which the tolerance takes the part above 1
  // as relative; an error of the logarithm moves d1 and d2 alike, where the price is stationary.
  void check() const override {
    const double rate = kInterest, volatility = kVolatility;
    const auto normal = [](double d) { return 0.5 * std::erfc(-d / std::sqrt(2.0)); };
    std::vector<double> calls, puts;
    for (std::uint32_t i = 0; i < count_; ++i) {
      const double price = prices_[i], strike = strikes_[i], time = years_[i];
      const double deviation = volatility * std::sqrt(time);
      if (deviation == 0) {
        calls.push_back(std::fmax(price - strike, 0));
      } else {
        const double forward = std::log(price / strike) + rate * time;
        calls.push_back(price * normal(forward / deviation + deviation / 2) -
                        strike * std::exp(-rate * time) * normal(forward / deviation - deviation / 2));
      }
      puts.push_back(calls.back() - price + strike * std::exp(-rate * time));  // put-call parity
    }
    expect_close("blackscholes: call", calls_, calls, kTolerance);
    expect_close("blackscholes: put", puts_, puts, kTolerance);
  }

 private:
  static constexpr double kTolerance = 2e-5;

  std::uint32_t count_;
  std::uint32_t blocks_;
  std::uint32_t block_;
  const char* kernel_;
  std::vector<float> prices_, strikes_, years_;
  std::vector<float> calls_, puts_;
};

}  // namespace

WorkloadInfo blackscholes_workload() {
  return {
      "blackscholes",
      "prices of European options: the sign branch of the cumulative normal distribution, options that expire today",
      "CUDA SDK BlackScholes; DWF paper",
      {{"count", "options", 1000, 100000, 1000000, 1, 1u << 23},
       {"blocks", "blocks", 4, 96, 96, 1, 65536},
       {"block", "threads a block", 64, 256, 256, 1, 1024},
       choice("functions", "exponential and logarithm: special-function instructions, or the C library's",
              {"special", "library"})},
      false,
      make<Blackscholes>};
}

}  // namespace heddle
