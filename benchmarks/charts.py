"""Line charts of the stored results, all in one style; ``make figures`` draws them into docs/pictures."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from benchmarks import places
from benchmarks.tables import STAGES

Points = Sequence[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart of named lines over one axis; names that begin with ``peer:`` are drawn dashed and grey."""

    title: str
    x: str
    y: str
    lines: Mapping[str, Points]
    log: str = ""
    """Axes that are logarithmic: ``x``, ``xy`` or none."""
    marked: Mapping[str, Points] | None = None
    """Single points with a label, drawn as stars."""
    digits: int = 0
    """Behind the point, on the axes."""

    @property
    def digest(self) -> str:
        """What it shows, in short; stands in the picture, so that an old one is known."""
        return sha256(json.dumps(asdict(self), sort_keys=True).encode()).hexdigest()[:16]


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
    for name, axis in (("x", axes.xaxis), ("y", axes.yaxis)):
        if name in chart.log:
            (axes.set_xscale if name == "x" else axes.set_yscale)("log")
        elif name == "x":
            axes.set_xlim(left=0)
        else:
            axes.set_ylim(bottom=0)
        if name == "x" or name in chart.log:
            axis.set_major_formatter(f"{{x:,.{chart.digits}f}}")
    axes.set(title=chart.title, xlabel=chart.x, ylabel=chart.y)
    axes.grid(visible=True, which="major", alpha=0.3)
    axes.legend(fontsize="small", frameon=False)
    figure.savefig(path, metadata={"Date": None, "Description": chart.digest})
    plt.close(figure)


def tokens_by_home_size() -> Chart:
    found = places.result("devices")
    made = [row for row in found["tokens_by_home_size"] if row["home"].startswith("simulated")]
    real = [row for row in found["tokens_by_home_size"] if row not in made]
    names = {
        "p50": "Winnow p50",
        "p95": "Winnow p95",
        "names": "peer: every device, names only",
        "full": "peer: every device, commands and states",
    }
    marked = {
        "home40, home150: p95": [(row["devices"], row["p95"]) for row in real],
        "home40, home150: every device": [(row["devices"], row["full"]) for row in real],
    }
    lines = {label: [(row["devices"], row[key]) for row in made] for key, label in names.items()}
    tokens = f"tokens ({found['counted_by']})"
    return Chart("Tokens injected for one order", "devices in the home", tokens, lines, "xy", marked)


def speed_by_home_size() -> Chart:
    made = [home for home in places.result("speed")["homes"] if home["home"].startswith("sim")]

    def line(*keys: str) -> Points:
        found = [(home["devices"], home) for home in made]
        for key in keys:
            found = [(devices, part[key]) for devices, part in found]
        return found

    lines = {f"Winnow {p}": line("orders", f"total_{p}") for p in ("p50", "p95")}
    lines |= {f"{stage} p95": line("orders", f"{stage}_p95") for stage in STAGES[:-1]}
    lines |= {f"peer:{name} p50": line("peers", name, "ms_p50") for name in made[0]["peers"]}
    return Chart("One order", "devices in the home", "milliseconds", lines)


def opening_by_devices() -> Chart:
    found = places.result("speed")
    lines = {
        key: [(row["devices"], row[f"{key}_s"]) for row in found["growth"]["devices"]]
        for key in ("vocabulary", "index")
    }
    title = _titled("Opening a home", found["straightness"]["index_by_devices"])
    return Chart(title, "devices (16 profiles)", "seconds", lines)


def opening_by_commands() -> Chart:
    found = places.result("speed")
    lines = {"index": [(row["commands"], row["index_s"]) for row in found["growth"]["commands"]]}
    title = _titled("Indexing", found["straightness"]["index_by_commands"])
    return Chart(title, "distinct commands (200 devices)", "seconds", lines)


def _titled(title: str, straight: Mapping[str, float]) -> str:
    return f"{title}: straight line with R² {straight['r2']}, {straight['ms_per_1000']:g} ms per 1,000"


def memory_by_devices() -> Chart:
    grown = places.result("speed")["growth"]["devices"]
    lines = {"vocabulary and index": [(row["devices"], row["kept_bytes"] / 1e6) for row in grown]}
    return Chart("Memory of an open home", "devices (16 profiles)", "megabytes", lines)


def first_contacts() -> Chart:
    found = [row for row in places.result("first_contact") if not row["file"].endswith("_nothing")]
    names = {"en": "English", "zh": "Chinese"}
    lines = {
        f"{said}, {what}": [
            (at, row[what]) for at, row in enumerate((r for r in found if f"_{language}" in r["file"]), 1)
        ]
        for what in ("exact", "wrong acts")
        for language, said in names.items()
    }
    return Chart("Sentences that nobody had in sight, trial by trial", "trial", "sentences, %", lines)


