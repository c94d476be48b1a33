"""Chinese: its row, beside the tables of its words, its grammar and its sentences."""

from __future__ import annotations

import re

from winnow.language.language import Language
from winnow.language.normalize import HAN

_LATIN_WORD = re.compile(r"[a-zA-Z\u00c0-\u024f]+")


def is_chinese(text: str) -> bool:
    """Whether there is at least one Chinese character for every two Latin words."""
    if HAN.search(text) is None:
        return False
    words = len(_LATIN_WORD.findall(text))
    return not words or len(HAN.findall(text)) * 2 >= words


CHINESE = Language(
    "zh",
    __name__,
    is_chinese,
    joiner="",
    and_marks=("、", "、"),
    or_marks=("、", "还是"),
    act_mark="；",
    endings={"color": "色"},
    asks_first=False,
    thing_first=True,
    mixes=True,
)
