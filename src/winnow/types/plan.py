"""Rules for acting, and plans: a handle of what may be done, so that nothing is added or dropped."""

from __future__ import annotations

import hashlib
from base64 import b32encode
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from winnow.types.retrieval import Attempt, Retrieval
from winnow.types.utterance import Utterance
from winnow.types.verdict import Act, Call, Clarify, Confirm, named_calls, verdict_digest

# How acts are gone about: what wants a yes, what is never done, how long anything is waited for.


DangerRule = Literal["ask", "allow", "never"]
"""What is done about a danger: a yes is asked for, it is done like anything else, or never done."""
DANGERS = ("unlock", "open_door", "open_valve", "alarm", "disarm", "arm", "heat")
"""What can be dangerous, by the names of ``decide.risk``; ``arm`` is arming without a mode."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What is done about danger, of one home or one person."""

    dangers: Mapping[str, DangerRule] = field(default_factory=dict)
    """Danger -> what is done about it; what is not named is asked about."""
    things: Mapping[str, DangerRule] = field(default_factory=dict)
    """Device or scene id, or its exact name -> the same, whatever it is told to do."""
    many: int = 0
    """Devices acted on unasked; 0: as the settings say."""

    def over(self, below: Rules) -> Rules:
        """Both as one: these, and where they say nothing those ``below``."""
        return Rules(
            {**below.dangers, **self.dangers}, {**below.things, **self.things}, self.many or below.many
        )


# How much is done without asking.

EVIDENCE_WINDOW = 100
"""Pieces of evidence looked at, best first; 50 to 100 (seed 001 §8.3)."""
MIN_TOP1_RATIO = 0.4
"""Share of the best capability from which on it is trusted."""
MIN_MARGIN = 0.1
"""Lead of the best over the second from which on it is trusted."""


@dataclass(frozen=True, slots=True)
class ActionLimits:
    """What is done without asking. Counts, and shares of 0..1."""

    max_targets: int = 100
    """Devices acted on unasked."""
    max_groups: int = 10
    """Groups of alike commands acted on unasked."""
    everywhere: int = 10
    """Devices acted on unasked when everything in the whole home is switched, or a set of the whole home that
    nobody called so."""
    batch: int = 20
    """Most calls of one batch."""
    options: int = 3
    """Most answers offered when the act is unclear."""
    top1_ratio: float = MIN_TOP1_RATIO
    """Share of the best capability from which on it is trusted."""
    margin: float = MIN_MARGIN
    """Lead of the best capability from which on it is trusted."""
    window: int = EVIDENCE_WINDOW
    """Pieces of evidence looked at when it is told which capability leads."""
    representatives: int = 5
    """Devices named when a set stays unclear after one question."""
    rules: Rules = field(default_factory=Rules)
    """What is done about danger; every danger is asked about unless they say something else."""

    def under(self, rules: Rules) -> ActionLimits:
        """The same under these rules; a set is asked about from where they say on."""
        if not rules.many:
            return replace(self, rules=rules)
        everywhere = min(self.everywhere, rules.many)
        return replace(self, rules=rules, max_targets=rules.many, everywhere=everywhere)


DEFAULT_LIMITS = ActionLimits()


@dataclass(frozen=True, slots=True)
class ActingRules:
    """How acts are gone about, for all homes and persons of a tenant."""

    rules: Rules = Rules()
    homes: Mapping[str, Rules] = field(default_factory=dict)
    users: Mapping[str, Rules] = field(default_factory=dict)
    yes_seconds: float = 60.0
    """How long a yes is waited for."""
    plan_seconds: float = 600.0
    """How long a plan may be carried out after it was made."""
    fresh_seconds: float = 30.0
    """How old the look at a home may be that conditions and relative values are decided on."""
    silent_hours: float = 24.0
    """A measurement that its sensor told longer ago than this is not believed; 0: any age."""
    at_once: int = 8
    """Devices acted on at one time."""
    tries: int = 3
    """Of each call that may be tried again."""
    call_seconds: float = 10.0
    """That one call may take."""
    seen_seconds: float = 5.0
    """How long it is waited until the home shows what was done."""
    act_seconds: float = 120.0
    """That one act may take in all; what is left then is not tried."""

    @property
    def names_any(self) -> bool:
        """Whether a home, device or scene is named anywhere."""
        return bool(self.homes or self.rules.things or any(own.things for own in self.users.values()))

    def of(self, home: str, user: str) -> Rules:
        """What counts for that person in that home: the person's own before the home's, those before all."""
        named = self.users.get(user, Rules()), self.homes.get(home, Rules())
        return named[0].over(named[1]).over(self.rules)


PlanState = Literal["open", "asked", "spent"]
"""``open``: may be carried out once. ``asked``: only after a yes. ``spent``: was carried out, or answered."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What one retrieval decided, kept until it is carried out or expires."""

    id: str
    """Short, for a model to repeat: equal for equal words of one person in one home."""
    home_id: str
    version: int
    """Version of the home it was made in."""
    utterance: Utterance
    """What was said, with the history it was understood by: saying it again leads to the same plan."""
    calls: tuple[Call, ...]
    """What would be done, as told."""
    mark: str
    """Digest of the verdict: another verdict is another plan."""
    made_at: float
    """Seconds since the epoch."""
    state: PlanState = "open"
    retrieval_id: str = ""
    offered: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Device id -> command ids that the briefing named: what an agent may call."""
    token_hash: str = ""
    """SHA-256 of the token that says yes, as hex; empty where nobody was asked."""
    expires_at: float = 0.0
    proposed: bool = False
    """Whether an agent put the calls together, and no sentence: then they stand as they are."""


LETTERS = 6
"""Of a handle: 30 bits, looked up among the plans of one person in one talk."""


def plan_of(retrieval: Retrieval, version: int, now: float) -> Plan | None:
    """What may be done of it, for a person or an agent to name; None where nothing may."""
    verdict = retrieval.verdict
    if not isinstance(verdict, Act | Confirm) and not retrieval.attempt.is_handover:
        return None
    state: PlanState = "asked" if isinstance(verdict, Confirm) else "open"
    return Plan(
        handle_of(retrieval.utterance, retrieval.home_id, retrieval.attempt),
        retrieval.home_id,
        version,
        retrieval.utterance,
        named_calls(verdict),
        verdict_digest(verdict),
        now,
        state,
        retrieval.id,
        retrieval.briefing.offered if state == "open" else {},
    )


def handle_of(said: Utterance, home_id: str, attempt: Attempt) -> str:
    """What an act, a question or a handover is called by; empty where there is nothing to name.

    A question whether to do something and what is done after a yes are one: whoever answers first has it.
    """
    who, verdict = (said.text, said.user, said.session, home_id), attempt.verdict
    if isinstance(verdict, Act | Confirm):
        return handle(*who, repr(named_calls(verdict)))
    if attempt.is_handover or (isinstance(verdict, Clarify) and verdict.options):
        return handle(*who, verdict_digest(verdict))
    return ""


def handle(*parts: str) -> str:
    """The same for the same parts, and another for others."""
    digest = hashlib.sha256("\0".join(parts).encode("utf-8", "backslashreplace")).digest()
    return b32encode(digest[:5]).decode().lower()[:LETTERS]  # 5 bytes are 8 letters
