// SPDX-License-Identifier: Apache-2.0
// What the kernel header promises, by running kernels thread by thread on the functional device.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "heddle/arguments.h"
#include "heddle/data_type.h"
#include "oracle/functional.h"
#include "program/loader.h"
#include "support.h"

namespace heddle::kernel_header_test {
namespace {

using test::Scratch;

std::uint32_t bits(float f) {
  std::uint32_t b;
  std::memcpy(&b, &f, 4);
  return b;
}

// A compiled program on a device of its own.
class Bench {
 public:
  Bench(Xlen xlen, const std::string& source, std::string flags = "") : device_(Config{}) {
    if (xlen == Xlen::k64) flags += " --rv64";
    const Scratch scratch;
    test::write_file(scratch / "k.cu", "#include <heddle/kernel.h>\n" + source);
    const auto result = test::run(scratch, std::string(HEDDLE_CC) + " " + flags + " k.cu -o k.elf");
    if (result.status != 0) throw std::runtime_error(result.err);
    device_.load(load_program(scratch / "k.elf"));
  }
  template <class T>
  Address upload(const std::vector<T>& data) {
    const Address at = device_.allocate(static_cast<std::uint32_t>(data.size() * sizeof(T)));
    device_.write(at, data.data(), static_cast<std::uint32_t>(data.size() * sizeof(T)));
    return at;
  }
  template <class T>
  std::vector<T> download(Address at, std::size_t count) {
    std::vector<T> data(count);
    device_.read(at, data.data(), static_cast<std::uint32_t>(count * sizeof(T)));
    return data;
  }
  FunctionalDevice& operator*() { return device_; }
  FunctionalDevice* operator->() { return &device_; }

