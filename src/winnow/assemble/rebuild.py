"""A dialogue built anew: what was said earlier in short, and what is known of the person (seed 004, 4.2)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from winnow.assemble.data import fitting
from winnow.assemble.window.exchanges import Exchange
from winnow.assemble.window.topic import terms
from winnow.assemble.window.words import decided, telling, told
from winnow.language.scope import is_limited
from winnow.language.sentences import sentences
from winnow.say.messages import message
from winnow.text.encode import encode
from winnow.text.tokens import PER_MESSAGE, Counter
from winnow.types.dialogue import Language
from winnow.types.fact import Fact

FACTS = 0.25
"""Part of the room that facts of the person may have."""
LONGEST, SHORTEST = 240, 4
"""Characters of one line, at most (but for what may not be cut) and at least."""
OLDER = 60
"""Turns that are read for the summary, counted from the last one that goes."""
MARK = "- "
_SAYS_MUCH = re.compile(r"\d|[A-Z][a-z]+ [A-Z][a-z]+|[\"“「《]")


@dataclass(frozen=True, slots=True)
class Head:
    """The message that stands before the window, and the facts in it. Empty where there is nothing to say."""

    text: str = ""
    pinned: tuple[str, ...] = ()

    def tokens(self, counter: Counter) -> int:
        """Tokens of the message."""
        return counter.count(self.text) + PER_MESSAGE if self.text else 0


@dataclass(frozen=True, slots=True)
class Gone:
    """What is to be told in short: turns, and the summary of those before them."""

    turns: Sequence[Exchange]
    earlier: str = ""
    """What the head said before, or what the caller says was said before the dialogue."""


def head(
    gone: Gone, facts: Sequence[Fact], question: str, room: int, counter: Counter, language: Language
) -> Head:
    """The summary and the facts that matter most for the question, in at most ``room`` tokens."""
    left, asked = room - PER_MESSAGE, terms(question)
    # Of the facts that hold, what bears on the question first, then what is believed most, then the newest.
    current = [fact for fact in reversed(facts) if fact.status == "current"]
    current.sort(key=lambda fact: (-len(asked & terms(fact.text)), -fact.credibility))
    ids = {message("known_of_person", language): ""} | {MARK + _line(f.text): f.id for f in current}
    known = fitting(list(ids), int(left * FACTS), counter)
    known = known if len(known) > 1 else []
    summary = _summary(gone, question, left - counter.count("\n".join(known)) - 1, counter, language)
    lines = fitting((*summary, *known), left, counter)
    return Head("\n".join(lines), tuple(ids[line] for line in known if ids[line] and line in lines))


def _summary(gone: Gone, question: str, room: int, counter: Counter, language: Language) -> list[str]:
    """The lines that say most, in the order they were said, under a title."""
    title = message("said_earlier", language)
    said = (line for turn in gone.turns[-OLDER:] for line in _of_turn(turn, language))
    # One line for each sentence, with who said it, oldest first and none twice.
    every = (*_before(gone.earlier), *said)
    lines = list(dict.fromkeys(MARK + line for line in every if len(line) >= SHORTEST))
    left, kept = room - counter.count(title) - 1, set[int]()
    for n in sorted(range(len(lines)), key=lambda n: -_worth(lines[n], n / len(lines), question)):
        cost = counter.count(lines[n]) + 1
        if cost <= left:
            kept.add(n)
            left -= cost
    return [title, *(lines[n] for n in sorted(kept))] if kept else []


def _before(earlier: str) -> Iterator[str]:
    """The lines of the summary before, without its titles and facts, or the sentences of another."""
    titles = {
        code: {message(code, one) for one in _LANGUAGES} for code in ("said_earlier", "known_of_person")
    }
    for line in earlier.splitlines():
        if line in titles["known_of_person"]:
            return
        if line.startswith(MARK):
            yield line.removeprefix(MARK)
        elif line not in titles["said_earlier"]:
            yield from (_line(sentence) for sentence in _sentences(line))


_LANGUAGES: tuple[Language, Language] = ("zh", "en")


def _of_turn(turn: Exchange, language: Language) -> Iterator[str]:
    for who, text in (("by_user", turn.said), ("by_assistant", turn.told)):
        for sentence in _sentences(text):
            yield message(who, language) + _line(sentence)


def _line(text: str) -> str:
    """As one harmless line, cut where it is long; what a word turns round or limits stays whole."""
    return encode(text, max(LONGEST, len(text)) if is_limited(text) else LONGEST)


def _sentences(text: str) -> Iterable[str]:
    return (said for one in sentences(text) if (said := one.text.strip()))


def _worth(line: str, place: float, question: str) -> float:
    """What is settled, tells of the person, has names or numbers, or is near to the question tells most."""
    weights, asked = told()["worth"], terms(question)
    return float(
        weights["decision"] * decided(line)
        + weights["telling"] * telling(line)
        + weights["topic"] * (len(asked & terms(line)) / len(asked) if asked else 0.0)
        + weights["telling"] * bool(_SAYS_MUCH.search(line))
        + weights["telling"] * place
    )
