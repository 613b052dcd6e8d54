#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The runtime of CUDA programs and heddle-nvcc, from outside: small programs are compiled and run. Environment: HEDDLE, HEDDLE_NVCC,
EXAMPLES, the folder of the built examples, and BUILD, the build tree."""

import json
import math
import os
import pathlib
import re
import shutil
import struct
import subprocess
import tempfile
import unittest

HEDDLE = os.environ["HEDDLE"]
NVCC = os.environ["HEDDLE_NVCC"]
EXAMPLES = os.environ["EXAMPLES"]

HEAD = """
#include <cstdio>
#include <cuda_runtime.h>
#define SHOW(call) printf("%s\\n", cudaGetErrorName(call))
"""


def run(*command, **environment):
    done = subprocess.run([str(c) for c in command], env=os.environ | {"HEDDLE_REPORT": "none"} | environment, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


class Programs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)

    def source(self, text, name="program.cu", head=HEAD):
        path = self.folder / name
        path.write_text(head + text)
        return path

    def compile(self, text, *options, name="program"):
        program = self.folder / name
        status, _, errors = run(NVCC, self.source(text, name + ".cu"), "-o", program, *options)
        self.assertEqual((status, errors), (0, ""))
        return program

    def outcome(self, text, *options, **environment):
        return run(self.compile(text, *options), **environment)

    def prints(self, text, expected, *options, **environment):
        """The program prints this, ends with 0, and nothing is on standard error."""
        self.assertEqual(self.outcome(text, *options, **environment), (0, expected, ""))


class Arguments(Programs):
    def test_any_number_and_kind(self):
        """18 arguments: registers of both kinds, the stack, and structures of every way to be passed."""
        self.prints("""
            struct Small { short a; char b; };
            struct Pair { float x, y; };
            struct Mixed { float x; int n; };
            struct Large { double d; int* p; long l; char name[5]; };
            struct Empty {};
            __global__ void k(int* out, char c, short s, bool b, unsigned char u, long l, long long q, float f, double d, Small small, Pair pair, Mixed mixed,
                              Large large, Empty, size_t z, const int& r, int* none, float g) {
              double v[] = {(double)c, (double)s, (double)b, (double)u, (double)(l >> 32), (double)(q >> 40), f, d, small.a + 0.5 * small.b, pair.x - pair.y,
                            mixed.x * mixed.n, large.d + large.l / 1000000000000l, (double)*large.p, (double)large.name[3], (double)z, (double)r, (double)(none == nullptr), g};
              for (int i = 0; i < 18; ++i) out[i] = (int)v[i];
            }
            int main() {
              int *out, *seven, *device;
              cudaMalloc(&device, 4);
              cudaMallocManaged(&out, 4 * 18);
              cudaMallocManaged(&seven, 4);
              *seven = 7;
              Large large = {100.0, seven, 5000000000000l, "abcd"};
              k<<<1, 1>>>(out, -3, -300, true, 200, 9l << 32, 11ll << 40, 2.5f, 1e3, {40, 4}, {9.0f, 2.0f}, {1.5f, 6}, large, {}, 123, *seven, nullptr, 77.0f);
              cudaDeviceSynchronize();
              for (int i = 0; i < 18; ++i) printf("%d ", out[i]);
              printf("\\n");
            }""", "-3 -300 1 200 9 11 2 1000 42 7 9 105 7 100 123 7 1 77 \n", HEDDLE_SET="run.oracle=true")

    def test_four_kilobytes(self):
        self.prints("""
            struct Big { int v[900]; };
            __global__ void k(int* out, Big big, int last) { big.v[5] += last; out[threadIdx.x] = big.v[threadIdx.x]; }
            int main() {
              int* out; Big big;
              for (int i = 0; i < 900; ++i) big.v[i] = i * i;
              cudaMallocManaged(&out, 4 * 900);
              k<<<1, 900>>>(out, big, 1);
              cudaDeviceSynchronize();
              int wrong = 0;
              for (int i = 0; i < 900; ++i) wrong += out[i] != i * i + (i == 5);
              printf("%d\\n", wrong);
            }""", "0\n", HEDDLE_SET="run.oracle=true mechanism=dpe")

    def test_what_differs_between_the_halves_is_named(self):
        status, out, errors = self.outcome("""
            struct Node { int value; Node* next; };
            __global__ void list(const Node* nodes, int* out) { *out = nodes->value; }
            __global__ void table(float** rows) { rows[0][0] = 1; }
            __global__ void host(int* p) { if (p[0] == 3) p[1] = 1; }
            int main() {
              Node* nodes; int* out; float** rows; int local[2] = {};
              cudaMalloc(&nodes, sizeof(Node)); cudaMalloc(&out, 4); cudaMalloc(&rows, 8);
              list<<<1, 1>>>(nodes, out); SHOW(cudaGetLastError());
              table<<<1, 1>>>(rows); SHOW(cudaGetLastError());
              host<<<1, 1>>>(local); SHOW(cudaGetLastError());
            }""", "--rv32")
        self.assertEqual((status, out), (0, "cudaErrorNotSupported\ncudaErrorNotSupported\ncudaErrorIllegalAddress\n"))
        lines = errors.splitlines()
        self.assertIn("argument 1 'nodes' of kernel list (const Node*): the buffer has another layout in kernels: Node has 8 bytes in a kernel and 16 on the host", lines[0])
        self.assertIn("argument 1 'rows' of kernel table", lines[1])
        self.assertIn("pointers have 4 bytes in a kernel and 8 on the host", lines[1])
        self.assertRegex(lines[2], r"argument 1 'p' of kernel host \(int\*\): 0x[0-9a-f]+ is memory of the host")
        self.assertIn("load of 4 bytes at address 0xf0000000", lines[3])
        self.assertIn("program.cu:", lines[3])

    def test_memory_of_the_host_is_named(self):
        status, out, errors = self.outcome("""
            __global__ void k(int* p) { if (p[0] == 3) p[1] = 1; }
            int main() { int local[2] = {}; k<<<1, 1>>>(local); SHOW(cudaGetLastError()); }""")
        self.assertEqual((status, out), (0, "cudaErrorIllegalAddress\n"))
        self.assertRegex(errors, r"^heddle: argument 1 'p' of kernel k \(int\*\): (0x[0-9a-f]+) is memory of the host.*\nheddle: load of 4 bytes at address \1: unmapped memory.*program.cu:")

    def test_long_is_the_hosts(self):
        program = """
            __global__ void k(long* out, long a, unsigned long b) { out[threadIdx.x] = a * threadIdx.x + (long)b; }
            int main() {
              long* out;
              cudaMallocManaged(&out, 16);
              k<<<1, 2>>>(out, 1l << 40, 5ul << 33);
              SHOW(cudaGetLastError());
              printf("%ld %ld\\n", out[0] >> 33, out[1] >> 33);
            }"""
        self.prints(program, "cudaSuccess\n5 133\n")
        self.prints(program, "cudaSuccess\n5 133\n", "--rv32")
        status, out, errors = self.outcome(program, "--rv32", "--long32", "-w")
        self.assertEqual((status, out), (0, "cudaErrorNotSupported\n0 0\n"))
        self.assertIn("argument 1 'out' of kernel k (long*): the buffer has another layout in kernels: long has 4 bytes in a kernel and 8 on the host", errors)

    def test_a_long_of_four_bytes_is_told(self):
        """Where the host's code does not compile with the kernels' own: one line, with the place."""
        source = self.source("""
            #include <algorithm>
            __global__ void k(long* out) { *out = 1; }
            int main() { long a = 7; printf("%ld\\n", std::max(a, labs(-9))); }""", "mixed.cu")
        status, out, errors = run(NVCC, source, "--rv32", "-o", self.folder / "mixed")
        self.assertEqual((status, out, errors.count("\n")), (0, "", 1), errors)
        self.assertRegex(errors, r"^heddle-nvcc: .*mixed.cu: `long` has 4 bytes in kernels and 8 on the host, .*mixed.cu:8:\d+: error: no matching function for call to 'max'")


class Lost(Programs):
    """An output that was asked for and is lost ends a program that would end with 0 otherwise, with one line."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.program = cls.compile(cls(), """
            __global__ void k() { printf("thread %d\\n", threadIdx.x); }
            int main(int count, char** arguments) { if (count < 3) k<<<1, 4>>>(); cudaDeviceSynchronize(); return count > 1 ? arguments[1][0] - '0' : 0; }""")

    def ends(self, status, line, *arguments, out=subprocess.PIPE, **environment):
        done = subprocess.run([str(self.program), *arguments], env=os.environ | {"HEDDLE_REPORT": "none"} | environment, stdout=out, stderr=subprocess.PIPE,
                              text=True, check=False)
        self.assertEqual((done.returncode, done.stderr.count("\n")), (status, 1), done.stderr)
        self.assertRegex(done.stderr, line)

    def test_full_disk(self):
        picture = self.folder / "full.svg"
        picture.symlink_to("/dev/full")
        document = self.folder / "kept.json"
        with open("/dev/full", "w", encoding="utf-8") as full:
            self.ends(2, "standard output: cannot be written", out=full)
            self.ends(2, "standard output: cannot be written", out=full, HEDDLE_JSON="-")
        self.ends(2, "/dev/full: cannot be written", HEDDLE_JSON="/dev/full")
        self.ends(5, "/dev/full: cannot be written", "5", HEDDLE_JSON="/dev/full")
        self.ends(2, "full.svg: cannot be written", HEDDLE_TIMELINE=str(picture), HEDDLE_JSON=str(document))
        self.assertIn("full.svg", json.loads(document.read_text())["error"]["message"])

    def test_unwritable_folder_and_closed_pipe(self):
        self.ends(2, "no/x.json: cannot be written", HEDDLE_JSON=str(self.folder / "no" / "x.json"))
        reading, writing = os.pipe()
        os.close(reading)
        with open(writing, "w", encoding="utf-8") as pipe:  # Python's children ignore the signal unless told otherwise
            done = subprocess.run([str(self.program)], env=os.environ | {"HEDDLE_REPORT": "none"}, stdout=pipe, stderr=subprocess.PIPE, text=True, check=False,
                                  restore_signals=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("standard output: cannot be written (Broken pipe)", done.stderr)

    def test_what_no_launch_fills(self):
        document = self.folder / "none.json"
        self.assertEqual(run(self.program, "0", "none", HEDDLE_JSON=str(document)), (0, "", ""))
        self.assertEqual(json.loads(document.read_text())["launches"], [])
        self.ends(2, "w.vcd: is not written, because no kernel was launched", HEDDLE_WAVE=str(self.folder / "w.vcd"), HEDDLE_ENGINE="functional")

    def test_a_program_that_calls_nothing(self):
        """But a child that it makes, which ends by itself."""
        idle = self.compile("""
            #include <unistd.h>
            #include <sys/wait.h>
            __global__ void k() {}
            int main(int count, char** arguments) {
              if (count > 9) k<<<1, 1>>>();
              if (fork() == 0) exit(0);
              wait(nullptr);
              return count > 1 && access(getenv("HEDDLE_JSON"), F_OK) == 0 ? 7 : 0;
            }""", name="idle")
        document = self.folder / "idle.json"
        self.assertEqual(run(idle, "child", HEDDLE_JSON=str(document)), (0, "", ""))
        self.assertEqual(json.loads(document.read_text())["launches"], [])
        self.assertEqual(run(idle, HEDDLE_SET="core.x=1"), (0, "", ""))  # nobody asks
        status, _, errors = run(idle, HEDDLE_JSON=str(self.folder / "no" / "x.json"))
        self.assertEqual((status, errors.count("\n")), (2, 1), errors)


class Growth(Programs):
    def test_launches_take_no_memory(self):
        """With reports off, and with the sum alone; a document keeps what it has to say of each launch."""
        program = self.compile("""
            #include <malloc.h>
            __global__ void k(int* p) { if (threadIdx.x & 1) p[threadIdx.x]++; }
            static long long used() { const struct mallinfo2 m = mallinfo2(); return m.uordblks + m.hblkhd; }
            int main() {
              int* p; cudaMalloc(&p, 128); long long before = 0;
              for (int i = 0; i < 3000; ++i) { if (i == 1000) before = used(); k<<<1, 32>>>(p); cudaEvent_t e; cudaEventCreate(&e); cudaEventDestroy(e); }
              printf("%lld\\n", (used() - before) / 2000);
            }""")
        for report in ("none", "sum"):
            status, out, _ = run(program, HEDDLE_REPORT=report)
            self.assertEqual(status, 0)
            self.assertLess(int(out), 100)


class Errors(Programs):
    def test_a_bad_launch_is_forgotten_and_a_fault_is_not(self):
        status, out, errors = self.outcome("""
            __global__ void k(int* p) { p[threadIdx.x] = 1; }
            int main() {
              int* p;
              cudaMalloc(&p, 4 * 32);
              k<<<1, 2000>>>(p); SHOW(cudaGetLastError()); SHOW(cudaGetLastError());
              k<<<1, 32, 1 << 20>>>(p); SHOW(cudaPeekAtLastError()); SHOW(cudaGetLastError()); SHOW(cudaGetLastError());
              SHOW(cudaMemcpy(p, p + 16, 4 * 32, cudaMemcpyDeviceToDevice));
              SHOW(cudaFree((char*)p + 8));
              k<<<1, 32>>>(p + 10000000); SHOW(cudaGetLastError()); SHOW(cudaGetLastError());
              int* q; SHOW(cudaMalloc(&q, 4)); SHOW(cudaDeviceSynchronize());
            }""")
        self.assertEqual((status, out.split()), (0, ["cudaErrorInvalidConfiguration", "cudaSuccess", "cudaErrorLaunchOutOfResources", "cudaErrorLaunchOutOfResources",
                                                    "cudaSuccess", "cudaErrorInvalidValue", "cudaErrorInvalidDevicePointer"] + 4 * ["cudaErrorIllegalAddress"]))
        self.assertIn("at most 1024 threads a block", errors)
        self.assertRegex(errors, r"store of 4 bytes at address 0x\w+: unmapped memory \(nearest: offset 40000000 of a buffer, 128 bytes at 0x100000000\) in kernel .*program.cu:\d+ \(k")

    def test_a_little_beyond_a_buffer(self):
        """No fault and no other buffer touched, unless run.bounds is asked for."""
        source = """
            __global__ void k(int* p, int n) { p[n] = 7; }
            int main(int, char** arguments) {
              int *a, *b, *freed, back = -1;
              cudaMalloc(&a, 1024); cudaMalloc(&b, 1024); cudaMalloc(&freed, 64); cudaFree(freed);
              cudaMemset(a, 0, 1024); cudaMemset(b, 0, 1024);
              k<<<1, 1>>>(arguments[1][0] == 'f' ? freed : arguments[1][0] == 'a' ? a : b, atoi(arguments[2]));
              SHOW(cudaDeviceSynchronize());
              cudaMemcpy(&back, a, 4, cudaMemcpyDeviceToHost); printf("%d ", back);
              cudaMemcpy(&back, b, 4, cudaMemcpyDeviceToHost); printf("%d\\n", back);
            }"""
        program = self.compile("#include <cstdlib>\n" + source)
        outside = "outside every buffer and variable (nearest: "
        for buffer, word, told in (("a", 256, outside + "offset 1024 of argument 1 'p', 1024 bytes at 0x100000000"),
                                   ("a", -64, "unmapped memory (nearest: offset -256 of argument 1 'p', 1024 bytes at 0x100000000"),
                                   ("b", -1, outside + "offset -4 of argument 1 'p', 1024 bytes at 0x100000800"),
                                   ("f", 0, "a buffer that was freed (nearest: offset 0 of argument 1 'p', 64 bytes at 0x100001000")):
            for engine in ("systemc", "functional"):
                with self.subTest(buffer=buffer, word=word, engine=engine):
                    self.assertEqual(run(program, buffer, word, HEDDLE_ENGINE=engine), (0, "cudaSuccess\n0 0\n", ""))
                    status, out, errors = run(program, buffer, word, HEDDLE_ENGINE=engine, HEDDLE_SET="run.bounds=true")
                    self.assertEqual((status, out), (0, "cudaErrorIllegalAddress\n-1 -1\n"))
                    self.assertRegex(errors, r"^heddle: store of 4 bytes at address 0x\w+: " + re.escape(told) + r"\) in kernel \w+: thread \(0,0,0\) of block \(0,0,0\) .*program\.cu:\d+ .*\n$")

    def test_double_in_software_is_told_once_a_kernel(self):
        source = """
            __global__ void doubles(float* p) { for (int i = 0; i < 20; ++i) p[threadIdx.x] = 0.5 * p[threadIdx.x] + 2.0; }
            __global__ void floats(float* p) { for (int i = 0; i < 20; ++i) p[threadIdx.x] = 0.5f * p[threadIdx.x] + 2.0f; }
            int main() { float* p; cudaMalloc(&p, 128); for (int i = 0; i < 3; ++i) { doubles<<<1, 32>>>(p); floats<<<1, 32>>>(p); } SHOW(cudaDeviceSynchronize()); }"""
        program = self.compile(source, "--rv32")
        _, _, errors = run(program, HEDDLE_REPORT="sum")
        self.assertEqual([line for line in errors.splitlines() if "note" in line], [line for line in errors.splitlines() if line.startswith("heddle: ")])
        self.assertRegex(errors, r"(?m)^heddle: note: kernel doubles: \d\d % of its instructions are in (__\w+df\w+, )+__\w+df\w+(, \.\.\.)?; "
                                 r"double is computed in software: write 2\.0f for 2\.0, sqrtf for sqrt, float for double$")
        self.assertEqual(errors.count("note"), 1)
        self.assertEqual(run(program), (0, "cudaSuccess\n", ""))

    def test_assert_and_trap(self):
        status, out, errors = self.outcome("""
            __global__ void k(int n) { assert(threadIdx.x + n != 35); }
            int main() { k<<<2, 32>>>(1); SHOW(cudaDeviceSynchronize()); k<<<1, 64>>>(1); SHOW(cudaDeviceSynchronize()); SHOW(cudaGetLastError()); }""")
        self.assertEqual((status, errors), (0, ""))
        self.assertRegex(out, r"^cudaSuccess\n.*program.cu:\d+: void k\(int\): block: \[0,0,0\], thread: \[34,0,0\] Assertion `threadIdx.x \+ n != 35` failed.\n"
                              r"cudaErrorAssert\ncudaErrorAssert\n$")
        for trap in ("__trap()", 'asm("trap;")', 'asm volatile("trap;")'):
            status, out, errors = self.outcome(f"__global__ void k() {{ if (threadIdx.x == 3) {trap}; }}\nint main() {{ k<<<1, 8>>>(); SHOW(cudaDeviceSynchronize()); }}")
            self.assertEqual((status, out), (0, "cudaErrorIllegalInstruction\n"), trap)
            self.assertIn("1 thread ended by a trap: first thread (3,0,0) of block (0,0,0)", errors, trap)

    def test_each_fault_has_its_name(self):
        """Whatever words are in the kernel's own name."""
        program = self.compile("""
            #include <cstdlib>
            __global__ void misaligned_instruction(int* p, int n) { p[n] = 1; }
            __global__ void store(int* p, int n) { *(int*)((char*)p + n) = 1; }
            __global__ void jump(unsigned there) { ((void (*)())(size_t)there)(); }
            int main(int, char** arguments) {
              int* p; cudaMalloc(&p, 1024);
              const int n = atoi(arguments[2]);
              if (arguments[1][0] == 'm') misaligned_instruction<<<1, 1>>>(p, n);
              if (arguments[1][0] == 's') store<<<1, 1>>>(p, n);
              if (arguments[1][0] == 'j') jump<<<1, 1>>>(n);
              SHOW(cudaDeviceSynchronize());
            }""")
        for kernel, number, name in (("m", 100000000, "IllegalAddress"), ("s", 2, "MisalignedAddress"), ("j", 0, "InvalidPc"),
                                     ("j", 2, "MisalignedAddress"), ("j", 0x20000000, "IllegalInstruction")):
            for engine in ("systemc", "functional"):
                with self.subTest(kernel=kernel, number=number, engine=engine):
                    self.assertEqual(run(program, kernel, number, HEDDLE_ENGINE=engine)[:2], (0, f"cudaError{name}\n"))

    def test_out_of_memory(self):
        self.assertEqual(self.outcome("""
            int main() {
              void *p, *q; size_t free_bytes, total;
              SHOW(cudaMalloc(&p, 600u << 20)); SHOW(cudaMalloc(&q, 600u << 20)); SHOW(cudaFree(p)); SHOW(cudaMalloc(&q, 600u << 20));
              cudaMemGetInfo(&free_bytes, &total); printf("%zu of %zu\\n", free_bytes >> 20, total >> 20);
            }""")[:2], (0, "cudaSuccess\ncudaErrorMemoryAllocation\ncudaSuccess\ncudaSuccess\n424 of 1024\n"))

    def test_warp_wide_operations_need_warps(self):
        for mechanism, text in (("dwf", "mechanism dwf has no warps that a program could know"), ("mimd", "mechanism mimd has no warps")):
            status, out, errors = run(f"{EXAMPLES}/cuda_template_reduce", HEDDLE_SET=f"mechanism={mechanism} core.lanes=32")
            self.assertEqual((status, out), (1, "template_reduce: cudaGetLastError(): operation not supported\n"))
            self.assertIn(text, errors)

    def test_part_of_a_warp(self):
        """Where a part of a warp may run ahead, a vote of it is refused; branches alone part a warp as the program says."""
        program = self.compile("""
            __global__ void votes(int* out) { if (threadIdx.x & 1) out[threadIdx.x] = __ballot(threadIdx.x < 8); }
            __global__ void waits(int* out) { if (threadIdx.x & 1) { out[threadIdx.x] = 0xaa; __syncwarp(0xaaaaaaaa); } }
            int main(int argc, char**) {
              int* p; cudaMallocManaged(&p, 128);
              if (argc == 1) votes<<<1, 32>>>(p); else waits<<<1, 32>>>(p);
              SHOW(cudaGetLastError()); printf("%x\\n", p[5]);
            }""")
        for kernel in ((), ("waits",)):
            with self.subTest(kernel=kernel):
                for mechanism in ("spe", "dpe"):
                    self.assertEqual(run(program, *kernel, HEDDLE_SET=f"mechanism={mechanism} run.oracle=true"), (0, "cudaSuccess\naa\n", ""))
                self.assertEqual(run(program, *kernel, HEDDLE_ENGINE="functional"), (0, "cudaSuccess\naa\n", ""))
                for mechanism, text in (("dws", "by 16 of the warp's 32 threads: with mechanism dws"), ("mimd", "mechanism mimd has no warps")):
                    status, out, errors = run(program, *kernel, HEDDLE_SET=f"mechanism={mechanism} core.lanes=32 core.predicate=0")
                    self.assertIn("cudaErrorNotSupported", out)
                    self.assertIn(text, errors)


