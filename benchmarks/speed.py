"""``python -m benchmarks.speed``: the time of an order, of opening a home, and of starting.

The time of an order is told by stage and by size of the home. Peers run in the same process on the same
sentences: ranking every device text by BM25 (Winnow's own postings, and ``rank_bm25`` when it is installed),
and the tokens of injecting every device.
"""

from __future__ import annotations

import gc
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter, process_time
from typing import Any

from benchmarks import growth, places, tables
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
DRAWS = 4
"""Times each template is filled, with other rooms and devices."""


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


@dataclass(frozen=True, slots=True)
class Answer:
    """What is kept of one answered sentence."""

    ms: Mapping[str, float]
    """By stage, ``total``, and of the processor, which others that use the machine do not lengthen."""
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
    begun = process_time()
    got = engine.sync.retrieve(said.utterance)
    cpu = (process_time() - begun) * 1000
    found = got.shortlists[0].device_ids[:5] if got.shortlists else ()
    return Answer(
        {**{stage.name: stage.ms for stage in got.stages}, "total": got.ms, "cpu": cpu},
        said.device_id,
        found,
        got.briefing.tokens,
    )


def by_stage(given: Sequence[Answer]) -> dict[str, float | None]:
    """``recall_p50`` and the like, in milliseconds."""
    return {
        f"{stage}_p{p}": _rounded(percentile_ms([a.ms[stage] for a in given], p))
        for stage in (*tables.STAGES, "cpu")
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
        console.print(tables.terminal(f"Milliseconds by stage: {kind}", "home", rows, tables.STAGE_COLUMNS))
    console.print(tables.terminal("Beside peers", "home", tables.rivals(homes), tables.PEER_COLUMNS))
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


if __name__ == "__main__":
    main()
