# SPDX-License-Identifier: Apache-2.0
"""The evaluation of the linearization paper: what `heddle linearize-study` says of each of its kernels, together."""

from evaluation import Evaluation, Figure, Missing
from plots import bars
from verdict import DIRECTION, NOT, REPRODUCED, gain, mean, median, perturbed, spread

WORKLOADS = ["hotspot", "heartwall", "mcx", "mum", "nqueen", "particlefilter", "ray"]
LEVELS = ["0", "1", "2", "3"]
MECHANISMS = ["spe", "dpe", "forkjoin"]
NO_CHANGE = 0.005  # of a figure of the paper or ours
PROGRAM_MECHANISMS = ["spe", "dpe"]  # forkjoin needs marks, and another build
LATENCY = 200  # memory.latency of the usual machine, on which `heddle linearize-study` runs, too


def _direction(change):
    return (change > NO_CHANGE) - (change < -NO_CHANGE)


class Linearize(Evaluation):
    name = "linearize"
    title = "Control flow linearization: its evaluation run anew"
    paper = "Anantpur and Govindarajan, Taming Control Divergence in GPUs through Control Flow Linearization, CC 2014"
    PROGRAMS = WORKLOADS
    FORMS = {"plain": True, "level0": False, "level1": False, "level2": False, "level3": True}

    def __init__(self, size, perturb, programs=None):
        super().__init__(size, perturb, programs)
        self.asked = self.programs.asked(WORKLOADS)
        self.latencies = perturbed(LATENCY, perturb)
        # Those of which there is each form, in the figures.
        self.full = [workload for workload in self.asked if self.programs.get(workload) is None]

    def plan(self):
        plan = {workload: ["linearize-study", workload, "--size", self.size, "--runs", str(self.perturb)] for workload in self.asked}
        for program in self.programs:
            for form in program.executables:
                for mechanism in PROGRAM_MECHANISMS:
                    for latency in self.latencies:
                        options = ["--mechanism", mechanism, "--threads", "1", "--set", f"memory.latency={latency}"]
                        plan[self._key(program.name, form, mechanism, latency)] = program.arguments(form, options), program, form
        return plan

    @staticmethod
    def _key(workload, form, mechanism, latency):
        return f"{workload}, {form} on {mechanism}, latency {latency}"

    def about(self):
        return [*self.about_programs(), *(["Beside a program's figures stand those of our kernel, in brackets."] if self.programs.path else []), "The paper's seven programs, written anew with their unstructured control flow (`docs/workloads.md`), as they were compiled and with `heddle-cc --linearize` at its four levels. The paper worked on PTX for a Fermi GPU, above the register allocator; "
                "here the pass works on RV32 assembly behind it, so code sizes and executed instructions are compared as changes (`docs/linearization.md`).",
                f"Cycles are those of {self.perturb} run{'s' if self.perturb > 1 else ''} with `memory.latency` spread over 5 % to either side, instructions and accesses those of the first."]

    # ---------------------------------------------------------------- of a kernel

    @staticmethod
    def _study(results, workload):
        """Of our kernel, with the paper's figures."""
        return results[workload]["workloads"][0]

    def _code(self, results, workload, form="3"):
        if self.programs.get(workload):
            raise Missing(f"{workload} is a program, of whose code nothing is counted")
        return next(code for code in self._study(results, workload)["code"] if code["form"] == form)

    def _run(self, results, workload, form="3", mechanism="spe", ours=False):
        """Of the program, or of our kernel."""
        program = self.programs.get(workload)
        if program and not ours:
            runs = [results[self._key(workload, f"level{form}" if form else "plain", mechanism, latency)]["stats"] for latency in sorted(self.latencies)]
            return {"passed": True, "warp_instructions": runs[0]["warp_instructions"], "cycles": [stats["cycles"] for stats in runs]}
        return next(run for run in self._study(results, workload)["runs"] if run["form"] == form and run["mechanism"] == mechanism)

    def _change(self, results, workload, what, form="3", mechanism="spe", ours=False):
        """Of a count of a run."""
        before, behind = (self._run(results, workload, which, mechanism, ours) for which in ("", form))
        if what not in before:
            raise Missing(f"{workload} is a program, whose {what.replace('_', ' ')} are not counted")
        return behind[what] / before[what] if before[what] else 1.0

    def _speed_up(self, results, workload, form="3", mechanism="spe", ours=False):
        """Of each run."""
        return [plain / linear for plain, linear in zip(*(self._run(results, workload, which, mechanism, ours)["cycles"] for which in ("", form)))]

    def _beside(self, results, workload, text):
        """What our kernel gives, where a program stands in its place. text(ours) of a figure, True for our kernel's."""
        return text(False) + (f" ({text(True)})" if self.programs.get(workload) else "")

    def _forms(self, workload):
        program = self.programs.get(workload)
        return [form.removeprefix("level").replace("plain", "") for form in program.executables] if program else ["", *LEVELS]

    def deciders(self):
        return WORKLOADS

    def _growth(self, results, workload):
        return self._code(results, workload)["instructions"] / self._code(results, workload, "")["instructions"]

    # ---------------------------------------------------------------- claims

    def claims(self, results):
        def claim(statement, paper, judge, reason=None, parts=None):
            return self.claim(results, statement, paper, judge, reason, parts)

        def all_forms(condition, text):
            def judge():
                found = [condition(self._code(results, workload, level), self._code(results, workload, "")) for workload in self.among(WORKLOADS) for level in LEVELS]
                return (REPRODUCED if all(found) else NOT), f"{sum(found)} of {len(found)} {text}"
            return judge

        def passed():
            found = [self._run(results, workload, form, mechanism)["passed"] for workload in self.among(WORKLOADS) for mechanism in (PROGRAM_MECHANISMS if self.programs.get(workload) else MECHANISMS)
                     for form in self._forms(workload)]
            return (REPRODUCED if all(found) else NOT), f"{sum(found)} of {len(found)} forms and mechanisms"

        def growths():
            return {workload: self._growth(results, workload) for workload in self.among(WORKLOADS)}

        def bounded():
            found = growths().values()
            return (REPRODUCED if all(value <= 1.12 for value in found) else DIRECTION if mean(found) <= 1.12 else NOT), f"{gain(mean(found))} on average"

        def growth_reason():
            def text(workload):
                before, behind = (self._code(results, workload, form)["instructions"] for form in ("", "3"))
                theirs = self._study(results, workload)["paper"]["code"]
                return f"{workload} has {before} instructions before and {behind} behind the pass, in the paper {theirs[0]:.0f} and {theirs[1]:.0f}"
            return "; ".join(text(workload) for workload, value in growths().items() if value > 1.12) + "."

        def executed(workload):
            paper = self._study(results, workload)["paper"]["executed"]
            ours, theirs = self._change(results, workload, "warp_instructions"), paper[4] / paper[0]
            same = _direction(ours - 1) == _direction(theirs - 1)
            near = abs(ours - theirs) <= 0.05
            return (REPRODUCED if same and near else DIRECTION if same else NOT), self._beside(results, workload, lambda kernel: gain(self._change(results, workload, "warp_instructions", ours=kernel)))

        def time(workload):
            paper = self._study(results, workload)["paper"]["time"]
            ours, theirs = median(self._speed_up(results, workload)), paper[0] / paper[1]
            same = _direction(ours - 1) == _direction(theirs - 1)
            near = abs(ours - theirs) <= 0.05
            return (REPRODUCED if same and near else DIRECTION if same else NOT), self._beside(results, workload, lambda kernel: spread(self._speed_up(results, workload, ours=kernel)))

        def accesses(workload, what, key):
            paper = self._study(results, workload)["paper"][key]
            ours, theirs = self._change(results, workload, what), paper[1] / paper[0]
            found = NOT if ours >= 1 else REPRODUCED if abs(ours - theirs) <= 0.1 else DIRECTION
            return found, gain(ours)

        def printed(workload, key, of):
            """The paper's figure, from the documents, so that it stands there once."""
            try:
                return gain(of(self._study(results, workload)["paper"][key]))
            except Missing:
                return "-"

        def counted(workload, *figures):
            """reason: how these change, (name, key) each; of a program what is counted."""
            changes = [f"{name} {gain(self._change(results, workload, what))}" for name, what in figures if what in self._run(results, workload)]
            return "; ".join(changes) + "."

        claims = [
            claim("Every program is structured behind the pass", "all", all_forms(lambda linear, plain: linear["unstructured"] == 0, "programs")),
            claim("Its results are the same", "all", passed),
            claim("At most two blocks are added for each block", "2 a block", all_forms(lambda linear, plain: linear["blocks"] <= 3 * plain["blocks"], "programs")),
            claim("Code grows by 2 to 10 % after optimization (12 % at most in Table 1)", "+2..10 %", bounded, growth_reason,
                  lambda: ", ".join(f"{workload} {gain(value)}" for workload, value in growths().items())),
        ]
        for workload in WORKLOADS:
            claims.append(claim(f"{workload}: executed instructions (Table 4, O3)", printed(workload, "executed", lambda paper: paper[4] / paper[0]), lambda workload=workload: executed(workload)))
        for workload in WORKLOADS:
            claims.append(claim(f"{workload}: speed (Table 2)", printed(workload, "time", lambda paper: paper[0] / paper[1]), lambda workload=workload: time(workload),
                                lambda workload=workload: counted(workload, ("Executed instructions", "warp_instructions"), ("global loads", "global_loads"))))
        for workload, what, key, name in (("mum", "global_loads", "loads", "global loads"), ("mum", "global_stores", "stores", "global stores"),
                                          ("mcx", "global_loads", "loads", "global loads"), ("mcx", "global_stores", "stores", "global stores")):
            claims.append(claim(f"{workload}: {name} (Table 2)", printed(workload, key, lambda paper: paper[1] / paper[0]), lambda workload=workload, what=what, key=key: accesses(workload, what, key)))
        return claims

    # ---------------------------------------------------------------- figures

    def figures(self, results):
        # A program may lack levels, and nothing but its cycles and instructions is counted.
        def levels_of(workloads):
            return [level for level in LEVELS if all(level in self._forms(workload) for workload in workloads)]

        def changes(title, text, label, value, workloads):
            def make():
                series = {f"level {level}": [value(workload, level) for workload in workloads] for level in levels_of(workloads)}
                rows = [[workload] + [f"{values[number]:.3f}" for values in series.values()] for number, workload in enumerate(workloads)]
                return Figure(title, text, bars(workloads, series, label, None, 1), ["kernel", *series], rows)
            return self.figure(results, make)

        def speed(mechanism):
            workloads = self.asked if mechanism in PROGRAM_MECHANISMS else self.full

            def make():
                ratios = {f"level {level}": [self._speed_up(results, workload, level, mechanism) for workload in workloads] for level in levels_of(workloads)}
                series = {form: [median(values) for values in of] for form, of in ratios.items()}
                spreads = {form: [(min(values), max(values)) for values in of] for form, of in ratios.items()}
                rows = [[workload] + [spread(of[number], lambda ratio: f"{ratio:.3f}") for of in ratios.values()] for number, workload in enumerate(workloads)]
                return Figure(f"Speed-up on {mechanism}", "Over the kernel as it was compiled.", bars(workloads, series, "speed-up", spreads, 1), ["kernel", *series], rows)
            return self.figure(results, make)

        def code_table():
            rows = []
            for workload in self.full:
                paper = self._study(results, workload)["paper"]
                for form in ["", *LEVELS]:
                    code = self._code(results, workload, form)
                    theirs = [f"{paper['code'][place]:.0f}, {paper['blocks'][place]:.0f}, {paper['registers'][place]:.0f}" for place in (0, 1)]
                    rows.append([workload if form == "" else "", f"level {form}" if form else "as compiled", str(code["instructions"]), str(code["blocks"]), str(code["registers"]), str(code["unstructured"]),
                                 theirs[0] if form == "" else theirs[1] if form == LEVELS[-1] else ""])
            return Figure("Code (Table 1)", "The paper's are SASS instructions, basic blocks and registers.", "", ["kernel", "form", "instructions", "blocks", "registers", "unstructured edges", "paper"], rows)

        def instructions(workload, level):
            return self._change(results, workload, "warp_instructions", level)

        figures = [speed(mechanism) for mechanism in MECHANISMS if mechanism in PROGRAM_MECHANISMS or self.full]
        figures.append(changes("Executed warp instructions on spe (Table 4)", "Over the kernel as it was compiled.", "instructions", instructions, self.asked))
        if self.full:
            figures.append(changes("Global loads on spe (Table 2)", "", "loads", lambda workload, level: self._change(results, workload, "global_loads", level), self.full))
            figures.append(self.figure(results, code_table))
        return figures
