"""What holds for every home and every sentence."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from importlib.resources import files

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.homes import embedder, engine, imported, over
from tests.property.houses import (
    PETS_EN,
    PETS_ZH,
    PROFILES,
    ROOMS_EN,
    House,
    houses,
    sentences,
    spoken,
    times,
)
from tests.scenarios.runner import collected

from winnow import Engine
from winnow.app.wiring.engine import open_engine
from winnow.engine.policy import Policy
from winnow.types.home import Device, Home, Profile, Room
from winnow.types.utterance import Utterance
from winnow.types.verdict import Call, Clarify, Query, Refuse, Verdict, named_calls

pytestmark = pytest.mark.slow


def answer(house: Home, text: str, room: str | None = None) -> Verdict:
    return over(house).sync.retrieve(Utterance(text, room=room)).verdict


def essence(verdict: Verdict) -> tuple[object, ...]:
    """What a verdict does, without its wording."""
    calls = sorted(
        (c.device_id, c.command_id, repr(sorted(c.arguments.items()))) for c in named_calls(verdict)
    )
    options = sorted(o.device_ids for o in verdict.options) if isinstance(verdict, Clarify) else []
    codes = [r.code for r in verdict.refusals] if isinstance(verdict, Refuse) else []
    reads = sorted((r.device_id, r.attribute_id) for r in verdict.reads) if isinstance(verdict, Query) else []
    return (type(verdict).__name__, calls, options, codes, reads)


# exceptions


@times(25)
@given(data=st.data(), house=houses())
def test_an_excepted_device_is_never_called(data: st.DataObject, house: House) -> None:
    lamps = house.named("lamp")
    assume(lamps)
    spared = data.draw(st.sampled_from(lamps))
    templates = (
        ("除了{}，把所有灯都关掉", "所有灯都关掉，{}除外")
        if house.language == "zh"
        else ("turn off all the lights except {}", "all lights off but not {}")
    )
    text = data.draw(st.sampled_from(templates)).format(house.called(spared))
    assert spared.id not in {c.device_id for c in named_calls(answer(house.home, text))}


@times(20)
@given(data=st.data(), house=houses())
def test_an_excepted_room_is_never_touched(data: st.DataObject, house: House) -> None:
    room = data.draw(st.sampled_from(house.home.rooms))
    text = (
        f"除了{room.name}，其他房间的灯全部打开"
        if house.language == "zh"
        else f"turn on every light except in the {room.name}"
    )
    touched = {c.device_id for c in named_calls(answer(house.home, text))}
    assert not touched & {d.id for d in house.home.devices if d.room_id == room.id}


EVERY = {"zh": "把所有灯都{}", "en": "turn {} all the lights"}
BUT = {
    "zh": (
        "除了{x}，把所有灯都{act}",
        "所有灯都{act}，{x}除外",
        "{x}以外的灯全部{act}",
        "把灯都{act}，不包括{x}",
        "{x}的别动，其他的灯都{act}",
    ),
    "en": (
        "turn {act} all the lights except {x}",
        "all the lights {act} but not {x}",
        "apart from {x}, turn {act} every light",
    ),
}
ACTS = {"zh": ("打开", "关掉"), "en": ("on", "off")}


@times(40)
@given(data=st.data(), house=houses())
def test_all_are_those_but_the_excepted_and_the_excepted(data: st.DataObject, house: House) -> None:
    lamps = house.named("lamp")
    assume(lamps)
    one = data.draw(st.sampled_from(lamps))
    room = data.draw(st.booleans())
    left = {d.id for d in lamps if (d.room_id == one.room_id if room else d is one)}
    where = house.room_name(one) if house.language == "zh" else f"the {house.room_name(one)}"
    act = data.draw(st.sampled_from(ACTS[house.language]))
    text = data.draw(st.sampled_from(BUT[house.language])).format(
        x=where if room else house.called(one), act=act
    )
    every = {c.device_id for c in named_calls(answer(house.home, EVERY[house.language].format(act)))}
    others = {c.device_id for c in named_calls(answer(house.home, text))}
    assert every == {d.id for d in lamps}
    assert not others & left, text
    assert others | left == every, text


# several orders in one sentence

CLAUSES: dict[str, dict[str, tuple[str, ...]]] = {
    "zh": {
        "lamp": ("打开{}", "把{}关掉", "把{}调到40%"),
        "plug": ("打开{}", "关掉{}"),
        "shade": ("把{}拉上", "打开{}"),
        "cooler": ("{}调到24度", "关掉{}"),
    },
    "en": {
        "lamp": ("turn on {}", "set {} to 40 percent"),
        "plug": ("turn on {}", "switch off {}"),
        "shade": ("close {}", "open {}"),
        "cooler": ("set {} to 24 degrees", "turn off {}"),
    },
}
JOINTS = {"zh": ("，", "，再", "，然后", "；"), "en": (", ", " and ", ", then ")}


@times(30)
@given(data=st.data(), house=houses())
def test_the_order_of_clauses_is_that_of_the_calls(data: st.DataObject, house: House) -> None:
    table = CLAUSES[house.language]
    able = house.named(*table)
    assume(able)
    chosen = data.draw(st.lists(st.sampled_from(able), min_size=1, max_size=5, unique_by=lambda d: d.id))
    said = [(d, data.draw(st.sampled_from(table[d.profile_id])).format(house.called(d))) for d in chosen]
    said = [
        (d, clause)
        for d, clause in said
        if [c.device_id for c in named_calls(answer(house.home, clause))] == [d.id]
    ]
    joint = data.draw(st.sampled_from(JOINTS[house.language]))
    for order in (said, data.draw(st.permutations(said))):
        text = joint.join(clause for _, clause in order)
        assert [c.device_id for c in named_calls(answer(house.home, text))] == [d.id for d, _ in order], text


# ways of saying the same


def traditional() -> dict[int, str]:
    traditional, simplified = (files("winnow.language.zh") / "t2s.txt").read_text("utf-8").split("\n")[:2]
    table: dict[int, str] = {}
    for old, new in zip(traditional, simplified, strict=True):
        table.setdefault(ord(new), old)
    return table


def full_width(text: str) -> str:
    return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text)


POLITE = {
    "zh": ("麻烦你", "请", "拜托，", "帮我"),
    "en": ("please ", "Could you ", "hey, ", "can you please "),
}
SAID = [
    s
    for s in collected()
    if s.expect["decision"] in {"act", "confirm", "clarify"} and not s.utterance.history
]
STEMS = ("zh_plain", "zh_values", "zh_which", "zh_verbs", "en_plain", "en_values", "en_which")
ORDERS = [s for s in SAID if s.file in STEMS]


def same(name: str, utterance: Utterance, text: str) -> None:
    before, after = (
        essence(engine(name).sync.retrieve(u).verdict) for u in (utterance, replace(utterance, text=text))
    )
    assert after == before, f"{utterance.text!r} and {text!r}"


@times(45)
@given(scenario=st.sampled_from(SAID))
def test_traditional_script_changes_nothing(scenario) -> None:
    same(scenario.home, scenario.utterance, scenario.utterance.text.translate(traditional()))


@times(30)
@given(scenario=st.sampled_from(SAID))
def testfull_width_letters_change_nothing(scenario) -> None:
    same(scenario.home, scenario.utterance, full_width(scenario.utterance.text))


@times(30)
@given(
    scenario=st.sampled_from(SAID),
    before=st.sampled_from((" ", "\n", "\u3000", "\ufeff")),
    after=st.sampled_from((" ", "\t", "\u200b", "。", "！")),
)
def test_spaces_around_change_nothing(scenario, before: str, after: str) -> None:
    same(scenario.home, scenario.utterance, before + scenario.utterance.text.replace(" ", "  ") + after)


@times(45)
@given(scenario=st.sampled_from(ORDERS), data=st.data())
def test_politeness_changes_nothing(scenario, data: st.DataObject) -> None:
    polite = data.draw(st.sampled_from(POLITE[scenario.file[:2]]))
    same(scenario.home, scenario.utterance, polite + scenario.utterance.text)


@times(15)
@given(house=houses("zh"), data=st.data())
def test_spaces_between_chinese_words_change_nothing(house: House, data: st.DataObject) -> None:
    device = data.draw(st.sampled_from(house.home.devices))
    words = ["打开", house.room_name(device), "的", device.name]
    assert essence(answer(house.home, " ".join(words))) == essence(answer(house.home, "".join(words)))


@times(15)
@given(house=houses("en"), data=st.data())
def test_capitals_change_nothing(house: House, data: st.DataObject) -> None:
    text = f"turn on {house.called(data.draw(st.sampled_from(house.home.devices)))}"
    assert essence(answer(house.home, text.upper())) == essence(answer(house.home, text.lower()))


# the budget


def within(known: Engine, budget: int) -> Engine:
    """An engine of that budget over what the other one has opened."""
    small = Engine(known.storage, known.embedder, policy=Policy(budget=budget))
    small.homes = known.homes
    return small


@times(25)
@given(house=houses(), data=st.data())
def test_a_briefing_never_exceeds_its_budget(house: House, data: st.DataObject) -> None:
    for _ in range(4):
        text, budget = data.draw(sentences(house)), data.draw(st.integers(40, 400))
        small = within(over(house.home), budget)
        assert small.sync.retrieve(text).briefing.tokens <= budget, text


@times(30)
@given(scenario=st.sampled_from(SAID), budget=st.integers(40, 400))
def test_a_briefing_about_a_large_home_never_exceeds_its_budget(scenario, budget: int) -> None:
    small = within(engine(scenario.home), budget)
    assert small.sync.retrieve(scenario.utterance).briefing.tokens <= budget


# other things in the home

STRANGER = Device("zz-extra", "奎屯罗盘", "zz-meter", ("sensor",), room_id="zz-room")


@lru_cache(maxsize=8)
def _with_stranger(name: str) -> Engine:
    known = imported(name).home
    wider = replace(
        known,
        rooms=(*known.rooms, Room("zz-room", "钟鼓楼")),
        profiles=(*known.profiles, Profile("zz-meter")),
        devices=(*known.devices, STRANGER),
    )
    return open_engine(replace(imported(name), home=wider), embedder=embedder())


@times(45)
@given(scenario=st.sampled_from(SAID))
def test_a_device_nobody_speaks_of_changes_nothing(scenario) -> None:
    verdict = _with_stranger(scenario.home).sync.retrieve(scenario.utterance).verdict
    assert isinstance(verdict, Clarify) or essence(verdict) == essence(
        engine(scenario.home).sync.retrieve(scenario.utterance).verdict
    )


@times(20)
@given(house=houses(), data=st.data())
def test_a_second_device_of_that_name_can_only_make_it_a_question(house: House, data: st.DataObject) -> None:
    device = data.draw(st.sampled_from(house.home.devices))
    text = f"打开{house.called(device)}" if house.language == "zh" else f"turn on {house.called(device)}"
    twin = replace(device, id="zz-twin", room_id="zz-room")
    wider = replace(
        house.home,
        rooms=(*house.home.rooms, Room("zz-room", "钟鼓楼" if house.language == "zh" else "Observatory")),
        devices=(*house.home.devices, twin),
    )
    after = answer(wider, text)
    assert isinstance(after, Clarify) or essence(after) == essence(answer(house.home, text))


# names are data


@times(20)
@given(house=houses(), data=st.data())
def test_renaming_a_device_changes_nothing_but_its_name(house: House, data: st.DataObject) -> None:
    pets = PETS_ZH if house.language == "zh" else PETS_EN
    device = data.draw(
        st.sampled_from([d for d in house.home.devices if d.profile_id != "meter"] or [house.home.devices[0]])
    )
    before, after = data.draw(st.permutations(pets))[:2]
    template = data.draw(
        st.sampled_from(
            ("打开{}", "把{}关掉", "{}调到四成")
            if house.language == "zh"
            else ("turn on {}", "turn {} off", "set {} to 40 percent")
        )
    )
    verdicts = [
        essence(answer(_renamed(house.home, device, name), template.format(name))) for name in (before, after)
    ]
    assert verdicts[0] == verdicts[1]


def _renamed(house: Home, device: Device, name: str) -> Home:
    return replace(
        house, devices=tuple(replace(d, name=name) if d.id == device.id else d for d in house.devices)
    )


@pytest.mark.parametrize("name", PETS_EN)
def test_a_given_name_switches_its_lamp(name: str) -> None:
    lamp = Device("d", name, "lamp", ("light",), room_id="r")
    house = Home("h", "h", "neutral", (), (Room("r", ROOMS_EN[0]),), PROFILES, (lamp,))
    assert named_calls(answer(house, f"turn on {name}")) == (Call("d", "on", {}),)


@times(15)
@given(pair=spoken())
def test_the_order_of_devices_changes_nothing(pair: tuple[House, str]) -> None:
    house, text = pair
    turned = replace(
        house.home, devices=tuple(reversed(house.home.devices)), rooms=tuple(reversed(house.home.rooms))
    )
    assert essence(answer(turned, text)) == essence(answer(house.home, text))


@times(15)
@given(pair=spoken())
def test_the_same_words_get_the_same_answer(pair: tuple[House, str]) -> None:
    house, text = pair
    first, again = answer(house.home, text), answer(house.home, text)
    assert first == again == open_engine(house.home).sync.retrieve(text).verdict
