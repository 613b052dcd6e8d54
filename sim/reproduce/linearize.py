# SPDX-License-Identifier: Apache-2.0
"""The evaluation of the linearization paper: what `heddle linearize-study` says of each of its kernels, together."""

from evaluation import Evaluation, Figure
from plots import bars
from verdict import DIRECTION, NOT, REPRODUCED, gain, mean

WORKLOADS = ["hotspot", "heartwall", "mcx", "mum", "nqueen", "particlefilter", "ray"]
LEVELS = ["0", "1", "2", "3"]
MECHANISMS = ["spe", "dpe", "forkjoin"]
NO_CHANGE = 0.005  # of a figure of the paper or ours


def _direction(change):
    return (change > NO_CHANGE) - (change < -NO_CHANGE)


class Linearize(Evaluation):
    name = "linearize"
    title = "Control flow linearization: its evaluation run anew"
    paper = "Anantpur and Govindarajan, Taming Control Divergence in GPUs through Control Flow Linearization, CC 2014"

    def plan(self):
        return {workload: ["linearize-study", workload, "--size", self.size, "--runs", str(self.perturb)] for workload in WORKLOADS}

    def about(self):
        return ["The paper's seven programs, written anew with their unstructured control flow (`docs/workloads.md`), as they were compiled and with `heddle-cc --linearize` at its four levels. The paper worked on PTX for a Fermi GPU, above the register allocator; "
                "here the pass works on RV32 assembly behind it, so code sizes and executed instructions are compared as changes (`docs/linearization.md`).",
                f"Cycles are those of {self.perturb} run{'s' if self.perturb > 1 else ''} with `memory.latency` spread over 5 % to either side, instructions and accesses those of the first."]

    # ---------------------------------------------------------------- of a kernel

    @staticmethod
    def _study(results, workload):
        return results[workload]["workloads"][0]

    def _code(self, results, workload, form="3"):
        return next(code for code in self._study(results, workload)["code"] if code["form"] == form)

    def _run(self, results, workload, form="3", mechanism="spe"):
        return next(run for run in self._study(results, workload)["runs"] if run["form"] == form and run["mechanism"] == mechanism)

    def _change(self, results, workload, what, form="3", mechanism="spe"):
        """Of a count of a run."""
        before = self._run(results, workload, "", mechanism)[what]
        return self._run(results, workload, form, mechanism)[what] / before if before else 1.0

    def _speed_up(self, results, workload, form="3", mechanism="spe"):
        """Of each run, the usual latency first."""
        ratios = [plain / linear for plain, linear in zip(self._run(results, workload, "", mechanism)["cycles"], self._run(results, workload, form, mechanism)["cycles"])]
        middle = len(ratios) // 2
        return ratios[middle:middle + 1] + ratios[:middle] + ratios[middle + 1:]

    def _growth(self, results, workload):
        return self._code(results, workload)["instructions"] / self._code(results, workload, "")["instructions"]

    # ---------------------------------------------------------------- claims

    def claims(self, results):
        def claim(statement, paper, judge, reason=None):
            return self.claim(results, statement, paper, judge, reason)

        def all_forms(condition, text):
            def judge():
                found = [condition(self._code(results, workload, level), self._code(results, workload, "")) for workload in WORKLOADS for level in LEVELS]
                return (REPRODUCED if all(found) else NOT), f"{sum(found)} of {len(found)} {text}"
            return judge

        def passed():
            found = [run["passed"] for workload in WORKLOADS for run in self._study(results, workload)["runs"]]
            return (REPRODUCED if all(found) else NOT), f"{sum(found)} of {len(found)} runs"

        def bounded():
            growth = {workload: self._growth(results, workload) for workload in WORKLOADS}
            found = REPRODUCED if all(value <= 1.12 for value in growth.values()) else DIRECTION if mean(growth.values()) <= 1.12 else NOT
            return found, ", ".join(f"{workload} {gain(value)}" for workload, value in growth.items())

        def executed(workload):
            paper = self._study(results, workload)["paper"]["executed"]
            ours, theirs = self._change(results, workload, "warp_instructions"), paper[4] / paper[0]
            same = _direction(ours - 1) == _direction(theirs - 1)
            near = abs(ours - theirs) <= 0.05
            return (REPRODUCED if same and near else DIRECTION if same else NOT), gain(ours)

        def time(workload):
            paper = self._study(results, workload)["paper"]["time"]
            ours, theirs = self._speed_up(results, workload), paper[0] / paper[1]
            way = 1 if min(ours) > 1 else -1 if max(ours) < 1 else 0
            same = way == _direction(theirs - 1)
            near = all(abs(ratio - theirs) <= 0.05 for ratio in ours)
            text = gain(ours[0]) if len(ours) == 1 else f"{gain(ours[0])} ({gain(min(ours))} to {gain(max(ours))})"
            return (REPRODUCED if same and near else DIRECTION if same else NOT), text

        def accesses(workload, what, key):
            paper = self._study(results, workload)["paper"][key]
            ours, theirs = self._change(results, workload, what), paper[1] / paper[0]
            found = NOT if ours >= 1 else REPRODUCED if abs(ours - theirs) <= 0.1 else DIRECTION
            return found, gain(ours)

        def printed(workload, key, of):
            """The paper's figure, from the documents, so that it stands there once."""
            try:
                return gain(of(self._study(results, workload)["paper"][key]))
            except Exception:  # pylint: disable=broad-except
                return "-"

        def why(workload):
            plain, linear = self._run(results, workload, ""), self._run(results, workload)
            code = self._code(results, workload, "")
            return (f"Our {workload} has {code['instructions']} instructions and {code['unstructured']} unstructured edges. Warps execute {plain['warp_instructions']:,} instructions before and {linear['warp_instructions']:,} behind the pass: what was executed once "
                    "for each of several ways to a block is executed once, guards are executed by all.")

        claims = [
            claim("Every program is structured behind the pass", "all", all_forms(lambda linear, plain: linear["unstructured"] == 0, "programs")),
            claim("Its results are the same", "all", passed),
            claim("At most two blocks are added for each block", "2 a block", all_forms(lambda linear, plain: linear["blocks"] <= 3 * plain["blocks"], "programs")),
            claim("Code grows by 2 to 10 % after optimization (12 % at most in Table 1)", "+2..10 %", bounded, lambda: "In percent more where the program is shorter than the paper's: mum has 126 instructions here, 202 there."),
        ]
        for workload in WORKLOADS:
            claims.append(claim(f"{workload}: executed instructions (Table 4, O3)", printed(workload, "executed", lambda paper: paper[4] / paper[0]), lambda workload=workload: executed(workload), lambda workload=workload: why(workload)))
        for workload in WORKLOADS:
            claims.append(claim(f"{workload}: speed (Table 2)", printed(workload, "time", lambda paper: paper[0] / paper[1]), lambda workload=workload: time(workload), lambda workload=workload: why(workload)))
        for workload, what, key, name in (("mum", "global_loads", "loads", "global loads"), ("mum", "global_stores", "stores", "global stores"),
                                          ("mcx", "global_loads", "loads", "global loads"), ("mcx", "global_stores", "stores", "global stores")):
            claims.append(claim(f"{workload}: {name} (Table 2)", printed(workload, key, lambda paper: paper[1] / paper[0]), lambda workload=workload, what=what, key=key: accesses(workload, what, key),
                                lambda: "Our kernels write their results once, at their end, and so does the linearized form; loads fall further, for a larger share of them is in blocks that several ways lead to."))
        return claims

    # ---------------------------------------------------------------- figures

    def figures(self, results):
        forms = [f"level {level}" for level in LEVELS]

        def changes(title, text, label, value, show, line):
            def make():
                series = {form: [value(workload, level) for workload in WORKLOADS] for form, level in zip(forms, LEVELS)}
                rows = [[workload] + [show(series[form][number]) for form in forms] for number, workload in enumerate(WORKLOADS)]
                return Figure(title, text, bars(WORKLOADS, series, label, None, line), ["kernel", *forms], rows)
            return self.figure(results, make)

        def speed(mechanism):
            def make():
                ratios = {form: [self._speed_up(results, workload, level, mechanism) for workload in WORKLOADS] for form, level in zip(forms, LEVELS)}
                series = {form: [values[0] for values in ratios[form]] for form in forms}
                spreads = {form: [(min(values), max(values)) for values in ratios[form]] for form in forms}
                rows = [[workload] + [f"{series[form][number]:.3f} ({spreads[form][number][0]:.3f} to {spreads[form][number][1]:.3f})" for form in forms] for number, workload in enumerate(WORKLOADS)]
                return Figure(f"Speed-up on {mechanism}", "Over the kernel as it was compiled.", bars(WORKLOADS, series, "speed-up", spreads, 1), ["kernel", *forms], rows)
            return self.figure(results, make)

        def code_table():
            rows = []
            for workload in WORKLOADS:
                paper = self._study(results, workload)["paper"]
                for form in ["", *LEVELS]:
                    code = self._code(results, workload, form)
                    theirs = [f"{paper['code'][place]:.0f}, {paper['blocks'][place]:.0f}, {paper['registers'][place]:.0f}" for place in (0, 1)]
                    rows.append([workload if form == "" else "", f"level {form}" if form else "as compiled", str(code["instructions"]), str(code["blocks"]), str(code["registers"]), str(code["unstructured"]),
                                 theirs[0] if form == "" else theirs[1] if form == LEVELS[-1] else ""])
            return Figure("Code (Table 1)", "The paper's are SASS instructions, basic blocks and registers.", "", ["kernel", "form", "instructions", "blocks", "registers", "unstructured edges", "paper"], rows)

        return ([speed(mechanism) for mechanism in MECHANISMS] +
                [changes("Executed warp instructions on spe (Table 4)", "Over the kernel as it was compiled.", "instructions", lambda workload, level: self._change(results, workload, "warp_instructions", level), lambda value: f"{value:.3f}", 1),
                 changes("Global loads on spe (Table 2)", "", "loads", lambda workload, level: self._change(results, workload, "global_loads", level), lambda value: f"{value:.3f}", 1),
                 self.figure(results, code_table)])
