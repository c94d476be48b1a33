"""The record of one turn: attempt, briefing, understanding, and everything they rest on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from winnow.types.candidate import DeviceCandidate, HomeShortlist, Shortlist, Step
from winnow.types.context import Context, ModelCall, model_degradations
from winnow.types.document import Sufficiency
from winnow.types.query import Intent, Reading, Rewrite
from winnow.types.scope import Scope
from winnow.types.state import EMPTY_SNAPSHOT, Snapshot
from winnow.types.utterance import Utterance
from winnow.types.verdict import (
    Act,
    Call,
    NotUnderstood,
    Query,
    Refuse,
    Verdict,
    named_calls,
    named_reads,
)

# What a home makes of a turn before anything else is asked.


@dataclass(frozen=True, slots=True)
class Attempt:
    """One reading of a turn, and what follows from it in this home: understood, recalled and decided."""

    reading: Reading
    shortlists: tuple[HomeShortlist, ...]
    """One per query of the reading, in order."""
    verdict: Verdict
    snapshot: Snapshot = EMPTY_SNAPSHOT
    """What the devices reported when it was decided."""
    rivals: tuple[Attempt, ...] = ()
    """What each of several readings comes to, in the order of the options, where the verdict asks which."""
    mentioned: tuple[DeviceCandidate, ...] = ()
    """What the words point to where nothing follows from them, best first: told to whoever can judge it."""
    may_order: bool = False
    """Whether words that were taken for no order may be one all the same, for whoever can judge it."""

    @property
    def mentioned_ids(self) -> tuple[str, ...]:
        """Ids of what is mentioned, best first."""
        return tuple(one.device_id for one in self.mentioned)

    @property
    def is_handover(self) -> bool:
        """Whether what an order mentions that was not understood is told to whoever can judge it."""
        return bool(self.mentioned) and (self.may_order or isinstance(self.verdict, Refuse | NotUnderstood))

    def rival(self, number: str) -> Attempt | None:
        """What the reading of that option comes to; None where the question was another one."""
        at = int(number) if number.isdigit() else len(self.rivals)
        return self.rivals[at] if at < len(self.rivals) else None

    @property
    def concise(self) -> Attempt:
        """The same, with what only those devices reported that it acts on, leaves out or was judged by."""
        acted = {call.device_id for call in named_calls(self.verdict)}
        read = {read.device_id for read in named_reads(self.verdict)}
        bulk = self.verdict.bulk if isinstance(self.verdict, Act) else None
        told_of = acted | read | set(bulk.uncovered if bulk else ())
        return replace(self, snapshot=self.snapshot.about(told_of))


@dataclass(frozen=True, slots=True)
class Section:
    """One part of a briefing."""

    name: str
    text: str
    tokens: int


@dataclass(frozen=True, slots=True)
class Briefing:
    """The text to inject, within its budget; ``tokens`` is exact for ``counted_by``."""

    text: str
    tokens: int
    counted_by: str
    sections: tuple[Section, ...] = ()
    left_out: tuple[str, ...] = ()
    """What the text does not hold: lines, and sets of which it does not name every member."""
    offered: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Device id -> ids of the commands that the text names with it. A set is offered by its plan alone."""

    def messages(self) -> list[dict[str, str]]:
        """As OpenAI chat messages."""
        return [{"role": "system", "content": self.text}] if self.text else []


@dataclass(frozen=True, slots=True)
class Stage:
    """How long one stage took, in milliseconds."""

    name: str
    ms: float


