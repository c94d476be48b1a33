"""An option is set on the part of a thing that has it."""

from __future__ import annotations

from tests.homes import engine

from winnow.types.utterance import Utterance
from winnow.types.verdict import Act


def test_an_option_that_only_a_part_has_is_set_on_that_part() -> None:
    """The washer is a plug there; its programme is a select of the same device."""
    verdict = engine("beiwan-zh").sync.retrieve(Utterance("洗衣机换快洗")).verdict
    assert isinstance(verdict, Act)
    assert [(c.device_id, c.command_id, dict(c.arguments)) for c in verdict.calls] == [
        ("select.xi_yi_ji_cheng_xu", "select.select_option", {"option": "快洗"})
    ]
