"""What a wrong yes costs, and the threshold that follows."""

from __future__ import annotations

from typing import get_args

import pytest

from winnow.language.tables import table
from winnow.types.document import COSTS, Decision, KnowledgeSettings, threshold


@pytest.mark.parametrize("decision", get_args(Decision))
def test_a_yes_is_cheaper_above_the_threshold_and_dearer_below(decision: Decision) -> None:
    for chance, cheaper in ((threshold(decision) + 0.01, True), (threshold(decision) - 0.01, False)):
        assert (COSTS[decision] * (1 - chance) < chance) is cheaper


def test_what_decides_by_default_is_what_the_costs_say() -> None:
    settings = KnowledgeSettings()
    assert settings.enough_confidence == threshold("private_suffices") == 0.75
    assert settings.nothing_below == threshold("source_bears") == 0.02
    assert settings.nothing_at_all_below == threshold("anything_bears") == 0.3


@pytest.mark.parametrize("name", ["weights.yaml", "opening.yaml"])
def test_fitted_files_of_the_intent_name_no_threshold_of_their_own(name: str) -> None:
    assert set(table("winnow.understand.intent", name)) <= {"features", "rules", "vector", "embedder"}
