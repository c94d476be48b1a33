"""An engine opens itself the way the package does."""

from __future__ import annotations

from tests.homes import home

from winnow import Act, Engine


def test_an_engine_is_opened_by_its_own_name() -> None:
    engine = Engine.open(home("home40"))
    assert isinstance(engine.sync.retrieve("把客厅主灯关了").verdict, Act)
