"""``python -m benchmarks.misheard``: orders of the scenario files with words put in them that sound alike.

Each order is said as written, and with 1, 2 and 3 of its words misheard. English: a word of the same phonetic
key that is spelled much alike, what recognisers are known to write (``misheard.yaml``), a word fallen apart,
two grown together. Chinese: a character of the same or nearly the same syllable, common ones more often.
Numerals stay: a number heard as another number is another order, and nobody can tell.

Completed is an order answered as its scenario wants, asked one of which the right thing is asked about first,
wrong one that does something else. ``--show N`` prints so many that are wrong or lost.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import islice, pairwise
from pathlib import Path
from random import Random
from typing import Any

import jellyfish
import yaml
from tests.homes import engine
from tests.scenarios.runner import DECISIONS, DOING, Scenario, collected, faults

from benchmarks import places
from winnow.adapters.models.embedders import TABLE_FOLDER
from winnow.language import lexicon
from winnow.language.normalize import is_han
from winnow.language.pinyin import sound_key, syllables
from winnow.language.registry import language_of

ERRORS = (0, 1, 2, 3)
COMMON = {"en": 6000, "zh": 2500}
"""How many of the commonest words and characters may be heard."""
SPELLED = 0.8
"""Jaro-Winkler similarity from which two words of one phonetic key sound alike."""
SAME, NEARLY = 3.0, 1.0
"""How much oftener a character of the same syllable is heard than one of nearly the same."""
FLAT = 50
"""Rank up to which all characters are about as common."""
SPLIT, JOINED = 0.12, 0.12
"""Shares of English errors that are words fallen apart, and grown together."""
NUMERALS = frozenset("零〇一二两三四五六七八九十百千万半")
_WORD = re.compile("(?<![a-zA-Z'])[a-zA-Z]{2,}(?![a-zA-Z'])")
_VOWELS = re.compile("[aeiouy]+")


@cache
def common(language: str) -> tuple[str, ...]:
    """The commonest words of the table of vectors, or the commonest characters, in order."""
    pieces = (TABLE_FOLDER / "static.txt").read_text("utf-8").split("\n")
    form = re.compile("[a-z]{2,}" if language == "en" else "[\u4e00-\u9fff]")
    return tuple(islice(filter(form.fullmatch, pieces), COMMON[language]))


@cache
def words() -> frozenset[str]:
    """English words that may be heard: the lexicon's own and the commonest."""
    own = (word for entry in lexicon.entries() for word in _WORD.findall(entry.surface))
    return frozenset(own) | frozenset(common("en"))


