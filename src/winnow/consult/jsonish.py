"""What a language model meant as JSON: the first object of its output that is valid under a schema.

Models wrap JSON in fences, thoughts and chatter, and break it; ``reader`` reads it all the same.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from winnow.consult.reader import Object, Reader
from winnow.consult.schema import conform

CANDIDATES = 64
"""Objects of one output that are looked at."""

_THOUGHT = "(?:think|thinking|thought|reasoning|reflection)"
_THOUGHT_BEGINS = re.compile(rf"<{_THOUGHT}>|<\|channel\|>analysis", re.IGNORECASE)
_THOUGHT_ENDS = re.compile(rf"</{_THOUGHT}>|<\|channel\|>final<\|message\|>", re.IGNORECASE)
_FENCE = re.compile(r"^[^\S\n]*(?:```|~~~)[^\n]*$", re.MULTILINE)
_KEY_AHEAD = re.compile(r"""\s*["'“”‘＂「][^"'“”‘’＂」\n]{1,64}["'“”’＂」]\s*[:：]""")
_QUOTED_ONCE_MORE = re.compile(r"[^{]*\{\s*\\\"")


@dataclass(frozen=True, slots=True)
class Found:
    """What an output holds.

    ``value`` is None when nothing in it is valid; ``problems`` then says why, empty without any object.
    """

    value: dict[str, Any] | None
    problems: tuple[str, ...] = ()
    cut: bool = False
    """Whether a text or a number of it was still open where the output ends: it may go on otherwise."""


def read(output: str, schema: Mapping[str, object]) -> Found:
    """The first object that is valid under ``schema``, in the types the schema asks for.

    Raises ValueError for a schema it cannot check.
    """
    first: Found | None = None
    for candidate in _candidates(output):
        value, problems = conform(candidate.value, schema)
        if not problems and isinstance(value, dict):
            return Found(value, (), candidate.cut)
        first = first or Found(None, problems, candidate.cut)
    return first or Found(None)


def given(output: str) -> dict[str, Any]:
    """The first object of an output as it stands, whatever it holds; empty where there is none."""
    return next((candidate.value for candidate in _candidates(output)), {})


def _candidates(output: str) -> Iterator[Object]:
    """Objects in order, empty ones last. Where there are fences that hold some, the others are chatter."""
    said = _answer(output.strip())
    found = [o for part in _fenced(said) for o in Reader(part).objects()] or Reader(said).objects()
    yield from [o for o in found if o.value][:CANDIDATES]
    yield from [o for o in found if not o.value][:1]


def _answer(output: str) -> str:
    """What follows the model's thoughts. Thoughts that never end are followed by nothing."""
    ends = list(_THOUGHT_ENDS.finditer(output))
    said = output[ends[-1].end() :] if ends and not _whole(output) else output
    begins = None if _whole(said) else _THOUGHT_BEGINS.search(said)
    said = said[: begins.start()] if begins else said
    if _QUOTED_ONCE_MORE.match(said):
        said = said.replace('\\"', '"').replace("\\n", "\n")
    if "{" not in said and "｛" not in said and _KEY_AHEAD.match(said):
        said = "{" + said
    return said


def _whole(text: str) -> bool:
    """Whether the text is JSON as it stands, so that what looks like a thought is a part of it."""
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _fenced(text: str) -> list[str]:
    """What stands between lines that begin with a fence."""
    marks = list(_FENCE.finditer(text))
    ends = [*(m.start() for m in marks[1::2]), *([len(text)] if len(marks) % 2 else [])]
    return [text[mark.end() : end] for mark, end in zip(marks[::2], ends, strict=True)]
