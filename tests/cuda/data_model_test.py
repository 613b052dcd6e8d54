#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Kernels with the host's data model: pointers, size_t and long of 8 bytes, double and 64-bit atomics as instructions, malloc and new, managed
variables, half precision. Environment: as for runtime_test.py."""

import json
import unittest

from runtime_test import NVCC, Programs, run

MECHANISMS = ("spe", "dpe", "dws")


class Models(Programs):
    def passes(self, text, *options, mechanisms=MECHANISMS, head=None):
        """The program, which compares with the host's own results, prints `right` on the functional device and on mechanisms, checked."""
        program = self.compile(text, *options) if head is None else self.compile(head + text, *options)
        self.assertEqual(run(program, HEDDLE_ENGINE="functional"), (0, "right\n", ""))
        for mechanism in mechanisms:
            with self.subTest(mechanism=mechanism):
                self.assertEqual(run(program, HEDDLE_SET=f"mechanism={mechanism} run.oracle=true"), (0, "right\n", ""))


class Pointers(Models):
    def test_buffers_that_the_host_fills(self):
        """Tables of pointers, a list, sizes, clocks: one layout on both sides."""
        self.passes("""
            #include <cstddef>
            #include <ctime>
            struct Node { short value; Node* next; size_t bytes; long steps[2]; };
            static_assert(sizeof(Node) == 40 && offsetof(Node, bytes) == 16, "as on the host");
            __global__ void rows(float* const* table, float* out) { out[threadIdx.x] = table[threadIdx.x % 3][threadIdx.x]; }
            __global__ void list(const Node* first, size_t* sums, clock_t* times, const Node** last) {
              times[threadIdx.x] = clock();
              size_t sum = threadIdx.x;
              for (const Node* n = first; n != nullptr; n = n->next) {
                sum += n->bytes * n->value + n->steps[1];
                if (n->next == nullptr) last[threadIdx.x] = n;
              }
              sums[threadIdx.x] = sum;
              times[threadIdx.x] = clock() - times[threadIdx.x];
            }
            int main() {
              float *table[3], **device_table, *out;
              cudaMallocManaged(&device_table, sizeof table); cudaMallocManaged(&out, 64 * 4);
              for (int r = 0; r < 3; ++r) { cudaMallocManaged(&table[r], 64 * 4); for (int i = 0; i < 64; ++i) table[r][i] = 100.0f * r + i; }
              cudaMemcpy(device_table, table, sizeof table, cudaMemcpyHostToDevice);
              rows<<<1, 64>>>(device_table, out);
              Node *nodes; size_t* sums; clock_t* times; const Node** last;
              cudaMallocManaged(&nodes, 5 * sizeof(Node)); cudaMallocManaged(&sums, 64 * 8); cudaMallocManaged(&times, 64 * 8); cudaMallocManaged(&last, 64 * 8);
              size_t sum = 0;
              for (int i = 0; i < 5; ++i) {
                nodes[i] = {(short)(i - 2), i < 4 ? &nodes[i + 1] : nullptr, (1ul << 40) + i, {7, 1l << (30 + i)}};
                sum += nodes[i].bytes * nodes[i].value + nodes[i].steps[1];
              }
              list<<<1, 64>>>(nodes, sums, times, last);
              bool right = cudaDeviceSynchronize() == cudaSuccess;
              for (int i = 0; i < 64; ++i) right = right && out[i] == 100.0f * (i % 3) + i && sums[i] == sum + i && times[i] >= 0 && last[i] == &nodes[4];
              printf("%s\\n", right ? "right" : "wrong");
            }""")

    def test_what_the_host_writes_of_sizes_compiles(self):
        """Overloads for unsigned and size_t, library calls that want one type, hashes of 64 bits."""
        self.passes("""
            #include <algorithm>
            #include <cstdlib>
            #include <vector>
            static int kind(unsigned) { return 4; }
            static int kind(size_t) { return 8; }
            template <class T> struct Bits { static constexpr int value = 0; };
            template <> struct Bits<unsigned> { static constexpr int value = 32; };
            template <> struct Bits<size_t> { static constexpr int value = 64; };
            __host__ __device__ size_t scrambled(size_t x) { x ^= x >> 31; x *= 0x9E3779B97F4A7C15ul; return x ^ x >> 29; }
            __host__ __device__ long summed(int n) { long s = 0; for (int i = 0; i < n; ++i) s += 3000000000l - i; return s; }
            __global__ void k(size_t* hash, long* sum) { hash[threadIdx.x] = scrambled(threadIdx.x + 1); sum[threadIdx.x] = summed(threadIdx.x); }
            int main() {
              std::vector<int> v(9);
              bool right = std::min(v.size(), 100ul) == 9 && std::max(5l, labs(-9)) == 9 && kind(1u) == 4 && kind(v.size()) == 8 && Bits<decltype(v.size())>::value == 64;
              size_t* hash; long* sum;
              cudaMallocManaged(&hash, 64 * 8); cudaMallocManaged(&sum, 64 * 8);
              k<<<1, 64>>>(hash, sum);
              right = right && cudaDeviceSynchronize() == cudaSuccess;
              for (int i = 0; i < 64; ++i) right = right && hash[i] == scrambled(i + 1) && sum[i] == summed(i);
              printf("%s\\n", right ? "right" : "wrong");
            }""")

    def test_a_heap_beyond_32_bits(self):
        program = self.compile("""
            __global__ void k(char* p, size_t at) { p[at + threadIdx.x] = (char)(3 * threadIdx.x); }
            int main() {
              char *p, last[32]; const size_t bytes = 5ul << 30;
              size_t free_bytes, total;
              SHOW(cudaMalloc(&p, bytes));
              k<<<1, 32>>>(p, bytes - 32);
              SHOW(cudaMemcpy(last, p + bytes - 32, 32, cudaMemcpyDeviceToHost));
              cudaMemGetInfo(&free_bytes, &total);
              printf("%d %d, %zu of %zu\\n", last[1], last[31], free_bytes >> 30, total >> 30);
            }""")
        for engine in ("functional", "systemc"):
            self.assertEqual(run(program, HEDDLE_ENGINE=engine, HEDDLE_SET="memory.heap_bytes=8G"), (0, "cudaSuccess\ncudaSuccess\n3 93, 3 of 8\n", ""))

    def test_one_width_in_a_process(self):
        narrow = self.folder / "narrow.o"
        self.assertEqual(run(NVCC, "--rv32", "-c", self.source("__global__ void other() {}", "narrow.cu"), "-o", narrow), (0, "", ""))
        program = self.compile("__global__ void k() {}\nint main() { k<<<1, 1>>>(); return cudaDeviceSynchronize(); }", narrow)
        self.assertEqual(run(program), (2, "", "heddle: kernels of 32 and of 64 bits in one process: compile all files with --rv32, or none\n"))


