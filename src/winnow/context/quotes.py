"""The data of one turn: what a home tells and what was looked up, quoted, within a number of tokens."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from winnow.context.briefing import SECTION_HEADER
from winnow.context.parts import ContextParts, Quote
from winnow.errors import Phrase
from winnow.language.messages import message
from winnow.language.registry import language_of
from winnow.language.tokens import PER_MESSAGE, Counter
from winnow.ports.services import ModelClient
from winnow.types.candidate import Candidate, Dropped, RefKind, Shortlist, Step
from winnow.types.context import ChatMessage, Compressed, Context, Item, Tuning

STAGE_DATA = "data"
PROTECTED_IMPORTANCE = 0.8
"""Importance from which on a text is made smaller last."""
BEARING_SHARE = 0.05
"""Part of the likeliest that anything must be likely to bear on the question, to be looked into at all."""
RELEVANT_SHARE = 0.35
"""Part of its source's best score that a candidate has at least, where nobody can tell how likely it bears on
the question."""
DOUBTFUL_RELEVANCE = 0.3
"""What is less credible is marked as uncertain."""
DAY_CHARS, MINUTE_CHARS = len("2026-01-31"), len("2026-01-31T12:00")
"""What of a moment is told."""
MODEL_WORDS_REASON = "texts are in a model's words; their numbers and names were said"
MAX_TRIES = 3
"""How often texts are made smaller, where quoting them takes more than was left for it."""
UNQUOTED_FIELDS = frozenset({"text", "importance", "credibility", "document", "tokens", "tier"})
"""What a source knows of a candidate that is nothing to a reader."""


@dataclass(frozen=True, slots=True)
class TurnData:
    """The message of this turn's data, empty where there is none, and what did not get into it."""

    text: str = ""
    quotes: tuple[Quote, ...] = ()
    waiting: tuple[Quote, ...] = ()
    """What was found and held back, until somebody asks for it."""
    trimmed: tuple[Dropped, ...] = ()
    steps: tuple[Step, ...] = ()
    smaller: Compressed | None = None
    """The texts that were made smaller, each with its quote."""


def quote_data(parts: ContextParts, room: int, counter: Counter, there: Collection[str] = ()) -> TurnData:
    """The home's lines and what was found, in at most ``room`` tokens with the message around them.

    ``there``: texts that stand in the dialogue word for word; they are not repeated.
    """
    home, left = _home_lines(parts), room - PER_MESSAGE
    lines = fitting_lines(home, left, counter)
    quotes, waiting = _select_quotes(parts, there, counter)
    quoted, made = _shrink_quotes(quotes, parts, left - _line_cost(lines, counter), counter)
    body = fitting_lines((*lines, *(quote.line for quote in quoted)), left, counter)
    kept = tuple(quoted[: max(0, len(body) - len(lines))])
    inside = {quote.id for quote in kept}
    away = (*(line[:40] for line in home[len(lines) :]), *(q.id for q in quotes if q.id not in inside))
    text = "\n".join(body) if len(body) > 1 else ""  # a title alone says nothing
    trimmed = tuple(Dropped(name, STAGE_DATA, "no room") for name in away)
    return TurnData(text, kept, waiting, trimmed, _compress_steps(made, quoted, quotes, counter), made)


def _compress_steps(
    made: Compressed | None, quoted: Sequence[Quote], quotes: Sequence[Quote], counter: Counter
) -> tuple[Step, ...]:
    """What the account says of quotes that were made smaller."""
    size, whole = (_line_cost([one.line for one in some], counter) for some in (quoted, quotes))
    told: str = Phrase("{kept} of {all} tokens", kept=size, all=whole)
    return (Step("compress", made.level, told),) if made else ()


async def quotes_in_model_words(
    context: Context, query: str, counsel: ModelClient, counter: Counter
) -> Context:
    """The context, what of its data was cut hard in a model's words where these pass.

    The account says which do not. Nothing costs more than before; without a model, or where little was cut,
    it is as it was.
    """
    from winnow.context.compress.abstract import abstract_items  # few turns have more than fits

    before = context.smaller
    if before is None or (after := await abstract_items(before, query, counsel, counter.count)) is before:
        return context
    trimmed = (*context.trimmed, *after.cut[len(before.cut) :])
    messages = _with_versions(context.messages, before, after, counter)
    if messages == context.messages or context.usage is None:
        return replace(context, trimmed=trimmed)
    fewer = counter.messages(context.messages) - counter.messages(messages)
    data = context.usage["knowledge"]
    return replace(
        context,
        messages=messages,
        token_count=context.token_count - fewer,
        usage={**context.usage, "knowledge": replace(data, used=data.used - fewer)},
        trimmed=trimmed,
        steps=(*context.steps, Step("compress", "model", MODEL_WORDS_REASON)),
        smaller=after,
    )


