"""What a device could answer, and why: the best of a short list of reasons.

It tells the very thing asked, or the next best; its name or its unit says that it measures it; it is what was
asked for by name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple, cast

from winnow.decide.where import asked_of, is_asked
from winnow.language.borders import holds_word
from winnow.language.lexicon import Quantity, question_words
from winnow.language.normalise import fold, is_han, normalise
from winnow.text.tables import table
from winnow.types.catalog import Attribute, Device, Where
from winnow.types.query import QueryIR, Token
from winnow.types.view import HomeView

NEXT_BEST = 10
"""Tiers between one quantity that tells what is asked and the next."""
CLASSLESS = 5
"""Tier of a sensor without a class that says what it measures: after what tells it, before the next best."""
FALLBACK = 90
"""Tier of what tells nothing of the kind, but was asked for by its whole name."""


@dataclass(frozen=True)
class Question:
    """What is asked, of which home."""

    query: QueryIR
    quantity: Quantity
    view: HomeView

    @cached_property
    def anywhere(self) -> bool:
        """Whether no thing and no place was named."""
        return not any(t.text for t in self.query.target.tokens)

    @cached_property
    def asked_of(self) -> Where | None:
        """What is asked of: a room's air, that outside, water; None of a thing that was named."""
        return asked_of([t.text for t in self.query.tokens], self.query.target.tokens)

    @cached_property
    def wide(self) -> bool:
        """Whether it is asked of every device (``which devices are on``)."""
        return any(t.data.get("is") == "device" for t in self.types)

    @cached_property
    def types(self) -> tuple[Token, ...]:
        """The words that name a kind."""
        return tuple(t for t in self.query.target.tokens if t.kind == "type")

    @cached_property
    def said(self) -> tuple[str, ...]:
        """The words of the sentence, folded."""
        return tuple(fold(t.text) for t in self.query.tokens if t.kind not in {"mark", "filler"})


class Answer(NamedTuple):
    """One attribute that answers."""

    tier: int
    """0: tells the very thing asked; more: the next best."""
    attribute: Attribute


def best_answer(device: Device, question: Question, *, named: bool) -> Answer | None:
    """The best answer the device has; ``named`` when its whole name was said."""
    attributes: Sequence[Attribute] = question.view.profile(device.id).attributes
    if question.quantity.ambient and not named:
        attributes = [a for a in attributes if is_asked(question.asked_of, device, a)]
    return (
        _telling(attributes, question)
        or _plainly(device, attributes, question, named)
        or _whatever(attributes, question, named)
    )


def _telling(attributes: Sequence[Attribute], question: Question) -> Answer | None:
    """What tells the quantity asked for, else the first that tells it otherwise."""
    quantity = question.quantity
    for place, names in enumerate((quantity.tells, *((name,) for name in quantity.otherwise))):
        found = [a for name in names for a in attributes if _tells(a, name)]
        if found:
            # yes or no is told without a unit, an amount with one
            suited = (a for a in found if bool(a.unit) != question.query.yes_no)
            return Answer(place * NEXT_BEST, next(suited, found[0]))
    return None


def _tells(attribute: Attribute, name: str) -> bool:
    """Whether it is of this quantity, or of this class of the source that no table knows."""
    return attribute.quantity == name or (attribute.id == "state" and attribute.text == name)


def _plainly(
    device: Device, attributes: Sequence[Attribute], question: Question, named: bool
) -> Answer | None:
    """A plain state, which tells what the name of the device says it does."""
    plain = next((a for a in attributes if a.quantity == "state" and not a.text), None)
    if plain is None:
        return None
    if "sensor" in device.kinds and _says_it(device, plain, question.query.property):
        return Answer(CLASSLESS, plain)
    return Answer(0, plain) if named else None


def _whatever(attributes: Sequence[Attribute], question: Question, named: bool) -> Answer | None:
    """What it tells first, if nothing in particular is asked; or only a state, of what was named."""
    if not attributes:
        return None
    if not question.query.property or (named and question.quantity.state):
        return Answer(FALLBACK, attributes[0])
    return None


def _says_it(device: Device, plain: Attribute, asked: str) -> bool:
    """A sensor without a class says in its name, or by its unit, what it measures."""
    if asked == "temperature" and plain.unit.lower() in words("degrees"):
        return True
    names = [normalise(n) for n in (device.name, *device.aliases)]
    return any(holds(name, word) for word in _called(asked) for name in names)


def holds(name: str, word: str) -> bool:
    """Whether a name has the word in it: anywhere in Chinese, else as a whole word."""
    return holds_word(name, word) if is_han(word[0]) else f" {word} " in f" {name} "


@lru_cache(maxsize=128)
def _called(asked: str) -> tuple[str, ...]:
    """What the quantity is called: its own name, and its cues that are too long to mean anything else."""
    if not asked:
        return ()
    cues = [cue for language in question_words()["cues"].values() for cue in language.get(asked, ())]
    long = [c for c in cues if len(c) > (1 if is_han(c[0]) else 2)]
    return tuple(dict.fromkeys([asked.replace("_", " "), *long]))


def words(name: str) -> Sequence[str]:
    """A list of words of ``decide/reads.yaml``."""
    return cast("Mapping[str, Sequence[str]]", table("winnow.decide", "reads.yaml"))[name]
