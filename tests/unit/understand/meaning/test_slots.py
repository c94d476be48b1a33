"""What each word of an order is for: the act, the value, how many, when, which things, what is let be."""

from __future__ import annotations

import pytest
from tests.homes import engine

from winnow.language.normalize import normalise
from winnow.understand.meaning.slots import Slots, place_word
from winnow.understand.reading import tokens_of

FIELDS = ("verbs", "steps", "properties", "numbers", "colors", "modes", "references", "questions", "timings")


def slots_of(said: str) -> Slots:
    """The words of what is said by their use."""
    home = "cottage" if said.isascii() else "home40"
    tokens = tokens_of(normalise(said), engine(home).sync.load_home().vocabulary, reading=True)
    slots = Slots()
    for at, token in enumerate(tokens):
        place_word(slots, token, tokens, at)
    return slots


def uses_of(slots: Slots) -> dict[str, object]:
    """What is in them, but for what is empty: of most words what they mean, of the target what was said."""
    found: dict[str, object] = {
        name: [token.data.get("is", token.data.get("value")) for token in getattr(slots, name)]
        for name in FIELDS
    }
    found |= {"target": [token.text for token in slots.target], "flags": slots.flags}
    found |= {"little": slots.little, "doubts": slots.doubts}
    return {name: value for name, value in found.items() if value} | (
        {} if slots.count is None else {"count": slots.count}
    )


OFF = {"verbs": ["off"]}
LAMP, LAMPS = {"target": ["lamp"]}, {"target": ["lamps"]}


