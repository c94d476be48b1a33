"""What a caller of ``winnow.open`` sets beside the settings, checked like them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, get_args

from winnow.config import checks
from winnow.config.sections import Check, one_of, unknown
from winnow.errors import ConfigError, Phrase, Problem
from winnow.types.rewrite import Style

CHECKS: Mapping[str, Check] = {
    "tenant": checks.named,
    "home": checks.text,
    "budget": checks.tokens,
    "context": checks.tokens,
    "tokenizer": checks.tokenizer,
    "language": lambda value: None if value is None else checks.language(value),
    "found": checks.count,
    "bulk_arbitration": checks.switch,
    "model_seconds": checks.positive,
    "combined": checks.switch,
    "style": one_of(*get_args(Style)),
    "metrics": checks.switch,
}
"""Field of the policy -> what it may be; the other fields hold values of the engine's own types."""


def checked_policy(given: Mapping[str, Any], policy: type) -> dict[str, Any]:
    """The same in their types, as fields of that class. Raises ConfigError with every problem at once."""
    known = {field.name: None for field in fields(policy)}
    problems, found = (
        [Problem("winnow.open", n, unknown(n, known)) for n in given if n not in known],
        dict(given),
    )
    for name, value in given.items():
        try:
            found[name] = CHECKS[name](value) if name in CHECKS else value
        except (TypeError, ValueError) as error:
            why = Phrase("{why}, not {value}", why=error.args[0], value=repr(value))
            problems.append(Problem("winnow.open", name, why))
    if problems:
        raise ConfigError(problems)
    return found
