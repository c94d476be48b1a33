"""One spelling: what a person typed, a cloud exported and a recogniser heard become comparable."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from importlib.resources import files

from winnow.language.encode import INVISIBLE

_MARKS = str.maketrans("“”„‟«»「」『』‘’‚‛´′−–‒⁄〜", '""""""""""\'\'\'\'\'\'---/~')
HAN = re.compile("[\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_NOT_WORD = re.compile(r"[\W_]+")
_BETWEEN = re.compile(r"[^\w'.&+%]+|_+")
_BRACKETED = re.compile(r"([^()\[\]]+)[(\[]([^()\[\]]+)[)\]]")
_SILENT_SPACE = re.compile("(?<=[\u3400-\u9fff]) | (?=[\u3400-\u9fff])")


@lru_cache(maxsize=1)
def _characters() -> dict[int, int]:
    """Marks and traditional characters -> the spelling used here. The data is closed: one pass is enough."""
    lines = (files("winnow.language.zh") / "t2s.txt").read_text("utf-8").split("\n")
    traditional, simplified = lines[:2]
    return {**str.maketrans(traditional, simplified), **_MARKS}


def _pass(text: str) -> str:
    visible = INVISIBLE.sub("", text.translate(_characters()))
    return " ".join(unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", visible).casefold()).split())


@lru_cache(maxsize=4096)
def normalise(text: str, limit: int = 1000) -> str:
    """``text`` in NFKC, lower case, simplified characters, straight quotes and single spaces.

    Invisible characters are dropped. At most ``limit`` characters; normalising twice is normalising once.
    """
    if text.isascii():
        return " ".join(INVISIBLE.sub("", text[: limit * 4].lower()).split())[:limit].rstrip()
    before, after = text[: limit * 4], _pass(text[: limit * 4])
    while after != before:
        before, after = after, _pass(after)
    return after[:limit].rstrip()


def words_in(text: str) -> list[str]:
    """The words of a name without the signs and pictures between them: ``Lamp (left) 🌿``."""
    return _words(normalise(text))


def _words(normalised: str) -> list[str]:
    return [word for part in _BETWEEN.split(normalised) if (word := part.strip(".'"))]


def spoken_forms(name: str) -> list[str]:
    """How a written name may be said: as it is, without its signs, what it has in brackets first.

    No one says the space in ``客厅 空调``.
    """
    surface = normalise(name)
    words = _words(surface)
    forms = [surface]
    if words and "".join(words) != surface.replace(" ", ""):
        forms.append(" ".join(words))
    if bracketed := _BRACKETED.fullmatch(surface):
        forms.append(" ".join(words_in(bracketed[2]) + words_in(bracketed[1])))
    forms += [_SILENT_SPACE.sub("", form) for form in forms if " " in form]
    return [form for form in dict.fromkeys(forms) if form]


@lru_cache(maxsize=16384)
def fold(text: str) -> str:
    """The key for comparing names: normalised, and nothing left but letters, digits and characters."""
    return _NOT_WORD.sub("", normalise(text))


@lru_cache(maxsize=8192)
def is_han(ch: str) -> bool:
    """Whether ``ch`` is one Chinese character."""
    return HAN.fullmatch(ch) is not None
