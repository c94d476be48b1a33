"""Words as heard: an unknown stretch that sounds or is spelled almost like a name of this home is that name.

Only stretches that nothing explains are touched, so a correct sentence is never changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rapidfuzz import fuzz, process

from winnow.language.gazetteer import GazetteerEntry
from winnow.language.normalize import is_han
from winnow.types.query import Token, has_kind, of_kind
from winnow.understand.words.vocabulary import Vocabulary, language_sounds, sound_of

MAX_STRETCH_CHARS = 8
"""Characters of the longest stretch compared by sound."""
MIN_SPELLING_RATIO = 84.0
"""rapidfuzz ratio, 0..100, from which two spellings are taken for one name."""
_SOUND_CONFIDENCE, _SPELLING_CONFIDENCE = 0.9, 0.85
MAX_REPAIRS = 12
"""Names of one sentence that are put right."""
SpellingCache = dict[str, tuple[str, float] | None]
"""Letters -> the name they are spelled like, and how much."""


def repair_names(tokens: list[Token], text: str, vocabulary: Vocabulary) -> list[Token]:
    """The tokens with misheard names put right; ``data["heard"]`` tells how sure that is."""
    tried: SpellingCache = {}
    for _ in range(MAX_REPAIRS):
        new = _repair_one(tokens, text, vocabulary, tried)
        if new is tokens:
            break
        tokens = new
    return tokens


def _repair_one(tokens: list[Token], text: str, vocabulary: Vocabulary, tried: SpellingCache) -> list[Token]:
    """The tokens with one misheard name put right; the same list when there is none."""
    unknown = of_kind(tokens, "word")
    if not unknown:
        return tokens
    if any(is_han(t.text[0]) for t in unknown):
        new = _repair_by_sound(tokens, text, vocabulary)
        if new is not tokens:
            return new
    if any(t.text[0].isascii() and t.text[0].isalpha() for t in unknown):
        return _repair_by_spelling(tokens, text, vocabulary, tried)
    return tokens


def _repair_by_sound(tokens: list[Token], text: str, vocabulary: Vocabulary) -> list[Token]:
    home, language = vocabulary.alike.sounds, language_sounds()
    for start, end in _unclear_stretches(tokens, len(text)):
        key = sound_of(text[start:end])
        entry = home.get(key) or language.get(key)
        if entry is not None and not _crosses_act(tokens, start, end):
            return _replace_tokens(
                tokens, _repaired_token(entry, start, end, _SOUND_CONFIDENCE, vocabulary), text
            )
    return tokens


def _unclear_stretches(tokens: Sequence[Token], length: int) -> Iterator[tuple[int, int]]:
    """Stretches with something unknown in them that may be cut out, the longest first."""
    starts = {t.start for t in tokens}
    ends = {t.end for t in tokens}
    loose = {i for t in tokens if t.kind == "word" for i in range(t.start, t.end)}
    for size in range(MAX_STRETCH_CHARS, 1, -1):
        for start in range(length - size + 1):
            end = start + size
            if not loose.isdisjoint(range(start, end)) and _can_cut(start, end, starts, ends, loose):
                yield start, end


def _can_cut(start: int, end: int, starts: set[int], ends: set[int], loose: set[int]) -> bool:
    return (start in starts or start in loose) and (end in ends or end - 1 in loose)


def _crosses_act(tokens: Sequence[Token], start: int, end: int) -> bool:
    """Whether the stretch swallows a mark or a word that carries the act."""
    inside = [t for t in tokens if t.start < end and t.end > start]
    return any(
        t.kind in {"mark", "negation", "except", "condition"} or (t.kind == "verb" and t.end - t.start > 1)
        for t in inside
    )


def _repaired_token(
    entry: GazetteerEntry, start: int, end: int, sure: float, vocabulary: Vocabulary
) -> Token:
    refs = entry.refs
    if entry.kind == "room" and not refs:
        refs = vocabulary.rooms_of_kind.get(str(entry.data.get("is")), ())
    return Token(entry.surface, entry.kind, start, end, {**entry.data, "heard": sure}, refs)


def _replace_tokens(tokens: list[Token], new: Token, text: str) -> list[Token]:
    """The tokens with ``new`` in the place of what it covers."""
    start, end = new.start, new.end
    out: list[Token] = []
    for token in tokens:
        if token.end <= start or token.start >= end:
            out.append(token)
            continue
        if token.start < start:
            out.append(
                Token(text[token.start : start], token.kind, token.start, start, token.data, token.refs)
            )
        if new not in out:
            out.append(new)
        if token.end > end:
            out.append(Token(text[end : token.end], token.kind, end, token.end, token.data, token.refs))
    return out


def _repair_by_spelling(
    tokens: list[Token], text: str, vocabulary: Vocabulary, tried: SpellingCache
) -> list[Token]:
    table = vocabulary.alike.spellings
    best: tuple[float, int, int, GazetteerEntry] | None = None
    for window in _word_windows(tokens):
        letters = "".join(t.text for t in window).replace("'", "")
        if letters not in tried:
            tried[letters] = _nearest_name(letters, table)
        found = tried[letters]
        if found and (best is None or (found[1], len(letters)) > (best[0], best[2] - best[1])):
            best = (found[1], window[0].start, window[-1].end, table[found[0]])
    if best is None:
        return tokens
    score, start, end, entry = best
    sure = _SPELLING_CONFIDENCE if score < 100 else 1.0
    return _replace_tokens(tokens, _repaired_token(entry, start, end, sure, vocabulary), text)


def _word_windows(tokens: Sequence[Token]) -> Iterator[Sequence[Token]]:
    """Up to four words in a row with an unknown one among them, that may be one name."""
    for first, token in enumerate(tokens):
        if token.kind in {"mark", "verb", "filler", "conj"}:
            continue
        for last in range(first, min(len(tokens), first + 4)):
            if tokens[last].kind in {"mark", "verb"}:
                break
            window = tokens[first : last + 1]
            if window[-1].kind != "negation" and has_kind(window, "word"):
                yield window


def _nearest_name(letters: str, table: Mapping[str, GazetteerEntry]) -> tuple[str, float] | None:
    """The name that is spelled most like it, and how much, if any is spelled alike."""
    if len(letters) <= 4:
        return None
    found = process.extractOne(letters, table.keys(), scorer=fuzz.ratio, score_cutoff=MIN_SPELLING_RATIO)
    return (found[0], found[1]) if found else None
