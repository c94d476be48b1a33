"""An act and the word before it that lifts it are one order, never two."""

from __future__ import annotations

import pytest
from tests.said.reach import home

from winnow import Act, Confirm


def _done(language: str, said: str) -> tuple[str, ...]:
    """The commands of an act, asked first or not."""
    verdict = home(language).sync.retrieve(said).verdict
    calls = verdict.proposed if isinstance(verdict, Confirm) else ()
    calls = verdict.calls if isinstance(verdict, Act) else calls
    return tuple(call.command_id.partition(".")[2] for call in calls)


@pytest.mark.parametrize(
    ("said", "command"),
    [
        ("解除大门锁的锁定", "unlock"),
        ("布防撤掉", "alarm_disarm"),
        ("停止给咖啡机供电", "turn_off"),
        ("电视先别播了", "media_pause"),
    ],
)
def test_what_is_lifted_is_turned(said: str, command: str) -> None:
    """解除, 撤掉, 停止 undo what is said beside them; 先别 only for now."""
    assert _done("zh", said) == (command,)


@pytest.mark.parametrize("said", ["取消关灯", "取消关掉书房台灯", "让大门锁别锁了", "书房台灯先别动"])
def test_what_nothing_lifts_is_no_order(said: str) -> None:
    """An order that is taken back and one that is forbidden do nothing."""
    assert _done("zh", said) == ()


@pytest.mark.parametrize(
    ("said", "command"),
    [
        ("have rusty stop sweeping", "stop"),
        ("no more noise from the television", "volume_mute"),
        ("chuck the television on mute", "volume_mute"),
        ("have the front door locked", "lock"),
    ],
)
def test_what_leaves_off_is_not_begun(said: str, command: str) -> None:
    """What stops, falls silent or is to stand so is that one act."""
    assert _done("en", said) == (command,)


@pytest.mark.parametrize("said", ["that'll do with the bedroom curtains", "done with the garage door"])
def test_what_moves_is_not_switched(said: str) -> None:
    """Enough of a curtain does not close it."""
    assert "close_cover" not in _done("en", said)


def test_a_way_that_fits_is_taken_before_a_turn_that_does_not() -> None:
    """Told of, the same does nothing: its last word alone is no order either."""
    assert _done("en", "haul the bedroom curtains back") == ("open_cover",)
    assert _done("en", "she slid the blinds back") == ()
