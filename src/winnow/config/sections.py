"""Settings that stand in a file of their own, in sections: read whole, with every problem at once.

Values may name a variable of the environment (``${NAME}``); what came from one is never shown, nor is any URL
or key.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import yaml

from winnow.config import checks
from winnow.errors import ConfigError, Phrase, Problem

SECRET = ("url", "api_key", "api_url")
"""Settings whose values are never shown; URLs may hold a password."""
_NAMED = re.compile(r"\$\{(\w+)\}")

Check = Callable[[Any], Any]


@dataclass(slots=True)
class Reader:
    """One file on its way to settings; what is wrong with it is noted."""

    origin: str
    env: Mapping[str, str]
    problems: list[Problem] = field(default_factory=list)
    literals: list[str] = field(default_factory=list)
    """Where a key stands in the file itself."""

    def leaves(self, given: Any, tree: Mapping[str, Any], path: str) -> Iterator[tuple[str, Any]]:
        """Path -> value in its type, of all that is known and makes sense."""
        if given is None:
            return
        if not isinstance(given, Mapping):
            self.note(path, Phrase("must hold {known}", known=tuple(tree)))
            return
        for key, value in given.items():
            place = f"{path}.{key}" if path else str(key)
            if key not in tree:
                self.note(place, unknown(str(key), tree))
            elif isinstance(tree[key], Mapping):
                yield from self.leaves(value, tree[key], place)
            elif value is not None:
                yield from self._leaf(place, str(key), value, tree[key])

    def note(self, path: str, why: str) -> None:
        """One more problem."""
        self.problems.append(Problem(self.origin, path, why))

    def _leaf(self, place: str, key: str, value: Any, check: Check) -> Iterator[tuple[str, Any]]:
        plain = self._filled(place, value)
        if plain is None:
            return
        if key == "api_key" and value and plain == value:
            self.literals.append(place)
        try:
            yield place, check(plain)
        except (TypeError, ValueError) as error:
            why: str = error.args[0]
            shown = key not in SECRET and plain == value
            self.note(place, Phrase("{why}, not {value}", why=why, value=repr(value)) if shown else why)

    def _filled(self, place: str, value: Any) -> Any:
        """The value with what the environment holds in the place of ``${NAME}``; None where it holds none."""
        if not isinstance(value, str):
            return value
        missing = [name for name in _NAMED.findall(value) if name not in self.env]
        for name in missing:
            self.note(place, Phrase("names the variable {name}, which is not set", name=name))
        return None if missing else _NAMED.sub(lambda found: self.env[found[1]], value)


def content(path: Path, known: Mapping[str, Any]) -> Mapping[str, Any]:
    """What the file holds. The parser's message may quote a line, with a key in it: only places are told."""
    try:
        found = yaml.safe_load(path.read_text("utf-8-sig"))
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 0
        raise ConfigError([Problem(str(path), "", Phrase("no YAML: line {line}", line=line))]) from None
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        why = getattr(error, "strerror", None) or "not text"
        raise ConfigError([Problem(str(path), "", Phrase("cannot be read: {why}", why=why))]) from None
    if not isinstance(found, Mapping | None):
        raise ConfigError([Problem(str(path), "", Phrase("must hold {known}", known=tuple(known)))])
    return found or {}


def unknown(key: str, tree: Mapping[str, Any]) -> str:
    """What is said of a setting that there is not."""
    near = get_close_matches(key, tree, n=1, cutoff=0.6)
    if near:
        return Phrase("unknown setting; {near} is one", near=near[0])
    return Phrase("unknown setting; known are {known}", known=tuple(tree))


def one_of(*known: str) -> Check:
    """One of these texts."""

    def check(value: object) -> str:
        if value not in known:
            raise ValueError(Phrase("must be one of {names}", names=known))
        return str(value)

    return check


def days(value: Any) -> float:
    """A number of days, 0 or more."""
    try:
        return checks.seconds(value)
    except ValueError:
        raise ValueError("must be a number of days, 0 or more") from None


def texts(value: object) -> tuple[str, ...]:
    """A list of texts."""
    if not isinstance(value, list | tuple):
        raise TypeError("must be a list of texts")
    return tuple(checks.text(item) for item in value)