@cache
def _by_key() -> Mapping[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for word in sorted(words()):
        found.setdefault(jellyfish.metaphone(word), []).append(word)
    return {key: tuple(row) for key, row in found.items()}


@cache
def known_slips() -> Mapping[str, Sequence[str]]:
    """Word -> what recognisers write for it."""
    text = Path(__file__).with_suffix(".yaml").read_text("utf-8")
    table: dict[str, dict[str, list[str]]] = yaml.load(text, Loader=yaml.BaseLoader)  # ``on`` is a word
    return table["en"]


def beats(word: str) -> int:
    """About how many syllables an English word has; an ``e`` at its end is not spoken."""
    return max(1, len(_VOWELS.findall(word)) - (word.endswith("e") and word[-2:-1] not in "aeiouy"))


@cache
def heard_for(word: str) -> tuple[str, ...]:
    """What an English word in lower case may be heard as."""
    same = (w for w in _by_key().get(jellyfish.metaphone(word), ()) if w != word and beats(w) == beats(word))
    alike = (w for w in same if jellyfish.jaro_winkler_similarity(w, word) >= SPELLED)
    return tuple(dict.fromkeys([*known_slips().get(word, ()), *alike]))


@cache
def halves(word: str) -> tuple[str, ...]:
    """A word fallen into two words."""
    cuts = ((word[:n], word[n:]) for n in range(3, len(word) - 2))
    return tuple(f"{a} {b}" for a, b in cuts if a in words() and b in words())


@cache
def heard_for_character(ch: str) -> tuple[tuple[str, float], ...]:
    """Characters that sound like this one, each with how often it is heard for it."""
    said = "".join(syllables(ch))
    found = []
    for rank, other in enumerate(common("zh")):
        sounds = "".join(syllables(other))
        if other != ch and other not in NUMERALS and sound_key(sounds) == sound_key(said):
            found.append((other, (SAME if sounds == said else NEARLY) / (rank + FLAT)))
    return tuple(found)


def misheard(text: str, errors: int, draw: Random) -> str | None:
    """The sentence with so many errors; None where it has not that many words that may be misheard."""
    one = _chinese if language_of(text) == "zh" else _english
    touched: list[tuple[int, int]] = []
    for _ in range(errors):
        made = one(text, touched, draw)
        if made is None:
            return None
        start, end, put = made
        more = len(put) - (end - start)
        touched = [(a + more, b + more) if a >= end else (a, b) for a, b in touched]
        touched.append((start, start + len(put)))
        text = text[:start] + put + text[end:]
    return text


_Change = tuple[int, int, str]


def _chinese(text: str, touched: Sequence[tuple[int, int]], draw: Random) -> _Change | None:
    free = [n for n, ch in enumerate(text) if is_han(ch) and not any(a <= n < b for a, b in touched)]
    free = [n for n in free if text[n] not in NUMERALS and heard_for_character(text[n])]
    if not free:
        return None
    at = draw.choice(free)
    others, weights = zip(*heard_for_character(text[at]), strict=True)
    return at, at + 1, draw.choices(others, weights)[0]


def _english(text: str, touched: Sequence[tuple[int, int]], draw: Random) -> _Change | None:
    free = [m for m in _WORD.finditer(text) if not any(a < m.end() and m.start() < b for a, b in touched)]
    kind = draw.random()
    if kind < SPLIT:
        made = [(m.start(), m.end(), half) for m in free for half in halves(m[0].lower())]
    elif kind < SPLIT + JOINED:
        pairs = pairwise(free)
        made = [(a.start(), b.end(), a[0] + b[0]) for a, b in pairs if text[a.end() : b.start()] == " "]
    else:
        made = []
    if made:
        return draw.choice(made)
    slips = [m for m in free if heard_for(m[0].lower())]
    if not slips:
        return None
    word = draw.choice(slips)
    return word.start(), word.end(), draw.choice(heard_for(word[0].lower()))


def orders() -> Iterator[Scenario]:
    """The scenarios that want something done."""
    for one in collected():
        if set(one.expect["decision"].split(" | ")) <= DOING:
            yield one


def judged(scenario: Scenario) -> str:
    """What comes of an order: ``done``, ``wrong``, ``asked`` (the right thing, first) or ``lost``."""
    if not faults(scenario):
        return "done"
    got = DECISIONS[type(engine(scenario.home).sync.retrieve(scenario.utterance).verdict)]
    if got == "act":
        return "wrong"
    asked = replace(scenario, expect={**scenario.expect, "decision": "confirm"})
    return "asked" if got == "confirm" and not faults(asked) else "lost"


def measured(
    language: str, errors: int, seed: int, say: Callable[[str], None] = lambda line: None
) -> dict[str, float]:
    """Orders, and of a hundred how many are completed and how many do something else.

    Only those are counted that are right as written. ``say`` is told of each that is not done.
    """
    tally = {"done": 0, "asked": 0, "wrong": 0, "lost": 0}
    for one in orders():
        if language_of(one.utterance.text) != language or not is_right(one):
            continue
        text = misheard(one.utterance.text, errors, Random(f"{seed} {errors} {one.id}"))
        if text is None:
            continue
        came = judged(replace(one, utterance=replace(one.utterance, text=text)))
        tally[came] += 1
        if came != "done":
            say(f"{errors} {came}: {one.utterance.text} -> {text}")
    said = sum(tally.values())
    return {
        "orders": said,
        "completed": round(100 * tally["done"] / max(1, said), 1),
        "asked": round(100 * tally["asked"] / max(1, said), 1),
        "wrong": round(100 * tally["wrong"] / max(1, said), 1),
    }


@cache
def _right() -> dict[str, bool]:
    return {}


def is_right(scenario: Scenario) -> bool:
    """Whether it is answered as it should be, as it is written."""
    kept = _right()
    if scenario.id not in kept:
        kept[scenario.id] = not faults(scenario)
    return kept[scenario.id]


def main() -> None:
    """Print a table, a row for each language and number of errors."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--errors", type=int, nargs="*", default=ERRORS)
    asked.add_argument("--language", choices=("en", "zh"))
    asked.add_argument("--show", type=int, default=0)
    given = asked.parse_args()
    found: dict[str, Any] = {}
    columns = ("orders", "completed", "asked", "wrong")
    print(f"{'':4}{'errors':>7}" + "".join(f"{name:>11}" for name in columns))
    for language in [given.language] if given.language else ["en", "zh"]:
        for errors in given.errors:
            lines: list[str] = []
            row = measured(language, errors, given.seed, lines.append)
            found.setdefault(language, {})[str(errors)] = row
            print(f"{language:4}{errors:7}" + "".join(f"{row[name]:11}" for name in columns), flush=True)
            lines.sort(key=lambda line: " wrong: " not in line)
            print(*lines[: given.show], sep="\n", end="\n" * bool(given.show))
    if not given.language:
        places.keep("misheard", {"seed": given.seed, "orders": found})


if __name__ == "__main__":
    main()
