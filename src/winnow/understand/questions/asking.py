"""Questions: is a fact wanted rather than an act."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from winnow.language import lexicon
from winnow.language.gazetteer import Gazetteer
from winnow.language.little import little
from winnow.types.query import DEVICE_KINDS, PLACE_KINDS, QueryIR, Token
from winnow.understand.questions.facts import asked as about_nothing
from winnow.understand.questions.facts import facts, named_quantities
from winnow.understand.words.kinds import TARGET_KINDS, says, serves
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
_UNSAID = frozenset({"filler", "mark", "conj", "address"})


def asks(tokens: Sequence[Token], language: str) -> bool:
    """Whether the sentence asks for a fact rather than an act."""
    if any(t.kind == "negation" and says(t) in {"why_not", "why_still", "let_stay"} for t in tokens):
        return False
    content = [t for t in tokens if t.kind not in _UNSAID]
    if not content:
        return False
    return _asks_english(tokens, content) if language == "en" else _asks_chinese(tokens, content)


def _asks_english(tokens: Sequence[Token], content: Sequence[Token]) -> bool:
    if _bids_at_last(tokens):
        return False
    if _begins_asking(tokens, content) or _asked_later(tokens) or _asks_of_any(tokens, content):
        return True
    first = content[0]
    if first.kind == "question":
        return not (_opens(_said(tokens), "orders") or _bids(content))
    named = first.kind in TARGET_KINDS | {"quantifier"}
    return any(map(_is_question_mark, tokens)) and (named or _ACTS.isdisjoint(t.kind for t in content))


def _begins_asking(tokens: Sequence[Token], content: Sequence[Token]) -> bool:
    """``tell me whether``, ``show me``: with no act after the latter."""
    said = _said(tokens)
    orders = _ACTS - {"particle"}
    return _opens(said, "whether") or (orders.isdisjoint(t.kind for t in content) and _opens(said, "openers"))


def _bids(content: Sequence[Token]) -> bool:
    """``do turn it off``: the verb of a question before an act only stresses it."""
    return serves(content[0], "does") and len(content) > 1 and content[1].kind in _ACTS


def _is_question_mark(token: Token) -> bool:
    return serves(token, "question_mark")


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
    final = _asks_at_the_end(content[-1])
    kinds = {t.kind for t in content}
    if not final and ("condition" in kinds or _whoever(content)):
        return False
    senses = set(map(says, filter(_questions, content)))
    if not senses.isdisjoint(_ASKING):
        return True
    if final:
        return "verb" not in kinds or not _opens(_said(tokens, ""), "orders")
    return "state" in senses and any(map(_is_question_mark, tokens))


def _questions(token: Token) -> bool:
    return token.kind == "question"


def _asks_at_the_end(last: Token) -> bool:
    return last.kind in {"question", "negation"} and (says(last) == "final" or serves(last, "or_not"))


def _whoever(content: Sequence[Token]) -> bool:
    """``哪个灯都别开``: with ``都`` and a prohibition the question word means every one."""
    at = next(
        (i for i, t in enumerate(content) if t.kind == "question" and says(t) in {"which", "what", "who"}),
        None,
    )
    rest = content[at + 1 :] if at is not None else []
    spread = next((i for i, t in enumerate(rest) if serves(t, "each_of")), None)
    return spread is not None and any(t.kind in {"negation", "except"} for t in rest[spread:])


def _said(tokens: Sequence[Token], joint: str = " ") -> str:
    return joint.join(t.text for t in tokens if t.kind != "mark")


def _opens(said: str, part: str) -> bool:
    """Whether the sentence begins with one of these words; English ones may follow a courtesy."""
    words = lexicon.question_words()[part]
    if said[:1].isascii():
        return any(f" {said} ".find(f" {w} ") in range(24 if part != "orders" else 1) for w in words["en"])
    asked = next((said.removeprefix(you) for you in little("you") if said.startswith(you)), said)
    return asked.startswith(tuple(words["zh"]))


def _asks_of_any(tokens: Sequence[Token], content: Sequence[Token]) -> bool:
    """``any lights on``, ``the lamp is on, isn't it``: nothing is to be done."""
    orders = _ACTS - {"particle"}
    return _ends(_said(tokens), "endings") or (
        says(content[0]) == "any" and orders.isdisjoint(t.kind for t in content)
    )


def _ends(said: str, part: str) -> bool:
    """``the lamp is on, isn't it``: a tag asks; ``make sure it is off, will you`` bids."""
    return said.endswith(tuple(f" {words}" for words in lexicon.question_words()[part]["en"]))


def _bids_at_last(tokens: Sequence[Token]) -> bool:
    """Whether an order ends the sentence, or what makes one of it: ``make sure it is off, will you``."""
    return _order_follows(tokens) or _ends(_said(tokens), "bids")


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
        return (about_nothing(text, meant),)
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
    if any(map(_is_more, meant)):
        return False
    kinds = {t.kind for t in meant}
    named = not kinds.isdisjoint({"name", "nameword", "type"})
    quantity = next(_quantities(meant), None)
    if quantity is not None:
        return named or quantity.ambient
    if named and _opens_a_question(meant, tokens):
        return True
    return (
        "name" in kinds and kinds.isdisjoint(PLACE_KINDS) and DEVICE_KINDS.isdisjoint(t.kind for t in tokens)
    )


def _is_more(token: Token) -> bool:
    """Whether a word says more than of whom what is told."""
    return token.kind in _SETTINGS | {"question"} or (token.kind == "word" and len(token.text) > 1)


def _quantities(meant: Sequence[Token]) -> Iterator[lexicon.Quantity]:
    """The quantities told by a noun of their own, states apart."""
    table, nouns = lexicon.quantities(), lexicon.surfaces("property")
    named = named_quantities([t for t in meant if t.text in nouns])
    return (table[name] for name in named if name in table and not table[name].state)


def _opens_a_question(meant: Sequence[Token], tokens: Sequence[Token]) -> bool:
    openers = lexicon.question_words()["openers"]["zh"]
    return _opens(_said(tokens), "openers") or any(t.text in openers for t in meant)
