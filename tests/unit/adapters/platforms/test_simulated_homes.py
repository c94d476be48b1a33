"""Copies of several homes: each its own, made anew where the home was imported anew."""

from __future__ import annotations

import winnow
from winnow.app.wiring.engine import read_home, rehearse_on_copies
from winnow.ports.services import run_blocking
from winnow.types.home import Scalar
from winnow.types.scope import Scope
from winnow.types.utterance import Utterance

LAMP = "light.reading_lamp"


def test_what_is_done_in_one_home_is_not_seen_in_another() -> None:
    engine = winnow.open("example:cottage")
    rehearse_on_copies(engine)
    read = read_home("example:cottage", "twin")

    def store() -> None:
        run_blocking(engine.storage.homes.save_home(Scope(home="twin"), read.home, read.states))

    def lamps() -> list[Scalar]:
        read = [run_blocking(engine.states.read(Scope(home=home))) for home in ("cottage", "twin")]
        assert {one.source for one in read} == {"simulated"}
        return [one.value(LAMP, "state") for one in read]

    store()
    assert lamps() == ["on", "on"]
    receipt = engine.sync.act(engine.sync.retrieve(Utterance("turn off the reading lamp", home="twin")))
    assert receipt.status == "done"
    assert lamps() == ["on", "off"]
    store()  # an import tells what is so now
    assert lamps() == ["on", "on"]
