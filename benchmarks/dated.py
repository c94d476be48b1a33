"""Of two dated documents about one matter, how often the newer is given first.

    python -m benchmarks.dated [--rows]

``benchmarks/data/dated/pairs.yaml`` holds twenty matters; each makes five pairs: the same words with another
value, other words, more around it. Rules were built with the matters under ``seen`` only.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

import yaml

import winnow
from benchmarks import places
from winnow.app.config.settings import load_settings

DATA = places.DATA / "dated" / "pairs.yaml"
OLD_DAY, NEW_DAY = "2024-03-04", "2026-02-09"
FORMS = ((0, 0, False), (0, 1, False), (1, 0, False), (1, 2, False), (0, 1, True))
"""Which wording of the older and of the newer document, and whether more stands around both."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A question, and the documents that answer it."""

    question: str
    old: str
    new: str
    title: str
    answers: bool = True
    """Whether the newer one answers; else the older has to stay first, unmarked."""


def pairs(half: str) -> Iterator[Pair]:
    """The pairs of the ``seen`` or ``unseen`` matters."""
    told = yaml.safe_load(DATA.read_text("utf-8"))
    for row in told[half]:
        more = told["filler"][row["lang"]]
        for old, new, long in FORMS:
            around = (" ".join(more[:2]), " ".join(more[2:])) if long else ("", "")
            before, after = (
                " ".join(filter(None, (around[0], one, around[1])))
                for one in (row["old"][old], row["new"][new])
            )
            yield Pair(row["q"], before, after, row["title"])
        for old in row["old"]:
            yield Pair(row["q"], old, row["other"], row["title"], answers=False)


def is_newer_first(pair: Pair, others: Sequence[Mapping[str, Any]]) -> tuple[bool, bool]:
    """Whether the newer document stands first, and whether the older is marked or not given before it."""
    with tempfile.TemporaryDirectory() as folder:
        engine = winnow.open(settings=load_settings({"WINNOW_HOME": folder, "WINNOW_REMEMBER": "false"}))
        rows = [
            {"id": "old", "title": pair.title, "text": pair.old, "at": OLD_DAY},
            {"id": "new", "title": pair.title, "text": pair.new, "at": NEW_DAY},
        ]
        engine.sync.add_documents([*others, *rows], user="me")
        found = engine.sync.retrieve(pair.question, user="me")
    passages = [c for one in found.results for c in one.candidates if c.ref.kind == "passage"]
    named = [str(c.data.get("text")) for c in passages if isinstance(c.data, Mapping)]
    old, new = (
        next((at for at, text in enumerate(named) if part in text), 99) for part in (pair.old, pair.new)
    )
    marked = old == 99 or "superseded" in str(passages[old].data)
    return new < old, marked


def measured(half: str) -> tuple[dict[str, float], list[tuple[Pair, bool, bool]]]:
    """Percentages, and what became of each pair."""
    every = list(pairs(half))
    number = count()
    rows = []
    for pair in every:
        others = [
            {"id": f"o{next(number)}", "title": one.title, "text": one.new, "at": NEW_DAY}
            for one in {one.title: one for one in every if one.answers}.values()
            if one.title != pair.title
        ]
        rows.append((pair, *is_newer_first(pair, others)))
    told = [row for row in rows if row[0].answers]
    alone = [row for row in rows if not row[0].answers]
    share = {
        "newer first": _percent([first for _, first, _ in told]),
        "older marked or not given": _percent([marked for _, _, marked in told]),
        "older first where it alone answers": _percent([not first for _, first, _ in alone]),
        "older unmarked there": _percent([not marked for _, _, marked in alone]),
    }
    return share, rows


def _percent(rows: Sequence[bool]) -> float:
    return round(100 * sum(rows) / len(rows), 1)


def main() -> None:
    """Print the figures of both halves."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", action="store_true", help="tell which seen pairs come in the wrong order")
    given = parser.parse_args()
    kept = {}
    for half in ("seen", "unseen"):
        kept[half], rows = measured(half)
        print(half, kept[half], len(rows))
        for pair, first, marked in rows if given.rows and half == "seen" else ():
            if (first and marked) != pair.answers:
                print("  ", first, marked, pair.question, "|", pair.old, "|", pair.new)
    places.keep("dated", kept)


if __name__ == "__main__":
    main()
