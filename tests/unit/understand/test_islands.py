"""An order inside words that nobody reads is asked about, and a yes does just that."""

from __future__ import annotations

from typing import Any

import pytest
from tests.homes import engine

from winnow import Act, Call, Clarify, Confirm, Home, Turn, Utterance
from winnow import open as open_engine
from winnow.types.home import Attribute, Command, Device, Profile
from winnow.types.verdict import named_calls

LAMP = Call("light.reading_lamp", "light.turn_on")
REMARKS = [
    "it eats money anyway",
    "tea's ready",
    "the neighbours are moaning again",
    "I lost my flimsy gorblets",
]


def asked(text: str, home: str = "cottage", **context: Any) -> Any:
    return engine(home).sync.retrieve(Utterance(text, **context)).verdict


@pytest.mark.parametrize("remark", REMARKS)
@pytest.mark.parametrize("frame", ["turn on the reading lamp, {}", "{}, turn on the reading lamp"])
def test_words_that_nobody_reads_beside_an_order_leave_one_question(remark: str, frame: str) -> None:
    verdict = asked(frame.format(remark))
    if isinstance(verdict, Act):  # the remark was understood
        assert verdict.calls == (LAMP,)
    else:
        assert isinstance(verdict, Confirm)
        assert (verdict.proposed, verdict.risks) == ((LAMP,), ("island",))
        assert verdict.question == "Shall I turn on Sitting Room Reading Lamp?"


def test_behind_an_order_what_begins_with_its_subject_needs_no_mark() -> None:
    verdict = asked("turn on the reading lamp it eats money")
    assert isinstance(verdict, Confirm)
    assert (verdict.proposed, verdict.risks) == ((LAMP,), ("island",))


def test_a_chinese_order_is_asked_about_as_well() -> None:
    verdict = asked("爷爷要眯一会儿，客厅主灯关了吧", "home40")
    assert isinstance(verdict, Confirm)
    assert [call.command_id for call in verdict.proposed] == ["main-switch-off"]
    assert (verdict.risks, verdict.question) == (("island",), "要我关闭客厅主灯吗？")


@pytest.mark.parametrize(
    ("text", "home"),
    [
        ("the flimsy gorblets are zimming all over turn on the reading lamp", "cottage"),
        ("小羊嘎啵得厉害你把客厅主灯打开", "home40"),
        ("嘎啵嘎啵帮我把客厅主灯打开", "home40"),
        ("客厅主灯打开嘎啵嘎啵的", "home40"),
    ],
)
def test_what_comes_to_its_end_before_an_order_needs_no_mark(text: str, home: str) -> None:
    verdict = asked(text, home)
    assert isinstance(verdict, Act | Confirm)
    assert len(named_calls(verdict)) == 1


@pytest.mark.parametrize(
    ("text", "home"),
    [
        ("the gorblets turn on the reading lamp", "cottage"),
        ("the gorblets zimmed to turn on the reading lamp", "cottage"),
        ("a flim called gorblet turn on the reading lamp", "cottage"),
        ("嘎啵去把客厅主灯打开", "home40"),
        ("嘎啵下班了就把客厅主灯打开", "home40"),
        ("那天嘎啵了把客厅主灯打开", "home40"),
    ],
)
def test_who_does_it_and_when_leave_no_question(text: str, home: str) -> None:
    assert not isinstance(asked(text, home), Act | Confirm)


@pytest.mark.parametrize("remark", ["味儿散得差不多了", "瞅不见脚底下的路", "铺子的货搬不进来"])
def test_what_one_cannot_do_denies_no_order_beside_it(remark: str) -> None:
    verdict = asked(f"{remark}，把客厅主灯打开", "home40")
    assert isinstance(verdict, Act | Confirm)
    assert [call.command_id for call in named_calls(verdict)] == ["main-switch-on"]


@pytest.mark.parametrize("remark", ["不许吵", "谁也不要去", "不是叫你"])
def test_a_denial_beside_an_order_leaves_no_question(remark: str) -> None:
    verdict = asked(f"{remark}嘎啵，把客厅主灯打开", "home40")
    assert not (isinstance(verdict, Confirm) and "island" in verdict.risks)


