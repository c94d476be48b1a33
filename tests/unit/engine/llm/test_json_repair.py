"""Whatever a model writes, what it meant as JSON is found, or nothing is."""

from __future__ import annotations

import json
import random
from time import perf_counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.engine.llm.json_repair import MAX_JSON_OBJECTS, parse_output

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "room": {"type": "string"},
        "on": {"type": "boolean"},
        "level": {"type": "integer", "minimum": 0, "maximum": 100},
        "also": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["room", "on"],
}
MEANT = {"room": "书房", "on": True}

SHAPES = {
    "plain": '{"room": "书房", "on": true}',
    "byte order mark": '\ufeff{"room": "书房", "on": true}',
    "no-break and zero-width spaces": '{\u00a0"room":\u200b "书房",\u00a0"on": true\u200b}',
    "fence": '```json\n{"room": "书房", "on": true}\n```',
    "fence in capitals": 'Here:\n```JSON\n{"room": "书房", "on": true}\n```\nDone.',
    "fence of tildes": '~~~\n{"room": "书房", "on": true}\n~~~',
    "fence that never ends": '```json\n{"room": "书房", "on": true}',
    "fence on one line": '答案：```json {"room": "书房", "on": true}```',
    "fence after an object in prose": '{"room": "厨房", "on": false}\n```\n{"room": "书房", "on": true}\n```',
    "chatter": 'Sure! {"room": "书房", "on": true} Anything else?',
    "chatter with braces": '集合{甲,乙}里选：{"room": "书房", "on": true}',
    "chatter with an open brace": 'A { is needed first. {"room": "书房", "on": true}',
    "thoughts": '<think>{"room": "厨房", "on": false}?</think>{"room": "书房", "on": true}',
    "thoughts without a beginning": '{"room": "厨房", "on": false} no</think>{"room": "书房", "on": true}',
    "thoughts in capitals": '<Thinking>hm</Thinking> {"room": "书房", "on": true}',
    "channels": '<|channel|>analysis<|message|>?<|channel|>final<|message|>{"room": "书房", "on": true}',
    "single quotes": "{'room': '书房', 'on': True}",
    "Python constants": '{"room": "书房", "on": True, "level": None}',
    "trailing commas": '{"room": "书房", "on": true, "also": ["a",],}',
    "line comment": '{"room": "书房", // where\n "on": true # yes\n}',
    "comment after a word": '{"on": true // yes\n, "room": "书房"}',
    "block comment": '{/* it */"room": "书房", "on": /* so */ true}',
    "full-width punctuation": '｛"room"：“书房”，"on"：true｝',
    "full-width quotes": "{＂room＂: ＂书房＂, ＂on＂: true}",
    "typographic quotes": "{“room”: “书房”, ‘on’: true}",
    "corner brackets": '{"room": 「书房」, "on": true}',
    "bare keys": '{room: "书房", on: true}',
    "bare values": "{room: 书房, on: true}",
    "equals signs": '{room = "书房", on = true}',
    "lost end": '{"room": "书房", "on": true',
    "lost end in a list": '{"room": "书房", "on": true, "also": ["a"',
    "lost end after a key": '{"room": "书房", "on": true, "lev',
    "lost comma": '{"room": "书房" "on": true}',
    "lost comma at a line's end": '{"room": "书房"\n "on": true}',
    "lost beginning": '"room": "书房", "on": true}',
    "lost bracket": '{"room": "书房", "also": ["a", "b", "on": true}'.replace(', "on"', '], "on"'),
    "bracket of the wrong kind": '{"room": "书房", "on": true]',
    "wrapped in a list": '[{"room": "书房", "on": true}]',
    "wrapped in an object": '{"answer": {"room": "书房", "on": true}}',
    "doubled braces": '{{"room": "书房", "on": true}}',
    "several objects": '{"room": "书房", "on": true}\n{"room": "厨房", "on": false}',
    "an example that is not valid first": '{"room": "<room>", "on": "<bool>"}: {"room": "书房", "on": true}',
    "truth as text": '{"room": "书房", "on": "true"}',
    "truth in Chinese": '{"room": "书房", "on": "是"}',
    "truth in full width": '{"room": "书房", "on": "ＴＲＵＥ"}',
    "null for what is left out": '{"room": "书房", "on": true, "level": null}',
    "more than was asked for": '{"room": "书房", "on": true, "reason": "含}号"}',
    "quoted once more": '{\\"room\\": \\"书房\\", \\"on\\": true}',
    "JSON in a JSON text": json.dumps('{"room": "书房", "on": true}'),
    "a pair of surrogates in escapes": '{"room": "\\u4e66\\u623f", "on": true}',
}


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_is_read(shape: str) -> None:
    value = parse_output(SHAPES[shape], SCHEMA).value
    assert value is not None
    assert {k: value[k] for k in MEANT} == MEANT


@pytest.mark.parametrize(
    "output",
    [
        "",
        "书房，开",
        "{}",
        "[]",
        '{"room": "书房"}',
        '{"room": 3, "on": true}',
        '{"room": "书房", "on": "perhaps"}',
        '{"room": "书房", "on": 2}',
        '{"room": "书房", "on": true, "level": 101}',
        '{"room": "书房, "on": true}',
        '<think>{"room": "书房", "on": true}',
        '{"room": "书房", "on": tr',
        'Not {"room": "厨房", "on": false} but\n```\n{"room": "书房", "on": "maybe"}\n```',
    ],
)
def test_what_is_not_valid_is_nothing(output: str) -> None:
    assert parse_output(output, SCHEMA).value is None


