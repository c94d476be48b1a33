"""The set of things said otherwise, and what the table of the package makes of it."""

from __future__ import annotations

import pytest
from benchmarks import nearness, places

from winnow.adapters.models.embedders import StaticEmbedder
from winnow.retrieve.home.index import build_index


@pytest.mark.parametrize("language", ["zh", "en"])
def test_half_of_the_sixty_mentions_mean_something_that_is_there(language: str) -> None:
    part = nearness.sets()[language]
    there = [row for row in part["said"] if row.get("means")]
    assert (len(part["said"]), len(there), len({row["said"] for row in part["said"]})) == (60, 30, 60)
    home = places.example_home(part["home"]).home
    index = build_index(home, StaticEmbedder())
    known = {name for i in (*index.view.devices, *index.view.scenes) for name in nearness.known_as(i, index)}
    assert all(known & set(row["means"]) for row in there)


def test_what_is_named_at_the_threshold_is_mostly_right() -> None:
    embedder = StaticEmbedder()
    for language, index in nearness.indexed(embedder).items():
        at, lower = (nearness.measure(language, index, least) for least in (embedder.alike, 0.3))
        assert at["precision"] >= 70, (language, at)
        assert at["false"] <= 10, (language, at)
        assert 25 <= at["recall"] <= lower["recall"], (language, at)
