// SPDX-License-Identifier: Apache-2.0
// Prices of European options by the formula of Black and Scholes. The sign of the argument of each cumulative normal distribution is a
// branch, and options that expire today take a short branch of their own. Exponential and logarithm are special functions, or with
// HEDDLE_LIBM (blackscholes_library.cu) those of the C library, which have branches of their own.
#include <heddle/kernel.h>

#ifdef HEDDLE_LIBM
#define KERNEL blackscholes_library
#define RECIPROCAL(x) (1.0f / (x))
#else
#define KERNEL blackscholes
#define RECIPROCAL(x) heddle_rcp(x)
#endif

// Abramowitz and Stegun, 26.2.17: error below 7.5e-8.
__device__ __forceinline__ float cumulative_normal(float d) {
  const float k = RECIPROCAL(1.0f + 0.2316419f * fabsf(d));
  const float polynomial =
      k * (0.319381530f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  float probability = 0.39894228040143f * expf(-0.5f * d * d) * polynomial;
  if (d > 0.0f) probability = 1.0f - probability;
  return probability;
}

extern "C" __global__ void KERNEL(const float* prices, const float* strikes, const float* years, float* calls, float* puts, int count,
                                  float rate, float volatility) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    const float price = prices[i];
    const float strike = strikes[i];
    const float time = years[i];
    if (time > 0.0f) {
      const float deviation = volatility * sqrtf(time);
      const float d1 = (logf(price / strike) + (rate + 0.5f * volatility * volatility) * time) / deviation;
      const float d2 = d1 - deviation;
      const float n1 = cumulative_normal(d1);
      const float n2 = cumulative_normal(d2);
      const float discounted = strike * expf(-rate * time);
      calls[i] = price * n1 - discounted * n2;
      puts[i] = discounted * (1.0f - n2) - price * (1.0f - n1);
    } else {
      calls[i] = fmaxf(price - strike, 0.0f);
      puts[i] = fmaxf(strike - price, 0.0f);
    }
  }
}
