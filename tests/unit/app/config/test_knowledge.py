"""The file of documents: the seed's limits by their names, and every problem at once."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest
import yaml

import winnow
from winnow.app.config.files import FIELD_OF_PATH, knowledge_of, load_knowledge
from winnow.app.config.settings import Settings, load_settings
from winnow.errors import ConfigError
from winnow.retrieve.documents import DOCUMENT_ROWS
from winnow.types.document import KnowledgeSettings

FULL = """
private: {enabled: true, max_results: 8, min_relevance: 0.6}
public:
  enabled: true
  max_results: 4
  min_relevance: 0.65
  glance: false
  domains: {cooking: [bake, oven], law:}
sufficiency: {by: all, min_result_count: 2, min_coverage_score: 0.7, min_confidence_score: 0.9}
ranking: {least_share: 0.1, nothing_below: 0.05, nothing_at_all_below: 0.1, half_life_days: 30}
"""


def test_every_setting_arrives_in_its_field() -> None:
    assert knowledge_of(yaml.safe_load(FULL)) == KnowledgeSettings(
        private_most=8,
        private_least=0.6,
        private_limit=0.6,
        public_most=4,
        public_least=0.65,
        public_limit=0.65,
        glance=False,
        domains={"cooking": ("bake", "oven"), "law": ()},
        enough_by="all",
        enough_results=2,
        enough_coverage=0.7,
        enough_confidence=0.9,
        least_share=0.1,
        nothing_below=0.05,
        nothing_at_all_below=0.1,
        half_life_days=30.0,
    )
    assert sorted(FIELD_OF_PATH.values()) == sorted(
        f.name for f in fields(KnowledgeSettings) if not f.name.endswith("_limit")
    )


def test_without_a_file_the_limits_are_those_of_the_seed(tmp_path: Path) -> None:
    found = load_knowledge(Settings(tmp_path))
    assert found == KnowledgeSettings()
    assert (found.private_most, found.private_least, found.public_most, found.public_least) == (
        10,
        0.7,
        5,
        0.75,
    )
    assert (found.enough_results, found.enough_coverage, found.enough_confidence) == (3, 0.8, 0.75)


def test_a_file_of_the_data_folder_or_a_named_one_is_read(tmp_path: Path) -> None:
    (tmp_path / "knowledge.yaml").write_text("private: {max_results: 3}\n", "utf-8")
    assert load_knowledge(Settings(tmp_path)).private_most == 3
    (tmp_path / "other.yaml").write_text("private: {max_results: 4}\n", "utf-8")
    named = load_settings({"WINNOW_HOME": str(tmp_path), "WINNOW_KNOWLEDGE": str(tmp_path / "other.yaml")})
    assert load_knowledge(named).private_most == 4


def test_all_that_is_wrong_is_told_at_once() -> None:
    with pytest.raises(ConfigError) as caught:
        knowledge_of(
            {
                "private": {"max_results": 0, "min_relevanse": 0.5},
                "public": {"domains": ["law"], "glance": "perhaps"},
                "sufficiency": {"by": "luck"},
            }
        )
    told = {problem.path: str(problem.message) for problem in caught.value.problems}
    assert set(told) == {
        "private.max_results",
        "private.min_relevanse",
        "public.domains",
        "public.glance",
        "sufficiency.by",
    }
    assert "min_relevance" in told["private.min_relevanse"]


@pytest.mark.parametrize("off", ["private", "public"])
def test_a_tier_that_is_off_is_no_source(off: str, tmp_path: Path) -> None:
    engine = winnow.open(settings=Settings(tmp_path), knowledge={off: {"enabled": False}})
    names = {"private": "knowledge", "public": "public"}
    assert {name for name in names.values() if name in engine.sources} == set(names.values()) - {names[off]}


def test_limits_of_the_file_are_those_of_the_engine(tmp_path: Path) -> None:
    path = tmp_path / "limits.yaml"
    path.write_text("private: {max_results: 2}\npublic: {max_results: 1}\n", "utf-8")
    policy = winnow.open(settings=Settings(tmp_path), knowledge=path).policy
    assert tuple(map(policy.limit_of, DOCUMENT_ROWS.values())) == (2, 1)
