"""The data of one turn: what a home tells and what was looked up, quoted, within a number of tokens."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from winnow.assemble.brief import HEADER
from winnow.assemble.parts import Parts
from winnow.assemble.window.exchanges import cut_to
from winnow.errors import Phrase
from winnow.language.normalise import language_of
from winnow.say.messages import message
from winnow.text.encode import compact_json
from winnow.text.tokens import PER_MESSAGE, Counter
from winnow.types.briefing import Briefing
from winnow.types.shortlist import Candidate, Dropped, Shortlist, Step

DATA = "data"
FIRST = 5
"""Candidates of a source that are given before anybody asks for more."""
RELEVANT = 0.35
"""Part of its source's best score that a candidate has then, at least."""
DOUBTFUL = 0.3
"""What is less credible is marked as uncertain."""
LONGEST = 6000
"""Characters of a text that are quoted."""
UNTOLD = frozenset({"text", "importance", "credibility", "document", "tokens"})
"""What a source knows of a candidate that is nothing to a reader."""


@dataclass(frozen=True, slots=True)
class Quote:
    """One candidate as it is quoted."""

    source: str
    candidate: Candidate
    text: str
    about: Mapping[str, object] = field(default_factory=dict)
    """Where it comes from, when, and whether it holds."""

    @property
    def id(self) -> str:
        """Of what is quoted."""
        return self.candidate.ref.id

    @property
    def line(self) -> str:
        """As it stands in the message."""
        return compact_json({**self.about, "text": self.text}, LONGEST)


@dataclass(frozen=True, slots=True)
class Data:
    """The message of this turn's data, empty where there is none, and what did not get into it."""

    text: str = ""
    quotes: tuple[Quote, ...] = ()
    more: tuple[str, ...] = ()
    trimmed: tuple[Dropped, ...] = ()
    steps: tuple[Step, ...] = ()


def data(parts: Parts, room: int, counter: Counter, there: Collection[str] = ()) -> Data:
    """The home's lines and what was found, in at most ``room`` tokens with the message around them.

    ``there``: texts that stand in the dialogue word for word; they are not repeated.
    """
    title = message("context_data", parts.language or language_of(parts.question))
    home = _home(parts.home)
    quotes, held_back = _wanted(parts, there)
    left = room - PER_MESSAGE - counter.count(title) - 1
    lines, left = _fitting(home, left, counter)
    kept, cut, steps = _squeezed(quotes, parts.query or parts.question, left, counter)
    body = [*lines, *(quote.line for quote in kept)]
    while body and counter.count(text := "\n".join([title, *body])) > room - PER_MESSAGE:
        body.pop()  # lines are counted one by one before, and a little more together
    kept = kept[: max(0, len(body) - len(lines))]
    away = (*cut, *(Dropped(line[:40], DATA, "no room") for line in home[len(lines) :]))
    return Data(text if body else "", tuple(kept), held_back, away, steps)


def _home(home: Briefing) -> list[str]:
    """What the briefing of a home says, without its title."""
    if not home.sections:
        return [home.text] if home.text else []
    return [section.text for section in home.sections if section.name != HEADER]


def _fitting(lines: Sequence[str], room: int, counter: Counter) -> tuple[list[str], int]:
    """As many of the first lines as fit, and the tokens that are left."""
    kept: list[str] = []
    for line in lines:
        cost = counter.count(line) + 1
        if cost > room:
            break
        kept.append(line)
        room -= cost
    return kept, room


def _wanted(parts: Parts, there: Collection[str]) -> tuple[list[Quote], tuple[str, ...]]:
    """What is quoted, each once, and the ids of what waits until somebody asks for it."""
    quotes: dict[str, Quote] = {}
    waiting: list[str] = []
    for shortlist in parts.found:
        for n, candidate in enumerate(shortlist.candidates):
            quote = _quote(shortlist.source, candidate)
            if not quote.text or quote.text in there or quote.id in quotes:
                continue
            if parts.detail or _is_first(n, candidate, shortlist):
                quotes[quote.id] = quote
            else:
                waiting.append(quote.id)
    return list(quotes.values()), tuple(waiting)


def _is_first(n: int, candidate: Candidate, shortlist: Shortlist) -> bool:
    """Whether it is among what is given without being asked for."""
    return n < FIRST and candidate.score >= RELEVANT * shortlist.candidates[0].score


def _quote(source: str, candidate: Candidate) -> Quote:
    told = candidate.data
    if not isinstance(told, Mapping):
        return Quote(source, candidate, str(told or ""), {"from": source})
    known = {key: said for key, said in told.items() if key not in UNTOLD and said not in ("", None, [])}
    credible = told.get("credibility")
    doubt = isinstance(credible, float) and credible < DOUBTFUL and "status" not in known
    about = {"from": source, **known, **({"status": "uncertain"} if doubt else {})}
    return Quote(source, candidate, str(told.get("text") or ""), about)


def _squeezed(
    quotes: Sequence[Quote], query: str, room: int, counter: Counter
) -> tuple[list[Quote], tuple[Dropped, ...], tuple[Step, ...]]:
    """The quotes with their texts made smaller until all fit; the last ones go where that is not enough."""
    whole = sum(counter.count(quote.line) + 1 for quote in quotes)
    if whole <= room:
        return list(quotes), (), ()
    kept = list(_shorter(quotes, query, room, counter))
    while kept and sum(counter.count(quote.line) + 1 for quote in kept) > room:
        kept.pop()
    reached = sum(counter.count(quote.line) + 1 for quote in kept)
    step = Step("compress", "cut", Phrase("{kept} of {all} tokens", kept=reached, all=whole))
    ids = {quote.id for quote in kept}
    gone = tuple(Dropped(quote.id, DATA, "no room") for quote in quotes if quote.id not in ids)
    return kept, gone, (step,)


def _shorter(quotes: Sequence[Quote], query: str, room: int, counter: Counter) -> Iterator[Quote]:
    """A stand-in until texts are compressed by what the question asks: each gets the same room."""
    del query
    each = room // max(1, len(quotes))
    for quote in quotes:
        bare = counter.count(replace(quote, text="").line) + 2
        if text := cut_to(quote.text, max(0, each - bare), counter):
            yield replace(quote, text=text)