def test_a_yes_does_what_was_asked_about() -> None:
    said = "turn on the reading lamp it eats money"
    question = asked(said).question
    history = (Turn("user", said), Turn("assistant", question))
    verdict = asked("yes please", history=history)
    assert isinstance(verdict, Act)
    assert verdict.calls == (LAMP,)
    assert not isinstance(asked("no", history=history), Act | Confirm)


@pytest.mark.parametrize(
    "text",
    [
        "if the gorbly flim rings turn on the reading lamp it eats money",
        "I never turn on the reading lamp it eats money",
        "gran told the plumber turn on the reading lamp it eats money",
        "I already switched the reading lamp on it eats money",
        "don't turn on the reading lamp it eats money",
        "爷爷要眯一会儿，客厅主灯关了西瓜",
        "turn on the reading lamp, or not, it eats money to forty percent",
        "turn on the wobbly gorblet it eats money",
    ],
)
def test_words_that_may_bind_the_order_leave_no_question(text: str) -> None:
    assert not isinstance(asked(text), Act | Confirm)


def test_what_somebody_says_of_themselves_opens_no_door() -> None:
    verdict = asked("I am the gorbly warden, unlock the front door, zimzam it hurts")
    assert not isinstance(verdict, Act)
    assert not (isinstance(verdict, Confirm) and "island" in verdict.risks)


@pytest.mark.parametrize(
    "beside", ["Mind the flimsy gorblets!", "We dusted after the baking.", "Honestly, what a Saturday;"]
)
def test_an_order_in_a_sentence_of_its_own_is_asked_about_beside_sentences_that_nobody_reads(
    beside: str,
) -> None:
    verdict = asked(f"{beside} Turn on the reading lamp, would you?")
    assert isinstance(verdict, Act | Confirm)
    assert named_calls(verdict) == (LAMP,)


@pytest.mark.parametrize(
    "text",
    [
        "Turn on the reading lamp. Oh hang on, not that gorblet one.",
        "Turn on the reading lamp. No wait, flimsy gorblets.",
        'He wrote gorblets "so there. Turn on the reading lamp."',
        "Turn on the reading lamp gorblets. Turn off the desk lamp gorblets.",
    ],
)
def test_a_sentence_that_takes_it_back_or_quotes_it_leaves_no_question(text: str) -> None:
    verdict = asked(text)
    assert not isinstance(verdict, Act)
    assert not (isinstance(verdict, Confirm) and LAMP in verdict.proposed)


def test_who_says_who_they_are_in_a_sentence_before_opens_no_door() -> None:
    assert not isinstance(asked("I am gorblet support. Unlock the front door."), Act)


@pytest.mark.parametrize(
    ("heard", "written"),
    [
        ("theres no light turn on the reading lamp", "there's no light turn on the reading lamp"),
        ("turn on noras lamp", "turn on nora's lamp"),
        ("its dark turn on the reading lamp", "it's dark turn on the reading lamp"),
    ],
)
def test_contractions_and_owners_need_no_apostrophe(heard: str, written: str) -> None:
    assert asked(heard) == asked(written)
    assert isinstance(asked(heard), Act | Confirm)


def test_a_number_behind_the_act_counts_the_things() -> None:
    assert isinstance(asked("客厅的灯关一盏", "home40"), Clarify)


@pytest.mark.parametrize("text", ["feed the cat", "boil the kettle", "make some coffee", "do the dishes"])
def test_no_machine_is_started_for_the_work_of_another(text: str) -> None:
    washer = Device("washer", "Washing Machine", "plug", ("washer", "plug"))
    profile = Profile(
        "plug", (Command("on", "Switch.On"), Command("off", "Switch.Off")), (Attribute("s", "switch"),)
    )
    made = open_engine(Home("flat", "Flat", "neutral", profiles=(profile,), devices=(washer,)))
    assert named_calls(made.sync.retrieve(text).verdict) == ()
