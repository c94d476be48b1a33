"""The data of one turn: what a home tells and what was looked up, quoted, within a number of tokens."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import cast

from winnow.context.briefing import SECTION_HEADER
from winnow.context.parts import ContextParts
from winnow.errors import Phrase
from winnow.language.encode import compact_json
from winnow.language.messages import message
from winnow.language.registry import language_of
from winnow.language.scope_words import beginning
from winnow.language.tokens import PER_MESSAGE, Counter
from winnow.types.candidate import Candidate, Dropped, Shortlist, Step
from winnow.types.context import Compressed, Item, Tuning

STAGE_DATA = "data"
MIN_QUOTES, MAX_FIRST_TOKENS = 3, 1500
"""What of a source is given before anybody asks for more: so many candidates, and more of them up to so many
characters."""
ENOUGH_MASS, BEARING_SHARE = 0.85, 0.17
"""What is given is enough once it is that likely that any of it bears on the question; what is less likely to
than that part of the best of all sources is not given."""
PROTECTED_IMPORTANCE = 0.8
"""Importance from which on a text is made smaller last."""
RELEVANT_SHARE = 0.35
"""Part of its source's best score that a candidate has then, at least."""
DOUBTFUL_RELEVANCE = 0.3
"""What is less credible is marked as uncertain."""
SHORT_CHARS = 200
"""Characters of a text that is given beside others whatever they tell."""
MAX_QUOTED_CHARS = 6000
"""Characters of a text that are quoted."""
DEFAULT_IMPORTANCE = 0.5
"""How important a text is of which nobody says so."""
MAX_TRIES = 3
"""How often texts are made smaller, where quoting them takes more than was left for it."""
UNQUOTED_FIELDS = frozenset({"text", "importance", "credibility", "document", "tokens", "tier"})
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
    def importance(self) -> float:
        """0..1, as its source tells."""
        told = self.candidate.data.get("importance") if isinstance(self.candidate.data, Mapping) else None
        return told if isinstance(told, float) else DEFAULT_IMPORTANCE

    @property
    def is_long(self) -> bool:
        """Whether it takes many tokens: a passage does, a message or a fact seldom."""
        return len(self.text) > SHORT_CHARS

    @property
    def line(self) -> str:
        """As it stands in the message."""
        return compact_json({**self.about, "text": beginning(self.text, MAX_QUOTED_CHARS)}, MAX_QUOTED_CHARS)


@dataclass(frozen=True, slots=True)
class TurnData:
    """The message of this turn's data, empty where there is none, and what did not get into it."""

    text: str = ""
    quotes: tuple[Quote, ...] = ()
    waiting: tuple[Quote, ...] = ()
    """What was found and held back, until somebody asks for it."""
    trimmed: tuple[Dropped, ...] = ()
    steps: tuple[Step, ...] = ()


def quote_data(parts: ContextParts, room: int, counter: Counter, there: Collection[str] = ()) -> TurnData:
    """The home's lines and what was found, in at most ``room`` tokens with the message around them.

    ``there``: texts that stand in the dialogue word for word; they are not repeated.
    """
    home, left = _home_lines(parts), room - PER_MESSAGE
    lines = fitting_lines(home, left, counter)
    quotes, waiting = _select_quotes(parts, there)
    smaller, steps = _shrink_quotes(quotes, parts, left - _line_cost(lines, counter), counter)
    body = fitting_lines((*lines, *(quote.line for quote in smaller)), left, counter)
    kept = tuple(smaller[: max(0, len(body) - len(lines))])
    inside = {quote.id for quote in kept}
    away = (*(line[:40] for line in home[len(lines) :]), *(q.id for q in quotes if q.id not in inside))
    text = "\n".join(body) if len(body) > 1 else ""  # a title alone says nothing
    return TurnData(text, kept, waiting, tuple(Dropped(name, STAGE_DATA, "no room") for name in away), steps)


def _home_lines(parts: ContextParts) -> list[str]:
    """The title of the message, and what the briefing of a home says without its own."""
    # Only where something was looked up is it said what its marks mean: the home's lines hold none.
    code = "context_data" if any(one.candidates for one in parts.found) else "data_not_instructions"
    title = message(code, parts.language or language_of(parts.question))
    if not parts.home.sections:
        return [title, parts.home.text] if parts.home.text else [title]
    return [title, *(section.text for section in parts.home.sections if section.name != SECTION_HEADER)]


def _line_cost(lines: Sequence[str], counter: Counter) -> int:
    """Tokens of the lines, each with the break behind it."""
    return sum(counter.count(line) + 1 for line in lines)


