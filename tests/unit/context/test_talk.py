"""What a model is sent turn by turn in a talk with a person whose messages and documents are known."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from tests.homes import fresh

from winnow import ContextOptions
from winnow.language.tables import parse_yaml
from winnow.ports.services import run_blocking
from winnow.types.message import Message
from winnow.types.retrieval import Retrieval
from winnow.types.scope import Scope

TABLE: Mapping[str, Any] = parse_yaml(Path(__file__).with_name("talk.yaml").read_text("utf-8"))
FIRST_SAID = datetime.fromisoformat("2025-01-06T09:00")


def sent(found: Retrieval) -> Iterator[str]:
    """The messages of a turn, line by line; ids that differ from one time to the next are ID."""
    for message in found.context.messages:
        for line in str(message["content"]).splitlines():
            yield f"{message['role']}: {re.sub('(?<=plan )[a-z0-9]{6}', 'ID', line)}"


def turn(found: Retrieval) -> dict[str, Any]:
    """What the table tells of a turn."""
    return {
        "said": found.utterance.text,
        "asked of": [step.what for step in found.gate if step.chosen == "asked"],
        "sent": list(sent(found)),
        "tokens": {part: used.used for part, used in (found.context.usage or {}).items() if used.used},
    }


def talk() -> Iterator[dict[str, Any]]:
    engine, ida = fresh("cottage"), Scope("default", user="ida")
    told = [
        Message(f"m{n}", "user", text, FIRST_SAID + timedelta(days=9 * n))
        for n, text in enumerate(TABLE["told before"])
    ]
    run_blocking(engine.storage.messages.add(ida, told))
    engine.sync.add_documents(TABLE["documents"], user="ida", collection="house")
    for row in TABLE["turns"]:
        options = ContextOptions(tokens=TABLE["room"])
        yield turn(engine.sync.retrieve(row["said"], user="ida", session="s", options=options))


def test_a_talk_is_put_together_as_the_table_says() -> None:
    for made, row in zip(talk(), TABLE["turns"], strict=True):
        assert made == row