class Modules(Programs):
    MAIN = """
        static __device__ int v = 5;
        __constant__ int table[4] = {1, 2, 3, 4};
        __device__ int inc(int x) { return x + 1; }
        __device__ int (*function)(int);
        static __global__ void k(int* p) { function = inc; p[threadIdx.x] = function(v + table[threadIdx.x & 3]); }
        int other(int* p);
        int main() {
          int* p; int w = 100;
          cudaMallocManaged(&p, 256);
          k<<<1, 4>>>(p); printf("%d ", p[3]);
          cudaMemcpyToSymbol(v, &w, sizeof w); k<<<1, 4>>>(p); printf("%d ", p[3]);
          printf("%d\\n", other(p));
        }"""
    OTHER = """
        static __device__ int v = 77;
        static const char* const __device__ word = "heddle";
        __constant__ int table[4] = {5, 6, 7, 8};
        static __global__ void k(int* p) { p[threadIdx.x] = v + table[threadIdx.x & 3] + word[1]; }
        int other(int* p) { k<<<1, 4>>>(p); cudaDeviceSynchronize(); return p[3]; }"""

    def test_objects_and_their_names(self):
        """Two sources with kernels and variables of the same names, linked by heddle-nvcc and by g++."""
        sources = [self.source(self.MAIN, "main.cu"), self.source(self.OTHER, "other.cu")]
        objects = [s.with_suffix(".o") for s in sources]
        for s, o in zip(sources, objects):
            self.assertEqual(run(NVCC, "-c", s, "-o", o), (0, "", ""))
        library = pathlib.Path(NVCC).parent.parent / "lib"
        self.assertEqual(run("g++", *objects, "-L" + str(library), "-lheddle_cudart", "-Wl,-rpath," + str(library), "-o", self.folder / "by_gcc"), (0, "", ""))
        self.assertEqual(run(NVCC, *sources, "-o", self.folder / "by_nvcc"), (0, "", ""))
        for program in ("by_gcc", "by_nvcc"):
            self.assertEqual(run(self.folder / program, HEDDLE_SET="run.oracle=true"), (0, f"10 105 {77 + 8 + ord('e')}\n", ""))

    def test_toolkit_of_makefiles(self):
        """CUDA_DIR as makefiles know it: bin/nvcc, include, lib64 with libcudart and libcuda."""
        toolkit = pathlib.Path(NVCC).parent.parent / "toolkit"
        main = self.source('#include <cuda.h>\n#include <helper_cuda.h>\n#include <helper_timer.h>\n__global__ void k(int* p) { *p = 3; }\n'
                           'int main() { int* p; StopWatchInterface* t; sdkCreateTimer(&t); checkCudaErrors(cudaMallocManaged(&p, 4)); k << < 1, 1 >> > (p); '
                           'getLastCudaError("k"); printf("%d %d\\n", *p, cudaSuccess == CUDA_SUCCESS); sdkDeleteTimer(&t); }', "tool.cu")
        (self.folder / "Makefile.tool").write_text("tool: tool.o\n\tg++ $^ -o $@ -L$(CUDA_DIR)/lib64 -lcuda -lcudart -lm\n%.o: %.cu\n\t$(CUDA_DIR)/bin/nvcc -I$(CUDA_DIR)/include -c $< -o $@\n")
        self.assertEqual(run("make", "-s", "-C", main.parent, "-f", "Makefile.tool", f"CUDA_DIR={toolkit}"), (0, "", ""))
        self.assertEqual(run(self.folder / "tool", LD_LIBRARY_PATH=str(toolkit / "lib64")), (0, "3 1\n", ""))

    def test_with_c_and_cpp(self):
        (self.folder / "half.c").write_text("#include <cuda_runtime_api.h>\nint devices(void) { int n = 0; cudaGetDeviceCount(&n); return n; }\n")
        (self.folder / "more.cpp").write_text("#include <cuda_runtime.h>\nfloat4 four() { return make_float4(1, 2, 3, 4); }\n")
        main = self.source('extern "C" int devices(void); float4 four();\nint main() { printf("%d %g\\n", devices(), four().w); }', "main.cu")
        self.assertEqual(run(NVCC, main, self.folder / "half.c", self.folder / "more.cpp", "-o", self.folder / "mixed"), (0, "", ""))
        self.assertEqual(run(self.folder / "mixed"), (0, "1 4\n", ""))


class Values(Programs):
    """What a kernel's values are where C++ leaves them open and CUDA does not."""
    LEADER = """
        struct Pair { int first, second; };
        __device__ __noinline__ int value(int v) { return __shfl_sync(~0u, v, 0); }
        __device__ __noinline__ int* pointer(int* p) { return (int*)__shfl_sync(~0u, (size_t)p, 0); }
        __device__ __noinline__ int of_pair(Pair p) { return __shfl(p.first, 0) + __shfl(p.second, 0); }
        __device__ __noinline__ int only_leader_returns(int* c, int lane) { int v; if (lane == 0) v = atomicAdd(c, 32); return v; }
        template <class T> __device__ T inlined(T v) { return __shfl_sync(~0u, v, 0); }
        __global__ void k(int* c, int* out) {
          const int lane = threadIdx.x & 31;
          int a, b, *p; Pair pair; float f;
          if (lane == 0) a = atomicAdd(c, 32);
          out[threadIdx.x] = value(a) + lane;
          if (lane == 0) p = out + 64 + atomicAdd(c + 1, 32);
          pointer(p)[lane] = lane;
          if (lane == 0) { pair.first = atomicAdd(c + 2, 32); pair.second = atomicAdd(c + 3, 32); }
          out[threadIdx.x + 128] = of_pair(pair) + lane;
          out[threadIdx.x + 192] = __shfl_sync(~0u, only_leader_returns(c + 4, lane), 0) + lane;
          if (lane == 0) f = (float)atomicAdd(c + 5, 32);
          out[threadIdx.x + 256] = (int)inlined(f) + lane;
          if (lane % 3 == 1) {
            const unsigned active = __activemask();
            const int rank = __popc(active & ((1u << lane) - 1));
            if (rank == 0) b = atomicAdd(c + 6, __popc(active));
            b = __shfl_sync(active, b, __ffs(active) - 1);
            out[320 + b + rank] = 1;
          }
        }
        int main() {
          int *c, *out, wrong = 0;
          cudaMallocManaged(&c, 28); cudaMallocManaged(&out, 4 * 384);
          k<<<1, 64>>>(c, out);
          cudaDeviceSynchronize();
          for (int i = 0; i < 7; ++i) printf("%d ", c[i]);
          for (int i = 0; i < 64; ++i) {
            for (int from : {0, 64, 192, 256}) wrong += (out[from + i] & 31) != (i & 31) || (from != 64 && ((out[i] ^ out[from + i]) & 32) != 0);
            wrong += out[128 + i] % 64 != (i & 31);
            wrong += out[320 + i] != (i < c[6]);
          }
          printf("%d\\n", wrong);
        }"""

    def test_what_only_the_leader_has_set(self):
        """As argument by value, as pointer, in a structure, as result; it is shuffled to the others before anyone looks at it."""
        for options in ((), ("-G",), ("--linearize=all-branches",)):
            with self.subTest(options=options):
                self.prints(self.LEADER, "64 64 64 64 64 64 22 0\n", *options)

    def test_floats_that_no_integer_holds(self):
        """Casts and functions as PTX has them: the nearest value, and one for NaN. The expectation is computed from the floats as such."""
        program = """
            __global__ void f(float x, int* o, long long* l) {
              o[0] = (int)x; o[1] = (int)(unsigned)x; o[2] = __float2int_rz(x); o[3] = (int)__float2uint_rz(x); l[0] = (long long)x; l[1] = (long long)(unsigned long long)x;
            }
            __global__ void d(double x, int* o, long long* l) {
              o[0] = (int)x; o[1] = (int)(unsigned)x; o[2] = __double2int_rz(x); o[3] = (int)__double2uint_rz(x); l[0] = __double2ll_rz(x); l[1] = (long long)__double2ull_rz(x);
            }
            __global__ void modes(float x, int* o, long long* l) {
              o[0] = __float2int_rn(x); o[1] = __float2int_rd(x); o[2] = __float2int_ru(x); o[3] = (int)__float2uint_ru(x); l[0] = __float2ll_rd(x); l[1] = __double2ll_rn(x);
            }
            int main(int n, char** words) {
              int* o; long long* l; cudaMallocManaged(&o, 64); cudaMallocManaged(&l, 64);
              auto show = [&] { cudaDeviceSynchronize(); for (int i = 0; i < 4; ++i) printf("%x ", o[i]); printf("%llx %llx\\n", l[0], l[1]); };
              for (int i = 1; i < n; ++i) { const double x = strtod(words[i], nullptr); f<<<1, 1>>>((float)x, o, l); show(); d<<<1, 1>>>(x, o, l); show(); }
              modes<<<1, 1>>>(-2.5f, o, l); show(); modes<<<1, 1>>>(nanf(""), o, l); show();
            }"""
        values = [0.0, -0.75, 2.5, -7.75, 2147483648.0, -2147483648.0, 4294967295.0, 4294967296.0, -3e9, 9.3e18, -2.0 ** 63, 2.0 ** 64, 1e30, -1e30, math.inf, -math.inf, math.nan]

        def integer(x, width, signed, single):
            if math.isnan(x):
                return 0 if single and width == 32 else 1 << (width - 1)
            low, high = (-(1 << width - 1), (1 << width - 1) - 1) if signed else (0, (1 << width) - 1)
            return (low if x <= low else high if x >= high else int(x)) & ((1 << width) - 1)

        expected = ""
        for value in values:
            for single in (True, False):
                x = struct.unpack("f", struct.pack("f", value))[0] if single else value
                of = [integer(x, width, signed, single) for width, signed in ((32, True), (32, False), (32, True), (32, False), (64, True), (64, False))]
                expected += " ".join(f"{v:x}" for v in of) + "\n"
        expected += "fffffffe fffffffd fffffffe 0 fffffffffffffffd fffffffffffffffe\n0 0 0 0 8000000000000000 8000000000000000\n"
        for options in ((), ("-G",)):
            with self.subTest(options=options):
                self.assertEqual(run(self.compile(program, *options), *values, HEDDLE_ENGINE="functional"), (0, expected, ""))

    def test_restrict_is_a_threads_own(self):
        """What another thread has written before a barrier is there behind it, also through a pointer with __restrict__ and in a function."""
        for barrier in ("__syncthreads();", "wait();"):
            self.prints("""
                __device__ __noinline__ void wait() { __syncthreads(); }
                __global__ void k(int* __restrict__ at, int* __restrict__ out) {
                  int sum = 0;
                  for (int i = 0; i < 3; ++i) { sum += at[0]; BARRIER if (threadIdx.x == 0) at[0] = i + 7; BARRIER }
                  out[threadIdx.x] = sum + at[0];
                }
                int main() { int* o; cudaMallocManaged(&o, 4 * 65); k<<<1, 64>>>(o + 64, o); cudaDeviceSynchronize(); printf("%d %d %d", o[0], o[1], o[63]); }"""
                        .replace("BARRIER", barrier), "24 24 24")

    def test_a_loop_without_an_end(self):
        """It stays in its kernel; what stands behind it in the program is not run."""
        program = """
            __global__ void before(int* p) { *p = 1; }
            __global__ void forever(int* p) { for (;;) {} }
            __global__ void behind(int* p) { *p = 77; }
            int main() { int* p; cudaMallocManaged(&p, 4); *p = 0; forever<<<1, 32>>>(p); SHOW(cudaDeviceSynchronize()); printf("%d\\n", *p); }"""
        status, out, errors = self.outcome(program)
        self.assertEqual((status, out), (0, "cudaErrorLaunchTimeout\n0\n"))
        self.assertRegex(errors, r"^heddle: watchdog: livelock in kernel \w*forever.*\n$")


