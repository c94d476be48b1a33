"""Settings: from the environment, then ``config.toml`` in the data folder, then defaults that work offline.

Nothing else reads the environment.
"""

from __future__ import annotations

import os
import sys
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from winnow.errors import ConfigError, Problem
from winnow.types.dialogue import Language

FILE = "config.toml"
STORE = "winnow.db"
LEAST_BUDGET = 32


@dataclass(frozen=True, slots=True)
class Settings:
    """What can be set. Each field is also a key of ``config.toml`` and a variable ``WINNOW_<FIELD>``; the folder is ``WINNOW_HOME``."""

    data: Path
    """Folder that holds the store and ``config.toml``. Default: the user's data folder of the platform."""
    home: str = ""
    """Id of the home spoken to when a sentence names none. Default: the only one stored."""
    language: Language | None = None
    """Language of messages and of replies. Default: that of the sentence; for the command line, that of ``LANG``."""
    budget: int = 250
    """Most tokens a briefing may have. At least 32."""
    wait: float = 5.0
    """Seconds to wait for another process that is writing the store. Default 5."""
    confirm_seconds: float = 60.0
    """Seconds a question about a dangerous act stays open. Default 60."""
    max_targets: int = 100
    """Most devices of one set that are acted on without asking. At least 1."""
    max_groups: int = 10
    """Most groups of alike commands of one set that are acted on without asking. At least 1."""
    bulk_arbitration: bool = False
    """Whether a language model, where there is one, may choose between the acts a set may be meant for. Default: no."""
    learn: bool = False
    """Whether words that were not understood are collected in the store, to be suggested as names. Default: no."""

    @property
    def store(self) -> Path:
        """The store's file."""
        return self.data / STORE


def load_settings(env: Mapping[str, str] | None = None, data: Path | None = None) -> Settings:
    """The settings in force. ``data`` overrides the folder. Raises ConfigError with every problem at once."""
    env = os.environ if env is None else env
    folder = data or _folder(env)
    problems: list[Problem] = []
    raw = {**_from_file(folder / FILE, problems), **_from_env(env)}
    values = {name: _checked(name, origin, value, problems) for name, (origin, value) in raw.items()}
    if problems:
        raise ConfigError(problems)
    return Settings(data=folder, **values)


def locale_language(env: Mapping[str, str] | None = None) -> Language:
    """What the terminal's locale speaks: ``zh`` for any Chinese one, else ``en``."""
    env = os.environ if env is None else env
    locale = env.get("LC_ALL") or env.get("LC_MESSAGES") or env.get("LANG") or ""
    return "zh" if locale.lower().startswith("zh") else "en"


def _folder(env: Mapping[str, str]) -> Path:
    """``WINNOW_HOME``, else where the platform keeps a user's data."""
    if chosen := env.get("WINNOW_HOME"):
        return Path(chosen).expanduser()
    if sys.platform == "win32":
        return Path(env.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "winnow"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "winnow"
    return Path(env.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "winnow"


def _from_env(env: Mapping[str, str]) -> dict[str, tuple[Problem, Any]]:
    named = {name: f"WINNOW_{name.upper()}" for name in _CHECKS}
    named |= {"home": "WINNOW_DEFAULT_HOME", "bulk_arbitration": "ENABLE_BULK_ARBITRATION_LLM"}
    return {name: (Problem("environment", key, ""), env[key]) for name, key in named.items() if env.get(key)}


def _from_file(path: Path, problems: list[Problem]) -> dict[str, tuple[Problem, Any]]:
    if not path.is_file():
        return {}
    try:
        table = tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        problems.append(Problem(str(path), "", f"not readable as TOML: {error}"))
        return {}
    known = ", ".join(_CHECKS)
    problems += [Problem(str(path), key, f"unknown setting; known are {known}") for key in table if key not in _CHECKS]
    return {key: (Problem(str(path), key, ""), value) for key, value in table.items() if key in _CHECKS}


def _checked(name: str, origin: Problem, value: Any, problems: list[Problem]) -> Any:
    """The value in its type; a problem is noted when it has none."""
    try:
        return _CHECKS[name](value)
    except (TypeError, ValueError) as error:
        problems.append(Problem(origin.file, origin.path, f"{error}, not {value!r}"))
        return None


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("must be text")
    return value


def _language(value: object) -> Literal["zh", "en"]:
    if value not in ("zh", "en"):
        raise ValueError("must be zh or en")
    return "zh" if value == "zh" else "en"


def _tokens(value: Any) -> int:
    if not str(value).isdecimal() or int(value) < LEAST_BUDGET:
        raise ValueError(f"must be a whole number of tokens, {LEAST_BUDGET} or more")
    return int(value)


def _seconds(value: Any) -> float:
    problem = "must be a number of seconds, 0 or more"
    try:
        seconds = float(value)
    except (TypeError, ValueError):
        raise ValueError(problem) from None
    if isinstance(value, bool) or not 0 <= seconds < float("inf"):
        raise ValueError(problem)
    return seconds


def _count(value: Any) -> int:
    if not str(value).isdecimal() or int(value) < 1:
        raise ValueError("must be a whole number, 1 or more")
    return int(value)


def _switch(value: Any) -> bool:
    known = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}
    if str(value).lower() not in known:
        raise ValueError("must be true or false")
    return known[str(value).lower()]


_CHECKS: dict[str, Callable[[Any], Any]] = {
    "home": _text,
    "language": _language,
    "budget": _tokens,
    "wait": _seconds,
    "confirm_seconds": _seconds,
    "max_targets": _count,
    "max_groups": _count,
    "bulk_arbitration": _switch,
    "learn": _switch,
}
