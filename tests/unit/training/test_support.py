"""Statements that support is fitted on: what is true of each kind, and where the halves come from."""

from __future__ import annotations

from training.knowledge.fit_support import FALSE, TRUE, best, cases

ROWS = [
    {
        "id": str(n),
        "query": f"Where does {name} keep the ladder?",
        "answers": [place],
        "gold_passage_id": f"p{n}",
        "passages": [
            {
                "id": f"p{n}",
                "text": f"{name} keeps the long ladder {place}, and nobody may touch it. It is green.",
            }
        ],
    }
    for n, (name, place) in enumerate(
        [
            ("Ruth", "behind the barn"),
            ("Emil", "under the stairs"),
            ("Ada", "in the attic"),
            ("Kurt", "at the mill"),
        ]
    )
]


def test_each_question_gives_statements_of_every_kind() -> None:
    known = list(cases("own", ROWS))
    assert {case.kind for case in known} == {*TRUE, *FALSE}
    assert {case.half for case in known} <= {0, 1}
    share, added = best(known)
    assert 0 <= share <= 1
    assert all(case.right((share, added)) for case in known if case.kind in ("whole", "mistaken"))
