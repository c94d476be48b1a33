"""How many tokens a text costs a language model: counters by name, real vocabularies and estimates."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache, partial
from importlib.util import find_spec
from operator import call
from pathlib import Path

from winnow.errors import ConfigError, Phrase, Problem
from winnow.language.encode import sendable
from winnow.language.token_estimate import estimate_tokens

COUNTER = "o200k_base" if find_spec("rs_bpe") else "fitted-estimate"
"""What ``count_tokens`` counts with."""
NAMES = ("o200k", "cl100k", "estimate", "estimate-cl100k", "seed")
"""Counters that need no file; any other name is the path of a ``tokenizer.json``, such as Qwen's."""
PER_MESSAGE = 5
"""Tokens of a message beside its texts: what opens it, its role, what closes it, line breaks. Five in ChatML
as Qwen writes it (``<|im_start|>user\\n`` ... ``<|im_end|>\\n``); OpenAI's own models take four."""
PER_REPLY = 3
"""Tokens that open the reply, once for all messages: ``<|im_start|>assistant\\n``."""
LONG = 4000
"""Characters of a text whose count is not remembered: it is not likely to come again."""
_HAN = re.compile(r"[\u4e00-\u9fa5]")


@dataclass(frozen=True, slots=True)
class Counter:
    """Counts tokens; ``name`` says by which vocabulary or estimate."""

    name: str
    _count: Callable[[str], int] = field(repr=False)

    def count(self, text: str) -> int:
        """Tokens of the text; 0 of an empty one."""
        return self._count(text) if text else 0

    def message(self, message: Mapping[str, object]) -> int:
        """Tokens of one OpenAI-style message: its texts, its tool calls as JSON, and ``PER_MESSAGE``."""
        told = (value for key, value in message.items() if key != "role" and value not in (None, ""))
        return PER_MESSAGE + sum(
            self.count(value if isinstance(value, str) else _json(value)) for value in told
        )

    def messages(self, messages: Iterable[Mapping[str, object]]) -> int:
        """Tokens of all messages together, and of what opens the reply."""
        return PER_REPLY + sum(map(self.message, messages))

    def tools(self, tools: Sequence[Mapping[str, object]]) -> int:
        """Tokens of the schemas of tools as the JSON that is sent: one list, without spaces."""
        return self.count(_json(tools)) if tools else 0


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)


def counter(name: str = "") -> Counter:
    """The counter of that name; empty: the exact one for o200k that is installed, else the estimate.

    A path is that of a ``tokenizer.json``; it needs the library ``tokenizers``. Raises ConfigError.
    """
    return _counter(name or ("o200k" if COUNTER == "o200k_base" else "estimate"))


@cache
def _counter(name: str) -> Counter:
    if name in ("o200k", "cl100k"):
        return _remembering(f"{name}_base", _vocabulary(name))
    if name in ("estimate", "estimate-cl100k"):
        vocabulary = name.partition("-")[2] or "o200k"
        fitted = "fitted-estimate" if name == "estimate" else f"fitted-{name}"
        return _remembering(fitted, partial(estimate_tokens, vocabulary=vocabulary))
    if name == "seed":
        return Counter("seed-formula", seed_tokens)
    return _remembering(Path(name).expanduser().parent.name or name, _of_file(Path(name).expanduser()))


_count_once = lru_cache(maxsize=4096)(call)


def _remembering(name: str, count: Callable[[str], int]) -> Counter:
    """What was counted lately is not counted again: a dialogue comes back turn by turn."""
    return Counter(name, lambda text: _count_once(count, text) if len(text) <= LONG else count(text))


def _vocabulary(name: str) -> Callable[[str], int]:
    if not find_spec("rs_bpe"):
        raise _unusable(name, Phrase("needs the library {name}, which is not installed", name="rs-bpe"))
    from rs_bpe.bpe import openai

    found = openai.o200k_base() if name == "o200k" else openai.cl100k_base()
    counted: Callable[[str], int] = found.count
    return lambda text: counted(sendable(text))


def _of_file(path: Path) -> Callable[[str], int]:
    """Counts by a vocabulary in the format of Hugging Face. Nothing is fetched."""
    if not path.is_file():
        known: str = Phrase("must be one of {names}, or the path of a tokenizer.json", names=NAMES)
        raise _unusable(str(path), known)
    if not find_spec("tokenizers"):
        raise _unusable(
            str(path), Phrase("needs the library {name}, which is not installed", name="tokenizers")
        )
    from tokenizers import Tokenizer

    try:
        vocabulary = Tokenizer.from_file(str(path))
    except Exception as error:  # noqa: BLE001 - the library raises nothing narrower
        raise _unusable(str(path), Phrase("cannot be read: {why}", why=error)) from None
    return lambda text: len(vocabulary.encode(sendable(text), add_special_tokens=False).ids)


def _unusable(name: str, why: str) -> ConfigError:
    return ConfigError([Problem(name, "tokenizer", why)])


def seed_tokens(text: str) -> int:
    """The formula of seed 004: 1.3 for each word between spaces, 1.5 for each Chinese character."""
    return math.ceil(len(re.split(r"\s+", text)) * 1.3 + len(_HAN.findall(text)) * 1.5)


@lru_cache(maxsize=128)
def count_tokens(text: str) -> int:
    """Tokens of ``text``, exact for the o200k vocabulary; ``estimate_tokens`` where ``rs-bpe`` is absent."""
    return counter().count(text)
