# SPDX-License-Identifier: Apache-2.0
"""What the papers say about cost, beside what synthesis of our modules says: markdown tables, made anew by each call."""

# DWF paper, Table 1: bits and mm2 in 90 nm by CACTI; our module and how many of it the scheduler has.
DWF_TABLE_1 = [("warp update registers", "warp_update_register", 2, 336, 0.008), ("PC-warp LUT", "pc_warp_lut", 1, 1792, 0.189),
               ("warp pool", "warp_pool", 1, 43008, 0.702), ("warp allocator", "warp_allocator", 1, 2048, 0.061),
               ("issue logic (DMaj)", "issue_logic", 1, 1280, 1.511)]


class Overheads:
    """The comparisons."""

    def __init__(self, design, library, measured):
        self._design, self._library, self._measured = design, library, measured

    def synthesize(self, module, **changes):
        """The record of a module at its defaults but for the changes."""
        return self._measured(module, self._design.resolve(module, [f"{k}={v}" for k, v in changes.items()]))

    def _default(self, module, name):
        return self._design.parameters(module)[name]

    def _pair(self, spe, dpe, what, said):
        a, b = spe, dpe

        def values(get, form):
            return [form.format(get(a)), form.format(get(b)), f"{get(b) / get(a):.2f}"]

        def area(row):
            return row["mapped"]["nand2_equivalents"]

        return [what, *values(lambda r: r["state"]["bits"], "{:,}"), *values(area, "{:,.0f}"),
                *values(lambda r: r["timing"]["ns"], "{:.2f}"), said]

    def dual_path(self):
        """SPE against DPE: structure by structure, for the warps of one scheduler."""
        make = self.synthesize
        spe_scoreboard, dpe_scoreboard = make("spe_scoreboard"), make("dpe_scoreboard")
        rows = [
            self._pair(make("spe_stack"), make("dpe_stack"), f"stack, {self._default('dpe_stack', 'Depth')} entries each", "entry 160 bits against 96 (1.67)"),
            self._pair(make("spe_stack", Depth=11), make("dpe_stack", Depth=7), "stack, 11 against 7 entries: the greatest depths seen in the paper",
                       "overall size very similar, overhead negligible"),
            self._pair(spe_scoreboard, dpe_scoreboard, f"scoreboard, {self._default('dpe_scoreboard', 'NumEntries')} entries a table",
                       "roughly doubles in area"),
            self._pair(make("warp_selector", NumSlots=1), make("warp_selector"), "selector", "a straightforward extension"),
            self._pair(make("predication", NumSlots=1), make("predication", NumSlots=2), "predication", "not in the paper"),
            self._pair(make("ibuffer", NumSlots=1), make("ibuffer"), "instruction buffers",
                       "scheduler with its buffers roughly doubles: decoded instructions of both paths"),
            self._pair(make("spe_frontend"), make("dpe_frontend"), "whole front end", "scoreboard and scheduler are amortized over all lanes"),
        ]
        spe_bits, dpe_bits = spe_scoreboard["state"]["bits"], dpe_scoreboard["state"]["bits"]
        shadow = dpe_bits - 2 * spe_bits
        head = ["", "bits SPE", "DPE", "ratio", f"area SPE, {self._library.nand2.name}", "DPE", "ratio", "longest path SPE, ns", "DPE", "ratio", "DPE paper"]
        return "\n".join([_table(head, rows), "",
                          f"Shadow bits: {shadow:,} of the {dpe_bits:,} bits of the DPE scoreboard, {shadow / dpe_bits:.1%} of it and "
                          f"{shadow / (2 * spe_bits):.1%} on top of the rest (paper: 7 to 14 %, depending on the registers of a thread)."])

    def scoreboard_check(self):
        """From the heads and tables to blocked: the paper adds a multiplexer and an OR gate."""
        rows, checks = [], {}
        for module in ("spe_scoreboard", "dpe_scoreboard"):
            for warps in (1, self._default(module, "NumWarps")):
                check = self.synthesize(module, NumWarps=warps)["check"]
                path = check["timing"]
                checks[module, warps] = (check["levels"], path["gates"], path["ns"])
                rows.append([module, f"{warps}", f"{check['levels']}", f"{path['gates']}", f"{path['ns']:.2f}", f"`{path['start']}` to `{path['end']}`"])
        lines = [_table(["module", "warps", "levels of NAND2 and inverter", f"gates of {self._library.title}", "ns", "longest path to a blocked output"],
                        rows), ""]
        for warps in sorted({w for _, w in checks}):
            levels, gates, ns = (b - a for a, b in zip(checks["spe_scoreboard", warps], checks["dpe_scoreboard", warps]))
            lines.append(f"Added by DPE with {warps} warp{'s' if warps > 1 else ''}: {levels:+d} levels, {gates:+d} gates, {ns:+.2f} ns.")
        return "\n".join(lines)

    def warp_formation(self):
        """The parts of the DWF scheduler in the proportions of Table 1."""
        found = []
        for what, module, number, bits, area in DWF_TABLE_1:
            found.append((what, number, bits, area, self.synthesize(module)))
        all_bits, all_area = sum(f[2] for f in found), sum(f[3] for f in found)
        built_bits = sum(n * r["state"]["bits"] for _, n, _, _, r in found)
        built_area = sum(n * r["mapped"]["nand2_equivalents"] for _, n, _, _, r in found)
        rows = [[what, f"{bits:,}", f"{bits / all_bits:.1%}", f"{number * row['state']['bits']:,}", f"{number * row['state']['bits'] / built_bits:.1%}",
                 f"{area:.3f}", f"{area / all_area:.1%}", f"{number * row['mapped']['nand2_equivalents']:,.0f}",
                 f"{number * row['mapped']['nand2_equivalents'] / built_area:.1%}", f"{row['state']['memory_bits'] * number:,}"]
                for what, number, bits, area, row in found]
        rows.append(["sum", f"{all_bits:,}", "", f"{built_bits:,}", "", f"{all_area:.3f}", "", f"{built_area:,.0f}", "", ""])
        head = ["", "bits in the paper", "share", "bits built", "share", "mm2 in the paper, 90 nm", "share", f"area built, {self._library.nand2.name}", "share",
                "bits kept as memory, not in the area"]
        return _table(head, rows)

    def markdown(self):
        """All of it."""
        return "\n\n".join([
            f"### Dual-path execution, {self._default('dpe_frontend', 'NumWarps')} warps x {self._default('dpe_frontend', 'Lanes')} lanes", self.dual_path(),
            "### The scoreboard's check", self.scoreboard_check(),
            f"### Dynamic warp formation, {self._default('dwf_scheduler', 'Lanes')} lanes, {self._default('dwf_scheduler', 'Threads')} threads",
            self.warp_formation()])


def _table(head, rows):
    return "\n".join("| " + " | ".join(cells) + " |" for cells in [head, ["---"] * len(head), *rows])
