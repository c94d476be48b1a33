"""What feedback on half of a person's turns is worth on the other half.

    python -m benchmarks.feedback [--log FILE]

One person's assistant (``benchmarks/data/assistant``) is asked the turns of both writers that have an answer.
After each, somebody says of every thing that was offered whether it was useful: one person whatever holds the
answer, another only what is their own, for they trust nothing public. From what was said of one half of the
turns ``training/knowledge/tune.py`` proposes settings, if any are worth it; with these in force the other
half is asked again, and the other way round. ``--log`` keeps the feedback of the first person as
``winnow feedback --json`` prints it.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from statistics import mean
from typing import Any
from zlib import crc32

import yaml
from training.knowledge.tune import tuned

import winnow
from benchmarks import places
from benchmarks.assistant import DATA, USER, Row, filled, plain
from winnow.app.config.settings import load_settings
from winnow.types.candidate import Candidate
from winnow.types.feedback import Feedback
from winnow.types.utterance import Utterance

PERSONS = ("answers", "own")
"""To whom whatever holds the answer is useful, and to whom only what is their own."""


def turns() -> list[Row]:
    """The turns that something answers, of both writers."""
    every = (row for path in sorted(DATA.glob("turns.*.jsonl")) for row in places.rows(path))
    return [row for row in every if row["answer"]]


def half(row: Row) -> int:
    """0 or 1, by what is asked."""
    return crc32(row["turn"].encode()) % 2


def is_useful(person: str, row: Row, source: str, one: Candidate) -> bool:
    """What a person says of one thing."""
    return plain(row["answer"]) in plain(str(one.data)) and (person == "answers" or source != "public")


def judged(engine: winnow.Engine, row: Row) -> dict[str, list[Feedback]]:
    """What each person says of the things that one turn was offered."""
    found = engine.sync.retrieve(Utterance(row["turn"], history=tuple(row["history"]), user=USER))
    said: dict[str, list[Feedback]] = {person: [] for person in PERSONS}
    for shortlist in found.results:
        for one in shortlist.candidates:
            given = _named(row["turn"], engine.sync.feedback(found, "not_useful", one.ref))
            for person in PERSONS:
                useful = is_useful(person, row, shortlist.source, one)
                said[person].append(replace(given, judged="useful") if useful else given)
    return said


def _named(turn: str, one: Feedback) -> Feedback:
    """The same under an id that is the same in every run, by which turns fall into halves."""
    assert one.account is not None, "a turn that was just answered has one"
    return replace(one, retrieval=turn, account=replace(one.account, id=turn))


def asked(engine: winnow.Engine, rows: Sequence[Row], person: str) -> dict[str, float]:
    """How well the turns serve a person."""
    first, there, tokens = [], [], []
    for row in rows:
        found = engine.sync.retrieve(Utterance(row["turn"], history=tuple(row["history"]), user=USER))
        every = [(of.source, one) for of in found.results for one in of.candidates]
        if any(is_useful(person, row, *one) for one in every):
            first.append(is_useful(person, row, *max(every, key=_likelihood)))
            given = plain(" ".join(str(message.get("content", "")) for message in found.context.messages))
            there.append(plain(row["answer"]) in given)
        tokens.append(found.context.usage["knowledge"].used if found.context.usage else 0)
    return {
        "what is useful is the likeliest": round(100 * mean(first), 1),
        "what is useful is in the messages": round(100 * mean(there), 1),
        "tokens of data": round(mean(tokens), 1),
    }


def _likelihood(one: tuple[str, Candidate]) -> float:
    return one[1].score if one[1].bearing is None else one[1].bearing


def tuned_engine(folder: Path, tuning: Mapping[str, Any]) -> winnow.Engine:
    """The engine over the same store with these settings in force."""
    path = folder / "tuned.yaml"
    path.write_text(yaml.safe_dump(dict(tuning)), "utf-8")
    told = {"WINNOW_HOME": str(folder), "WINNOW_REMEMBER": "false", "WINNOW_TUNED": str(path)}
    return winnow.open(settings=load_settings(told))


def main() -> None:
    """Print what is proposed and what it is worth."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--log", type=Path, help="file to write the feedback to")
    given = parser.parse_args()
    kept: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as name:
        engine, rows = filled(Path(name)), turns()
        said = [judged(engine, row) for row in rows]
        if given.log:
            lines = (json.dumps(one.data(), ensure_ascii=False) for some in said for one in some["answers"])
            given.log.write_text("\n".join(lines) + "\n", "utf-8")
        for person, learned in product(PERSONS, (0, 1)):
            log = [
                one
                for row, some in zip(rows, said, strict=True)
                if half(row) == learned
                for one in some[person]
            ]
            told, settings = tuned(log)
            others = [row for row in rows if half(row) != learned]
            figures = {"before": asked(engine, others, person)}
            if settings:
                figures["after"] = asked(tuned_engine(Path(name), settings), others, person)
            kept[f"{person}, half {1 - learned}"] = {"turns": len(others), "proposed": settings, **figures}
            print(f"{person}, learned from half {learned}\n\n{told}\n\n{yaml.safe_dump(settings)}")
            for when, what in figures.items():
                print(f"{person}, half {1 - learned}, {len(others)} turns, {when}: {what}")
    places.keep("feedback", kept)


if __name__ == "__main__":
    main()
