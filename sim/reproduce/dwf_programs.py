# SPDX-License-Identifier: Apache-2.0
"""Programs, machines and statements of the dynamic warp formation paper ("Dynamic Warp Formation and Scheduling for Efficient GPU Control
Flow", sections 3 and 6), for `heddle reproduce dwf` and for scripts/release/dwf_study, which makes docs/tables/dwf_study.md."""

import math

from verdict import gain, harmonic, perturbed, share

LANES, THREADS = 16, 256
WIDTHS = [4, 8, 16]
SIZES = ["small", "default", "large"]

# ---------------------------------------------------------------- how full warps can get

def binomial(n, p):
    return [math.comb(n, k) * p**k * (1 - p)**(n - k) for k in range(n + 1)]


def warps_lane_aware(p):
    """Warps that the threads on one side of a branch need if each of THREADS goes there with probability p: as many as the fullest of
    the home lanes has threads."""
    below, expected = 0.0, 0.0
    for share in binomial(THREADS // LANES, p):
        expected += 1 - below**LANES  # at least one lane has this many; 0 counts 0 below
        below += share
    return expected - 1


def warps_ideal(p):
    """The same without home lanes: only the last warp is not full."""
    return sum(share * math.ceil(threads / LANES) for threads, share in enumerate(binomial(THREADS, p)))


def fill_of_side(warps, p):
    return THREADS * p / (LANES * warps(p))


def fill_of_both(warps, p):
    """Of a branch whose two sides are equally long."""
    return THREADS / (LANES * (warps(p) + warps(1 - p)))


# ---------------------------------------------------------------- programs

class Program:
    """One of the paper's programs. Of each suite: what its form is called, and its parameters. Values that depend on the size are lists by
    SIZES. A program without a form of a suite has the published one there; lbm has one form for all."""

    def __init__(self, workload, published=(None, {}), launches=None, restructured=None):
        self.workload = workload
        self.forms = {"published": published, "launches": launches or published, "restructured": restructured or published}
        self.suites = ["published"] + [suite for suite, form in (("launches", launches), ("restructured", restructured)) if form]

    def name(self, suite):
        form = self.forms[suite][0]
        return "%s, %s" % (self.workload, form) if form else self.workload

    def parameters(self, suite, size):
        return {key: value[SIZES.index(size)] if isinstance(value, list) else value for key, value in self.forms[suite][1].items()}


# Forms of the programs. As published: as the paper's machine had them. Launches: the same, but with a launch where a barrier was and an option a
# thread; what is sorted or transformed does not fit into L1. Restructured: as one writes them today.
SUITES = {"published": "as published", "launches": "a launch a phase", "restructured": "restructured"}
# In the order of the paper's Figure 12. The blocks of a program follow one another on the core's 256 threads: a few of them tell as much as many.
PROGRAMS = [
    # 3 rows of 192 scores for each of 256 threads at a time: 576 KB, the cache has 512.
    Program("viterbi", ("rows larger than L1", {"sequences": [256, 256, 512], "positions": 192, "length": [4, 8, 24]}), restructured=(None, {})),
    Program("lbm"),
    # 20 bytes an option: 160 KB, each line of which is fetched once.
    Program("blackscholes", ("library functions, options in L1", {"functions": "library", "count": [1000, 8192, 16384], "blocks": 1}),
            ("library functions, an option a thread", {"functions": "library", "count": [1000, 8192, 16384], "blocks": [16, 32, 64]}),
            (None, {"count": [1000, 24576, 100000], "blocks": [4, 24, 96]})),
    # 1 KB a block of 256 keys.
    Program("bitonic", ("through L1", {"memory": "global", "blocks": [2, 16, 128]}), ("a launch a step", {"memory": "launches", "blocks": [2, 576, 1152]}),
            (None, {"blocks": [2, 16, 128]})),
    # 8 KB a transform of 512 points: 4 KB that are read once, 4 KB that each stage changes.
    Program("fft", ("through L1", {"memory": "global", "transforms": [2, 16, 64]}), ("a launch a stage", {"memory": "launches", "transforms": [2, 160, 320]}),
            (None, {"transforms": [2, 16, 64]})),
    Program("lu", ("all blocks", {"loops": "all", "matrices": [1, 1, 6]}), ("all blocks, a launch a phase", {"loops": "launches", "matrices": [1, 1, 6]}),
            (None, {"matrices": [1, 1, 6]})),
    Program("matmul", ("through L1", {"memory": "global"}), restructured=(None, {})),
]
# Memory bandwidth in use under PDOM and DYNB, misses under PDOM and DYNB.
PAPER_MEMORY = {"viterbi": (0.5860, 0.5686, 0.0343, 0.0185), "lbm": (0.9320, 0.9529, 0.1335, 0.1353), "blackscholes": (0.0496, 0.0306, 0.0143, 0.0134),
                "bitonic": (0.3621, 0.3995, 0.1822, 0.2460), "fft": (0.7990, 0.7823, 0.0735, 0.0686), "lu": (0.0076, 0.0958, 0.0008, 0.0030),
                "matmul": (0.3802, 0.3701, 0.0286, 0.0290)}
DIVERGENT = ["qsort", "collatz", "evenodd", "mandelbrot"]
ONE_IN = [2, 4, 8, 16]

# ---------------------------------------------------------------- machines

# By name: mechanism, and what differs from preset dwf2007. "ideal" has no lane conflicts, as the paper's DYNB.
HEURISTICS = ["dmaj", "dmin", "dtime", "dpdpri", "dpc"]
MACHINES = {
    "naive": ("naive", []),
    "pdom": ("pdom-barrel", []),
    "mimd": ("mimd", []),
    "crossbar": ("dwf", ["dwf.regfile=crossbar"]),
    "swizzle none": ("dwf", ["dwf.swizzle=none"]),
    "swizzle rotate": ("dwf", ["dwf.swizzle=rotate"]),
}
for heuristic in HEURISTICS:
    MACHINES["ideal " + heuristic] = ("dwf", ["dwf.regfile=ideal", "dwf.heuristic=" + heuristic])
    MACHINES["dwf " + heuristic] = ("dwf", ["dwf.heuristic=" + heuristic])
for width in WIDTHS:  # a miss takes one cycle longer than a hit
    MACHINES["pdom %d, ideal memory" % width] = (
        "pdom-barrel", ["core.lanes=%d" % width, "core.warps=%d" % (THREADS // width), "memory.latency=1", "memory.bytes_per_cycle=4096"])

# Experiments of scripts/release/dwf_study: less bandwidth, and factors of Matrix (rows, and both other sides) that L1 does not hold.
BANDWIDTH = 8  # memory.bytes_per_cycle of the preset
SCARCE = [4, 2]
SCARCE_MACHINES = ["pdom", "mimd", "ideal dmaj", "dwf dmaj", "dwf dpdpri"]
MATRICES = [(64, 512), (8, 1024)]


def scarce(machine, bandwidth):
    return machine if bandwidth == BANDWIDTH else "%s, %d bytes a cycle" % (machine, bandwidth)


def matrix(sides):
    return {"memory": "global", "rows": sides[0], "inner": sides[1], "columns": sides[1]}


for machine in SCARCE_MACHINES:
    for bandwidth in SCARCE:
        mechanism, settings = MACHINES[machine]
        MACHINES[scarce(machine, bandwidth)] = (mechanism, settings + ["memory.bytes_per_cycle=%d" % bandwidth])

EVERY_PROGRAM = ["naive", "pdom", "mimd", "crossbar"] + ["ideal " + name for name in HEURISTICS] + ["dwf " + name for name in HEURISTICS]
UNPERTURBED = ["dwf dmin", "dwf dtime", "dwf dpc"]  # in no statement
SWIZZLES = ["swizzle none", "swizzle rotate"]  # bitonic only
WIDE = ["pdom %d, ideal memory" % width for width in WIDTHS]
EXTREMES = ["pdom", "ideal dmaj", "dwf dmaj", "ideal dpdpri", "dwf dpdpri", "mimd"]
MICRO = ["pdom", "ideal dpdpri", "dwf dpdpri", "ideal dmaj", "dwf dmaj"]
LATENCY = 100  # memory.latency of the preset


def latencies(count):
    """memory.latency of the runs."""
    return perturbed(LATENCY, count)


def key(workload, parameters, machine, latency=LATENCY):
    """Of a run in the statistics."""
    return " ".join([workload] + ["%s=%s" % item for item in sorted(parameters.items())] + [machine.replace(" ", "_"), str(latency)])


def plan(size, perturb, experiments=False):
    """{key: arguments of heddle run}"""
    runs = {}

    def add(workload, parameters, machine, latency=LATENCY):
        mechanism, settings = MACHINES[machine]
        arguments = [workload, "--mechanism", mechanism, "--preset", "dwf2007", "--size", size]
        for item in sorted(parameters.items()):
            arguments += ["--param", "%s=%s" % item]
        for setting in (["memory.latency=%d" % latency] if latency != LATENCY else []) + settings:
            arguments += ["--set", setting]
        runs[key(workload, parameters, machine, latency)] = arguments

    for suite in SUITES:
        for program in PROGRAMS:
            parameters = program.parameters(suite, size)
            for machine in EVERY_PROGRAM + (SWIZZLES if program.workload == "bitonic" else []):
                for latency in latencies(1 if machine in UNPERTURBED else perturb):
                    add(program.workload, parameters, machine, latency)
            for machine in WIDE + ([scarce(each, bandwidth) for each in SCARCE_MACHINES for bandwidth in SCARCE] if experiments else []):
                add(program.workload, parameters, machine)
    for workload in DIVERGENT:
        for machine in EXTREMES:
            for latency in latencies(perturb):
                add(workload, {}, machine, latency)
    for one_in in ONE_IN:
        for machine in MICRO:
            add("ifelse", {"one_in": one_in}, machine)
    if experiments:
        for sides in MATRICES:
            for machine in ("pdom", "mimd"):
                add("matmul", matrix(sides), machine)
    return runs


# ---------------------------------------------------------------- figures

class Study:
    def __init__(self, stats, size, perturb, programs=tuple(PROGRAMS)):
        """programs: of the means."""
        self.stats, self.size, self.latencies, self.programs = stats, size, latencies(perturb), programs
        self.program = {program.workload: program for program in PROGRAMS}

    def of(self, suite, machine, workload, latency=LATENCY):
        return self.stats[key(workload, self.program[workload].parameters(suite, self.size), machine, latency)]

    def ipc(self, suite, machine, workload=None, latency=LATENCY):
        """Of a program, or the harmonic mean over several."""
        if workload:
            return self.of(suite, machine, workload, latency)["ipc"]
        return harmonic(self.ipc(suite, machine, program.workload, latency) for program in self.programs)

    def ratios(self, suite, machine, over, workload=None):
        """One for each latency."""
        return [self.ipc(suite, machine, workload, latency) / self.ipc(suite, over, workload, latency) for latency in self.latencies]

    def wait(self, suite, machine, workload, latency=LATENCY):
        return self.of(suite, machine, workload, latency)["barrel"]["max_wait_cycles"]

    def small_warps(self, suite, machine, workload):
        """Share of the issues with at most a quarter of the lanes."""
        stats = self.of(suite, machine, workload)
        return sum(stats["warp_size_histogram"]["W%d" % size] for size in range(1, LANES // 4 + 1)) / stats["warp_instructions"]


# Statements about means over all programs: as in the paper, its figure as printed, its ratio, of which machines.
MEANS = [
    ("PDOM over naive", "+93.4 %", 1.934, "pdom", "naive"),
    ("DWF (DMaj, no lane conflicts) over PDOM", "+22.5 %", 1.225, "ideal dmaj", "pdom"),
    ("DWF (DMaj, lane-aware) over PDOM", "+20.7 %", 1.207, "dwf dmaj", "pdom"),
    ("lane-aware against no lane conflicts", "-1.4 %", 0.9857, "dwf dmaj", "ideal dmaj"),
    ("MIMD over DWF (no lane conflicts)", "+4.6 %", 1.046, "mimd", "ideal dmaj"),
    ("MIMD over PDOM", "+28.1 % (product of two)", 1.225 * 1.046, "mimd", "pdom"),
    ("DPdPri, no lane conflicts, over PDOM", "+23.7 %", 1.237, "ideal dpdpri", "pdom"),
    ("DPdPri, lane-aware, over PDOM", "+14.7 %", 1.147, "dwf dpdpri", "pdom"),
]


def statements(s, suite):
    """(statement of the paper, its figure as printed, its ratio or direction, our ratios, how to print them)"""
    def over(text, printed, paper, machine, base, workload=None):
        return (text, printed, paper, s.ratios(suite, machine, base, workload), gain)

    def of_peak(text, printed, paper, machine, lanes, workload=None, count=None):
        return (text, printed, paper,
                [s.ipc(suite, machine, workload, latency) / lanes for latency in s.latencies[:count]], share)

    ranking = [max(s.ipc(suite, "ideal " + name, None, latency) for name in ("dmin", "dtime")) /
               min(s.ipc(suite, "ideal " + name, None, latency) for name in ("dmaj", "dpdpri", "dpc")) for latency in s.latencies]
    starved = [s.wait(suite, "ideal dmaj", "blackscholes", latency) / s.wait(suite, "ideal dpdpri", "blackscholes", latency) for latency in s.latencies]
    return [over(*mean) for mean in MEANS] + [
        of_peak("PDOM, IPC of peak, ideal memory, %d lanes (Figure 6)" % lanes, share(paper), paper, "pdom %d, ideal memory" % lanes, lanes, count=1)
        for lanes, paper in zip(WIDTHS, (0.827, 0.718, 0.49))
    ] + [
        of_peak("Black-Scholes, DPdPri, lane-aware: IPC of peak", "80.5 % (103 of 128)", 103 / 128, "dwf dpdpri", LANES, "blackscholes"),
        of_peak("HMMer, DPdPri, lane-aware: IPC of peak", "19.5 % (25 of 128)", 25 / 128, "dwf dpdpri", LANES, "viterbi"),
        over("crossbar with bank conflicts against lane-aware", "below", "<", "crossbar", "dwf dmaj"),
        ("better of DMin and DTime against worst of DMaj, DPdPri, DPC", "below", "<", ranking, gain),
        over("Black-Scholes: DMaj over PDOM", "loses", "<", "ideal dmaj", "pdom", "blackscholes"),
        ("... for a minority starves: longest wait of a thread under DMaj against DPdPri", "longer", ">", starved, lambda ratio: "%.1f times" % ratio),
        over("... and improves with DPdPri over DMaj, lane-aware", "better", ">", "dwf dpdpri", "dwf dmaj", "blackscholes"),
        over("HMMer: DPdPri against DMaj, lane-aware", "less", "<", "dwf dpdpri", "dwf dmaj", "viterbi"),
        over("Bitonic: swapping the lanes of every other warp against none", "helps", ">", "dwf dmaj", "swizzle none", "bitonic"),
        over("FFT: DMaj over PDOM (one more stage)", "loses a little", "<", "ideal dmaj", "pdom", "fft"),
        over("Matrix: DMaj over PDOM (one more stage)", "loses a little", "<", "ideal dmaj", "pdom", "matmul"),
        over("FFT: MIMD over PDOM (less locality)", "loses a little", "<", "mimd", "pdom", "fft"),
        over("Matrix: MIMD over PDOM (less locality)", "loses a little", "<", "mimd", "pdom", "matmul"),
    ]
