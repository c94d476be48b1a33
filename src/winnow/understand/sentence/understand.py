"""Words -> Reading: normalise, tag, tell whether it is for us, cut into instructions, read each one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Literal

from winnow.language.normalise import is_han, language_of, normalise
from winnow.types.dialogue import Utterance
from winnow.types.query import QueryIR, Reading, Token
from winnow.understand.sentence.asking import asks, questions
from winnow.understand.sentence.carry import carried, conditioned
from winnow.understand.sentence.conditions import Block, blocks
from winnow.understand.sentence.confidence import explained, weighed
from winnow.understand.sentence.contrast import contrasted
from winnow.understand.sentence.corrections import corrected, latent
from winnow.understand.sentence.fragments import fragments
from winnow.understand.sentence.grammar import queries
from winnow.understand.sentence.history import bound
from winnow.understand.sentence.instructions import instructions
from winnow.understand.sentence.lists import listed
from winnow.understand.sentence.media import with_media
from winnow.understand.sentence.phrasal import rejoined
from winnow.understand.sentence.pieces import pieces
from winnow.understand.sentence.repair import repair
from winnow.understand.sentence.replies import answers_yes, asked_again, last_question, re_aimed
from winnow.understand.sentence.reported import reported
from winnow.understand.sentence.scope import placed
from winnow.understand.sentence.slots import says
from winnow.understand.sentence.tag import tag
from winnow.understand.sentence.vocabulary import Vocabulary

LIMIT = 1000
"""Characters read; a text longer than this is no order."""
_CODE = re.compile(
    r"[{}<>\\|]|\w+_\w+\(|--\s|\bunion\b.*\bselect\b|\$\(|\w\(\s*[\"']|[a-z_]+\.[a-z_ ]+\(|\w+=[\"']|\bdrop table \w+;|[\"']\s*;"
    r"|\bupdate\b.*\bset\b.*\bwhere\b|\b[0-9a-f]{8}-[0-9a-f]{4}-|\b[a-z]+_?[a-z]+\.[a-z][a-z0-9]*_?[a-z0-9_]*\b(?!\.)"
)
"""Code, queries, raw ids: no person says these to a home."""
_REPEATED = re.compile(r"(.)\1{5,}")

Intent = Literal["command", "query", "none", "hostile", "empty"]


def understand(utterance: Utterance, vocabulary: Vocabulary) -> Reading:
    """What ``utterance`` asks of this home.

    Never raises on any text; what is not understood is said so in the reading.
    """
    text = normalise(utterance.text, LIMIT + 1)
    language = utterance.language or language_of(text)
    if len(text) > LIMIT or len(utterance.text) > 4 * LIMIT:
        return Reading(text[:LIMIT], language, "none", "too_long")
    if not any(ch.isalnum() for ch in text):
        return Reading(text, language, "empty", "nothing_said")
    tokens = _tokens(text, vocabulary, reading=False)
    asked = questions(text, tokens, vocabulary, language)
    if asked:
        tokens = _tokens(text, vocabulary, reading=True)
    outside = not_for_us(text, tokens)
    if outside:
        return Reading(text, language, "hostile" if outside == "hostile" else "none", outside)
    if utterance.history and (again := _continued(utterance, tokens, vocabulary, text, language)):
        return again
    read = bound(
        asked or _read(tokens, text, language, vocabulary), utterance.history, partial(_heard, vocabulary)
    )
    return _settled(text, language, read, asked=bool(asked))


def _read(
    tokens: list[Token], text: str, language: Literal["zh", "en"], vocabulary: Vocabulary
) -> tuple[QueryIR, ...]:
    def stretch(start: int, end: int) -> list[Token]:
        return repair(tag(text[start:end], vocabulary, reading=True), text[start:end], vocabulary)

    found: list[QueryIR] = []
    for block in [Block(None, tuple(tokens))] if asks(tokens, language) else blocks(tokens, stretch):
        cut = pieces(block.tokens, language)
        made = placed(instructions(listed(cut)), block.tokens) if language == "en" else instructions(cut)
        made = contrasted(made)
        read = [q for one in made for q in queries(one, text)]
        found.extend(conditioned(q, block.condition) if block.condition else q for q in read)
    return carried(found)


def _heard(vocabulary: Vocabulary, text: str) -> list[Token]:
    """An earlier turn as tokens, with everything that can be read."""
    return tag(normalise(text, LIMIT), vocabulary, reading=True)


def _continued(
    utterance: Utterance,
    tokens: list[Token],
    vocabulary: Vocabulary,
    text: str,
    language: Literal["zh", "en"],
) -> Reading | None:
    """A turn that only makes sense after the one before: a yes, a no, an answer, the same for another."""

    def read_again(said: str) -> tuple[QueryIR, ...]:
        before = normalise(said, LIMIT)
        heard = _tokens(before, vocabulary, reading=False)
        return (
            ()
            if questions(before, heard, vocabulary, language)
            else _read(heard, before, language, vocabulary)
        )

    def questions_in(said: str) -> tuple[QueryIR, ...]:
        before = normalise(said, LIMIT)
        return questions(before, _tokens(before, vocabulary, reading=False), vocabulary, language_of(before))

    if again := asked_again(text, tokens, utterance.history, questions_in):
        return _settled(text, language, again, asked=True)
    asked = last_question(utterance.history)
    agreed = answers_yes(tokens, asked[1], _heard(vocabulary, asked[0])) if asked else None
    if agreed is False:
        return Reading(text, language, "none", "declined")
    if agreed and asked and (resumed := read_again(asked[0])):
        return replace(_settled(text, language, resumed, asked=False), confirmed=True)
    aimed = re_aimed(tokens, utterance.history, partial(_heard, vocabulary), read_again)
    if aimed == ():
        return Reading(text, language, "none", "declined")
    return _settled(text, language, aimed, asked=False) if aimed else None


def _tokens(text: str, vocabulary: Vocabulary, *, reading: bool) -> list[Token]:
    tagged = fragments(tag(text, vocabulary, reading=reading), text)
    return corrected(latent(rejoined(repair(with_media(tagged, text), text, vocabulary))))


def _settled(text: str, language: Literal["zh", "en"], read: tuple[QueryIR, ...], asked: bool) -> Reading:
    if asked:
        return Reading(text, language, "query", "", tuple(map(explained, read)))
    if all(_only_numbers(q) or not _says_anything(q) for q in read):
        return Reading(text, language, "none", "not_understood", read)
    return Reading(text, language, "command", "", tuple(map(weighed, read)))


def _says_anything(query: QueryIR) -> bool:
    return bool(query.action or query.value or query.target.tokens or query.negated or query.references)


def _only_numbers(query: QueryIR) -> bool:
    """A number that answers nothing."""
    silent = {"number", "mark", "filler", "conj"}
    return not query.antecedents and not query.target.tokens and all(t.kind in silent for t in query.tokens)


def not_for_us(text: str, tokens: Sequence[Token]) -> str:
    """Why this is no request to a home, or an empty string."""
    if any(t.kind == "hostile" for t in tokens) or _CODE.search(text):
        return "hostile"
    if _REPEATED.search(text) or _nonsense(tokens):
        return "nonsense"
    if reported(tokens):
        return "reported"
    domains = [t for t in tokens if t.kind == "domain"]
    if not domains:
        return ""
    named = any(t.kind in {"name", "scene"} and t.end - t.start > 2 for t in tokens)
    verbs = any(t.kind in {"verb", "step", "particle"} for t in tokens)
    if says(domains[0]) == "chat" and (named or verbs):
        return ""
    return says(domains[0])


def _nonsense(tokens: Sequence[Token]) -> bool:
    """Mostly unknown Latin words next to Chinese, or a heap of kinds without an act."""
    unknown = [t for t in tokens if t.kind == "word" and not is_han(t.text[0])]
    kinds = [t for t in tokens if t.kind == "type"]
    acts = any(t.kind in {"verb", "step", "question", "particle"} for t in tokens)
    return not acts and len(kinds) >= 3 and bool(unknown)
