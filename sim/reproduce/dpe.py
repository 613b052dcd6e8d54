# SPDX-License-Identifier: Apache-2.0
"""The evaluation of the dual-path paper: sections 6.1 to 6.4, 7.1, Figures 10 to 14."""

from evaluation import Evaluation, Figure
from plots import bars, lines, stacks
from verdict import gain, mean, median, perturbed, share, spread

INTERLEAVABLE = {"LUD": "lud", "QSort": "qsort_blocks", "Stencil": "stencil3d", "RAY": "ray", "LPS": "lps", "MUMpp": "mum", "MCML": "mcml"}
OTHERS = {"DXTC": "dxtc", "BFS": "bfs", "PathFind": "pathfinder", "NW": "nw", "HOTSPOT": "hotspot", "BFS2": "bfs2", "BACKP": "backprop"}
KERNELS = {**INTERLEAVABLE, **OTHERS}
# What DWS50 and DWS100 cost of the lanes is the mean "with the exception of" these (6.1).
LITTLE_LOST = ["LUD", "QSort", "MCML", "DXTC", "BACKP"]
# A second kernel of ours, beside the statements about one program alone; it decides none.
BESIDE = {"QSort by threads": "qsort"}
WORKLOADS = {**KERNELS, **BESIDE}
# Thread instructions, millions (Table 2).
PAPER_INSTRUCTIONS = {"LUD": 39, "QSort": 60, "Stencil": 115, "RAY": 250, "LPS": 72, "MUMpp": 148, "MCML": 303000, "DXTC": 18000, "BFS": 16,
                      "PathFind": 639, "NW": 51, "HOTSPOT": 110, "BFS2": 26, "BACKP": 190}

GPU = ["--preset", "fermi", "--set", "gpu.sms=15", "--set", "run.oracle=false"]
SMS = 15
THRESHOLDS = [10, 50, 100]
MACHINES = {
    "SPE": ("spe", []),
    "DPE": ("dpe", []),
    **{f"DWS{threshold}": ("dws", [f"dws.threshold={threshold}"]) for threshold in THRESHOLDS},
    "SPE, execute": ("spe", ["frontend.resolve=execute"]),
    "DPE, execute": ("dpe", ["frontend.resolve=execute"]),
    "SPE, no predication": ("spe", ["core.predicate=0"]),
    "DPE, no predication": ("dpe", ["core.predicate=0"]),
    "SPE, gto": ("spe", ["selector.policy=gto"]),
    "DPE, gto": ("dpe", ["selector.policy=gto"]),
    "DPE, constrained": ("dpe", ["selector.kind=constrained"]),
    "DPE, optimistic": ("dpe", ["scoreboard.kind=optimistic"]),
    "DPE, forwarding": ("dpe", ["dpe.path_forwarding=true"]),
}
ON_BESIDE = ["SPE", "DPE", "DWS50"]  # perturbed
ON_ALL = [*ON_BESIDE, "SPE, execute", "DPE, execute", "SPE, no predication", "DPE, no predication"]  # perturbed
ONCE = ["DWS10", "DWS100"]
ON_INTERLEAVABLE = ["DPE, constrained", "DPE, optimistic", "DPE, forwarding"]  # perturbed
ONCE_ON_INTERLEAVABLE = ["SPE, gto", "DPE, gto"]
L1_SIZES = ["4K", "8K", "16K", "32K", "64K"]
L2_SIZES = ["192K", "384K", "768K", "1536K", "3M"]
CACHES = {"l1.bytes": (L1_SIZES, "16K"), "l2.bytes": (L2_SIZES, "768K")}
CONTROLLER = 170   # dram.controller of the preset [core cycles]


