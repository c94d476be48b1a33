from __future__ import annotations

from winnow.bridge import blocking
from winnow.sources.gate import ASKED, IF_NEEDED, SPARED
from winnow.sources.tiers import Gathered, gathered
from winnow.types.ref import Ref
from winnow.types.search import Search
from winnow.types.shortlist import Candidate, Shortlist, Step


def looked_up(gate: tuple[Step, ...], holds: dict[str, int]) -> tuple[Gathered, list[str]]:
    """What is gathered where each source holds so many candidates, and who was asked, in order."""
    asked: list[str] = []

    async def ask(name: str, _search: Search) -> Shortlist:
        asked.append(name)
        return Shortlist(name, tuple(Candidate(Ref("passage", f"{name}{n}")) for n in range(holds[name])))

    return blocking(gathered(Search("how long does it rest"), gate, ask)), asked


GATE = (Step("knowledge", ASKED), Step("history", SPARED), Step("public", IF_NEEDED))


def test_what_is_private_and_enough_leaves_the_public_alone() -> None:
    found, asked = looked_up(GATE, {"knowledge": 3, "public": 2})
    assert asked == ["knowledge"]
    assert [s.source for s in found.found] == ["knowledge"]
    assert [step.chosen for step in found.gate] == [ASKED, SPARED, SPARED]
    assert found.sufficiency is not None
    assert found.sufficiency.enough


def test_too_little_that_is_private_asks_the_public_too() -> None:
    found, asked = looked_up(GATE, {"knowledge": 2, "public": 2})
    assert asked == ["knowledge", "public"]
    assert [s.source for s in found.found] == ["knowledge", "public"]
    assert [step.chosen for step in found.gate] == [ASKED, SPARED, ASKED]


def test_without_anything_private_the_public_is_asked() -> None:
    found, asked = looked_up(GATE[2:], {"public": 2})
    assert asked == ["public"]
    assert found.sufficiency is None


def test_nothing_is_asked_that_the_gate_holds_back() -> None:
    spared = tuple(Step(step.what, SPARED) for step in GATE)
    assert looked_up(spared, {}) == (Gathered((), spared, None), [])
