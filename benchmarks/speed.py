"""``python -m benchmarks.speed``: the time of an order, of opening a home, and of starting.

The time of an order is told by stage and by size of the home. Peers run in the same process on the same
sentences: ranking every device text by BM25 (Winnow's own postings, and ``rank_bm25`` when it is installed),
and the tokens of injecting every device.
"""

from __future__ import annotations

import gc
import platform
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

sys.path.insert(
    0, str(Path(__file__).resolve().parents[1])
)  # so that it runs as a file, as a module and in tests

from benchmarks import growth, places, tables
from benchmarks.charts import Chart, draw
from benchmarks.peers import every_device, rankers
from benchmarks.scoring import percentile
from benchmarks.sentences import Said, mixed, sets
from benchmarks.starting import starts
from winnow import Engine, __version__
from winnow.adapters.testing.fakes import simulated_home
from winnow.app.wiring.engine import open_engine
from winnow.types.home import Home
from winnow.types.state import ImportedHome
from winnow.types.utterance import LanguageCode

SIZES = (300, 1000, 3000)
STAGES = ("understand", "recall", "decide", "assemble", "total")
COLUMNS = {f"{stage}_{p}": f"{stage} {p}" for stage in STAGES for p in ("p50", "p95")}
DRAWS = 4
"""Times each template is filled, with other rooms and devices."""
PEER_COLUMNS = {
    "ms_p50": "ms p50",
    "ms_p95": "ms p95",
    "R@1": "device R@1",
    "R@5": "device R@5",
    "times_winnow": "time / Winnow",
}


def main() -> None:
    from rich.console import Console

    console = Console(width=max(150, Console().width))
    homes = [places.example_home("home150"), *(simulated_home(n) for n in SIZES)]
    speed = [
        of_home(i, simulated_home(len(i.home.devices), language="en") if i in homes[1:] else None)
        for i in homes
    ]
    grown = {"devices": growth.by_devices(), "commands": growth.by_commands()}
    straight = {
        "index_by_devices": growth.straightness(
            [(g["devices"], g["index_s"] + g["vocabulary_s"]) for g in grown["devices"]]
        ),
        "index_by_commands": growth.straightness([(g["commands"], g["index_s"]) for g in grown["commands"]]),
    }
    data = {
        "winnow": __version__,
        "python": platform.python_version(),
        "homes": speed,
        "growth": grown,
        "straightness": straight,
    }
    data["starting"] = starts()
    places.keep("speed", data)
    show(console, data)
    for name, chart in charts(data).items():
        draw(chart, places.RESULTS / f"{name}.png")
    write_pages()


@dataclass(frozen=True, slots=True)
class Answer:
    """What is kept of one answered sentence."""

    ms: Mapping[str, float]
    """By stage, and ``total``."""
    wanted: str
    found: tuple[str, ...]
    """Devices of the first shortlist."""
    tokens: int


def of_home(imported: ImportedHome, twin: ImportedHome | None) -> dict[str, Any]:
    """Milliseconds by stage of orders for one device and of orders for sets, and the peers on the former."""
    home, english = imported.home, twin.home if twin else None
    said = mixed(home, english, DRAWS)
    both: tuple[tuple[Home, LanguageCode], ...] = ((home, "zh"), (english or home, "en"))
    engines = {id(i.home): open_engine(i) for i in (imported, twin) if i}
    answers(engines, mixed(home, english, 1, seed=99))
    orders = answers(engines, said)
    times = by_stage(orders)
    return {
        "home": home.id.removesuffix("-0"),
        "devices": len(home.devices),
        "sentences": len(said),
        "orders": {**times, **found_devices([(a.wanted, a.found) for a in orders])},
        "sets": by_stage(
            answers(engines, [(h, s) for h, language in both for s in sets(h, language, DRAWS)])
        ),
        "peers": peers(said, times["total_p50"] or 1.0),
        "tokens": {
            "winnow_p50": percentile([a.tokens for a in orders], 50),
            "every_device_names": every_device(imported, full=False),
            "every_device": every_device(imported, full=True),
        },
    }


def answers(engines: Mapping[int, Engine], said: Sequence[tuple[Home, Said]]) -> list[Answer]:
    """Each sentence answered once, so nothing but the home's index and vocabulary is warm."""
    gc.collect()
    return [_answer(engines[id(home)], one) for home, one in said]


def _answer(engine: Engine, said: Said) -> Answer:
    got = engine.sync.retrieve(said.utterance)
    found = got.shortlists[0].device_ids[:5] if got.shortlists else ()
    return Answer(
        {**{stage.name: stage.ms for stage in got.stages}, "total": got.ms},
        said.device_id,
        found,
        got.briefing.tokens,
    )


def by_stage(given: Sequence[Answer]) -> dict[str, float | None]:
    """``recall_p50`` and the like, in milliseconds."""
    return {
        f"{stage}_p{p}": _rounded(percentile_ms([a.ms[stage] for a in given], p))
        for stage in STAGES
        for p in (50, 95)
    }


