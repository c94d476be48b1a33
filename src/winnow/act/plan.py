"""The handle of what a retrieval decided."""

from __future__ import annotations

import hashlib
from base64 import b32encode

from winnow.types.plan import Plan, PlanState
from winnow.types.retrieval import Retrieval
from winnow.types.utterance import Utterance
from winnow.types.verdict import Act, Clarify, Confirm, Verdict, mark_of, named_calls

LETTERS = 6
"""Of a handle: 30 bits, looked up among the plans of one person in one talk."""


def plan_of(retrieval: Retrieval, version: int, now: float) -> Plan | None:
    """What may be done of it, for a person or an agent to name; None where nothing may."""
    verdict = retrieval.verdict
    if not isinstance(verdict, Act | Confirm):
        return None
    state: PlanState = "open" if isinstance(verdict, Act) else "asked"
    return Plan(
        handle_of(retrieval.utterance, retrieval.home_id, verdict),
        retrieval.home_id,
        version,
        retrieval.utterance,
        named_calls(verdict),
        mark_of(verdict),
        now,
        state,
        retrieval.id,
        retrieval.briefing.offered if state == "open" else {},
    )


def handle_of(said: Utterance, home_id: str, verdict: Verdict) -> str:
    """What a briefing calls the verdict by: an act, or a question; empty where there is nothing to name.

    A question whether to do something and what is done after a yes are one: whoever answers first has it.
    """
    who = said.text, said.user, said.session, home_id
    if isinstance(verdict, Act | Confirm):
        return handle(*who, repr(named_calls(verdict)))
    if isinstance(verdict, Clarify) and verdict.options:
        return handle(*who, mark_of(verdict))
    return ""


def handle(*parts: str) -> str:
    """The same for the same parts, and another for others."""
    digest = hashlib.sha256("\0".join(parts).encode("utf-8", "backslashreplace")).digest()
    return b32encode(digest).decode().lower()[:LETTERS]
