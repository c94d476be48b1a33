"""An instruction of a model's answer becomes the plain sentence that the rules read again."""

from __future__ import annotations

from typing import Any

import pytest

from winnow.types.query import Quantifier
from winnow.understand.prompts.compile import MAX_SLOT_CHARS, InstructionSlots, instruction_slots


@pytest.mark.parametrize(
    ("row", "plain"),
    [
        ({"action": "打开", "type_hint": "light"}, "把灯打开"),
        ({"action": "打开", "name_hint": "落地灯", "type_hint": "light"}, "把落地灯打开"),
        ({"action": "打开"}, "打开"),
        (
            {"action": "关掉", "type_hint": "light", "scope_include": ["客厅", "书房"], "quantifier": "all"},
            "把客厅和书房所有灯关掉",
        ),
        (
            {"action": "关掉", "type_hint": "light", "quantifier": "except", "scope_exclude": ["主卧"]},
            "除了主卧，把所有灯关掉",
        ),
        (
            {"action": "关掉", "type_hint": "light", "scope_exclude": ["主卧"], "excluded": ["台灯"]},
            "除了主卧、台灯，把灯关掉",
        ),
        ({"action": "调到", "name_hint": "空调", "value": "26度"}, "把空调调到26度"),
        (
            {"action": "打开", "name_hint": "空调", "conditions": ["室温高于30度"]},
            "如果室温高于30度，就把空调打开",
        ),
        (
            {"action": "打开", "name_hint": "空调", "conditions": ["如果下雨的话", "没人"]},
            "如果下雨而且没人，就把空调打开",
        ),
        (
            {
                "action": "关",
                "name_hint": "空调",
                "negated": True,
                "excluded": ["大白"],
                "conditions": ["下雨"],
            },
            "如果下雨，就除了大白，别关空调",
        ),
    ],
)
def test_in_chinese(row: dict[str, Any], plain: str) -> None:
    assert instruction_slots(row, "zh").plain("zh") == plain


@pytest.mark.parametrize(
    ("row", "plain"),
    [
        ({"action": "turn on", "type_hint": "light"}, "turn on the light"),
        ({"action": "turn on", "name_hint": "floor lamp", "type_hint": "light"}, "turn on the floor lamp"),
        ({"action": "leave"}, "leave"),
        (
            {
                "action": "turn off",
                "type_hint": "light",
                "quantifier": "all",
                "scope_include": ["hall", "den"],
            },
            "turn off all the lights in the hall and the den",
        ),
        (
            {"action": "shut", "name_hint": "awning", "quantifier": "all"},
            "shut all the awning",
        ),
        (
            {"action": "turn off", "type_hint": "light", "quantifier": "except", "scope_exclude": ["attic"]},
            "turn off all the lights except the attic",
        ),
        (
            {"action": "turn off", "type_hint": "light", "scope_exclude": ["attic"], "excluded": ["owl"]},
            "turn off the light except the attic and owl",
        ),
        ({"action": "set", "name_hint": "heater", "value": "21 degrees"}, "set the heater to 21 degrees"),
        (
            {"action": "open", "name_hint": "awning", "conditions": ["if it is dry", "it is hot"]},
            "if it is dry and it is hot, open the awning",
        ),
        ({"action": "open", "name_hint": "awning", "negated": True}, "do not open the awning"),
    ],
)
def test_in_english(row: dict[str, Any], plain: str) -> None:
    assert instruction_slots(row, "en").plain("en") == plain


def test_a_name_counts_before_the_kind() -> None:
    assert InstructionSlots(name="owl", kind="light").thing == "owl"
    assert InstructionSlots(kind="light").thing == "light"


def test_what_is_not_there_is_empty() -> None:
    assert instruction_slots({}, "zh") == InstructionSlots()
    assert (
        instruction_slots(
            {"action": 3, "scope_include": "客厅", "excluded": [1, " "], "negated": "yes"}, "zh"
        )
        == InstructionSlots()
    )


def test_every_slot_is_kept_as_it_was_filled() -> None:
    row = {
        "action": " 打开 ",
        "type_hint": "light",
        "name_hint": "台灯",
        "scope_include": ["书房"],
        "scope_exclude": ["主卧"],
        "excluded": ["吊灯"],
        "quantifier": "all",
        "value": "30%",
        "conditions": ["下雨"],
        "negated": True,
    }
    assert instruction_slots(row, "zh") == InstructionSlots(
        action="打开",
        kind="light",
        name="台灯",
        places=("书房",),
        not_places=("主卧",),
        excluded=("吊灯",),
        quantifier=Quantifier.ALL,
        value="30%",
        conditions=("下雨",),
        negated=True,
    )


def test_an_unknown_kind_is_none() -> None:
    assert instruction_slots({"type_hint": "Unknown"}, "en").kind == ""


def test_only_a_chinese_sentence_has_no_latin_action() -> None:
    assert instruction_slots({"action": "turn on"}, "zh").action == ""
    assert instruction_slots({"action": "turn on"}, "en").action == "turn on"


def test_a_slot_without_end_is_cut() -> None:
    assert len(instruction_slots({"name_hint": "灯" * 200}, "zh").name) == MAX_SLOT_CHARS
    assert len(instruction_slots({"excluded": ["灯" * 200]}, "zh").excluded[0]) == MAX_SLOT_CHARS
