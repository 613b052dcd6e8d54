# SPDX-License-Identifier: Apache-2.0
"""Programs that heddle-nvcc made, in the place of an evaluation's kernels: what a file says of them (docs/reproduce.md)."""

import hashlib
import json
import os
import re
import subprocess
import tomllib

from jobs import Wrong, digest_of

REST = "others"      # what stands at the top of a file
REST_VALUES = {"kernels": True, "none": False}
KEYS = ("arguments", "input", "launches", "check")  # of a program, beside its executables
OUTPUT = "output"    # of a check: what is written to standard output
_CLAUSE = re.compile(r"(?P<kernel>[^,:]+(?:::[^,:]+)*)(?::(?P<first>[1-9]\d*)(?P<open>-(?P<last>\d*))?)?")


class Program:
    """One of them: its executables by form, and how a run of it is judged."""

    def __init__(self, name, executables, libraries, said):
        self.name, self.input = name, said["input"]
        self.executables, self._libraries = executables, libraries
        self.words, self.launches = said["arguments"], said.get("launches")
        check = said["check"]
        self.prints, self.lacks, self.same = check.get("prints"), check.get("lacks"), check.get("same", [])

    def digest(self, form):
        """Of all that decides what a run gives beside its command: the program, what it loads of Heddle, files among its arguments, the check."""
        files = [self.executables[form], self._libraries[form], *(word for word in self.words if os.path.isabs(word) and os.path.isfile(word))]
        return hashlib.sha256(json.dumps([[digest_of(path) for path in files], self.prints, self.lacks, self.same]).encode()).hexdigest()

    def arguments(self, form, options, functional=False):
        """Of heddle, for a run of it."""
        which = ["--detail", self.launches] if self.launches and not functional else []
        return ["exec", *options, *which, "--report", "none", "--", str(self.executables[form]), *self.words]

    def document(self, text, out, folder):
        """(the document to keep of a run that ended with status 0 or None, what is wrong with it)"""
        said = out.decode(errors="replace")
        if self.prints is not None and self.prints not in said:
            return None, f"its output does not say '{self.prints}'"
        if self.lacks is not None and self.lacks in said:
            return None, f"its output says '{self.lacks}'"
        document = json.loads(text)
        if not document.pop("launches"):  # of thousands of launches more than of all the rest
            return None, "it launches no kernel"
        document["written"] = {}
        for name in self.same:
            try:
                content = out if name == OUTPUT else (folder / name).read_bytes()
            except OSError as error:
                return None, f"{name}, which is compared, cannot be read ({error.strerror})"
            document["written"][name] = hashlib.sha256(content).hexdigest()
        return json.dumps(document, indent=1) + "\n", None

    def __str__(self):
        return os.path.basename(next(iter(self.executables.values()))) + "".join(f" {os.path.basename(word)}" for word in self.words)

    def judged(self):
        """For a page: how."""
        if self.prints is not None or self.lacks is not None:
            return f"says \"{self.prints}\"" if self.prints is not None else f"does not say \"{self.lacks}\""
        return f"{', '.join(self.same)} as on the functional device" if self.same else "its exit status"

    def missing_launch(self, launched):
        """What `launches` names and does not occur, or None. launched: {kernel: launches}, with the arguments of a template."""
        for kernel, first, last in clauses(self.launches or ""):
            most = max((number for name, number in launched.items() if kernel in (name, name.split("<")[0])), default=0)
            if most < max(first, last or 0):
                wanted = f"{kernel}:{max(first, last or 0)}" if most else kernel
                return f"{wanted} does not occur: " + (f"{kernel} has {most} launches" if most else f"it launches {', '.join(sorted(launched)) or 'nothing'}")
        return None


def clauses(launches):
    """[(kernel, first, last or None)] of a list as HEDDLE_DETAIL has it; None: to the end."""
    found = []
    for clause in filter(None, launches.split(",")):
        match = _CLAUSE.fullmatch(clause)
        if match is None:
            raise ValueError(clause)
        first = int(match["first"] or 1)
        last = first if match["first"] and not match["open"] else int(match["last"]) if match["last"] else None
        if last is not None and last < first:
            raise ValueError(clause)
        found.append((match["kernel"], first, last))
    return found