def test_what_is_wrong_is_said() -> None:
    assert parse_output('{"on": "perhaps"}', SCHEMA).problems == (
        "room: missing",
        "on: expected boolean, found text",
    )
    assert parse_output("no object", SCHEMA).problems == ()


@pytest.mark.parametrize(
    ("output", "room"),
    [
        ('{"room": "他说"好"的那间", "on": true}', '他说"好"的那间'),
        ('{"room": "他说"好"，然后走", "on": true}', '他说"好"，然后走'),
        ("{'room': 'mum's room', 'on': true}", "mum's room"),
        ('{"room": "第一行\n第二行", "on": true}', "第一行\n第二行"),
        (r'{"room": "a\"b\\c\/d\u0041", "on": true}', 'a"b\\c/dA'),
        (r'{"room": "C:\dir", "on": true}', "C:\\dir"),
        (r'{"room": "\u12", "on": true}', r"\u12"),
        ('{"room": "<think>x</think>", "on": true}', "<think>x</think>"),
        ('{"room": "{\\"on\\": false}", "on": true}', '{"on": false}'),
        ('{"room": "see // this, # that", "on": true}', "see // this, # that"),
        (r'{"room": "\ud83d\ude00", "on": true}', "😀"),
        (r'{"room": "x\ud800", "on": true}', "x\ufffd"),
        ('{"room": "x\ud800", "on": true}', "x\ufffd"),
    ],
)
def test_text_keeps_what_it_says(output: str, room: str) -> None:
    value = parse_output(output, SCHEMA).value
    assert value is not None
    assert value["room"] == room


@pytest.mark.parametrize(
    ("output", "cut"),
    [
        ('{"on": true, "room": "书', True),
        ('{"on": true, "room": 书', True),
        ('{"room": "书房", "on": true, "level": 2', True),
        ('{"room": "书房", "on": true', False),
        ('{"room": "书房", "on": true}', False),
        ('{"room": "书房", "on": true} and {"x": "', False),
    ],
)
def test_an_end_inside_of_a_value_is_told(output: str, cut: bool) -> None:
    found = parse_output(output, SCHEMA)
    assert found.value is not None
    assert found.cut is cut


def test_only_so_many_objects_are_looked_at() -> None:
    wanted = '{"room": "书房", "on": true}'
    assert parse_output('{"x": 1}' * (MAX_JSON_OBJECTS - 1) + wanted, SCHEMA).value == MEANT
    assert parse_output('{"x": 1}' * MAX_JSON_OBJECTS + wanted, SCHEMA).value is None


@given(st.text(), st.text(alphabet="{}[]\"'：，:,“”\\ut/#*\n 1a<>`"))
def test_nothing_raises(some: str, marks: str) -> None:
    for output in (some, marks, "{" + some, '{"a": "' + marks):
        parse_output(output, SCHEMA)


PIECES_OF_JSON = "{{ }} \\u \\ud800 ``` // /* null <think> </think> True 1e999"
PIECES = [
    *"{}[]\"':,\n：，“”-\\\ud800\u0000\ufeff",
    *PIECES_OF_JSON.split(),
    *("9" * 400, '{"a":' * 80, "[" * 80),
]


def mutated(output: str, chance: random.Random) -> str:
    """The output after one to six accidents: cut, inserted, swapped, doubled, dropped."""
    for _ in range(chance.randint(1, 6)):
        at, to = sorted((chance.randint(0, len(output)), chance.randint(0, len(output))))
        kind = chance.randrange(5)
        if kind == 0:
            output = output[:to]
        elif kind == 1:
            output = output[:at] + chance.choice(PIECES) + output[at:]
        elif kind == 2:
            output = output[:at] + output[to:] + output[at:to]
        elif kind == 3:
            output = output[:to] + output[at:]
        else:
            output = output[:at] + output[at + 1 :]
    return output


HANGS = 30.0
"""Seconds that no machine needs for what grows as its text does; what grows as its square needs minutes."""


@pytest.mark.slow
def test_thousands_of_broken_outputs_never_raise_nor_last_nor_leave_the_schema() -> None:
    chance = random.Random(7)
    slowest = 0.0
    for _ in range(5000):
        output = mutated(chance.choice(list(SHAPES.values())), chance)
        start = perf_counter()
        value = parse_output(output, SCHEMA).value
        slowest = max(slowest, perf_counter() - start)
        if value is not None:
            assert value.keys() <= SCHEMA["properties"].keys()
            assert isinstance(value["room"], str)
            assert isinstance(value["on"], bool)
            json.dumps(value, ensure_ascii=False).encode()
    assert slowest < HANGS


LONG = 100_000
LONGER_SEEDS = """{} [] {" {' {"a": {"a":1} "a "," {[ [{ /* <think> </think> {“ ”" {\\" {a: -1 {"a":"b","""
SEEDS = [
    *"{[}\"',:\\/ \n｛，=",
    *LONGER_SEEDS.split(),
    *('", ', '" ', '"\n', "a ", "//\n", "```\n", "no { yes ", '"x" "', '{"a":"b", '),
]


@pytest.mark.slow
@pytest.mark.parametrize("start", ["", '{"a": "', '中{"a": ', "{"])
def test_a_hundred_thousand_characters_do_not_hang_it(start: str) -> None:
    for seed in SEEDS:
        output = start + seed * (LONG // len(seed))
        begun = perf_counter()
        parse_output(output, SCHEMA)
        assert perf_counter() - begun < HANGS, seed
