"""A Home Assistant for the tests of this folder, where one is installed."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from tests.homeassistant.server import HASS, HomeAssistant

ABSENT = "needs a Home Assistant, which make test-homeassistant installs and starts"
ALONE = "PYTEST_XDIST_WORKER" not in os.environ
"""Whether this is the only process of the run: one server is enough, and restarts disturb the others."""
figures: dict[str, str] = {}


@pytest.fixture(scope="session")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HomeAssistant]:
    if not (ALONE and HASS.exists()):
        pytest.skip(ABSENT)
    server = HomeAssistant(tmp_path_factory.mktemp("homeassistant"))
    server.start()
    figures["Home Assistant"] = server.ask("get_config")["version"]
    yield server
    server.stop()


@pytest.fixture
def server(running: HomeAssistant, monkeypatch: pytest.MonkeyPatch) -> HomeAssistant:
    """The running server, its token in the environment."""
    monkeypatch.setenv("HA_TOKEN", running.token)
    return running


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """What was measured."""
    if figures:
        terminalreporter.section("measured on a real Home Assistant")
        for name, value in figures.items():
            terminalreporter.write_line(f"{name}: {value}")
