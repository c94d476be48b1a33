"""Which of the values a parameter lists is meant.

By its name, by its number, by a bare verb, as an end of the range, or so many levels from the present one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import cast

from winnow.language.content_words import RESTING, STARTING, STOPPING
from winnow.language.kinds import group_of, near
from winnow.language.lexicon import surfaces
from winnow.language.normalize import fold, normalise
from winnow.language.tables import table
from winnow.types.home import Choice, Parameter, Scalar
from winnow.types.query import Value

ChoiceValue = str | int | float | bool
"""A value that a parameter lists."""

STARTING_VERBS = STARTING - {"open"}
"""Verbs that any value fulfils but one of rest; what is opened has no such value."""


def choice_by_mode(parameter: Parameter, value: Value) -> ChoiceValue | None:
    """The choice that a mode word names.

    By its wire value or a text of it; else by a part of a text, as it was said; else by a part of either.
    """
    said = fold(value.unit)  # of a mode the unit holds the word as it was said
    words = frozenset({fold(value.text), said, *_ways_of_saying(value.text)} - {""})
    longer = [w for w in words if len(w) > 1]  # one character is part of too many words to tell anything
    found = (
        next((c for c in parameter.choices if not words.isdisjoint((_wire_name(c), *_choice_texts(c)))), None)
        or _choice_of_groups(parameter, {value.text} - {""})
        or _choice_with_part(parameter, {said} - {""}, wire=False)
        or _choice_with_part(parameter, longer, wire=True)
        or _choice_of_groups(parameter, near(value.text))
    )
    return found.value if found else None


def choice_by_number(parameter: Parameter, number: float, unit: str) -> ChoiceValue | None:
    """The choice called by this number; where levels were said, the speed it counts to."""
    text = f"{number:g}"
    called = next((c.value for c in parameter.choices if _wire_name(c) == text), None)
    if called is not None or unit != "level":
        return called
    speeds = choices_with_names(parameter, _choice_words("speeds"))
    return speeds[int(number) - 1] if 1 <= number <= len(speeds) else None


def choice_by_verb(action: str, parameter: Parameter) -> ChoiceValue | None:
    """The choice a bare verb means: some running value for on, a stopped one for off."""
    by_name = {_wire_name(c): c.value for c in parameter.choices}
    wanted = _stopped_names() if action in STOPPING else _choice_words("running")
    if action in {"pause", "dock"}:
        wanted = _choice_words(action)
    found = next((by_name[w] for w in wanted if w in by_name), None)
    if found is None and action in STARTING_VERBS:
        return next((c.value for c in parameter.choices if _wire_name(c) not in _stopped_names()), None)
    return found


def extreme_choice(parameter: Parameter, direction: int) -> ChoiceValue | None:
    """The fastest speed (``direction`` +1) or the slowest that is no stop."""
    speeds = _in_order(parameter, (*_choice_words("slowest"), *_choice_words("speeds")))
    if not speeds:
        return None
    return speeds[-1] if direction > 0 else speeds[0]


def step_choice(parameter: Parameter, direction: int) -> ChoiceValue | None:
    """The choice that is itself a step: ``up`` or ``down``."""
    return next(iter(choices_with_names(parameter, ("up" if direction > 0 else "down",))), None)


def speed_after_steps(parameter: Parameter, steps: int, told: Iterable[Scalar]) -> ChoiceValue | None:
    """The speed so many levels from the one that is ``told``, never past an end."""
    speeds = _in_order(parameter, _choice_words("speeds"))
    return speeds[min(max(_place_told(speeds, told) + steps, 0), len(speeds) - 1)] if speeds else None


def height_after_steps(
    parameter: Parameter, steps: int, told: Iterable[Scalar], *, listed: bool
) -> ChoiceValue | None:
    """The swing position so many levels from the one that is ``told``; None past an end.

    Counted from the lowest, or as they are ``listed``.
    """
    names = _choice_words("heights")
    heights = choices_with_names(parameter, names) if listed else _in_order(parameter, names)
    goal = _place_told(heights, told) + steps
    return heights[goal] if 0 <= goal < len(heights) else None


def choices_with_names(parameter: Parameter, names: Collection[str]) -> list[ChoiceValue]:
    """The choices with these names, in the order of the parameter."""
    return [c.value for c in parameter.choices if _wire_name(c) in names]


def _in_order(parameter: Parameter, names: Sequence[str]) -> list[ChoiceValue]:
    """The choices with these names, in the order of the names."""
    return [value for name in names for value in choices_with_names(parameter, (name,))]


def _place_told(ordered: Sequence[ChoiceValue], told: Iterable[Scalar]) -> int:
    """Where the one that is told stands; the middle where none is."""
    reported = {normalise(str(t)) for t in told}
    return next((i for i, v in enumerate(ordered) if normalise(str(v)) in reported), len(ordered) // 2)


def _stopped_names() -> Sequence[str]:
    return (*RESTING, *_choice_words("stopped"))


def _choice_of_groups(parameter: Parameter, groups: Collection[str]) -> Choice | None:
    """The one choice of these groups of words; of two nobody knows which."""
    found = [c for c in parameter.choices if not _choice_groups(c).isdisjoint(groups)]
    return found[0] if len(found) == 1 else None


def _choice_with_part(parameter: Parameter, words: Collection[str], *, wire: bool) -> Choice | None:
    """The first choice with one of the words in a text of it or, with ``wire``, in its wire value."""
    for choice in parameter.choices:
        texts = (_wire_name(choice), *_choice_texts(choice)) if wire else _choice_texts(choice)
        if any(word in text for text in texts for word in words):
            return choice
    return None


def _choice_groups(choice: Choice) -> frozenset[str]:
    return frozenset(map(group_of, (str(choice.value), *choice.text.split(" / ")))) - {""}


def _choice_texts(choice: Choice) -> tuple[str, ...]:
    return tuple(fold(text) for text in choice.text.split(" / "))


def _wire_name(choice: Choice) -> str:
    return fold(str(choice.value))


def _choice_words(name: str) -> Sequence[str]:
    return cast("Mapping[str, Sequence[str]]", table("winnow.decide", "choices.yaml"))[name]


@lru_cache(maxsize=256)
def _ways_of_saying(mode: str) -> tuple[str, ...]:
    """Every folded word of the lexicon for a canonical mode."""
    return tuple(fold(word) for word, canonical in surfaces("mode").items() if canonical == mode)
