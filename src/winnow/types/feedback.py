"""Feedback on turns, accounts of them to learn from, and metrics."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Literal

from winnow.types.candidate import Ref
from winnow.types.context import Part, Use
from winnow.types.retrieval import Stage

FeedbackKind = Literal["useful", "not_useful", "missing", "wrong"]
"""``missing``: it should have been there; ``wrong``: what it says is not so."""

MAX_ACCOUNTS = 50
"""Accounts kept of one user, where turns are counted."""


@dataclass(frozen=True, slots=True)
class OfferedResult:
    """One thing that was found for a turn, as it stood then; none of its text."""

    source: str
    ref: Ref
    score: float
    """Calibrated relevance, 0..1."""
    evidence: Mapping[str, float] = field(default_factory=dict)
    """Lane -> score; and what is known of it: ``importance``, ``credibility``, ``age`` (days)."""
    tokens: int = 0
    """Of its whole text."""
    kept: int = 0
    """Of what of it stood in the messages."""


@dataclass(frozen=True, slots=True)
class Account:
    """One turn as it was answered, without any text but the question."""

    id: str
    """That of the retrieval."""
    query: str
    at: float
    """Seconds since the epoch."""
    offered: tuple[OfferedResult, ...] = ()
    """Best first within each source."""
    shares: Mapping[str, int] = field(default_factory=dict)
    """Tokens that each share of the budget could hold."""
    total: int = 0

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Account:
        """The account that ``data`` gave. Raises KeyError or TypeError on anything else."""
        offered = tuple(
            OfferedResult(**{**_known_fields(OfferedResult, row), "ref": Ref(**row["ref"])})
            for row in data.get("offered", ())
        )
        return cls(**{**_known_fields(cls, data), "offered": offered})

    def data(self) -> dict[str, Any]:
        """As plain data."""
        return {**asdict(self), "offered": [asdict(one) for one in self.offered]}


@dataclass(frozen=True, slots=True)
class Feedback:
    """What somebody said of a turn, or of one thing it was given."""

    id: str
    user: str
    judged: FeedbackKind
    retrieval: str
    """Id of the retrieval."""
    at: float
    """Seconds since the epoch."""
    ref: Ref | None = None
    """What is meant; None: all of it."""
    note: str = ""
    account: Account | None = None

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Feedback:
        """The feedback that ``data`` gave. Raises KeyError or TypeError on anything else."""
        ref, account = data.get("ref"), data.get("account")
        made = {"ref": Ref(**ref) if ref else None, "account": Account.of(account) if account else None}
        return cls(**{**_known_fields(cls, data), **made})

    def data(self) -> dict[str, Any]:
        """As plain data."""
        return {**asdict(self), "account": self.account.data() if self.account else None}


@dataclass(frozen=True, slots=True)
class Total:
    """What was counted of one figure: of how many turns, and all together."""

    count: int = 0
    sum: float = 0.0

    def __add__(self, other: Total) -> Total:
        """Both together."""
        return Total(self.count + other.count, self.sum + other.sum)

    @property
    def mean(self) -> float:
        """Of one turn."""
        return self.sum / self.count if self.count else 0.0


def totals(figures: Iterable[tuple[str, Total]]) -> dict[str, Total]:
    """Each figure's total, by name in the order of names."""
    added: dict[str, Total] = {}
    for name, one in figures:
        added[name] = added.get(name, Total()) + one
    return dict(sorted(added.items()))


def _known_fields(kind: type, data: Mapping[str, Any]) -> dict[str, Any]:
    """What a newer Winnow may have written beside it is left out."""
    names = {one.name for one in fields(kind)}
    return {name: value for name, value in data.items() if name in names}


# How well a turn was served: what of its context bears on the question, what of an answer it supports.


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence of an answer, and what of the context supports it."""

    text: str
    supported: bool
    share: float
    """Share of its terms, weighed by how much each tells, that the best place in the data says, 0..1."""
    added: float
    """The same of those terms that it adds to the question."""
    by: Ref | None = None
    """Where that place is; None: nothing in the data says any of it."""
    missing: tuple[str, ...] = ()
    """Its numbers and names that neither the data nor the question has."""


@dataclass(frozen=True, slots=True)
class Metrics:
    """One turn in figures. Shares are 0..1; None where there is nothing to take a share of."""

    tokens: int
    """Of all messages."""
    total: int
    """Tokens they may have; 0: nobody set a limit."""
    data: int
    """Tokens of what was looked up and stands in the messages: history, facts, passages."""
    relevance: float | None = None
    """Share of the data's tokens that bears on the question: those of sentences that say a concept of it, or
    stand beside one that does, each weighed by the calibrated relevance of where it comes from."""
    coverage: float | None = None
    """Share of the question's concepts that the data says, weighed by how much each tells."""
    uncovered: tuple[str, ...] = ()
    """Concepts it does not say, as the question has them."""
    utilisation: float | None = None
    """Share of the data's tokens that supports the answer."""
    completeness: float | None = None
    """Share of what bears on the question that the answer uses."""
    support: float | None = None
    """Adherence: share of the answer's statements that the data supports."""
    statements: tuple[Statement, ...] = ()
    shares: Mapping[Part, Use] = field(default_factory=dict)
    """What each share of the budget holds."""
    stages: tuple[Stage, ...] = ()
    """Milliseconds of each stage."""
    model_tokens: int = 0
    """Read and written by language models on the way."""

    @property
    def ms(self) -> float:
        """Milliseconds of all stages together."""
        return sum(stage.ms for stage in self.stages)
