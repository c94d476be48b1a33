"""What comes of every sentence of the scenarios, as rows that a restructuring must not change.

    python -m benchmarks.golden OUT.jsonl [--quick]

One line a sentence: its name, and what was decided, which calls with which arguments, what was asked or
refused in which words, and the messages that a language model would get. ``--quick``: each twelfth sentence.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

from tests.homes import engine

from winnow import Retrieval, Turn, Utterance
from winnow.language.tables import parse_yaml

SCENARIOS = Path(__file__).resolve().parents[1] / "tests" / "scenarios"
SENTENCES = ("*.yaml", "careful/*_*.yaml", "contact/*.yaml", "unlearned/*.yaml")
EVERY = 12


def plain(value: Any) -> Any:
    """The value as JSON, without the names of classes and fields, which may change."""
    if is_dataclass(value):
        return [plain(getattr(value, field.name)) for field in fields(value)]
    if isinstance(value, Mapping):
        return {str(key): plain(found) for key, found in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    if isinstance(value, (set, frozenset)):
        return sorted(str(plain(one)) for one in value)
    return (
        round(value, 6)
        if isinstance(value, float)
        else value
        if isinstance(value, (int, str))
        else str(value)
    )


def row(retrieval: Retrieval) -> list[Any]:
    """What must stay: verdict, briefing, messages, and the ids of what was recalled."""
    candidates = [[one.device_id for one in found.candidates] for found in retrieval.shortlists]
    return [plain(retrieval.verdict), retrieval.briefing.text, plain(retrieval.context.messages), candidates]


def sentences() -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The name and the item of each sentence of the scenario files."""
    for pattern in SENTENCES:
        for path in sorted(SCENARIOS.glob(pattern)):
            for number, item in enumerate(parse_yaml(path.read_text("utf-8")) or [], 1):
                if isinstance(item, dict) and isinstance(item.get("say"), str) and "home" in item:
                    yield f"{path.relative_to(SCENARIOS)}:{number}", item


def main() -> None:
    """Write the rows."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("out", type=Path)
    arguments.add_argument("--quick", action="store_true")
    given = arguments.parse_args()
    with given.out.open("w", encoding="utf-8") as out:
        for number, (name, item) in enumerate(sentences()):
            if given.quick and number % EVERY:
                continue
            turns = tuple(Turn(who, text) for turn in item.get("history", ()) for who, text in turn.items())
            said = Utterance(item["say"], room=item.get("room"), history=turns)
            found = row(engine(item["home"]).sync.retrieve(said))
            out.write(json.dumps([name, found], ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
