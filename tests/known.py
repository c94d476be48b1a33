"""Cases of a table as parameters of a test; those known to go wrong are expected to fail, in sight."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

import pytest
from _pytest.mark.structures import ParameterSet

Case = TypeVar("Case")


def parameters(
    cases: Iterable[Case], name: Callable[[Case], str], wrong: Callable[[Case], str]
) -> list[ParameterSet]:
    """One parameter a case, called by its name.

    ``wrong`` says why the answer is known to be wrong, nothing when it must be right. A known fault is a
    failed assertion: a crash in its place fails the run, and so does an answer that has become right.
    """
    return [pytest.param(case, id=name(case), marks=_fault(wrong(case))) for case in cases]


def _fault(why: str) -> list[pytest.MarkDecorator]:
    return [pytest.mark.xfail(strict=True, raises=AssertionError, reason=why)] if why else []
