"""Rewrite a query to stand alone: which way, in which style, and the check for words nobody said."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from math import log1p
from typing import Any, cast

from winnow.language.content_words import telling_terms
from winnow.language.normalize import is_han, normalise
from winnow.language.registry import language_of, rows_for
from winnow.language.segment import segment_words
from winnow.language.tables import table
from winnow.types.query import CopiedSpan, QueryStyle, Rewrite
from winnow.types.utterance import LanguageCode, Turn
from winnow.understand.intent.alone import clauses, cue
from winnow.understand.rewrite.en.context import EnglishScene, asked_barely, asked_of_another, scene, topic
from winnow.understand.rewrite.en.mentions import MAX_READ_CHARS, mentions
from winnow.understand.rewrite.en.rank import choose, slot_text
from winnow.understand.rewrite.en.slots import EnglishSlot, EnglishToken, find_slots, lists, tokens
from winnow.understand.rewrite.lists import marked_items, thing_at

# The terms a dialogue turns on: a follow-up means them and does not say them; for search alone


def turns_on(query: str, history: Sequence[Turn]) -> Mapping[str, float]:
    """The weightiest terms of ``history`` that the query lacks, and what each counts for.

    0..1, where a word of the query counts for 1. Often and lately said weighs most. The more of the query was
    said in the talk, the more these count; a question of other words opens another topic.
    """
    recent, asked = history[-MAX_TURNS:], set(_terms(query))
    heavy = _term_weights(recent)
    best = sorted((term for term in heavy if term not in asked), key=lambda term: -heavy[term])
    if not best:
        return {}
    # How much a query of these terms is about what was talked of, 0..1.
    share = sum(term in heavy for term in asked) / len(asked) if asked else 1.0
    about, most = min(1.0, share + weights()["anyway"]), max(heavy.values())
    return {term: round(about * heavy[term] / most, 3) for term in best[: int(weights()["terms"])]}


def weights() -> Mapping[str, float]:
    """``terms``, ``user`` and ``assistant`` (what a turn counts for against the next of the same speaker).

    ``reply``: what the last turn of the assistant counts for against the person's; ``anyway``: what terms
    count for where the query shares no word with the talk.
    """
    return cast("Mapping[str, float]", table(__package__, "talk.yaml"))


def _term_weights(history: Sequence[Turn]) -> Mapping[str, float]:
    """Every term of the history with its weight; a single Chinese character tells nothing."""
    heavy: dict[str, float] = defaultdict(float)
    # Turns, latest first, and what a word of each counts for
    worth = {"user": 1.0, "assistant": weights()["reply"]}
    for turn in reversed(history):
        counts = worth[turn.role]
        for term, times in Counter(_terms(turn.content)).items():
            heavy[term] += counts * log1p(times)
        worth[turn.role] *= weights()[turn.role]
    return heavy


@lru_cache(maxsize=256)
def _terms(text: str) -> tuple[str, ...]:
    """The terms that tell by themselves; of Chinese none that reaches from one word into the next."""
    words = (one.text for one in segment_words(normalise(text)))
    within = {word[at : at + 2] for word in words for at in range(len(word) - 1)}
    return tuple(term for term in telling_terms(text) if term.isascii() or term in within)


# English follow-ups: each slot is replaced by the phrase it means, where one is likely.

_LONG_END = re.compile(r"[A-Za-z0-9]{4}$")
MAX_SLOTS = 6
"""Words of one query that are replaced at most."""
MAX_LIST_CHARS = 2000
"""Characters of a turn that are searched for a list."""
ASKED = 2000
"""Characters of a query that are read; a longer one is no question to make stand alone."""


@dataclass(frozen=True, slots=True)
class Patch:
    """What one slot becomes."""

    slot: EnglishSlot
    text: str
    turn: int
    confidence: float


def is_talk(said: str) -> bool:
    """Whether it only keeps the talk going: thanks, assent, a greeting."""
    return all(one.acts and not one.rest and TALK.issuperset(one.acts) for one in clauses(said))


def english(query: str, history: Sequence[Turn], skipped: int = 0) -> Rewrite:
    """The query with what it left to the history.

    ``skipped`` turns before ``history`` were not read and count in ``Span.turn``.
    """
    if len(query) > ASKED:
        return Rewrite(query, reason="complete")
    read = tokens(query)
    found = list(find_slots(read))[:MAX_SLOTS]
    if asked := asked_of_another(query, history, skipped) or asked_barely(query, history, skipped):
        return asked
    if not found:
        return Rewrite(query, reason="complete")
    now = setting(read, history)
    patches, done = [], topic(history, only_how=True)
    for i, slot in enumerate(found):
        meant = _listed_thing(slot.place, history) if slot.form == "nth" else None
        if read[slot.start].low in lists()["done_to"] and done is not None:
            meant = slot_text(slot, done, now), done.turn, 0.8
        if meant := meant or choose(slot, now, found[:i]):
            patches.append(Patch(slot, *meant))
    return _apply_patches(query, read, patches, skipped) if patches else Rewrite(query, reason="vague")


def _listed_thing(place: int, history: Sequence[Turn]) -> tuple[str, int, float] | None:
    """The thing at a place of the last list with marks, the turn that told it, and how sure that is."""
    for turn in reversed(range(len(history))):
        if items := marked_items(history[turn].content[:MAX_LIST_CHARS]):
            thing = thing_at(items, place)
            return (thing, turn, 0.9) if thing else None
    return None


def setting(read: tuple[EnglishToken, ...], history: Sequence[Turn]) -> EnglishScene:
    """What the slots of a query are weighed against."""
    # Class of pronoun -> first and last turn of the user that uses it
    used: dict[str, tuple[int, int]] = {}
    for number, turn in enumerate(history):
        if turn.role == "user":
            for slot in find_slots(tokens(turn.content[:MAX_READ_CHARS])):
                first, _ = used.get(slot.form, (number, number))
                used[slot.form] = (first, number)
    return scene(read, mentions(history), history, used)


def _apply_patches(
    query: str, read: Sequence[EnglishToken], patches: Sequence[Patch], skipped: int
) -> Rewrite:
    text, spans = query, []
    for patch in reversed(patches):
        at, end = read[patch.slot.start].start, read[patch.slot.end - 1].end
        spans.append(CopiedSpan(patch.text, patch.turn + skipped, at, query[at:end]))
        text = text[:at] + phrase_in_style(query, read, patch.slot, patch.text) + text[end:]
    kinds = dict.fromkeys(patch.slot.group for patch in patches)
    return Rewrite(text, True, tuple(reversed(spans)), "+".join(kinds), min(p.confidence for p in patches))


def phrase_in_style(query: str, read: Sequence[EnglishToken], slot: EnglishSlot, text: str) -> str:
    """The phrase in the query's own way of writing: a capital at its start, ``'s`` where it owns."""
    if read[slot.start].opens and read[slot.start].text[0].isupper():
        text = text[0].upper() + text[1:] if len(text[0].upper()) == 1 else text
    if not slot.owns:
        return text
    if has_spaced_marks(query):
        return text + " 's"
    # behind a short last word the typographic mark, which no reader of words takes for a letter
    return text + ("'s" if _LONG_END.search(text) else "’s")


def has_spaced_marks(query: str) -> bool:
    """Whether marks stand apart from words, as in ``Who is it ?``."""
    return any(mark in query for mark in (" ?", " .", " ,", " 's"))


# Law 8: a rewrite adds no content word that nobody said.

_RUN = re.compile(r"[\u3400-\u9fff]+|[^\W_\u3400-\u9fff]+(?:'[a-z]+)?")
STEM = 4
"""Letters that two forms of one English word share."""


@cache
def function_words(language: LanguageCode) -> frozenset[str]:
    """The characters (``zh``) or words (``en``) that carry grammar and no content."""
    rows = table("winnow.understand.rewrite", "unsaid.yaml")
    return frozenset(rows["zh"] if language == "zh" else rows["en"].split())


def unsaid(text: str, query: str, history: Sequence[Turn]) -> tuple[str, ...]:
    """The words of ``text`` that are in neither ``query`` nor ``history``, in order.

    Grammar and other forms of a word do not count.
    """
    source = normalise(" ".join([*(turn.content for turn in history), query]), 40_000)
    words = {word for word in _RUN.findall(source) if not is_han(word[0])}
    known, stems = words | function_words("en"), {word[:STEM] for word in words}
    out: list[str] = []
    for run in _RUN.findall(normalise(text, 4_000)):
        if is_han(run[0]):
            out += _strange(run, source)
        elif run not in known and not _is_inflection(run, stems):
            out.append(run)
    return tuple(out)


def _is_inflection(word: str, stems: Set[str]) -> bool:
    """Whether it may be another form of a word with one of these stems; numbers have no forms."""
    return len(word) >= STEM and not word[0].isdigit() and word[:STEM] in stems


def _strange(run: str, source: str) -> list[str]:
    """The characters of a Chinese run that carry more than grammar and stand beside no neighbour they had."""
    if run in source:
        return []
    known = {at for at in range(len(run) - 1) if run[at : at + 2] in source}
    return [ch for at, ch in enumerate(run) if not known & {at, at - 1} and ch not in function_words("zh")]


# Written style: documents are written, so a query in written language finds more (seed 002).

MAX_QUERY_CHARS = 300
"""Characters of a query that are read; who writes more writes."""
WORD = 8
"""Characters of the longest word of a search by words."""


def written_form(query: str) -> str:
    """The query without dialect, slurring and particles, and words put side by side made one phrase.

    No word enters it but those of ``written.yaml``.
    """
    if len(query) > MAX_QUERY_CHARS:
        return query
    language = language_of(query)
    for spoken, instead in _pairs(language):
        query = spoken.sub(instead, query)
    return _phrase(query) if language == "zh" else query


@cache
def _pairs(language: LanguageCode) -> Sequence[tuple[re.Pattern[str], str]]:
    found: list[tuple[re.Pattern[str], str]] = []
    for spoken, instead in rows_for(_rows(), language):
        if language == "zh":
            found.append((re.compile(spoken), instead))
            continue
        found.append((re.compile(rf"(?<![\w'])(?:{spoken})(?![\w'])", re.IGNORECASE), instead))
    return found


def _phrase(query: str) -> str:
    """``红烧肉 做法`` as one phrase, where all of it is words between blanks and the last is a thing."""
    *rest, last = query.split() or [""]
    if not rest or not all(len(piece) <= WORD and all(map(is_han, piece)) for piece in ((*rest, last))):
        return query
    if not (last[-1] in _rows()["endings"] or segment_words(last)[-1].tag in _rows()["things"]):
        return query
    return f"{''.join(rest)}{_rows()['of']}{last}"


def _rows() -> dict[str, Any]:
    return cast("dict[str, Any]", table(__package__, "written.yaml"))


MAX_TURNS = 10
"""Earlier messages that are read (seed 002)."""
POLITE = frozenset({"thanks", "greeting", "apology", "praise"})
"""What is said to the assistant and not about anything."""
TALK = POLITE | {"ack", "laugh"}


def rewrite(query: str, history: Sequence[Turn] = (), style: QueryStyle = "plain") -> Rewrite:
    """``query`` as it would be asked by somebody who was not there, in that style.

    Unchanged without history, when complete, or when nothing fits.
    """
    found = _standalone(query, history, style)
    return polish_rewrite(found) if style == "written" else found


def polish_rewrite(found: Rewrite) -> Rewrite:
    """The same in written language."""
    text = written_form(found.query)
    if text == found.query:
        return found
    reason = f"{found.reason}+written" if found.changed else "written"
    return replace(found, query=text, changed=True, reason=reason)


def _standalone(query: str, history: Sequence[Turn], style: QueryStyle) -> Rewrite:
    if not query.strip() or not any(turn.content.strip() for turn in history):
        return Rewrite(query, reason="no_history")
    recent, skipped = history[-MAX_TURNS:], max(0, len(history) - MAX_TURNS)
    said = without_talk(query)
    if language_of(query) == "zh":
        found = _in_chinese(query, recent, skipped)
        # What would be rewritten once more copied what does not belong there.
        unsettled = found.changed and _in_chinese(found.query, recent, skipped).query != found.query
        return Rewrite(query, reason="unsettled") if unsettled else found
    plain = Rewrite(query, reason="complete") if is_talk(said) else english(said, recent, skipped)
    plain = _of(query, said, plain)
    if style != "retrieval":
        return plain
    from winnow.understand.rewrite.en.context import fuller

    return fuller(plain, query, recent, skipped)


def _in_chinese(query: str, recent: Sequence[Turn], skipped: int) -> Rewrite:
    from winnow.understand.rewrite.chinese import chinese  # its tables and their library take a while

    said = without_talk(query)
    return _of(query, said, chinese(said, recent, skipped))


def without_talk(query: str) -> str:
    """What is asked, without the thanks and the yes before it: ``thanks, and how long?`` asks how long."""
    said = clauses(query)
    first = next((n for n, clause in enumerate(said) if clause.rest), 0)
    talk = all(TALK.issuperset(clause.acts) for clause in said[: first + 1])
    if not talk or not any(clause.acts for clause in said[: first + 1]):
        return query
    # Where a question begins, with the ``and`` before it
    asked = said[first]
    at = max(0, query.lower().find(asked.rest))
    if lead := cue("lead").search(query[:at].lower()):
        return query[lead.start() :]
    if asked.acts and "thanks" not in asked.acts:
        return query[max(0, query.lower().find(asked.text)) :]
    return query[at:]


def _of(query: str, said: str, found: Rewrite) -> Rewrite:
    """What was made of the end of a query, told of all of it: thanks go, a yes or a no stays before it."""
    head = query[: len(query) - len(said)]
    if not head:
        return found
    if not found.changed:
        return replace(found, query=query)
    acts = {act for clause in clauses(head) for act in clause.acts}
    whole = found.query if acts <= POLITE else head + found.query
    if whole == query:  # what was put in is the very thanks that were taken off
        return Rewrite(query, reason="complete")
    spans = tuple(replace(span, at=span.at + len(head)) for span in found.spans)
    return replace(found, query=whole, spans=spans)
