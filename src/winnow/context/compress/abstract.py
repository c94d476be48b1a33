"""Texts that a language model shortens, each checked against what it was made of.

How long each may be is what the rules would keep of it, so what matters more is told at more length. A
version that names what its text does not, or is too long, is not used: what the rules kept stays, and the
account says why. Without a model nothing changes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from winnow.language.content_words import content_terms
from winnow.language.encode import compact_json
from winnow.language.normalize import normalise
from winnow.language.registry import language_of, prompt_text
from winnow.language.scope_words import limited_spans, limits
from winnow.language.segment import segment_words
from winnow.language.sentences import split_sentences
from winnow.language.tokens import count_tokens
from winnow.ports.services import ModelClient
from winnow.types.candidate import Dropped
from winnow.types.context import Ask, Compressed, CompressedItem

if TYPE_CHECKING:
    from winnow.context.compress.selection import Count

MAX_MODEL_CHARS = 6000
"""Characters of a text that a model gets to see."""
ABSTRACT_LEVELS = frozenset({"heavy", "extreme"})
"""At which levels a model is asked (seed 004, section 3.2)."""
ABSTRACT_SCHEMA: Mapping[str, object] = {
    "type": "object",
    "properties": {
        "texts": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"id": {"type": "string"}, "text": {"type": "string"}},
                "required": ["id", "text"],
            },
        }
    },
    "required": ["texts"],
}
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*|[〇一二三四五六七八九十百千万亿]{2,}")
_NAME = re.compile(r"[A-Z][\w’'-]*")
_COUNTED = re.compile(rf"({_NUMBER.pattern})\s?([a-z]+|[%°€$£¥]|[\u4e00-\u9fff])")
"""A number and what it counts, as far as one word tells."""
LimitedStatement = tuple[set[str], list[tuple[str, str]]]
"""The content words of a statement, and what turns it round or limits it."""
NAME_TAGS = ("nr", "ns", "nt", "nz")
"""Parts of speech of Chinese names."""


async def abstract_items(
    made: Compressed, query: str, counsel: ModelClient, count: Count = count_tokens
) -> Compressed:
    """What the rules kept, in a model's words where there is a model and its words pass.

    The result never costs more than before. Important texts that stayed whole are left alone.
    """
    open_ = [kept for kept in made.kept if kept.method not in {"whole", "structure", "metadata"}]
    if made.level not in ABSTRACT_LEVELS or not open_ or not counsel.asks:
        return made
    versions = await counsel.ask(_abstract_request(open_, query))
    if versions is None:
        note = Dropped("", "abstract", "no model gave an answer that could be used: the rules' own stands")
        return replace(made, cut=(*made.cut, note))
    return _with_versions(made, open_, versions, count)


def _abstract_request(texts: Sequence[CompressedItem], query: str) -> Ask[Mapping[str, str]]:
    prompt = prompt_text("abstract", language_of(texts[0].item.text))
    wanted = [{"id": str(n), "text": kept.item.text, "tokens": kept.tokens} for n, kept in enumerate(texts)]
    data = compact_json({"question": query, "texts": wanted}, MAX_MODEL_CHARS)
    messages = [{"role": "system", "content": prompt}, {"role": "user", "content": data}]

    def versions(answer: Mapping[str, Any]) -> Mapping[str, str]:
        return {one["id"]: " ".join(one["text"].split()) for one in answer["texts"]}

    return Ask("abstract", messages, ABSTRACT_SCHEMA, versions, "normal")


def _with_versions(
    made: Compressed, texts: Sequence[CompressedItem], versions: Mapping[str, str], count: Count
) -> Compressed:
    """The versions that pass in the place of what the rules kept; why the others do not."""
    kept, notes = list(made.kept), list(made.cut)
    for number, before in enumerate(texts):
        version = versions.get(str(number), "")
        fault = version_fault(version, before, count)
        if fault:
            notes.append(Dropped(before.item.id, "abstract", fault))
        else:
            kept[kept.index(before)] = replace(before, text=version, tokens=count(version), method="abstract")
    # The result with its tokens; what there was where it costs more together than the parts did
    after = replace(made, kept=tuple(kept), cut=tuple(notes))
    tokens = count(after.text)
    reached = made.reached * tokens / max(1, made.tokens)
    return replace(after, tokens=tokens, reached=reached) if tokens <= made.tokens else made


def version_fault(version: str, before: CompressedItem, count: Count) -> str:
    """Why a version may not stand for a text; empty where it may."""
    if not version:
        return "the model left it out"
    if count(version) > before.tokens:
        return "the model's version is too long"
    if new := invented_name(version, before.item.text):
        return f"the model's version says {new!r}, which the text does not"
    turned = reversed_sentence(version, before.item.text)
    return f"the model's version turns round what the text says: {turned!r}" if turned else ""


def invented_name(version: str, source: str) -> str:
    """The first number, with what it counts, or name that a source does not hold; empty: there is none."""
    numbers, said = set(_NUMBER.findall(source)), normalise(source, 10 * MAX_MODEL_CHARS)
    for number in _NUMBER.findall(version):
        if number not in numbers:
            return str(number)
    counted = {
        number: {unit for same, unit in _COUNTED.findall(source) if same == number} for number in numbers
    }
    for number, unit in _COUNTED.findall(version):
        if counted[number] and unit not in counted[number] and (content_terms(unit) or not unit.isalpha()):
            return f"{number} {unit}"
    # Names, as capitals and the dictionary tell; a common word that begins a sentence is none
    capitals = [name for name in _NAME.findall(version) if content_terms(name)]
    names = capitals + [word.text for word in segment_words(version) if word.tag.startswith(NAME_TAGS)]
    return next((name for name in names if normalise(name) not in said), "")


def reversed_sentence(version: str, source: str) -> str:
    """The first sentence of a version that lost or gained a word like ``not`` or ``only``; empty: none."""
    whole = limited_spans(source)
    told = [(_content_words(one.text), limits(one.text)) for one in whole]
    # The text before, between and behind these
    starts, ends = [0, *(one.end for one in whole)], [*(one.start for one in whole), len(source)]
    plain = [
        _content_words(rest) for rest in [source[start:end] for start, end in zip(starts, ends, strict=True)]
    ]
    return next((one.text for one in split_sentences(version) if _is_reversed(one.text, told, plain)), "")


def _content_words(text: str) -> set[str]:
    """The content words of a text, without those that turn it round or limit it."""
    return set(content_terms(text)) - {term for _, word in limits(text) for term in content_terms(word)}


def _is_reversed(sentence: str, told: Sequence[LimitedStatement], plain: Sequence[set[str]]) -> bool:
    """Whether the words of a sentence stand in limited statements of which it lacks the limit."""
    terms, own = _content_words(sentence), _limit_kinds(limits(sentence))
    elsewhere, nearest = set[str]().union(*plain), max(len(terms & there) for there in plain)
    near = [(terms & there, _limit_kinds(said)) for there, said in told]
    drawn = [kinds for shared, kinds in near if shared - elsewhere or len(shared) > nearest]
    possible = set[str]().union(*(kinds for shared, kinds in near if shared))
    return len(drawn) > len(limits(sentence)) or not set[str]().union(*drawn) <= own <= possible


def _limit_kinds(said: Sequence[tuple[str, str]]) -> set[str]:
    return {kind for kind, _ in said}
