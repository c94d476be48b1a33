"""Numerals of a home's range as two kept libraries write them, read back; a sample also as orders."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import cn2an
import pytest
from num2words import num2words

import winnow
from winnow import Act, Utterance
from winnow.language.normalize import normalise
from winnow.language.numbers.find import find_numbers

Said = tuple[str, float, str]
"""A numeral as it is said, its value and its unit; without one any will do."""
ENOUGH = 0.98
"""The least share that must be read as the library meant it."""


def _english() -> Iterator[Said]:
    for n in [*range(401), *range(401, 1001, 7)]:
        yield num2words(n), n, ""
    for n in range(1, 40):
        yield f"{num2words(n)} and a half", n + 0.5, ""
        yield f"minus {num2words(n)}", -n, ""
        yield f"{num2words(n + 0.5)} degrees", n + 0.5, "degree"
    for n in range(0, 300, 3):
        yield num2words(n / 10), n / 10, ""
    for n in range(101):
        yield f"{num2words(n)} percent", n, "%"
        yield f"{num2words(n)} per cent", n, "%"
    for n in range(1, 21):
        yield f"{num2words(n, to='ordinal')} gear", n, "level"
        yield f"speed {num2words(n)}", n, "level"


def _chinese() -> Iterator[Said]:
    say: Callable[[float], str] = cn2an.an2cn
    for n in [*range(401), *range(401, 1001, 7)]:
        yield say(n), n, ""
    for n in range(0, 300, 3):
        yield say(n / 10), n / 10, ""
    for n in range(1, 41):
        yield say(-n), -n, ""
        yield f"零下{say(n)}度", -n, "degree"
        yield f"{say(n)}度半", n + 0.5, "degree"
        yield f"{say(n + 0.5)}度", n + 0.5, "degree"
        yield f"{say(n)}度", n, "degree"
    for n in range(101):
        yield f"百分之{say(n)}", n, "%"
    for n in range(1, 13):
        yield f"{say(n)}档", n, "level"
    for n in range(1, 10):
        yield f"{say(n)}成", 10 * n, "%"
        yield f"{say(n)}成半", 10 * n + 5, "%"


NUMERALS = {"en": ("set the dial to {}", tuple(_english())), "zh": ("把旋钮调到{}", tuple(_chinese()))}


@pytest.mark.parametrize("language", NUMERALS)
def test_what_a_library_of_numbers_writes_is_read_back(language: str) -> None:
    carrier, numerals = NUMERALS[language]
    assert len(numerals) >= 900
    missed = [said for said in numerals if not _reads(carrier, said)]
    assert len(missed) <= (1 - ENOUGH) * len(numerals), missed[:20]


def _reads(carrier: str, said: Said) -> bool:
    text, value, unit = said
    found = find_numbers(normalise(carrier.format(text)))
    if len(found) != 1 or abs(found[0].value - value) > 1e-6:
        return False
    return not unit or found[0].unit == unit


@pytest.mark.parametrize(
    ("home", "order", "step"),
    [("cottage", "set the desk lamp to {} percent", 20), ("home40", "把客厅主灯调到百分之{}", 20)],
)
def test_an_order_sets_what_was_said(home: str, order: str, step: int) -> None:
    engine = winnow.open(f"examples/homes/{home}")
    words = num2words if home == "cottage" else cn2an.an2cn
    for n in range(2, 101, step):
        verdict = engine.sync.retrieve(Utterance(order.format(words(n)))).verdict
        assert isinstance(verdict, Act), verdict
        assert [next(iter(c.arguments.values())) for c in verdict.calls] == [n], order.format(words(n))