def percentile_ms(ms: Sequence[float], share: float) -> float | None:
    """A percentile in milliseconds with microseconds kept."""
    found = percentile([m * 1000 for m in ms], share)
    return None if found is None else found / 1000


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 3)


def peers(said: Sequence[tuple[Home, Said]], winnow_ms: float) -> dict[str, dict[str, float | None]]:
    """Ranker -> its milliseconds, how often it finds the device, and its time against Winnow's."""
    homes = {id(h): h for h, _ in said}
    ready = {key: rankers(home) for key, home in homes.items()}
    out = {}
    for name in next(iter(ready.values())):
        ms, ranked = [], []
        for home, one in said:
            start = perf_counter()
            ids = ready[id(home)][name](one.utterance.text)
            ms.append((perf_counter() - start) * 1000)
            ranked.append((one.device_id, ids))
        median = percentile_ms(ms, 50)
        out[name] = {
            "ms_p50": _rounded(median),
            "ms_p95": _rounded(percentile_ms(ms, 95)),
            **found_devices(ranked),
            "times_winnow": round((median or 0) / winnow_ms, 2),
        }
    return out


def found_devices(ranked: Sequence[tuple[str, Sequence[str]]]) -> dict[str, float]:
    """How often, per cent, the meant device is first and among the first five."""
    return {
        f"R@{k}": round(100 * sum(wanted in ids[:k] for wanted, ids in ranked) / len(ranked), 1)
        for k in (1, 5)
    }


def show(console: Any, data: dict[str, Any]) -> None:
    """Print everything."""
    homes = data["homes"]
    for kind in ("orders", "sets"):
        rows = [(h["home"], h[kind]) for h in homes]
        console.print(tables.terminal(f"Milliseconds by stage: {kind}", "home", rows, COLUMNS))
    console.print(tables.terminal("Beside peers", "home", rivals(homes), PEER_COLUMNS))
    for kind, rows in data["growth"].items():
        console.print(
            tables.terminal(
                f"Opening a home, by {kind}",
                kind,
                [(str(r[kind]), r) for r in rows],
                {k: k for k in rows[0] if k != kind},
            )
        )
    console.print(data["straightness"], data["starting"])


def rivals(homes: Sequence[Mapping[str, Any]]) -> list[tuple[str, Mapping[str, Any]]]:
    """Winnow and its peers, home by home."""
    out: list[tuple[str, Mapping[str, Any]]] = []
    for h in homes:
        own = {
            **h["orders"],
            "ms_p50": h["orders"]["total_p50"],
            "ms_p95": h["orders"]["total_p95"],
            "times_winnow": 1.0,
        }
        out += [(f"{h['home']}, {name}", figures) for name, figures in {"Winnow": own, **h["peers"]}.items()]
    return out


def charts(data: dict[str, Any]) -> dict[str, Chart]:
    """File name -> chart."""
    made = [h for h in data["homes"] if h["home"].startswith("sim")]
    stages = {
        f"{stage} p95": [(h["devices"], h["orders"][f"{stage}_p95"]) for h in made] for stage in STAGES[:-1]
    }
    total = {f"Winnow {p}": [(h["devices"], h["orders"][f"total_{p}"]) for h in made] for p in ("p50", "p95")}
    others = {
        f"peer:{name} p50": [(h["devices"], h["peers"][name]["ms_p50"]) for h in made]
        for name in made[0]["peers"]
    }
    grown, straight = data["growth"], data["straightness"]
    devices = {
        key: [(g["devices"], g[f"{key}_s"]) for g in grown["devices"]] for key in ("vocabulary", "index")
    }
    commands = {"index": [(g["commands"], g["index_s"]) for g in grown["commands"]]}
    return {
        "speed_by_home_size": Chart(
            "One order", "devices in the home", "milliseconds", {**total, **stages, **others}
        ),
        "index_by_devices": Chart(
            _titled("Opening a home", straight["index_by_devices"]),
            "devices (16 profiles)",
            "seconds",
            devices,
        ),
        "index_by_commands": Chart(
            _titled("Indexing", straight["index_by_commands"]),
            "distinct commands (200 devices)",
            "seconds",
            commands,
        ),
    }


def _titled(title: str, straight: dict[str, float]) -> str:
    return f"{title}: straight line with R² {straight['r2']}, {straight['ms_per_1000']:g} ms per 1,000"


def write_pages() -> None:
    """Write the speed table of the evaluation pages."""
    for language, page in places.PAGES.items():
        for marker, table in page_tables(language).items():
            tables.fill(page, marker, table)


def page_tables(language: str) -> dict[str, str]:
    """Marker -> table of the kept result."""
    homes = places.result("speed").get("homes")
    if not homes:
        return {}
    said = tables.WORDS[language]
    columns = {
        key: " ".join([said.get(word, word) for word in head.split()]) for key, head in COLUMNS.items()
    }
    return {
        "speed": tables.page_table("home", [(h["home"], h["orders"]) for h in homes], columns, language),
        "peers": tables.page_table(
            "home", rivals(homes), {k: v for k, v in PEER_COLUMNS.items() if k != "times_winnow"}, language
        ),
    }


if __name__ == "__main__":
    main()