def _with_versions(
    messages: Sequence[ChatMessage], before: Compressed, after: Compressed, counter: Counter
) -> tuple[ChatMessage, ...]:
    """The messages with the lines of other versions, where those cost no more as they are quoted."""
    lines = [
        [cast("Quote", one.item.data).with_text(one.text).line for one in pair]
        for pair in zip(before.kept, after.kept, strict=True)
    ]
    put = {old: new for old, new in lines if old != new and counter.count(new) <= counter.count(old)}
    made = []
    for said in messages:
        content = str(said.get("content"))
        some = [put.get(line, line) for line in content.split("\n")]
        made.append({**said, "content": "\n".join(some)} if some != content.split("\n") else said)
    return tuple(made)


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


def _select_quotes(
    parts: ContextParts, there: Collection[str], counter: Counter
) -> tuple[list[Quote], tuple[Quote, ...]]:
    """What is quoted, each once, and what waits until somebody asks for it, of some of it a part."""
    found = {quote.id: quote for shortlist in parts.found for quote in _source_quotes(shortlist, there)}
    if parts.detail or not found:
        return list(found.values()), ()
    from winnow.context.choice import ChoiceQuestion, choose_sentences  # most orders look nothing up

    near = _near_best(list(found.values()), parts.tuning)
    query = parts.query or parts.question
    asked = ChoiceQuestion(query, _term_weights(parts), parts.meaning, parts.context)
    given = choose_sentences(near, asked, counter.count)
    first = [near[at].with_text(text) for at, text in given.items()]
    whole = {quote.id for quote in first if quote.text == found[quote.id].text}
    return first, tuple(quote for id_, quote in found.items() if id_ not in whole)


def _near_best(quotes: Sequence[Quote], tuning: Tuning) -> list[Quote]:
    """Those that are not far behind the best: of all sources, or of their own where nobody can tell more."""
    least = RELEVANT_SHARE if tuning.relevant is None else tuning.relevant
    likeliest = max((one.candidate.bearing or 0.0 for one in quotes), default=0.0)
    best: dict[str, float] = {}
    for quote in quotes:
        best[quote.source] = max(best.get(quote.source, 0.0), quote.candidate.score)

    def is_near(one: Candidate, source: str) -> bool:
        if one.bearing is None:
            return one.score >= least * best[source]
        return one.bearing >= BEARING_SHARE * likeliest

    return [quote for quote in quotes if is_near(quote.candidate, quote.source)]


def _term_weights(parts: ContextParts) -> dict[str, float]:
    """How much each term of the question tells in all that was searched."""
    return {term: value for one in parts.found for term, value in one.weights.items()}


def _source_quotes(shortlist: Shortlist, there: Collection[str]) -> list[Quote]:
    """What a source offers, without what is there anyway."""
    quotes = (_quote(shortlist.source, candidate) for candidate in shortlist.candidates)
    return [quote for quote in quotes if quote.text and quote.text not in there]


def _quote(source: str, candidate: Candidate) -> Quote:
    told = candidate.data
    if not isinstance(told, Mapping):
        return Quote(source, candidate, str(told or ""), {"from": source})
    known = {
        key: said
        for key, said in _in_short(candidate.ref.kind, told).items()
        if key not in UNQUOTED_FIELDS and said not in ("", None, [], source)
    }
    credible = told.get("credibility")
    doubt = isinstance(credible, float) and credible < DOUBTFUL_RELEVANCE and "status" not in known
    about = {"from": source, **known, **({"status": "uncertain"} if doubt else {})}
    return Quote(source, candidate, str(told.get("text") or ""), about)


def _in_short(kind: RefKind, told: Mapping[str, object]) -> dict[str, object]:
    """What is known of a candidate, nothing twice: the title names a document, and its day is enough."""
    known = dict(told)
    if title := known.get("title"):
        known.pop("source", None)
        over = [one for one in cast("Sequence[object]", known.get("headings") or ()) if one != title]
        known["headings"] = over
    if isinstance(at := known.get("at"), str):
        known["at"] = at[: DAY_CHARS if kind == "passage" else MINUTE_CHARS]
    return known


def _shrink_quotes(
    quotes: list[Quote], parts: ContextParts, room: int, counter: Counter
) -> tuple[list[Quote], Compressed | None]:
    """The quotes, their texts made smaller for the question until all fit; a little over at worst."""
    if _line_cost([quote.line for quote in quotes], counter) <= room:
        return quotes, None
    asked = room - _line_cost([quote.with_text("").line for quote in quotes], counter)
    for _ in range(MAX_TRIES):
        made = _compress_quotes(quotes, parts, asked, counter)
        left = [cast("Quote", one.item.data).with_text(one.text) for one in made.kept if one.text]
        size = _line_cost([quote.line for quote in left], counter)
        if size <= room:
            break
        asked -= size - room  # quoting them takes more than was left for it
    return left, made


def _compress_quotes(
    quotes: Sequence[Quote], parts: ContextParts, tokens: int, counter: Counter
) -> Compressed:
    items = [Item(q.id, q.text, q.importance, data=q) for q in quotes]
    weights, query = _term_weights(parts), parts.query or parts.question
    protect = PROTECTED_IMPORTANCE if parts.tuning.protect is None else parts.tuning.protect
    room, count = max(0, tokens), counter.count
    from winnow.context.compress.compress import compress  # few turns have more than fits

    return compress(items, query, room, protect=protect, weights=weights, count=count, meaning=parts.meaning)
