"""``stage`` has a client and a server in one process; a program is started in ``test_reached.py`` alone."""

from __future__ import annotations

import pytest
from tests.unit.app.mcp.stage import Stage, cottage


@pytest.fixture
def stage() -> Stage:
    return cottage()
