"""Which acts need a confirmation, which are forbidden, and the time limits of acts: ``acting.yaml``."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any, get_args

from winnow.app.config import checks
from winnow.app.config.checks import Check, SectionReader, one_of, read_yaml
from winnow.app.config.settings import Settings
from winnow.errors import ConfigError, Phrase, Problem
from winnow.types.plan import DANGERS, ActingRules, DangerRule, Rules

ACTING_FILE = "acting.yaml"


ActingConfig = ActingRules | Mapping[str, Any] | Path | str
"""Rules, what ``acting.yaml`` would hold, or the path of such a file."""


def acting_rules(given: ActingConfig | None, settings: Settings) -> ActingRules:
    """What is given, else what is configured, else the defaults. Raises ConfigError."""
    if isinstance(given, ActingRules):
        return given
    if isinstance(given, str | Path):
        return read_acting(Path(given).expanduser(), settings)
    return load_acting(settings) if given is None else acting_of(given, settings, origin="acting")


def acting_origin(given: ActingConfig | None, settings: Settings) -> str:
    """Where those rules stand, as problems with them name it."""
    if isinstance(given, str | Path):
        return str(Path(given).expanduser())
    return str(_path(settings)) if given is None else "acting"


def unknown_names(rules: ActingRules, known: Mapping[str, Collection[str]], origin: str) -> list[Problem]:
    """Homes and things that the rules name and that are not there.

    ``known``: id of each home -> ids and names of its devices and scenes.
    """
    anywhere = {name for names in known.values() for name in names}
    problems = [_unknown(origin, f"homes.{home}", home, known) for home in rules.homes if home not in known]
    for path, home, own in _sections_of(rules):
        names = known.get(home, anywhere)
        problems += [_unknown(origin, f"{path}things.{n}", n, names) for n in own.things if n not in names]
    return problems


def _sections_of(rules: ActingRules) -> Iterator[tuple[str, str, Rules]]:
    """Path, home (empty: any) and rules of each section."""
    yield "", "", rules.rules
    yield from ((f"homes.{home}.", home, own) for home, own in rules.homes.items())
    yield from ((f"users.{user}.", "", own) for user, own in rules.users.items())


def _unknown(origin: str, path: str, name: str, known: Collection[str]) -> Problem:
    near = get_close_matches(name, known, n=1, cutoff=0.6)
    if near:
        return Problem(origin, path, Phrase("nothing is called so; {near} is there", near=near[0]))
    return Problem(origin, path, "nothing is called so; use an id or an exact name: winnow home show")


def load_acting(settings: Settings, env: Mapping[str, str] | None = None) -> ActingRules:
    """What is set of acts, else the defaults. Raises ConfigError with every problem at once.

    How long a yes is waited for is what the settings say, unless the file says something else.
    """
    path = _path(settings)
    if settings.acting or path.is_file():
        return read_acting(path, settings, env)
    return ActingRules(yes_seconds=settings.confirm_seconds)


def _path(settings: Settings) -> Path:
    return Path(settings.acting).expanduser() if settings.acting else settings.data / ACTING_FILE


def read_acting(path: Path, settings: Settings, env: Mapping[str, str] | None = None) -> ActingRules:
    """What the file says. Raises ConfigError."""
    return acting_of(read_yaml(path, ACTING_SHAPE), settings, env, str(path))


def acting_of(
    given: Mapping[str, Any], settings: Settings, env: Mapping[str, str] | None = None, origin: str = ""
) -> ActingRules:
    """The same from data of that shape; ``origin`` is named in problems. Raises ConfigError."""
    reader = SectionReader(origin, os.environ if env is None else env)
    rules = _rules(given, reader, "", {key: ACTING_SHAPE[key] for key in ("times", "homes", "users")})
    homes, users = (_sections(given.get(key), reader, key) for key in ("homes", "users"))
    times = _under("times.", dict(reader.leaves({"times": given.get("times")}, ACTING_SHAPE, "")))
    if reader.problems:
        raise ConfigError(reader.problems)
    # The older setting confirm_seconds holds where the file says nothing.
    begun = ActingRules(yes_seconds=settings.confirm_seconds)
    return replace(begun, rules=rules, homes=homes, users=users, **times)


def _rules(given: Mapping[str, Any], reader: SectionReader, at: str, beside: Mapping[str, Any]) -> Rules:
    """The rules that stand at a place; ``beside`` is read by others."""
    things = _by_name(given.get("things"), reader, f"{at}things")
    own = {key: value for key, value in given.items() if key not in beside}
    shape = {**RULES_SHAPE, "things": dict.fromkeys(things, ANSWER), **beside}
    found = dict(reader.leaves({**own, "things": things}, shape, at.removesuffix(".")))
    named = {part: _under(f"{at}{part}.", found) for part in ("dangers", "things")}
    return Rules(named["dangers"], named["things"], found.get(f"{at}many", 0))


def _sections(given: Any, reader: SectionReader, key: str) -> dict[str, Rules]:
    """Name of a home or person -> the rules that stand under it."""
    found = {}
    for name, rules in _by_name(given, reader, key).items():
        if isinstance(rules, Mapping | None):
            found[name] = _rules(rules or {}, reader, f"{key}.{name}.", {})
        else:
            reader.note(f"{key}.{name}", MUST_HOLD_NAMES)
    return found


def _by_name(given: Any, reader: SectionReader, path: str) -> dict[str, Any]:
    """What stands under names that are the person's own; a name of digits is a name."""
    if isinstance(given, Mapping):
        return {str(name): value for name, value in given.items()}
    if given is not None:
        reader.note(path, MUST_HOLD_NAMES)
    return {}


def _under(section: str, found: Mapping[str, Any]) -> dict[str, Any]:
    """Setting -> value, of those whose places begin so."""
    return {place[len(section) :]: value for place, value in found.items() if place.startswith(section)}


def _names(value: object) -> object:
    """Taken as it is: read by the functions above."""
    return value


MUST_HOLD_NAMES = "must hold names, each with what is set for it"
ANSWER: Check = one_of(*get_args(DangerRule))
RULES_SHAPE: Mapping[str, Any] = {
    "dangers": dict.fromkeys(DANGERS, ANSWER),
    "things": _names,
    "many": checks.count,
}
"""What may stand at the top, and under a home or a person."""
ACTING_SHAPE: Mapping[str, Any] = {
    **RULES_SHAPE,
    "homes": _names,
    "users": _names,
    "times": {
        "yes_seconds": checks.seconds,
        "plan_seconds": checks.positive_seconds,
        "fresh_seconds": checks.seconds,
        "silent_hours": checks.seconds,
        "at_once": checks.count,
        "tries": checks.count,
        "call_seconds": checks.positive_seconds,
        "seen_seconds": checks.seconds,
        "act_seconds": checks.positive_seconds,
    },
}
"""The shape of the file: section -> setting -> what it may be."""
