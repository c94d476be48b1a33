"""What a turn is given where nothing answers, and whether it keeps its answer where something does.

    python -m benchmarks.absent [--rows]

``benchmarks/data/absent`` holds two persons in each language: messages with small talk and an assistant's
words between them, ten documents and a dozen facts; thirty questions that this answers, and thirty whose
answer is nowhere. Each goes through ``engine.retrieve``. What is empty holds neither a message, nor a
passage, nor a fact. The limits are fitted on the first person; the second is judged by them.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from statistics import mean
from typing import Any

import yaml

import winnow
from benchmarks import places
from benchmarks.assistant import plain
from winnow.app.config.settings import load_settings
from winnow.ports.services import run_blocking
from winnow.types.message import Message
from winnow.types.scope import Scope

DATA = places.DATA / "absent"
FITTED, JUDGED = "a", "b"
LANGUAGES = ("en", "zh")
FIRST_DAY = datetime(2026, 1, 5, 8)  # noqa: DTZ001 - a wall clock has no zone
ASSISTANT = "< "
USER = "me"


@dataclass(frozen=True, slots=True)
class Person:
    """One person's data, and the questions."""

    messages: tuple[Message, ...]
    documents: Mapping[str, str]
    """Title -> text."""
    facts: tuple[str, ...]
    asked: tuple[tuple[str, str], ...]
    """Questions, each with a part of its answer."""
    absent: tuple[str, ...]


@cache
def person(language: str, name: str) -> Person:
    """A person; small talk and answers stand between what was told, one message an hour."""
    told = yaml.safe_load((DATA / f"{language}.yaml").read_text("utf-8"))
    one, chatter = told[name], told["chatter"]
    # Something told, then small talk, as long as there is any
    said: list[str] = []
    for at, text in enumerate(one["messages"]):
        said += [text, *chatter[at : at + 1]]
    messages = tuple(_message(at, text) for at, text in enumerate(said))
    asked = tuple((str(question), str(answer)) for question, answer in one["asked"])
    return Person(messages, one["documents"], tuple(one["facts"]), asked, tuple(one["absent"]))


def _message(at: int, text: str) -> Message:
    role = "assistant" if text.startswith(ASSISTANT) else "user"
    time = FIRST_DAY + timedelta(hours=9 * at)
    return Message(f"m{at}", role, text.removeprefix(ASSISTANT), time, f"t{at // 4}")


def filled(folder: Path, one: Person, floor: float | None = None) -> winnow.Engine:
    """An engine over a new store that holds the person's data; ``floor``: both floors of ``ranking``."""
    settings = load_settings({"WINNOW_HOME": str(folder)})
    ranking = {} if floor is None else {"ranking": {"nothing_below": floor, "nothing_at_all_below": floor}}
    engine = winnow.open(settings=settings, knowledge=ranking)
    run_blocking(engine.storage.messages.add(Scope(user=USER), one.messages))
    records = [{"id": title, "title": title, "text": text} for title, text in one.documents.items()]
    engine.sync.add_documents(records, user=USER)
    for fact in one.facts:
        engine.sync.add_facts(fact, user=USER)
    return engine


def answered(engine: winnow.Engine, question: str, answer: str = "") -> dict[str, Any]:
    """What one question was given."""
    found = engine.sync.retrieve(question, user=USER)
    context = found.context
    assert context.usage is not None, "an engine counts what each share holds"
    given = plain(" ".join(str(message.get("content", "")) for message in context.messages[:-1]))
    results = [c for one in found.results for c in one.candidates]
    return {
        "question": question,
        "asked": bool(found.results),
        "nothing": found.nothing_found,
        "empty": not results,
        "there": bool(answer) and plain(answer) in given,
        "tokens": context.usage["knowledge"].used,
        "results": [(c.ref.kind, round(c.score, 2), str(c.data)[:60]) for c in results],
    }


def figures(absent: Sequence[Mapping[str, Any]], asked: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """Percentages, and mean tokens of what is given as data."""
    return {
        "nothing given where nothing answers": _percent([row["empty"] for row in absent]),
        "it says that nothing was found": _percent([row["nothing"] for row in absent if row["asked"]]),
        "answer given where there is one": _percent([row["there"] for row in asked]),
        "tokens where nothing answers": round(mean(row["tokens"] for row in absent), 1),
        "tokens where something answers": round(mean(row["tokens"] for row in asked), 1),
    }


def _percent(rows: Sequence[bool]) -> float:
    return round(100 * sum(rows) / len(rows), 1)


def measured(
    language: str, name: str, floor: float | None = None
) -> tuple[dict[str, float], list[dict[str, Any]]]:
    """The figures of one person, and what each question was given."""
    one = person(language, name)
    with tempfile.TemporaryDirectory() as folder:
        engine = filled(Path(folder), one, floor)
        absent = [answered(engine, question) for question in one.absent]
        asked = [answered(engine, question, answer) for question, answer in one.asked]
    return figures(absent, asked), [*absent, *asked]


def main() -> None:
    """Print the figures of each person."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", action="store_true", help="tell what each question was given")
    given = parser.parse_args()
    kept: dict[str, Any] = {}
    for name in (FITTED, JUDGED):
        for language in LANGUAGES:
            told, rows = measured(language, name)
            kept[f"{language}, {'fitted on' if name == FITTED else 'judged by'}"] = told
            kept[f"{language}, {'fitted on' if name == FITTED else 'judged by'}, no floor"] = measured(
                language, name, 0.0
            )[0]
            print(f"{language} {name}: " + ", ".join(f"{what} {figure}" for what, figure in told.items()))
            for row in rows if given.rows else ():
                print("  ", row["question"], row["asked"], row["there"], row["tokens"])
                for found in row["results"]:
                    print("       ", *found)
    places.keep("absent", kept)


if __name__ == "__main__":
    main()
