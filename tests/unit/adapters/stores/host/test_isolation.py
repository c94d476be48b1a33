"""Whoever somebody claims to be, no row of anybody else comes back."""

from __future__ import annotations

import re

import pytest
import sqlalchemy as sa
from benchmarks import isolation
from tests.unit.adapters.stores.host.conftest import Host

from winnow.adapters.stores.host.messages import IdColumn

QUESTIONS = 2000


@pytest.mark.slow
def test_hostile_ids_reach_no_row_of_anybody_else(host: Host) -> None:
    count = QUESTIONS if host.kind == "sqlite" else QUESTIONS // 4
    assert isolation.questions(host.address, count, seed=3) > count / 4


@pytest.mark.parametrize("case", [case.name for case in isolation.cases()][:3])
def test_the_questions_are_hostile_enough_to_find_a_careless_comparison(
    host: Host, case: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What an equality without its second half lets through."""
    if host.kind == "postgresql":
        pytest.skip("its equality of texts and numbers is exact already")

    def careless(self: IdColumn) -> sa.ColumnElement[bool]:
        return self.column.sql == sa.bindparam(self.name, type_=sa.Text())

    monkeypatch.setattr(IdColumn, "matches", careless)
    monkeypatch.setattr(IdColumn, "value", lambda _self, text: re.sub("[\0\ud800-\udfff]", "", text) or None)
    chosen = [each for each in isolation.cases() if each.name == case]
    monkeypatch.setattr(isolation, "cases", lambda: chosen)
    with pytest.raises(AssertionError):
        isolation.questions(host.address, QUESTIONS, seed=3)