class Dpe(Evaluation):
    name = "dpe"
    title = "Dual-path execution: its evaluation run anew"
    paper = "Rhu and Erez, The Dual-Path Execution Model for Efficient GPU Control Flow, HPCA 2013"
    PROGRAMS = KERNELS
    FORMS = {"program": True}

    def __init__(self, size, perturb, programs=None):
        super().__init__(size, perturb, programs)
        self.delays = perturbed(CONTROLLER, perturb)
        self.asked = self.programs.asked(KERNELS)
        self.beside = self.programs.asked(BESIDE)

    def deciders(self):
        return list(KERNELS)

    # ---------------------------------------------------------------- runs

    def _add(self, plan, kernel, machine, delay=CONTROLLER, cache=None):
        mechanism, settings = MACHINES[machine]
        settings = settings + ([f"dram.controller={delay}"] if delay != CONTROLLER else []) + ([f"{cache[0]}={cache[1]}"] if cache else [])
        options = ["--mechanism", mechanism, "--threads", "1", *GPU]
        for setting in settings:
            options += ["--set", setting]
        program = self.programs.get(kernel)
        plan[self._key(kernel, machine, delay, cache)] = (program.arguments("program", options), program, "program") if program else ["run", WORKLOADS[kernel], "--size", self.size, *options]

    @staticmethod
    def _key(kernel, machine, delay=CONTROLLER, cache=None):
        return f"{kernel} on {machine}" + (f", {cache[0]}={cache[1]}" if cache else "") + (f", controller {delay}" if delay != CONTROLLER else "")

    def plan(self):
        plan = {}
        for kernel in self.asked:
            for machine in ON_ALL + (ON_INTERLEAVABLE if kernel in INTERLEAVABLE else []):
                for delay in self.delays:
                    self._add(plan, kernel, machine, delay)
            for machine in ONCE + (ONCE_ON_INTERLEAVABLE if kernel in INTERLEAVABLE else []):
                self._add(plan, kernel, machine)
        for kernel in self.beside:
            for machine in ON_BESIDE:
                for delay in self.delays:
                    self._add(plan, kernel, machine, delay)
        for kernel in self._asked_of(INTERLEAVABLE):
            for key, (sizes, usual) in CACHES.items():
                for size in sizes:
                    if size != usual:
                        self._add(plan, kernel, "SPE", cache=(key, size))
                        self._add(plan, kernel, "DPE", cache=(key, size))
        plan["bits of SPE"] = ["bits", "--mechanism", "spe", "--preset", "fermi"]
        plan["bits of DPE"] = ["bits", "--mechanism", "dpe", "--preset", "fermi"]
        return plan

    def _asked_of(self, kernels):
        return [kernel for kernel in kernels if kernel in self.asked]

    def _groups(self):
        """Over which figures have a mean: (what it is called, kernels)."""
        groups = {"mean, interleavable": self._asked_of(INTERLEAVABLE), "mean, others": self._asked_of(OTHERS)}
        return [(text, kernels) for text, kernels in groups.items() if kernels]

    def about(self):
        kernels = "The kernels are written anew from the published algorithms (`docs/workloads.md`) and compiled to RV32 by gcc, so instruction counts and branches are not those of PTX. Their results are compared with the host's in every run."
        return [f"The GPU of the paper's Table 1: `--preset fermi` with {SMS} SMs; what the table leaves open is marked as assumed by `heddle list keys`." + (f" {kernels}" if self.programs.rest else ""),
                *self.about_programs(),
                *([f"{kernel} is a second kernel of ours, `{workload}`: it stands beside the statements about {kernel.split()[0]} alone, and decides none." for kernel, workload in BESIDE.items() if kernel in self.beside]),
                f"Each figure with a spread is from runs with `dram.controller` at {', '.join(map(str, sorted(self.delays)))} cycles: the number is the median, brackets give the least and greatest. The verdict is that of the median. "
                "Means are arithmetic, as \"on average\" in the paper. Branches resolve in the cycle after issue and short forward branches are predicated, unless the row says otherwise."]

    # ---------------------------------------------------------------- figures of runs

    def _stats(self, results, kernel, machine, delay=CONTROLLER, cache=None):
        return results[self._key(kernel, machine, delay, cache)]["stats"]

    def _ratio(self, results, of, kernel, machine, over="SPE", cache=None):
        """of(stats) on one machine over that on another, a value for each delay."""
        delays = self.delays if machine in ON_ALL + ON_INTERLEAVABLE and over in ON_ALL and cache is None else [CONTROLLER]
        return [_over(of(self._stats(results, kernel, machine, delay, cache)), of(self._stats(results, kernel, over, delay, cache))) for delay in delays]

    def _speed_up(self, results, kernel, machine, over="SPE", cache=None, of=None):
        return [1 / ratio for ratio in self._ratio(results, of or _cycles, kernel, machine, over, cache)]

    @staticmethod
    def _means(kernels, ratios):
        """Over kernels, for each delay."""
        return [mean(values) for values in zip(*(ratios(kernel) for kernel in kernels))]

    def _work_is_kept(self, results, kernel):
        """In every run; where it changes with the cycles (MCML's threads take photons as they come), if DPE's spread reaches SPE's."""
        spe, dpe = ([_lanes(self._stats(results, kernel, machine, delay)) for delay in self.delays] for machine in ("SPE", "DPE"))
        return (min(dpe) if len(set(spe)) == 1 else max(dpe)) >= min(spe)

    def _speed_ups(self, results, kernels, machine, over="SPE"):
        return self._means(kernels, lambda kernel: self._speed_up(results, kernel, machine, over))

    # ---------------------------------------------------------------- claims

    def claims(self, results):
        def effect(statement, paper, ratio, ratios, parts=None, reason=None, level=False):
            return self.claim(results, statement, paper, lambda: self.effect(ratios(), ratio, level), reason, parts)

        def bound(statement, paper, kernels, condition, text, parts=None, reason=None):
            """condition(kernel) of each; text() or the kernels' figures are what was measured."""
            return self.claim(results, statement, paper, lambda: self.bound([condition(kernel) for kernel in self.among(kernels)], text()), reason, parts)

        def speed(kernels, machine, over="SPE"):
            return lambda: self._speed_ups(results, self.among(kernels), machine, over)

        def ratio(kernels, of, machine):
            return lambda: self._means(self.among(kernels), lambda kernel: self._ratio(results, of, kernel, machine))

        def each(kernels, value):
            return lambda: ", ".join(f"{kernel} {value(kernel)}" for kernel in kernels)

        def faster(machine, condition, over="SPE"):
            return lambda kernel: condition(median(self._speed_up(results, kernel, machine, over)))

        def by_kernel(kernels, machine, over="SPE", of=None):
            ratios = (lambda kernel: self._ratio(results, of, kernel, machine, over)) if of else (lambda kernel: self._speed_up(results, kernel, machine, over))
            return each(kernels, lambda kernel: gain(median(ratios(kernel))))

        def second_path(kernels):
            share_of = each(kernels, lambda kernel: share(self._stats(results, kernel, "DPE")["sibling_issues"] / self._stats(results, kernel, "DPE")["warp_instructions"]))
            return lambda: f"A second path was there at this share of the issues: {share_of()}."

        def of_one(kernel, *figures):
            """reason: how these change, (name, of) each."""
            return lambda: "; ".join(f"{name} {gain(median(self._ratio(results, of, kernel, 'DPE')))}" for name, of in figures) + "."

        def occupied(machine):
            """reason: the same gains without what a launch's end adds."""
            return lambda: "In scheduler-cycles with a warp: " + each(inter, lambda kernel: gain(median(self._speed_up(results, kernel, machine, "DPE", of=_occupied))))() + "."

        def cache_changes(key, kernel, of=_cycles):
            sizes, usual = CACHES[key]
            gains = {size: self._speed_up(results, kernel, "DPE", cache=(key, size) if size != usual else None, of=of)[0] for size in sizes}
            return [(abs(value / gains[usual] - 1), kernel, size) for size, value in gains.items()]

        def cache_claim(statement, paper, key, kernels, limit):
            def changes(of=_cycles):
                return [change for kernel in self.among(kernels) for change in cache_changes(key, kernel, of)]

            def beyond(of=_cycles):
                return {(kernel, size): change for change, kernel, size in changes(of) if change > limit}
            return bound(statement, paper, kernels, lambda kernel: all(change <= limit for change, _, _ in cache_changes(key, kernel)),
                         lambda: "at most {0:.1%} ({1}, {2})".format(*max(changes())),
                         lambda: "Beyond it: " + (", ".join(f"{kernel} at {size} by {change:.1%}" for (kernel, size), change in beyond().items()) or "none"),
                         lambda: "In scheduler-cycles with a warp, too: " + (", ".join(f"{kernel} at {size}" for kernel, size in beyond() if (kernel, size) in beyond(_occupied)) or "none") + ".")

        qsorts = ["QSort", *self.beside]
        inter, others, rest = list(INTERLEAVABLE), list(OTHERS), [kernel for kernel in KERNELS if kernel not in ("LUD", "QSort")]
        greatest = lambda: [max(values) for values in zip(*(self._speed_up(results, kernel, "DPE") for kernel in self.among(inter)))]  # noqa: E731

        def utilizations(statement, paper, ratio_there, kernels, machine):
            return effect(statement, paper, ratio_there, ratio(kernels, _utilization, machine), by_kernel(kernels, machine, of=_utilization))

        def lose(kernels):
            return [kernel for kernel in kernels if kernel not in LITTLE_LOST]

        def depth(machine, limit):
            return bound(f"Greatest stack depth of {machine}", f"{limit} entries", KERNELS, lambda kernel: self._stats(results, kernel, machine)["max_stack_depth"] <= limit,
                         lambda: f"{max(self._stats(results, kernel, machine)['max_stack_depth'] for kernel in KERNELS)} entries", each(KERNELS, lambda kernel: self._stats(results, kernel, machine)["max_stack_depth"]))

        def bits(statement, paper, condition, text):
            return self.claim(results, statement, paper, lambda: self.bound([condition()], text()))

        return [
            effect("DPE over SPE, mean of the interleavable kernels", "+14.9 %", 1.149, speed(inter, "DPE"), by_kernel(inter, "DPE"), second_path(inter)),
            effect("... the same with branches that resolve at execute", "+14.9 %", 1.149, speed(inter, "DPE, execute", "SPE, execute"), by_kernel(inter, "DPE, execute", "SPE, execute"), second_path(inter)),
            effect("... and without predication", "+14.9 %", 1.149, speed(inter, "DPE, no predication", "SPE, no predication"), by_kernel(inter, "DPE, no predication", "SPE, no predication"), second_path(inter)),
            effect("DPE over SPE, the greatest gain", "+42 %", 1.42, greatest, by_kernel(inter, "DPE"), second_path(inter)),
            bound("DPE never degrades a kernel that is not interleavable", "0 %", others, faster("DPE", lambda ratio: ratio >= 0.99), by_kernel(others, "DPE")),
            effect("MUMpp: DPE loses by its L1 misses", "-1.1 %", 0.989, speed(["MUMpp"], "DPE"), None, of_one("MUMpp", ("L1 misses", _l1_misses), ("idle cycles", _idle))),
            effect("LUD: DPE over SPE (from the gains of DWS50)", "+30.5 %", 1.305, speed(["LUD"], "DPE"), None, second_path(["LUD"])),
            effect("QSort: DPE over SPE (the same)", "+7.5 %", 1.075, speed(["QSort"], "DPE"), by_kernel(qsorts, "DPE"), second_path(qsorts)),
            effect("LUD: DWS50 over SPE", "+37.3 %", 1.373, speed(["LUD"], "DWS50"), None, self._lanes_lost(results, "LUD")),
            effect("QSort: DWS50 over SPE", "+12.8 %", 1.128, speed(["QSort"], "DWS50"), by_kernel(qsorts, "DWS50"), self._lanes_lost(results, "QSort")),
            effect("LUD: DWS50 over DPE", "+5.2 %", 1.052, speed(["LUD"], "DWS50", "DPE"), None,
                   lambda: f"The average path is {self._stats(results, 'LUD', 'DPE')['avg_path']:.2f} with DPE and {self._stats(results, 'LUD', 'DWS50')['avg_path']:.2f} with DWS50."),
            effect("QSort: DWS50 over DPE", "+4.9 %", 1.049, speed(["QSort"], "DWS50", "DPE"), by_kernel(qsorts, "DWS50", "DPE"), self._lanes_lost(results, "QSort")),
            bound("DWS50 is no faster than DPE on the twelve other kernels", "never", rest, faster("DWS50", lambda ratio: ratio <= 1.01, "DPE"), by_kernel(rest, "DWS50", "DPE")),
            effect("Constrained selector: gain over SPE, mean of the interleavable kernels", "+11.7 %", 1.117, speed(inter, "DPE, constrained"), by_kernel(inter, "DPE, constrained"), second_path(inter)),
            effect("... against both paths in the selector", "below", "<", speed(inter, "DPE, constrained", "DPE"), by_kernel(inter, "DPE, constrained", "DPE")),
            bound("Optimistic scoreboard gains at most 1 % over DPE", "+1 %", inter, faster("DPE, optimistic", lambda ratio: ratio <= 1.01, "DPE"), by_kernel(inter, "DPE, optimistic", "DPE"), None,
                  occupied("DPE, optimistic")),
            bound("Path forwarding gains less than 2 % over DPE", "+2 %", inter, faster("DPE, forwarding", lambda ratio: ratio < 1.02, "DPE"), by_kernel(inter, "DPE, forwarding", "DPE"), None,
                  lambda: occupied("DPE, forwarding")() + " Issues with three entries or more: " + each(inter, lambda kernel: share(_deep(self._stats(results, kernel, "DPE"))))() + "."),
            effect("Average path of DPE, mean of the interleavable kernels", "+20 %", 1.20, ratio(inter, _avg_path, "DPE"), by_kernel(inter, "DPE", of=_avg_path)),
            effect("Average path of DWS100, the same", "+71 %", 1.71, ratio(inter, _avg_path, "DWS100"), by_kernel(inter, "DWS100", of=_avg_path)),
            bound("Average path of DPE is 1 on the others", "1", others, lambda kernel: self._stats(results, kernel, "DPE")["avg_path"] == 1, each(others, lambda kernel: f"{self._stats(results, kernel, 'DPE')['avg_path']:.3f}")),
            bound("DPE loses no lane utilization on any kernel", "0 %", KERNELS, lambda kernel: self._work_is_kept(results, kernel), by_kernel(KERNELS, "DPE", of=_utilization)),
            utilizations("Lane utilization of DWS50, interleavable kernels but LUD, QSort and MCML", "-48.1 %", 0.519, lose(inter), "DWS50"),
            utilizations("Lane utilization of DWS100, interleavable kernels but LUD, QSort and MCML", "-48.5 %", 0.515, lose(inter), "DWS100"),
            utilizations("Lane utilization of DWS50, the others but DXTC and BACKP", "-18.6 %", 0.814, lose(others), "DWS50"),
            utilizations("Lane utilization of DWS100, the others but DXTC and BACKP", "-27.1 %", 0.729, lose(others), "DWS100"),
            utilizations("Lane utilization of DWS10, all kernels", "-24.6 %", 0.754, list(KERNELS), "DWS10"),
            effect("Idle cycles of DPE, mean of the interleavable kernels", "-19 %", 0.81, ratio(inter, _idle, "DPE"), by_kernel(inter, "DPE", of=_idle)),
            effect("MUMpp: idle cycles of DPE", "+5 %", 1.05, ratio(["MUMpp"], _idle, "DPE"), None, of_one("MUMpp", ("L1 misses", _l1_misses))),
            effect("MUMpp: L1 misses of DPE", "+2 %", 1.02, ratio(["MUMpp"], _l1_misses, "DPE")),
            effect("BFS: lane utilization under SPE", "32 %", 0.32, lambda: [self._stats(results, "BFS", "SPE", delay)["lane_utilization"] for delay in self.delays], level=True),
            bound("BFS: no branch is interleavable", "none", ["BFS"], lambda kernel: self._stats(results, kernel, "SPE")["interleavable_branches"] == 0,
                  lambda: f"{self._stats(results, 'BFS', 'SPE')['interleavable_branches']:,} of {self._stats(results, 'BFS', 'SPE')['divergent_branches']:,} divergences"),
            cache_claim("The gain stays within 2 % when L2's size varies", "2 %", "l2.bytes", inter, 0.02),
            cache_claim("The gain stays within 4 % when L1's size varies, but for Stencil", "4 %", "l1.bytes", [kernel for kernel in inter if kernel != "Stencil"], 0.04),
            depth("SPE", 11),
            depth("DPE", 7),
            bits("An entry of the stack has 96 bits in SPE and 160 in DPE", "96, 160", lambda: (self._entry(results, "SPE"), self._entry(results, "DPE")) == (96, 160),
                 lambda: f"{self._entry(results, 'SPE')}, {self._entry(results, 'DPE')} (as in the paper; as built there is more: `heddle bits`)"),
            bits("Shadow bits are 7 to 14 % of DPE's scoreboard", "7..14 %", lambda: 0.07 <= self._shadow(results) <= 0.14, lambda: share(self._shadow(results))),
        ]

    def _lanes_lost(self, results, kernel):
        """reason"""
        def text():
            stats = {machine: self._stats(results, kernel, machine) for machine in ("SPE", "DWS50")}
            return f"Lane utilization is {share(stats['SPE']['lane_utilization'])} with SPE and {share(stats['DWS50']['lane_utilization'])} with DWS50, whose splits join {stats['DWS50']['dws']['merges']:,} times."
        return text

    @staticmethod
    def _entry(results, machine):
        return sum(field["bits"] for field in _structure(results[f"bits of {machine}"], "stack")["fields"])

    @staticmethod
    def _shadow(results):
        fields = {field["name"]: field["bits"] for field in _structure(results["bits of DPE"], "scoreboard left")["fields"]}
        return fields["S"] / sum(fields.values())

    # ---------------------------------------------------------------- figures

    def figures(self, results):
        names = self.asked

        def bar_figure(title, text, label, machines, of, show, over=None, line=None, top=None):
            def make():
                series, spreads = {}, {}
                for machine in machines:
                    ratios = {kernel: self._ratio(results, of, kernel, machine, over) if over else [of(self._stats(results, kernel, machine))] for kernel in names}
                    series[machine] = [median(ratios[kernel]) for kernel in names]
                    spreads[machine] = [(min(ratios[kernel]), max(ratios[kernel])) for kernel in names]
                rows = [[kernel] + [show(series[machine][number]) for machine in machines] for number, kernel in enumerate(names)]
                for text_of, group in self._groups():
                    rows.append([text_of] + [show(mean(value for kernel, value in zip(names, series[machine]) if kernel in group)) for machine in machines])
                return Figure(title, text, bars(names, series, label, spreads if over else None, line, top=top), ["kernel", *machines], rows)
            return self.figure(results, make)

        dws = [f"DWS{threshold}" for threshold in THRESHOLDS]
        return [
            self.figure(results, lambda: self._speed_figure(results)),
            self.figure(results, lambda: self._kernel_table(results)),
            self.figure(results, lambda: self._occupied_table(results)),
            bar_figure("Average path (Figure 10)", "Mean over the issues of the schedulable paths of the issuing warp.", "average path", ["SPE", "DPE", *dws], _avg_path, lambda value: f"{value:.3f}"),
            bar_figure("Lane utilization (Figure 11)", "", "lane utilization", ["SPE", "DPE", *dws], _utilization, share),
            bar_figure("Idle cycles over SPE (Figure 12 a)", "Scheduler-cycles without an issue.", "idle cycles, SPE = 1", ["DPE", *dws], _idle, lambda value: f"{value:.3f}", "SPE", 1, 3),
            bar_figure("L1 misses over SPE (Figure 12 b)", "", "L1 misses, SPE = 1", ["DPE", *dws], _l1_misses, lambda value: f"{value:.3f}", "SPE", 1, 3),
            bar_figure("L2 misses over SPE (Figure 12 c)", "", "L2 misses, SPE = 1", ["DPE", *dws], _l2_misses, lambda value: f"{value:.3f}", "SPE", 1, 3),
            self.figure(results, lambda: self._idle_figure(results)),
            self.figure(results, lambda: self._option_figure(results)),
            self.figure(results, lambda: self._selector_figure(results)),
            self.figure(results, lambda: self._cache_figure(results, "l1.bytes", "Size of L1 (Figure 14 b)")),
            self.figure(results, lambda: self._cache_figure(results, "l2.bytes", "Size of L2 (Figure 14 a)")),
            self.figure(results, lambda: self._depth_figure(results, "SPE")),
            self.figure(results, lambda: self._depth_figure(results, "DPE")),
        ]

    def _speed_figure(self, results):
        names, machines = self.asked, ["DPE", *(f"DWS{threshold}" for threshold in THRESHOLDS)]
        ratios = {machine: {kernel: self._speed_up(results, kernel, machine) for kernel in names} for machine in machines}
        series = {machine: [median(ratios[machine][kernel]) for kernel in names] for machine in machines}
        spreads = {machine: [(min(ratios[machine][kernel]), max(ratios[machine][kernel])) for kernel in names] for machine in machines}
        rows = [[kernel] + [spread(ratios[machine][kernel]) for machine in machines] for kernel in names]
        for text, group in self._groups():
            rows.append([text] + [spread(self._speed_ups(results, group, machine)) for machine in machines])
        return Figure("Speed-up over SPE (Figure 13)", "", bars(names, series, "speed-up, SPE = 1", spreads, 1, top=2.5), ["kernel", *machines], rows)

    def _kernel_table(self, results):
        rows = []
        for kernel in self.asked + self.beside:
            document = results[self._key(kernel, "SPE")]
            stats, branches = document["stats"], document["branches"]
            rows.append([kernel, str(self.programs.get(kernel) or WORKLOADS[kernel]), f"{stats['thread_instructions'] / 1e6:.1f} M", f"{PAPER_INSTRUCTIONS[kernel.split()[0]]:,} M", str(len(branches)), str(sum(branch["divergent"] > 0 for branch in branches)),
                         str(sum(branch["interleavable"] > 0 for branch in branches)), f"{stats['divergent_branches']:,}", f"{stats['interleavable_branches']:,}", share(stats["lane_utilization"]),
                         share(self._stats(results, kernel, "DPE")["sibling_issues"] / stats["warp_instructions"])])
        return Figure("The kernels (Table 2)", "Branches of the code, those that diverged in this run and those that were interleavable then (neither side empty); divergences; and the share of DPE's issues at which the warp had a second path.", "",
                      ["kernel", "what ran", "thread instructions", "paper", "branches", "divergent", "interleavable", "divergences", "interleavable", "lane utilization", "second path"], rows)

    def _occupied_table(self, results):
        def waits(kernel, machine):
            all_stats = [self._stats(results, kernel, machine, delay) for delay in self.delays]
            return spread([stats["stalls"]["no_warp"] / (stats["cycles"] * stats["schedulers"]) for stats in all_stats], share)
        rows = [[kernel, spread(self._speed_up(results, kernel, "DPE")), spread(self._speed_up(results, kernel, "DPE", of=_occupied)), waits(kernel, "SPE"), waits(kernel, "DPE")] for kernel in self.asked]
        return Figure("What the end of a launch adds", "DPE over SPE in cycles and in scheduler-cycles with a warp, and the share of scheduler-cycles without one: fewer blocks than SMs, or the end of a launch, where all wait for the last block.", "",
                      ["kernel", "gain in cycles", "with a warp", "without one, SPE", "without one, DPE"], rows)

    def _idle_figure(self, results):
        names, pairs = [], []
        for kernel in self.asked:
            for machine in ("SPE", "DPE"):
                names.append(f"{kernel} {machine}")
                pairs.append((self._stats(results, kernel, machine), self._stats(results, kernel, "SPE")))
        reasons = [reason for reason in pairs[0][0]["stalls"] if any(stats["stalls"].get(reason) for stats, _ in pairs)]
        parts = {reason: [stats["stalls"].get(reason, 0) / (base["cycles"] * base["schedulers"]) for stats, base in pairs] for reason in reasons}
        rows = [[name] + [share(parts[reason][number]) for reason in reasons] for number, name in enumerate(names)]
        return Figure("Idle cycles by reason", "As shares of SPE's scheduler-cycles, so that DPE's bar is shorter by what it gains.", stacks(names, parts, "share of SPE's scheduler-cycles"), ["", *reasons], rows)

    def _option_figure(self, results):
        names, pairs = self.asked, {"as above": ("DPE", "SPE"), "resolution at execute": ("DPE, execute", "SPE, execute"), "no predication": ("DPE, no predication", "SPE, no predication")}
        ratios = {text: {kernel: self._speed_up(results, kernel, *pair) for kernel in names} for text, pair in pairs.items()}
        series = {text: [median(ratios[text][kernel]) for kernel in names] for text in pairs}
        spreads = {text: [(min(ratios[text][kernel]), max(ratios[text][kernel])) for kernel in names] for text in pairs}
        rows = [[kernel] + [spread(ratios[text][kernel]) for text in pairs] for kernel in names]
        return Figure("Where branches resolve, and predication", "DPE over SPE, both with the option: branches that resolve in the cycle after issue (as in the papers' simulators) or after the latency of the ALU, and without predication of short forward branches.",
                      bars(names, series, "speed-up, SPE = 1", spreads, 1), ["kernel", *pairs], rows)

    def _selector_figure(self, results):
        names = self._asked_of(INTERLEAVABLE)
        pairs = {"DPE": ("DPE", "SPE"), "constrained selector": ("DPE, constrained", "SPE"), "optimistic scoreboard": ("DPE, optimistic", "SPE"), "path forwarding": ("DPE, forwarding", "SPE"), "greedy then oldest": ("DPE, gto", "SPE, gto")}
        ratios = {text: {kernel: self._speed_up(results, kernel, *pair) for kernel in names} for text, pair in pairs.items()}
        series = {text: [median(ratios[text][kernel]) for kernel in names] for text in pairs}
        spreads = {text: [(min(ratios[text][kernel]), max(ratios[text][kernel])) for kernel in names] for text in pairs}
        rows = [[kernel] + [spread(ratios[text][kernel]) for text in pairs] for kernel in names]
        return Figure("Selector, scoreboard, scheduler (Figure 14 c, sections 6.4 and 7.1)", "Over SPE; greedy then oldest over SPE with the same scheduler.", bars(names, series, "speed-up, SPE = 1", spreads, 1), ["kernel", *pairs], rows)

    def _cache_figure(self, results, key, title):
        sizes, usual = CACHES[key]
        series = {kernel: [self._speed_up(results, kernel, "DPE", cache=(key, size) if size != usual else None)[0] for size in sizes] for kernel in self._asked_of(INTERLEAVABLE)}
        rows = [[kernel] + [gain(value) for value in values] for kernel, values in series.items()]
        return Figure(title, "DPE over SPE, both with the cache of that size.", lines(sizes, series, "speed-up, SPE = 1", 1, across=key), ["kernel", *sizes], rows)

    def _depth_figure(self, results, machine):
        names = self.asked
        histograms = {kernel: {int(depth): issues for depth, issues in self._stats(results, kernel, machine)["stack_depth_histogram"].items()} for kernel in names}
        depths = sorted({depth for histogram in histograms.values() for depth in histogram})
        parts = {str(depth): [histograms[kernel].get(depth, 0) / sum(histograms[kernel].values()) for kernel in names] for depth in depths}
        rows = [[kernel] + [share(parts[str(depth)][number]) for depth in depths] + [str(self._stats(results, kernel, machine)["max_stack_depth"])] for number, kernel in enumerate(names)]
        return Figure(f"Depth of the stack, {machine}", "Issues by the entries of their warp's stack.", stacks(names, parts, "share of issues"), ["kernel", *map(str, depths), "greatest"], rows)


def _over(value, base):
    return value / base if base else (1.0 if value == base else float("inf"))


def _structure(document, name):
    return next(structure for structure in document["paper"]["structures"] if structure["name"] == name)


def _deep(stats):
    """Issues with at least three entries on the stack."""
    return sum(issues for depth, issues in stats["stack_depth_histogram"].items() if int(depth) >= 3) / stats["warp_instructions"]


def _cycles(stats):
    return stats["cycles"]


def _occupied(stats):
    """Scheduler-cycles with a warp."""
    return stats["cycles"] * stats["schedulers"] - stats["stalls"]["no_warp"]


def _avg_path(stats):
    return stats["avg_path"]


def _utilization(stats):
    return stats["lane_utilization"]


def _idle(stats):
    return stats["idle_cycles"]


def _l1_misses(stats):
    return stats["l1"]["misses"]


def _l2_misses(stats):
    return stats["l2"]["misses"]


def _lanes(stats):
    return stats["thread_instructions"] / stats["warp_instructions"]
