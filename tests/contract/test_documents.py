"""What every store of documents promises."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, TypeVar

import pytest

from winnow.errors import StoreError
from winnow.ports.stores import DocumentStore, DuplicateMarks, IndexPart, Segment, Storage, StoredDocument
from winnow.types.document import Document, Passage
from winnow.types.message import HistoryVersion
from winnow.types.scope import Scope

R = TypeVar("R")
IDA, JO = Scope(user="ida"), Scope(user="jo")
STRANGERS = (Scope("other", user="ida"), Scope(user=""), Scope(user="ida "), Scope(user="IDA"), JO)
MAY = datetime(2026, 5, 4, 8, 15)  # noqa: DTZ001 - a wall clock has no zone
TEA = Document("kitchen/tea.md", "Tea", "note", "kitchen", "cooking", 0.8, 0.9, "tea.md", MAY, "d1")
BREAD = Document("kitchen/bread.md", "面包", digest="d2")


def entry(document: Document, *texts: str) -> StoredDocument:
    """A document of these passages, whose ids are its own and their number."""
    made = [Passage(f"{document.id}#{n}", document, t, (document.title,), n) for n, t in enumerate(texts)]
    return StoredDocument(document, " ".join(texts), tuple(made))


GREEN = entry(TEA, "Green tea wants 80 degrees.", "Black tea wants boiling water.")
RYE = entry(BREAD, "黑麦面包要发酵一夜。")


@pytest.fixture
def store(storage: Storage) -> DocumentStore:
    return storage.documents


def run(work: Coroutine[Any, Any, R]) -> R:
    return asyncio.run(work)


def index(store: DocumentStore, scope: Scope = IDA, known: Sequence[str] = ()) -> list[Segment]:
    async def read() -> list[Segment]:
        return [segment async for segment in store.segments(scope, "private", known)]

    return run(read())


def ids(entry: StoredDocument) -> list[str]:
    return [passage.id for passage in entry.passages]


def kept(store: DocumentStore, *entries: StoredDocument, scope: Scope = IDA) -> dict[str, Passage]:
    wanted = [id_ for each in entries for id_ in ids(each)]
    return dict(run(store.passages(scope, "private", wanted)))


def test_a_shelf_of_nobody_is_empty(store: DocumentStore) -> None:
    assert run(store.stamp(IDA, "private")) == HistoryVersion(0)
    assert index(store) == []
    assert run(store.documents(IDA, "private")) == {}
    assert run(store.text(IDA, "private", "x")) == ""
    assert run(store.parts(IDA, "private")) == run(store.alike(IDA, "private", [1])) == []
    assert run(store.forget(IDA, "private")) == 0
    assert run(store.put(IDA, "private", [])) == 0


def test_documents_come_back_as_they_were_put_in_the_order_they_came(store: DocumentStore) -> None:
    assert run(store.put(IDA, "private", [GREEN, RYE], b"index")) == 2
    assert list(run(store.documents(IDA, "private")).items()) == [(TEA.id, TEA), (BREAD.id, BREAD)]
    assert run(store.documents(IDA, "private", [BREAD.id, "x"])) == {BREAD.id: BREAD}
    assert kept(store, GREEN, RYE) == {p.id: p for p in (*GREEN.passages, *RYE.passages)}
    assert run(store.text(IDA, "private", TEA.id)) == GREEN.text
    assert tuple(run(store.passages_of(IDA, "private", TEA.id))) == GREEN.passages
    (segment,) = index(store)
    assert (segment.data, segment.dead) == (b"index", frozenset())
    assert run(store.stamp(IDA, "private")).count == 2


def test_what_is_known_of_the_index_comes_without_its_data(store: DocumentStore) -> None:
    run(store.put(IDA, "private", [GREEN], b"one"))
    (first,) = index(store)
    run(store.put(IDA, "private", [RYE], b"two"))
    assert [segment.data for segment in index(store, known=[first.id])] == [b"", b"two"]


def test_of_a_replaced_document_the_old_passages_are_dead(store: DocumentStore) -> None:
    run(store.put(IDA, "private", [GREEN, RYE], b"one"))
    changed = entry(TEA, "Green tea wants 75 degrees.")
    assert run(store.put(IDA, "private", [changed], b"two")) == 0
    first, second = index(store)
    assert (first.dead, second.dead) == (frozenset(ids(GREEN)), frozenset())
    assert kept(store, GREEN) == {changed.passages[0].id: changed.passages[0]}
    assert run(store.parts(IDA, "private")) == [IndexPart(first.id, 3, 2), IndexPart(second.id, 1)]


def test_a_part_whose_passages_are_all_dead_is_gone(store: DocumentStore) -> None:
    run(store.put(IDA, "private", [GREEN], b"one"))
    run(store.put(IDA, "private", [RYE], b"two"))
    assert run(store.forget(IDA, "private", [TEA.id, "x"])) == 1
    assert [segment.data for segment in index(store)] == [b"two"]
    assert kept(store, GREEN) == {}
    assert run(store.text(IDA, "private", TEA.id)) == ""


def test_every_change_gives_a_stamp_that_was_never_there(store: DocumentStore) -> None:
    stamps = [run(store.stamp(IDA, "private"))]
    for work in (
        store.put(IDA, "private", [GREEN], b"1"),
        store.put(IDA, "private", [RYE], b"2"),
        store.put(IDA, "private", [GREEN], b"3"),
        store.forget(IDA, "private", [TEA.id]),
        store.put(IDA, "private", [GREEN], b"4"),
    ):
        run(work)
        stamps.append(run(store.stamp(IDA, "private")))
    assert len(set(stamps)) == len(stamps)
    assert [stamp.count for stamp in stamps] == [0, 1, 2, 2, 1, 2]


def test_what_changes_nothing_leaves_the_stamp(store: DocumentStore) -> None:
    run(store.put(IDA, "private", [GREEN], b"1"))
    before = run(store.stamp(IDA, "private"))
    assert run(store.forget(IDA, "private", ["x"])) == run(store.forget(IDA, "private", [])) == 0
    assert not run(store.join(IDA, "private", ["x"], ["y"], b"2"))
    run(store.put(JO, "private", [GREEN], b"1"))
    run(store.put(IDA, "public", [GREEN], b"1"))
    assert run(store.stamp(IDA, "private")) == before


def test_what_stands_in_no_part_is_told_and_joined(store: DocumentStore) -> None:
    run(store.put(IDA, "private", [GREEN]))
    assert index(store) == []
    assert list(run(store.within(IDA, "private", ""))) == list(GREEN.passages)
    assert len(run(store.within(IDA, "private", "", 1))) == 1
    assert run(store.join(IDA, "private", [], ids(GREEN), b"made"))
    (segment,) = index(store)
    assert list(run(store.within(IDA, "private", segment.id))) == list(GREEN.passages)
    assert run(store.within(IDA, "private", "")) == []


def test_parts_become_one_without_what_is_dead(store: DocumentStore) -> None:
    run(store.put(IDA, "private", [GREEN], b"1"))
    run(store.put(IDA, "private", [RYE], b"2"))
    run(store.put(IDA, "private", [entry(TEA, "Tea.")], b"3"))
    parts = [part.id for part in run(store.parts(IDA, "private"))]
    left = [p.id for part in parts for p in run(store.within(IDA, "private", part))]
    assert run(store.join(IDA, "private", parts, left, b"all"))
    assert [(s.data, s.dead) for s in index(store)] == [(b"all", frozenset())]
    assert run(store.parts(IDA, "private"))[0].passages == 2


def test_parts_that_changed_meanwhile_are_not_joined(store: DocumentStore) -> None:
    run(store.put(IDA, "private", [GREEN, RYE], b"1"))
    (segment,) = index(store)
    run(store.put(IDA, "private", [entry(TEA, "Tea.")], b"2"))
    assert not run(store.join(IDA, "private", [segment.id], [*ids(GREEN), *ids(RYE)], b"old"))
    assert [s.data for s in index(store)] == [b"1", b"2"]


def folded(store: DocumentStore) -> tuple[StoredDocument, StoredDocument]:
    """Two documents, of which the second says what the first says, and is not shown for itself."""
    copy = entry(replace(TEA, id="copy.md"), GREEN.passages[0].text, "Mate too.")
    run(store.put(IDA, "private", [GREEN], b"1", DuplicateMarks(marks={ids(GREEN)[0]: [5, -7, 5]})))
    same = DuplicateMarks({ids(copy)[0]: ids(GREEN)[0]}, {ids(copy)[0]: [5, 9]})
    run(store.put(IDA, "private", [copy], b"2", same))
    return GREEN, copy


def test_what_says_the_same_is_named_and_not_shown(store: DocumentStore) -> None:
    green, copy = folded(store)
    assert ids(copy)[0] not in kept(store, copy)
    assert [p.id for p in run(store.passages_of(IDA, "private", "copy.md"))] == [ids(copy)[1]]
    assert kept(store, green)[ids(green)[0]].also == ("copy.md",)
    assert run(store.parts(IDA, "private"))[1].passages == 1
    assert [p.id for p in run(store.alike(IDA, "private", [5]))] == [ids(green)[0]]
    assert run(store.alike(IDA, "private", [9])) == []


def test_when_what_stood_for_it_goes_a_passage_stands_for_itself_again(store: DocumentStore) -> None:
    _, copy = folded(store)
    run(store.forget(IDA, "private", [TEA.id]))
    assert [p.id for p in run(store.within(IDA, "private", ""))] == [ids(copy)[0]]
    assert [p.id for p in run(store.alike(IDA, "private", [5, 9]))] == [ids(copy)[0]]


def test_a_folded_passage_that_goes_is_named_no_longer(store: DocumentStore) -> None:
    green, _ = folded(store)
    run(store.forget(IDA, "private", ["copy.md"]))
    assert kept(store, green)[ids(green)[0]].also == ()


def test_a_newer_one_stands_for_all_that_the_older_stood_for(store: DocumentStore) -> None:
    green, copy = folded(store)
    newer = entry(replace(TEA, id="newer.md"), GREEN.passages[0].text)
    run(store.put(IDA, "private", [newer], b"3", DuplicateMarks({ids(green)[0]: ids(newer)[0]})))
    assert set(kept(store, newer)[ids(newer)[0]].also) == {TEA.id, "copy.md"}
    assert list(kept(store, green)) == ids(green)[1:]
    assert [s.dead for s in index(store)] == [{ids(green)[0]}, frozenset(), frozenset()]
    run(store.forget(IDA, "private", ["newer.md"]))
    assert {p.id for p in run(store.within(IDA, "private", ""))} == {ids(green)[0], ids(copy)[0]}


def test_what_is_to_be_folded_into_what_is_not_there_stands_for_itself(store: DocumentStore) -> None:
    run(store.put(IDA, "private", [RYE], b"1", DuplicateMarks({ids(RYE)[0]: "x"})))
    assert list(kept(store, RYE)) == [p.id for p in run(store.within(IDA, "private", ""))] == ids(RYE)


def test_nobody_else_has_them_or_can_forget_them(store: DocumentStore) -> None:
    run(store.put(IDA, "private", [GREEN], b"1", DuplicateMarks(marks={ids(GREEN)[0]: [5]})))
    before = run(store.stamp(IDA, "private"))
    (segment,) = index(store)
    for scope in STRANGERS:
        assert run(store.documents(scope, "private")) == run(store.documents(scope, "public")) == {}
        assert kept(store, GREEN, scope=scope) == {}
        assert index(store, scope) == run(store.parts(scope, "private")) == []
        assert run(store.within(scope, "private", segment.id)) == []
        assert run(store.alike(scope, "private", [5])) == []
        assert run(store.text(scope, "private", TEA.id)) == ""
        assert run(store.passages_of(scope, "private", TEA.id)) == []
        assert run(store.stamp(scope, "private")) == HistoryVersion(0)
        assert not run(store.join(scope, "private", [segment.id], ids(GREEN), b"x"))
        assert run(store.forget(scope, "private", [TEA.id])) == run(store.forget(scope, "private")) == 0
    assert run(store.stamp(IDA, "private")) == before


def test_what_is_public_is_everybodys_of_the_tenant(store: DocumentStore) -> None:
    run(store.put(IDA, "public", [GREEN], b"1"))
    for scope in (IDA, JO, Scope()):
        assert list(run(store.documents(scope, "public"))) == [TEA.id]
        assert run(store.documents(scope, "private")) == {}
    assert run(store.documents(Scope("other"), "public")) == {}
    assert run(store.forget(JO, "public")) == 1
    assert run(store.documents(IDA, "public")) == {}


@pytest.mark.parametrize(
    ("scope", "document"),
    [
        (Scope(), BREAD),
        (Scope(user="i" * 501), BREAD),
        (IDA, replace(BREAD, id="杭" * 167)),
    ],
)
def test_a_name_that_cannot_be_kept_is_an_error_with_a_next_step(
    store: DocumentStore, scope: Scope, document: Document
) -> None:
    with pytest.raises(StoreError) as caught:
        run(store.put(scope, "private", [GREEN, entry(document, "x")], b"1"))
    assert caught.value.hint
    assert run(store.documents(scope, "private")) == {}


def test_any_text_and_time_comes_back_as_it_was(store: DocumentStore) -> None:
    odd = ["", "a\x00b", "\x1a0000", "\ud83d half", "👩\u200d👧", "'; DROP TABLE documents; --", "%_\\"]
    many = [
        entry(replace(TEA, id=f"{n}{t}", title=t, source=t, at=MAY.replace(year=n + 1)), t, "after")
        for n, t in enumerate(odd)
    ]
    run(store.put(IDA, "private", many, b"\x00\xff"))
    assert kept(store, *many) == {p.id: p for each in many for p in each.passages}
    assert [run(store.text(IDA, "private", e.document.id)) for e in many] == [e.text for e in many]
    assert run(store.forget(IDA, "private", [e.document.id for e in many])) == len(odd)


def test_of_a_time_with_a_zone_the_clock_on_the_wall_is_kept(store: DocumentStore) -> None:
    zoned = replace(TEA, at=MAY.replace(tzinfo=UTC))
    run(store.put(IDA, "private", [entry(zoned, "x")], b"1"))
    assert run(store.documents(IDA, "private"))[TEA.id] == TEA


def test_many_are_kept_and_forgotten_whole(store: DocumentStore) -> None:
    many = [entry(replace(BREAD, id=f"{n}.md"), f"{n}", "more") for n in range(603)]
    assert run(store.put(IDA, "private", many, b"1")) == 603
    assert run(store.put(IDA, "private", [*many, RYE], b"2")) == 1
    assert run(store.forget(IDA, "private", [e.document.id for e in many])) == 603
    assert list(run(store.documents(IDA, "private"))) == [BREAD.id]
    assert len(index(store)) == 1
