"""A language of the tests: fifty words of Esperanto. All that Winnow knows of it is in this folder."""

from __future__ import annotations

from importlib.resources import files

from winnow.language.language import Language
from winnow.language.tables import parse_yaml

NAMES = frozenset({"plafona", "tabla", "legolampo", "nokta"})
"""Words of names of the home of the tests, which tell of no other language."""


def is_esperanto(text: str) -> bool:
    """Whether at least half of the words are known here; none of them is a word of English."""
    spoken = text.lower().replace(",", " ").replace("?", " ").split()
    return 2 * sum(word in _words() or word in NAMES for word in spoken) >= len(spoken) > 0


def _words() -> set[str]:
    sections = parse_yaml(files(__name__).joinpath("words.yaml").read_text("utf-8")).values()
    words = [word for rows in sections for words in rows.values() for word in words]
    return {*words, *map(plural, words)}


def plural(word: str) -> str:
    """``lampoj`` of ``lampo``, ``lampojn`` of ``lampon``."""
    return f"{word[:-1]}jn" if word.endswith("n") else f"{word}j"


TOY = Language(
    "eo",
    __name__,
    is_esperanto,
    and_marks=(", ", " kaj "),
    or_marks=(", ", " aŭ "),
    plural=plural,
    like="en",
)
