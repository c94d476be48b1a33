"""A SmartThings home that is imported from its account and told what to do, as a person does both."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.smartthings_stand_in import TOKEN, smartthings

import winnow as package
from winnow.types.verdict import Act, Confirm

Run = Callable[..., Any]
ORDERS = {
    "打开三键开关第二键": {("switch2", "switch", "on")},
    "关掉客厅三键开关": {(name, "switch", "off") for name in ("main", "switch2", "switch3")},
    "turn on the coffee maker": {("outlet1", "switch", "on")},
    "关掉浴霸照明": {("light", "switch", "off")},
    "把冷冻室调到零下18度": {("freezer", "thermostatCoolingSetpoint", "setCoolingSetpoint")},
}
"""What is said, and the component, capability and command that it comes to."""


def test_what_is_said_reaches_the_right_component_of_a_linked_account(
    winnow: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    with smartthings() as server:
        monkeypatch.setenv("ST_TOKEN", TOKEN)
        done = winnow("home", "import", "--url", server.url, "--token-env", "ST_TOKEN", "--id", "flat")
        assert done.code == 0
        engine = package.open(live=True)
        for text, wanted in ORDERS.items():
            server.doing.did.clear()
            found = engine.sync.retrieve(text)
            if isinstance(found.verdict, Act | Confirm):
                receipt = engine.sync.act(found)
                if receipt.waiting:
                    receipt = engine.sync.confirm(receipt.waiting.token)
                assert receipt.status == "done", (text, receipt)
            reached = {(did.component, did.capability, did.command) for did in server.doing.did}
            assert reached == wanted, text
