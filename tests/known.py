"""Cases of a table as parameters of a test, without those that are known to go wrong.

That is no test but an evaluation with a stored result: ``python -m benchmarks.known_faults``.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable
from typing import TypeVar

import pytest
from _pytest.mark.structures import ParameterSet

Case = TypeVar("Case")
EVALUATION = "WINNOW_KNOWN_FAULTS"
"""Where this variable is set, the tables hold what is known to go wrong, and nothing else."""
FAULTS: Counter[str] = Counter()
"""How many cases of each table are known to go wrong, by the table's name."""


def parameters(
    table: str, cases: Iterable[Case], name: Callable[[Case], str], wrong: Callable[[Case], str]
) -> list[ParameterSet]:
    """One parameter a case that must be right, called by its name.

    ``wrong`` says why the answer is known to be wrong, nothing when it must be right.
    """
    cases = list(cases)
    FAULTS[table] = sum(bool(wrong(case)) for case in cases)
    evaluated = EVALUATION in os.environ
    return [
        pytest.param(case, id=name(case), marks=pytest.mark.known_fault(table=table) if evaluated else ())
        for case in cases
        if bool(wrong(case)) == evaluated
    ]
