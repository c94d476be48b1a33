"""``winnow intent``: whether one turn of a talk needs anything looked up, and why."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from winnow.errors import CaseError
from winnow.say.messages import message
from winnow.types.dialogue import Language, Turn
from winnow.types.intent import Intent, Taxonomy


def turns(said: Iterable[str]) -> Iterator[Turn]:
    """Earlier turns: ``user: ...``, ``assistant: ...``, or files of them, one JSON object ``{role, content}`` a line.

    Raises CaseError for a line of a file that is no turn, ValueError for what is neither.
    """
    for item in said:
        role, colon, content = item.partition(":")
        if colon and role.strip() in ("user", "assistant"):
            yield _turn(role.strip(), content.strip())
        elif Path(item).is_file():
            yield from _read(Path(item))
        else:
            raise ValueError(f'{item!r} is neither a file nor does it begin with "user:" or "assistant:"')


def _read(path: Path) -> Iterator[Turn]:
    for number, line in enumerate(path.read_text("utf-8-sig").splitlines(), 1):
        if line.strip():
            try:
                row = json.loads(line)
            except json.JSONDecodeError as error:
                raise CaseError(path.name, number, "line", f"not JSON: {error.msg}") from None
            if (
                not isinstance(row, dict)
                or row.get("role") not in ("user", "assistant")
                or not isinstance(row.get("content"), str)
            ):
                raise CaseError(
                    path.name, number, "role", "expected an object with role (user or assistant) and content"
                )
            yield _turn(row["role"], row["content"])


def _turn(role: str, content: str) -> Turn:
    return Turn("user" if role == "user" else "assistant", content)


def told(found: Intent, classes: Taxonomy, language: Language) -> list[str]:
    """What was found, one line each."""
    item = next(c for c in classes.classes if c.id == found.label)
    name = (item.name.zh if language == "zh" else item.name.en) or (found.label,)
    act = message(f"intent_act_{found.act}", language) if found.act else ""
    return [
        message(f"intent_from_{found.source}", language),
        message("intent_class", language, name=name[0], label=found.label),
        *([message("intent_act", language, act=act)] if act else []),
        message("intent_sure", language, percent=int(100 * found.confidence)),
        message(
            "intent_why", language, rule=found.reason, why=message(f"intent_rule_{found.reason}", language)
        ),
    ]
