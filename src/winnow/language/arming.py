"""In which mode an alarm is armed: what was said, and what a command does."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import cast

from winnow.language.normalise import is_han
from winnow.text.tables import table

Modes = Mapping[str, Mapping[str, Sequence[str]]]
_WORD = re.compile("[a-z]+")


def mode_of_command(command_id: str) -> str:
    """``away`` for ``alarm_arm_away`` and ``securitySystem-armAway``; empty where the id tells none."""
    parts = _WORD.findall(re.sub("([a-z])([A-Z])", r"\1 \2", command_id).lower())
    return next((mode for mode, row in _modes().items() if not set(row["ids"]).isdisjoint(parts)), "")


def mode_said(text: str) -> str:
    """The mode that words or a part of a sentence mean; empty where they mean none, or two."""
    found = {mode for word, mode in _words().items() if _is_said(word, text)}
    return found.pop() if len(found) == 1 else ""


def mode_name(mode: str, language: str) -> str:
    """What a mode is called."""
    return _modes()[mode][language][0]


def _is_said(word: str, text: str) -> bool:
    return word in text if is_han(word[0]) else f" {word} " in f" {text} "


@lru_cache(maxsize=1)
def _words() -> Mapping[str, str]:
    """What a person says -> the mode."""
    return {word: mode for mode, row in _modes().items() for word in (*row["zh"], *row["en"])}


def _modes() -> Modes:
    return cast("Modes", table("winnow.language", "words/arming.yaml"))