class Arithmetic(Models):
    def test_double_in_every_direction(self):
        """Against the host's own arithmetic in each rounding mode; conversions against PTX's rules."""
        self.passes("""
            #include <cfenv>
            #include <cmath>
            #include <cstring>
            enum { kValues = 24, kResults = 9 };
            #define MODE(m) \\
              __device__ void of_##m(double a, double b, double c, double* r) { \\
                r[0] = __dadd_##m(a, b); r[1] = __dsub_##m(a, b); r[2] = __dmul_##m(a, b); r[3] = __ddiv_##m(a, b); r[4] = __fma_##m(a, b, c); \\
                r[5] = __dsqrt_##m(a); r[6] = __drcp_##m(a); r[7] = __double2float_##m(a); r[8] = __ll2double_##m(__double_as_longlong(a)); }
            MODE(rn) MODE(rz) MODE(rd) MODE(ru)
            __global__ void modes(const double* v, double* r) {
              const double a = v[threadIdx.x], b = v[blockIdx.x], c = v[(threadIdx.x + 7 * blockIdx.x) % kValues];
              r += (blockIdx.x * kValues + threadIdx.x) * 4 * kResults;
              of_rn(a, b, c, r); of_rz(a, b, c, r + kResults); of_rd(a, b, c, r + 2 * kResults); of_ru(a, b, c, r + 3 * kResults);
            }
            __global__ void integers(const double* v, long long* r) {
              const double x = v[threadIdx.x];
              r += 10 * threadIdx.x;
              r[0] = (int)x; r[1] = (unsigned)x; r[2] = (long long)x; r[3] = (long long)(unsigned long long)x; r[4] = __double2ll_rd(x); r[5] = __double2int_ru(x);
              r[6] = __double_as_longlong(floor(x)); r[7] = __double_as_longlong(std::round(x)); r[8] = (long long)(float)x; r[9] = __double_as_longlong(rint(x));
            }
            template <class T> static T cut(double x) {
              if (x != x) return (T)1 << (8 * sizeof(T) - 1);
              const double low = std::is_signed<T>::value ? -ldexp(1, 8 * sizeof(T) - 1) : 0, high = ldexp(1, 8 * sizeof(T) - std::is_signed<T>::value);
              return x >= high ? std::numeric_limits<T>::max() : x <= low ? std::numeric_limits<T>::min() : (T)x;
            }
            static long long bits(double x) { long long b; memcpy(&b, &x, 8); return x != x ? 0x7FF8ll << 48 : b; }
            int main() {
              double *v, *r; long long* n;
              cudaMallocManaged(&v, kValues * 8); cudaMallocManaged(&r, kValues * kValues * 4 * kResults * 8); cudaMallocManaged(&n, kValues * 10 * 8);
              const double values[kValues] = {0, -0.0, 1, -1, 0.1, 1 / 3.0, 2.5, -2.5, 1e300, -1e300, 1e-300, 5e-324, NAN, INFINITY, -INFINITY, 3e9, -3e9, 1e19, -1e10, 4503599627370497.5,
                                              -0.49999999999999994, 16777217, 1.0000001192092896, 9223372036854775807.0};
              memcpy(v, values, sizeof values);
              modes<<<kValues, kValues>>>(v, r); integers<<<1, kValues>>>(v, n);
              int wrong = cudaDeviceSynchronize() != cudaSuccess;
              const int mode[4] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
              for (int i = 0; i < kValues * kValues; ++i) {
                volatile double a = v[i % kValues], b = v[i / kValues], c = v[(i % kValues + 7 * (i / kValues)) % kValues];
                for (int m = 0; m < 4; ++m) {
                  fesetround(mode[m]);
                  volatile long long whole; const double from = a; memcpy((void*)&whole, &from, 8);
                  const double host[kResults] = {a + b, a - b, a * b, a / b, fma(a, b, c), sqrt(a), 1 / a, (float)a, (double)whole};
                  fesetround(FE_TONEAREST);
                  for (int k = 0; k < kResults; ++k) {
                    const double got = r[(i * 4 + m) * kResults + k];
                    if (bits(got) != bits(host[k]) && wrong++ < 5) printf("mode %d result %d of %a %a %a: %a, host %a\\n", m, k, a, b, c, got, host[k]);
                  }
                }
              }
              for (int i = 0; i < kValues; ++i) {
                const double x = v[i]; const float f = (float)x;
                const long long host[10] = {cut<int>(x), cut<unsigned>(x), cut<long long>(x), (long long)cut<unsigned long long>(x), cut<long long>(floor(x)), cut<int>(ceil(x)),
                                            bits(floor(x)), bits(round(x)), cut<long long>(f), bits(rint(x))};
                for (int k = 0; k < 10; ++k) {
                  const long long got = k >= 6 && k != 8 ? bits(__builtin_bit_cast(double, n[10 * i + k])) : n[10 * i + k];
                  if (got != host[k] && wrong++ < 15) printf("%g, %d: %llx, host %llx\\n", x, k, got, host[k]);
                }
              }
              printf("%s\\n", wrong == 0 ? "right" : "wrong");
            }""", head="#include <limits>\n#include <type_traits>\n")

    def test_double_keeps_threads_together(self):
        """A constant of double in an expression of float, as programs write it: nothing parts the warp."""
        program = self.compile("""
            __global__ void k(float* t, const float* p, float r) {
              const int i = blockIdx.x * blockDim.x + threadIdx.x;
              for (int n = 0; n < 10; ++n) t[i + 1] += 0.1f * (p[i] + (t[i + 2] + t[i] - 2.0 * t[i + 1]) * r);
            }
            int main() { float *t, *p; cudaMalloc(&t, 4 * 260); cudaMalloc(&p, 4 * 260); k<<<4, 64>>>(t, p, 0.3f); return cudaDeviceSynchronize(); }""")
        document = self.folder / "hot.json"
        self.assertEqual(run(program, HEDDLE_JSON=str(document)), (0, "", ""))
        stats = json.loads(document.read_text())["launches"][0]["stats"]
        self.assertEqual(stats["lane_utilization"], 1)
        self.assertLess(stats["warp_instructions"], 8 * 10 * 30)

    def test_atomics_of_64_bits(self):
        """One instruction each: all threads of a warp on one word, also on mechanisms that pass no locks."""
        text = """
            struct Sums { unsigned long long add, low, high, all, any, odd, turns, swaps; long long least, most; double real; };
            __global__ void k(Sums* s, unsigned long long* olds) {
              const unsigned long long i = blockIdx.x * blockDim.x + threadIdx.x, x = i * 0x100000001ull + 5;
              olds[i] = atomicAdd(&s->add, 1ull << 33);
              atomicMin(&s->low, x); atomicMax(&s->high, x); atomicAnd(&s->all, ~(1ull << i % 64)); atomicOr(&s->any, 1ull << i % 50); atomicXor(&s->odd, x);
              atomicMin(&s->least, -(long long)x); atomicMax(&s->most, (long long)x - 100); atomicAdd(&s->real, 0.5 * i);
              unsigned long long seen = s->turns, expected;
              do { expected = seen; seen = atomicCAS(&s->turns, expected, expected + (1ull << 40)); } while (seen != expected);
              atomicExch(&s->swaps, x);
            }
            int main() {
              const int n = 128;
              Sums* s; unsigned long long* olds;
              cudaMallocManaged(&s, sizeof *s); cudaMallocManaged(&olds, 8 * n);
              *s = {}; s->low = ~0ull; s->all = ~0ull; s->least = 1; s->most = -1000;
              k<<<2, 64>>>(s, olds);
              int right = cudaDeviceSynchronize() == cudaSuccess;
              unsigned long long odd = 0, any = 0; double real = 0; unsigned seen[4] = {};
              for (unsigned long long i = 0; i < n; ++i) {
                odd ^= i * 0x100000001ull + 5; any |= 1ull << i % 50; real += 0.5 * i;
                const unsigned turn = (unsigned)(olds[i] >> 33); if (turn < n) seen[turn / 32] |= 1u << turn % 32;
              }
              const unsigned long long last = 127 * 0x100000001ull + 5;
              right &= s->add == (unsigned long long)n << 33 && s->low == 5 && s->high == last && s->all == 0 && s->any == any && s->odd == odd && s->real == real;
              right &= s->least == -(long long)last && s->most == (long long)last - 100 && s->turns == (unsigned long long)n << 40 && (s->swaps - 5) % 0x100000001ull == 0;
              right &= (seen[0] & seen[1] & seen[2] & seen[3]) == ~0u;
              printf("%s\\n", right ? "right" : "wrong");
            }"""
        self.passes(text)
        program = self.compile(text, "--fork-join")
        self.assertEqual(run(program, HEDDLE_SET="mechanism=forkjoin run.oracle=true"), (0, "right\n", ""))


