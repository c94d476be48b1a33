from __future__ import annotations

import pytest
from tests.unit.app.mcp.stage import Stage, cottage


@pytest.fixture
def stage() -> Stage:
    return cottage()
