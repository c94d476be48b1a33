"""Tokens joined to phrases: parts of names, titles, states; and what is only quoted or reported."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from winnow.language.content_words import little
from winnow.language.lexicon import states
from winnow.language.patterns import compiled_patterns
from winnow.types.query import DEVICE_KINDS, PLACE_KINDS, Token, has_kind, has_sense, of_kind, without_kind
from winnow.understand.words.tokens import any_use, canonical_sense, has_use

# Words that ask in form only: what is complained of, and whether one agrees.


_WHETHER_DATA = {"is": "whether"}
_ORDER_KINDS = frozenset({"verb", "step", "color", "white", "mode", "number"})


def drop_asides(tokens: list[Token]) -> list[Token]:
    """The tokens with what asks for no fact as such."""
    if not has_kind(tokens, *_ASIDE_SORTERS.keys()):
        return tokens
    return [
        _ASIDE_SORTERS[t.kind](tokens, at) if t.kind in _ASIDE_SORTERS else t for at, t in enumerate(tokens)
    ]


def _agreement_token(tokens: Sequence[Token], at: int) -> Token:
    """``把灯打开好不好`` asks whether one agrees, ``空气好不好`` how it is."""
    ordered = has_kind(tokens[:at], *_ORDER_KINDS)
    token = tokens[at]
    return (
        replace(token, kind="filler", data={})
        if ordered
        else replace(token, kind="question", data=_WHETHER_DATA)
    )


def _complaint_token(tokens: Sequence[Token], at: int) -> Token:
    """``why is the fan still on`` wants no reason: it wants the fan off."""
    token = tokens[at]
    # ``still on``, ``still open``: the state something is left in
    complains = has_use(token, "why") and any(
        " ".join(t.text for t in without_kind(tokens[n:][:2], "mark")) in little("left_so")
        for n in range(at, len(tokens))
    )
    return replace(token, kind="negation", data={"is": "why_still"}) if complains else token


_ASIDE_SORTERS: dict[str, Callable[[Sequence[Token], int], Token]] = {
    "agreed": _agreement_token,
    "question": _complaint_token,
}


_NAME_PATTERNS = ("name_holds", "name_is", "name_begins", "bears_quoted", "bears_letters", "called")
_SIDE_PATTERNS = ("whole", "first", "last")
"""Groups of a pattern that say which part of the name is told."""


def merge_name_fragments(tokens: list[Token], text: str) -> list[Token]:
    """The tokens with each phrase that tells a part of a name as one.

    A phrase that denies it has kind ``lacking``.
    """
    for found in _name_matches(text):
        if not any(t.data.get("part") for t in _touched_tokens(tokens, found)):
            tokens = _put_phrase(tokens, found, text)
    for found in _pattern_matches("even", text):
        if any(t.start <= found.start() for t in of_kind(_touched_tokens(tokens, found), "word")):
            include = Token(found["part"], "conj", *found.span(), {"is": "include"})
            tokens = _replace_tokens(tokens, found, [include], text)
    for found in _pattern_matches("side", text):
        if has_kind(_touched_tokens(tokens, found), "word"):
            tokens = _put_phrase(tokens, found, text, whole=False)
    return tokens


def _pattern_matches(name: str, text: str) -> Iterator[re.Match[str]]:
    return compiled_patterns(__package__, "patterns.yaml")[name].finditer(text)


def _name_matches(text: str) -> Iterator[re.Match[str]]:
    for name in _NAME_PATTERNS if any(_pattern_matches("may_tell_a_name", text)) else ():
        yield from _pattern_matches(name, text)


def _touched_tokens(tokens: Iterable[Token], found: re.Match[str]) -> Iterator[Token]:
    """The tokens that a match touches."""
    return (t for t in tokens if t.start < found.end() and t.end > found.start())


def _put_phrase(
    tokens: Sequence[Token], found: re.Match[str], text: str, *, whole: bool = True
) -> list[Token]:
    """The tokens with the phrase in the place of what it covers."""
    groups = found.groupdict()
    how = next((where for where in _SIDE_PATTERNS if groups.get(where) is not None), "any")
    kind = "lacking" if groups.get("not") else "nameword"
    part = Token(found["part"], kind, *found.span(), {"part": how, "plural": whole})
    return _replace_tokens(tokens, found, [part], text)


def _replace_tokens(
    tokens: Sequence[Token], found: re.Match[str], made: Sequence[Token], text: str
) -> list[Token]:
    return [
        *_clip_tokens(tokens, 0, found.start(), text),
        *made,
        *_clip_tokens(tokens, found.end(), len(text), text),
    ]


def _clip_tokens(tokens: Sequence[Token], start: int, end: int, text: str) -> Iterator[Token]:
    for t in tokens:
        first, last = max(t.start, start), min(t.end, end)
        if (first, last) == (t.start, t.end):
            yield t
        elif first < last:
            yield Token(text[first:last], "word", first, last)


# ``play X``: what is to be played is nobody's name in this home; it is kept as said.


def merge_media_title(tokens: list[Token], text: str) -> list[Token]:
    """The tokens with ``play ...`` as one token of kind ``media`` when its words are unknown here."""
    start = next((i for i, t in enumerate(tokens, 1) if t.means("verb", "play")), None)
    if start is None or any(
        canonical_sense(t) != "whether" for t in of_kind(tokens[: start - 1], "condition", "question")
    ):
        return tokens
    stop = _title_end(tokens, start)
    run = tokens[start:stop]
    if not _is_a_title(run):
        return tokens
    said = title = text[run[0].start : run[-1].end].strip()
    for part in ("media_article", "media_lead", "media_tail"):
        title = compiled_patterns(__package__, "patterns.yaml")[part].sub("", title)
    media = Token(title.strip() or said, "media", run[0].start, run[-1].end)
    return [*tokens[:start], media, *tokens[stop:]]


def _is_a_title(run: Sequence[Token]) -> bool:
    """Whether there are words nobody here knows, and no thing of the home before them."""
    first = next(iter(without_kind(run, "filler")), None)
    named = first is not None and first.kind in DEVICE_KINDS and not has_use(first, "played")
    return has_kind(run, "word") and not named and canonical_sense(run[0]) != "attributive"


def _title_end(tokens: Sequence[Token], start: int) -> int:
    """Where the title ends: at a mark, or at a place or player said after ``in`` or ``on``."""
    for at in range(start, len(tokens)):
        token = tokens[at]
        if token.means("mark", "strong", "weak"):
            return at
        follows = next((t.kind for t in tokens[at + 1 :] if not has_use(t, "the")), "")
        if at > start and has_use(token, "where_played") and follows in PLACE_KINDS | DEVICE_KINDS:
            return at
    return len(tokens)


# Words that are spoken about and not meant.


REPORTED_ACT_KINDS = frozenset({"verb", "step", "particle", "light_verb", "number"})
PERSON_KINDS = frozenset({"word", "nameword"})


def is_reported(tokens: Sequence[Token]) -> bool:
    """Whether the only orders of a sentence are quoted, cited or addressed to somebody else."""
    if _is_cited(tokens) or _is_quoted(tokens) or _is_addressed_to_other(tokens):
        return True
    denied = next((at for at, t in enumerate(tokens) if has_use(t, "is_it_not")), None)
    return denied is not None and any_use(tokens[denied:], "asks_for_assent")


_DOUBLE_QUOTES, _SINGLE_QUOTES = frozenset('"“”「」《》'), frozenset("'")


def _is_quoted(tokens: Sequence[Token]) -> bool:
    """An order in quotation marks, whole or with other words around it."""
    marks = [at for at, t in enumerate(tokens) if t.means("mark", "quote")]
    if len(tokens) > 2 and marks[:1] == [0] and marks[-1] == len(tokens) - 1:
        return True
    begin = next((at for at in range(len(tokens)) if _is_opening_quote(tokens, at)), len(tokens))
    end = max(marks, default=begin)
    around = without_kind((*tokens[:begin], *tokens[end + 1 :]), "filler", "mark")
    return end > begin and bool(around) and has_kind(tokens[begin + 1 : end], *REPORTED_ACT_KINDS)


def _is_opening_quote(tokens: Sequence[Token], at: int) -> bool:
    """A quotation mark that stands apart from what is before it; one inside a word is none."""
    apart = at == 0 or tokens[at - 1].end < tokens[at].start
    return tokens[at].text in _DOUBLE_QUOTES or (tokens[at].text in _SINGLE_QUOTES and apart)


def _is_cited(tokens: Sequence[Token]) -> bool:
    """``the manual says: ...``: an order after a colon that words nobody here knows introduce."""
    at = next((at for at, t in enumerate(tokens) if t.kind == "mark" and t.text == ":"), None)
    if at is None:
        return has_sense(tokens, "domain", "reported")
    told = tokens[0].kind == "statement"  # ``I'm off to work: turn off the tv`` cites nobody
    return not told and has_kind(tokens[:at], "word") and has_kind(tokens[at:], *REPORTED_ACT_KINDS)


def _is_addressed_to_other(tokens: Sequence[Token]) -> bool:
    """``tell Nora to turn off her lamp``."""
    for at, token in enumerate(tokens[:-2]):
        if (
            has_use(token, "tells")
            and (tokens[at + 1].kind in PERSON_KINDS or tokens[at + 1].means("filler", "person"))
            and has_use(tokens[at + 2], "that")
        ):
            return True
    return False


# States that the words around them cut up, put together: ``没`` ``有人``, 开着的 ``话``.


def merge_states(tokens: Sequence[Token]) -> list[Token]:
    """The tokens with states that were cut up put together: ``没`` ``有人``."""
    tokens = _merge_condition_particles(tokens)
    out: list[Token] = []
    at = 0
    while at < len(tokens):
        size = next((n for n in (3, 2) if _is_one_state(tokens[at : at + n], n)), 1)
        run = tokens[at : at + size]
        text = "".join(t.text for t in run)
        out.append(
            Token(text, "question", run[0].start, run[-1].end, {"is": "state"}) if size > 1 else run[0]
        )
        at += size
    return out


def _merge_condition_particles(tokens: Sequence[Token]) -> list[Token]:
    """The tokens with ``的话`` whole where the state before it had taken its first character: 开着的 话."""
    out: list[Token] = []
    for token in tokens:
        state, at = out[-1] if out else token, token.start - 1
        if state.text[-1:] + token.text in little("if_so") and state.text[:-1] in states() and out:
            out[-1] = replace(state, text=state.text[:-1], end=at)
            if_so = state.text[-1] + token.text
            out.append(Token(if_so, "condition", at, token.end, {"is": "then_particle"}))
        else:
            out.append(token)
    return out


def _is_one_state(run: Sequence[Token], size: int) -> bool:
    touching = all(a.end == b.start for a, b in pairwise(run))
    begins = len(run) == size and touching and (has_use(run[0], "not_yet") or run[0].text in states())
    return begins and "".join(t.text for t in run) in states()
