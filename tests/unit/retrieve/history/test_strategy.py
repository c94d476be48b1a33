from __future__ import annotations

import pytest

from winnow.retrieve.history.dense import choose_strategy
from winnow.types.message import HistorySettings


@pytest.mark.parametrize(
    ("count", "chosen"),
    [(1, "lazy"), (99, "lazy"), (100, "hybrid"), (1000, "hybrid"), (1001, "batch"), (50_000, "batch")],
)
def test_the_number_of_messages_chooses(count: int, chosen: str) -> None:
    step = choose_strategy(HistorySettings(), count)
    assert (step.what, step.chosen) == ("strategy", chosen)
    assert str(count) in step.reason


def test_the_limits_are_settings() -> None:
    set_to = HistorySettings(lazy_below=10, batch_above=20)
    assert [choose_strategy(set_to, n).chosen for n in (9, 10, 20, 21)] == [
        "lazy",
        "hybrid",
        "hybrid",
        "batch",
    ]


def test_what_is_configured_is_done_whatever_the_number() -> None:
    assert choose_strategy(HistorySettings(strategy="lazy"), 5000).chosen == "lazy"
    assert choose_strategy(HistorySettings(type="none", strategy="lazy"), 5).chosen == "none"


def test_vectors_of_the_host_name_their_column() -> None:
    step = choose_strategy(HistorySettings(type="pgvector", embedding_field="embedding"), 5)
    assert step.chosen == "pgvector"
    assert "embedding" in step.reason