class Variables(Programs):
    def test_whatever_their_linkage(self):
        """Copies to variables and from them: in unnamed namespaces, of unnamed types, of templates, of types that differ between the halves; the kernel sees them."""
        self.prints("""
            namespace { __constant__ int c; __device__ int d = 5; __constant__ long l; texture<int> tex; }
            __constant__ struct { int n; float f; } unnamed;
            namespace a { namespace { namespace b { __device__ struct { int n; } array[3]; } } }
            static __device__ enum { A, B } e;
            template <class T> __device__ T t = 3;
            __global__ void k(int* out) {
              out[0] = c; out[1] = d++; out[2] = unnamed.n; out[3] = a::b::array[1].n; out[4] = e; out[5] = t<int>; out[6] = (int)(l >> 32); out[7] = tex1Dfetch(tex, 1);
            }
            template <class T> void put(T& variable, int value) {
              int back = 0;
              if (cudaMemcpyToSymbol(variable, &value, 4) != cudaSuccess || cudaMemcpyFromSymbol(&back, variable, 4) != cudaSuccess || back != value) printf("wrong: %d\\n", value);
            }
            int main() {
              int *out, d; long l = 17l << 32; int* buffer;
              put(c, 10); put(unnamed, 12); put(a::b::array[0], 11); put(e, 14); put(t<int>, 15);
              const int three[] = {1, 13, 2}; SHOW(cudaMemcpyToSymbol(a::b::array, three, 12));
              SHOW(cudaMemcpyToSymbol(::l, &l, 8));
              cudaMallocManaged(&out, 32); cudaMallocManaged(&buffer, 8); buffer[0] = 18; buffer[1] = 19;
              SHOW(cudaBindTexture(nullptr, tex, buffer, 8));
              k<<<1, 1>>>(out);
              SHOW(cudaMemcpyFromSymbol(&d, ::d, 4));
              for (int i = 0; i < 8; ++i) printf("%d ", out[i]);
              printf("%d\\n", d);
            }""",
            "cudaSuccess\ncudaSuccess\ncudaSuccess\ncudaSuccess\n10 5 12 13 14 15 17 19 6\n")

    def test_by_their_names(self):
        """As CUDA's first years had it; an array of characters is itself, whatever it holds."""
        self.prints("""
            __constant__ int c[2]; namespace a { __device__ float f; } __device__ char text[4] = "c";
            __global__ void k(int* o) { o[0] = c[0] + c[1]; o[1] = a::f; o[2] = text[0]; }
            int main() {
              int *o, in[] = {3, 4}; float f = 5; char t[4] = "x";
              SHOW(cudaMemcpyToSymbol("c", in, 8)); SHOW(cudaMemcpyToSymbol("a::f", &f, 4, 0)); SHOW(cudaMemcpyToSymbol(text, t, 4)); SHOW(cudaMemcpyToSymbol("d", in, 4));
              cudaMallocManaged(&o, 12); k<<<1, 1>>>(o); SHOW(cudaMemcpyFromSymbol(in, "c", 8)); printf("%d %d %c %d\\n", o[0], o[1], o[2], in[1]);
            }""", "cudaSuccess\ncudaSuccess\ncudaSuccess\ncudaErrorInvalidSymbol\ncudaSuccess\n7 5 x 4\n")

    def test_without_a_use_in_kernels(self):
        """They have their storage and their value."""
        self.prints("""
            __device__ int a = 4; static __constant__ int b[2]; namespace { __device__ int c; } template <class T> __device__ T t = 3;
            __global__ void k() {}
            template <class T> void put(T& variable, int value) { int first, back; SHOW(cudaMemcpyFromSymbol(&first, variable, 4)); SHOW(cudaMemcpyToSymbol(variable, &value, 4));
              SHOW(cudaMemcpyFromSymbol(&back, variable, 4)); printf("%d %d\\n", first, back); }
            int main() { put(a, 10); put(b, 11); put(c, 12); put(t<int>, 13); put(t<long long>, 14); }""",
            "".join(3 * "cudaSuccess\n" + f"{first} {then}\n" for first, then in ((4, 10), (0, 11), (0, 12), (3, 13), (3, 14))))

    def test_a_copy_that_no_kernel_would_see(self):
        status, out, errors = self.outcome("""
            const __constant__ float folded[2] = {1, 2}, indexed[2] = {3, 4};
            int plain;
            __global__ void k(float* p, int i) { p[0] = folded[1] + indexed[i]; }
            int main() {
              float v = 5;
              SHOW(cudaMemcpyToSymbol(folded, &v, 4)); SHOW(cudaMemcpyToSymbol(indexed, &v, 4)); SHOW(cudaMemcpyToSymbol(indexed, &v, 4)); SHOW(cudaMemcpyToSymbol(plain, &v, 4));
              SHOW(cudaMemcpyFromSymbol(&v, plain, 4)); SHOW(cudaMemcpyFromSymbol(&v, indexed, 4)); printf("%g\\n", v);
            }""")
        self.assertEqual((status, out), (0, 5 * "cudaErrorInvalidSymbol\n" + "cudaSuccess\n3\n"))
        self.assertEqual(len(errors.splitlines()), 2, errors)
        self.assertIn("variable folded: not in the program of its kernels", errors)
        self.assertIn("variable indexed: it is const", errors)
        status, out, errors = self.outcome("""
            namespace { __constant__ int c; }
            int main() { int v = 5; for (int i = 0; i < 2; ++i) SHOW(cudaMemcpyToSymbol(c, &v, 4)); SHOW(cudaMemcpyFromSymbol(&v, c, 4)); }""")
        self.assertEqual((status, out), (0, "cudaSuccess\ncudaSuccess\ncudaErrorInvalidSymbol\n"))
        self.assertRegex(errors, r"^heddle: variable \(anonymous namespace\)::c: its source file has no kernel.*\n$")

    def test_each_file_has_its_own(self):
        """The same name in three files, in one of them without a kernel that uses it, in another one without any kernel."""
        files = [self.source(text, f"part{i}.cu") for i, text in enumerate((
            "namespace { __constant__ int c; }\nvoid first(int v) { cudaMemcpyToSymbol(c, &v, 4); }\n",
            "namespace { __constant__ int c; }\n__global__ void unrelated() {}\nvoid second(int v) { cudaMemcpyToSymbol(c, &v, 4); }\n",
            """namespace { __constant__ int c; }
               __global__ void k(int* p) { *p = c; }
               void first(int v); void second(int v);
               int main() { int *p, v = 3; cudaMallocManaged(&p, 4); cudaMemcpyToSymbol(c, &v, 4); first(1); second(2); k<<<1, 1>>>(p); SHOW(cudaDeviceSynchronize()); printf("%d\\n", *p); }"""))]
        for order in (files, files[::-1]):
            program = self.folder / "parts"
            self.assertEqual(run(NVCC, *order, "-o", program), (0, "", ""))
            status, out, errors = run(program)
            self.assertEqual((status, out, errors.count("\n")), (0, "cudaSuccess\n3\n", 1), errors)


class SharedMemory(Programs):
    PROGRAM = """
        __device__ __noinline__ int both(int i) { __shared__ int t[256]; t[threadIdx.x] = i; __syncthreads(); return t[threadIdx.x ^ 3]; }
        __device__ int one(int i) { __shared__ int t[1000]; t[threadIdx.x] = i; __syncthreads(); return t[threadIdx.x ^ 1]; }
        __device__ int (*pointer)(int);
        template <class T> __global__ void tiles(T* p) { __shared__ T t[7000]; t[threadIdx.x] = threadIdx.x; __syncthreads(); p[threadIdx.x] = t[threadIdx.x ^ 1] + both(threadIdx.x); }
        __global__ void dynamic(int* p) {
          extern __shared__ int d[];
          __shared__ int t[64];
          d[threadIdx.x] = t[threadIdx.x] = threadIdx.x; __syncthreads();
          p[threadIdx.x] = d[threadIdx.x ^ 5] + t[threadIdx.x ^ 6] + both(1) + __syncthreads_count(threadIdx.x < 7);
        }
        __global__ void only(int* p) { extern __shared__ int e[]; e[threadIdx.x + 12000] = threadIdx.x; __syncthreads(); p[threadIdx.x] = e[(threadIdx.x ^ 2) + 12000]; }
        __global__ void indirect(int* p) { pointer = one; __syncthreads(); p[threadIdx.x] = pointer(threadIdx.x); }
        __global__ void none(int* p) { p[threadIdx.x] = 1; }"""

    def test_each_kernel_has_its_own(self):
        """Kernels whose variables do not fit together all run: their own tiles, those of functions that several call, dynamic memory, calls through pointers."""
        program = self.compile(self.PROGRAM + """
            void show(int* p, void (*kernel)(int*), int shared) {
              cudaFuncAttributes a; int blocks;
              cudaFuncGetAttributes(&a, (const void*)kernel);
              cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 64, shared);
              kernel<<<2, 64, shared>>>(p);
              printf("%s %d %d:", cudaGetErrorName(cudaDeviceSynchronize()), (int)a.sharedSizeBytes, blocks);
              for (int i : {0, 7, 63}) printf(" %d", p[i]);
              printf("\\n");
            }
            int main() {
              int* p; cudaMallocManaged(&p, 256);
              show(p, tiles<int>, 0); show(p, dynamic, 256); show(p, only, 48256); show(p, indirect, 0); show(p, none, 0);
              float* f; cudaMallocManaged(&f, 256); tiles<<<2, 64>>>(f); SHOW(cudaDeviceSynchronize()); printf("%g\\n", f[9]);
            }""")
        expected = ("cudaSuccess 29024 1: 4 10 122\ncudaSuccess 1296 8: 19 11 123\ncudaSuccess 0 1: 2 5 61\ncudaSuccess 4000 8: 1 6 62\n"
                    "cudaSuccess 0 8: 1 1 1\ncudaSuccess\n18\n")
        for mechanism in ("spe", "dpe"):
            with self.subTest(mechanism=mechanism):
                self.assertEqual(run(program, HEDDLE_SET=f"mechanism={mechanism} run.oracle=true"), (0, expected, ""))
        self.assertEqual(run(program, HEDDLE_ENGINE="functional"), (0, expected, ""))

    def test_a_kernel_that_is_not_launched_costs_nothing(self):
        """The same cycles, with it and without."""
        program = """
            __global__ void k(int* p) { int v = p[threadIdx.x]; for (int i = 0; i < 9; ++i) v = p[v & 1023] + i; p[threadIdx.x + blockIdx.x * 64] = v; }
            #ifdef MORE
            __global__ void more(int* p) { __shared__ int t[6000]; t[threadIdx.x] = p[0]; __syncthreads(); p[0] = t[p[1]]; }
            #endif
            int main() { int* p; cudaMalloc(&p, 4096); cudaMemset(p, 0, 4096); k<<<16, 64>>>(p); SHOW(cudaDeviceSynchronize()); }"""
        report, cycles = self.folder / "c.json", set()
        for options in ((), ("-DMORE",)):
            self.assertEqual(run(self.compile(program, *options), HEDDLE_JSON=str(report)), (0, "cudaSuccess\n", ""))
            cycles.add(json.loads(report.read_text())["stats"]["cycles"])
        self.assertEqual(len(cycles), 1)

    def test_of_several_files(self):
        """Each file's kernels have theirs, wherever the program of the file stands on the device."""
        files = [self.source(f"""
            __global__ void k{i}(int* p) {{ __shared__ int t[{5000 + i}]; t[threadIdx.x] = threadIdx.x + {i}; __syncthreads(); p[threadIdx.x] = t[threadIdx.x ^ 1]; }}
            void run{i}(int* p) {{ k{i}<<<1, 32>>>(p); }}""", f"tile{i}.cu") for i in range(3)]
        main = self.source("void run0(int*); void run1(int*); void run2(int*);\n"
                           "int main() { int* p; cudaMallocManaged(&p, 128); run0(p); printf(\"%d \", p[4]); run1(p); printf(\"%d \", p[4]); run2(p); printf(\"%d\", p[4]); }", "tiles.cu")
        program = self.folder / "tiles"
        self.assertEqual(run(NVCC, *files, main, "-o", program), (0, "", ""))
        self.assertEqual(run(program, HEDDLE_SET="run.oracle=true"), (0, "5 6 7", ""))


