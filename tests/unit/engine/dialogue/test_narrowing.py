"""An answer leaves less than was asked about: which of the dangerous acts, which of many lamps."""

from __future__ import annotations

from itertools import count

import pytest
from tests.homes import engine

from winnow.engine.answers import parse_answer
from winnow.types.retrieval import Retrieval
from winnow.types.utterance import Turn, Utterance
from winnow.types.verdict import Act, Clarify, Confirm, Nothing, Refuse, named_calls

DOORS = "unlock the front door and the side door"
HEATERS = "浴霸和热水器都打开"
FRONT, SIDE = "lock.front_door", "lock.side_door"
SESSIONS = count()


def said(home: str, *turns: str) -> Retrieval:
    """What comes of the last of these turns of one session."""
    session = f"narrowing {next(SESSIONS)}"
    return [engine(home).sync.retrieve(Utterance(t, session=session)) for t in turns][-1]


def told(home: str, *turns: str) -> Retrieval:
    """The same with the turns as text, ours among them."""
    history = tuple(Turn("assistant" if n % 2 else "user", t) for n, t in enumerate(turns[:-1]))
    return engine(home).sync.retrieve(Utterance(turns[-1], history=history))


def both_ways(home: str, request: str, answer: str) -> list[Retrieval]:
    asked = engine(home).sync.retrieve(request).verdict
    assert isinstance(asked, Confirm | Clarify)
    return [said(home, request, answer), told(home, request, asked.question, answer)]


def devices(found: Retrieval) -> set[str]:
    return {call.device_id for call in named_calls(found.verdict)}


@pytest.mark.parametrize(
    ("answer", "left"),
    [
        ("yes, but only the side door", SIDE),
        ("yes, but not the side door", FRONT),
        ("yes, the front door", FRONT),
        ("no, just the side door", SIDE),
    ],
)
def test_a_yes_to_one_of_two_doors_is_asked_about_that_one(answer: str, left: str) -> None:
    for after in both_ways("cottage", DOORS, answer):
        assert isinstance(after.verdict, Confirm)
        assert devices(after) == {left}


@pytest.mark.parametrize(
    ("answer", "left"),
    [("好，但是别开热水器", "浴霸"), ("只开热水器", "热水器"), ("浴霸可以，热水器算了", "浴霸")],
)
def test_one_of_two_heaters_may_be_left_out(answer: str, left: str) -> None:
    view = engine("home40").sync.load_home().view
    for after in both_ways("home40", HEATERS, answer):
        assert isinstance(after.verdict, Confirm)
        assert {view.devices[i].name for i in devices(after)} == {left}


def test_what_is_left_is_done_after_its_own_yes() -> None:
    after = said("cottage", DOORS, "yes, but only the side door", "yes")
    assert isinstance(after.verdict, Act)
    assert devices(after) == {SIDE}


def test_what_is_left_and_harmless_is_done() -> None:
    request = "open the garage door and turn on the garage light"
    for after in both_ways("cottage", request, "yes, but not the garage door"):
        assert isinstance(after.verdict, Act)
        assert devices(after) == {"light.garage_light"}


def test_a_yes_that_orders_more_is_an_order_of_its_own() -> None:
    for after in both_ways("cottage", DOORS, "yes and open the garage door"):
        assert isinstance(after.verdict, Confirm)
        assert devices(after) == {"cover.garage_door"}


@pytest.mark.parametrize("answer", ["both", "yes, both", "unlock both", "yes, both doors"])
def test_a_yes_to_both_is_a_yes_to_all_that_was_asked(answer: str) -> None:
    for after in both_ways("cottage", DOORS, answer):
        assert isinstance(after.verdict, Act)
        assert devices(after) == {FRONT, SIDE}


