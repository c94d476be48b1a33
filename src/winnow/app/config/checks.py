"""Validation of settings: values of one type each, YAML files in sections, and options of ``winnow.open``.

A check takes what stands in a file or a variable and returns it in its type. It raises TypeError or
ValueError with what the value must be.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from pathlib import Path
from typing import Any, cast, get_args
from urllib.parse import urlsplit

from winnow.errors import ConfigError, Phrase, Problem
from winnow.language.registry import LANGUAGES
from winnow.language.tokens import NAMES
from winnow.types.context import Part, Preference, WindowKind
from winnow.types.query import QueryStyle
from winnow.types.utterance import LanguageCode

MIN_BUDGET_TOKENS = 32
KEYS: Mapping[str, str] = {
    "openai": "OPENAI_API_KEY",
    "dashscope": "DASHSCOPE_API_KEY",
    "deepseek": "DEEPSEEK_API_KEY",
    "zhipu": "ZHIPUAI_API_KEY",
}
"""Server of a language model -> the variable that customarily holds its key."""
SERVERS = (*KEYS, "ollama", "vllm", "lmstudio")
"""Servers that are known by name."""
FASTEMBED = "fastembed:"
"""Stands before the name of an embedding model that runs in this process."""
_TRUE, _FALSE = ("true", "yes", "on", "1"), ("false", "no", "off", "0")


def text(value: object) -> str:
    """Any text."""
    if not isinstance(value, str):
        raise TypeError("must be text")
    return value


def non_empty_text(value: object) -> str:
    """A text that is not empty."""
    if not (said := text(value)):
        raise ValueError("must not be empty")
    return said


def variable(value: object) -> str:
    """The name of an environment variable; what is none may be the secret itself and is not quoted."""
    said = text(value)
    if said and not (said.isascii() and said.isidentifier()):
        raise ValueError("must be the name of an environment variable, not what it holds")
    return said


def server(value: object) -> str:
    """A name, or a URL that holds no secret."""
    said = text(value)
    parts = urlsplit(said)
    # Settings are printed by the doctor and by errors, so a URL must not hold a password.
    if "@" in parts.netloc or parts.query or parts.fragment:
        raise ValueError("must be a URL without user, password, query and fragment")
    if said and not parts.netloc and said not in SERVERS:
        raise ValueError(Phrase("must be a URL or one of {names}", names=SERVERS))
    return said


def holds_password(url: str) -> bool:
    """Whether a URL names a password, before its host or among its options."""
    parts = urlsplit(url)
    return ":" in parts.netloc.rpartition("@")[0] or "password=" in parts.query


def embedding(value: object) -> str:
    """The name of a model, which must not be missing behind the prefix."""
    said = text(value)
    if said == FASTEMBED:
        raise ValueError(Phrase("must be a name, or {prefix} and a name", prefix=FASTEMBED))
    return said


def whole_number(value: Any) -> int:
    """A whole number, 0 or more."""
    if not str(value).isdecimal():
        raise ValueError("must be a whole number, 0 or more")
    return int(value)


def language(value: object) -> LanguageCode:
    """The code of a language."""
    if str(value) not in LANGUAGES:
        raise ValueError(Phrase("must be one of {names}", names=list(LANGUAGES)))
    return str(value)


def tokens(value: Any) -> int:
    """A number of tokens that holds at least a header."""
    if not str(value).isdecimal() or int(value) < MIN_BUDGET_TOKENS:
        raise ValueError(Phrase("must be a whole number of tokens, {least} or more", least=MIN_BUDGET_TOKENS))
    return int(value)


def tokenizer(value: object) -> str:
    """The name of a counter, or the path of a file that is there."""
    said = text(value)
    if said and said not in NAMES and not Path(said).expanduser().is_file():
        raise ValueError(Phrase("must be one of {names}, or the path of a tokenizer.json", names=NAMES))
    return said


def preference(value: object) -> Preference:
    """What a person may want more of."""
    return cast("Preference", _one_of(value, get_args(Preference)))


def window(value: object) -> WindowKind:
    """A kind of window."""
    return cast("WindowKind", _one_of(value, get_args(WindowKind)))


def _one_of(value: object, names: tuple[str, ...]) -> str:
    if value not in names:
        raise ValueError(Phrase("must be one of {names}", names=names))
    return str(value)


def shares(value: object) -> Mapping[Part, float]:
    """Parts of a whole: a table, or ``history=0.4, knowledge=0.4, system=0.2``."""
    told = dict(one.partition("=")[::2] for one in value.split(",")) if isinstance(value, str) else value
    if not isinstance(told, Mapping):
        raise TypeError("must be a mapping")
    found = {str(name).strip(): share(part) for name, part in told.items()}
    if found.keys() - set(get_args(Part)):
        raise ValueError(Phrase("unknown setting; known are {known}", known=get_args(Part)))
    if sum(found.values()) > 1 + 1e-9:
        raise ValueError("must be parts of a whole: none below 0, together at most 1")
    return cast("Mapping[Part, float]", found)


def seconds(value: Any) -> float:
    """A number of seconds, 0 or more."""
    problem = "must be a number of seconds, 0 or more"
    try:
        found = float(value)
    except (TypeError, ValueError):
        raise ValueError(problem) from None
    if isinstance(value, bool) or not 0 <= found < float("inf"):
        raise ValueError(problem)
    return found


def positive_seconds(value: Any) -> float:
    """More than 0 seconds."""
    if not (found := seconds(value)):
        raise ValueError("must be more than 0 seconds")
    return found


def count(value: Any) -> int:
    """A whole number, 1 or more."""
    if not str(value).isdecimal() or int(value) < 1:
        raise ValueError("must be a whole number, 1 or more")
    return int(value)


def at_least_two(value: Any) -> int:
    """A whole number, 2 or more."""
    if (found := count(value)) < 2:
        raise ValueError("must be a whole number, 2 or more")
    return found


def share(value: Any) -> float:
    """A number from 0 to 1."""
    problem = "must be a number from 0 to 1"
    try:
        found = float(value)
    except (TypeError, ValueError):
        raise ValueError(problem) from None
    if isinstance(value, bool) or not 0 <= found <= 1:
        raise ValueError(problem)
    return found


def boolean(value: Any) -> bool:
    """True or false, as people write them."""
    said = str(value).lower()
    if said not in (*_TRUE, *_FALSE):
        raise ValueError("must be true or false")
    return said in _TRUE


# YAML files in sections: every problem is reported at once.


SECRET_SETTINGS = ("url", "api_key", "api_url")
"""Settings whose values are never shown; URLs may hold a password."""
_VARIABLE = re.compile(r"\$\{(\w+)\}")

Check = Callable[[Any], Any]


@dataclass(slots=True)
class SectionReader:
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
                self.note(place, unknown_setting(str(key), tree))
            elif isinstance(tree[key], Mapping):
                yield from self.leaves(value, tree[key], place)
            elif value is not None:
                yield from self._leaf(place, str(key), value, tree[key])

    def note(self, path: str, why: str) -> None:
        """One more problem."""
        self.problems.append(Problem(self.origin, path, why))

    def _leaf(self, place: str, key: str, value: Any, check: Check) -> Iterator[tuple[str, Any]]:
        plain = self.expand_variables(place, value)
        if plain is None:
            return
        # The path of a key that stands in the file itself: the doctor advises to move it out.
        if key == "api_key" and value and plain == value:
            self.literals.append(place)
        try:
            yield place, check(plain)
        except (TypeError, ValueError) as error:
            why: str = error.args[0]
            # Error messages end up in logs: values of secrets and of variables are left out.
            shown = key not in SECRET_SETTINGS and plain == value
            self.note(place, Phrase("{why}, not {value}", why=why, value=repr(value)) if shown else why)

    def expand_variables(self, place: str, value: Any) -> Any:
        """The value with what the environment holds in the place of ``${NAME}``; None where it holds none."""
        if not isinstance(value, str):
            return value
        missing = [name for name in _VARIABLE.findall(value) if name not in self.env]
        for name in missing:
            self.note(place, Phrase("names the variable {name}, which is not set", name=name))
        return None if missing else _VARIABLE.sub(lambda found: self.env[found[1]], value)


def read_yaml(path: Path, known: Mapping[str, Any]) -> Mapping[str, Any]:
    """What the file holds. The parser's message may quote a line, with a key in it: only places are told."""
    import yaml  # most settings stand in no YAML file

    try:
        found = yaml.safe_load(path.read_text("utf-8-sig"))
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 0
        raise ConfigError([Problem(str(path), "", Phrase("no YAML: line {line}", line=line))]) from None
    except RecursionError:
        raise ConfigError([Problem(str(path), "", Phrase("is nested too deep"))]) from None
    except (OSError, ValueError, yaml.YAMLError) as error:  # ValueError: a day that no calendar has, too
        why = getattr(error, "strerror", None) or "not text"
        raise ConfigError([Problem(str(path), "", Phrase("cannot be read: {why}", why=why))]) from None
    if not isinstance(found, Mapping | None):
        raise ConfigError([Problem(str(path), "", Phrase("must hold {known}", known=tuple(known)))])
    return found or {}