@pytest.mark.parametrize(
    ("said", "uses"),
    [
        # How many, or how far
        ("half of the lamps off", OFF | LAMPS | {"count": 0}),
        ("turn the lamps up by three", LAMPS | {"steps": ["+"], "numbers": [3.0], "flags": {"by"}}),
        ("turn on half", {"verbs": ["on"], "numbers": [50.0]}),
        ("turn off three lamps", OFF | LAMPS | {"count": 3, "flags": {"all", "count"}}),
        ("turn both lamps off", OFF | LAMPS | {"count": 2, "flags": {"both"}}),
        ("turn these two off", OFF | {"references": ["last"], "count": 2}),
        ("one of the lamps off", OFF | LAMPS | {"count": 1}),
        ("turn off the lamps, all three", OFF | LAMPS | {"flags": {"all"}}),
        (
            "three lamps to 40 percent",
            {"numbers": [40.0], "count": 3, "flags": {"all", "count", "to"}} | LAMPS,
        ),
        (
            "set three lamps to red",
            {"verbs": ["set"], "colors": ["red"], "count": 3, "flags": {"all", "count", "to"}} | LAMPS,
        ),
        ("set the lamp to three", {"verbs": ["set"], "numbers": [3.0], "flags": {"to"}} | LAMP),
        # A number of a name, of a row, of a time
        ("lamp 2 on", {"verbs": ["on"], "target": ["lamp", "2"]}),
        ("lamp 10 on", {"verbs": ["on"], "target": ["lamp", "10"]}),
        ("lamp 12 on", {"verbs": ["on"], "numbers": [12.0]} | LAMP),
        ("the first lamp off", OFF | LAMP | {"references": ["ordinal"]}),
        ("in 10 minutes turn off the lamp", OFF | LAMP | {"timings": [10.0]}),
        ("turn off the lamp for 10 minutes", OFF | LAMP | {"numbers": [10.0]}),
        ("at 7 o'clock turn off the lamp", OFF | LAMP | {"timings": [7.0], "flags": {"to"}}),
        ("from 20 to 30 degrees", {"numbers": [30.0], "flags": {"to"}}),
        ("turn it up a degree", {"steps": ["volume+"], "numbers": [1.0]}),
        # What is left as it is, and what only sounds like it
        ("leave it on", {"verbs": ["on"], "references": ["last"], "flags": {"keep"}}),
        (
            "keep it at 50 percent",
            {"verbs": ["set"], "numbers": [50.0], "references": ["last"], "flags": {"to"}},
        ),
        ("the spare plug off", OFF | {"target": ["spare", "plug"]}),
        ("skip the garage", {"target": ["garage"], "flags": {"keep"}}),
        ("skip this song", {"verbs": ["next"]}),
        ("don't turn off the lamp", OFF | LAMP | {"flags": {"not"}}),
        ("no lights on", {"verbs": ["on"], "target": ["lights"], "flags": {"not"}}),
        ("no", {}),
        # An order, or a word for how something is
        ("it's shut", {}),
        ("shut down the tv", OFF | {"target": ["tv"]}),
        ("unlock the front door lock", {"verbs": ["unlock"], "target": ["front door"]}),
        ("turn the light on the balcony off", OFF | {"target": ["light", "balcony"]}),
        ("lamp on in here", {"verbs": ["on"], "target": ["lamp", "in here"]}),
        ("light the lamps in the kitchen", {"verbs": ["illuminate"], "target": ["lamps", "kitchen"]}),
        ("make the house dark", {"verbs": ["set", "off"], "target": ["house", "dark"]}),
        ("the whole house dark", OFF | {"target": ["whole house", "dark"]}),
        ("the dark lamp", {"target": ["dark", "lamp"]}),
        (
            "make the lamp a bit brighter",
            {"verbs": ["set"], "steps": ["brightness+"], "flags": {"small"}, "little": "a bit"} | LAMP,
        ),
        (
            "fan speed to 3",
            {"properties": ["fan_speed"], "numbers": [3.0], "flags": {"to"}, "target": ["fan"]},
        ),
        (
            "fan speed of the purifier to 3",
            {"properties": ["fan_speed"], "numbers": [3.0], "flags": {"to"}, "target": ["purifier"]},
        ),
        # In Chinese
        ("关三盏灯", {"verbs": ["off_close"], "target": ["灯"], "count": 3, "flags": {"all", "count"}}),
        ("客厅的灯关一盏", {"verbs": ["off_close"], "target": ["客厅", "灯"], "count": 1}),
        ("这两盏灯关了", {"verbs": ["off_close"], "target": ["灯"], "count": 2, "flags": {"both", "count"}}),
        ("灯都百分之四十", {"numbers": [40.0], "target": ["灯"], "flags": {"all"}}),
        (
            "主灯调到四成亮",
            {"verbs": ["set"], "properties": ["brightness"], "numbers": [40.0], "target": ["主灯"]},
        ),
        ("第二盏灯关掉", {"verbs": ["off_close"], "target": ["灯"], "references": ["ordinal"]}),
        ("十分钟后关灯", {"verbs": ["off_close"], "target": ["灯"], "timings": [10.0, "after"]}),
        ("关灯十分钟", {"verbs": ["off_close"], "target": ["灯"], "numbers": [10.0]}),
        ("把灯开了", {"verbs": ["on_open"], "target": ["灯"]}),
        ("灯开了", {"questions": ["state"], "target": ["灯"]}),
        ("没用的灯关了", {"verbs": ["off_close"], "target": ["灯"], "doubts": ["没"]}),
        ("风速改静音", {"verbs": ["set"], "properties": ["fan_speed"], "modes": ["quiet"]}),
        ("不用关灯", {"verbs": ["off_close"], "target": ["灯"], "flags": {"not"}}),
        ("跳过车库", {"target": ["车库"], "flags": {"keep"}}),
    ],
)
def test_each_word_is_put_where_it_belongs(said: str, uses: dict[str, object]) -> None:
    assert uses_of(slots_of(said)) == uses


@pytest.mark.parametrize(
    ("said", "acts", "sets"),
    [
        ("lamp 40 percent", True, True),
        ("lamp red", True, True),
        ("turn off the lamp for 10 minutes", True, False),
        ("the lamp for 10 minutes", False, False),
        ("the lamp in the kitchen", False, False),
        ("interval 10 minutes", True, True),
        ("brightness 10 minutes", False, False),
        ("灯开着", True, False),
        ("开着", False, False),
    ],
)
def test_a_length_of_time_is_no_setting_and_a_thing_alone_no_act(said: str, acts: bool, sets: bool) -> None:
    slots = slots_of(said)
    assert (slots.has_act, slots.has_value) == (acts, sets)
