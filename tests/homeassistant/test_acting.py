"""The demo home of a real Home Assistant, told to do things."""

from __future__ import annotations

from tests.homeassistant.server import HomeAssistant
from tests.homeassistant.test_live import LAMP, kept

import winnow


def test_a_lamp_is_switched_on_and_the_receipt_says_so(server: HomeAssistant) -> None:
    kept(server)
    engine = winnow.open(live=True)
    server.call("light", "turn_off", entity_id=LAMP)
    found = engine.sync.retrieve(winnow.Utterance("Turn on the Bed Light", home="demo"))
    receipt = engine.sync.act(found)
    assert receipt.status == "done", receipt
    assert server.states()[LAMP]["state"] == "on"
