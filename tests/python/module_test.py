# SPDX-License-Identifier: Apache-2.0
"""The Python module: arguments of every kind, what is refused, memory, symbols, statistics, pictures."""

import contextlib
import io
import json
import os
import signal
import tempfile
import threading
import unittest

import heddle
import numpy as np

SOURCE = """
#include <heddle/kernel.h>

struct Pair { float* to; short index; double value; };
__device__ int table[8] = {1, 2, 3};
__constant__ float factor = 2.0f;

extern "C" __global__ void add(int n, const float* x, float* y, float a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
extern "C" __global__ void kinds(double* out, signed char c, unsigned short s, bool flag, unsigned u, long long w, float f, double d, const int* null, int i9, int i10) {
  out[0] = c; out[1] = s; out[2] = flag; out[3] = u; out[4] = (double)w; out[5] = f; out[6] = d; out[7] = null == 0; out[8] = i9; out[9] = i10;
}
extern "C" __global__ void pair(Pair p) { p.to[p.index] = (float)p.value; }
extern "C" __global__ void symbols() { table[threadIdx.x] += (int)(factor * threadIdx.x); }
extern "C" __global__ void dynamic(int* out) {
  extern __shared__ int buffer[];
  buffer[threadIdx.x] = (int)threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = buffer[blockDim.x - 1 - threadIdx.x];
}
extern "C" __global__ void where(unsigned* out) { out[blockIdx.y * gridDim.x + blockIdx.x] = blockIdx.y * 100 + blockIdx.x; }
extern "C" __global__ void wild(int* p) { p[1 << 28] = 1; }
extern "C" __global__ void fails() { heddle_exit(threadIdx.x == 5 ? 7 : 0); }
extern "C" __global__ void endless(volatile int* p) { for (;;) *p = *p + 1; }
"""
PROGRAM = heddle.compile(SOURCE)
WIDE = """
#include <heddle/kernel.h>
extern "C" __global__ void add(long n, const long* x, double* y, double a) {
  long i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += a * (double)x[i];
}
extern "C" __global__ void far(unsigned long* large, unsigned long at, unsigned long* out) {
  large[at] = at;
  out[0] = large[at];
  out[1] = large[at - 1];
  out[2] = (unsigned long)large;
}
"""