def fitting_lines(lines: Sequence[str], room: int, counter: Counter) -> list[str]:
    """As many of the first lines as fit, counted together."""
    if counter.count("\n".join(lines)) <= room:
        return list(lines)
    kept: list[str] = []
    for line in lines:
        if counter.count("\n".join([*kept, line])) > room:
            break
        kept.append(line)
    return kept


def _select_quotes(parts: ContextParts, there: Collection[str]) -> tuple[list[Quote], tuple[Quote, ...]]:
    """What is quoted, each once, and what waits until somebody asks for it."""
    first: dict[str, Quote] = {}
    waiting: dict[str, Quote] = {}
    sources = [_source_quotes(shortlist, there) for shortlist in parts.found]
    beyond = frozenset[str]() if parts.detail else _beyond_enough([one for some in sources for one in some])
    for quotes in sources:
        now = len(quotes) if parts.detail else _first_count(quotes, parts.tuning)
        for n, quote in enumerate(quotes):
            (first if n < now and quote.id not in beyond else waiting).setdefault(quote.id, quote)
    return list(first.values()), tuple(quote for id_, quote in waiting.items() if id_ not in first)


def _beyond_enough(quotes: Sequence[Quote]) -> frozenset[str]:
    """Ids of what is not needed beside the likeliest of all sources; of what nobody can tell, none."""
    told = [(one.candidate.bearing, one) for one in quotes]
    known = sorted(((p, one) for p, one in told if p is not None), key=lambda row: -row[0])
    best, missed, beyond = max((p for p, _ in known), default=0.0), 1.0, set[str]()
    for p, quote in known:
        # Whether it is still likely that nothing of what was chosen bears on the question
        if p < BEARING_SHARE * best or (quote.is_long and 1 - missed >= ENOUGH_MASS):
            beyond.add(quote.id)
        missed *= 1 - p
    return frozenset(beyond)


def _source_quotes(shortlist: Shortlist, there: Collection[str]) -> list[Quote]:
    """What a source offers, without what is there anyway."""
    quotes = (_quote(shortlist.source, candidate) for candidate in shortlist.candidates)
    return [quote for quote in quotes if quote.text and quote.text not in there]


def _first_count(quotes: Sequence[Quote], tuning: Tuning) -> int:
    """How many are given without being asked for: the best, as long as they are short and relevant."""
    least, length = RELEVANT_SHARE if tuning.relevant is None else tuning.relevant, 0
    for n, quote in enumerate(quotes):
        length += len(quote.text)
        much = n >= MIN_QUOTES and length > MAX_FIRST_TOKENS
        told = quote.candidate.bearing is None
        if much or (told and quote.candidate.score < least * quotes[0].candidate.score):
            return n
    return len(quotes)


def _quote(source: str, candidate: Candidate) -> Quote:
    told = candidate.data
    if not isinstance(told, Mapping):
        return Quote(source, candidate, str(told or ""), {"from": source})
    known = {
        key: said
        for key, said in told.items()
        if key not in UNQUOTED_FIELDS and said not in ("", None, [], source)
    }
    credible = told.get("credibility")
    doubt = isinstance(credible, float) and credible < DOUBTFUL_RELEVANCE and "status" not in known
    about = {"from": source, **known, **({"status": "uncertain"} if doubt else {})}
    return Quote(source, candidate, str(told.get("text") or ""), about)


def _shrink_quotes(
    quotes: list[Quote], parts: ContextParts, room: int, counter: Counter
) -> tuple[list[Quote], tuple[Step, ...]]:
    """The quotes, their texts made smaller for the question until all fit; a little over at worst."""
    whole = size = _line_cost([quote.line for quote in quotes], counter)
    if whole <= room:
        return quotes, ()
    asked = room - _line_cost([replace(quote, text="").line for quote in quotes], counter)
    for _ in range(MAX_TRIES):
        made = _compress_quotes(quotes, parts, asked, counter)
        left = [replace(cast("Quote", one.item.data), text=one.text) for one in made.kept if one.text]
        size = _line_cost([quote.line for quote in left], counter)
        if size <= room:
            break
        asked -= size - room  # quoting them takes more than was left for it
    told: str = Phrase("{kept} of {all} tokens", kept=size, all=whole)
    return left, (Step("compress", made.level, told),)


def _compress_quotes(
    quotes: Sequence[Quote], parts: ContextParts, tokens: int, counter: Counter
) -> Compressed:
    items = [Item(q.id, q.text, q.importance, data=q) for q in quotes]
    weights = {term: value for one in parts.found for term, value in one.weights.items()}
    query = parts.query or parts.question
    protect = PROTECTED_IMPORTANCE if parts.tuning.protect is None else parts.tuning.protect
    room, count = max(0, tokens), counter.count
    from winnow.context.compress.compress import compress  # few turns have more than fits

    return compress(items, query, room, protect=protect, weights=weights, count=count, meaning=parts.meaning)
