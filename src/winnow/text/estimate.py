"""How many tokens a text costs a language model, estimated where no tokenizer is at hand."""

from __future__ import annotations

import re

_PARTS = tuple(
    re.compile(part)
    for part in (
        r"[\u3007\u3400-\u9fff]",  # Chinese characters
        r"[A-Za-z]+",  # words
        r"[A-Za-z]{7}",  # long words
        r"[a-z][A-Z]",  # camelCase joints
        r"[0-9]{1,3}",  # digits, three to a token
        r"[!-/:-@\[-`{-~]+",  # runs of marks
        r"[!-/:-@\[-`{-~]{2}",  # long runs
        r"\s{2,}|\n",  # indentation and line ends
        r"[^\x00-\x7f\u3007\u3400-\u9fff]",  # everything else
    )
)
_WEIGHTS = (0.837, 1.001, 0.289, 0.935, 1.059, 0.861, 0.14, 1.393, 1.445)
"""Tokens per part; fitted by ``scripts/fit_tokens.py`` to home JSON and to Chinese and English prose."""


def features(text: str) -> list[int]:
    """How often each part of the estimator occurs in ``text``."""
    return [len(part.findall(text)) for part in _PARTS]


def estimate_tokens(text: str) -> int:
    """Tokens of ``text``, estimated for the o200k vocabulary.

    Measured on 1,396 held-out pieces of 100 to 1,500 characters: off by 3.5 % on average, by less than 9.4 %
    in 95 of 100.
    """
    if not text:
        return 0
    return max(1, round(sum(w * n for w, n in zip(_WEIGHTS, features(text), strict=True))))
