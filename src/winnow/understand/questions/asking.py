"""Questions: is a fact wanted rather than an act."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from winnow.language import lexicon
from winnow.language.gazetteer import Gazetteer
from winnow.types.query import DEVICE_KINDS, PLACE_KINDS, Confidence, QueryIR, Token
from winnow.understand.questions.facts import facts, named_quantities
from winnow.understand.words.kinds import TARGET_KINDS, says
from winnow.understand.words.repair import repair
from winnow.understand.words.tag import tag
from winnow.understand.words.vocabulary import Vocabulary

_ASKING = frozenset({"how_many", "which", "what", "who", "whether", "why"})
_ACTS = frozenset({"verb", "step", "particle", "light_verb"})
_SETTINGS = _ACTS | {
    "number",
    "color",
    "white",
    "extreme",
    "mode",
    "choice",
    "negation",
    "condition",
    "timing",
    "scene",
    "domain",
    "hostile",
    "comment",
    "except",
}
_UNSAID = frozenset({"filler", "mark", "conj"})


def asks(tokens: Sequence[Token], language: str) -> bool:
    """Whether the sentence asks for a fact rather than an act."""
    if any(t.kind == "negation" and says(t) in {"why_not", "why_still", "let_stay"} for t in tokens):
        return False
    content = [t for t in tokens if t.kind not in _UNSAID]
    if not content:
        return False
    return _asks_english(tokens, content) if language == "en" else _asks_chinese(tokens, content)


def _asks_english(tokens: Sequence[Token], content: Sequence[Token]) -> bool:
    if _order_follows(tokens):
        return False
    said = _said(tokens)
    if _opens(said, "whether") or (
        _opens(said, "openers") and not any(t.kind in {"verb", "step", "light_verb"} for t in content)
    ):
        return True
    first = content[0]
    if _asked_later(tokens):
        return True
    if first.kind == "question":
        return not (
            _opens(said, "orders") or (first.text == "do" and len(content) > 1 and content[1].kind in _ACTS)
        )
    if not any(t.kind == "mark" and t.text == "?" for t in tokens):
        return False
    return (
        first.kind in TARGET_KINDS or first.kind == "quantifier" or not any(t.kind in _ACTS for t in tokens)
    )


def _asked_later(tokens: Sequence[Token]) -> bool:
    """``apart from the hall, which lamps are lit``: the question comes after a part that orders nothing."""
    begins = False
    for token in tokens:
        if token.kind in _ACTS or token.kind == "condition":
            return False
        if begins and token.kind == "question" and says(token) in _ASKING:
            return True
        begins = token.kind == "mark" or (begins and token.kind in {"filler", "conj"})
    return False


def _asks_chinese(tokens: Sequence[Token], content: Sequence[Token]) -> bool:
    senses = {says(t) for t in content if t.kind == "question"}
    last = content[-1]
    final = last.kind in {"question", "negation"} and (says(last) == "final" or last.text == "不")
    if not final and (_whoever(content) or any(t.kind == "condition" for t in content)):
        return False
    if senses & _ASKING:
        return True
    if final and any(t.kind == "verb" for t in content) and _opens(_said(tokens, ""), "orders"):
        return False
    return final or (any(t.text == "?" for t in tokens) and "state" in senses)


def _whoever(content: Sequence[Token]) -> bool:
    """``哪个灯都别开``: with ``都`` and a prohibition the question word means every one."""
    at = next(
        (i for i, t in enumerate(content) if t.kind == "question" and says(t) in {"which", "what", "who"}),
        None,
    )
    rest = content[at + 1 :] if at is not None else []
    spread = next((i for i, t in enumerate(rest) if t.text in {"都", "也"}), None)
    return spread is not None and any(t.kind in {"negation", "except"} for t in rest[spread:])


def _said(tokens: Sequence[Token], joint: str = " ") -> str:
    return joint.join(t.text for t in tokens if t.kind != "mark")


def _opens(said: str, part: str) -> bool:
    """Whether the sentence begins with one of these words; English ones may follow a courtesy."""
    words = lexicon.question_words()[part]
    if said[:1].isascii():
        return any(f" {said} ".find(f" {w} ") in range(24 if part != "orders" else 1) for w in words["en"])
    return any(said.removeprefix("你").startswith(w) for w in words["zh"])


def _order_follows(tokens: Sequence[Token]) -> bool:
    """``is it a lamp? whatever, plug it in``: the sentence ends in an order, which counts."""
    begins = False
    for at, token in enumerate(tokens):
        object_ = tokens[at + 1] if at + 1 < len(tokens) else token
        if token.kind == "mark":
            begins = True
        elif begins and (
            token.kind in {"verb", "light_verb"}
            or (object_.kind == "reference" and object_ is not token and token.kind in TARGET_KINDS)
        ):
            return True
        elif token.kind not in {"filler", "conj"}:
            begins = False
    return False


@lru_cache(maxsize=1)
def _language() -> Gazetteer:
    """The words of both languages as they are meant in a question."""
    return Gazetteer([*lexicon.question_entries(), *lexicon.entries()])


def questions(
    text: str, tokens: Sequence[Token], vocabulary: Vocabulary, language: str
) -> tuple[QueryIR, ...]:
    """The facts wanted, one query for each mention; empty when the sentence asks for none.

    ``tokens`` are those of an order.
    """
    asked = asks(tokens, language)
    if not asked and any(t.kind in _SETTINGS for t in tokens):
        return ()
    tagged = tag(text, replace(vocabulary, language=_language()), reading=True)
    meant = repair(_without_strays(tagged), text, vocabulary)
    if asked and _reproaches(text):
        return (QueryIR(raw=text, action="query", tokens=tuple(meant), confidence=Confidence(1.0)),)
    if not asked and not _tells(meant, tokens):
        return ()
    return tuple(facts(text, meant, vocabulary))


def _without_strays(tokens: list[Token]) -> list[Token]:
    """``the co2 level``: a common word of questions is part of a name only beside another word of it."""
    if not any(t.kind in {"cue", "property"} for t in tokens):
        return tokens
    common = lexicon.question_words()["fillers"]["en"]
    strays = [t.kind == "nameword" and t.text in common and not _beside_its_name(t, tokens) for t in tokens]
    return [replace(t, kind="filler") if s else t for t, s in zip(tokens, strays, strict=True)]


def _beside_its_name(token: Token, tokens: Sequence[Token]) -> bool:
    others = (t for t in tokens if t is not token and t.kind in {"name", "nameword"})
    return any(not set(token.refs).isdisjoint(t.refs) for t in others)


def _reproaches(text: str) -> bool:
    words = lexicon.question_words()["reproaches"]
    return any(w in text for w in words["zh"]) or any(f" {w} " in f" {text} " for w in words["en"])


def _tells(meant: Sequence[Token], tokens: Sequence[Token]) -> bool:
    """A thing or place and a quantity, and nothing to be done with it: ``the temperature of the study``."""
    if any(t.kind in _SETTINGS or (t.kind == "word" and len(t.text) > 1) for t in meant) or any(
        t.kind == "question" for t in meant
    ):
        return False
    named = any(t.kind in {"name", "nameword", "type"} for t in meant)
    placed = any(t.kind in PLACE_KINDS for t in meant)
    table = lexicon.quantities()
    nouns = lexicon.surfaces("property")
    known = [
        table[n]
        for t in meant
        if t.text in nouns
        for n in named_quantities([t])
        if n in table and not table[n].state
    ]
    if known:
        return named or known[0].ambient
    opened = _opens(_said(tokens), "openers") or any(
        t.text in lexicon.question_words()["openers"]["zh"] for t in meant
    )
    readable = any(t.kind == "name" for t in meant) and not any(t.kind in DEVICE_KINDS for t in tokens)
    return (opened and named) or (readable and not placed)
