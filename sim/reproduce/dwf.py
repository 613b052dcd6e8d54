# SPDX-License-Identifier: Apache-2.0
"""The evaluation of the dynamic warp formation paper: the programs as its machine had them, with a launch where a barrier was, and as one writes
them for a GPU."""

from dwf_programs import HEURISTICS, LANES, LATENCY, PAPER_MEMORY, PROGRAMS, SUITES, THREADS, Study, latencies, plan, statements
from evaluation import Evaluation, Figure, Missing
from plots import bars, stacks
from verdict import median, share, spread, verdict

MACHINES = ["naive", "pdom", "ideal dmaj", "dwf dmaj", "crossbar", "ideal dpdpri", "dwf dpdpri", "mimd"]


class _Stats:
    """Of a run, by the name that it has in dwf_programs."""

    def __init__(self, results):
        self._results = results

    def __getitem__(self, name):
        return self._results[name]["stats"]


class Dwf(Evaluation):
    name = "dwf"
    title = "Dynamic warp formation: its evaluation run anew"
    paper = "Fung, Sham, Yuan and Aamodt, Dynamic Warp Formation and Scheduling for Efficient GPU Control Flow, MICRO 2007"

    def plan(self):
        # The results are compared with the host's all the same.
        return {name: ["run", *arguments, "--no-check", "--set", "run.checks=false"] for name, arguments in plan(self.size, self.perturb).items()}

    def about(self):
        return [f"One core of the paper's Table 2: `--preset dwf2007`, {LANES} lanes, {THREADS} threads. The seven programs are written anew, in three forms: as the paper's machine had them, which had no shared memory and no special functions; the same with a launch where a barrier was; "
                "and restructured as one writes them for a GPU. `docs/dwf_study.md` says what each verdict rests on.",
                f"Each figure with a spread is from runs with `memory.latency` at {', '.join(map(str, sorted(latencies(self.perturb))))} cycles: the number is the median, brackets give the least and greatest. Means are harmonic means of the IPC, as the paper's."]

    def claims(self, results):
        def study(programs):
            return Study(_Stats(results), self.size, self.perturb, programs)

        claims = []
        for suite in SUITES:
            for number, (text, printed) in enumerate(self._texts(study(PROGRAMS), suite)):
                def judge(suite=suite, number=number):
                    among = self.among(self.deciders())
                    _, _, paper, ratios, show = statements(study([program for program in PROGRAMS if program.workload in among]), suite)[number]
                    return verdict(paper, ratios, show is share), spread(ratios, show)

                def parts(suite=suite, number=number):
                    """Of a mean."""
                    figures = {}
                    for program in PROGRAMS:
                        *_, ratios, show = statements(study([program]), suite)[number]
                        figures[program.workload] = show(median(ratios))
                    return ", ".join(f"{name} {figure}" for name, figure in figures.items()) if len(set(figures.values())) > 1 else ""
                claims.append(self.claim(results, f"{text} [{SUITES[suite]}]", printed, judge, parts=parts))
        return claims

    def deciders(self):
        return [program.workload for program in PROGRAMS]

    @staticmethod
    def _texts(study, suite):
        try:
            return [statement[:2] for statement in statements(study, suite)]
        except Missing:
            return [("every statement", "-")]  # all means need all programs

    def figures(self, results):
        study = Study(_Stats(results), self.size, self.perturb)

        def ipc(suite, machines, title, text):
            def make():
                programs = [program for program in PROGRAMS if suite in program.suites]
                names = [program.workload for program in programs]
                series = {machine: [study.ipc(suite, machine, name) for name in names] + [study.ipc(suite, machine)] for machine in machines}
                rows = [[program.name(suite)] + [f"{series[machine][number]:.2f}" for machine in machines] for number, program in enumerate(programs)]
                rows.append(["harmonic mean of the seven"] + [f"{series[machine][-1]:.2f}" for machine in machines])
                return Figure(title, text, bars([*names, "mean"], series, f"IPC (at most {LANES})"), ["program", *machines], rows)
            return self.figure(results, make)

        def by_size(suite, machine):
            def make():
                names = [program.workload for program in PROGRAMS]
                histograms = [study.of(suite, machine, name)["warp_size_histogram"] for name in names]
                groups = [(0, 0), (1, 4), (5, 8), (9, 12), (13, 15), (16, 16)]
                parts = {f"{low} to {high}" if low != high else str(low): [sum(histogram[f"W{size}"] for size in range(low, high + 1)) / sum(histogram.values()) for histogram in histograms] for low, high in groups}
                rows = [[name] + [share(values[number]) for values in parts.values()] for number, name in enumerate(names)]
                return Figure(f"Threads issued in a cycle, {machine} (Figure 16)", f"Programs {SUITES[suite]}.", stacks(names, parts, "share of the cycles"), ["program", *parts], rows)
            return self.figure(results, make)

        def memory(suite):
            def make():
                rows = []
                for program in PROGRAMS:
                    cells = [program.name(suite)]
                    for number, machine in enumerate(("pdom", "ideal dmaj")):
                        stats = study.of(suite, machine, program.workload)
                        cells += [f"{share(stats['memory']['busy_cycles'] / stats['cycles'])} ({share(PAPER_MEMORY[program.workload][number])})",
                                  f"{share(stats['l1']['misses'] / stats['l1']['accesses'])} ({share(PAPER_MEMORY[program.workload][2 + number])})"]
                    rows.append(cells)
                return Figure(f"Memory bandwidth and misses (Figures 13 and 14), {SUITES[suite]}", "In brackets the paper's.", "", ["program", "bandwidth, PDOM", "misses, PDOM", "bandwidth, DMaj", "misses, DMaj"], rows)
            return self.figure(results, make)

        figures = []
        for suite in SUITES:
            figures += [ipc(suite, MACHINES, f"IPC (Figure 12), {SUITES[suite]}", "DMaj and DPdPri as `ideal` (no lane conflicts) and `dwf` (lane-aware)."),
                        ipc(suite, ["dwf " + heuristic for heuristic in HEURISTICS], f"IPC by heuristic, lane-aware (Figure 15), {SUITES[suite]}", ""), memory(suite)]
        return figures + [by_size("published", machine) for machine in ("pdom", "ideal dmaj", "dwf dmaj", "dwf dpdpri")]
