"""Tuned weights and shares that feedback proposed: the file that the setting ``tuned`` names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args

from winnow.app.config.settings import Settings
from winnow.errors import ConfigError, Phrase, Problem
from winnow.types.context import NO_TUNING, Part, Tuning

TUNING_TABLES = ("ranking", "shares")


def load_tuning(settings: Settings) -> Tuning:
    """What the file says; nothing where none is named. Raises ConfigError with every problem at once."""
    if not settings.tuned:
        return NO_TUNING
    import yaml  # whoever has no such file need not wait for it

    path = Path(settings.tuned).expanduser()
    try:
        given = yaml.safe_load(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise ConfigError(
            [Problem(str(path), "", Phrase("not readable as YAML: {why}", why=error))]
        ) from error
    if not isinstance(given, dict):
        raise ConfigError([Problem(str(path), "", "must be a mapping")])
    if problems := [Problem(str(path), where, why) for where, why in _problems(given)]:
        raise ConfigError(problems)
    return Tuning(**given)


def _problems(given: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    known = tuple(one.name for one in fields(Tuning))
    for name, value in given.items():
        if name not in known:
            yield name, Phrase("unknown setting; known are {known}", known=known)
        elif name in TUNING_TABLES:
            if not isinstance(value, dict):
                yield name, "must be a mapping"
                continue
            bad = [key for key, figure in value.items() if not _is_number(figure)]
            yield from ((f"{name}.{key}", "must be a number") for key in bad)
        elif not _is_number(value):
            yield name, "must be a number"
    yield from _share_problems(given.get("shares"))


def _share_problems(shares: object) -> Iterator[tuple[str, str]]:
    """Whether they name parts of a budget and are together at most the whole."""
    if not isinstance(shares, dict) or not all(map(_is_number, shares.values())):
        return
    parts = get_args(Part)
    yield from (
        (f"shares.{key}", Phrase("unknown setting; known are {known}", known=parts))
        for key in shares
        if key not in parts
    )
    if min(shares.values(), default=0) < 0 or sum(shares.values()) > 1 + 1e-9:
        yield "shares", "must be parts of a whole: none below 0, together at most 1"


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
