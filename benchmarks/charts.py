"""Line charts as PNG or SVG files, all in one style."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Points = Sequence[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart of named lines over one axis; names that begin with ``peer:`` are drawn dashed and grey."""

    title: str
    x: str
    y: str
    lines: Mapping[str, Points]
    log: bool = False
    marked: Mapping[str, Points] | None = None
    """Single points with a label, drawn as stars."""
    digits: int = 0
    """Behind the point, on the axes."""


def draw(chart: Chart, path: Path) -> None:
    """Write the chart to ``path``."""
    import matplotlib as mpl

    mpl.use("Agg")
    mpl.rcParams["svg.hashsalt"] = "winnow"  # the same figures make the same file
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(7.6, 4.4), layout="constrained")
    for name, points in chart.lines.items():
        style: dict[str, Any] = {"linestyle": "--", "alpha": 0.7} if name.startswith("peer:") else {}
        axes.plot(
            *zip(*points, strict=True),
            marker="o",
            markersize=4,
            label=name.removeprefix("peer:").strip(),
            **style,
        )
    for name, points in (chart.marked or {}).items():
        axes.plot(*zip(*points, strict=True), linestyle="", marker="*", markersize=10, label=name)
    if chart.log:
        axes.set_xscale("log")
        axes.set_yscale("log")
    else:
        axes.set_xlim(left=0)
        axes.set_ylim(bottom=0)
    for axis in (axes.xaxis, axes.yaxis) if chart.log else (axes.xaxis,):
        axis.set_major_formatter(f"{{x:,.{chart.digits}f}}")
    axes.set(title=chart.title, xlabel=chart.x, ylabel=chart.y)
    axes.grid(visible=True, which="major", alpha=0.3)
    axes.legend(fontsize="small", frameon=False)
    figure.savefig(path, dpi=110, metadata={"Date" if path.suffix == ".svg" else "Software": None})
    plt.close(figure)
