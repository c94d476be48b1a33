"""Documents as a source: whose they are, what is read, and how the index follows the store."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

import pytest
from tests.unit.retrieve.documents.library import ALL, ids, passage

from winnow.adapters.models.embedders import HashingEmbedder
from winnow.ports.services import run_blocking
from winnow.ports.stores import Segment
from winnow.retrieve.documents.index import segment_of
from winnow.retrieve.documents.source import DocumentSource
from winnow.types.candidate import Search, Shortlist
from winnow.types.document import Document, KnowledgeTier, Passage
from winnow.types.message import HistoryVersion
from winnow.types.scope import Scope

IDA, EVE = Scope("acme", user="ida"), Scope("acme", user="eve")


class Shelf:
    """Documents in a list, which counts what is asked of it."""

    def __init__(self, *passages: Passage, data: bytes | None = None) -> None:
        self.by_scope = {("acme", "ida"): list(passages)}
        self.made = {"s0": segment_of(passages) if data is None else data}
        self.dead: frozenset[str] = frozenset()
        self.loose: list[Passage] = []
        self.read: list[str] = []
        self.fetched: list[str] = []

    def _own(self, scope: Scope, tier: KnowledgeTier) -> list[Passage]:
        return self.by_scope.get((scope.tenant, scope.user if tier == "private" else "ida"), [])

    async def stamp(self, scope: Scope, tier: KnowledgeTier) -> HistoryVersion:
        own = self._own(scope, tier)
        return HistoryVersion(len(own), f"{len(self.made)} {sorted(self.dead)} {len(self.loose)}")

    async def segments(
        self, scope: Scope, tier: KnowledgeTier, known: Collection[str] = ()
    ) -> AsyncIterator[Segment]:
        for id_, data in self.made.items() if self._own(scope, tier) else ():
            self.fetched += [] if id_ in known else [id_]
            yield Segment(id_, b"" if id_ in known else data, self.dead)

    async def within(
        self, scope: Scope, tier: KnowledgeTier, segment: str, most: int = 10_000
    ) -> Sequence[Passage]:
        return self.loose if segment == "" else self._own(scope, tier)

    async def passages(self, scope: Scope, tier: KnowledgeTier, ids: Sequence[str]) -> Mapping[str, Passage]:
        self.read += ids
        there = [one for one in [*self._own(scope, tier), *self.loose] if one.id not in self.dead]
        return {one.id: one for one in there if one.id in ids}

    async def documents(
        self, scope: Scope, tier: KnowledgeTier, ids: Collection[str] | None = None
    ) -> Mapping[str, Document]:
        return {one.document.id: one.document for one in self._own(scope, tier)}


def source(shelf: Shelf, tier: KnowledgeTier = "private") -> DocumentSource:
    return DocumentSource(shelf, tier, HashingEmbedder())


def ask(knowledge: DocumentSource, question: str, scope: Scope = IDA, limit: int = 3) -> Shortlist:
    return run_blocking(knowledge(Search(question), scope, limit))


def test_a_passage_is_found_with_what_is_known_of_its_document() -> None:
    told = Document("d", "House", source="house.md", at=datetime(2024, 5, 1), credibility=0.9)  # noqa: DTZ001
    wanted = passage("gutter", "The gutters are cleaned in late autumn.", told)
    found = ask(source(Shelf(*ALL, wanted)), "when are the gutters cleaned")
    assert found.source == "knowledge"
    best = found.candidates[0]
    assert (best.ref.kind, best.ref.id) == ("passage", "gutter")
    assert isinstance(best.data, Mapping)
    assert best.data == {
        "text": wanted.text,
        "title": "House",
        "source": "house.md",
        "at": "2024-05-01T00:00:00",
        "document": "d",
        "importance": 0.5,
        "credibility": 0.9,
    }
    assert 0 < best.score <= 1
    assert best.evidence


def test_nobody_has_no_documents_of_their_own() -> None:
    found = ask(source(Shelf(*ALL)), "boiler", Scope("acme"))
    assert [(step.what, step.chosen) for step in found.steps] == [("user", "none")]


def test_no_one_finds_anothers_documents() -> None:
    shelf = Shelf(*ALL)
    knowledge = source(shelf)
    assert ids(ask(knowledge, "boiler", IDA)) == ["boiler"]
    assert ids(ask(knowledge, "boiler", EVE)) == []
    assert ids(ask(knowledge, "boiler", Scope("other", user="ida"))) == []


def test_public_documents_are_everybodys_and_opened_once() -> None:
    shelf = Shelf(*ALL)
    knowledge = source(shelf, "public")
    assert ids(ask(knowledge, "boiler", IDA)) == ids(ask(knowledge, "boiler", EVE)) == ["boiler"]
    assert ask(knowledge, "boiler", Scope("acme")).source == "public"
    assert shelf.fetched == ["s0"]


def test_no_more_than_asked_for() -> None:
    found = ask(source(Shelf(*ALL)), "the starter and the loaf and the boiler and the lease", limit=2)
    assert len(found.candidates) == 2


def test_an_index_is_opened_once_and_extended_when_something_is_added() -> None:
    shelf = Shelf(*ALL)
    knowledge = source(shelf)
    assert [ask(knowledge, "boiler").steps[0].chosen for _ in range(2)] == ["built", "reused"]
    new = passage("eel", "Eels are smoked over alder.")
    shelf.by_scope["acme", "ida"].append(new)
    shelf.made["s1"] = segment_of([new])
    found = ask(knowledge, "smoked eels")
    assert (found.steps[0].chosen, ids(found)[0]) == ("extended", "eel")
    assert shelf.fetched == ["s0", "s1"]


def test_what_was_forgotten_is_not_found_any_more() -> None:
    shelf = Shelf(*ALL)
    knowledge = source(shelf)
    assert "boiler" in ids(ask(knowledge, "boiler"))
    shelf.dead = frozenset({"boiler"})
    assert "boiler" not in ids(ask(knowledge, "boiler"))


def test_what_no_segment_has_yet_is_found_too() -> None:
    shelf = Shelf(*ALL)
    shelf.loose = [passage("eel", "Eels are smoked over alder.")]
    assert ids(ask(source(shelf), "smoked eels"))[0] == "eel"


@pytest.mark.parametrize("data", [b"", b"\xff of another version"])
def test_a_segment_of_another_version_is_made_anew_from_the_texts(data: bytes) -> None:
    assert ids(ask(source(Shelf(*ALL, data=data)), "boiler")) == ["boiler"]


def test_texts_are_read_of_what_was_found_only() -> None:
    shelf = Shelf(*ALL)
    ask(source(shelf), "boiler pressure")
    assert shelf.read == ["boiler"]


def test_a_passage_that_went_meanwhile_is_left_out() -> None:
    shelf = Shelf(*ALL)
    knowledge = source(shelf)
    ask(knowledge, "boiler")
    own = shelf.by_scope["acme", "ida"]
    own[:] = [replace(one, id="gone") if one.id == "boiler" else one for one in own]
    assert ids(ask(knowledge, "boiler")) == []


def test_a_passage_that_was_given_in_this_talk_is_not_given_again() -> None:
    knowledge, question = source(Shelf(*ALL)), "how is the loaf baked in the pot"
    given = next(one for one in ALL if one.id == "bake")
    search = Search(question, seen=(question, f"As it says there: {given.text}"))
    found = run_blocking(knowledge(search, IDA, 3))
    assert ids(ask(knowledge, question))[0] == "bake"
    assert "bake" not in ids(found)
    assert ("bake", "part of this talk") in {(one.id, one.reason) for one in found.dropped}
