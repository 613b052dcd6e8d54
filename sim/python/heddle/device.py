# SPDX-License-Identifier: Apache-2.0
"""Devices, arrays in their memory, and kernels compiled for them."""

import atexit
import json
import math
import os
import re
import shutil
import subprocess
import tempfile
import weakref

import numpy as np

from . import _core

# Types of elements that an array can be compared with, as debug information names them.
ELEMENTS = {
    "float": "f4", "double": "f8", "_Bool": "b1", "bool": "b1",
    "char": "i1 u1", "signed char": "i1", "unsigned char": "u1", "int8_t": "i1", "uint8_t": "u1",
    "short": "i2", "short int": "i2", "unsigned short": "u2", "short unsigned int": "u2", "int16_t": "i2", "uint16_t": "u2",
    "int": "i4", "unsigned int": "u4", "unsigned": "u4", "int32_t": "i4", "uint32_t": "u4", "long long": "i8", "long long int": "i8", "unsigned long long": "u8", "long long unsigned int": "u8",
    "int64_t": "i8", "uint64_t": "u8",
}
LONG = {"long": "i", "long int": "i", "unsigned long": "u", "long unsigned int": "u"}  # 4 bytes with RV32, 8 with RV64


def _error(code, message):
    error = _core.Error(message)
    error.code, error.kind, error.status, error.details = code, "other", 2, ""
    return error


def _is_whole(value):
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def _text(value, name, code="option"):
    """A text or a path, as text."""
    if isinstance(value, (str, os.PathLike)) and isinstance(os.fspath(value), str):
        return os.fspath(value)
    raise _error(code, f"{name} {value!r}: give a text")


def _truth(value, name):
    if not isinstance(value, (bool, np.bool_)):
        raise _error("option", f"{name} {value!r}: give True or False")
    return bool(value)


def _shape(shape):
    sizes = (shape,) if _is_whole(shape) else tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
    if any(not _is_whole(size) or size < 0 for size in sizes):
        raise _error("argument", f"shape {shape!r}: sizes are whole numbers of at least 0")
    return tuple(int(size) for size in sizes)


def _dtype(dtype):
    try:
        known = np.dtype(dtype)
    except (TypeError, ValueError):
        raise _error("argument", f"dtype {dtype!r}: NumPy knows no such type") from None
    if known.hasobject:
        raise _error("argument", f"an array of {known} has no values that a kernel could read")
    return known


def _settings(settings):
    """(key, value) of each, as texts."""
    if not hasattr(settings, "items"):
        raise _error("config", f'settings {settings!r}: give a dict, for example {{"core.warps": 16}}')
    texts = []
    for key, value in settings.items():
        if not isinstance(key, str):
            raise _error("config", f"settings: key {key!r} is no text")
        if not isinstance(value, (str, bool, np.bool_, int, np.integer, float, np.floating)):
            raise _error("config", f"settings: {key} = {value!r}: give a number, a text, True or False")
        texts.append((key, str(value).lower() if isinstance(value, (bool, np.bool_)) else str(value)))
    return texts


def _window(window):
    """First and last cycle."""
    if not isinstance(window, (tuple, list)) or len(window) != 2 or not all(
            _is_whole(cycle) and 0 <= cycle < 1 << 64 for cycle in (window if window[1] is not None else window[:1])):
        raise _error("option", f"window {window!r}: give the first and the last cycle, for example (0, 500); None as the last one: to the end")
    return window[0], window[1]


def _load_plugins(plugin=()):
    """Those of the environment, and these."""
    _core.load_plugins()
    for path in plugin if isinstance(plugin, (list, tuple)) else [plugin]:
        _core.load_plugin(_text(path, "plugin", "plugin"))


def mechanisms():
    """What Device(mechanism) can be: a dict of name -> (summary, source)."""
    _load_plugins()
    return {name: (summary, source) for name, summary, source in _core.mechanisms()}


def program(name="heddle"):
    """Path of one of Heddle's programs: heddle, heddle-cc or heddle-nvcc."""
    here = os.path.dirname(os.path.realpath(_core.__file__))
    # The build tree's bin/ and that of the installation's prefix.
    for up in (("..", ".."), ("..", "..", "..", "..")):
        path = os.path.join(here, *up, "bin", name)
        if os.path.isfile(path):
            return path
    path = shutil.which(name)
    if path is None:
        raise _error("program", f"{name} was found neither beside this module nor in PATH: build or install Heddle again")
    return path