class ModuleTest(unittest.TestCase):
    def device(self, mechanism="spe", settings=None, **more):
        return heddle.Device(mechanism, settings, program=PROGRAM, **more)

    def refused(self, code, text, call, *arguments, **named):
        with self.assertRaisesRegex(heddle.Error, text) as raised:
            call(*arguments, **named)
        self.assertEqual(raised.exception.code, code)
        self.assertNotIn("\n", str(raised.exception))
        return raised.exception

    def test_numpy_in_and_out(self):
        for mechanism in ("spe", "dpe", "dwf", "dws"):
            x, y = np.arange(300, dtype=np.float32), np.ones(300, np.float32)
            self.device(mechanism).launch("add", 3, 128, 300, x, y, 0.5)
            np.testing.assert_array_equal(y, 0.5 * np.arange(300) + 1)
            np.testing.assert_array_equal(x, np.arange(300))

    def test_arrays_stay_on_the_device(self):
        device = self.device()
        x, y = device.array(np.full((4, 5), 2, np.float32)), device.zeros((4, 5))
        for _ in range(3):
            device.launch("add", 1, 32, 20, x, y, 1.0)
        self.assertEqual(y.shape, (4, 5))
        np.testing.assert_array_equal(np.asarray(y), np.full((4, 5), 6))
        y[1] = 9
        self.assertEqual(y[1, 2], 9)
        self.assertEqual(y[0, 2], 6)
        y[...] = 1
        self.assertEqual(float(y.get().sum()), 20)

    def test_memory_is_used_again(self):
        device = self.device(settings={"memory.heap_bytes": "8M"})
        for _ in range(20):
            device.zeros(1 << 20, np.uint8)
        refused = self.refused("memory", "9000000 bytes of device memory are asked for", device.empty, 9000000, np.uint8)
        self.assertEqual(refused.kind, "out_of_memory")

    def test_accesses_outside_of_arrays(self):
        """In a gap, in an array that is gone, and not at all where nobody asks."""
        def launch(device, last, functional=False):
            x, y = device.zeros(100), device.zeros(100)
            device.launch("add", 1, 128, last, x, y, 1.0, functional=functional)
        for functional in (False, True):
            launch(self.device(), 100, functional)
            self.refused("fault", r"^load of 4 bytes at address 0x20000590: outside every buffer and variable \(nearest: offset 400 of argument 3 'y', 400 bytes at "
                                  r"0x20000400\) in kernel add: thread \(100,0,0\) of block \(0,0,0\) .*\.cu:10 \(add\+0x\w+\) `flw ", launch, self.device(), 101, functional)
            launch(self.device(settings={"run.bounds": False}), 101, functional)
        device = self.device()
        x, y = device.zeros(32), device.zeros(32)
        address = x.address
        del x
        self.refused("fault", r"^load of 4 bytes at address 0x20000000: a buffer that was freed \(nearest: offset 0 of argument 2 'x', 128 bytes at 0x20000000\) in kernel add",
                     device.launch, "add", 1, 32, 32, address, y, 1.0)

    def test_strided_and_read_only_arrays(self):
        device = self.device()
        both = np.zeros((20, 2), np.float32)
        x = np.arange(20, dtype=np.float32)
        x.flags.writeable = False
        device.launch("add", 1, 32, 20, x, both[:, 1], 1.0)
        np.testing.assert_array_equal(both[:, 1], np.arange(20))
        np.testing.assert_array_equal(both[:, 0], np.zeros(20))
        self.refused("argument", "may write to it, but the array is read-only", device.launch, "add", 1, 32, 20, x, x, 1.0)

    def test_arguments_of_every_kind(self):
        out = np.zeros(10)
        self.device().launch("kinds", 1, 1, out, -5, np.uint16(65535), True, 0xFFFFFFFF, -(1 << 40), 1.5, 0.1, None, 9, -10)
        np.testing.assert_array_equal(out, [-5, 65535, 1, 0xFFFFFFFF, -(1 << 40), 1.5, 0.1, 1, 9, -10])

    def test_structures(self):
        device = self.device()
        to = device.zeros(4)
        pair = np.zeros((), np.dtype({"names": ["to", "index", "value"], "formats": ["u8", "i2", "f8"], "offsets": [0, 8, 16], "itemsize": 24}))
        pair["to"], pair["index"], pair["value"] = to.address, 3, 2.25
        device.launch("pair", 1, 1, pair[()])
        np.testing.assert_array_equal(to.get(), [0, 0, 0, 2.25])
        self.refused("argument", "the structure given has 3 bytes, 24 are expected", device.launch, "pair", 1, 1, b"abc")
        self.refused("argument", "give a structure", device.launch, "pair", 1, 1, 5)

    def test_wrong_arguments(self):
        device = self.device()
        x = np.zeros(4, np.float32)
        call = device.launch
        self.refused("argument", "takes 4 arguments, 2 are given", call, "add", 1, 1, 4, x)
        self.refused("argument", r"argument 2 of kernel add \(const float\* x\): the array has elements of float64; convert it with .astype\(np.float32\)",
                     call, "add", 1, 1, 4, np.zeros(4), x, 1.0)
        self.refused("argument", "give a whole number", call, "add", 1, 1, 4.5, x, x, 1.0)
        self.refused("argument", "give a number", call, "add", 1, 1, 4, x, x, "a")
        self.refused("argument", "an array is given; give a number", call, "add", 1, 1, x, x, x, 1.0)
        self.refused("argument", "4294967296 does not fit into 32 bits", call, "add", 1, 1, 1 << 32, x, x, 1.0)
        self.refused("argument", "give an array, an address or None", call, "add", 1, 1, 4, 1.5, x, 1.0)
        self.refused("argument", "-129 does not fit into 8 bits", call, "kinds", 1, 1, np.zeros(10), -129, 0, True, 0, 0, 0, 0, None, 0, 0)
        self.refused("argument", "memory of another device", call, "add", 1, 1, 4, self.device().array(x), x, 1.0)
        self.refused("kernel", "ad", call, "ad", 1, 1)
        self.refused("launch", "write one to three sizes", call, "add", 0, 1, 4, x, x, 1.0)
        self.refused("option", "there is no such engine", heddle.Device, "spe", engine="fast")
        self.refused("config", "core.warp", heddle.Device, "spe", {"core.warp": 4})
        self.refused("kernel", "no program is loaded", heddle.Device("spe").launch, "add", 1, 1)

    def test_numbers_that_do_not_fit_are_told(self):
        call, out, x = self.device().launch, np.zeros(10), np.zeros(4, np.float32)
        self.refused("argument", r"argument 4 of kernel add, float a: 1e\+300 does not fit into a float", call, "add", 1, 1, 4, x, x, 1e300)
        self.refused("argument", "does not fit into a double", call, "kinds", 1, 1, out, 0, 0, True, 0, 0, 0, 10 ** 400, None, 0, 0)
        self.refused("argument", "2 is neither True nor False", call, "kinds", 1, 1, out, 0, 0, 2, 0, 0, 0, 0, None, 0, 0)
        self.refused("argument", "a number of 100001 bits does not fit into 32 bits", call, "add", 1, 1, 1 << 100000, x, x, 1.0)
        call("add", 1, 1, 4, x, x, np.inf)
        for shared in (-1, 1 << 32, 1.5, "1", None):
            self.refused("launch", "shared .*: give a whole number of bytes", call, "dynamic", 1, 1, np.zeros(4, np.int32), shared=shared)
        self.refused("option", "functional 1: give True or False", call, "add", 1, 1, 4, x, x, 1.0, functional=1)
        for size in (1.5, "4", None, {}, (1, 2, 3, 4), (0,), True, -1):
            self.refused("launch", "write one to three sizes", call, "add", size, 1, 4, x, x, 1.0)
        self.refused("kernel", "kernel 5: give a text", call, 5, 1, 1)

    def test_a_64_bit_program_has_64_bit_types_and_a_heap_of_more_than_4_gigabytes(self):
        program = heddle.compile(WIDE, flags=["--rv64"])
        device = heddle.Device("dpe", {"memory.heap_bytes": "16G", "run.bounds": "false", "run.oracle": "false"}, program=program)
        for functional in (True, False):
            x, y = np.arange(100, dtype=np.int64) << 40, np.ones(100)
            device.launch("add", 1, 128, 100, x, y, 0.5, functional=functional)
            np.testing.assert_array_equal(y, 1 + 0.5 * x)
            large, at, out = device.empty(5 << 30, np.uint8), 5 * (1 << 27) - 1, np.zeros(3, np.uint64)
            device.launch("far", 1, 1, large.address, at, out, functional=functional)
            self.assertEqual(list(out), [at, 0, large.address])
            self.assertGreaterEqual(large.address, 1 << 32)
            del large
        self.refused("argument", r"elements of int32; convert it with .astype\(np.int64\)", device.launch, "add", 1, 1, 1, np.zeros(1, np.int32), np.zeros(1), 1)
        self.refused("argument", "does not fit into unsigned 64 bits", device.launch, "far", 1, 1, 1 << 64, 0, np.zeros(3, np.uint64))
        self.refused("memory", r"there are 17179869184 \(memory.heap_bytes, at most 1024G\)", device.empty, 17 << 30, np.uint8)

    def test_shapes_that_cannot_be_are_told(self):
        device = self.device()
        for shape in (-1, (2, -3), 2.5, "4", None, (1, None), {}):
            self.refused("argument", "sizes are whole numbers of at least 0", device.empty, shape)
        for shape in (1 << 30, 1 << 62, 1 << 64, (1 << 32, 1 << 32), (1 << 63, 2)):
            self.refused("memory", "more than a device takes", device.empty, shape)
        self.refused("memory", "bytes", device.empty, (1 << 30) - 1)
        self.refused("argument", "NumPy knows no such type", device.empty, 4, "no type")
        self.refused("argument", "no values that a kernel could read", device.empty, 4, object)
        self.refused("symbol", "no whole number", device.symbol, "factor", "f8")
        self.assertEqual(device.zeros((0, 3)).get().shape, (0, 3))

    def test_settings_of_a_wrong_type_are_told(self):
        for settings in (5, "core.warps=4", ["core.warps"]):
            self.refused("config", "give a dict", heddle.Device, "spe", settings)
        for value in (None, [16], {}, b"16", 1j):
            self.refused("config", "settings: core.warps = .*: give a number, a text, True or False", heddle.Device, "spe", {"core.warps": value})
        self.refused("config", "key 5 is no text", heddle.Device, "spe", {5: 5})
        for name in ("preset", "config", "engine", "wave", "timeline", "program"):
            self.refused("option", f"{name} 7: give a text", heddle.Device, "spe", **{name: 7})
        self.refused("option", "mechanism None: give a text", heddle.Device, None)
        self.refused("option", "check 0: give True or False", heddle.Device, "spe", check=0)
        for window in (5, (1,), (0, 1.5), (-1, None), (None, 5), "ab", (0, 1 << 64)):
            self.refused("option", "give the first and the last cycle", heddle.Device, "spe", window=window)
        self.refused("compile", "give a list of texts", heddle.compile, SOURCE, flags="--linearize")
        self.refused("compile", "give a text", heddle.compile, 5)

    def test_an_engine_without_a_model_is_told_by_the_device(self):
        for engine in ("rtl", "cosim"):
            self.refused("engine", "mechanism mimd is a reference model without RTL", heddle.Device, "mimd", engine=engine)

    def test_symbols(self):
        device = self.device()
        table, factor = device.symbol("table"), device.symbol("factor")
        self.assertEqual((table.dtype, table.shape, factor.dtype), (np.int32, (8,), np.float32))
        factor[...] = 3
        device.launch("symbols", 1, 8)
        np.testing.assert_array_equal(table.get(), np.array([1, 2, 3, 0, 0, 0, 0, 0]) + 3 * np.arange(8))
        self.refused("symbol", "has no variable tables", device.symbol, "tables")

    def test_shared_grid_and_functional(self):
        device = self.device()
        out = np.zeros(64, np.int32)
        device.launch("dynamic", 1, 64, out, shared=256)
        np.testing.assert_array_equal(out, np.arange(64)[::-1])
        out[...] = 0
        counted = device.launch("dynamic", 1, 64, out, shared=256, functional=True)
        np.testing.assert_array_equal(out, np.arange(64)[::-1])
        self.assertEqual(counted["thread_instructions"], device.launches[0]["thread_instructions"])
        self.assertEqual(len(device.launches), 1)
        places = np.zeros(6, np.uint32)
        device.launch("where", (3, 2), 1, places)
        np.testing.assert_array_equal(places, [0, 1, 2, 100, 101, 102])

    def test_statistics(self):
        device = self.device("dpe", {"core.warps": 16})
        x, y = np.zeros(64, np.float32), np.zeros(64, np.float32)
        first = device.launch("add", 1, 64, 64, x, y, 1.0)
        device.launch("add", 1, 64, 32, x, y, 1.0)
        rows = device.launches
        self.assertEqual([row["kernel"] for row in rows], ["add", "add"])
        self.assertEqual(rows[0]["cycles"], first["cycles"])
        self.assertEqual(device.stats["cycles"], rows[0]["cycles"] + rows[1]["cycles"])
        self.assertEqual(rows[0]["grid"], (1, 1, 1))
        self.assertTrue(all(not isinstance(value, (dict, list)) for row in rows for value in row.values()))
        self.assertEqual(device.config["core.warps"], 16)
        self.assertEqual(device.parameters("add"), [("n", "int"), ("x", "const float*"), ("y", "float*"), ("a", "float")])
        self.assertIn("dpe", heddle.mechanisms())

    def test_faults_and_exits(self):
        fault = self.refused("fault", "wild", self.device().launch, "wild", 1, 1, None)
        self.assertEqual(fault.kind, "illegal_address")
        self.assertEqual(fault.status, 3)
        failed = self.refused("exit", "1 thread ended with a status other than 0.*status 7", self.device().launch, "fails", 1, 32)
        self.assertEqual(failed.status, 1)

    def test_interrupt(self):
        device = self.device(settings={"run.oracle": False})
        timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            device.launch("endless", 1, 1, np.zeros(1, np.int32))
        timer.join()

    def test_pictures(self):
        with tempfile.TemporaryDirectory() as folder:
            wave, timeline = os.path.join(folder, "w.vcd"), os.path.join(folder, "t.json")
            with self.device("dpe", wave=wave, timeline=timeline, window=(0, 500)) as device:
                device.launch("add", 1, 64, 40, np.zeros(64, np.float32), np.zeros(64, np.float32), 1.0)
            with open(timeline, encoding="utf-8") as file:
                self.assertTrue(json.load(file)["traceEvents"])
            self.assertGreater(os.path.getsize(wave), 1000)
            self.refused("option", "t.txt", self.device, timeline=os.path.join(folder, "t.txt"))

    def test_the_program_from_python(self):
        """Runs, their documents and pages, and sweeps; what fails raises."""
        folder = self.enterContext(tempfile.TemporaryDirectory())
        listed = heddle.workloads()
        self.assertIn("bfs", listed)
        self.assertTrue(all(summary and source for summary, source in listed.values()))
        page = os.path.join(folder, "page.html")
        run = heddle.run("figure6", "dpe", {"core.warps": 8}, size="small", parameters={"threads": 32}, report=page)
        self.assertEqual((run.result, run.mechanism, run["config"]["core.warps"]), ("pass", "dpe", 8))
        self.assertEqual(repr(run), f"<heddle.Run figure6 on dpe: pass, {run.cycles:,} cycles>")
        with open(page, encoding="utf-8") as file:
            self.assertIn("figure6 on dpe", file.read())
        for code, arguments in (("workload", ("nope",)), ("config", ("lud", "nope")), ("option", ("lud", "spe", None)), ("config", ("lud", "spe", {"core.lanes": 3}))):
            with self.assertRaises(heddle.Error) as raised:
                heddle.run(*arguments, size="small" if code != "option" else "tiny")
            self.assertEqual((raised.exception.code, raised.exception.status), (code, 2))
        with self.assertRaises(heddle.Error) as raised:
            heddle.run("spin", "spe", size="small")
        self.assertEqual((raised.exception.code, raised.exception.status), ("watchdog", 3))
        rows = heddle.sweep("figure6", ["spe", "dpe"], {"core.warps": [4, 8], "stack.depth": 8})
        self.assertEqual([(row["mechanism"], row["core.warps"], row["stack.depth"], row["result"]) for row in rows],
                         [(m, w, 8, "pass") for m in ("spe", "dpe") for w in (4, 8)])
        self.assertTrue(all(row["cycles"] > 0 and "l1.hits" in row for row in rows))
        self.assertEqual(heddle.sweep("spin", "spe")[0]["result"], "error")
        with self.assertRaisesRegex(heddle.Error, "every run would write this file"):
            heddle.sweep("figure6", report=page)
        self.assertIn("none.so", heddle.sweep("figure6", "spe", plugin=["none.so", "neither.so"])[0]["error"])

    def test_a_device_says_what_it_is(self):
        device = heddle.Device("dpe")
        self.assertEqual(repr(device), "<heddle.Device dpe: no program, 0 launches, 0 cycles>")
        device.load(heddle.compile(SOURCE, output=os.path.join(self.enterContext(tempfile.TemporaryDirectory()), "sums.elf")))
        device.launch("symbols", 1, 8)
        self.assertEqual(repr(device), f"<heddle.Device dpe: sums, 1 launch, {device.stats['cycles']:,} cycles>")

    def test_compile(self):
        with self.assertRaisesRegex(heddle.Error, "kernels.cu:2.*error"):
            heddle.compile("#include <heddle/kernel.h>\nbad\n")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "k.elf")
            self.assertEqual(heddle.compile(SOURCE, path, ["--linearize"]), path)
            self.assertIn("add", heddle.Device(program=path).kernels)

    def test_text_of_kernels(self):
        program = heddle.compile("""
            #include <heddle/kernel.h>
            extern "C" __global__ void hello(int i) { const char text[] = "hi\\n"; heddle_write(1, text, (unsigned)i); }
        """)
        text = io.StringIO()
        with contextlib.redirect_stdout(text):
            heddle.Device(program=program).launch("hello", 1, 1, 3)
        self.assertEqual(text.getvalue(), "hi\n")


if __name__ == "__main__":
    unittest.main()