class Programs:
    """What a file says. Without a file: none, and all kernels."""

    def __init__(self, path=None, names=(), forms=()):
        """names: of the paper's programs; forms: {executable's key in the file: whether it must be there}"""
        self.path, self.rest, self._of, self._forms = path, True, {}, {}
        if path is not None:
            self._read(path, list(names), dict(forms))

    def _read(self, path, names, forms):
        try:
            with open(path, "rb") as file:
                said = tomllib.load(file)
        except OSError as error:
            raise Wrong(f"{path}: cannot be read ({error.strerror})") from None
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise Wrong(f"{path}: is not TOML: {error}") from None
        rest = said.pop(REST, "none")
        if rest not in REST_VALUES:
            raise Wrong(f"{path}: {REST} = {json.dumps(rest, default=str)}: write \"kernels\" (Heddle's, for programs that are not here) or \"none\"")
        self.rest = REST_VALUES[rest]
        if not said:
            raise Wrong(f"{path}: names no program; write [{names[0]}] and what it is (docs/reproduce.md)")
        for name, of in said.items():
            where = f"{path}: [{name}]"
            if name not in names:
                raise Wrong(f"{where} is no program of this paper; there is {', '.join(names)}")
            if not isinstance(of, dict):
                raise Wrong(f"{path}: '{name}' is a table: write [{name}]")
            unknown = set(of) - set(KEYS) - set(forms)
            if unknown:
                raise Wrong(f"{where} '{sorted(unknown)[0]}' is not known; there is {', '.join([*forms, *KEYS])}")
            for form, needed in forms.items():
                if needed and form not in of:
                    raise Wrong(f"{where} needs {form} = \"path of the executable\"")
            self._of[name] = self._program(where, name, of, [form for form in forms if form in of])

    def _program(self, where, name, of, forms):
        for key in (*forms, "input", "launches"):
            if key in of and not isinstance(of[key], str):
                raise Wrong(f"{where} {key} = {json.dumps(of[key], default=str)}: write it as \"...\"")
        if "input" not in of:
            raise Wrong(f"{where} needs input = \"what it runs on\", for the page")
        words = of.setdefault("arguments", [])
        if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
            raise Wrong(f"{where} arguments = {json.dumps(words, default=str)}: a list of words, [\"-s\", \"64\"]")
        folder = self.path.resolve().parent
        of["arguments"] = [str(folder / word) if word and (folder / word).is_file() else word for word in words]
        try:
            clauses(of.get("launches", ""))
        except ValueError as error:
            raise Wrong(f"{where} launches = \"{of['launches']}\": '{error}' is no kernel with numbers behind it; write it as in \"kernel:3-5,other\"") from None
        check = of.get("check")
        if check == "status":
            of["check"] = {}
        elif not _is_check(check):
            raise Wrong(f"{where} check: write \"status\" (its exit status tells), {{ prints = \"text\" }}, {{ lacks = \"text\" }} or {{ same = [\"{OUTPUT}\", \"a file it writes\"] }} (as on the functional device)")
        executables = {form: folder / of[form] for form in forms}
        for form, executable in executables.items():
            if not os.access(executable, os.X_OK) or executable.is_dir():
                raise Wrong(f"{where} {form}: {executable} is not there, or cannot be executed: build it with heddle-nvcc")
        return Program(name, executables, {form: _library(f"{where} {form}", executable) for form, executable in executables.items()}, of)

    def get(self, name):
        return self._of.get(name)

    def __iter__(self):
        return iter(self._of.values())

    def asked(self, names):
        """Of the paper's programs, those that run."""
        return [name for name in names if self.rest or name in self._of]

    def plan(self):
        """{name: (arguments, program, form)} of what is run before all others: on the functional device, each form."""
        return {self.functional(program.name, form): (program.arguments(form, ["--engine", "functional"], functional=True), program, form) for program in self for form in program.executables}

    @staticmethod
    def functional(name, form):
        return f"{name}, {form}, functional device"

    def check_launches(self, documents):
        """By what the functional device has launched."""
        for program in self:
            for form in program.executables:
                document = documents[self.functional(program.name, form)]
                missing = document and program.missing_launch(document.get("functional_launches", {}))
                if missing:
                    raise Wrong(f"{self.path}: [{program.name}] launches: {missing}")

    def differences(self, documents, runs):
        """{name of a run: why it does not count}. runs: {name: (program, form)}, those of programs."""
        found = {}
        for name, (program, form) in runs.items():
            right = documents[self.functional(program.name, form)]
            if documents[name] is None:
                continue
            if right is None:
                found[name] = "the run on the functional device did not end well"
            else:
                other = [file for file, digest in documents[name]["written"].items() if right["written"][file] != digest]
                if other:
                    found[name] = f"{', '.join(other)} not as on the functional device"
        return found


def _is_check(check):
    """A table with one of the three."""
    if not isinstance(check, dict) or len(check) != 1:
        return False
    (key, value), = check.items()
    if key == "same":
        return isinstance(value, list) and bool(value) and all(isinstance(name, str) and name for name in value)
    return key in ("prints", "lacks") and isinstance(value, str) and bool(value)


def _library(where, executable):
    """The runtime that it loads: the simulator of its kernels."""
    done = subprocess.run(["ldd", str(executable)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    match = re.search(r"libheddle_cudart\S* => (\S+)", done.stdout)
    if match is None:
        raise Wrong(f"{where}: {executable} does not load libheddle_cudart: build it with heddle-nvcc")
    if match[1] == "not":
        raise Wrong(f"{where}: {executable} does not find its libheddle_cudart: set LD_LIBRARY_PATH")
    return match[1]