 private:
  FunctionalDevice device_;
};

class KernelHeader : public ::testing::TestWithParam<Xlen> {};
INSTANTIATE_TEST_SUITE_P(Both, KernelHeader, ::testing::Values(Xlen::k32, Xlen::k64),
                         [](const auto& info) { return info.param == Xlen::k64 ? "RV64" : "RV32"; });

TEST_P(KernelHeader, IndicesNumberEveryThreadOfTheGrid) {
  Bench bench(GetParam(), R"(
extern "C" __global__ void k(unsigned* out) {
  const unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  const unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const unsigned i = block * blockDim.x * blockDim.y * blockDim.z + thread;
  out[4 * i] = heddle_thread_id();
  out[4 * i + 1] = heddle_lane();
  out[4 * i + 2] = heddle_warp();
  out[4 * i + 3] = i;
}
)");
  constexpr unsigned kThreads = 2 * 3 * 2 * 5 * 4 * 2;
  const Address out = bench.upload(std::vector<std::uint32_t>(4 * kThreads, ~0u));
  bench->launch("k", {2, 3, 2}, {5, 4, 2}, {out});
  const auto result = bench.download<std::uint32_t>(out, 4 * kThreads);
  for (unsigned i = 0; i < kThreads; ++i) {
    EXPECT_EQ(result[4 * i], i);
    EXPECT_EQ(result[4 * i + 1], i % 40 % 32);
    EXPECT_EQ(result[4 * i + 3], i);
  }
}

TEST_P(KernelHeader, SharedMemoryAndBarriersReverseABlock) {
  Bench bench(GetParam(), R"(
template <class T> __global__ void reverse(T* data) {
  __shared__ T tile[64];
  extern __shared__ int copy[];
  const unsigned base = blockIdx.x * 64, t = threadIdx.x;
  tile[t] = data[base + t];
  __syncthreads();
  copy[t] = tile[63 - t];
  __syncthreads();
  data[base + t] = copy[t ^ 1];
}
template __global__ void reverse<int>(int*);
template __global__ void reverse<float>(float*);
)");
  std::vector<std::int32_t> data(256);
  for (unsigned i = 0; i < data.size(); ++i) data[i] = static_cast<std::int32_t>(i * i);
  const Address at = bench.upload(data);
  bench->launch("reverse<int>", {4, 1, 1}, {64, 1, 1}, {at}, 0, 64 * 4);
  const auto result = bench.download<std::int32_t>(at, data.size());
  for (unsigned i = 0; i < data.size(); ++i) EXPECT_EQ(result[i], data[i / 64 * 64 + (63 - (i % 64 ^ 1))]) << i;
}

TEST_P(KernelHeader, AtomicsDoWhatTheirNamesSay) {
  Bench bench(GetParam(), R"(
extern "C" __global__ void k(int* i, unsigned* u, float* f) {
  const int t = threadIdx.x;
  atomicAdd(&i[0], t);
  atomicSub(&i[1], t);
  atomicMin(&i[2], t - 50);
  atomicMax(&i[3], t - 50);
  atomicAnd(&i[4], ~(1 << (t & 7)));
  atomicOr(&i[5], 1 << (t & 7));
  atomicXor(&i[6], 1 << (t % 31));
  int seen = i[7];
  while (atomicCAS(&i[7], seen, seen * 3 + 1) != seen) seen = i[7];
  atomicMin(&u[0], 0x80000000u + t);
  atomicMax(&u[1], 0x80000000u + t);
  atomicInc(&u[2], 9u);
  atomicDec(&u[3], 9u);
  atomicAdd(&f[0], 0.5f);
  if (atomicExch(&u[4], 1u) == 0) f[1] = 1.0f;
  if (atomicExch(&f[2], 3.0f) == 0.0f) atomicAdd(&i[8], 1);
}
)");
  const Address i = bench.upload(std::vector<std::int32_t>{5, 5, 5, -100, -1, 0, 0, 0, 0});
  const Address u = bench.upload(std::vector<std::uint32_t>{~0u, 0, 0, 0, 0});
  const Address f = bench.upload(std::vector<float>{0, 0, 0});
  bench->launch("k", {1, 1, 1}, {100, 1, 1}, {i, u, f});
  std::int32_t x = 0, cas = 0;
  for (int t = 0; t < 100; ++t) {
    x ^= 1 << (t % 31);
    cas = static_cast<std::int32_t>(static_cast<std::uint32_t>(cas) * 3u + 1u);
  }
  EXPECT_EQ(bench.download<std::int32_t>(i, 9),
            (std::vector<std::int32_t>{5 + 4950, 5 - 4950, -50, 49, ~255, 255, x, cas, 1}));
  // atomicInc wraps from 9 to 0, atomicDec from 0 to 9.
  EXPECT_EQ(bench.download<std::uint32_t>(u, 5), (std::vector<std::uint32_t>{0x80000000u, 0x80000000u + 99, 0, 0, 1}));
  EXPECT_EQ(bench.download<float>(f, 3), (std::vector<float>{50.0f, 1.0f, 3.0f}));
}

TEST_P(KernelHeader, ThreadLocalDataIsEachThreadsOwn) {
  Bench bench(GetParam(), R"(
thread_local int mine = 7;
thread_local int zero[3];
extern "C" __global__ void k(int* out) {
  const int t = threadIdx.x;
  mine += t;
  zero[t % 3] += mine;
  __syncthreads();
  out[t] = mine * 1000 + zero[0] + zero[1] + zero[2];
}
)");
  const Address out = bench.upload(std::vector<std::int32_t>(96));
  bench->launch("k", {1, 1, 1}, {96, 1, 1}, {out});
  const auto result = bench.download<std::int32_t>(out, 96);
  for (int t = 0; t < 96; ++t) EXPECT_EQ(result[t], 1001 * (7 + t));
}

TEST_P(KernelHeader, VectorTypesHaveCudasLayout) {
  Bench bench(GetParam(), R"(
static_assert(sizeof(float3) == 12 && alignof(float3) == 4, "");
static_assert(sizeof(float4) == 16 && alignof(float4) == 16, "");
static_assert(sizeof(int2) == 8 && alignof(int2) == 8, "");
static_assert(sizeof(uchar4) == 4 && alignof(uchar4) == 4, "");
static_assert(sizeof(double2) == 16 && alignof(double2) == 16, "");
static_assert(sizeof(double4) == 32 && alignof(double4) == 16, "");
extern "C" __global__ void k(float4* v, uchar4* c) {
  const float4 a = v[threadIdx.x];
  v[threadIdx.x] = make_float4(a.w, a.z, a.y, a.x);
  c[threadIdx.x] = make_uchar4(1, 2, 3, threadIdx.x);
}
)");
  std::vector<float> data(4 * 8);
  for (unsigned i = 0; i < data.size(); ++i) data[i] = static_cast<float>(i);
  const Address v = bench.upload(data);
  const Address c = bench.upload(std::vector<std::uint8_t>(4 * 8));
  bench->launch("k", {1, 1, 1}, {8, 1, 1}, {v, c});
  const auto floats = bench.download<float>(v, data.size());
  const auto bytes = bench.download<std::uint8_t>(c, 4 * 8);
  for (unsigned i = 0; i < data.size(); ++i) EXPECT_EQ(floats[i], data[i / 4 * 4 + 3 - i % 4]);
  for (unsigned t = 0; t < 8; ++t) {
    EXPECT_EQ(bytes[4 * t], 1);
    EXPECT_EQ(bytes[4 * t + 3], t);
  }
}

TEST_P(KernelHeader, TexturesSampleTheNearestPointInside) {
  Bench bench(GetParam(), R"(
extern "C" __global__ void k(const float* data, int w, int h, float* out) {
  const texture<float, 2> plane = {data, w, h};
  const texture<float, 1> line = {data, w, 1};
  out[0] = tex2D(plane, 1.9f, 2.0f);
  out[1] = tex2D(plane, -5.0f, 100.0f);
  out[2] = tex1D(line, 3.5f);
  out[3] = tex1D(line, 50.0f);
  out[4] = tex1Dfetch(line, 2);
}
)");
  std::vector<float> data(5 * 4);
  for (unsigned i = 0; i < data.size(); ++i) data[i] = static_cast<float>(i);
  const Address in = bench.upload(data);
  const Address out = bench.upload(std::vector<float>(5));
  bench->launch("k", {1, 1, 1}, {1, 1, 1}, {in, 5, 4, out});
  EXPECT_EQ(bench.download<float>(out, 5), (std::vector<float>{11, 15, 3, 4, 2}));
}

TEST_P(KernelHeader, ExitEndsOneThreadAndTextComesOut) {
  Bench bench(GetParam(), R"(
extern "C" __global__ void k(int* out) {
  if (threadIdx.x == 3) heddle_write(1, "three\n", 6);
  if (threadIdx.x == 5) heddle_exit(0);
  out[threadIdx.x] = heddle_write(2, "", 0) + 1;
}
)");
  std::string text;
  bench->set_text_sink([&](unsigned descriptor, const std::string& t) {
    if (descriptor == 1) text += t;
  });
  const Address out = bench.upload(std::vector<std::int32_t>(8));
  bench->launch("k", {1, 1, 1}, {8, 1, 1}, {out});
  EXPECT_EQ(bench.download<std::int32_t>(out, 8), (std::vector<std::int32_t>{1, 1, 1, 1, 1, 0, 1, 1}));
  EXPECT_EQ(text, "three\n");
}

// ---- accuracy: the bounds of docs/kernels.md

double ulps(float got, double exact) {
  int exponent = 0;
  std::frexp(exact, &exponent);
  return std::fabs(got - exact) / std::ldexp(1.0, std::max(exponent, -125) - 24);
}

struct Range {
  const char* expression;  // of x and y
  double (*exact)(double x, double y);
  float low, high;
  float low_y, high_y;
  double bound;
};

const Range kRanges[] = {
    {"heddle_rcp(x)", [](double x, double) { return 1 / x; }, -100, 100, 0, 0, 0.5},
    {"rsqrtf(x)", [](double x, double) { return 1 / std::sqrt(x); }, 0.01f, 1e6f, 0, 0, 0.5},
    {"sinf(x)", [](double x, double) { return std::sin(x); }, -1000, 1000, 0, 0, 0.5},
    {"cosf(x)", [](double x, double) { return std::cos(x); }, -1000, 1000, 0, 0, 0.5},
    {"exp2f(x)", [](double x, double) { return std::exp2(x); }, -120, 120, 0, 0, 0.5},
    {"log2f(x)", [](double x, double) { return std::log2(x); }, 0, 1e9f, 0, 0, 0.5},
    {"tanhf(x)", [](double x, double) { return std::tanh(x); }, -10, 10, 0, 0, 0.5},
    {"sqrtf(x)", [](double x, double) { return std::sqrt(x); }, 0, 1e9f, 0, 0, 0.5},
    {"expf(x)", [](double x, double) { return std::exp(x); }, -1, 1, 0, 0, 1.4},
    {"expf(x)", [](double x, double) { return std::exp(x); }, -10, 10, 0, 0, 8.2},
    {"expf(x)", [](double x, double) { return std::exp(x); }, -87, 87, 0, 0, 64},
    {"__exp10f(x)", [](double x, double) { return std::pow(10.0, x); }, -37, 37, 0, 0, 75},
    {"logf(x)", [](double x, double) { return std::log(x); }, 0, 4, 0, 0, 1.3},
    {"log10f(x)", [](double x, double) { return std::log10(x); }, 0, 4, 0, 0, 1.9},
    {"powf(x, y)", [](double x, double y) { return std::pow(x, y); }, 0.01f, 100, -3, 3, 19.1},
    {"powf(x, y)", [](double x, double y) { return std::pow(x, y); }, 0.01f, 100, -15, 15, 84},
    {"tanf(x)", [](double x, double) { return std::tan(x); }, -1.5f, 1.5f, 0, 0, 2.5},
    {"__fdividef(x, y)", [](double x, double y) { return x / y; }, -100, 100, 1, 50, 1.5},
};

TEST_P(KernelHeader, SpecialFunctionsAreAsExactAsDocumented) {
  std::string source =
      "extern \"C\" __global__ void k(int which, const float* xs, const float* ys, float* out) {\n"
      "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n  const float x = xs[i], y = ys[i];\n  float r = 0;\n"
      "  switch (which) {\n";
  for (std::size_t n = 0; n < std::size(kRanges); ++n) {
    source += "    case " + std::to_string(n) + ": r = " + kRanges[n].expression + "; break;\n";
  }
  source += "  }\n  out[i] = r + 0.0f * y;\n}\n";
  Bench bench(GetParam(), source);
  constexpr unsigned kSamples = 4096;
  std::mt19937 random(9);
  for (std::uint32_t n = 0; n < std::size(kRanges); ++n) {
    const Range& range = kRanges[n];
    std::uniform_real_distribution<float> pick_x(range.low, range.high), pick_y(range.low_y, range.high_y);
    std::vector<float> xs(kSamples), ys(kSamples);
    for (float& x : xs) x = pick_x(random);
    for (float& y : ys) y = pick_y(random);
    const Address x = bench.upload(xs), y = bench.upload(ys), out = bench.upload(std::vector<float>(kSamples));
    bench->launch("k", {kSamples / 128, 1, 1}, {128, 1, 1}, {n, x, y, out});
    const auto result = bench.download<float>(out, kSamples);
    for (unsigned i = 0; i < kSamples; ++i) {
      ASSERT_LE(ulps(result[i], range.exact(xs[i], ys[i])), range.bound * (1 + 1e-6))
          << range.expression << " at " << xs[i] << ", " << ys[i] << ": " << result[i];
    }
  }
}

TEST_P(KernelHeader, PowHandlesSignsAsCDoes) {
  Bench bench(GetParam(), R"(
extern "C" __global__ void k(const float* xy, float* out) {
  const int i = threadIdx.x;
  out[i] = powf(xy[2 * i], xy[2 * i + 1]);
}
)");
  const std::vector<float> xy = {-2, 3, -2, 2, -2, 0.5f, 0, 0, -3, 0, 0, 2, 2, -1, -2, -3, 5, 1};
  const unsigned cases = static_cast<unsigned>(xy.size() / 2);
  const Address in = bench.upload(xy), out = bench.upload(std::vector<float>(cases));
  bench->launch("k", {1, 1, 1}, {cases, 1, 1}, {in, out});
  const auto result = bench.download<float>(out, cases);
  for (unsigned i = 0; i < cases; ++i) {
    const float exact = std::pow(xy[2 * i], xy[2 * i + 1]);
    if (std::isnan(exact)) {
      EXPECT_TRUE(std::isnan(result[i]));
    } else {
      EXPECT_NEAR(result[i], exact, std::fabs(exact) * 1e-6f) << xy[2 * i] << ", " << xy[2 * i + 1];
    }
  }
}

TEST_P(KernelHeader, FloatArgumentsArriveInTheirRegisters) {
  Bench bench(GetParam(),
              "extern \"C\" __global__ void k(float a, int b, float c, float* out) { out[0] = a * b - c; }\n");
  const Address out = bench.upload(std::vector<float>(1));
  bench->launch("k", {1, 1, 1}, {1, 1, 1}, {bits(2.5f), 4, bits(0.25f), out}, 0b0101);
  EXPECT_EQ(bench.download<float>(out, 1)[0], 9.75f);
}

TEST_P(KernelHeader, LibmAndDoubleRunToo) {
  Bench bench(GetParam(), R"(
extern "C" __global__ void k(float* f, double* d) {
  const int t = threadIdx.x;
  f[t] = sinf(f[t]) + expf(f[t]);
  d[t] = d[t] * d[t] / 3.0 - 1.0;
}
)",
              "--libm");
  std::vector<float> f(32);
  std::vector<double> d(32);
  for (int t = 0; t < 32; ++t) f[t] = 0.3f * static_cast<float>(t) - 4, d[t] = 1.7 * t;
  const Address fa = bench.upload(f), da = bench.upload(d);
  bench->launch("k", {1, 1, 1}, {32, 1, 1}, {fa, da});
  const auto fr = bench.download<float>(fa, 32);
  const auto dr = bench.download<double>(da, 32);
  for (int t = 0; t < 32; ++t) {
    const double exact = std::sin(static_cast<double>(f[t])) + std::exp(static_cast<double>(f[t]));
    EXPECT_NEAR(fr[t], exact, 1e-6 * (std::exp(f[t]) + 1));
    EXPECT_EQ(dr[t], d[t] * d[t] / 3.0 - 1.0);
  }
}

TEST(KernelHeader64, LongAtomicsAreOneInstructionAndDoublesAdd) {
  Bench bench(Xlen::k64, R"(
extern "C" __global__ void k(long long* i, unsigned long* u, double* d, size_t* n) {
  const long t = threadIdx.x;
  atomicAdd(&i[0], t << 32);
  atomicMin(&i[1], -t);
  atomicMax(&i[2], t << 40);
  long long seen = i[3];
  while (atomicCAS(&i[3], seen, seen * 3 + 1) != seen) seen = i[3];
  atomicMax(&u[0], ~0ul - t);
  atomicXor(&u[1], 1ul << (t % 61));
  if (atomicExch(&u[2], 1ul) == 0) d[1] = 1.0;
  atomicAdd(&d[0], 0.1);
  atomicAdd(n, sizeof(size_t));
}
)");
  const Address i = bench.upload(std::vector<std::int64_t>{5, 0, 0, 0});
  const Address u = bench.upload(std::vector<std::uint64_t>{0, 0, 0});
  const Address d = bench.upload(std::vector<double>{0, 0});
  const Address n = bench.upload(std::vector<std::uint64_t>{0});
  bench->launch("k", {1, 1, 1}, {100, 1, 1}, {i, u, d, n});
  std::uint64_t x = 0, cas = 0;
  double sum = 0;
  for (unsigned t = 0; t < 100; ++t) {
    x ^= std::uint64_t{1} << (t % 61);
    cas = cas * 3 + 1;
    sum += 0.1;
  }
  EXPECT_EQ(bench.download<std::int64_t>(i, 4),
            (std::vector<std::int64_t>{5 + (4950ll << 32), -99, 99ll << 40, static_cast<std::int64_t>(cas)}));
  EXPECT_EQ(bench.download<std::uint64_t>(u, 3), (std::vector<std::uint64_t>{~std::uint64_t{0}, x, 1}));
  EXPECT_EQ(bench.download<double>(d, 2), (std::vector<double>{sum, 1}));
  EXPECT_EQ(bench.download<std::uint64_t>(n, 1)[0], 800u);
}

// ---- arguments from the host's bytes, as the kernel's types say

struct Pair {
  float a;
  std::int32_t b;
};
struct Two {
  double x, y;
};
struct Large {
  std::int32_t a[5];
  double d;
};

TEST_P(KernelHeader, ArgumentsOfEveryKindArriveAsTheCompilerWantsThem) {
  Bench bench(GetParam(), R"(
struct Pair { float a; int b; };
struct Two { double x, y; };
struct Large { int a[5]; double d; };
struct Bytes { signed char c[3]; };
extern "C" __global__ void k(double* out, signed char c, unsigned short s, float f, double d, Pair p, Two t, Large l, Bytes b, unsigned u,
                             long long w, bool truth, Two more, double e, float g, double h, float i, Pair q, float j, int last) {
  const double values[] = {(double)c, (double)s, (double)f, d, (double)p.a, (double)p.b, t.x, t.y, (double)l.a[4], l.d, (double)b.c[2],
                           (double)u, (double)w, truth ? 1.0 : 0.0, more.x, more.y, e, (double)g, h, (double)i, (double)q.a,
                           (double)q.b, (double)j, (double)last};
  for (unsigned n = 0; n < sizeof values / sizeof values[0]; ++n) out[n] = values[n];
}
)");
  constexpr unsigned kValues = 24;
  const std::uint64_t out = bench.upload(std::vector<double>(kValues));
  const signed char c = -3;
  const unsigned short s = 65535;
  const float f = 1.5f, g = -2.5f, i = 3.25f, j = 8.125f;
  const double d = 0.1, e = 1e300, h = -7.5;
  const Pair p{2.5f, -4}, q{-0.5f, 11};
  const Two t{6.5, -6.25}, more{12.5, 13.5};
  const Large l{{1, 2, 3, 4, 55}, 99.5};
  const signed char b[3] = {1, 2, -100};
  const std::uint32_t u = 0xFFFFFFFEu;
  const std::int64_t w = -5000000000;
  const bool truth = true;
  const std::int32_t last = -77;
  const void* const arguments[] = {&out, &c,     &s,    &f, &d, &p, &t, &l, b,  &u,
                                   &w,   &truth, &more, &e, &g, &h, &i, &q, &j, &last};
  const Program& program = bench->program();
  const Kernel& kernel = *program.kernel("k");
  ArgumentBuilder builder(stack_top(Config{}), program.register_bytes());
  ASSERT_EQ(kernel.types.size(), std::size(arguments));
  for (std::size_t n = 0; n < kernel.types.size(); ++n) {
    add_argument(builder, *kernel.types[n], static_cast<const std::uint8_t*>(arguments[n]), "an argument",
                 [](const DataType&, std::uint64_t value) { return value; });
  }
  bench->launch_with("k", {1, 1, 1}, {3, 1, 1}, builder.finish());
  EXPECT_EQ(bench.download<double>(out, kValues),
            (std::vector<double>{-3,   65535, 1.5,  0.1,  2.5,   -4,   6.5,  -6.25, 55,   99.5, -100,  4294967294.0,
                                 -5e9, 1,     12.5, 13.5, 1e300, -2.5, -7.5, 3.25,  -0.5, 11,   8.125, -77}));
}

TEST(KernelHeader64, WordsOfALaunchAreExtendedAsTheKernelSays) {
  Bench bench(Xlen::k64, R"(
extern "C" __global__ void k(unsigned u, int i, signed char c, long l, double d, float f, double* out) {
  out[0] = u / 2 + (u > 5u); out[1] = i; out[2] = c; out[3] = l; out[4] = d; out[5] = f;
}
)");
  const Address out = bench.upload(std::vector<double>(6));
  const double d = 0.1;
  std::uint64_t double_bits;
  std::memcpy(&double_bits, &d, 8);
  bench->launch("k", {1, 1, 1}, {1, 1, 1},
                {0xFFFFFFFFu, 0xFFFFFFFFu, 0x1FF, ~std::uint64_t{1}, double_bits, bits(2.5f), out}, 0b110000);
  EXPECT_EQ(bench.download<double>(out, 6), (std::vector<double>{2147483648.0, -1, -1, -2, 0.1, 2.5}));
}

}  // namespace
}  // namespace heddle::kernel_header_test
