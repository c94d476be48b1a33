"""The prompts of ``prompts/*.md``: one file a purpose and language, with ``$names`` for what is filled in."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from string import Template
from typing import TypeVar

from winnow.text.encode import compact_json
from winnow.types.dialogue import Language, Turn

T = TypeVar("T")
log = logging.getLogger(__name__)
PROMPT_VERSION = 2
"""Rises whenever the text of a prompt changes: whoever keeps or compares answers keeps it with them."""
LONGEST = 400
"""Characters of a turn that a model gets to see."""


@cache
def template(purpose: str, language: Language) -> Template:
    """The prompt of ``purpose`` in ``language``."""
    return Template((files(__package__) / "prompts" / f"{purpose}.{language}.md").read_text("utf-8").strip())


def messages(
    purpose: str, language: Language, asked: Mapping[str, object], **filled: str
) -> list[dict[str, str]]:
    """System and user message.

    ``asked`` goes in as JSON, so that nothing in it can pass for an instruction.
    """
    return [
        {"role": "system", "content": template(purpose, language).substitute(filled)},
        {"role": "user", "content": compact_json(asked, LONGEST)},
    ]


def turns(history: Sequence[Turn]) -> list[dict[str, str]]:
    """The history as data for a prompt."""
    return [{"role": turn.role, "text": turn.content} for turn in history]


def passed(value: T | str, purpose: str) -> T | None:
    """The value a check let pass; a text is the reason why it did not, and goes to the debug log."""
    if isinstance(value, str):
        log.debug("a model's answer to %s is void: %s", purpose, value)
        return None
    return value