class Memory(Models):
    def test_malloc_and_new(self):
        """32 threads at once: lists of objects with virtual functions, arrays, memory that is freed and used again; failure is a null pointer."""
        self.passes("""
            struct Shape { Shape* next; __device__ Shape(Shape* n) : next(n) {} virtual __device__ int corners() const { return 0; } virtual __device__ ~Shape() {} };
            struct Polygon : Shape { int n; __device__ Polygon(int corners, Shape* next) : Shape(next), n(corners) {} __device__ int corners() const override { return n; } };
            __global__ void lists(int* sums, int rounds) {
              int sum = 0;
              for (int r = 0; r < rounds; ++r) {
                Shape* first = nullptr;
                for (int i = 0; i < (int)threadIdx.x % 5 + 2; ++i) first = i & 1 ? new Polygon(threadIdx.x + i, first) : new Shape(first);
                int* const squares = new int[threadIdx.x + 1];
                for (unsigned i = 0; i <= threadIdx.x; ++i) squares[i] = i * i;
                while (first != nullptr) { Shape* const next = first->next; sum += first->corners(); delete first; first = next; }
                sum += squares[threadIdx.x];
                delete[] squares;
              }
              sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
            }
            __global__ void fill(void** blocks, int* failed, size_t bytes) {
              void* const p = malloc(bytes);
              blocks[threadIdx.x] = p;
              if (p == nullptr) atomicAdd(failed, 1);
              else for (size_t i = 0; i < bytes; i += 512) ((char*)p)[i] = (char)threadIdx.x;
            }
            __global__ void give_back(void** blocks, int* changed, size_t bytes) {
              char* const p = (char*)blocks[threadIdx.x];
              if (p != nullptr) for (size_t i = 0; i < bytes; i += 512) if (p[i] != (char)threadIdx.x) atomicAdd(changed, 1);
              free(p);
            }
            __device__ void* large[2];
            __global__ void too_much(int* null) {
              large[0] = new int[1 << 20];
              large[1] = malloc(~(size_t)0);
              null[0] = large[0] == nullptr; null[1] = large[1] == nullptr;
              free(nullptr);
            }
            int main() {
              size_t limit = 0;
              bool right = cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize) == cudaSuccess && limit == 8 << 20;
              right &= cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 20) == cudaSuccess && cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize) == cudaSuccess && limit == 1 << 20;
              int *sums, *count; void** blocks;
              cudaMallocManaged(&sums, 128 * 4); cudaMallocManaged(&count, 8); cudaMallocManaged(&blocks, 64 * 8);
              lists<<<2, 64>>>(sums, 3);
              right &= cudaDeviceSynchronize() == cudaSuccess;
              for (int t = 0; t < 128; ++t) {
                int sum = (t % 64) * (t % 64);
                for (int i = 1; i < t % 64 % 5 + 2; i += 2) sum += t % 64 + i;
                right &= sums[t] == 3 * sum;
              }
              for (int round = 0; round < 3; ++round) {  // 1 MB has no room for 64 of 30,000 bytes, and after them it is whole again
                count[0] = count[1] = 0;
                fill<<<1, 64>>>(blocks, count, 30000);
                right &= cudaDeviceSynchronize() == cudaSuccess && count[0] >= 30 && count[0] < 40;
                give_back<<<1, 64>>>(blocks, count + 1, 30000);
                right &= cudaDeviceSynchronize() == cudaSuccess && count[1] == 0;
              }
              too_much<<<1, 32>>>(count);
              right &= cudaDeviceSynchronize() == cudaSuccess && count[0] == 1 && count[1] == 1;
              right &= cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1 << 20) == cudaSuccess;
              printf("%s\\n", right ? "right" : "wrong");
            }""", mechanisms=(*MECHANISMS, "dwf"))

    def test_the_heap_has_its_size_from_the_first_launch_on(self):
        status, out, errors = self.outcome("""
            __device__ void* kept;
            __global__ void k() { kept = malloc(8); free(kept); }
            int main() { k<<<1, 1>>>(); SHOW(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 24)); }""")
        self.assertEqual((status, out), (0, "cudaErrorInvalidValue\n"))
        self.assertEqual(errors, "heddle: cudaDeviceSetLimit: the heap of malloc in kernels has its size from the first launch on: set it before\n")

    def test_managed_variables(self):
        """Of every form and linkage: with their first values, through their names and addresses, on both sides at one address."""
        self.passes("""
            struct Options { int limit; float weights[3]; Options* self; };
            __device__ __managed__ int counter = 5;
            __managed__ float table[40] = {1, 2, 3};
            static __device__ __managed__ Options options = {7, {0.5f, 0.25f}, nullptr};
            namespace { __managed__ unsigned char letters[3][4] = {"abc", "de"}; }
            template <class T> struct Box { T value; };
            __managed__ Box<double*> box;
            __managed__ int* chosen;
            __device__ int add(int* p, int n) { return atomicAdd(p, n); }
            __global__ void k(float* t) {
              add(&counter, 2);
              table[threadIdx.x + 4] = t[threadIdx.x % 3] + options.weights[1];
              if (threadIdx.x == 3) { options.self = &options; letters[1][2] = letters[0][1]; *box.value = options.limit; }
              chosen = threadIdx.x < 99 ? &counter : &options.limit;
            }
            static int& reference() { return counter; }
            int main() {
              bool right = counter == 5 && table[2] == 3 && options.weights[1] == 0.25f && letters[1][1] == 'e' && letters[1][2] == 0 && box.value == nullptr;
              cudaMallocManaged(&box.value, 8);
              options.limit += 4;
              float* const start = table;
              k<<<1, 32>>>(start);
              right &= cudaDeviceSynchronize() == cudaSuccess;
              right &= counter == 69 && table[4] == 1.25f && table[35] == 2.25f && options.self == &options && letters[1][2] == 'b' && *box.value == 11;
              right &= chosen == &counter && &reference() == chosen;
              int copy = 0, other = 123; void* address; size_t bytes; cudaPointerAttributes attributes;
              right &= cudaMemcpyFromSymbol(&copy, counter, 4) == cudaSuccess && copy == 69 && cudaMemcpyToSymbol(counter, &other, 4) == cudaSuccess && counter == 123;
              other = 45;
              right &= cudaMemcpyToSymbol("counter", &other, 4) == cudaSuccess && counter == 45;
              right &= cudaGetSymbolAddress(&address, table) == cudaSuccess && address == table && cudaGetSymbolSize(&bytes, table) == cudaSuccess && bytes == 160;
              right &= cudaPointerGetAttributes(&attributes, table) == cudaSuccess && attributes.isManaged && cudaFree(table) == cudaErrorInvalidDevicePointer;
              for (float& x : table) x = -1;
              int *where = counter > 3 ? &options.limit : chosen;
              right &= *where == 11 && cudaMemset(table, 0, 8) == cudaSuccess && table[1] == 0 && table[2] == -1;
              printf("%s\\n", right ? "right" : "wrong");
            }""")

    def test_managed_variables_that_cannot_be(self):
        for text, options, message in (
                ("__managed__ int x; __global__ void k() { x = 1; } int main() { return x; }", ["--rv32"], "managed variables need the host's pointers in kernels: compile without --rv32"),
                ("__managed__ int x; int main() { return x; }", [], "managed variables without a kernel in the file"),
                ("__managed__ int x; int* p = &x; __global__ void k() { x = 1; } int main() { return *p; }", [], "managed variable x: its address is no constant: set p in code")):
            status, out, errors = run(NVCC, self.source(text, "managed.cu"), "-o", self.folder / "managed", *options)
            self.assertEqual((status, out, errors.count("\n")), (2, "", 1), errors)
            self.assertIn(message, errors)