class Memory(Programs):
    def test_copies(self):
        self.prints("""
            int main() {
              unsigned char host[6 * 10], back[6 * 10] = {}; char* p; size_t pitch;
              for (int i = 0; i < 60; ++i) host[i] = i;
              SHOW(cudaMallocPitch(&p, &pitch, 10, 6)); printf("%zu\\n", pitch);
              SHOW(cudaMemcpy2D(p, pitch, host, 10, 10, 6, cudaMemcpyHostToDevice));
              SHOW(cudaMemset2D(p + 2, pitch, 7, 3, 2));
              SHOW(cudaMemcpy2D(back, 10, p, pitch, 10, 6, cudaMemcpyDeviceToHost));
              for (int i = 0; i < 20; ++i) printf("%d ", back[i]);
              printf("%d\\n", back[59]);
              SHOW(cudaMemcpy2D(back, 5, p, pitch, 10, 6, cudaMemcpyDeviceToHost));
              SHOW(cudaMemcpy(back, host, 60, (cudaMemcpyKind)9));
              SHOW(cudaMemcpy(host, back, 60, cudaMemcpyHostToDevice));
              int *m; cudaMallocManaged(&m, 40); for (int i = 0; i < 10; ++i) m[i] = i; cudaMemcpy(m + 5, m, 20, cudaMemcpyDefault); printf("%d\\n", m[9]);
              float* h; void* d; SHOW(cudaHostAlloc(&h, 64, cudaHostAllocMapped)); SHOW(cudaHostGetDevicePointer(&d, h, 0)); SHOW(cudaFreeHost(h));
            }""", "cudaSuccess\n256\ncudaSuccess\ncudaSuccess\ncudaSuccess\n0 1 7 7 7 5 6 7 8 9 10 11 7 7 7 15 16 17 18 19 59\ncudaErrorInvalidPitchValue\n"
                  "cudaErrorInvalidMemcpyDirection\ncudaErrorInvalidValue\n4\ncudaSuccess\ncudaSuccess\ncudaSuccess\n")

    def test_symbols(self):
        """Variables whose layout differs are converted member by member, both ways."""
        self.prints("""
            struct Item { int id; float* data; long count; };
            __constant__ Item items[3];
            __device__ float* pointer;
            __device__ int used;
            namespace inner { __device__ double value = 2.5; }
            __global__ void k(float* out) { out[threadIdx.x] = items[threadIdx.x].data[0] * items[threadIdx.x].count + items[threadIdx.x].id + *pointer; ++inner::value; }
            int main() {
              float *data, *out; Item host[3], back[3]; double value; size_t bytes; void* address;
              cudaMallocManaged(&data, 12); cudaMallocManaged(&out, 12);
              for (int i = 0; i < 3; ++i) { data[i] = i + 1; host[i] = {10 * i, data + i, 100l}; }
              SHOW(cudaMemcpyToSymbol(items, host, sizeof host)); float* second = data + 1; SHOW(cudaMemcpyToSymbol(pointer, &second, sizeof second));
              k<<<1, 3>>>(out); SHOW(cudaGetLastError());
              printf("%g %g %g\\n", out[0], out[1], out[2]);
              host[1].count = 1; SHOW(cudaMemcpyToSymbol(items, host + 1, sizeof(Item), sizeof(Item))); SHOW(cudaMemcpyFromSymbol(back, items, sizeof back));
              printf("%d %ld %d\\n", back[1].id, back[1].count, back[2].data == data + 2);
              cudaMemcpyFromSymbol(&value, inner::value, sizeof value); cudaGetSymbolSize(&bytes, items); printf("%g %zu\\n", value, bytes);
              SHOW(cudaGetSymbolAddress(&address, inner::value)); value = 8; cudaMemcpy(address, &value, 8, cudaMemcpyHostToDevice); cudaMemcpyFromSymbol(&value, inner::value, 8); printf("%g\\n", value);
              SHOW(cudaMemcpyToSymbol(inner::value, host, 9));
            }""", "cudaSuccess\ncudaSuccess\ncudaSuccess\n102 212 322\ncudaSuccess\ncudaSuccess\n10 1 1\n3.5 72\ncudaSuccess\n8\ncudaErrorInvalidValue\n")

    def test_the_pool(self):
        """One pool: what a program sets it gets back, and memory of it is memory."""
        self.prints("""
            int main() {
              cudaMemPool_t pool; cudaStream_t s; unsigned long long n = 1 << 20; int reuse = 0, supported; float* p;
              cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, 0); SHOW(cudaDeviceGetDefaultMemPool(&pool, 0)); SHOW(cudaDeviceGetDefaultMemPool(&pool, 1));
              SHOW(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &n)); SHOW(cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &reuse));
              reuse = 1; n = 0; cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &n); cudaMemPoolGetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &reuse);
              printf("%d %llu %d\\n", supported, n, reuse);
              cudaStreamCreate(&s); SHOW(cudaMallocFromPoolAsync((void**)&p, 4096, pool, s)); cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &n); printf("%d\\n", n >= 4096);
              SHOW(cudaFreeAsync(p, s)); SHOW(cudaMemPoolTrimTo(pool, 0)); SHOW(cudaMemPoolTrimTo(nullptr, 0));
              cudaStreamAttrValue v = {}; v.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
              SHOW(cudaStreamSetAttribute(s, cudaStreamAttributeAccessPolicyWindow, &v)); SHOW(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 0)); SHOW(cudaCtxResetPersistingL2Cache());
            }""", "cudaSuccess\ncudaErrorInvalidDevice\ncudaSuccess\ncudaSuccess\n1 1048576 0\ncudaSuccess\n1\ncudaSuccess\ncudaSuccess\ncudaErrorInvalidValue\ncudaSuccess\ncudaSuccess\ncudaSuccess\n")

    def test_registered_memory_of_the_host(self):
        """Kernels see it where the host has it, on every engine, with the oracle's own copy of it; afterwards no longer."""
        text = """
            __global__ void k(int* in, int* out, int* sum, int n) {
              int i = blockIdx.x * blockDim.x + threadIdx.x;
              if (i < n) { out[i] = in[i] * 3; atomicAdd(sum, in[i]); }
            }
            int main() {
              static int in[1000], out[1001]; int *seen, *from, sum = 0, first = 7; void* other;
              for (int i = 0; i < 1000; ++i) in[i] = i;
              out[1000] = 5;
              SHOW(cudaHostRegister(in, sizeof in, cudaHostRegisterMapped)); SHOW(cudaHostRegister(out, 4000, cudaHostRegisterDefault)); SHOW(cudaHostRegister(&sum, 4, 0));
              SHOW(cudaHostRegister(in + 10, 8, 0));
              SHOW(cudaHostGetDevicePointer(&seen, out, 0)); SHOW(cudaHostGetDevicePointer(&other, &first, 0)); cudaMalloc(&from, 4000);
              SHOW(cudaMemcpy(from, in, 4000, cudaMemcpyDeviceToDevice));
              k<<<8, 128>>>(in, seen, &sum, 1000); SHOW(cudaDeviceSynchronize());
              k<<<8, 128>>>(from, out, &sum, 1000); SHOW(cudaDeviceSynchronize());
              bool right = sum == 999000 && out[1000] == 5 && seen == out;
              for (int i = 0; i < 1000; ++i) right &= out[i] == 3 * i;
              cudaPointerAttributes a; cudaPointerGetAttributes(&a, out + 1);
              printf("%d %d\\n", right, a.type == cudaMemoryTypeHost && a.devicePointer == out + 1);
              SHOW(cudaMemset(out, 0, 8)); printf("%d %d\\n", out[1], out[2]); SHOW(cudaHostUnregister(in));
              k<<<1, 1>>>(in, out, &sum, 1); SHOW(cudaDeviceSynchronize());
            }"""
        program, ok = self.compile(text), "cudaSuccess\n"
        for environment in ({"HEDDLE_ENGINE": "functional"}, {"HEDDLE_SET": "run.oracle=true"}, {"HEDDLE_SET": "gpu.sms=3 memory.kind=hierarchy run.bounds=true"}):
            status, out, errors = run(program, **environment)
            self.assertEqual((status, out), (0, ok * 3 + "cudaErrorHostMemoryAlreadyRegistered\n" + ok + "cudaErrorInvalidValue\n" + ok * 3 + "1 1\n" + ok + "0 6\n" + ok
                                             + "cudaErrorIllegalAddress\n"))
            self.assertIn("argument 1 'in' of kernel k", errors)
        status, out, errors = self.outcome("int main() { int i; SHOW(cudaHostRegister(&i, 4, cudaHostRegisterMapped)); SHOW(cudaHostRegister(&i, 4, 0)); }", "--rv32")
        self.assertEqual((status, out), (0, "cudaErrorNotSupported\ncudaSuccess\n"))
        self.assertIn("kernels of 32 bits cannot name memory of the host", errors)

    def test_no_other_process_and_no_other_device(self):
        status, out, errors = self.outcome("""
            int main() {
              cudaIpcMemHandle_t handle; void* p; cudaMemPool_t pool; cudaMalloc(&p, 64); cudaDeviceGetDefaultMemPool(&pool, 0);
              SHOW(cudaIpcGetMemHandle(&handle, p)); SHOW(cudaIpcOpenMemHandle(&p, handle, cudaIpcMemLazyEnablePeerAccess));
              cudaMemAccessDesc access = {{cudaMemLocationTypeDevice, 0}, cudaMemAccessFlagsProtReadWrite}; SHOW(cudaMemPoolSetAccess(pool, &access, 1));
              access.location.id = 1; SHOW(cudaMemPoolSetAccess(pool, &access, 1));
            }""")
        self.assertEqual((status, out), (0, "cudaErrorNotSupported\ncudaErrorNotSupported\ncudaSuccess\ncudaErrorInvalidDevice\n"))
        self.assertEqual(errors.count("\n"), 1)

    def test_shared_memory_that_is_asked_for(self):
        """As much as there is beside the kernel's own: all of it is the block's, and a byte more is refused."""
        program = self.compile("""
            __global__ void k(int* p, int n) {
              extern __shared__ int s[];
              __shared__ int own[4];
              own[threadIdx.x] = 1;
              for (int i = threadIdx.x; i < n; i += 4) s[i] = i;
              __syncthreads();
              int sum = 0;
              for (int i = threadIdx.x; i < n; i += 4) sum += s[i];
              atomicAdd(p, sum + own[3 - threadIdx.x]);
            }
            int main() {
              int bytes; cudaDeviceProp d; cudaGetDeviceProperties(&d, 0); cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0); printf("%d %zu\\n", bytes, d.sharedMemPerBlockOptin);
              SHOW(cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes - 16)); SHOW(cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
              SHOW(cudaFuncSetAttribute(k, cudaFuncAttributePreferredSharedMemoryCarveout, 50)); SHOW(cudaFuncSetAttribute(k, (cudaFuncAttribute)99, 0));
              int *p, n = (bytes - 16) / 4; cudaMallocManaged(&p, 4);
              k<<<1, 4, bytes - 16>>>(p, n); SHOW(cudaDeviceSynchronize()); printf("%d\\n", *p - n * (n - 1) / 2);
              k<<<1, 4, bytes - 15>>>(p, n); SHOW(cudaGetLastError());
            }""")
        for engine in ("systemc", "functional"):
            status, out, errors = run(program, HEDDLE_ENGINE=engine, HEDDLE_SET="core.shared_bytes=96K")
            self.assertEqual((status, out), (0, "98304 98304\ncudaSuccess\ncudaErrorInvalidValue\ncudaSuccess\ncudaErrorInvalidValue\ncudaSuccess\n4\ncudaErrorLaunchOutOfResources\n"))
            self.assertRegex(errors, r"^heddle: .*98305 bytes of shared memory.*\n$")

    def test_a_deep_frame(self):
        """Frames of 40,000 bytes, as arrays in a kernel make them; one beyond local memory is a fault."""
        program = self.compile("""
            __global__ void k(int* p, int n) { volatile int a[10000]; for (int i = 0; i < n; ++i) a[i] = i; int sum = 0; for (int i = 0; i < n; ++i) sum += a[i]; p[threadIdx.x] = sum; }
            int main() { int* p; cudaMallocManaged(&p, 128); k<<<1, 32>>>(p, 10000); SHOW(cudaDeviceSynchronize()); printf("%d\\n", p[31]); }""")
        for engine in ("systemc", "functional"):
            self.assertEqual(run(program, HEDDLE_ENGINE=engine), (0, "cudaSuccess\n49995000\n", ""))
            status, out, errors = run(program, HEDDLE_ENGINE=engine, HEDDLE_SET="memory.local_bytes=32K")
            self.assertEqual((status, out), (0, "cudaErrorIllegalAddress\n0\n"))
            self.assertIn("stack overflow?", errors)

    def test_freed_memory_is_used_again(self):
        self.prints("""
            __global__ void k(int* p) { p[-1000] = p[5000]; }
            int main() {
              void* p[6]; size_t before, after, total;
              cudaMemGetInfo(&before, &total);
              for (int i = 0; i < 6; ++i) cudaMalloc(p + i, 100000);
              void* second = p[1];
              cudaFree(p[1]); cudaFree(p[3]); cudaFree(p[2]);
              cudaMalloc(p + 1, 300000); printf("%d ", p[1] == second);
              void* first = p[0]; cudaFree(p[0]); cudaMalloc(p, 70000); cudaMalloc(p + 2, 10000);
              printf("%d %d\\n", p[0] == first, p[0] < p[2] && p[2] < second);  // both where the first was, with the gaps behind them
              k<<<1, 1>>>((int*)p[0]); SHOW(cudaGetLastError());
              for (int i : {0, 1, 2, 4, 5}) cudaFree(p[i]);
              cudaMemGetInfo(&after, &total); printf("%d\\n", before == after);
            }""", "1 1 1\ncudaSuccess\n1\n")

    def test_events_count_simulated_time(self):
        program = self.compile("""
            __global__ void k(int n, int* p) { int x = 0; for (int i = 0; i < n; ++i) x = x * 3 + i; *p = x; }
            int main() {
              int* p; cudaEvent_t a, b, c; float one, two;
              cudaMalloc(&p, 4); cudaEventCreate(&a); cudaEventCreate(&b); cudaEventCreate(&c);
              cudaEventRecord(a); k<<<1, 1>>>(1000, p); cudaEventRecord(b); k<<<1, 1>>>(100000, p); cudaEventRecord(c); cudaEventSynchronize(c);
              cudaEventElapsedTime(&one, a, b); cudaEventElapsedTime(&two, b, c); printf("%d\\n", one > 0 && two > 50 * one && two < 200 * one);
            }""")
        for environment in ({}, {"HEDDLE_ENGINE": "functional"}):
            self.assertEqual(run(program, **environment), (0, "1\n", ""))


class Printing(Programs):
    # Of the host and of the device, from the same source.
    LINES = r"""
        #define LINES(PRINT) \
          PRINT("plain, 100%% of it\n"); \
          PRINT("%d|%5d|%-5d|%05d|%+d|% d|%.3d|%8.3d|%-8.3d|%i\n", -42, 42, 42, 42, 42, 42, 7, 7, 7, -2147483647 - 1); \
          PRINT("%u %x %X %o %#x %#o %hd %hu %hhd %hhu\n", 4294967295u, 0xbeefu, 0xbeefu, 0777u, 255u, 8u, 70000, 70000, 300, 300); \
          PRINT("%lld %llu %llx %ld %lu %lx\n", -9223372036854775807ll, ~0ull, 0x123456789abcdefull, number, (unsigned long)number, -5l); \
          PRINT("%zu %lu %jd %td\n", size, size, 1ll << 40, text - text); \
          PRINT("%f|%5.2f|%-10.3f|%+e %E %g %G %a %.0f %#.0f %lf\n", 3.14159, 2.718, -1.5, 12345.678, 1e-10, 1e20, 1e-5, 1.0, 2.5, 2.5, 0.5f); \
          PRINT("%f %f %F %e %10f|%-10f|%010.1f\n", nan, infinite, -infinite, -0.0, nan, -infinite, -3.14); \
          PRINT("%c%c|%3c|%-3c|%s|%8s|%-8s|%.2s|%8.3s|%.0s|%s\n", 'a', 66, 'x', 'y', text, text, text, text, text, text, ""); \
          PRINT("%p %20p %p\n", text, text, (void*)0); \
          PRINT("%*d|%-*d|%.*f|%*.*f|%*d|%.*d|%.*s|\n", 6, 1, 6, 2, 2, 3.14159, 8, 3, 2.71828, -6, 3, -1, 4, 3, text); \
          PRINT("%.200f|%300d|%s|\n", 1.0 / 3, 7, ""); \
          PRINT("%d %lld %d %f %s %c %d %lld %f %d\n", 1, 2ll, 3, 4.0, text, '5', 6, 7ll, 8.0f, 9)
        __global__ void device(const char* text, long number, size_t size, double nan, double infinite) { LINES(printf); }
        void host(const char* text, long number, size_t size, double nan, double infinite) { LINES(printf); }
        int main(int count, char**) {
          char* text; cudaMallocManaged(&text, 100); snprintf(text, 100, "weave %d", 12);
          if (count > 1) host(text, 1234567890123l, 4000000000u, NAN, INFINITY);
          else device<<<1, 1>>>(text, 1234567890123l, 4000000000u, NAN, INFINITY);
          return cudaDeviceSynchronize() != cudaSuccess;
        }"""

    def test_a_kernel_prints_what_the_host_prints(self):
        program = self.compile("#include <cmath>\n" + self.LINES, "-w")
        status, expected, _ = run(program, "host")
        self.assertEqual((status, expected.count("\n")), (0, 12))
        self.assertEqual(run(program, HEDDLE_ENGINE="functional"), (0, expected, ""))
        for mechanism in ("spe", "dpe", "dwf"):
            self.assertEqual(run(program, HEDDLE_SET=f"mechanism={mechanism} run.oracle=true"), (0, expected, ""), mechanism)

    def test_threads_of_divergent_code_print_whole_lines(self):
        program = self.compile("""
            __global__ void k() {
              const int t = threadIdx.x;
              for (int i = 0; i < t % 3; ++i) printf("thread %d, step %d of %d: %.1f\\n", t, i, t % 3, 0.5f * t);
              if (t & 1) printf("%s %d\\n", t & 2 ? "odd" : "uneven", t);
            }
            int main() { k<<<1, 40>>>(); return cudaDeviceSynchronize(); }""")
        expected = [f"thread {t}, step {i} of {t % 3}: {t / 2:.1f}" for t in range(40) for i in range(t % 3)]
        expected += [f"{'odd' if t & 2 else 'uneven'} {t}" for t in range(1, 40, 2)]
        for setting in ({"HEDDLE_ENGINE": "functional"}, *({"HEDDLE_SET": f"mechanism={m} run.oracle=true"} for m in ("spe", "dpe", "dwf"))):
            status, out, errors = run(program, **setting)
            self.assertEqual((status, sorted(out.splitlines()), errors), (0, sorted(expected), ""), setting)

    def test_the_result_is_the_number_of_arguments(self):
        self.prints("""
            __global__ void k(const char* none) { printf("%d\\n", printf("")); printf("%d\\n", printf("%d %*d ", 1, 2, 3)); printf("%d\\n", printf(none)); }
            int main() { k<<<1, 1>>>(nullptr); cudaDeviceSynchronize(); }""", "0\n1  3 3\n-1\n", HEDDLE_SET="run.oracle=true")

    def test_long_has_the_size_the_kernel_has_it_in(self):
        text = """
            __global__ void k(int n) { long a = n; unsigned long b = n; printf("%ld %lu %d %d\\n", a, b, 7, (int)sizeof(long)); }
            int main() { k<<<1, 1>>>(-1); cudaDeviceSynchronize(); }"""
        self.prints(text, "-1 18446744073709551615 7 8\n")
        self.prints(text, "-1 18446744073709551615 7 8\n", "--rv32")
        self.prints(text, "-1 4294967295 7 4\n", "--rv32", "--long32")

    def test_a_pointer_that_cannot_be_read_is_a_fault(self):
        program = self.compile("""
            __global__ void k(size_t address) { printf("%s", (const char*)address); }
            int main() { k<<<1, 1>>>(64); return cudaDeviceSynchronize() == cudaErrorIllegalAddress ? 0 : 1; }""")
        for setting in ({"HEDDLE_ENGINE": "functional"}, {"HEDDLE_SET": "run.oracle=true"}):
            status, out, errors = run(program, **setting)
            self.assertEqual((status, out), (0, ""), errors)
            self.assertRegex(errors, "print call: byte at address 0x00000040: null pointer.* in kernel _Z1km: thread \\(0,0,0\\)")


