"""Verbs that a rule of ways makes: read in every frame, settled by the thing, no orders by themselves."""

from pathlib import Path

import pytest

import winnow
from winnow import Act, Confirm, Engine
from winnow.language.ways.templates import parse_templates

DONE = {
    "把主卧的窗帘往两边扯开": "open",
    "给我扯拢主卧的窗帘": "close",
    "旺财回坞里歇着": "Home",
    "让旺财先歇会儿": "pause",
    "电视往后跳一首": "nextTrack",
    "洗衣机洗起来": "setMachineState",
}
NOTHING = [
    "别把主卧的窗帘扯开",
    "我昨天把主卧的窗帘扯开了",
    "谁把主卧的窗帘扯开了",
    "主卧的窗帘能扯开吗",
    "把书桌扯开",
]


@pytest.fixture(scope="module")
def home40() -> Engine:
    """An example home."""
    return winnow.open(Path(__file__).parents[3] / "examples/homes/home40")


def test_a_verb_is_marked_and_may_need_its_thing() -> None:
    """``{t}~`` needs the thing said, ``~`` alone may imply it."""
    needs, may = parse_templates("== start washer\n{t}~洗起来\n== start washer dishwasher\n~洗碗\n")
    assert (needs.shape, needs.words, needs.names) == ("v", ("洗起来",), True)
    assert (may.shape, may.names, may.implied) == ("v", False, "dishwasher")


@pytest.mark.parametrize(("said", "act"), DONE.items())
def test_a_verb_of_a_rule_stands_in_every_frame(home40: Engine, said: str, act: str) -> None:
    """What it comes to is the act of that thing."""
    verdict = home40.sync.retrieve(said).verdict
    assert isinstance(verdict, Act), verdict
    assert all(act.lower() in call.command_id.lower() for call in verdict.calls), verdict


@pytest.mark.parametrize("said", NOTHING)
def test_nothing_is_done_where_nothing_is_ordered(home40: Engine, said: str) -> None:
    """Forbidden, told, asked, or of what is not there."""
    assert not isinstance(home40.sync.retrieve(said).verdict, Act | Confirm)