@dataclass(frozen=True, slots=True)
class Retrieval:
    """The whole chain of values of one turn. It is its own trace."""

    utterance: Utterance
    home_id: str
    """Empty where no home was spoken to."""
    attempt: Attempt
    """The reading that was taken in the end, what of the home it may mean, and what may be done."""
    briefing: Briefing
    gate: tuple[Step, ...] = ()
    """Which sources beside the home were asked, which were not, and why."""
    results: tuple[Shortlist, ...] = ()
    """What those that were asked offer."""
    stages: tuple[Stage, ...] = ()
    plan: str = ""
    """The handle of what may be done, or of the question with options: what the briefing calls it by. Equal
    for equal words of one person; empty where there is nothing to name."""
    proposed_calls: tuple[Call, ...] = ()
    """Calls that an agent put together of what was offered: they are done in the place of the verdict's."""
    id: str = field(default="", compare=False)
    """What ``Engine.answer`` takes when the verdict asks something: random, good for one answer."""
    after: str = field(default="", compare=False)
    """Id of the retrieval whose question this one answers."""
    answer: str = field(default="", compare=False)
    """What the person said to that question: words, or the label of what was chosen."""
    intent: Intent | None = None
    """Whether and where anything had to be looked up; None in what was derived without a talk."""
    rewrite: Rewrite | None = None
    """The standalone query, for what else is searched."""
    embedder: str = ""
    """Name and version of what the vectors came from; behind a dash, why it is not the built-in table."""
    model_calls: tuple[ModelCall, ...] = ()
    """What a language model was asked on the way, and how each call went."""
    context: Context = field(default_factory=Context)
    """The messages to be sent to a language model: what the caller gave, what was found, what was said."""
    sufficiency: Sufficiency | None = None
    """Whether what is private answers the turn; None where nothing private was asked."""

    @property
    def scope(self) -> Scope:
        """Whose rows it was made from, in the home that was meant."""
        return self.utterance.scope.at(self.home_id)

    @property
    def reading(self) -> Reading:
        """The words as they were understood."""
        return self.attempt.reading

    @property
    def shortlists(self) -> tuple[HomeShortlist, ...]:
        """What of the home may be meant, one per query of the reading, in order."""
        return self.attempt.shortlists

    @property
    def verdict(self) -> Verdict:
        """What may be done."""
        return self.attempt.verdict

    @property
    def snapshot(self) -> Snapshot:
        """What the devices concerned reported, when, and who said so."""
        return self.attempt.snapshot

    @property
    def ms(self) -> float:
        """Milliseconds of all stages together."""
        return sum(s.ms for s in self.stages)

    @property
    def device_ids(self) -> tuple[str, ...]:
        """Ids of the devices that the verdict acts on, asks about or reads, each once."""
        called = [call.device_id for call in named_calls(self.verdict)]
        read = [r.device_id for r in self.verdict.reads] if isinstance(self.verdict, Query) else []
        return tuple(dict.fromkeys(called + read))

    @property
    def query(self) -> str:
        """What to search other sources for: the standalone query, or the words as said."""
        return self.rewrite.query if self.rewrite else self.utterance.text

    @property
    def said(self) -> str:
        """What the person said last: the words of the turn, or what was answered to its question."""
        return self.answer or self.utterance.text

    @property
    def nothing_found(self) -> bool:
        """Whether something was looked up beside the home, and nothing came of it.

        Then an honest answer is that nobody told. False where nothing had to be looked up.
        """
        return bool(self.results) and not any(one.candidates for one in self.results)

    def results_of(self, source: str) -> Shortlist:
        """What a source offers: ``history``, ``facts``, ``knowledge``, ``public``, or one of your own.

        Empty where it was not asked.
        """
        return next((one for one in self.results if one.source == source), Shortlist(source))

    def with_snapshot(self, snapshot: Snapshot) -> Retrieval:
        """The same, to be gone on with while the devices report this; its verdict is still that of before."""
        return replace(self, attempt=replace(self.attempt, snapshot=snapshot))

    def with_verdict(self, verdict: Verdict) -> Retrieval:
        """The same with another verdict; its briefing is still that of the one before."""
        return replace(self, attempt=replace(self.attempt, verdict=verdict))

    @property
    def degradations(self) -> tuple[str, ...]:
        """``purpose: outcome`` of every model that was asked in vain, so that rules or words answered."""
        return (
            *model_degradations(self.model_calls),
            *(why for shortlist in self.results for why in shortlist.degradations),
        )


# What a turn of a talk asks for, before anything is searched: the first half of the trace.


@dataclass(frozen=True, slots=True)
class Understanding:
    """Intent, then the standalone query, then what the home makes of it (seed 002).

    ``reading`` is None where no home is known.
    """

    utterance: Utterance
    intent: Intent
    rewrite: Rewrite
    reading: Reading | None = None
    stages: tuple[Stage, ...] = ()
    calls: tuple[ModelCall, ...] = ()
    """Models that were asked, with what came of it."""

    @property
    def query(self) -> str:
        """What is to be searched for: the standalone query where one is needed, else the words as said."""
        return self.rewrite.query

    @property
    def degradations(self) -> tuple[str, ...]:
        """``purpose: outcome`` of every model that was asked in vain, so that the rules answered."""
        return model_degradations(self.calls)