class Textures(Programs):
    def test_what_cannot_be_is_refused(self):
        status, out, errors = self.outcome("""
            texture<int, 2, cudaReadModeElementType> numbers;
            __global__ void k(int* p) { *p = tex2D(numbers, 0.0f, 0.0f); }
            int main() {
              int* p; cudaArray_t array; cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
              cudaMalloc(&p, 4096);
              SHOW(cudaMallocArray(&array, &format, 16, 16, cudaArrayLayered)); SHOW(cudaMallocArray(&array, &format, 16, 16));
              numbers.filterMode = cudaFilterModeLinear; SHOW(cudaBindTextureToArray(numbers, array));
              SHOW(cudaBindTexture2D(0, numbers, &format, format, 4, 4, 256));
              SHOW(cudaMemcpy2DToArray(array, 0, 0, p, 65, 65, 1, cudaMemcpyDeviceToDevice));
            }""")
        self.assertEqual((status, out), (0, "cudaErrorNotSupported\ncudaSuccess\ncudaErrorInvalidFilterSetting\ncudaErrorInvalidDevicePointer\ncudaErrorInvalidValue\n"))
        self.assertIn("gathering is not modelled", errors)

    def test_descriptors_stay_in_memory(self):
        """The frame of a kernel with three textures in a loop has the registers that a function saves, and no field of a descriptor."""
        source = self.source("""
            texture<float4, 2> a, b, c;
            __global__ void k(float* p, int n) {
              float x = p[0], y = p[1], sum = 0;
              for (int i = 0; i < n; ++i) {
                const float4 u = tex2D(a, x, y), v = tex2D(b, u.x, y + sum), w = tex2D(c, v.x, u.y);
                x = w.x + u.z; y = w.y + v.w; sum += w.z;
              }
              p[2] = sum;
            }""", "fetches.cu")
        self.assertEqual(run(NVCC, "-c", "--keep", source, "-o", source.with_suffix(".o"))[0], 0)
        saved = 12 + 12 + 1  # s0 to s11, fs0 to fs11, ra
        self.assertLessEqual(source.with_suffix(".heddle.s").read_text().count("(sp)"), 2 * saved)

    def test_layers(self):
        """Each layer is a texture of its own, filtered as any; beyond them the nearest one."""
        text = """
            __global__ void k(cudaTextureObject_t plane, cudaTextureObject_t line, float* out) {
              const int layer = (int)blockIdx.x - 1; const float x = threadIdx.x + 0.5f;
              out[blockIdx.x * 8 + threadIdx.x] = tex2DLayered<float>(plane, x, 2.0f, layer) + 1000 * tex1DLayered<float>(line, x, layer);
            }
            cudaTextureObject_t texture_of(cudaArray_t array) {
              cudaResourceDesc resource = {}; cudaTextureDesc how = {}; cudaTextureObject_t object;
              resource.resType = cudaResourceTypeArray; resource.res.array.array = array;
              how.filterMode = cudaFilterModeLinear; how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
              SHOW(cudaCreateTextureObject(&object, &resource, &how, nullptr));
              return object;
            }
            int main() {
              float host[3][4][8], *out; cudaArray_t plane, line; cudaChannelFormatDesc format = cudaCreateChannelDesc<float>(); cudaMemcpy3DParms p = {};
              for (int i = 0; i < 96; ++i) (&host[0][0][0])[i] = i / 32 * 100 + i % 32;
              SHOW(cudaMalloc3DArray(&plane, &format, make_cudaExtent(8, 4, 3), cudaArrayLayered)); SHOW(cudaMalloc3DArray(&line, &format, make_cudaExtent(8, 0, 3), cudaArrayLayered));
              p.srcPtr = make_cudaPitchedPtr(host, 32, 8, 4); p.dstArray = plane; p.extent = make_cudaExtent(8, 4, 3); p.kind = cudaMemcpyHostToDevice; SHOW(cudaMemcpy3D(&p));
              p.dstArray = line; p.extent.height = 1; SHOW(cudaMemcpy3D(&p));
              p.extent.depth = 4; SHOW(cudaMemcpy3D(&p));
              cudaMallocManaged(&out, 5 * 8 * 4); k<<<5, 8>>>(texture_of(plane), texture_of(line), out); SHOW(cudaDeviceSynchronize());
              for (int i = 0; i < 40; i += 9) printf("%g ", out[i]);
            }"""
        # Between rows 1 and 2: 12 and the column; layers -1, 0, 1, 2, 3.
        self.prints(text, "cudaSuccess\n" * 4 + "cudaErrorInvalidValue\n" + "cudaSuccess\n" * 3 + "12 1013 102114 203215 204216 ")

    def test_surfaces(self):
        status, out, errors = self.outcome("""
            __global__ void k(cudaSurfaceObject_t s, int* out) {
              surf2Dwrite<short>(threadIdx.x * 10, s, threadIdx.x * 2, 1);
              __syncthreads();
              out[threadIdx.x] = surf2Dread<short>(s, (threadIdx.x ^ 1) * 2, 1);
              surf2Dwrite<short>(99, s, 2 * 16, threadIdx.x, cudaBoundaryModeZero);
              if (threadIdx.x == 0) { out[0] = surf2Dread<short>(s, 100, 5, cudaBoundaryModeClamp); out[1] = surf2Dread<short>(s, -2, 1, cudaBoundaryModeZero) + 7; }
            }
            __global__ void outside(cudaSurfaceObject_t s) { surf2Dwrite(1, s, 16 * 2 - 2, 0); }
            int main() {
              cudaArray_t array, plain; cudaChannelFormatDesc format = cudaCreateChannelDesc<short>(); cudaSurfaceObject_t s; int* out; short row[16];
              cudaMallocManaged(&out, 64); SHOW(cudaMallocArray(&plain, &format, 16, 4)); SHOW(cudaMallocArray(&array, &format, 16, 4, cudaArraySurfaceLoadStore));
              cudaResourceDesc resource = {}; resource.resType = cudaResourceTypeArray; resource.res.array.array = plain; SHOW(cudaCreateSurfaceObject(&s, &resource));
              resource.res.array.array = array; SHOW(cudaCreateSurfaceObject(&s, &resource));
              k<<<1, 16>>>(s, out); SHOW(cudaDeviceSynchronize()); SHOW(cudaMemcpyFromArray(row, array, 0, 1, 32, cudaMemcpyDeviceToHost));
              printf("%d %d %d %d %d\\n", out[0], out[1], out[2], out[15], row[15]);
              outside<<<1, 1>>>(s); SHOW(cudaDeviceSynchronize()); 
            }""")
        self.assertEqual((status, out), (0, "cudaSuccess\ncudaSuccess\ncudaErrorInvalidValue\ncudaSuccess\ncudaSuccess\ncudaSuccess\n0 7 30 140 150\ncudaErrorIllegalInstruction\n"))
        self.assertIn("ended by a trap", errors)


class Environment(Programs):
    def example(self, name, **environment):
        return run(f"{EXAMPLES}/cuda_{name}", **environment)

    def test_bad_values_are_one_line_and_status_2(self):
        for variable, value, text in (("HEDDLE_SET", "mechanism=spx", "spx"), ("HEDDLE_SET", "stack.depht=3", "stack.depth"), ("HEDDLE_ENGINE", "verilog", "choose systemc, rtl, cosim or functional"),
                                      ("HEDDLE_DETAIL", "axpy:3-1", "counted from 1"), *(("HEDDLE_DETAIL", name, f"HEDDLE_DETAIL {name}: no kernel's name") for name in (":::", ":", "::", "axpy:", "axpy:x", "a:b", "a::", "::a", ":3")), ("HEDDLE_CONFIG", "/nowhere.ini", "/nowhere.ini"), ("HEDDLE_TIMELINE", "t.png", "t.png"),
                                      ("HEDDLE_JSON", "/nowhere/s.json", "/nowhere/s.json"), ("HEDDLE_WINDOW", "9-3", "HEDDLE_WINDOW 9-3"), ("HEDDLE_REPORT", "all", "choose none, sum or launches"),
                                      ("HEDDLE_SET", "mechanism=forkjoin", "heddle-nvcc --fork-join")):
            with self.subTest(variable=variable, value=value):
                status, out, errors = self.example("bfs", **{variable: value})
                self.assertEqual((status, out, errors.count("\n")), (2, "", 1))
                self.assertTrue(errors.startswith("heddle: "))
                self.assertIn(text, errors)

    def test_statistics(self):
        report = self.folder / "s.json"
        status, out, errors = self.example("bfs", HEDDLE_JSON=str(report), HEDDLE_SET="mechanism=dpe", HEDDLE_REPORT="launches")
        self.assertEqual((status, out), (0, "bfs: passed\n"))
        document = json.loads(report.read_text())
        launches = document["launches"]
        self.assertEqual((document["mechanism"], document["result"]), ("dpe", "unchecked"))
        self.assertGreater(len(launches), 5)
        self.assertEqual(sum(l["stats"]["warp_instructions"] for l in launches), document["stats"]["warp_instructions"])
        self.assertEqual(len(re.findall(r"^expand \(\d+,1,1\) x", errors, re.MULTILINE)), len(launches))
        self.assertIn("cuda_bfs on dpe", errors)

    def test_statistics_without_the_machine(self):
        """Each launch has its thread instructions, as many as on the machine; their sum is there where no launch was on it."""
        report = self.folder / "f.json"
        self.example("saxpy", HEDDLE_JSON=str(report))
        machine = json.loads(report.read_text())
        status, _, errors = self.example("saxpy", HEDDLE_JSON=str(report), HEDDLE_ENGINE="functional", HEDDLE_REPORT="launches")
        functional = json.loads(report.read_text())
        self.assertEqual(status, 0)
        self.assertGreater(machine["stats"]["thread_instructions"], 1000)
        self.assertEqual(functional["stats"]["thread_instructions"], machine["stats"]["thread_instructions"])
        self.assertEqual(functional["launches"], [{**launch, "functional": True, "stats": {key: launch["stats"][key] for key in ("thread_instructions", "exits")}}
                                                  for launch in machine["launches"]])
        self.assertIn(f": functional, {machine['launches'][0]['stats']['thread_instructions']} thread instructions\n", errors)

    def test_engines_count_the_same(self):
        counts = []
        for engine in ("systemc", "rtl", "cosim"):
            report = self.folder / f"{engine}.json"
            status, out, errors = self.example("saxpy", HEDDLE_ENGINE=engine, HEDDLE_JSON=str(report), HEDDLE_SET="mechanism=dpe")
            if "this build has no Verilated model" in errors:
                self.skipTest("no RTL in this build")
            self.assertEqual((status, out), (0, "saxpy: passed\n"))
            counts.append(json.loads(report.read_text())["stats"]["cycles"])
        self.assertEqual(len(set(counts)), 1)

    def test_several_sms(self):
        """Programs find them, run on them, and count the same with any number of host threads."""
        program = """
            __global__ void k(int* p) { atomicAdd(p, blockIdx.x); }
            int main() {
              cudaDeviceProp d;
              cudaGetDeviceProperties(&d, 0);
              int* p;
              cudaMallocManaged(&p, 4);
              k<<<10 * d.multiProcessorCount, 64>>>(p);
              printf("%d %d %d\\n", d.multiProcessorCount, d.l2CacheSize, *p);
            }
            """
        source, app = self.source(program), self.folder / "app"
        self.assertEqual(run(NVCC, source, "-o", app)[0], 0)
        counts = set()
        for threads in ("1", "2", "3"):
            report = self.folder / "sms.json"
            settings = {"HEDDLE_SET": "gpu.sms=6 memory.kind=hierarchy", "HEDDLE_THREADS": threads, "HEDDLE_JSON": str(report), "HEDDLE_REPORT": "none"}
            self.assertEqual(run(app, **settings), (0, f"6 786432 {64 * 60 * 59 // 2}\n", ""))
            counts.add(json.dumps(json.loads(report.read_text())["stats"]))
        self.assertEqual(len(counts), 1)
        status, _, errors = self.example("saxpy", HEDDLE_THREADS="0")
        self.assertEqual((status, errors.count("\n")), (2, 1))
        self.assertIn("HEDDLE_THREADS 0: not a number of threads from 1 to 256", errors)

    def test_chosen_launches_in_detail(self):
        report = self.folder / "d.json"
        status, out, errors = self.example("bfs", HEDDLE_JSON=str(report), HEDDLE_DETAIL="expand:3-4", HEDDLE_REPORT="sum")
        self.assertEqual((status, out), (0, "bfs: passed\n"))
        some = json.loads(report.read_text())["launches"]
        self.example("bfs", HEDDLE_JSON=str(report))
        every = json.loads(report.read_text())["launches"]
        self.assertEqual([number for number, launch in enumerate(some) if "functional" not in launch], [2, 3])
        self.assertEqual([l["stats"]["warp_instructions"] for l in some[2:4]], [l["stats"]["warp_instructions"] for l in every[2:4]])
        self.assertIn(f"{len(every) - 2} launches on the functional device", errors)

    def test_pictures(self):
        wave, timeline = self.folder / "w.vcd", self.folder / "t.svg"
        status, out, _ = self.example("saxpy", HEDDLE_WAVE=str(wave), HEDDLE_TIMELINE=str(timeline), HEDDLE_WINDOW="10-300")
        self.assertEqual((status, out), (0, "saxpy: passed\n"))
        self.assertIn("$enddefinitions", wave.read_text())
        self.assertIn("<svg", timeline.read_text())