@pytest.mark.parametrize(
    ("home", "request_", "question", "answer"),
    [
        ("cottage", "unlock the front door", "Done. Shall I turn on the hall light?", "yes"),
        ("cottage", "unlock the front door", "It is unlocked. Shall I lock it again?", "sure"),
        ("cottage", "unlock the front door", "Shall I really unlock Side Door (Garage)?", "ok"),
        ("cottage", "turn on the tv", "Shall I really unlock Side Door (Garage)?", "yes"),
        ("home40", "把大门锁打开", "已经开了。要把客厅的灯也打开吗？", "好"),
        ("home40", "把大门锁打开", "确认要打开空调吗？", "好的"),
        ("home40", "把大门锁打开", "确认要锁上大门锁吗？", "可以"),
    ],
)
def test_a_yes_to_a_question_about_something_else_is_no_yes(
    home: str, request_: str, question: str, answer: str
) -> None:
    assert isinstance(told(home, request_, question, answer).verdict, Nothing)


def test_a_yes_does_not_reach_behind_the_last_turn() -> None:
    assert not devices(said("cottage", DOORS, "turn on the gramophone", "yes"))
    assert not devices(said("home40", "打开大门锁", "行吗", "好"))


def test_a_value_in_the_place_of_a_yes_is_for_nothing() -> None:
    after = told("home40", "打开大门锁", "确认要打开玄关的大门锁（解锁）吗？", "三")
    assert isinstance(after.verdict, Refuse)


def offered(found: Retrieval) -> list[str]:
    """Ids of all that may be meant, those that the question does not name last."""
    assert isinstance(found.verdict, Clarify)
    return [*(i for o in found.verdict.options for i in o.device_ids), *found.verdict.more]


def test_a_room_with_several_of_them_leaves_those_and_they_are_asked_about() -> None:
    talk = engine("home150").sync
    asked, view = talk.retrieve("开一盏灯"), talk.load_home().view
    inside = {i for i in offered(asked) if (room := view.room(i)) and room.name == "书房"}
    assert 1 < len(inside) < len(offered(asked))
    after = talk.answer(asked.id, "书房的")
    assert set(offered(after)) == inside
    assert devices(talk.answer(after.id, "最后一个")) == {offered(after)[-1]}


def test_all_of_a_room_are_those_that_could_be_meant() -> None:
    talk = engine("home150").sync
    asked, view = talk.retrieve("开一盏灯"), talk.load_home().view
    inside = {i for i in offered(asked) if (room := view.room(i)) and room.name == "书房"}
    assert devices(talk.answer(asked.id, "书房的都要")) == inside


@pytest.mark.parametrize(
    ("home", "request_"),
    [("home150", "开一盏灯"), ("home40", "把那个灯关了"), ("cottage", "turn on one of the lamps")],
)
def test_every_candidate_of_a_long_list_can_be_named(home: str, request_: str) -> None:
    talk = engine(home).sync
    view, first = talk.load_home().view, talk.retrieve(request_)
    assert isinstance(first.verdict, Clarify)
    assert first.verdict.more
    for wanted in offered(first):
        room = view.room(wanted)
        words = " ".join(filter(None, (room.name if room else "", view.devices[wanted].name)))
        assert parse_answer(first, words, view).device_ids == (wanted,), words


def test_all_of_a_long_list_given_as_text_are_all_and_not_those_that_were_named() -> None:
    asked = engine("home150").sync.retrieve("打开吸顶灯")
    assert isinstance(asked.verdict, Clarify)
    assert devices(told("home150", "打开吸顶灯", asked.verdict.question, "都打开")) == set(offered(asked))


@pytest.mark.parametrize("answer", ["厨房的", "电视", "调到50%", "阳台那个", "第六个"])
def test_what_is_named_beside_the_options_moves_nothing(answer: str) -> None:
    for after in both_ways("home150", "地下室的空调关掉", answer):
        assert not devices(after)


def test_one_candidate_is_no_question() -> None:
    found = engine("cottage").sync.retrieve("turn on three lamps in the study")
    assert isinstance(found.verdict, Refuse)
    assert "Desk Lamp" in found.verdict.message
