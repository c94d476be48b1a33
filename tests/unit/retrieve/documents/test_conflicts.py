"""Documents are compared with each other, with facts and with messages."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import pytest

from winnow.retrieve.documents.conflicts import reconcile
from winnow.types.candidate import BEARING_LANE, Candidate, Evidence, Ref, Search, Shortlist

OLD, NEW = datetime(2025, 1, 10), datetime(2026, 1, 10)  # noqa: DTZ001 - a wall clock has no zone
PRICE, DEARER = "The monthly pass costs 49 euros.", "The monthly pass costs 58 euros."


def told(id_: str, text: str, at: datetime | None = None, kind: str = "passage", **data: object) -> Candidate:
    known = {"text": text, "at": at.isoformat() if at else "", **data}
    return Candidate(Ref(kind, id_), score=0.8, data=known)


def passage(id_: str, text: str, at: datetime | None = None, title: str = "Gym", **data: object) -> Candidate:
    return told(id_, text, at, title=title, document=id_, credibility=0.5, **data)


def found(*lists: Shortlist, question: str = "?") -> list[list[dict[str, object]]]:
    """What is told of each candidate, list by list, with its id."""
    made = reconcile(Search(question), lists)
    return [[{"id": c.ref.id, **c.data} for c in one.candidates] for one in made]  # type: ignore[dict-item]


def marks(told_: dict[str, object]) -> dict[str, object]:
    return {
        name: told_[name] for name in ("status", "superseded", "superseded_by", "uncertain") if name in told_
    }


def test_of_a_longer_text_one_sentence_is_marked() -> None:
    old = passage("1", f"# Prices\n{PRICE} Towels are free.", OLD)
    new = passage("2", f"{DEARER} The sauna is warm.", NEW)
    ((first, second),) = found(Shortlist("knowledge", (old, new)))
    assert (first["id"], marks(first)) == ("2", {})
    assert marks(second) == {"superseded": PRICE, "superseded_by": "2"}


def test_of_several_the_latest_wins() -> None:
    third = datetime(2027, 1, 10)  # noqa: DTZ001 - a wall clock has no zone
    texts = [passage("1", PRICE, OLD), passage("2", DEARER, NEW)]
    (all_,) = found(Shortlist("knowledge", (*texts, passage("3", "The monthly pass costs 61 euros.", third))))
    assert [(one["id"], one.get("superseded_by")) for one in all_] == [("3", None), ("1", "3"), ("2", "3")]


@pytest.mark.parametrize(("kind", "source"), [("fact", "facts"), ("message", "history")])
def test_a_later_document_stands_before_what_was_said_earlier(kind: str, source: str) -> None:
    said = Shortlist(source, (told("s", PRICE, OLD, kind, status="current"),))
    written = Shortlist("knowledge", (passage("d", DEARER, NEW),))
    question = "What does the monthly pass cost?"
    (document,), (earlier,) = found(said, written, question=question)
    assert document["id"] == "d"
    assert (earlier["status"], earlier["superseded_by"]) == ("superseded", "d")


@pytest.mark.parametrize(("kind", "source"), [("fact", "facts"), ("message", "history")])
def test_what_was_said_later_outdates_a_document(kind: str, source: str) -> None:
    said = Shortlist(source, (told("s", DEARER, NEW, kind),))
    written = Shortlist("knowledge", (passage("d", PRICE, OLD),))
    _, (document,) = found(said, written, question="What does the monthly pass cost?")
    assert marks(document) == {"status": "superseded", "superseded_by": "s"}


def test_a_message_that_denies_an_earlier_one_or_gives_another_number_is_first() -> None:
    noon = datetime(2026, 1, 10, 12)  # noqa: DTZ001 - a wall clock has no zone
    for question, old, new in (
        ("我对花生过敏吗", "我对花生过敏。", "我对花生不过敏。"),
        ("How much ramipril do I take?", "I take 5 mg of ramipril.", "I take 10 mg of ramipril."),
    ):
        said = told("1", old, NEW, "message", speaker="user"), told("2", new, noon, "message", speaker="user")
        ((first, second),) = found(Shortlist("history", said), question=question)
        assert (first["id"], second["id"]) == ("2", "1")
        assert marks(second) == {"status": "superseded", "superseded_by": "2"}


def test_who_asks_for_the_past_gets_it_in_the_order_it_was_found() -> None:
    both = passage("1", PRICE, OLD), passage("2", DEARER, NEW)
    ((first, second),) = found(
        Shortlist("knowledge", both), question="What did the monthly pass cost before?"
    )
    assert (first["superseded_by"], marks(second)) == ("2", {})


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (passage("1", PRICE, OLD), passage("2", "The monthly student pass costs 29 euros.", NEW)),
        (
            passage("1", "Bake for 40 minutes.", OLD, "Apple cake"),
            passage("2", "Bake for 25 minutes.", NEW, "Scones"),
        ),
        (
            passage("1", "- Cake flour: 2 cups", OLD, "Pie"),
            passage("2", "- Cake flour: 3 cups", NEW, "Scones"),
        ),
        (passage("1", "Cut 3 slices.", OLD, "Carp"), passage("2", "Cut 4 slices.", NEW, "Carp soup")),
        (passage("1", "Room A costs 50 euros.", OLD), passage("2", "Room B costs 60 euros.", NEW)),
        (passage("1", "In 2024 we sold 12 boats.", OLD), passage("2", "In 2025 we sold 15 boats.", NEW)),
        (passage("1", "Line 3 runs until 11 pm.", OLD), passage("2", "Line 5 runs until 10 pm.", NEW)),
        (passage("1", PRICE, OLD), passage("2", PRICE, NEW)),
        (passage("1", PRICE, OLD), told("2", DEARER, NEW, document="1", title="Gym")),
        (passage("1", PRICE, OLD), told("2", DEARER, NEW, "message", speaker="assistant")),
        (passage("1", PRICE, OLD), told("2", DEARER, NEW, "message", speaker="Max")),
        (told("1", PRICE, OLD, "fact"), told("2", DEARER, NEW, "fact")),
        (passage("1", PRICE, OLD), told("2", DEARER, NEW, "fact", status="superseded")),
    ],
)
def test_what_may_both_hold_is_left_alone(one: Candidate, other: Candidate) -> None:
    lists = [Shortlist("a", (one,)), Shortlist("b", (other,))]
    assert reconcile(Search("How long do I bake the cake, and what is the pass?"), lists) == tuple(lists)


def test_what_a_host_tells_may_be_anything() -> None:
    lists = (
        Shortlist("a", (Candidate(Ref("passage", "1"), data=DEARER), Candidate(Ref("passage", "2")))),
        Shortlist(
            "b", (passage("3", PRICE, None), Candidate(Ref("passage", "4"), data={"at": "soon", "text": 3}))
        ),
    )
    assert reconcile(Search("?"), lists) == lists


FEES = "Which fee does the rowing club take?"


def editions(
    older: str, newer: str, newly: float = 0.4, title: str = "Rowing club", **more: object
) -> Shortlist:
    """Two documents that bear on the question, the older better by its words."""
    rows = (passage("old", older, OLD, "Rowing club 2025"), passage("new", newer, NEW, title, **more))
    likely = (0.9, newly)
    return Shortlist(
        "knowledge",
        tuple(
            replace(one, evidence=(Evidence(BEARING_LANE, p),)) for one, p in zip(rows, likely, strict=True)
        ),
    )


def test_the_newer_of_two_editions_is_first_however_it_says_it() -> None:
    both = editions("The rowing club takes a fee of 80 euros.", "Rowing went up, its fee is 95 euros now.")
    ((first, second),) = found(both, question=FEES)
    assert (first["id"], marks(first)) == ("new", {})
    assert marks(second) == {"status": "superseded", "superseded_by": "new"}


def test_the_newer_edition_with_another_value_is_first_though_it_hardly_bears_on_what_is_asked() -> None:
    old, new = "No more than six people may use the lift at once.", "The lift carries up to four people."
    rows = (passage("old", old, OLD, "Lift"), passage("new", new, NEW, "Lift"))
    likely = [
        replace(one, evidence=(Evidence(BEARING_LANE, p),)) for one, p in zip(rows, (0.9, 0.04), strict=True)
    ]
    asked = "How many people may use the lift at once?"
    ((first, _),) = found(Shortlist("knowledge", tuple(likely)), question=asked)
    assert first["id"] == "new"


def test_what_names_no_other_value_goes_behind_and_is_not_marked() -> None:
    both = editions("The rowing club takes a small fee.", "For members the club waives the fee.")
    ((first, second),) = found(both, question=FEES)
    assert (first["id"], marks(second)) == ("new", {})


@pytest.mark.parametrize(
    ("newer", "newly", "title"),
    [
        ("The club has painted its boats, and the fee box too.", 0.4, "Rowing club"),  # gives no value
        ("The weather was fine, 21 degrees.", 0.4, "Rowing club"),  # says nothing of what is asked
        ("For members the club waives the fee.", 0.04, "Rowing club"),  # hardly bears on it
        ("Rowing went up, its fee is 95 euros now.", 0.4, "Minutes of the choir"),  # another document
    ],
)
def test_a_newer_document_that_tells_of_something_else_changes_nothing(
    newer: str, newly: float, title: str
) -> None:
    both = editions("The rowing club takes a fee of 80 euros.", newer, newly, title)
    ((first, second),) = found(both, question=FEES)
    assert (first["id"], marks(first), marks(second)) == ("old", {}, {})


def test_of_editions_without_a_day_the_more_credible_is_first() -> None:
    weak = passage("weak", "The rowing club takes a fee of 80 euros.", title="Rowing club")
    sure = passage("sure", "Rowing went up, its fee is 95 euros now.", title="Rowing club")
    rows = tuple(
        replace(one, evidence=(Evidence(BEARING_LANE, p),), data={**one.data, "credibility": c})  # type: ignore[dict-item]
        for one, p, c in ((weak, 0.9, 0.2), (sure, 0.4, 0.9))
    )
    ((first, second),) = found(Shortlist("knowledge", rows), question=FEES)
    assert (first["id"], second["id"]) == ("sure", "weak")
    assert second["superseded_by"] == "sure"