class Exec(Programs):
    def test_options_become_the_environment(self):
        report = self.folder / "s.json"
        status, out, errors = run(HEDDLE, "exec", "--mechanism", "dpe", "--set", "core.warps=16", "--json", report, "--report", "none", "--", f"{EXAMPLES}/cuda_saxpy", "2000")
        self.assertEqual((status, out, errors), (0, "saxpy: passed\n", ""))
        document = json.loads(report.read_text())
        self.assertEqual((document["mechanism"], document["config"]["core.warps"]), ("dpe", 16))

    def test_status_and_input_are_the_programs(self):
        self.assertEqual(run(HEDDLE, "exec", "--", "sh", "-c", "exit 7")[0], 7)
        for arguments, text in ((("./app",), "argument too many"), ((), "a program is missing"), (("--",), "a program is missing"), (("--", "./no such"), "cannot be run"),
                                (("--mechanism", "spx", "--", "true"), "spx"), (("--engine", "x", "--", "true"), "no such engine"), (("--timeline", "x.png", "--", "true"), "x.png")):
            with self.subTest(arguments=arguments):
                status, out, errors = run(HEDDLE, "exec", *arguments)
                self.assertEqual((status, out, errors.count("\n")), (2, "", 1))
                self.assertIn(text, errors)


class Compiler(Programs):
    def refused(self, *arguments):
        status, out, errors = run(NVCC, *arguments)
        self.assertEqual(out, "")
        self.assertNotEqual(status, 0)
        return errors

    def test_command_line(self):
        source = self.source("int main() {}")
        for arguments, text in (([], "no source file"), ([self.folder / "none.cu"], "no such file"), (["--frobnicate", source], "unknown option '--frobnicate'"),
                                ([source, "-ptx"], "makes objects"), ([source, "-rdc=true"], "cannot be linked yet"), ([source, "-m32"], "64-bit"), ([source, "-o"], "needs a value"),
                                ([self.source("", "x.f90", "")], "unknown kind of file")):
            with self.subTest(arguments=arguments):
                errors = self.refused(*arguments)
                self.assertTrue(errors.startswith("heddle-nvcc: "))
                self.assertIn(text, errors)
                self.assertEqual(errors.count("\n"), 1)

    def test_threads_of_a_search_meet_in_every_round(self):
        """A loop with two ways back stays one: a warp executes its branch as often as the thread with the most rounds."""
        program = self.compile("""
            __global__ void search(const unsigned* begins, int depth, unsigned all, int* rounds) {
              unsigned tried[8];
              int level = 0, count = 0;
              tried[0] = begins[threadIdx.x];
              while (level >= 0) {
                ++count;
                if ((tried[level] & all) == all) {  // exhausted
                  --level;
                } else {
                  const unsigned next = (tried[level] + 1) & ~tried[level];
                  tried[level] |= next;
                  if (level + 1 == depth) {
                    --level;
                  } else {
                    tried[level + 1] = tried[level] | next << 1;
                    ++level;
                  }
                }
              }
              rounds[threadIdx.x] = count;
            }
            int main() {
              unsigned* begins;
              int *rounds, most = 0;
              cudaMallocManaged(&begins, 32 * sizeof *begins);
              cudaMallocManaged(&rounds, 32 * sizeof *rounds);
              for (int i = 0; i < 32; ++i) begins[i] = i % 5;
              search<<<1, 32>>>(begins, 4, 31, rounds);
              cudaDeviceSynchronize();
              for (int i = 0; i < 32; ++i) most = rounds[i] > most ? rounds[i] : most;
              printf("%d", most);
            }
            """)
        document = self.folder / "search.json"
        self.assertEqual(run(program, HEDDLE_JSON=document), (0, "25", ""))
        line = next(n for n, text in enumerate((self.folder / "program.cu").read_text().splitlines(), 1) if "exhausted" in text)
        executed = [b["executed"] for b in json.loads(document.read_text())["branches"] if b["source"].endswith(f"program.cu:{line}")]
        self.assertEqual(executed, [25])

    def test_what_older_programs_write(self):
        """A word of C++03, a macro at a string's end without a space, errors of old, OpenGL's header without a use of it."""
        self.prints("""
            #include <cuda_gl_interop.h>
            #define END "!"
            __global__ void k(int* o) { register int n = 3; *o = n; }
            void f() throw(int) {}
            bool old(cudaError_t e) { switch (e) { case cudaErrorPriorLaunchFailure: case cudaErrorTextureNotBound: case cudaErrorApiFailureBase: return true; default: return false; } }
            int main() { int* o; cudaMallocManaged(&o, 4); k<<<1, 1>>>(o); if (old(cudaDeviceSynchronize())) return 1; f(); printf("three: %d"END"\\n", *o); }""", "three: 3!\n")
        self.assertIn("cudaGLRegisterBufferObject", self.refused(self.source("""
            #include <cuda_gl_interop.h>
            int main() { cudaGLRegisterBufferObject(1); }""")))

    def test_memory_as_the_driver_counts_it(self):
        self.prints("""
            #include <cuda.h>
            int main() {
              size_t a, b, c, d; void* p;
              cudaMalloc(&p, 1 << 20); cudaMemGetInfo(&a, &b); CUresult good = cuMemGetInfo(&c, &d), bad = cuMemGetInfo(nullptr, &d);
              printf("%d %d %d %d", a == c, b == d, good == CUDA_SUCCESS, bad == CUDA_ERROR_INVALID_VALUE);
            }""", "1 1 1 1")

    def test_a_sum_of_the_host_wraps(self):
        """The usual generator of random numbers, whose product does not fit: 32 bits of it, as g++ makes of it."""
        self.prints("""
            long modulus = 2147483647; int factor = 1103515245, term = 12345;
            __attribute__((noinline)) int next(int seed) { int product = factor * seed + term; return product % modulus; }
            int main() { int seed = 1000; for (int i = 0; i < 5; ++i) { seed = next(seed); printf("%d ", seed); } }""", "-291337727 520568998 -1842525465 -1614449004 2074920253 ")

    def test_marks_change_nothing_where_they_are_ignored(self):
        """Branches of a loop in front of a barrier: their sides meet as without, so all threads come to it together."""
        for marks in ("--fork-join=innermost", "--software-stack", "--barriers"):
            program = self.compile("""
                __global__ void k(unsigned* out, const unsigned* in) {
                  __shared__ unsigned part[32];
                  unsigned t = threadIdx.x, word = in[t], sum = 0;
                  for (unsigned i = 0; i < word % 6; i++) {
                    if (word & 8) sum += word; else { sum ^= i; word += 3; }
                    if (word & 2) word ^= sum;
                  }
                  __syncthreads(); part[t] = word + sum; __syncthreads();
                  out[t] = part[t ^ 1];
                }
                int main() {
                  unsigned *in, *out, sum = 0;
                  cudaMallocManaged(&in, 128); cudaMallocManaged(&out, 128);
                  for (unsigned i = 0; i < 32; i++) in[i] = i * 37;
                  k<<<1, 32>>>(out, in);
                  SHOW(cudaDeviceSynchronize());
                  for (unsigned i = 0; i < 32; i++) sum += out[i];
                  printf("%u\\n", sum);
                }""", marks)
            results = {mechanism: run(program, HEDDLE_SET=f"mechanism={mechanism}") for mechanism in ("mimd", "spe", "dpe", "pdom-barrel")}
            self.assertRegex(results["mimd"][1], r"^cudaSuccess\n\d+\n$")
            for mechanism, result in results.items():
                self.assertEqual(result, results["mimd"], (marks, mechanism))

    def test_what_a_program_was_compiled_for(self):
        """A mechanism that follows marks takes a program that was compiled for it, whether there is a mark or not, and none of which only a part was."""
        first = self.source("""
            __global__ void k(int* p) { p[threadIdx.x] = threadIdx.x; }
            int main() { int* p; cudaMallocManaged(&p, 128); k<<<1, 32>>>(p); SHOW(cudaDeviceSynchronize()); printf("%d\\n", p[31]); }""", "first.cu")
        second = self.source("__global__ void other(int* p) { if (threadIdx.x & 1) *p = 1; }", "second.cu")
        program = self.folder / "program"

        def compiled(source, *flags):
            to = source.with_suffix(".o")
            self.assertEqual(run(NVCC, "-c", *flags, source, "-o", to)[0], 0)
            return to

        def linked(*objects):
            self.assertEqual(run(NVCC, *objects, "-o", program)[0], 0)
            return program

        def refuses(settings, message):
            status, out, errors = run(program, HEDDLE_SET=settings)
            self.assertEqual((status, out, errors.count("\n")), (2, "", 1))
            self.assertIn(message, errors)

        ways = (("--fork-join", "mechanism=forkjoin"), ("--software-stack", "mechanism=dpe dpe.stack=software"), ("--barriers", "mechanism=cbar"))
        linked(compiled(first))
        for flag, settings in ways:
            refuses(settings, f"this program has none: compile it with heddle-nvcc {flag}")
        without = compiled(second)
        for flag, settings in ways:
            with self.subTest(flag=flag):
                marked = compiled(first, flag)
                self.assertEqual(run(linked(marked), HEDDLE_SET=settings), (0, "cudaSuccess\n31\n", ""))
                self.assertEqual(run(linked(marked, without), HEDDLE_SET="mechanism=spe"), (0, "cudaSuccess\n31\n", ""))
                refuses(settings, f"a part of the program was compiled without {flag}, which mechanism ")

    def test_x_is_for_sources(self):
        """Objects stay objects after -x cu."""
        part = self.source("__global__ void k(int* p) { *p = 7; }\nvoid launch(int* p) { k<<<1, 1>>>(p); }\n", "part.cpp")
        main = self.source("void launch(int*);\nint main() { int* p; cudaMallocManaged(&p, 4); launch(p); SHOW(cudaDeviceSynchronize()); printf(\"%d\\n\", *p); }\n", "main.cpp")
        program = self.folder / "program"
        self.assertEqual(run(NVCC, "-c", "-x", "cu", part, "-o", part.with_suffix(".o"))[0], 0)
        self.assertEqual(run(NVCC, "-x", "cu", main, part.with_suffix(".o"), "-o", program), (0, "", ""))
        self.assertEqual(run(program), (0, "cudaSuccess\n7\n", ""))

    def test_device_functions_are_the_files_own(self):
        """However long, one that is called once is inlined, and its argument is in registers; __noinline__ is a call."""
        long = "".join(f"  v[{n % 3}] += v[{(n + 1) % 3}] * sqrtf(v[{(n + 2) % 3}] + {n}.5f);\n" for n in range(300))
        for word, inlined in (("", True), ("__noinline__ ", False)):
            with self.subTest(word=word):
                source = self.source(f"__device__ {word}void advance(float* v) {{\n{long}}}\n__global__ void k(float* p) {{\n"
                                     "  float v[3] = {p[0], p[1], p[2]};\n  advance(v);\n  p[3] = v[0] + v[1] + v[2];\n}\n", "advance.cu")
                self.assertEqual(run(NVCC, "-c", "--keep", source, "-o", source.with_suffix(".o"))[0], 0)
                code = source.with_suffix(".heddle.s").read_text()
                self.assertEqual(re.search(r"\bcall\s+_Z7advancePf", code) is None, inlined)
                self.assertEqual(re.search(r"\(sp\)", code[code.index("_Z1kPf:"):]) is None, inlined)

    def test_everyday_options(self):
        program = self.compile("""
            #ifndef SIZE
            #error no SIZE
            #endif
            __global__ void k(int* p) { p[threadIdx.x] = SIZE; }
            int main() { int* p; cudaMallocManaged(&p, 128); k<<<1, 32>>>(p); printf("%d %d\\n", p[31], (int)__cplusplus); }""",
            "-O3", "-g", "-arch=sm_20", "-gencode", "arch=compute_35,code=sm_35", "-DSIZE=7", "-I.", "-std=c++11", "--ptxas-options=-v", "-Xptxas", "-v", "-Xcompiler",
            "-Wall,-fno-strict-aliasing", "-use_fast_math", "-lineinfo", "-maxrregcount=32", "-lcudart", "-lm", "-L/usr/local/cuda/lib64", "-m64")
        self.assertEqual(run(program), (0, "7 201103\n", ""))

    def test_errors_name_the_users_line(self):
        errors = self.refused("-c", self.source("__global__ void k(long n) {\n  int x = undefined + n;\n}\n", "wrong.cu", ""), "-o", self.folder / "wrong.o")
        self.assertIn("wrong.cu:2:11: error: use of undeclared identifier 'undefined'", errors)
        self.assertFalse((self.folder / "wrong.o").exists())
        errors = self.refused("-c", self.source("void host();\n__global__ void k() {\n  host();\n}\n", "side.cu", ""), "-o", self.folder / "side.o")
        self.assertRegex(errors, r"side.cu:3:3: error: no matching function for call to .host.(.|\n)*side.cu:1:6: note: candidate function not viable: call to __host__ function from __global__ function")

    def test_makefile(self):
        self.source("#include \"part.h\"\n__global__ void k(int* p) { *p = PART; }\nint main() { int* p; cudaMallocManaged(&p, 4); k<<<1, 1>>>(p); printf(\"%d\\n\", *p); }", "app.cu")
        (self.folder / "part.h").write_text("#define PART 12\n")
        (self.folder / "Makefile").write_text("NVCC = nvcc\nNVCCFLAGS = -O2 -arch sm_35\napp: app.o\n\t$(NVCC) $(NVCCFLAGS) $^ -o $@ -lcudart\n%.o: %.cu\n\t$(NVCC) $(NVCCFLAGS) -c $< -o $@\n")
        self.assertEqual(run("make", "-s", "-C", self.folder, f"NVCC={NVCC}"), (0, "", ""))
        self.assertEqual(run(self.folder / "app"), (0, "12\n", ""))

    def test_properties_that_programs_ask_for(self):
        """Those without which a program of streams gives up before it begins."""
        self.prints("""
            int main() {
              cudaDeviceProp p;
              cudaGetDeviceProperties(&p, 0);
              printf("%d %d %d\\n", p.deviceOverlap, p.asyncEngineCount, p.warpSize);
            }
            """, "1 1 32\n")

    def test_a_name_of_the_systems_headers_defined_once_more(self):
        self.prints("""
            #include <sys/types.h>
            typedef unsigned long ulong;
            __global__ void k(ulong* out, ulong a) { out[0] = a * a; }
            int main() {
              ulong* p;
              cudaMallocManaged(&p, 8);
              k<<<1, 1>>>(p, 1ul << 20);
              printf("%lu", p[0]);
            }
            """, "1099511627776")

    def test_shuffles_of_what_is_promoted_to_int(self):
        self.prints("""
            __global__ void k(int* out, short s) {
              s -= threadIdx.x;
              char c = threadIdx.x - 100;
              out[threadIdx.x] = __shfl_down_sync(0xffffffffu, s, 1) + 1000 * __shfl_xor_sync(0xffffffffu, c, 2) + (__shfl_sync(0xffffffffu, threadIdx.x > 3, 9) ? 1 : 0);
            }
            int main() {
              int* p;
              cudaMallocManaged(&p, 128);
              k<<<1, 32>>>(p, -32766);
              printf("%d %d", p[0], p[5]);
            }
            """, "-130766 -60235")

    def test_groups_of_threads(self):
        self.prints("""
            #include <cooperative_groups.h>
            #include <cooperative_groups/reduce.h>
            namespace cg = cooperative_groups;
            __device__ int of_block(cg::thread_block block, int* shared, int value) {
              shared[block.thread_rank()] = value;
              cg::sync(block);
              int sum = 0;
              for (unsigned i = 0; i < block.size(); ++i) sum += shared[i];
              return sum;
            }
            __global__ void k(int* out) {
              __shared__ int shared[64];
              cg::thread_block block = cg::this_thread_block();
              auto warp = cg::tiled_partition<32>(block);
              cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
              const int rank = block.thread_rank();
              int* to = out + 10 * rank;
              to[0] = of_block(block, shared, rank);
              to[1] = cg::reduce(warp, rank, cg::plus<int>{});
              to[2] = cg::reduce(tile, rank, cg::greater<int>()) + 100 * cg::reduce(tile, rank, cg::less<int>{});
              to[3] = tile.ballot(rank % 3 == 0);
              to[4] = tile.shfl(rank, 2) + 100 * tile.shfl_down(rank, 1) + 10000 * tile.shfl_up(rank, 3);
              to[5] = tile.thread_rank() + 10 * tile.meta_group_rank() + 100 * tile.meta_group_size() + 10000 * tile.size();
              to[6] = tile.any(rank == 9) + 2 * tile.all(rank > 7) + 4 * warp.all(block.group_index().x == 0) + 8 * block.thread_index().y;
              tile.sync();
              block.sync();
            }
            int main() {
              int* p;
              cudaMallocManaged(&p, 64 * 40);
              k<<<1, dim3(16, 4)>>>(p);
              for (int thread : {9, 63}) {
                for (int i = 0; i < 7; ++i) printf("%d ", p[10 * thread + i]);
              }
            }
            """, "2016 496 815 146 91010 80811 7 2016 1520 5663 146 606358 80877 30 ", "-std=c++17")

    def test_a_grid_that_waits_for_itself(self):
        """All blocks are there together, or the launch fails; what is no such launch traps."""
        program = self.compile("""
            #include <cooperative_groups.h>
            namespace cg = cooperative_groups;
            __global__ void rounds(int* cells, int* out, int n) {
              cg::grid_group grid = cg::this_grid();
              const int i = (int)grid.thread_rank();
              for (int round = 0; round < 5; ++round) {
                cells[i] = i + round;
                grid.sync();
                const int other = cells[(i * 7 + 13) % n];
                grid.sync();
                out[i] += other;
              }
            }
            __global__ void alone(int* p) { cg::this_grid().sync(); *p = 1; }
            int main() {
              const int threads = 96; int *cells, *out, blocks = 6, n = blocks * threads; bool right = true; cudaDeviceProp d;
              cudaMallocManaged(&cells, n * 4); cudaMallocManaged(&out, n * 4);
              void* arguments[] = {&cells, &out, &n};
              SHOW(cudaLaunchCooperativeKernel(rounds, dim3(blocks), dim3(threads), arguments));
              for (int i = 0; i < n; ++i) right &= out[i] == 5 * ((i * 7 + 13) % n) + 10;
              printf("%d\\n", right);
              cudaGetDeviceProperties(&d, 0); cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, rounds, threads, 0);
              SHOW(cudaLaunchCooperativeKernel(rounds, dim3(blocks * d.multiProcessorCount + 1), dim3(threads), arguments)); SHOW(cudaGetLastError());
              alone<<<1, 32>>>(out); SHOW(cudaDeviceSynchronize());
            }""")
        for environment in ({"HEDDLE_ENGINE": "functional"}, *({"HEDDLE_SET": f"run.oracle=true mechanism={m}"} for m in ("spe", "dpe", "dws")),
                            {"HEDDLE_SET": "gpu.sms=3 memory.kind=hierarchy"}):
            status, out, errors = run(program, **environment)
            self.assertEqual((status, out), (0, "cudaSuccess\n1\ncudaErrorCooperativeLaunchTooLarge\ncudaErrorCooperativeLaunchTooLarge\ncudaErrorIllegalInstruction\n"), environment)
            self.assertRegex(errors, "that wait for each other cannot be there together: [0-9]+ can")

    def test_the_lane_in_assembly(self):
        self.prints("""
            __global__ void k(unsigned* p) { unsigned lane; asm("mov.u32 %0, %%laneid;" : "=r"(lane)); unsigned again; asm volatile("mov.u32 %0, %%laneid;" : "=r"(again)); p[threadIdx.x] = lane + 100 * again; }
            int main() {
              unsigned* p; cudaMallocManaged(&p, 400); k<<<1, 100>>>(p); SHOW(cudaDeviceSynchronize());
              int right = 0; for (unsigned i = 0; i < 100; ++i) right += p[i] == 101 * (i % 32); printf("%d\\n", right);
            }""", "cudaSuccess\n100\n", HEDDLE_SET="core.lanes=64")

    def test_blocks_that_wait_for_later_ones(self):
        """As far as they are there together: the first one waits for all others."""
        program = self.compile("""
            __global__ void k(int* done, int* sum) {
              __shared__ int mine;
              if (threadIdx.x == 0) mine = blockIdx.x;
              __syncthreads();
              if (threadIdx.x == 0 && blockIdx.x == 0) while (*(volatile int*)done != gridDim.x - 1) {}
              if (threadIdx.x == 0 && blockIdx.x != 0) atomicAdd(done, 1);
              __syncthreads();
              atomicAdd(sum, mine + (int)threadIdx.x % 2);
            }
            int main() { int* p; cudaMallocManaged(&p, 8); k<<<5, 64>>>(p, p + 1); SHOW(cudaDeviceSynchronize()); printf("%d\\n", p[1]); }""")
        for environment in ({"HEDDLE_ENGINE": "functional", "HEDDLE_SET": "run.max_cycles=50000000"}, {"HEDDLE_SET": "run.oracle=true"}):
            self.assertEqual(run(program, **environment), (0, "cudaSuccess\n800\n", ""))

    def test_tiles_of_several_warps(self):
        program = self.compile("""
            #include <cooperative_groups.h>
            #include <cooperative_groups/reduce.h>
            namespace cg = cooperative_groups;
            template <int Size>
            __global__ void tiles(int* out) {  // every second one only
              __shared__ cg::block_tile_memory<256> memory;
              auto block = cg::this_thread_block(memory);
              auto tile = cg::tiled_partition<Size>(block);
              if (tile.meta_group_rank() % 2 == 0) {
                for (volatile int i = 0; i < (int)threadIdx.x / 32 % 2 * 1000; ++i) {}  // one warp comes later
                const int sum = cg::reduce(tile, (int)threadIdx.x + 1, cg::plus<int>());
                out[threadIdx.x] = sum * 1000 + cg::reduce(tile, (int)threadIdx.x, cg::greater<int>());
              }
            }
            template <int Size>
            int right(int* out) {
              tiles<Size><<<1, 256>>>(out); SHOW(cudaDeviceSynchronize());
              int right = 0;
              for (int i = 0; i < 256; ++i) {
                const int tile = i / Size;
                right += tile % 2 == 0 && out[i] == (Size * Size * tile + Size * (Size + 1) / 2) * 1000 + tile * Size + Size - 1;
              }
              return right;
            }
            int main() { int* out; cudaMallocManaged(&out, 1024); const int a = right<16>(out), b = right<64>(out), c = right<128>(out); printf("%d %d %d\\n", a, b, c); }""")
        for environment in ({"HEDDLE_ENGINE": "functional"}, *({"HEDDLE_SET": f"run.oracle=true mechanism={m}"} for m in ("spe", "dpe"))):
            self.assertEqual(run(program, **environment), (0, "cudaSuccess\n" * 3 + "128 128 128\n", ""))

    def test_shifts_by_the_width_and_more(self):
        """As PTX has them: nothing of the value is left, or its sign."""
        self.prints("""
            __global__ void k(unsigned* out, unsigned u, int s, unsigned long long q, int by) {
              out[0] = u << by; out[1] = u >> by; out[2] = (unsigned)(s >> by); out[3] = (unsigned)(q >> 2 * by); out[4] = u << (by - 31); out[5] = (unsigned)(q >> by);
            }
            int main() {
              unsigned* p;
              cudaMallocManaged(&p, 24);
              k<<<1, 1>>>(p, 0x80000001u, -5, 0x1234567890ull, 32);
              for (int i = 0; i < 6; ++i) printf("%x ", p[i]);
            }
            """, "0 0 ffffffff 0 2 12 ")


