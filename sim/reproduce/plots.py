# SPDX-License-Identifier: Apache-2.0
"""Pictures by matplotlib, as SVG to put into a page: the same text for the same numbers."""

import io
import itertools
import os
import tempfile

from jobs import Wrong

os.environ.setdefault("MPLCONFIGDIR", tempfile.gettempdir())
try:
    import matplotlib
    matplotlib.use("svg")
    from matplotlib import pyplot
except ImportError as error:
    raise Wrong(f"matplotlib draws the plots and is not there ({error}): install python3-matplotlib") from None

# One for each mechanism on all plots: Okabe and Ito's, which colour-blind readers can tell apart, too, and shades of them.
MECHANISMS = {"SPE": "#999999", "DPE": "#0072b2", "DWS10": "#f2cf80", "DWS50": "#e69f00", "DWS100": "#a87400", "pdom": "#999999", "naive": "#000000", "mimd": "#009e73", "crossbar": "#cc79a7",
              "ideal dmaj": "#d55e00", "dwf dmaj": "#ea9a66", "ideal dpdpri": "#56b4e9", "dwf dpdpri": "#9ad1f2", "dwf dmin": "#f0e442", "dwf dtime": "#8c6d31", "dwf dpc": "#5b3a8c"}
# For all that is none, others.
COLOURS = ["#332288", "#88ccee", "#44aa99", "#117733", "#999933", "#ddcc77", "#cc6677", "#882255", "#aa4499", "#6699cc", "#661100", "#dddddd"]
HEIGHT, WIDTH = 3.1, 10.5  # inches
matplotlib.rcParams.update({
    "svg.hashsalt": "heddle", "svg.fonttype": "none", "font.family": "sans-serif", "font.size": 9, "axes.spines.top": False,
    "axes.spines.right": False, "axes.grid": True, "axes.grid.axis": "y", "grid.color": "#e5e5e5", "axes.axisbelow": True, "legend.frameon": False})


def _colours(names):
    """Of series."""
    others = itertools.cycle(COLOURS)
    return {name: MECHANISMS.get(name) or next(others) for name in names}


def _text(figure):
    out = io.StringIO()
    figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None}, bbox_inches="tight")
    pyplot.close(figure)
    text = out.getvalue()
    return text[text.index("<svg"):]


def _finish(figure, axes, label, title):
    axes.set_ylabel(label)
    if title:
        axes.set_title(title, loc="left", fontsize=9, fontweight="bold")
    handles, names = axes.get_legend_handles_labels()
    if len(names) > 1:
        axes.legend(handles, names, loc="upper left", bbox_to_anchor=(1.0, 1.0), borderaxespad=0)
    return _text(figure)


def _ticks(axes, names):
    axes.set_xticks(range(len(names)))
    axes.set_xticklabels(names, rotation=35 if len(names) > 10 else 0, ha="right" if len(names) > 10 else "center")
    axes.tick_params(axis="x", length=0)


def bars(names, series, label, spreads=None, line=None, title="", top=None):
    """series: {name: a value for each of names}; spreads: {name: (least, greatest) each}; line: drawn across at this value.
    A bar above `top` is cut there, and its value written on it."""
    figure, axes = pyplot.subplots(figsize=(WIDTH, HEIGHT))
    width, colours = 0.8 / len(series), _colours(series)
    for number, (name, values) in enumerate(series.items()):
        places = [place + (number - (len(series) - 1) / 2) * width for place in range(len(names))]
        errors = None
        if spreads and name in spreads:
            errors = [[value - low for value, (low, _) in zip(values, spreads[name])], [high - value for value, (_, high) in zip(values, spreads[name])]]
        axes.bar(places, values, width * 0.92, label=name, color=colours[name], yerr=errors, error_kw={"elinewidth": 0.8, "capsize": 1.5})
        for place, value in zip(places, values):
            if top is not None and value > top:
                axes.text(place, top, f"{value:.3g}", rotation=90, ha="center", va="top", fontsize=7)
    if line is not None:
        axes.axhline(line, color="#444444", linewidth=0.8)
    if top is not None:
        axes.set_ylim(top=top)
    _ticks(axes, names)
    return _finish(figure, axes, label, title)


def stacks(names, parts, label, title=""):
    """parts: {name: a value for each of names}, one upon the other."""
    figure, axes = pyplot.subplots(figsize=(WIDTH, HEIGHT))
    bottom, colours = [0.0] * len(names), _colours(parts)
    for name, values in parts.items():
        axes.bar(range(len(names)), values, 0.75, bottom=bottom, label=name, color=colours[name])
        bottom = [low + value for low, value in zip(bottom, values)]
    _ticks(axes, names)
    return _finish(figure, axes, label, title)


def lines(places, series, label, line=None, title="", across=""):
    """series: {name: a value for each of places}."""
    figure, axes = pyplot.subplots(figsize=(WIDTH * 0.7, HEIGHT))
    colours = _colours(series)
    for name, values in series.items():
        axes.plot(range(len(places)), values, marker="o", markersize=3.5, linewidth=1.4, label=name, color=colours[name])
    if line is not None:
        axes.axhline(line, color="#444444", linewidth=0.8)
    _ticks(axes, places)
    axes.set_xlabel(across)
    return _finish(figure, axes, label, title)
