# SPDX-License-Identifier: Apache-2.0
"""Runs of the simulator, kept: each in a file of its own, that is there whole or not at all, by a hash of command, simulator and kernels."""

import concurrent.futures
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time

HASH_DIGITS = 16
UMASK = os.umask(0)  # which only setting tells
os.umask(UMASK)


def one_line(text):
    """As the message of an error: control characters and bytes that are no text as escapes, and of a long text its two ends."""
    text = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
    return text if len(text) <= 1000 else text[:700] + " [...] " + text[-280:]


class Wrong(Exception):
    """What the user can mend: one line."""

    def __init__(self, message):
        super().__init__(one_line(message))


def machine_hash(heddle):
    """Of the simulator, of its plug-ins and of the kernels that workloads run."""
    digest = hashlib.sha256()
    kernels = pathlib.Path(os.environ.get("HEDDLE_KERNELS") or heddle.resolve().parents[1] / "share" / "heddle" / "kernels")
    try:
        plugins = [pathlib.Path(path) for path in os.environ.get("HEDDLE_PLUGIN", "").split(":") if path]
        for path in [heddle, *plugins, *sorted(kernels.glob("*.elf"))]:
            digest.update(path.name.encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    except OSError as error:
        raise Wrong(f"{error.filename}: cannot be read ({error.strerror}): the simulator was moved or is being built; start again when it is there") from None
    return digest.hexdigest()


def start(command):
    """A process of the simulator."""
    try:
        return subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    except OSError as error:
        raise Wrong(f"{command[0]}: cannot be run ({error.strerror}): the simulator was moved or is being built; start again when it is there") from None


def make_job(machine, arguments, **more):
    """What Store and Runner know a run by."""
    key = hashlib.sha256(json.dumps([machine, arguments]).encode()).hexdigest()[:HASH_DIGITS]
    return {"key": key, **more, "arguments": arguments}


def write_whole(path, text):
    """A file that is there as a whole, or not at all."""
    try:
        with tempfile.NamedTemporaryFile("w", dir=path.parent, prefix=".", delete=False, encoding="utf-8", newline="") as file:
            try:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
                os.chmod(file.name, 0o666 & ~UMASK)
                os.replace(file.name, path)
            except OSError:
                os.unlink(file.name)
                raise
    except OSError as error:
        raise Wrong(f"{path}: cannot be written ({error.strerror})") from None


class Store:
    """What is finished."""

    def __init__(self, folder):
        self.folder = folder
        try:
            for name in ("results", "failed"):
                (folder / name).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise Wrong(f"{folder}: cannot be written ({error.strerror})") from None

    def path(self, one):
        return self.folder / "results" / f"{one['key']}.json"

    def failure(self, one):
        return self.folder / "failed" / f"{one['key']}.txt"

    def result(self, one):
        try:
            return json.loads(self.path(one).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None

    def why(self, one):
        """The message of a run that failed, or None."""
        try:
            return self.failure(one).read_text(encoding="utf-8").strip()
        except OSError:
            return None


class Progress:
    """A line on standard error, if that is a terminal."""

    def __init__(self, program, total):
        self.program, self.total, self.begin, self.done, self.failed = program, total, time.monotonic(), 0, 0
        self.shown = sys.stderr.isatty()

    def step(self, succeeded):
        self.done += 1
        self.failed += not succeeded
        if not self.shown:
            return
        left = (time.monotonic() - self.begin) / self.done * (self.total - self.done)
        failed = f", {self.failed} failed" if self.failed else ""
        print(f"\r\033[K{self.program}: {self.done} of {self.total} runs{failed}, {left / 60:.0f}:{left % 60:02.0f} left", end="", file=sys.stderr, flush=True)

    def end(self):
        if self.shown and self.done:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


class Runner:
    """Runs on this machine."""

    def __init__(self, store, heddle):
        self.store, self.heddle = store, heddle
        self.children, self.lock, self.stopped = set(), threading.Lock(), False

    def run(self, one):
        """Whether it succeeded."""
        with self.lock:
            if self.stopped:
                return False
            child = start([self.heddle, *one["arguments"], "--json", "-"])
            self.children.add(child)
        out, errors = child.communicate()
        with self.lock:
            self.children.discard(child)
            if self.stopped:
                return False
        if child.returncode == 0:
            write_whole(self.store.path(one), out.decode())
            self.store.failure(one).unlink(missing_ok=True)
            return True
        text = errors.decode(errors="replace").strip().split("\n")[-1] or f"ended with status {child.returncode}"
        write_whole(self.store.failure(one), text + "\n")
        return False

    def stop(self):
        with self.lock:
            self.stopped = True
            for child in self.children:
                child.terminate()

    def all(self, jobs, workers, progress):
        """How many failed. A run that cannot be kept ends all of them."""
        with concurrent.futures.ThreadPoolExecutor(workers) as pool:
            futures = []
            try:   # a signal may come as soon as the first run has begun
                futures += [pool.submit(self.run, one) for one in jobs]
                for future in concurrent.futures.as_completed(futures):
                    progress.step(future.result())
            except BaseException:
                self.stop()
                for future in futures:
                    future.cancel()
                raise
            finally:
                progress.end()
        return progress.failed