def compile(source, output=None, flags=()):  # noqa: A001: what it does
    """Compiles a kernel file, or the text of one (CUDA's language, more than one line), with heddle-cc; returns the program's path.

    Without `output` the program lives as long as the interpreter. Error "compile": the compiler's messages."""
    source = _text(source, "source", "compile")
    if isinstance(flags, str) or not all(isinstance(flag, str) for flag in flags):
        raise _error("compile", f'flags {flags!r}: give a list of texts, for example ["--linearize"]')
    folder = None
    if output is None or "\n" in source:
        folder = tempfile.mkdtemp(prefix="heddle-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
    if "\n" in source:
        path = os.path.join(folder, "kernels.cu")
        with open(path, "w", encoding="utf-8") as file:
            file.write(source)
        source = path
    if output is None:
        output = os.path.join(folder, os.path.splitext(os.path.basename(source))[0] + ".elf")
    done = subprocess.run([program("heddle-cc"), *flags, os.fspath(source), "-o", os.fspath(output)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False)
    if done.returncode != 0:
        raise _error("compile", done.stdout.strip())
    return os.fspath(output)


def _triple(size, name):
    sizes = tuple(size) if isinstance(size, (tuple, list)) else (size,)
    if not 1 <= len(sizes) <= 3 or any(not _is_whole(s) or not 1 <= s < 1 << 32 for s in sizes):
        raise _error("launch", f"{name} {size!r}: write one to three sizes of at least 1, for example (64, 2)")
    return [int(s) for s in sizes] + [1] * (3 - len(sizes))


def _flat(tree, prefix=""):
    """Numbers and texts of nested dicts, under names with dots; lists are left out."""
    row = {}
    for key, value in tree.items():
        if isinstance(value, dict):
            row.update(_flat(value, f"{prefix}{key}."))
        elif not isinstance(value, list):
            row[prefix + key] = value
    return row


class Array:
    """An array in the memory of a device. np.asarray(a) and a.get() copy it to the host, a.set(values) and a[...] = values from there."""

    def __init__(self, device, address, shape, dtype, owned):
        self.device, self.address, self.shape, self.dtype = device, address, shape, dtype
        self.size = int(np.prod(shape, dtype=np.int64))
        self.nbytes = self.size * dtype.itemsize
        if owned:
            weakref.finalize(self, device._core.release, address)

    def get(self):
        values = np.empty(self.shape, self.dtype)
        if self.size:
            self.device._core.read(self.address, values.view(np.uint8).reshape(-1) if values.ndim else values.reshape(1).view(np.uint8))
        return values.reshape(self.shape)

    def set(self, values):
        values = np.ascontiguousarray(np.broadcast_to(np.asarray(values, self.dtype), self.shape))
        if self.size:
            self.device._core.write(self.address, values.reshape(-1).view(np.uint8))

    def __array__(self, dtype=None):
        values = self.get()
        return values if dtype is None else values.astype(dtype)

    def __getitem__(self, index):
        return self.get()[index]

    def __setitem__(self, index, values):
        if index is Ellipsis or index == slice(None):
            self.set(values)
            return
        all_values = self.get()
        all_values[index] = values
        self.set(all_values)

    def __len__(self):
        return self.shape[0]

    def __repr__(self):
        return f"heddle.Array({self.address:#x}, shape={self.shape}, dtype={self.dtype})"


class Device:
    """A simulated core with its memory.

    mechanism, settings={"core.warps": 16}, preset, config: the machine, as `heddle run --mechanism --set --preset --config`.
    plugin: a library with mechanisms of its own, or several in a list. engine: "systemc", "rtl" or "cosim". check: every instruction is compared with a reference interpreter (slower).
    wave, timeline, window=(first, last): files that close() writes, of these cycles. report: a page (.html) of all launches, too."""

    def __init__(self, mechanism="", settings=None, *, program=None, preset="", config="", engine="systemc", check=True, wave="", timeline="", report="",
                 window=(0, None), plugin=()):
        _load_plugins(plugin)
        texts = _settings({} if settings is None else settings)
        if not _truth(check, "check"):
            texts.append(("run.oracle", "false"))
        self._core = _core.Device(_text(mechanism, "mechanism"), texts, _text(preset, "preset"), _text(config, "config"), _text(engine, "engine"),
                                  _text(wave, "wave"), _text(timeline, "timeline"), _text(report, "report"), *_window(window))
        if program is not None:
            self.load(program)

    def __repr__(self):
        return "<heddle.Device " + self._core.summary() + ">"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Writes the wave, the timeline and the report."""
        self._core.finish()

    def load(self, program):
        """Loads a program that heddle-cc compiled."""
        self._core.load(_text(program, "program"))

    @property
    def kernels(self):
        """Names of the program's kernels."""
        return self._core.kernels()

    def parameters(self, kernel):
        """(name, type) of what a kernel takes; None if the program was compiled without debug information."""
        return self._core.parameters(_text(kernel, "kernel", "kernel"))

    def array(self, values, dtype=None):
        """A copy of the values in the device's memory."""
        values = np.ascontiguousarray(values, dtype)
        array = self.empty(values.shape, values.dtype)
        array.set(values)
        return array

    def empty(self, shape, dtype=np.float32):
        dtype, shape = _dtype(dtype), _shape(shape)
        size = math.prod(shape) * dtype.itemsize
        if size >= 1 << (41 if self._core.wide() else 32) or len(shape) > 32:
            raise _error("memory", f"shape {shape}: an array of {size} bytes and {len(shape)} dimensions is more than a device takes")
        return Array(self, self._core.allocate(max(1, size)), shape, dtype, True)

    def zeros(self, shape, dtype=np.float32):
        array = self.empty(shape, dtype)
        array.set(np.zeros((), array.dtype))
        return array

    def symbol(self, name, dtype=None):
        """A __device__ or __constant__ variable of the program, as an array. dtype: of its elements; without it as its type says."""
        address, size, spelled = self._core.variable(_text(name, "symbol", "symbol"))
        if dtype is None:
            element = re.sub(r"\s*(\[.*|const|volatile)\s*", "", spelled)
            dtype = (self._elements(element) or "u1").split()[0]
        dtype = _dtype(dtype)
        if dtype.itemsize == 0 or size % dtype.itemsize:
            raise _error("symbol", f"variable {name} ({spelled}) has {size} bytes: no whole number of {dtype}")
        return Array(self, address, (size // dtype.itemsize,), dtype, False)

    def launch(self, kernel, grid, block, *arguments, shared=0, functional=False):
        """Runs a kernel; returns its statistics as a dict.

        Arguments: numbers, Arrays, NumPy arrays (copied to the device, and back where the kernel's parameter is no pointer to const), NumPy
        scalars of a structured dtype for structures, None for a null pointer. shared: bytes of dynamic shared memory. functional: without the
        machine, many times faster; the dict has thread_instructions alone."""
        if not _is_whole(shared) or not 0 <= shared < 1 << 32:
            raise _error("launch", f"shared {shared!r}: give a whole number of bytes")
        functional = _truth(functional, "functional")
        parameters = self.parameters(kernel)
        passed, back, kept = [], [], []
        for number, value in enumerate(arguments):
            name, spelled = parameters[number] if parameters and number < len(parameters) else ("", "")
            if isinstance(value, Array):
                if value.device is not self:
                    raise _error("argument", f"argument {number + 1} of kernel {kernel}: the array is in the memory of another device")
                self._check_elements(kernel, number, name, spelled, value.dtype)
                passed.append(value.address)
                kept.append(value)
            elif isinstance(value, np.ndarray):
                self._check_elements(kernel, number, name, spelled, value.dtype)
                constant = spelled.startswith("const ")
                if not constant and not value.flags.writeable:
                    raise _error("argument", f"argument {number + 1} of kernel {kernel} ({spelled} {name}): the kernel may write to it, but the array is "
                                 "read-only; pass a copy")
                there = self.array(value)
                passed.append(there.address)
                kept.append(there)
                if not constant:
                    back.append((value, there))
            elif isinstance(value, np.void):
                passed.append(value.tobytes())
            elif isinstance(value, np.generic):
                passed.append(value.item())
            else:
                passed.append(int(value) if isinstance(value, bool) else value)
        instructions = self._core.launch(kernel, _triple(grid, "grid"), _triple(block, "block"), passed, shared, functional)
        for value, there in back:
            value[...] = there.get()
        return {"thread_instructions": instructions} if functional else json.loads(self._core.last_document())["stats"]

    def _elements(self, name):
        """Types of elements for a C type, or None."""
        return LONG[name] + ("8" if self._core.wide() else "4") if name in LONG else ELEMENTS.get(name)

    def _check_elements(self, kernel, number, name, spelled, dtype):
        place = f"argument {number + 1} of kernel {kernel} ({spelled} {name})"
        if spelled and not spelled.endswith("*"):
            raise _error("argument", f"{place}: an array is given; give a number")
        element = self._elements(re.sub(r"\b(const|volatile)\b\s*", "", spelled).rstrip("* "))
        if spelled.count("*") == 1 and element and dtype not in [np.dtype(e) for e in element.split()]:
            raise _error("argument", f"{place}: the array has elements of {dtype}; convert it with .astype(np.{np.dtype(element.split()[0])})")

    @property
    def report(self):
        """All launches so far: the JSON document of `heddle run`, as dicts and lists."""
        return json.loads(self._core.document())

    @property
    def stats(self):
        """Statistics of all launches together (docs/metrics.md)."""
        return self.report["stats"]

    @property
    def config(self):
        """Every key of the configuration."""
        return self.report["config"]

    @property
    def launches(self):
        """A flat row of names and numbers for each launch: pandas.DataFrame(device.launches)."""
        rows = []
        for launch in self.report["launches"]:
            row = {"kernel": launch["kernel"], "grid": tuple(launch["grid"]), "block": tuple(launch["block"])}
            row.update(_flat(launch["stats"]))
            rows.append(row)
        return rows
