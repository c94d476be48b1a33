"""Documents and passages, how they are searched, and reports of what was added."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from winnow.errors import Problem
from winnow.types.home import Note

KnowledgeTier = Literal["private", "public"]
"""``private``: of one person; ``public``: of everybody of the tenant. Private ones are searched first."""


@dataclass(frozen=True, slots=True)
class Document:
    """What is known of a document beside its text."""

    id: str
    """Stable: told by where it comes from, never by what it says."""
    title: str = ""
    kind: Literal["document", "note"] = "document"
    collection: str = ""
    """What it belongs to, where somebody said so."""
    domain: str = ""
    """What field it is about (``cooking``, ``law``); empty: any."""
    importance: float = 0.5
    """0..1: from 0.8 on it is never compressed unless nothing else helps."""
    credibility: float = 0.5
    """0..1: who is believed where two contradict each other."""
    source: str = ""
    """Where it comes from, as people would look for it: a path within what was added, an address."""
    at: datetime | None = None
    """When it was written or last held, by the clock on the wall. None: nobody knows."""
    digest: str = ""
    """Of what it was read from, and how: while it is the same, reading it again gives the same document."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of a document that makes sense by itself."""

    id: str
    """Stable as long as the text of the document is."""
    document: Document
    text: str
    headings: tuple[str, ...] = ()
    """The headings it stands under, outermost first."""
    start: int = 0
    """Where it begins in the document's text, in characters."""
    also: tuple[str, ...] = ()
    """Ids of other documents that say the same; their passages are folded into this one."""


# What the reader of an export of messages tells, and what an import of one did.

Read = Callable[[int, int], None]
"""Told now and then how far a reader is: bytes read, and bytes in all (0: nobody knows)."""


@dataclass(frozen=True, slots=True)
class MessagesReport:
    """What an import of messages kept, and what it did not."""

    user: str
    found: int = 0
    """Messages in the export."""
    added: int = 0
    """Those that were not there before."""
    total: int = 0
    """Messages of the user now."""
    notes: tuple[Note, ...] = ()
    """What was left out or could not be read, each with its place in the file."""


# What adding documents did.

IngestOutcome = Literal["added", "changed", "unchanged", "refused"]


@dataclass(frozen=True, slots=True)
class AddedDocument:
    """What became of one document."""

    name: str
    """Its place within what was added."""
    outcome: IngestOutcome
    passages: int = 0
    folded: int = 0
    """Of these, what other passages say already."""


@dataclass(frozen=True, slots=True)
class AddReport:
    """What became of all that was to be added."""

    tier: KnowledgeTier
    collection: str
    added: int = 0
    changed: int = 0
    unchanged: int = 0
    passages: int = 0
    """Of what was added and changed."""
    folded: int = 0
    rows: tuple[AddedDocument, ...] = ()
    """The first documents that were added or changed."""
    refused: int = 0
    problems: tuple[Problem, ...] = ()
    """What was refused and why, the first of them."""
    others: int = 0
    """Files in folders that are no documents."""
    gone: tuple[str, ...] = ()
    """Ids of documents whose files are no longer there."""
    pruned: int = 0
    """Of these, how many were removed."""
    total: int = 0
    """Documents of the tier now."""

    @property
    def read(self) -> int:
        """Documents that could be read."""
        return self.added + self.changed + self.unchanged


# How documents are searched, and whether what was found is enough (seed 004, section 1).

Enough = Literal["confidence", "all"]


# What a wrong yes costs where a wrong no costs 1, for the probabilities that decide; thresholds follow.
# ``python -m benchmarks.calibration`` holds both against what was so.

Decision = Literal[
    "private_suffices",
    "source_bears",
    "anything_bears",
    "turn_needs",
    "opening_needs",
    "follow_up_needs",
    "statement_needs",
]
COSTS: Mapping[Decision, float] = {
    # An answer that only public collections have is missed three times as badly as they are asked in vain
    "private_suffices": 3.0,
    # One answer that is lost counts as much as 49 results, or 2.3 questions, that are given something in vain
    "source_bears": 1 / 49,
    "anything_bears": 3 / 7,
    # A look-up that is missed costs 1.5 in vain; where the form of a turn asks for one and its meaning does
    # not, 4, and 19 within a talk, whose turns are short like chat; where only its meaning does, a ninth
    "turn_needs": 2 / 3,
    "opening_needs": 1 / 4,
    "follow_up_needs": 1 / 19,
    "statement_needs": 9.0,
}


def threshold(decision: Decision) -> float:
    """The probability, to two places, from which on a yes costs less than a no."""
    return round(COSTS[decision] / (1 + COSTS[decision]), 2)


@dataclass(frozen=True, slots=True)
class KnowledgeSettings:
    """Limits of both tiers, and when the public one is needed."""

    private: bool = True
    """Whether a person's own documents are searched."""
    private_most: int = 10
    private_least: float = 0.7
    """Calibrated relevance, 0..1, from which a private result counts, and is always kept."""
    public: bool = True
    """Whether everybody's documents are searched where they are needed."""
    public_most: int = 5
    public_least: float = 0.75
    private_limit: float = 0.0
    public_limit: float = 0.0
    """What is less relevant is never returned, be it the best: what a person sets as ``min_relevance``."""
    least_share: float = 0.005
    """What is less relevant is kept too if it has this share of the best one's relevance."""
    nothing_below: float = threshold("source_bears")
    """Probability of bearing on the question that the best result of a source has at least; else nothing of
    it is given. 0: whatever is found is given."""
    nothing_at_all_below: float = threshold("anything_bears")
    """Probability that anything of all sources bears on the question; else nothing of any is given. 0: each
    source is judged alone."""
    enough_by: Enough = "confidence"
    """``confidence`` decides alone, or ``all``: results, coverage and confidence, as seed 004 has it."""
    enough_results: int = 3
    enough_coverage: float = 0.8
    enough_confidence: float = threshold("private_suffices")
    glance: bool = True
    """Whether the index of public documents may tell how well they match, before any of them is searched."""
    domains: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)
    """Domain of public documents -> words of a question that tell it, beside its own name."""
    half_life_days: float = 0.0
    """After how many days a document counts half as much. 0: age does not count."""


@dataclass(frozen=True, slots=True)
class Sufficiency:
    """Whether private results answer the question, computed and never guessed."""

    enough: bool
    results: int
    """Results that are relevant enough."""
    coverage: float
    """Share of the question's concepts that the results cover, weighed by how much each tells."""
    confidence: float
    """Calibrated: of questions with this figure, that share is answered by what was found."""
    reason: str = ""
