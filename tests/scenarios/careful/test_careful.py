"""No sentence of the suite makes the engine do what must not be done."""

from __future__ import annotations

from collections import defaultdict

import pytest
from tests.known import parameters
from tests.scenarios.careful.judge import Case, cases, complete, verdict, wrong

CASES = cases()
FLOOR = 0.79
"""Share of the sentences that get the preferred answer in full: a little under what was measured."""


@pytest.mark.bulk
@pytest.mark.parametrize(
    "case", parameters("careful", CASES, lambda c: c.id, lambda c: "acts wrongly" if c.pending else "")
)
def test_nothing_wrong_is_done(case: Case) -> None:
    faults = wrong(case)
    assert not faults, "\n  ".join(["", *faults, str(verdict(case))])


@pytest.mark.slow
def test_enough_is_answered_as_preferred() -> None:
    kinds: dict[str, list[bool]] = defaultdict(list)
    for case in CASES:
        kinds[case.kind].append(complete(case))
    for kind, seen in sorted(kinds.items()):
        print(f"{kind:16} {sum(seen):4} of {len(seen):4}  {sum(seen) / len(seen):.0%}")
    done = [one for seen in kinds.values() for one in seen]
    print(f"{'all':16} {sum(done):4} of {len(done):4}  {sum(done) / len(done):.1%}")
    assert sum(done) / len(done) >= FLOOR


def test_no_sentence_comes_twice() -> None:
    seen = [(c.said, c.home) for c in CASES]
    assert len(seen) == len(set(seen))
