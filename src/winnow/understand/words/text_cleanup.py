"""A text before its words are tagged: contractions, joined words, limits, owners that are pointed at."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import chain

from rapidfuzz import fuzz, process

from winnow.language import lexicon
from winnow.language.content_words import little
from winnow.language.gazetteer import GazetteerEntry
from winnow.language.lexicon import states
from winnow.language.normalize import is_han, normalise
from winnow.language.patterns import compiled_patterns
from winnow.language.registry import LANGUAGES, own_table
from winnow.types.query import DEVICE_KINDS, PLACE_KINDS, Limit, Token, has_kind, of_kind
from winnow.understand.words.tokens import tag_text
from winnow.understand.words.vocabulary import Vocabulary, language_sounds, sound_of

# Words as heard: an unknown stretch that sounds or is spelled almost like a name of this home is that name

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
        unknown, new = of_kind(tokens, "word"), tokens
        if any(is_han(t.text[0]) for t in unknown):
            new = _repair_by_sound(tokens, text, vocabulary)
        # Letters are compared only where no sound was put right: one name at a time.
        if new is tokens and any(t.text[0].isascii() and t.text[0].isalpha() for t in unknown):
            new = _repair_by_spelling(tokens, text, vocabulary, tried)
        if new is tokens:
            break
        tokens = new
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
            may_cut = (start in starts or start in loose) and (end in ends or end - 1 in loose)
            if may_cut and not loose.isdisjoint(range(start, end)):
                yield start, end


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


MIN_JOINED_CHARS = 5
"""Letters from which on a word may be two."""
MIN_HALF_CHARS = 3
"""Letters of each of the two, where neither is the article."""
_JOINED_WORD = re.compile(r"(?<![\w'.])[a-z]+(?![\w'])")


def split_joined_words(text: str, vocabulary: Vocabulary) -> str:
    """The normalised text with each word that nobody knows, and that is two known ones in one way, as two."""
    return _JOINED_WORD.sub(lambda found: _split_word(found[0], vocabulary), text)


def _split_word(word: str, vocabulary: Vocabulary) -> str:
    if _is_known(word, vocabulary):
        return word
    if word.endswith("s") and _is_known(owner := f"{word[:-1]}'s", vocabulary):
        return owner  # ``finns window``, as recognisers write it
    if len(word) < MIN_JOINED_CHARS or word in vocabulary.alike.spellings:
        return word
    cuts = ((word[:at], word[at:]) for at in range(2, len(word) - 1))
    made = [" ".join(two) for two in cuts if _may_be_joined(*two, vocabulary)]
    return made[0] if len(made) == 1 else word


def _may_be_joined(one: str, other: str, vocabulary: Vocabulary) -> bool:
    """Whether two words may have grown together: the article and any other, or an act and what it is of.

    Two nouns side by side may be a word of their own, and so may an act and any noun: a greenhouse is no
    green house, a playlist no list.
    """
    if not {one, other}.isdisjoint(_joining_words()) or f"{one} {other}" in _two_word_acts():
        return _is_known(one, vocabulary) and _is_known(other, vocabulary)
    pairs = (one, other), (other, one)
    return min(len(one), len(other)) >= MIN_HALF_CHARS and any(
        act in _act_words() and (of in _object_words() or of in vocabulary.alike.words) for act, of in pairs
    )


def _is_known(word: str, vocabulary: Vocabulary) -> bool:
    return word in _language_word_set() or word in vocabulary.alike.words


@lru_cache(maxsize=1)
def _joining_words() -> frozenset[str]:
    """The longest of the articles, heard in another word by chance least, and the first word for and."""
    articles = (w for w, what in lexicon.surfaces("filler").items() if what == "article")
    ands = (w for w, what in lexicon.surfaces("conj").items() if what == "and" and w.isascii())
    return frozenset({max(articles, key=len), next(ands)})


@lru_cache(maxsize=1)
def _two_word_acts() -> frozenset[str]:
    """The acts of two words: ``turn on``."""
    sections = ("verb", "step")
    return frozenset(w for name in sections for w in lexicon.surfaces(name) if w.count(" ") == 1)


@lru_cache(maxsize=1)
def _act_words() -> frozenset[str]:
    """The single words that say what is to be done."""
    sections = ("verb", "step", "light_verb", "particle")
    return frozenset(word for name in sections for word in lexicon.surfaces(name) if word.isascii())


@lru_cache(maxsize=1)
def _object_words() -> frozenset[str]:
    """The single words that stand beside an act: what it is of, and the rest of it."""
    sections = ("type", "room", "property", "mode", "quantifier", "particle")
    return frozenset(word for name in sections for word in lexicon.surfaces(name) if word.isascii())


@lru_cache(maxsize=1)
def _language_word_set() -> frozenset[str]:
    """The single words of the language's entries."""
    past = chain.from_iterable(map(lexicon.past_entries, LANGUAGES))
    entries = chain(lexicon.entries(), past, lexicon.question_entries())
    return frozenset(word for e in entries for word in e.surface.split() if word.isascii())


# ``'s`` where it is short for a verb: ``if nobody's home``, ``there's a leak``, ``why's it on``.


def expand_contractions(text: str, limit: int) -> str:
    """The text normalised, without what only leads to a question.

    Each verb that hides in ``'s`` is ``is``; whose something is stays. Little words of a dialect are plain.
    """
    patterns = compiled_patterns(__package__, "patterns.yaml")
    text = patterns["unmarked"].sub(_with_apostrophe, normalise(text, limit))
    for word, said in _plain_words() if not text.isascii() else ():
        text = said.sub(word, text)
    text = patterns["asks_to_know"].sub("", text)
    text = patterns["say_rather"].sub(", i mean ", patterns["say_so_much"].sub(" ", text))
    text = patterns["by_one"].sub("1", text)
    asking = patterns["asks_short"].sub
    return _state_contraction().sub(r"\1 is", asking(r"\1 is", text)) if "'s " in text else text


