from __future__ import annotations

import pytest

import winnow
from winnow import Engine

TEA = {"id": "tea", "title": "Tea", "text": "Green tea is brewed for three minutes at 80 degrees."}


@pytest.fixture
def engine() -> Engine:
    """An engine that knows a little of Ida, and one document of everybody."""
    made = winnow.open("example:cottage")
    boiler = (
        "Hansen services the boiler of the cottage every May. " + "The garden was not mentioned again. " * 20
    )
    made.sync.add_documents([{"id": "boiler", "title": "Boiler", "text": boiler}], user="ida")
    made.sync.add_documents([TEA], public=True)
    made.sync.add_messages([{"role": "user", "content": "I parked the car on level 3."}], user="ida")
    made.sync.add_facts("I am allergic to walnuts.", user="ida")
    return made
