#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The Debian package, unpacked beside the build: nothing in it may need the tree that it was made from. Environment: BUILD."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

BUILD = pathlib.Path(os.environ["BUILD"])
KERNEL = """
#include "heddle/kernel.h"
extern "C" __global__ void twice(const int* in, int* out) { out[threadIdx.x] = 2 * in[threadIdx.x]; }
"""


def run(*command, **options):
    return subprocess.run([str(c) for c in command], capture_output=True, text=True, check=False, **options)


class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        made = run("cpack", "-G", "DEB", "-B", cls.folder / "made", cwd=BUILD)
        (cls.package,) = (cls.folder / "made").glob("*.deb") if made.returncode == 0 else (None,)
        assert cls.package, made.stdout + made.stderr
        cls.root = cls.folder / "root"
        assert run("dpkg-deb", "-x", cls.package, cls.root).returncode == 0
        cls.bin = cls.root / "usr" / "bin"

    def test_depends_on_what_it_uses(self):
        depends = run("dpkg-deb", "-f", self.package, "Depends").stdout
        named = set(re.findall(r"(?:^|, )([a-z0-9.+-]+)", depends))
        self.assertLessEqual({"libc6", "libsystemc", "libelf1", "python3", "gcc-riscv64-unknown-elf", "picolibc-riscv64-unknown-elf"}, named)
        for name in named:
            status = run("dpkg-query", "-W", "-f=${Status}", name).stdout
            self.assertEqual(status, "install ok installed", name)  # a package of this distribution

    def test_a_workload(self):
        done = run(self.bin / "heddle", "run", "lud", "--size", "small", "--mechanism", "dpe", "--json", "-", cwd=self.folder)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(json.loads(done.stdout)["result"], "pass")

    def test_a_kernel_of_the_users(self):
        (self.folder / "k.cu").write_text(KERNEL)
        (self.folder / "in").write_bytes(b"".join(n.to_bytes(4, "little") for n in range(32)))
        for flags in ((), ("--linearize",), ("--fork-join",)):
            done = run(self.bin / "heddle-cc", *flags, "k.cu", "-o", "k.elf", cwd=self.folder)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            done = run(self.bin / "heddle", "run", "k.elf", "--block", "32", "--arg", "in:in", "--arg", "out:out:128", "--quiet", cwd=self.folder)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            out = (self.folder / "out").read_bytes()
            self.assertEqual([int.from_bytes(out[i:i + 4], "little") for i in range(0, 128, 4)], [2 * n for n in range(32)])

    def test_pkg_config_finds_what_lies_beside_its_file(self):
        environment = {**os.environ, "PKG_CONFIG_PATH": str(self.root / "usr" / "lib" / "pkgconfig")}
        header = pathlib.Path(run("pkg-config", "--variable=includedir", "heddle", env=environment).stdout.strip()) / "heddle" / "device.h"
        self.assertTrue(header.is_file(), header)

    def test_man_pages_say_what_help_says(self):
        for name in ("heddle", "heddle-cc", "heddle-nvcc"):
            page = self.root / "usr" / "share" / "man" / "man1" / f"{name}.1"
            shown = run("man", "--warnings", "-l", "-Tascii", page, env={**os.environ, "MANWIDTH": "250", "GROFF_NO_SGR": "1", "PATH": "/usr/bin:/bin"})
            self.assertEqual((shown.returncode, shown.stderr), (0, ""), name)
            text = " ".join(re.sub(".\b", "", shown.stdout).split())
            commands = re.findall(r"(?m)^  ([a-z][a-z-]+)  ", run(self.bin / name, "--help").stdout) if name == "heddle" else []
            for command in ((), *((command,) for command in commands)):
                for option in re.findall(r"(?m)^  (-\S+)", run(self.bin / name, *command, "--help").stdout):
                    self.assertIn(option, text, (name, command))

    def test_completions_are_where_the_shells_look(self):
        for path in ("bash-completion/completions/heddle", "zsh/vendor-completions/_heddle"):
            self.assertTrue((self.root / "usr" / "share" / path).is_file(), path)

    def test_nothing_names_the_tree(self):
        for path in self.root.rglob("*"):
            if path.is_file() and not path.is_symlink() and path.suffix in (".cmake", ".pc", ".py", ".sh", "") and path.stat().st_size < 1 << 20:
                self.assertNotIn(str(BUILD).encode(), path.read_bytes(), path)
            if path.is_symlink():
                self.assertFalse(os.path.isabs(os.readlink(path)), path)


if __name__ == "__main__":
    unittest.main()