class Half(Models):
    # The compiler's own half precision, which is not CUDA's: gcc has it, and rounds once.
    HOST = """
        #include <cstring>
        typedef _Float16 H;
        static H of(unsigned short b) { H h; memcpy(&h, &b, 2); return h; }
        static unsigned short bits(H h) { unsigned short b; memcpy(&b, &h, 2); return b; }
        extern "C" {
        float host_float(unsigned short b) { return (float)of(b); }
        unsigned short host_half(float x) { return bits((H)x); }
        unsigned short host_half_of_double(double x) { return bits((H)x); }
        unsigned short host_arithmetic(int operation, unsigned short a, unsigned short b, unsigned short c) {
          switch (operation) {
            case 0: return bits(of(a) + of(b));
            case 1: return bits(of(a) - of(b));
            case 2: return bits(of(a) * of(b));
            case 3: return bits(of(a) / of(b));
            case 4: return bits((H)__builtin_sqrtf((float)of(a)));
            default: return bits((H)((__float128)of(a) * of(b) + (__float128)of(c)));
          }
        }
        }"""
    HEAD = """
        #include <cmath>
        #include <cuda_fp16.h>
        extern "C" float host_float(unsigned short); extern "C" unsigned short host_half(float), host_half_of_double(double);
        extern "C" unsigned short host_arithmetic(int, unsigned short, unsigned short, unsigned short);
        static unsigned short same_nan(unsigned short h) { return (h & 0x7FFF) > 0x7C00 ? 0x7FFF : h; }
        """

    def setUp(self):
        source = self.folder / "host_half.cpp"
        source.write_text(self.HOST)
        self.object = self.folder / "host_half.o"
        if not self.object.exists():
            self.assertEqual(run("g++", "-O2", "-c", source, "-o", self.object), (0, "", ""))

    def test_every_value_and_conversion(self):
        """All 65,536 values to float; floats and doubles at and beside every half of a unit to half, on the host and in kernels."""
        self.passes(self.HEAD + """
            __global__ void k(float* f, unsigned short* h, unsigned short* d, unsigned short* directed) {
              const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
              f[i] = __half2float(__ushort_as_half(i));
              const unsigned beside = __float_as_uint(f[i]) + 0x1000 + (i % 3 - 1);
              h[i] = __half_as_ushort(__float2half(__uint_as_float(beside)));
              d[i] = __half_as_ushort(__double2half((double)__uint_as_float(beside & ~0xFFFu) + ((int)(i % 3) - 1) * 1e-17 * (double)f[i]));
              directed[4 * i] = __half_as_ushort(__float2half_rz(__uint_as_float(beside))); directed[4 * i + 1] = __half_as_ushort(__float2half_rd(__uint_as_float(beside)));
              directed[4 * i + 2] = __half_as_ushort(__float2half_ru(__uint_as_float(beside))); directed[4 * i + 3] = __half_as_ushort(__float2half_rn(f[i]));
            }
            int main() {
              float* f; unsigned short *h, *d, *directed; int wrong = 0;
              cudaMallocManaged(&f, 4 << 16); cudaMallocManaged(&h, 2 << 16); cudaMallocManaged(&d, 2 << 16); cudaMallocManaged(&directed, 8 << 16);
              k<<<256, 256>>>(f, h, d, directed);
              wrong += cudaDeviceSynchronize() != cudaSuccess;
              for (unsigned i = 0; i < 65536; ++i) {
                const float x = host_float(i);
                wrong += x == x ? __builtin_bit_cast(unsigned, f[i]) != __builtin_bit_cast(unsigned, x) : f[i] == f[i];
                if (x != x || std::isinf(x)) continue;
                const float beside = __builtin_bit_cast(float, __builtin_bit_cast(unsigned, x) + 0x1000 + (i % 3 - 1));
                wrong += h[i] != host_half(beside) || __half(beside).__x != h[i] || directed[4 * i + 3] != i;
                const double exact = (double)__builtin_bit_cast(float, __builtin_bit_cast(unsigned, beside) & ~0xFFFu) + ((int)(i % 3) - 1) * 1e-17 * (double)x;
                wrong += d[i] != host_half_of_double(exact) || __half(exact).__x != d[i];
                const float rz = host_float(directed[4 * i]), rd = host_float(directed[4 * i + 1]), ru = host_float(directed[4 * i + 2]);
                wrong += !(rd <= beside && ru >= beside && (rd == beside) == (ru == beside) && rz == (beside > 0 ? rd : ru)) || (rd != ru && directed[4 * i + 1] + (beside > 0 ? 1 : -1) != directed[4 * i + 2]
                         && !(directed[4 * i + 1] == 0x8001 && directed[4 * i + 2] == 0x8000));
              }
              printf("%s\\n", wrong == 0 ? "right" : "wrong");
            }""", self.object, mechanisms=("spe",))

    def test_arithmetic_and_comparisons(self):
        """Random pairs and special values against the host's; on pairs of halves what is so on each."""
        self.passes(self.HEAD + """
            enum { kN = 4096 };
            __global__ void k(const unsigned short* v, unsigned short* r, unsigned* c) {
              const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
              const half x = __ushort_as_half(v[i]), y = __ushort_as_half(v[(i + 1) % kN]), z = __ushort_as_half(v[(i + 2) % kN]);
              const half2 p = __halves2half2(x, y), q = __halves2half2(y, z);
              r += 16 * i;
              r[0] = (x + y).__x; r[1] = __hsub(x, y).__x; r[2] = (x * y).__x; r[3] = __hdiv(x, y).__x; r[4] = hsqrt(x).__x; r[5] = __hfma(x, y, z).__x;
              const half2 s = p + q, t = __hmul2(p, q), u = __hfma2(p, q, p), m = __hmin2(p, q);
              r[6] = __low2half(s).__x; r[7] = __high2half(s).__x; r[8] = t.x.__x; r[9] = t.y.__x; r[10] = u.y.__x; r[11] = m.x.__x; r[12] = __hmax(x, y).__x;
              half w = x; w += y; w *= z; ++w; r[13] = w.__x; r[14] = __hadd_sat(x, y).__x; r[15] = (-x).__x;
              c[i] = (x < y) | (x <= y) << 1 | (x == y) << 2 | (x != y) << 3 | (x > y) << 4 | __hgeu(x, y) << 5 | __hne(x, y) << 6 | __hbeq2(p, p) << 7 |
                     (__hlt2_mask(p, q) & 0x10001) << 8 | __hisnan(x) << 9 | (__hisinf(x) & 3) << 10 | (int)(bool)x << 12;
            }
            int main() {
              unsigned short *v, *r; unsigned *c, state = 1; int wrong = 0;
              cudaMallocManaged(&v, 2 * kN); cudaMallocManaged(&r, 32 * kN); cudaMallocManaged(&c, 4 * kN);
              const unsigned short special[] = {0, 0x8000, 1, 0x8001, 0x3FF, 0x400, 0x3C00, 0xBC00, 0x7BFF, 0xFBFF, 0x7C00, 0xFC00, 0x7E00, 0x3555};
              for (int i = 0; i < kN; ++i) { state = state * 1664525 + 1013904223; v[i] = state >> 30 == 0 ? special[(state >> 16) % 14] : state >> 13; }
              k<<<kN / 64, 64>>>(v, r, c);
              wrong += cudaDeviceSynchronize() != cudaSuccess;
              for (int i = 0; i < kN; ++i) {
                const unsigned short a = v[i], b = v[(i + 1) % kN], d = v[(i + 2) % kN], *g = r + 16 * i;
                const float x = host_float(a), y = host_float(b), z = host_float(d);
                auto host = [](int o, unsigned short e, unsigned short f, unsigned short h) { return same_nan(host_arithmetic(o, e, f, h)); };
                const unsigned short sum = host(0, a, b, 0);
                for (int o = 0; o < 6; ++o) wrong += g[o] != host(o, a, b, d);
                wrong += g[6] != sum || g[7] != host(0, b, d, 0) || g[8] != host(2, a, b, 0) || g[9] != host(2, b, d, 0) || g[10] != host(5, b, d, b);
                const unsigned short one = 0x3C00;
                wrong += g[13] != host(0, host(2, sum, d, 0), one, 0) || g[15] != (x == x ? a ^ 0x8000 : 0x7FFF);
                wrong += x == x && y == y && (host_float(g[11]) != std::fmin(x, y) || host_float(g[12]) != std::fmax(x, y));
                const float s = host_float(sum), clamped = s > 0 ? s < 1 ? s : 1 : 0;
                wrong += host_float(g[14]) != clamped;
                const unsigned lanes = (unsigned)(x < y) | (unsigned)(y < z) << 16;
                wrong += c[i] != ((unsigned)(x < y) | (x <= y) << 1 | (x == y) << 2 | (x != y) << 3 | (x > y) << 4 | !(x < y) << 5 | (x < y || x > y) << 6 | (x == x && y == y) << 7 | lanes << 8 |
                                  (x != x) << 9 | (std::isinf(x) ? x > 0 ? 1 : 3 : 0) << 10 | (x != 0) << 12);
                wrong += (__ushort_as_half(a) + __ushort_as_half(b)).__x != sum || __hfma(__ushort_as_half(a), __ushort_as_half(b), __ushort_as_half(d)).__x != g[5];
              }
              printf("%s\\n", wrong == 0 ? "right" : "wrong");
            }""", self.object, mechanisms=("spe", "dpe"))

    def test_integers_functions_shuffles_and_atomics(self):
        self.passes(self.HEAD + """
            __global__ void k(const float* v, float* f, long long* n, half* sums, half2* pair, float* shuffled) {
              const int i = threadIdx.x;
              const half h = __float2half(v[i]);
              float* const r = f + 12 * i;
              r[0] = hsin(h); r[1] = hcos(h); r[2] = hexp(h); r[3] = hlog(habs_(h)); r[4] = hrsqrt(habs_(h)); r[5] = htanh(h); r[6] = hfloor(h); r[7] = hrint(h); r[8] = hexp2(h); r[9] = hlog2(habs_(h));
              r[10] = hrcp(h); r[11] = __low2float(h2sqrt(__half2half2(habs_(h))));
              long long* const m = n + 8 * i;
              m[0] = __half2int_rn(h); m[1] = __half2uint_rz(h); m[2] = __half2short_rd(h); m[3] = __half2ll_ru(h); m[4] = (int)h; m[5] = (unsigned char)h; m[6] = __int2half_rn(i * 1000 - 9000).__x; m[7] = half(i * 3000u).__x;
              atomicAdd(&sums[i & 1], __float2half(1.0f)); atomicAdd(pair, __floats2half2_rn(1.0f, i & 1 ? 2.0f : 0.0f));
              shuffled[i] = __half2float(__shfl_xor_sync(0xFFFFFFFFu, h, 1)) + __high2float(__shfl_down_sync(0xFFFFFFFFu, __halves2half2(h, half(i)), 1));
            }
            int main() {
              float *v, *f, *shuffled; long long* n; half* sums; half2* pair; int wrong = 0;
              cudaMallocManaged(&v, 128); cudaMallocManaged(&f, 12 * 128); cudaMallocManaged(&n, 8 * 256); cudaMallocManaged(&sums, 4); cudaMallocManaged(&pair, 4); cudaMallocManaged(&shuffled, 128);
              for (int i = 0; i < 32; ++i) v[i] = host_float(host_half((i - 15.5f) * (i % 5 + 0.37f)));
              v[30] = NAN; v[31] = -INFINITY;
              sums[0] = sums[1] = 0.0f; *pair = __float2half2_rn(0.0f);
              k<<<1, 32>>>(v, f, n, sums, pair, shuffled);
              wrong += cudaDeviceSynchronize() != cudaSuccess || (float)sums[0] != 16 || (float)sums[1] != 16 || __low2float(*pair) != 32 || __high2float(*pair) != 32;
              for (int i = 0; i < 30; ++i) {
                const double x = v[i], a = std::fabs(x);
                const double host[12] = {sin(x), cos(x), exp(x), log(a), 1 / sqrt(a), tanh(x), floor(x), rint(x), exp2(x), log2(a), 1 / x, sqrt(a)};
                for (int k = 0; k < 12; ++k) {  // one unit: float's function, rounded once more
                  const int near = host_half((float)host[k]), got = host_half(f[12 * i + k]);
                  wrong += near - got > 1 || got - near > 1;
                }
                const long long whole[8] = {(int)rint(x), x < 0 ? 0 : (long long)x, (long long)floor(x), (long long)ceil(x), (long long)x, x < 0 ? 0 : x > 255 ? 255 : (long long)x,
                                            host_half(i * 1000 - 9000), host_half(i * 3000u)};
                for (int k = 0; k < 8; ++k) wrong += n[8 * i + k] != whole[k];
                wrong += i < 29 && shuffled[i] != v[i ^ 1] + (i + 1);
              }
              const long long of_nan[] = {0, 0, 0, 1ll << 63, 0, 0}, of_infinity[] = {-2147483647 - 1, 0, -32768, 1ll << 63, -2147483647 - 1, 0};
              for (int k = 0; k < 6; ++k) wrong += n[240 + k] != of_nan[k] || n[248 + k] != of_infinity[k];
              printf("%s\\n", wrong == 0 ? "right" : "wrong");
            }""".replace("habs_", "__habs"), self.object, mechanisms=("spe", "dpe"))

    def test_the_upper_half_of_a_float(self):
        """Values, sums, products, quotients and fused ones against the nearest of the two neighbours, found with 113 bits."""
        reference = self.folder / "host_bf16.cpp"
        reference.write_text("""
            #include <cmath>
            #include <cstring>
            static float of(unsigned bits) { float f; memcpy(&f, &bits, 4); return f; }
            static unsigned short nearest(__float128 v, bool minus_zero) {
              if (v != v) return 0x7FFF;
              const bool negative = v < 0 || (v == 0 && minus_zero);
              const __float128 a = negative ? -v : v;
              unsigned low = 0, high = 0x7F80;  // the largest one that is not above
              while (high - low > 1) { const unsigned middle = (low + high) / 2; if (of(middle << 16) <= a) low = middle; else high = middle; }
              const __float128 below = of(low << 16), above = low == 0x7F7F ? (__float128)2 * of(0x7F000000u) : (__float128)of((low + 1) << 16);
              if (std::isinf((double)a) && a > above) low = 0x7F80;
              else if (a - below > above - a || (a - below == above - a && low % 2 != 0)) ++low;
              return (unsigned short)(low | (negative ? 0x8000 : 0));
            }
            extern "C" unsigned short host_bf16(double x) { return nearest(x, std::signbit(x)); }
            extern "C" unsigned short host_bf16_arithmetic(int operation, unsigned short a, unsigned short b, unsigned short c) {
              const float x = of(a << 16), y = of(b << 16), z = of(c << 16);
              switch (operation) {
                case 0: return nearest((__float128)x + y, std::signbit(x + y));
                case 1: return nearest((__float128)x - y, std::signbit(x - y));
                case 2: return nearest((__float128)x * y, std::signbit(x) != std::signbit(y));
                case 3: return nearest((__float128)x / y, std::signbit(x) != std::signbit(y));
                default: break;
              }
              // What 113 bits have no room for decides between two neighbours that are equally near.
              const __float128 product = (__float128)x * y, sum = product + z, part = sum - product, rest = (product - (sum - part)) + (z - part);
              const __float128 unit = sum * (1.0 / (1ll << 55)) * (1.0 / (1ll << 55));
              return nearest(rest > 0 || rest < 0 ? sum + (rest > 0 == unit > 0 ? unit : -unit) : sum, std::signbit(std::fma(x, y, z)));
            }""")
        bits = self.folder / "host_bf16.o"
        self.assertEqual(run("g++", "-O2", "-c", reference, "-o", bits), (0, "", ""))
        self.passes("""
            #include <cmath>
            #include <cuda_bf16.h>
            extern "C" unsigned short host_bf16(double), host_bf16_arithmetic(int, unsigned short, unsigned short, unsigned short);
            enum { kN = 4096 };
            __global__ void values(unsigned short* r, float* f) {
              const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
              f[i] = __bfloat162float(__ushort_as_bfloat16(i));
              const float beside = __uint_as_float((i << 16) + 0x8000 + (i % 3 - 1));
              r[3 * i] = __float2bfloat16(beside).__x; r[3 * i + 1] = __nv_bfloat16((double)beside + ((int)(i % 5) - 2) * 1e-12 * (double)beside).__x; r[3 * i + 2] = __nv_bfloat16((long long)i * (i % 7) * 0x100000801ll).__x;
            }
            __global__ void arithmetic(const unsigned short* v, unsigned short* r, unsigned* c) {
              const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
              const __nv_bfloat16 x = __ushort_as_bfloat16(v[i]), y = __ushort_as_bfloat16(v[(i + 1) % kN]), z = __ushort_as_bfloat16(v[(i + 2) % kN]);
              r += 8 * i;
              r[0] = (x + y).__x; r[1] = (x - y).__x; r[2] = __hmul(x, y).__x; r[3] = (x / y).__x; r[4] = __hfma(x, y, z).__x;
              r[5] = __hfma2(__halves2bfloat162(x, y), __halves2bfloat162(y, z), __bfloat162bfloat162(z)).y.__x; r[6] = __hmax(x, y).__x; r[7] = __shfl_xor_sync(0xFFFFFFFFu, x, 1).__x;
              c[i] = (x < y) | (x == y) << 1 | (x != y) << 2 | __hisnan(x) << 3;
            }
            int main() {
              unsigned short *v, *r; float* f; unsigned *c, state = 1; int wrong = 0;
              cudaMallocManaged(&v, 2 * kN); cudaMallocManaged(&r, 6 << 16); cudaMallocManaged(&c, 4 * kN); cudaMallocManaged(&f, 4 << 16);
              values<<<256, 256>>>(r, f);
              wrong += cudaDeviceSynchronize() != cudaSuccess;
              for (unsigned i = 0; i < 65536; ++i) {
                const float x = __builtin_bit_cast(float, i << 16);
                wrong += x == x ? __builtin_bit_cast(unsigned, f[i]) != i << 16 : f[i] == f[i];
                if (x != x || std::isinf(x)) continue;
                const float beside = __builtin_bit_cast(float, (i << 16) + 0x8000 + (i % 3 - 1));
                const double exact = (double)beside + ((int)(i % 5) - 2) * 1e-12 * (double)beside;
                wrong += r[3 * i] != host_bf16(beside) || r[3 * i + 1] != host_bf16(exact);
                const long long whole = (long long)i * (i % 7) * 0x100000801ll;  // 24 bits and some: at most 53
                wrong += whole < 1ll << 53 && r[3 * i + 2] != host_bf16((double)whole);
              }
              const unsigned short special[] = {0, 0x8000, 1, 0x8001, 0x7F, 0x80, 0x3F80, 0xBF80, 0x7F7F, 0xFF7F, 0x7F80, 0xFF80, 0x7FC0, 0x3EAB};
              for (int i = 0; i < kN; ++i) { state = state * 1664525 + 1013904223; v[i] = state >> 30 == 0 ? special[(state >> 16) % 14] : state >> 30 == 1 ? 0x3F00 | (state >> 13 & 0x80FF) : state >> 13; }
              arithmetic<<<kN / 64, 64>>>(v, r, c);
              wrong += cudaDeviceSynchronize() != cudaSuccess;
              for (int i = 0; i < kN; ++i) {
                const unsigned short a = v[i], b = v[(i + 1) % kN], d = v[(i + 2) % kN], *g = r + 8 * i;
                const float x = __builtin_bit_cast(float, (unsigned)a << 16), y = __builtin_bit_cast(float, (unsigned)b << 16);
                for (int o = 0; o < 5; ++o) wrong += g[o] != host_bf16_arithmetic(o, a, b, d);
                wrong += g[5] != host_bf16_arithmetic(4, b, d, d) || g[7] != v[i ^ 1];
                wrong += x == x && y == y && __builtin_bit_cast(float, (unsigned)g[6] << 16) != std::fmax(x, y);
                wrong += c[i] != ((unsigned)(x < y) | (x == y) << 1 | (x != y) << 2 | (x != x) << 3);
              }
              printf("%s\\n", wrong == 0 ? "right" : "wrong");
            }""", bits, mechanisms=("spe",))


if __name__ == "__main__":
    unittest.main()
