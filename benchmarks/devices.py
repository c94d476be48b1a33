"""``make bench``: answer the committed cases, print and keep the figures.

Tokens are drawn against the size of the home. Further cases, when there are any, are answered too. Figures of
the evaluation pages are written anew.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(
    0, str(Path(__file__).resolve().parents[1])
)  # so that it runs as a file, as a module and in tests

from benchmarks import places, tables
from benchmarks.charts import Chart, draw
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
SIZE_COLUMNS = {
    "devices": "devices",
    "p50": "briefing p50",
    "p95": "briefing p95",
    "names": "every device, names",
    "full": "every device",
}


def main() -> None:
    from rich.console import Console

    console = Console(width=max(150, Console().width))
    own = measured(case_files(places.DATA), places.HOMES)
    show(console, "Committed cases", own, categories=True)
    sizes = [tokens_of(*homes) for homes in all_homes()]
    console.print(
        tables.terminal("Tokens by size of the home", "home", [(s["home"], s) for s in sizes], SIZE_COLUMNS)
    )
    places.keep(
        "devices", {"winnow": __version__, "counted_by": COUNTER, "files": own, "tokens_by_home_size": sizes}
    )
    draw(size_chart(sizes), places.RESULTS / "tokens_by_home_size.png")
    if others := measured(places.further_files(), places.further() / "homes"):
        show(console, "Further cases", others, categories=False)
        places.keep("others", {"winnow": __version__, "counted_by": COUNTER, "files": others})
    else:
        console.print(absent(), soft_wrap=True, highlight=False)
    write_pages()


def measured(files: Iterable[Path], homes: Path) -> dict[str, Any]:
    """Case file -> figures of ``all`` its rows, of ``one_device`` orders, and by ``categories``."""
    with tempfile.TemporaryDirectory() as scratch:
        return {path.stem: scored(path, homes, Path(scratch) / path.name) for path in files}


def scored(cases: Path, homes: Path, out: Path) -> dict[str, Any]:
    """Answer one file as ``winnow eval devices`` does and score the answers."""
    evaluate_cases("devices", cases, out, homes)
    rows = places.rows(cases)
    answers = {p["id"]: p for p in places.rows(out)}
    kinds = dict.fromkeys(sorted(str(row.get("category")) for row in rows))
    return {
        "all": figures(rows, answers),
        "one_device": figures([row for row in rows if one_device(row)], answers),
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


def size_chart(sizes: Sequence[dict[str, Any]]) -> Chart:
    made = [s for s in sizes if s["home"].startswith("simulated")]
    real = [s for s in sizes if s not in made]
    names = {
        "p50": "Winnow p50",
        "p95": "Winnow p95",
        "names": "peer: every device, names only",
        "full": "peer: every device, commands and states",
    }
    lines = {label: [(s["devices"], s[key]) for s in made] for key, label in names.items()}
    marked = {
        "home40, home150: p95": [(s["devices"], s["p95"]) for s in real],
        "home40, home150: every device": [(s["devices"], s["full"]) for s in real],
    }
    return Chart(
        "Tokens injected for one order",
        "devices in the home",
        f"tokens ({COUNTER})",
        lines,
        log=True,
        marked=marked,
    )


def absent() -> str:
    """Where further cases would come from."""
    return (
        "No further cases. Set WINNOW_BENCH to a folder with dev/devices/*.jsonl and homes/; "
        f"public sentences and homes to make it from: {', '.join(places.SOURCES)}. "
        "docs/evaluation.md describes a row."
    )


def write_pages() -> None:
    """Write the tables of the evaluation pages from the kept results."""
    for language, page in places.PAGES.items():
        for marker, table in page_tables(language).items():
            tables.fill(page, marker, table)
        tables.fill(places.PAGES[language], "bench", readme_table(language))


def readme_table(language: str) -> str:
    """One row a file, committed ones first."""
    files = places.result("devices").get("files", {}) | places.result("others").get("files", {})
    columns = {
        name: tables.COLUMNS[name]
        for name in ("n", "exact", "completed", "miscontrol", "tokens_p50", "tokens_p95")
    }
    return tables.page_table(
        "file", [(name, found["all"]) for name, found in files.items()], columns, language
    )


def page_tables(language: str) -> dict[str, str]:
    """Marker -> table, for every kept result; figures that differ between machines are left out."""
    columns = {name: tables.COLUMNS[name] for name in tables.STEADY}
    out = {}
    for marker, name in (("figures", "devices"), ("others", "others")):
        if files := places.result(name).get("files"):
            out[marker] = tables.page_table(
                "file", tables.file_rows(files, categories=False), columns, language
            )
    if sizes := places.result("devices").get("tokens_by_home_size"):
        out["tokens"] = tables.page_table("home", [(s["home"], s) for s in sizes], SIZE_COLUMNS, language)
    return out


if __name__ == "__main__":
    main()