def unknown_setting(key: str, tree: Mapping[str, Any]) -> str:
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
        return seconds(value)
    except ValueError:
        raise ValueError("must be a number of days, 0 or more") from None


def list_of_texts(value: object) -> tuple[str, ...]:
    """A list of texts."""
    if not isinstance(value, list | tuple):
        raise TypeError("must be a list of texts")
    return tuple(text(item) for item in value)


# Options of ``winnow.open``.


POLICY_CHECKS: Mapping[str, Check] = {
    "tenant": non_empty_text,
    "home": text,
    "budget": tokens,
    "context": tokens,
    "tokenizer": tokenizer,
    "language": lambda value: None if value is None else language(value),
    "found": count,
    "bulk_arbitration": boolean,
    "model_seconds": positive_seconds,
    "combined": boolean,
    "style": one_of(*get_args(QueryStyle)),
    "metrics": boolean,
}
"""Field of the policy -> what it may be; the other fields hold values of the engine's own types."""


def checked_policy(given: Mapping[str, Any], policy: type) -> dict[str, Any]:
    """The same in their types, as fields of that class. Raises ConfigError with every problem at once."""
    known = {field.name: None for field in fields(policy)}
    problems, found = (
        [Problem("winnow.open", n, unknown_setting(n, known)) for n in given if n not in known],
        dict(given),
    )
    for name, value in given.items():
        try:
            found[name] = POLICY_CHECKS[name](value) if name in POLICY_CHECKS else value
        except (TypeError, ValueError) as error:
            why = Phrase("{why}, not {value}", why=error.args[0], value=repr(value))
            problems.append(Problem("winnow.open", name, why))
    if problems:
        raise ConfigError(problems)
    return found
