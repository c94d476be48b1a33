"""The trace shows why something was named."""

from __future__ import annotations

import json

from benchmarks.places import example_home
from tests.unit.retrieve.home.test_nearness import HUMIDIFIER, Angles

from winnow.adapters.stores.store import memory_storage
from winnow.adapters.testing.fakes import FrozenClock
from winnow.app.explanation import explanation_text
from winnow.app.output import plain_data
from winnow.engine.engine import Engine


def test_what_is_near_stands_in_the_trace_with_its_cosine_and_in_the_data_with_its_id() -> None:
    engine = Engine(
        memory_storage(FrozenClock(), example_home("cottage")), Angles({"mist maker": 0, "humidifier": 10})
    )
    found = engine.sync.retrieve("turn on the mist maker")
    assert "~ Nursery Humidifier  [near 0.98 humidifier]" in explanation_text(
        found, engine.sync.load_home().view
    )
    assert json.loads(json.dumps(plain_data(found.verdict)))["proposed"][0]["device_id"] == HUMIDIFIER
