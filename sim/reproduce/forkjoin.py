# SPDX-License-Identifier: Apache-2.0
"""What the fork/join patent says of its stack, on all kernels and four widths of a warp."""

import math

from evaluation import Evaluation, Figure
from plots import bars, lines
from verdict import mean, share

WORKLOADS = ["figure6", "bfs", "lud", "qsort", "qsort_blocks", "stencil3d", "bitonic", "mandelbrot", "reduce", "collatz", "viterbi", "lbm", "blackscholes", "lu", "evenodd",
             "ifelse", "heartwall", "hotspot", "mcx", "mum", "nqueen", "particlefilter", "ray", "lps", "mcml", "dxtc", "bfs2", "pathfinder", "nw", "backprop"]
LANES = [8, 16, 32, 64]
WIDE = 64  # of the patent's figures
MECHANISMS = ["spe", "forkjoin"]


class ForkJoin(Evaluation):
    name = "forkjoin"
    title = "Fork and join, smaller set first: what the patent says"
    paper = "US patent 8,959,319, Executing first instructions for smaller set of SIMD threads diverging upon conditional branch instruction"

    def plan(self):
        plan = {f"{workload} on {mechanism}, {lanes} lanes": ["run", workload, "--mechanism", mechanism, "--size", self.size, "--set", f"core.lanes={lanes}", "--set", "run.oracle=false"]
                for workload in WORKLOADS for lanes in LANES for mechanism in MECHANISMS}
        for lanes in LANES:
            plan[f"bits at {lanes} lanes"] = ["bits", "--mechanism", "forkjoin", "--set", f"core.lanes={lanes}"]
        return plan

    def about(self):
        return ["Fork and join are placed by `heddle-cc --fork-join` around each branch at which threads may part; of the two sets of a branch the smaller one runs first and the larger one waits on the stack. All workloads but those without any branch, at four widths of a warp, "
                "each with the single-path stack, which lets threads meet at the immediate post-dominator of each branch, and with fork and join. Results are compared with the host's in every run. The patent gives bounds and no measurements; nothing here depends on latencies, so nothing is perturbed."]

    def deciders(self):
        return WORKLOADS

    def _stats(self, results, workload, mechanism, lanes):
        return results[f"{workload} on {mechanism}, {lanes} lanes"]["stats"]

    def _pending(self, results, workload, lanes):
        return self._stats(results, workload, "forkjoin", lanes).get("forkjoin", {}).get("max_pending_sets", 0)

    def _paper(self, results, lanes, name):
        return next(structure for structure in results[f"bits at {lanes} lanes"]["paper"]["structures"] if structure["name"] == name)

    def _utilization(self, results, workload, lanes):
        return self._stats(results, workload, "forkjoin", lanes)["lane_utilization"] / self._stats(results, workload, "spe", lanes)["lane_utilization"]

    def _speed_up(self, results, workload, lanes):
        return self._stats(results, workload, "spe", lanes)["cycles"] / self._stats(results, workload, "forkjoin", lanes)["cycles"]

    def claims(self, results):
        def bound(statement, paper, conditions, text, parts=None):
            return self.claim(results, statement, paper, lambda: self.bound(conditions(), text()), parts=parts)

        def deepest(lanes):
            return max(self._pending(results, workload, lanes) for workload in self.among(WORKLOADS))

        claims = [bound(f"At most log2({lanes}) = {int(math.log2(lanes))} sets of a warp wait, {lanes} threads", f"{int(math.log2(lanes))}", lambda lanes=lanes: [deepest(lanes) <= math.log2(lanes)],
                        lambda lanes=lanes: f"{deepest(lanes)} at most, in {sum(self._pending(results, workload, lanes) == deepest(lanes) for workload in WORKLOADS)} of {len(WORKLOADS)} kernels") for lanes in LANES]
        claims += [
            bound(f"The pointer of a wavefront of {WIDE} has 3 bits", "3", lambda: [self._pointer(results) == 3], lambda: str(self._pointer(results))),
            bound("... which are 0.047 bits a thread", "0.047", lambda: [abs(self._pointer(results) / WIDE - 0.047) < 0.0005], lambda: f"{self._pointer(results) / WIDE:.3f}"),
            bound(f"{WIDE} threads need at most 6 sets of registers for the stack", "6", lambda: [self._paper(results, WIDE, "pending sets")["entries"] == 6], lambda: str(self._paper(results, WIDE, "pending sets")["entries"])),
            bound("As many threads as possible execute together: no fewer than with reconvergence at post-dominators (32 threads)", "as many",
                  lambda: [self._utilization(results, workload, 32) >= 0.99 for workload in self.among(WORKLOADS)], lambda: f"{share(mean(self._utilization(results, workload, 32) for workload in self.among(WORKLOADS)))} of them on average",
                  lambda: "Fewest: " + ", ".join(f"{workload} {share(self._utilization(results, workload, 32))}" for workload in sorted(WORKLOADS, key=lambda workload: self._utilization(results, workload, 32))[:6])),
        ]
        return claims

    def _pointer(self, results):
        return sum(field["bits"] for field in self._paper(results, WIDE, "stack control")["fields"])

    def figures(self, results):
        def bar_figure(title, text, label, value, show, line):
            def make():
                series = {f"{lanes} lanes": [value(workload, lanes) for workload in WORKLOADS] for lanes in LANES}
                rows = [[workload] + [show(values[number]) for values in series.values()] for number, workload in enumerate(WORKLOADS)]
                return Figure(title, text, bars(WORKLOADS, series, label, None, line), ["kernel", *series], rows)
            return self.figure(results, make)

        def depth():
            series = {"log2 of the lanes": [math.log2(lanes) for lanes in LANES], "seen": [max(self._pending(results, workload, lanes) for workload in WORKLOADS) for lanes in LANES],
                      "mean of the kernels": [mean(self._pending(results, workload, lanes) for workload in WORKLOADS) for lanes in LANES]}
            rows = [[name] + [f"{value:.2f}" for value in values] for name, values in series.items()]
            return Figure("Sets that wait at once, by the width of a warp", "", lines(LANES, series, "sets", None, across="lanes"), ["", *map(str, LANES)], rows)

        return [
            self.figure(results, depth),
            bar_figure("Lane utilization over that of reconvergence at post-dominators", "Below 1: threads wait for the region's end.", "lane utilization, SPE = 1", lambda workload, lanes: self._utilization(results, workload, lanes), lambda value: f"{value:.3f}", 1),
            bar_figure("Speed-up over the single-path stack", "", "speed-up, SPE = 1", lambda workload, lanes: self._speed_up(results, workload, lanes), lambda value: f"{value:.3f}", 1),
            bar_figure("Sets that wait at once, by kernel", "", "sets", lambda workload, lanes: self._pending(results, workload, lanes), str, None),
        ]