class Language(Programs):
    """What kernels may call, against a computation by the host."""

    SHUFFLES = """
        __global__ void k(unsigned* o, int w) {
          const unsigned t = threadIdx.x;
          o[t] = __shfl_up(t, 3, w); o[64 + t] = __shfl_down(t, 5, w); o[128 + t] = __shfl_xor(t, 9, w); o[192 + t] = __shfl(t, t + 1, w); o[256 + t] = __ballot(t % 3 == 0);
          o[320 + t] = __shfl_down(t, 33); o[384 + t] = __any(t == 40) + 2 * __all(t > 31);
        }
        int main() {
          unsigned* o; cudaMallocManaged(&o, 4 * 448); k<<<1, 64>>>(o, 8); SHOW(cudaGetLastError()); SHOW(cudaDeviceSynchronize());
          int wrong = 0;
          for (unsigned t = 0; t < 64; ++t) {
            const unsigned in = t % 8, low = t / 8 * 8;
            unsigned votes = 0;
            for (unsigned i = t / 32 * 32; i < t / 32 * 32 + 32; ++i) votes |= (i % 3 == 0) << i % 32;
            wrong += o[t] != (in < 3 ? t : t - 3) || o[64 + t] != (in + 5 > 7 ? t : t + 5) || o[128 + t] != ((t ^ 9) % 32 > t % 32 / 8 * 8 + 7 ? t : t ^ 9);
            wrong += o[192 + t] != low + (in + 1) % 8 || o[256 + t] != votes || o[320 + t] != (t % 32 == 31 ? t : t + 1) || o[384 + t] != (t > 31 ? 3 : 0);
          }
          printf("%d\\n", wrong);
        }"""

    def test_warps_of_any_size(self):
        """32 neighbours also where warps have 64; fewer are refused before anything runs, on every engine; dws keeps the threads together."""
        program = self.compile(self.SHUFFLES)
        for settings in ("", "mechanism=spe core.lanes=64 core.warps=16", "mechanism=dws"):
            self.assertEqual(run(program, HEDDLE_SET=settings), (0, "cudaSuccess\ncudaSuccess\n0\n", ""))
        line = ("heddle: kernel '_Z1kPji': warp-wide operations (shuffle, vote, __syncwarp) span 32 threads, and a warp of this machine has 16: "
                "set core.lanes to 32 or 64, on a mechanism that keeps warps together (spe, dpe)\n")
        for settings, engine in (("mechanism=dpe core.schedulers=4", "systemc"), ("mechanism=pdom-barrel core.schedulers=1", "systemc"), ("core.schedulers=4", "functional")):
            status, out, errors = run(program, HEDDLE_SET=settings + " core.lanes=16 core.warps=64", HEDDLE_ENGINE=engine)
            self.assertEqual((out.split()[:2], errors), (["cudaErrorNotSupported", "cudaSuccess"], line))

    def test_warp_wide_through_a_pointer(self):
        """Not seen at the launch: refused where it is executed."""
        program = self.compile("""
            __device__ __noinline__ int vote(int x) { return __ballot(x); }
            __device__ int (*volatile function)(int) = vote;
            __global__ void k(int* o) { o[threadIdx.x] = function(1); }
            int main() { int* o; cudaMallocManaged(&o, 256); k<<<1, 64>>>(o); SHOW(cudaDeviceSynchronize()); }""")
        self.assertEqual(run(program), (0, "cudaSuccess\n", ""))
        for engine in ("systemc", "functional"):
            status, out, errors = run(program, HEDDLE_SET="core.lanes=16 core.warps=64 core.schedulers=4", HEDDLE_ENGINE=engine)
            self.assertEqual(out, "cudaErrorNotSupported\n")
            self.assertIn("span 32 threads, and a warp of this machine has 16: set core.lanes to 32 or 64, on a mechanism that keeps warps together (spe, dpe) in kernel", errors)

    def test_atomics_of_64_bits_under_locks(self):
        program = self.compile("""
            __global__ void k(unsigned long long* c) { atomicAdd(c, 1ull); }
            int main() { unsigned long long* c; cudaMallocManaged(&c, 8); *c = 0; k<<<1, 32>>>(c); SHOW(cudaGetLastError()); printf("%llu\\n", *c); }""", "--rv32", "--fork-join")
        self.assertEqual(run(program, HEDDLE_SET="mechanism=spe"), (0, "cudaSuccess\n32\n", ""))
        self.assertEqual(run(program, HEDDLE_SET="mechanism=forkjoin"),
                         (0, "cudaErrorNotSupported\n0\n", "heddle: kernel k: 64-bit atomic operations take a lock, which threads of one warp never get from each other "
                          "with mechanism forkjoin: use another one, or 32 bits\n"))

    def test_a_lock_that_ends(self):
        """The message names the page, and its form ends."""
        source = """
            __global__ void spins(int* lock, volatile int* n) { bool done = false; while (!done) if (atomicCAS(lock, 0, 1) == 0) { ++*n; __threadfence(); atomicExch(lock, 0); done = true; } }
            __global__ void in_turn(int* lock, volatile int* n) {
              for (int turn = 0; turn < 32; ++turn) {
                if (turn == threadIdx.x % 32) { while (atomicCAS(lock, 0, 1) != 0) {} ++*n; __threadfence(); atomicExch(lock, 0); }
                __syncwarp();
              }
            }
            int main(int argc, char**) {
              int* p; cudaMallocManaged(&p, 8); p[0] = p[1] = 0;
              if (argc == 1) in_turn<<<1, 64>>>(p, p + 1); else spins<<<1, 64>>>(p, p + 1);
              SHOW(cudaDeviceSynchronize()); printf("%d\\n", p[1]);
            }"""
        program = self.compile(source)
        for mechanism in ("spe", "dpe"):
            self.assertEqual(run(program, HEDDLE_SET=f"mechanism={mechanism}"), (0, "cudaSuccess\n64\n", ""))
        status, out, errors = run(program, "1", HEDDLE_SET="mechanism=spe")
        self.assertEqual(out.split()[0], "cudaErrorLaunchTimeout")
        self.assertIn("(a lock between threads of one warp: let them take it one after another, as docs/cuda.md shows; or an endless loop)", errors)

    def test_double_in_every_direction(self):
        """Each operation in each mode against the host's, on special values and any."""
        self.prints("""
            #include <cfenv>
            #include <cmath>
            #include <cstring>
            #include <vector>
            __global__ void k(const double* v, int n, double* o) {
              const int i = blockIdx.x * blockDim.x + threadIdx.x;
              if (i >= n * n) return;
              const double a = v[i / n], b = v[i % n], c = v[(i * 7 + 3) % n];
              double* p = o + 28 * i;
              #define MODE(m, at) p[at] = __dadd_##m(a, b); p[at + 1] = __dsub_##m(a, b); p[at + 2] = __dmul_##m(a, b); p[at + 3] = __ddiv_##m(a, b); \\
                p[at + 4] = __dsqrt_##m(a); p[at + 5] = __fma_##m(a, b, c); p[at + 6] = __double2float_##m(a);
              MODE(rn, 0) MODE(rz, 7) MODE(rd, 14) MODE(ru, 21)
            }
            int main() {
              std::vector<double> v = {0.0, -0.0, 1, -3, 1e-320, -4.9e-324, 2.2250738585072014e-308, 1.7976931348623157e308, -1.7976931348623157e308, INFINITY, -INFINITY,
                                       NAN, 0.1, 1e300, 1e-300, 1e39, -1e-46, 1e-40, 16777217, -9007199254740991.0, 1 + 2.220446049250313e-16};
              for (unsigned long long s = 1; v.size() < 48;) {
                s = s * 6364136223846793005ull + 1442695040888963407ull;
                const unsigned long long bits = s % 3 ? (s & 0x800FFFFFFFFFFFFFull) | ((s >> 40) % 60 + 990) << 52 : s;
                double d; memcpy(&d, &bits, 8); v.push_back(d);
              }
              const int n = v.size(), modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
              double *d, *o; cudaMallocManaged(&d, 8 * n); cudaMallocManaged(&o, 28 * 8 * n * n); memcpy(d, v.data(), 8 * n);
              k<<<(n * n + 63) / 64, 64>>>(d, n, o);
              SHOW(cudaDeviceSynchronize());
              int wrong = 0;
              for (int m = 0; m < 4; ++m) for (int i = 0; i < n * n; ++i) {
                volatile double a = v[i / n], b = v[i % n], c = v[(i * 7 + 3) % n], e[7];
                fesetround(modes[m]);
                e[0] = a + b; e[1] = a - b; e[2] = a * b; e[3] = a / b; e[4] = sqrt(a); e[5] = fma(a, b, c); e[6] = (float)a;
                fesetround(FE_TONEAREST);
                for (int j = 0; j < 7; ++j) { const double got = o[28 * i + 7 * m + j], want = e[j]; wrong += memcmp(&got, &want, 8) != 0 && !(got != got && want != want); }
              }
              printf("%d\\n", wrong);
            }""", "cudaSuccess\n0\n", "-Xcompiler", "-frounding-math", HEDDLE_ENGINE="functional")

    def test_integers_to_floats_in_every_direction(self):
        self.prints("""
            #include <cfenv>
            #include <vector>
            typedef unsigned long long U;
            __global__ void k(const long long* v, double* o) {
              const long long x = v[threadIdx.x];
              double* p = o + 16 * threadIdx.x;
              #define MODE(m, at) p[at] = __ll2double_##m(x); p[at + 1] = __ull2double_##m(x); p[at + 2] = __ll2float_##m(x); p[at + 3] = __ull2float_##m(x);
              MODE(rn, 0) MODE(rz, 4) MODE(rd, 8) MODE(ru, 12)
            }
            int main() {
              const long long all[] = {0, 1, -1, 5, -16777217, 16777217, 33554433, (1ll << 53) + 1, -(1ll << 53) - 1, (1ll << 62) + 1, ~(1ll << 63), 1ll << 63,
                                       0x7fffff4000000001, 0x7fffff4000000000, 0x7fffffbfffffffff, -0x7fffff4000000001, 4294967295, -4294967297};
              const int n = sizeof all / 8, modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
              long long* v; double* o; cudaMallocManaged(&v, sizeof all); cudaMallocManaged(&o, 128 * n);
              for (int i = 0; i < n; ++i) v[i] = all[i];
              k<<<1, n>>>(v, o);
              SHOW(cudaDeviceSynchronize());
              int wrong = 0;
              for (int m = 0; m < 4; ++m) for (int i = 0; i < n; ++i) {
                volatile long long x = all[i];
                fesetround(modes[m]);
                volatile double a = (double)x, b = (double)(U)x; volatile float c = (float)x, d = (float)(U)x;
                fesetround(FE_TONEAREST);
                const double* p = o + 16 * i + 4 * m;
                if (all[i] >= 0) wrong += p[1] != b || p[3] != d;
                wrong += p[0] != a || p[2] != c;
              }
              printf("%d\\n", wrong);
            }""", "cudaSuccess\n0\n", "-Xcompiler", "-frounding-math", HEDDLE_ENGINE="functional")

    def test_match_and_reduce(self):
        """In warps of 29 threads, where branches have left some of them."""
        self.prints("""
            struct R { unsigned any, any64, all, add, umin, umax, band, bor, bxor; int all_same, smin, smax, sadd; };
            __global__ void k(R* o) {
              const int t = blockIdx.x * 32 + threadIdx.x;
              const unsigned mask = __activemask() & 0x11F7FFFFu;
              if (threadIdx.x % 5 == 2 || (mask >> threadIdx.x & 1) == 0) return;
              const unsigned m = __activemask();
              R& r = o[t];
              const unsigned v = t * 2654435761u; const int s = (int)v;
              r.any = __match_any_sync(m, t % 3); r.any64 = __match_any_sync(m, (unsigned long long)(t % 2) << 40); r.all = __match_all_sync(m, blockIdx.x == 0 ? 7 : t, &r.all_same);
              r.add = __reduce_add_sync(m, v); r.umin = __reduce_min_sync(m, v); r.umax = __reduce_max_sync(m, v); r.band = __reduce_and_sync(m, v | 9);
              r.bor = __reduce_or_sync(m, v & 0xFF00); r.bxor = __reduce_xor_sync(m, v); r.smin = __reduce_min_sync(m, s); r.smax = __reduce_max_sync(m, s); r.sadd = __reduce_add_sync(m, s);
            }
            int main() {
              R* o; cudaMallocManaged(&o, 96 * sizeof(R)); cudaMemset(o, 0, 96 * sizeof(R)); k<<<3, 29>>>(o); SHOW(cudaDeviceSynchronize());
              int wrong = 0, seen = 0;
              for (int b = 0; b < 3; ++b) for (int i = 0; i < 29; ++i) {
                const auto in = [](int x) { return x % 5 != 2 && (0x11F7FFFFu >> x & 1); };
                if (!in(i)) continue;
                ++seen;
                const R& r = o[b * 32 + i]; R w = {}; w.umin = ~0u; w.band = ~0u; w.smin = 0x7fffffff; w.smax = -w.smin - 1; unsigned members = 0;
                for (int j = 0; j < 29; ++j) {
                  if (!in(j)) continue;
                  const int t = b * 32 + j, me = b * 32 + i; const unsigned v = t * 2654435761u; const int s = (int)v;
                  members |= 1u << j; w.any |= (unsigned)(t % 3 == me % 3) << j; w.any64 |= (unsigned)(t % 2 == me % 2) << j;
                  w.add += v; w.umin = min(w.umin, v); w.umax = max(w.umax, v); w.band &= v | 9; w.bor |= v & 0xFF00; w.bxor ^= v; w.smin = min(w.smin, s); w.smax = max(w.smax, s);
                }
                wrong += r.any != w.any || r.any64 != w.any64 || r.all != (b == 0 ? members : 0) || r.all_same != (b == 0) || r.add != w.add || r.sadd != (int)w.add;
                wrong += r.umin != w.umin || r.umax != w.umax || r.band != w.band || r.bor != w.bor || r.bxor != w.bxor || r.smin != w.smin || r.smax != w.smax;
              }
              printf("%d of %d\\n", wrong, seen);
            }""", "cudaSuccess\n0 of 60\n")

    def test_small_functions(self):
        """Dot products, hints at caches, scopes of atomics, inverse error functions."""
        self.prints("""
            __global__ void k(int* o, float* f) {
              o[0] = __dp4a((int)0x80FF017Fu, (int)0x7F80FF02u, 5); o[1] = (int)__dp4a(0x80FF017Fu, 0x7F80FF02u, 5u); o[2] = __dp2a_lo((int)0x8000FFFFu, 0x0203FF80, 1);
              o[3] = (int)__dp2a_hi(0x80000002u, 0xFF030000u, 1u); __stcg(o + 4, __ldcg(o) + __ldcs(o + 1)); __nanosleep(10);
              o[5] = 40; atomicAdd_block(o + 5, 2); o[6] = atomicCAS_system(o + 5, 42, 7); o[7] = atomicMax_system(o + 5, 3);
              f[0] = erfcinvf(1.5f); f[1] = erfcinvf(1e-30f); f[2] = erfcinvf(0.0f); f[3] = erfcinvf(-1.0f); f[4] = erfinvf(1e-20f); f[5] = (float)erfinv(-0.9); f[6] = normcdfinvf(0.975f);
            }
            int main() {
              int* o; float* f; cudaMallocManaged(&o, 64); cudaMallocManaged(&f, 64); k<<<1, 1>>>(o, f); cudaDeviceSynchronize();
              for (int i = 0; i < 8; ++i) printf("%d ", o[i]);
              for (int i = 0; i < 7; ++i) printf("%.5g ", f[i]);
            }""", "DP -0.47694 8.1486 inf nan 8.8623e-21 -1.1631 1.96 ".replace("DP", " ".join(str(v) for v in self.dot_products())), HEDDLE_ENGINE="functional")

    @staticmethod
    def dot_products():
        signed = 127 * 2 + 1 * -1 + -1 * -128 + -128 * 127 + 5
        unsigned = 127 * 2 + 1 * 255 + 255 * 128 + 128 * 127 + 5
        return [signed, unsigned, -1 * -128 + -32768 * -1 + 1, 2 * 3 + 0x8000 * 255 + 1, signed + unsigned, 7, 42, 7]

    def test_groups_of_the_threads_that_are_together(self):
        self.prints("""
            #include <cooperative_groups.h>
            namespace cg = cooperative_groups;
            __device__ int sum(cg::thread_group g, int* shared, int value) {
              for (int i = g.size() / 2; i > 0; i /= 2) {
                shared[g.thread_rank()] = value; g.sync();
                if (g.thread_rank() < i) value += shared[g.thread_rank() + i];
                g.sync();
              }
              return value;
            }
            __global__ void k(int* o) {
              __shared__ int shared[64];
              const int t = threadIdx.x;
              const int all = sum(cg::this_thread_block(), shared, t);
              cg::thread_group tile = cg::tiled_partition(cg::this_thread_block(), 16);
              const int part = sum(tile, shared + t / 16 * 16, t);
              o[8 * t] = all; o[8 * t + 1] = part; o[8 * t + 2] = tile.thread_rank() + 100 * tile.size();
              if (t % 3 == 1) {
                cg::coalesced_group g = cg::coalesced_threads();
                o[8 * t + 3] = g.size() * 100 + g.thread_rank(); o[8 * t + 4] = g.shfl(t, 2); o[8 * t + 5] = g.shfl_down(t, 1) * 100 + g.shfl_up(t, 2);
                o[8 * t + 6] = g.ballot(t % 2) + 4096 * g.any(t == 4) + 8192 * g.all(t > 31);
              }
            }
            int main() {
              int* o; cudaMallocManaged(&o, 64 * 32); k<<<1, 64>>>(o); SHOW(cudaDeviceSynchronize());
              for (int t : {0, 16, 4, 31, 61}) for (int i = 0; i < 7; ++i) printf("%d ", o[8 * t + i]);
            }""", "cudaSuccess\n2016 120 1600 0 0 0 0 64 376 1600 1105 7 1910 5461 256 16 1604 1101 7 704 5461 94 31 1615 1110 7 3125 5461 61 61 1613 1009 40 6155 8874 ")

    def test_groups_shuffle_structures(self):
        self.prints("""
            #include <cooperative_groups.h>
            namespace cg = cooperative_groups;
            struct Odd { short a; char b[3]; };
            __global__ void k(uint4* o, Odd* odd) {
              const unsigned t = threadIdx.x;
              cg::thread_block_tile<8> tile = cg::tiled_partition<8>(cg::this_thread_block());
              const uint4 mine = make_uint4(t, 2 * t, 3 * t, 4 * t);
              o[t] = tile.shfl_xor(mine, 3); o[32 + t] = tile.shfl(mine, 2); o[64 + t] = tile.shfl_up(mine, 1); o[96 + t] = tile.shfl_down(mine, 1);
              o[128 + t] = cg::coalesced_threads().shfl(mine, 9);
              const short a = 100 * t; odd[t] = tile.shfl(Odd{a, {(char)t, 1, 2}}, 7);
            }
            int main() {
              uint4* o; Odd* odd; cudaMallocManaged(&o, 160 * sizeof *o); cudaMallocManaged(&odd, 32 * sizeof *odd); k<<<1, 32>>>(o, odd); SHOW(cudaDeviceSynchronize());
              for (int i : {13, 45, 72, 77, 103, 111, 140}) printf("%u %u, ", o[i].x, o[i].w);
              printf("%d %d %d\\n", odd[9].a, odd[9].b[0], odd[31].b[2]);
            }""", "cudaSuccess\n14 56, 10 40, 8 32, 12 48, 7 28, 15 60, 9 36, 1500 15 2\n")

    def test_calls_of_the_runtime(self):
        self.prints("""
            __global__ void k(int* p) { *p = 5; }
            int main() {
              int *p, grid, block, value; cudaStream_t s; cudaStreamCreate(&s);
              SHOW(cudaMallocAsync(&p, 4, s)); k<<<1, 1, 0, s>>>(p);
              SHOW(cudaStreamAddCallback(s, [](cudaStream_t, cudaError_t e, void* d) { printf("callback %d %s\\n", **(int**)d, cudaGetErrorName(e)); }, &p, 0));
              SHOW(cudaLaunchHostFunc(s, [](void* d) { printf("function %d\\n", **(int**)d); }, &p)); SHOW(cudaLaunchHostFunc(s, nullptr, &p));
              SHOW(cudaFreeAsync(p, s)); SHOW(cudaOccupancyMaxPotentialBlockSize(&grid, &block, k)); printf("%d %d\\n", grid, block);
              SHOW(cudaOccupancyMaxPotentialBlockSize(&grid, &block, k, 0, 100)); printf("%d\\n", block);
              for (auto a : {cudaDevAttrComputeMode, cudaDevAttrIntegrated, cudaDevAttrCooperativeLaunch, cudaDevAttrComputeCapabilityMajor}) { cudaDeviceGetAttribute(&value, a, 0); printf("%d ", value); }
              SHOW(cudaSetDeviceFlags(cudaDeviceBlockingSync));
            }""", "cudaSuccess\ncallback 5 cudaSuccess\ncudaSuccess\nfunction 5\ncudaSuccess\ncudaErrorInvalidValue\ncudaSuccess\ncudaSuccess\n2 768\ncudaSuccess\n96\n"
            "0 0 1 6 cudaSuccess\n")

    def test_guards_helpers_and_standard(self):
        (self.folder / "data").mkdir(exist_ok=True)
        (self.folder / "data" / "image.pgm").write_bytes(b"P5\n# of a test\n3 2\n255\n\x00\x01\x02\x03\x04\xff")
        program = self.compile("""
            #include <helper_cuda.h>
            #include <helper_functions.h>
            #if !defined __DRIVER_TYPES_H__ || !defined __CUDA_RUNTIME_H__
            #error guards
            #endif
            int f() throw(int);
            int main(int, char** argv) {
              register int n = 3;
              float *x = nullptr, data[] = {1.5f, -2, 3e9f}, wrong[] = {1.5f, NAN, 3e9f}; unsigned count = 0, w, h; unsigned char* image = nullptr;
              printf("%d %d\\n", sdkWriteFile("numbers", data, n, 0.0f, true), sdkReadFile("numbers", &x, &count, true));
              char* path = sdkFindFilePath("image.pgm", argv[0]);
              printf("%s %d %u %u %d\\n", path, sdkLoadPGM(path, &image, &w, &h), w, h, image[5]);
              printf("%d %d %d %d %ld\\n", compareData(data, data, 3, 0.1f, 0.0f), compareData(data, wrong, 3, 0.1f, 0.0f), MIN(2, 3), MAX(2, 3), __cplusplus);
            }""")
        done = subprocess.run([program], cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual(done.stdout, "1 1\ndata/image.pgm 1 3 2 255\n1 0 2 3 201703\n")

    def test_headers_that_are_not_there(self):
        for header in ("cuda_fp8.h", "curand_kernel.h", "cub/cub.cuh", "cuda/atomic", "nvToolsExt.h", "thrust/sort.h", "thrust/extrema.h", "cublasLt.h", "cusolverDn.h"):
            status, out, errors = run(NVCC, "-c", self.source(f"#include <{header}>\nint main() {{}}\n", "missing.cu", ""), "-o", self.folder / "missing.o")
            self.assertEqual((status, out), (1, ""))
            self.assertRegex(errors, rf'error: Heddle does not have \S.* ?\(?.*{header}\)?: see "What is refused" in docs/cuda.md')
            self.assertEqual(errors.count("error: "), 1)


class Installed(Programs):
    def test_cmake_package_compiler_and_toolkit(self):
        """All that stands in another prefix, with nothing of the build tree."""
        prefix = self.folder / "prefix"
        self.assertEqual(run("cmake", "--install", os.environ["BUILD"], "--prefix", prefix)[0], 0)
        self.source("__global__ void k(int* p) { *p = NUMBER; }\nint main() { int* p; cudaMallocManaged(&p, 4); k<<<1, 1>>>(p); printf(\"%d\\n\", *p); }", "app.cu")
        (self.folder / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.25)\nproject(app CXX)\nfind_package(heddle REQUIRED)\n"
                                                    "heddle_add_cuda_executable(app app.cu FLAGS -O2 -DNUMBER=5)\n")
        build = self.folder / "build"
        status, _, errors = run("cmake", "-S", self.folder, "-B", build, f"-DCMAKE_PREFIX_PATH={prefix}")
        self.assertEqual((status, errors), (0, ""))
        self.assertEqual(run("cmake", "--build", build)[0], 0)
        self.assertEqual(run(build / "app"), (0, "5\n", ""))
        for compiler in (prefix / "bin" / "heddle-nvcc", prefix / "share" / "heddle" / "toolkit" / "bin" / "nvcc"):
            self.assertEqual(run(compiler, "-DNUMBER=6", self.folder / "app.cu", "-o", self.folder / "app"), (0, "", ""))
            self.assertEqual(run(self.folder / "app"), (0, "6\n", ""))
        self.assertEqual(run(prefix / "bin" / "heddle", "exec", "--mechanism", "dpe", "--", self.folder / "app"), (0, "6\n", ""))


if __name__ == "__main__":
    unittest.main()
