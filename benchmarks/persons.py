"""One person's memory, written by strangers: what a turn is given of documents and half a year of messages.

    python -m benchmarks.persons [--folder FOLDER] [--rows]

A folder of ``benchmarks/data/persons`` is one person: ``private`` and ``public/DOMAIN`` documents,
``messages.yaml``, and ``questions.yaml`` with a kind each: ``changed`` (a statement that a later message
replaced), ``messages``, ``private``, ``public``, ``nowhere`` (nothing answers), ``none`` (nothing is needed).
Who wrote it saw neither code nor tests. Each question goes through ``engine.retrieve`` at its own time.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from statistics import mean
from typing import Any

import yaml

import winnow
from benchmarks import places
from benchmarks.assistant import USER, add_both, plain
from winnow.app.config.settings import load_settings
from winnow.app.wiring.engine import open_store
from winnow.ports.services import run_blocking
from winnow.types.message import Message
from winnow.types.scope import Scope
from winnow.types.utterance import Utterance

DATA = places.DATA / "persons"
Row = Mapping[str, Any]
ANSWERED = ("changed", "messages", "private", "public")
FITTED = ("chongqing_zh", "leeds_en")
"""Persons that weights are fitted on; the others judge them."""
NEWEST = ("lanzhou_zh", "adelaide_en")
"""The last round. Which sentences are given is fitted on all before it, and judged by these."""


def filled(folder: Path, person: Path) -> winnow.Engine:
    """An engine over a new store in ``folder`` that holds the documents and messages of a person."""
    settings = load_settings({"WINNOW_HOME": str(folder), "WINNOW_REMEMBER": "false"})
    storage = open_store(settings).storage
    add_both(storage, person)
    said = yaml.safe_load((person / "messages.yaml").read_text("utf-8"))
    messages = [
        Message(str(one["id"]), one["role"], str(one["text"]), datetime.fromisoformat(str(one["at"])))
        for one in said
    ]
    run_blocking(storage.messages.add(Scope(user=USER), messages))
    return winnow.open(settings=settings)


def questions_of(person: Path) -> list[dict[str, Any]]:
    """The questions of a person."""
    told: list[dict[str, Any]] = yaml.safe_load((person / "questions.yaml").read_text("utf-8"))
    return told


def utterance(row: Row) -> Utterance:
    """A question as it is asked at its own time."""
    at = datetime.fromisoformat(str(row["at"])).timestamp()
    return Utterance(str(row["ask"]), history=tuple(row.get("history") or ()), user=USER, time=at)


def all_persons() -> list[Path]:
    """The folder of each person; its name ends in the language."""
    return sorted(path for path in DATA.iterdir() if path.is_dir())


def answered(engine: winnow.Engine, row: Row, replaced: Mapping[str, str]) -> dict[str, Any]:
    """What one question was given; ``replaced``: id of a message -> id of the later one that replaces it."""
    found = engine.sync.retrieve(utterance(row))
    given = plain(" ".join(str(message.get("content", "")) for message in found.context.messages[:-1]))
    where = [at for answer in row.get("answer") or () if (at := given.find(plain(str(answer)))) >= 0]
    old = given.find(plain(str(row["old"]))) if row.get("old") else -1
    ranked = [c for result in found.results for c in result.candidates]
    places_of = {c.ref.id: place for place, c in reversed(list(enumerate(ranked)))}
    outdated = {c.ref.id for c in ranked if isinstance(c.data, Mapping) and c.data.get("superseded_by")}
    newer = [id_ for id_ in row.get("evidence") or () if id_ in replaced.values()]
    before = {old for old, new in replaced.items() if new in newer}
    first_of_old = min((places_of[id_] for id_ in before - outdated if id_ in places_of), default=None)
    first_of_new = min((places_of[id_] for id_ in newer if id_ in places_of), default=None)
    by_rank = first_of_new is not None and (first_of_old is None or first_of_new < first_of_old)
    assert found.context.usage is not None, "an engine counts what each share holds"
    return {
        **row,
        "asked": [step.what for step in found.gate if step.chosen == "asked"],
        "nothing": found.nothing_found,
        "empty": not ranked,
        "there": bool(where),
        "newer_first": by_rank if row["kind"] == "changed" else bool(where) and (old < 0 or min(where) < old),
        "unmarked": first_of_old is not None,
        "tokens": found.context.usage["knowledge"].used,
        "results": [(c.ref.kind, c.ref.id, round(c.score, 2), str(c.data)[:90]) for c in ranked],
    }


def _is_of(kind: str) -> Callable[[Row], bool]:
    return lambda row: row["kind"] == kind


MEASURES: Mapping[str, tuple[Callable[[Row], bool], Callable[[Row], bool]]] = {
    "answer given": (lambda r: r["kind"] in ANSWERED, lambda r: r["there"]),
    **{f"answer given, {kind}": (_is_of(kind), lambda r: r["there"]) for kind in ANSWERED},
    "newest value first": (lambda r: bool(r.get("old")), lambda r: r["newer_first"]),
    "old message given unmarked": (_is_of("changed"), lambda r: r["unmarked"]),
    "looked up where needed": (lambda r: r["kind"] != "none", lambda r: bool(r["asked"])),
    "nothing looked up where nothing is needed": (_is_of("none"), lambda r: not r["asked"]),
    "says nothing was found where nothing answers": (
        lambda r: r["kind"] == "nowhere",
        lambda r: r["nothing"],
    ),
    "nothing given where nothing answers": (_is_of("nowhere"), lambda r: r["empty"]),
}
"""Name -> of which questions, and what is right."""


def figures(rows: Sequence[Row]) -> dict[str, float]:
    """Percentages, and mean tokens of what is given as data."""
    shares = {}
    for name, (counts, right) in MEASURES.items():
        of = [row for row in rows if counts(row)]
        shares[name] = round(100 * sum(map(right, of)) / len(of), 1)
    answering = [row["tokens"] for row in rows if row["kind"] in ANSWERED]
    return {"n": len(rows), **shares, "tokens where something answers": round(mean(answering), 1)}


def measured(person: Path) -> tuple[dict[str, float], list[dict[str, Any]]]:
    """The figures of one person, and what each question was given."""
    replaced = {
        one["old"]: one["new"] for one in yaml.safe_load((person / "changes.yaml").read_text("utf-8"))
    }
    with tempfile.TemporaryDirectory() as folder:
        engine = filled(Path(folder), person)
        rows = [answered(engine, row, replaced) for row in questions_of(person)]
    return figures(rows), rows


def main() -> None:
    """Print the figures of each person."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, help="one person, in a folder of this form")
    parser.add_argument("--rows", action="store_true", help="tell what each question was given")
    given = parser.parse_args()
    kept = {}
    for person in [given.folder] if given.folder else all_persons():
        kept[person.name], rows = measured(person)
        print(
            f"{person.name}: " + ", ".join(f"{what} {figure}" for what, figure in kept[person.name].items())
        )
        for row in rows if given.rows else ():
            print("  ", row["id"], row["kind"], row["ask"], row["asked"], row["there"], row["tokens"])
            for found in row["results"]:
                print("       ", *found)
    if not given.folder:
        places.keep("persons", {**places.result("persons"), "found": kept})


if __name__ == "__main__":
    main()
