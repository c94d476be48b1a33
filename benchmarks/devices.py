"""``python -m benchmarks.devices``: answer the committed cases, and count tokens by the size of the home.

``--others``: the cases from public sets instead, where ``WINNOW_BENCH`` names a folder that holds
``dev/devices/*.jsonl`` and ``homes/<id>/``. ``docs/evaluation.md`` describes a row.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks import places, tables
from benchmarks.deeds import Row
from benchmarks.evaluation.cases import case_files
from benchmarks.evaluation.run import evaluate_cases
from benchmarks.peers import every_device
from benchmarks.scoring import figures, one_device, percentile
from benchmarks.sentences import mixed
from winnow import __version__
from winnow.adapters.testing.fakes import simulated_home
from winnow.app.wiring.engine import open_engine
from winnow.language.tokens import COUNTER
from winnow.types.state import ImportedHome

SIZES = (30, 100, 300, 1000, 3000)
DOUBTFUL = "suspect_invalid"
"""Flag of a row that refuses what its home can do."""


def main() -> None:
    from rich.console import Console

    console = Console(width=max(150, Console().width))
    told = {"winnow": __version__, "counted_by": COUNTER}
    if "--others" in sys.argv[1:]:
        others = measured(places.further_files(), places.further() / "homes")
        show(console, "Cases from public sets", others["files"], categories=False)
        places.keep("others", {**told, **others})
        return
    own = measured(case_files(places.DATA), places.HOMES)
    show(console, "Committed cases", own["files"], categories=True)
    sizes = [tokens_of(*homes) for homes in all_homes()]
    console.print(
        tables.terminal(
            "Tokens by size of the home", "home", [(s["home"], s) for s in sizes], tables.SIZE_COLUMNS
        )
    )
    places.keep("devices", {**told, **own, "tokens_by_home_size": sizes})


def measured(files: Iterable[Path], homes: Path) -> dict[str, Any]:
    """Case file -> figures of ``all`` its rows, of ``one_device`` orders, and by ``categories``.

    ``together`` are all rows of all files, ``undoubted`` those of a file whose gold is not in doubt.
    """
    found: dict[str, Any] = {}
    rows, answers = list[Row](), dict[str, Row]()
    with tempfile.TemporaryDirectory() as scratch:
        for path in files:
            evaluate_cases("devices", path, out := Path(scratch) / path.name, homes)
            cases = [{**row, "id": f"{path.stem} {row['id']}"} for row in places.rows(path)]
            here = {f"{path.stem} {row['id']}": row for row in places.rows(out)}
            found[path.stem] = scored(cases, here)
            rows += cases
            answers |= here
    return {"files": found, "together": figures(rows, answers)}


def scored(rows: Sequence[Row], answers: Mapping[str, Row]) -> dict[str, Any]:
    """The figures of one file, and without rows whose gold is in doubt where it has any."""
    undoubted = [row for row in rows if DOUBTFUL not in row.get("flags", ())]
    kinds = dict.fromkeys(sorted(str(row.get("category")) for row in rows))
    return {
        "all": figures(rows, answers),
        "one_device": figures([row for row in rows if one_device(row)], answers),
        **({"undoubted": figures(undoubted, answers)} if len(undoubted) < len(rows) else {}),
        "categories": {
            kind: figures([row for row in rows if str(row.get("category")) == kind], answers)
            for kind in kinds
        },
    }


def show(console: Any, title: str, files: dict[str, Any], *, categories: bool) -> None:
    console.print(
        tables.terminal(title, "file", tables.file_rows(files, categories=categories), tables.COLUMNS)
    )


def all_homes() -> list[tuple[ImportedHome, ImportedHome | None]]:
    """Each home to be measured with, where it exists in English too, its twin."""
    made: list[tuple[ImportedHome, ImportedHome | None]] = [
        (simulated_home(n), simulated_home(n, language="en")) for n in SIZES
    ]
    return [*made, *((places.example_home(name), None) for name in ("home40", "home150"))]


def tokens_of(imported: ImportedHome, english: ImportedHome | None) -> dict[str, Any]:
    """Tokens of the briefings of orders for one device, beside those of every device of the home."""
    home = imported.home
    engines = {i.home.id + i.home.devices[0].name: open_engine(i) for i in (imported, english) if i}
    said = mixed(home, english.home if english else None, draws=5)
    tokens = [engines[h.id + h.devices[0].name].sync.retrieve(s.utterance).briefing.tokens for h, s in said]
    return {
        "home": home.id.removesuffix("-0"),
        "devices": len(home.devices),
        "sentences": len(tokens),
        "p50": percentile(tokens, 50),
        "p95": percentile(tokens, 95),
        "names": every_device(imported, full=False),
        "full": every_device(imported, full=True),
    }


if __name__ == "__main__":
    main()