@cache
def _plain_words() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Words of the languages, and what is said for them in a dialect."""
    rows = chain.from_iterable(own_table(code, "plain.yaml").items() for code in LANGUAGES)
    return tuple((word, re.compile("|".join(said))) for word, said in rows)


def _with_apostrophe(found: re.Match[str]) -> str:
    """A contraction as it is written, where it was heard without its apostrophe: ``cant``, ``theres``."""
    word, end = found[0], next(end for end in ("nt", "ve", "re", "m", "s", "d") if found[0].endswith(end))
    return f"{word[:-1]}'t" if end == "nt" else f"{word[: -len(end)]}'{end}"


@cache
def _state_contraction() -> re.Pattern[str]:
    """``if Nora's home``, not ``if Nora's lamp is on``: what follows tells a state."""
    of = {name: pattern.pattern for name, pattern in compiled_patterns(__package__, "patterns.yaml").items()}
    told = "|".join([*(word for word in states() if word.isascii()), of["told_of_people"]])
    anybody = rf"\b{of['anybody']}(?='s )"
    return re.compile(rf"({of['begins_condition']}(?:{anybody}|[a-z](?='s (?:{told})\b)))'s")


# How far an order may go, said beside it: ``but not too bright``, ``但是别全开``.


WHOLE_PATTERNS = ("whole_en", "nearly_en", "whole_zh")
"""Names of the patterns of what is not to be done all the way."""
TOO_PATTERNS = ("too_en", "too_zh")
"""Names of the patterns of what is not to be too much; said without a turn it may be a reason."""
SMALL_PATTERNS = ("only_little", "only_little_again", "only_little_zh")
"""Names of the patterns of what leads to a small amount."""


def split_limits(text: str) -> tuple[str, tuple[Limit, ...]]:
    """A normalised text without the limits it holds, and these in the order they were said."""
    # ``just a little`` as ``a little``: how little, the order itself says
    joint = " " if text.isascii() else ""
    for name in SMALL_PATTERNS:
        text = compiled_patterns(__package__, "limits.yaml")[name].sub(rf"\g<kept>{joint}", text)
    text = text.strip()
    found = sorted(_limit_matches(text), key=lambda span: span[:2])
    kept, said, at = [], [], 0
    for start, end, limit in found:
        if start >= at:
            kept.append(text[at:start])
            said.append(limit)
            at = end
    return "".join((*kept, text[at:])).strip(), tuple(said)


def _limit_matches(text: str) -> Iterator[tuple[int, int, Limit]]:
    for name in (*WHOLE_PATTERNS, *TOO_PATTERNS):
        for match in compiled_patterns(__package__, "limits.yaml")[name].finditer(text):
            # ``the lamp is not too bright``: how it is, not how far anything may go
            is_told = bool(match.groupdict().get("bare")) and bool(
                compiled_patterns(__package__, "limits.yaml")["told"].search(text[: match.start()])
            )
            if not is_told:
                words = match[0].strip(" ,;.!:。、")
                yield (
                    match.start(),
                    match.end(),
                    Limit(words, strict=name in WHOLE_PATTERNS or bool(match["turn"])),
                )


# Whose ``her room`` and ``her blinds`` are: of the owner of a room who was spoken of last in the sentence.


def resolve_owners(text: str, vocabulary: Vocabulary) -> str:
    """The normalised text with the owner named in the place of who is pointed at: ``阿婆睡了,她房间的灯``."""
    found = next(
        (m for m in _pointed_owner("hers").finditer(text) if _is_owned(text[m.end() :], vocabulary)), None
    )
    owner = _last_owner(text[: found.start()], vocabulary) if found else ""
    return text[: found.start()] + owner + text[found.end() :] if found and owner else text


def unresolved_owners(text: str, vocabulary: Vocabulary) -> list[tuple[int, str]]:
    """Where what somebody has begins who is pointed at and was not spoken of, and who: ``her blinds``."""
    return [
        (found.end() + len(behind) - len(behind.lstrip()), found[0])
        for found in _pointed_owner("hers", "of_several").finditer(text)
        if _is_owned(behind := text[found.end() :], vocabulary)
    ]


def _is_owned(behind: str, vocabulary: Vocabulary) -> bool:
    """Whether what stands behind is a room or a thing of the home."""
    first = next(iter(tag_text(behind, vocabulary)), None)
    return first is not None and (
        first.kind in DEVICE_KINDS | PLACE_KINDS
        or behind.strip().startswith(tuple(map(str.strip, little("room_endings"))))
    )


def is_room_word(token: Token) -> bool:
    """Whether it is a bare word for a room, though a word of some name: the ``room`` of an engine room."""
    return token.kind == "nameword" and any(end.endswith(token.text) for end in little("room_endings"))


def _last_owner(before: str, vocabulary: Vocabulary) -> str:
    for token in reversed(tag_text(before, vocabulary)):
        whose, has_owner, _ = token.text.partition("'s ")  # in the name of a thing: ``bea's speaker``
        for owner in (token.text, f"{whose}'s") if has_owner else (token.text, f"{token.text}'s"):
            if any(t.data.get("owner") and t.text == owner for t in tag_text(owner, vocabulary)):
                return owner
    return ""


@cache
def _pointed_owner(*uses: str) -> re.Pattern[str]:
    """Somebody pointed at, whose something is: the sign of that stands behind in Chinese."""
    who = "|".join(re.escape(word) for use in uses for word in little(use))
    of = "|".join(map(re.escape, little("of")))
    return re.compile(f"(?<![a-z])(?:{who})(?![a-z])(?:{of})?")
