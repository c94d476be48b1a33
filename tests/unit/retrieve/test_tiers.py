from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import pytest

from winnow.language.content_words import content_terms
from winnow.ports.services import run_blocking
from winnow.retrieve.documents import source
from winnow.retrieve.tiers import ASKED, SPARED, TierResult, search_tiers
from winnow.types.candidate import Candidate, Ref, Search, Shortlist
from winnow.types.document import KnowledgeSettings
from winnow.types.query import Intent
from winnow.types.scope import Scope

ANSWER = "The sourdough rests for nine hours in the cold cellar before it is baked."
OTHERS = (
    "Rye flour is kept in the blue tin above the stove.",
    "The oven door squeaks; oil it twice a year.",
    "Yeast is bought on market days from the stall by the bridge.",
)
QUESTION = Search("How many hours does the sourdough rest in the cold cellar?")


def passages(name: str, texts: Sequence[str], **told: object) -> Shortlist:
    """A shortlist of documents that say this, each as relevant as the other."""
    candidates = (
        Candidate(Ref("passage", f"{name}{n}"), score=0.8, data={"text": text, **told})
        for n, text in enumerate(texts)
    )
    return Shortlist(name, tuple(candidates))


KNOWLEDGE = Intent(True, "knowledge", "question")


@dataclass
class Held:
    """A source that offers this, and tells that it was asked."""

    shortlist: Shortlist
    asked: list[str]

    async def __call__(self, search: Search, scope: Scope, limit: int) -> Shortlist:
        self.asked.append(self.shortlist.source)
        return self.shortlist


def looked_up(
    holds: dict[str, Shortlist], settings: KnowledgeSettings | None = None, intent: Intent = KNOWLEDGE
) -> tuple[TierResult, list[str]]:
    """What is found where the sources hold this, and who was asked, in order."""
    asked: list[str] = []
    sources = {name: Held(shortlist, asked) for name, shortlist in holds.items()}
    limits = dict.fromkeys(sources, 5)
    return run_blocking(search_tiers(QUESTION, intent, sources, Scope(), limits, settings)), asked


PUBLIC = passages("public", ["Dough of wheat rests for one hour in most books."])
OTHER_SOURCES = {"history": passages("history", []), "public": PUBLIC}
"""Beside the documents of the person: nobody is named, so the history is not asked."""


def test_what_is_private_and_enough_leaves_the_public_alone() -> None:
    found, asked = looked_up({"knowledge": passages("knowledge", [ANSWER, *OTHERS]), **OTHER_SOURCES})
    assert asked == ["knowledge"]
    assert [s.source for s in found.found] == ["knowledge"]
    assert [step.chosen for step in found.gate] == [ASKED, SPARED, SPARED]
    assert found.sufficiency is not None
    assert found.sufficiency.enough


def test_what_is_private_and_does_not_answer_asks_the_public_too() -> None:
    found, asked = looked_up({"knowledge": passages("knowledge", OTHERS), **OTHER_SOURCES})
    assert asked == ["knowledge", "public"]
    assert [s.source for s in found.found] == ["knowledge", "public"]
    assert [step.chosen for step in found.gate] == [ASKED, SPARED, ASKED]
    assert found.sufficiency is not None
    assert found.gate[2].reason == found.sufficiency.reason


def test_without_anything_private_the_public_is_asked() -> None:
    found, asked = looked_up({"public": PUBLIC})
    assert asked == ["public"]
    assert found.sufficiency is None


def test_nothing_is_asked_that_the_gate_holds_back() -> None:
    found, asked = looked_up(OTHER_SOURCES, intent=Intent(False, "none", "chat"))
    assert asked == []
    assert [step.chosen for step in found.gate] == [SPARED, SPARED]
    assert (found.found, found.sufficiency) == ((), None)


def asked_of(
    patched: pytest.MonkeyPatch, gap: float | None, settings: KnowledgeSettings | None = None
) -> list[str]:
    """Who is asked where the answer is private and the indexes tell this."""
    own, terms = passages("knowledge", [ANSWER, *OTHERS]), content_terms(QUESTION.text)

    async def told(_: object, scope: Scope, weights: Mapping[str, float]) -> float | None:
        assert weights["sourdough"] > 0
        return gap

    patched.setattr(source, "index_gap", told)
    holds = {"knowledge": replace(own, weights=dict.fromkeys(terms, 3.0)), "public": PUBLIC}
    return looked_up(holds, settings)[1]


def test_public_documents_that_match_far_better_are_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    assert asked_of(monkeypatch, 0.2) == ["knowledge"]
    assert asked_of(monkeypatch, None) == ["knowledge"]
    assert asked_of(monkeypatch, -0.5) == ["knowledge", "public"]
    assert asked_of(monkeypatch, -0.5, KnowledgeSettings(glance=False)) == ["knowledge"]


def test_where_a_limit_leaves_nothing_private_what_is_public_is_asked() -> None:
    holds = {"knowledge": passages("knowledge", [ANSWER, *OTHERS]), "public": PUBLIC}
    assert looked_up(holds)[1] == ["knowledge"]
    told, asked = looked_up(holds, KnowledgeSettings(private_limit=0.9))
    assert asked == ["knowledge", "public"]
    assert told.sufficiency is not None
    assert not told.sufficiency.enough
    assert [one.source for one in told.found if one.candidates] == ["public"]