def garbled() -> Chart:
    found = places.result("garbled")["orders"]
    names = {"en": "English", "zh": "Chinese"}
    lines = {
        f"{names[language]}, {what}": [(100 * float(rate), row[what]) for rate, row in rows.items()]
        for what in ("exact", "wrong")
        for language, rows in found.items()
    }
    title = "Orders with words misheard, lost, doubled, mistyped, in another script"
    return Chart(title, "words or characters hit, %", "orders, %", lines)


def compression() -> Chart:
    found = places.result("compress")
    names = {
        "fitted on others": "Winnow",
        "sentences by BM25": "peer:sentences by BM25",
        "beginnings": "peer:beginnings",
    }
    lines = {
        f"{name}, {file}": [(100 * rate, found[way][file][f"top5@{rate}"]) for rate in (0.1, 0.25, 0.5, 0.75)]
        for way, name in names.items()
        for file in found[way]
    }
    title = "Questions whose answer is kept when five passages are made smaller"
    return Chart(title, "tokens kept, %", "answers kept, %", lines)


LEAST_ASKED = 50
"""A peer that was asked fewer questions, since it is slow, is drawn nowhere."""


def history_recall() -> Chart:
    found = places.result("peers_of_history")["sizes"]
    names = {"winnow": "Winnow", "langchain": "LangChain", "llamaindex": "LlamaIndex", "haystack": "Haystack"}
    names |= {"txtai": "txtai", "mem0": "mem0 without a model", "rank_bm25": "rank_bm25"}
    lines = {
        ("" if name == "winnow" else "peer:") + said: [
            (int(size), row[name]["R@10"])
            for size, row in found.items()
            if row[name].get("questions", 0) >= LEAST_ASKED
        ]
        for name, said in names.items()
    }
    return Chart("Messages that answer, among the first ten", "messages", "R@10, %", lines, "x")


def proxy_tokens() -> Chart:
    rows = places.result("proxy_tokens")["homes"]
    names = {
        "through the proxy, median": "winnow_p50",
        "through the proxy, 95 of 100": "winnow_p95",
        "peer: every thing with its name and room": "names",
        "peer: and with what it takes and reports": "whole",
    }
    lines = {name: [(row["things"], row[key]) for row in rows] for name, key in names.items()}
    title = "Tokens a model is sent for one order"
    return Chart(title, "things of the home", "tokens (o200k)", lines, "xy")


def sufficiency() -> Chart:
    found = places.result("sufficiency")["curves"]
    lines = {name: [(x, y) for x, y, _ in points] for name, points in found.items()}
    lines["peer:as said"] = [(0.0, 0.0), (1.0, 1.0)]
    return Chart("What is said and what is so", "said", "share that is so", lines, digits=1)


def calibration() -> Chart:
    lines = {
        name: [(said, so) for said, so, count in row["curve"] if count >= LEAST_IN_BIN]
        for name, row in places.result("calibration").items()
        if row["n"] >= LEAST_QUESTIONS
    }
    lines["peer:as said"] = [(0.0, 0.0), (1.0, 1.0)]
    return Chart("What decides: what is said and what is so", "said", "share that is so", lines, digits=1)


def memory_under_load() -> Chart:
    soak, load = places.result("soak"), places.result("load")
    ways = {
        f"{soak['minutes']:.0f} minutes of mixed work, 8 persons": soak["memory_mb_on_the_way"],
        f"{load['connections']} connections at once": load["server"]["memory_mb"],
    }
    lines = {
        name: [(100 * at / (len(sizes) - 1), size) for at, size in enumerate(sizes)]
        for name, sizes in ways.items()
    }
    return Chart("Memory of one server at work", "part of the run, %", "megabytes", lines)


LEAST_IN_BIN, LEAST_QUESTIONS = 10, 200
"""A share of fewer is drawn nowhere, nor what fewer questions tell of: it may be anything."""
PICTURES = places.ROOT / "docs" / "pictures"
CHARTS: Mapping[str, Callable[[], Chart]] = {
    chart.__name__.replace("_", "-"): chart
    for chart in (
        tokens_by_home_size, speed_by_home_size, opening_by_devices, opening_by_commands, memory_by_devices,
        first_contacts, garbled, compression, history_recall, proxy_tokens, sufficiency, calibration,
        memory_under_load,
    )
}  # fmt: skip
"""Name of the picture -> what it shows."""


def picture(name: str) -> Path:
    return PICTURES / f"{name}.svg"


def is_drawn(name: str) -> bool:
    """Whether the picture shows the stored results."""
    path = picture(name)
    return path.is_file() and CHARTS[name]().digest in path.read_text("utf-8")


def draw_all() -> None:
    """Draw what is not drawn yet."""
    for name, chart in CHARTS.items():
        if not is_drawn(name):
            draw(chart(), picture(name))
