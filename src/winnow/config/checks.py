"""What one setting may be: each takes what stands in a file or a variable and gives it in its type.

Raises TypeError or ValueError that say what it must be.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, cast, get_args
from urllib.parse import urlsplit

from winnow.errors import Phrase
from winnow.text.tokens import NAMES
from winnow.types.context import Part, Preference, WindowKind

LEAST_BUDGET = 32
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


def named(value: object) -> str:
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


def whole(value: Any) -> int:
    """A whole number, 0 or more."""
    if not str(value).isdecimal():
        raise ValueError("must be a whole number, 0 or more")
    return int(value)


def language(value: object) -> Literal["zh", "en"]:
    """One of the two languages."""
    if value not in ("zh", "en"):
        raise ValueError("must be zh or en")
    return "zh" if value == "zh" else "en"


def tokens(value: Any) -> int:
    """A number of tokens that holds at least a header."""
    if not str(value).isdecimal() or int(value) < LEAST_BUDGET:
        raise ValueError(Phrase("must be a whole number of tokens, {least} or more", least=LEAST_BUDGET))
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


def positive(value: Any) -> float:
    """More than 0 seconds."""
    if not (found := seconds(value)):
        raise ValueError("must be more than 0 seconds")
    return found


def count(value: Any) -> int:
    """A whole number, 1 or more."""
    if not str(value).isdecimal() or int(value) < 1:
        raise ValueError("must be a whole number, 1 or more")
    return int(value)


def two(value: Any) -> int:
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


def switch(value: Any) -> bool:
    """True or false, as people write them."""
    said = str(value).lower()
    if said not in (*_TRUE, *_FALSE):
        raise ValueError("must be true or false")
    return said in _TRUE
