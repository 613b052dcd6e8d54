// SPDX-License-Identifier: Apache-2.0
// The stop watch that programs in the style of NVIDIA's samples expect: time of the host, in milliseconds.
#pragma once

#include <chrono>

class StopWatchInterface {
 public:
  void start() { begin_ = Clock::now(); running_ = true; }
  void stop() { total_ += now(); running_ = false; ++sessions_; }
  void reset() { total_ = 0; sessions_ = 0; begin_ = Clock::now(); }
  float getTime() const { return static_cast<float>(total_ + now()); }
  float getAverageTime() const { return sessions_ == 0 ? 0.0f : static_cast<float>(total_ / sessions_); }

 private:
  using Clock = std::chrono::steady_clock;
  double now() const { return running_ ? std::chrono::duration<double, std::milli>(Clock::now() - begin_).count() : 0.0; }
  Clock::time_point begin_;
  double total_ = 0;
  int sessions_ = 0;
  bool running_ = false;
};

inline bool sdkCreateTimer(StopWatchInterface** timer) { *timer = new StopWatchInterface; return true; }
inline bool sdkDeleteTimer(StopWatchInterface** timer) { delete *timer; *timer = nullptr; return true; }
inline bool sdkStartTimer(StopWatchInterface** timer) { (*timer)->start(); return true; }
inline bool sdkStopTimer(StopWatchInterface** timer) { (*timer)->stop(); return true; }
inline bool sdkResetTimer(StopWatchInterface** timer) { (*timer)->reset(); return true; }
inline float sdkGetTimerValue(StopWatchInterface** timer) { return (*timer)->getTime(); }
inline float sdkGetAverageTimerValue(StopWatchInterface** timer) { return (*timer)->getAverageTime(); }
