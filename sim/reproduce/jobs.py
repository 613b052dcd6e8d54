# SPDX-License-Identifier: Apache-2.0
"""Runs of the simulator, kept: each in a file of its own, that is there whole or not at all, by a hash of command, simulator and kernels."""

import concurrent.futures
import contextlib
import hashlib
import json
import os
import pathlib
import queue
import signal
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


def digest_of(path):
    """Of a file's content."""
    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise Wrong(f"{path}: cannot be read ({error.strerror})") from None


def plugins():
    """Those of the environment, by paths that are right in every folder."""
    return [os.path.abspath(path) for path in os.environ.get("HEDDLE_PLUGIN", "").split(":") if path]


def machine_hash(heddle):
    """Of the simulator, of its plug-ins and of the kernels that workloads run."""
    digest = hashlib.sha256()
    kernels = pathlib.Path(os.environ.get("HEDDLE_KERNELS") or heddle.resolve().parents[1] / "share" / "heddle" / "kernels")
    try:
        for path in [heddle, *map(pathlib.Path, plugins()), *sorted(kernels.glob("*.elf"))]:
            digest.update(path.name.encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    except OSError as error:
        raise Wrong(f"{error.filename}: cannot be read ({error.strerror}): the simulator was moved or is being built; start again when it is there") from None
    return digest.hexdigest()


def start(command, **more):
    """A process of the simulator."""
    try:
        return subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)
    except OSError as error:
        raise Wrong(f"{command[0]}: cannot be run ({error.strerror}): the simulator was moved or is being built; start again when it is there") from None


def make_job(machine, arguments, program=None, form=None, **more):
    """What Store and Runner know a run by. program: that of the user which it runs, in this form (programs.py)."""
    known = [machine, arguments] + ([program.digest(form)] if program else [])
    key = hashlib.sha256(json.dumps(known).encode()).hexdigest()[:HASH_DIGITS]
    return {"key": key, **more, "arguments": arguments, **({"program": program} if program else {})}


def with_document(arguments, place):
    """The same with the document written there: in front of a program's own words."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    return [*arguments[:end], "--json", place, *arguments[end:]]


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
            except BaseException:
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

    PATIENCE = 5  # seconds that a run has to end in when it is asked to

    def __init__(self, store, heddle):
        self.store, self.heddle = store, heddle
        self.children, self.lock, self.stopped = set(), threading.Lock(), False

    def run(self, one):
        """Whether it succeeded."""
        program = one.get("program")
        with tempfile.TemporaryDirectory(prefix="heddle-") as place:  # programs write where they stand
            folder, document = pathlib.Path(place, "folder"), pathlib.Path(place, "document")
            folder.mkdir()
            clean = {name: value for name, value in os.environ.items() if not name.startswith("HEDDLE_")}
            more = {"cwd": folder, "env": {**clean, "HEDDLE_PLUGIN": ":".join(plugins())}} if program else {}
            with self.lock:
                if self.stopped:
                    return False
                child = start([self.heddle, *with_document(one["arguments"], document if program else "-")], **more)
                self.children.add(child)
            out, errors = child.communicate()
            with self.lock:
                self.children.discard(child)
                if self.stopped:
                    return False
            text, why = None, errors.decode(errors="replace").strip().split("\n")[-1] or f"ended with status {child.returncode}"
            if child.returncode == 0 and program and not document.exists():
                why = "it has written no statistics"
            elif child.returncode == 0:
                text, why = program.document(document.read_text(encoding="utf-8"), out, folder) if program else (out.decode(), None)
        if text is None:
            write_whole(self.store.failure(one), why + "\n")
            return False
        write_whole(self.store.path(one), text)
        self.store.failure(one).unlink(missing_ok=True)
        return True

    def stop(self):
        """Ends what runs, and lets nothing begin."""
        with self.lock:
            self.stopped = True
            children = list(self.children)
        for child in children:
            child.terminate()
        limit = time.monotonic() + self.PATIENCE
        for child in children:
            try:
                child.wait(max(0, limit - time.monotonic()))
            except subprocess.TimeoutExpired:
                child.kill()

    def all(self, jobs, workers, progress):
        """How many failed. A run that cannot be kept ends all of them; so does a signal, which then has its usual effect."""
        with Signals() as signals, concurrent.futures.ThreadPoolExecutor(workers) as pool:
            left = {pool.submit(self.run, one): one for one in jobs}
            for future in left:
                future.add_done_callback(signals.put)
            try:
                for _ in left:
                    progress.step(signals.get().result())
            except BaseException:
                self.stop()
                pool.shutdown(cancel_futures=True)
                raise
            finally:
                progress.end()
        return progress.failed


class Asked(BaseException):
    """A signal has come."""


class Signals:
    """A queue in which signals stand beside what else is put there, so that none comes between two steps of the reader. At the end the first one goes to whom it was for."""

    NUMBERS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    LOOK = 0.2  # seconds: a signal that comes just before the wait does not end it

    def __init__(self):
        self._queue, self._before, self._asked = queue.SimpleQueue(), {}, []
        self.put = self._queue.put

    def get(self):
        item = None
        while item is None:
            with contextlib.suppress(queue.Empty):
                item = self._queue.get(timeout=self.LOOK)
        if item in self.NUMBERS:
            raise Asked
        return item

    def _note(self, number, _):
        self._asked.append(number)
        self._queue.put(number)

    def __enter__(self):
        for number in self.NUMBERS:
            if signal.getsignal(number) != signal.SIG_IGN:
                self._before[number] = signal.signal(number, self._note)
        return self

    def __exit__(self, kind, *_):
        for number, handler in self._before.items():
            signal.signal(number, handler)
        if self._asked:
            signal.raise_signal(self._asked[0])
        return kind is Asked
