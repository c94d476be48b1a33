"""A turn understood, stage by stage (seed 002): does it need anything looked up, and what does it ask when it stands alone.

Rules come first; a model is asked only where they are unsure, and its answer counts only when it passes.
Without one nothing waits.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from winnow.ports import Counsel
from winnow.text.encode import encode
from winnow.types.dialogue import Turn, Utterance
from winnow.types.intent import Intent, Taxonomy
from winnow.types.query import DEVICE_KINDS, Reading
from winnow.types.rewrite import Rewrite
from winnow.types.understanding import Understanding
from winnow.types.verdict import Clarify, Nothing, Query, Refuse, Verdict
from winnow.understand import Vocabulary, understand
from winnow.understand.asks import (
    GUARDED,
    compile_ask,
    doubtful,
    improvable,
    intent_ask,
    prepare_ask,
    rewrite_ask,
    wants_help,
)
from winnow.understand.intent import intent_of
from winnow.understand.rewrite import rewrite
from winnow.understand.sentence.confidence import SURE
from winnow.understand.sentence.slots import TARGET_KINDS

TURNS = 10
"""Earlier messages that are read (seed 002); what lies before them comes in as a summary, where there is
one."""
LOOSE = frozenset({"asked", "wish", "fragment", "slot_filled", "weighed"})
"""Rules of the words alone that give way to a home that half understood."""
PLAIN = 0.9
"""Confidence from which an order is plain, whatever hinders it: its act was said, and what it is for was
explained."""
VAGUE = frozenset({"not_understood", "unplaced", "no_reference", "no_device", "ambiguous"})
"""Refusals that only say that the home knows no such words, or not which thing is meant."""


@dataclass(frozen=True, slots=True)
class Heard:
    """What the rules alone made of the words as said, and the words of the home they were made with."""

    reading: Reading
    verdict: Verdict
    vocabulary: Vocabulary


@dataclass(frozen=True, slots=True)
class Turns:
    """How turns are understood under one set of settings.

    ``combined``: intent and rewriting are asked of a model in one call.
    """

    taxonomy: Taxonomy
    combined: bool = False

    async def understood(
        self, said: Utterance, counsel: Counsel, heard: Heard | None = None
    ) -> Understanding:
        """Intent, then the standalone query where one is needed, then what the home makes of it."""
        history = recent(said)
        rules = counsel.time("intent", self._by_rules, said.text, history, heard)
        intent, again = await self._decided(said.text, history, rules, counsel)
        again = again or await self._standalone(said.text, history, intent, counsel)
        reading = await self._compiled(said, intent, again, heard, counsel)
        if reading is not None and intent.source != "devices":
            intent = replace(intent, need_retrieval=True, source="devices", reason="rewritten")
        known = reading or (heard.reading if heard else None)
        return Understanding(said, intent, again, known)

    def _by_rules(self, text: str, history: tuple[Turn, ...], heard: Heard | None) -> Intent:
        """What the words say by themselves, unless the home knows better."""
        claim = claimed(heard) if heard else "no"
        if heard and (claim == "sure" or heard.reading.intent == "hostile"):
            return intent_of(text, history, taxonomy=self.taxonomy, reading=heard.reading)
        rules = intent_of(text, history, taxonomy=self.taxonomy)
        if heard and claim == "open" and _gives_way(rules, heard.reading):
            return intent_of(text, history, taxonomy=self.taxonomy, reading=heard.reading)
        return rules

    async def _decided(
        self, text: str, history: tuple[Turn, ...], rules: Intent, counsel: Counsel
    ) -> tuple[Intent, Rewrite | None]:
        if not counsel.asks or not doubtful(rules):
            return rules, None
        if self.combined and history:
            both = await counsel.ask(prepare_ask(text, history, rules, self.taxonomy))
            intent = both.intent if both and both.intent else rules
            return (
                intent,
                both.rewrite if both and intent.need_retrieval and intent.source != "devices" else None,
            )
        return await counsel.ask(intent_ask(text, history, rules, self.taxonomy)) or rules, None

    async def _standalone(
        self, text: str, history: tuple[Turn, ...], intent: Intent, counsel: Counsel
    ) -> Rewrite:
        """The standalone query.

        A device request is left as it is: its references are bound to devices, not to words.
        """
        if not intent.need_retrieval or intent.source == "devices":
            return Rewrite(text, reason="devices" if intent.need_retrieval else "no_retrieval")
        rules = counsel.time("rewrite", rewrite, text, history)
        better = await counsel.ask(rewrite_ask(text, history)) if improvable(rules) else None
        return better or rules

    async def _compiled(
        self, said: Utterance, intent: Intent, again: Rewrite, heard: Heard | None, counsel: Counsel
    ) -> Reading | None:
        """Another reading than that of the rules: a model's, or that of the standalone query.

        None where the rules' own stands.
        """
        if heard is None:
            return None
        if intent.source == "devices" and wants_help(heard.reading):
            return await counsel.ask(
                compile_ask(replace(said, history=recent(said)), heard.reading, heard.vocabulary)
            )
        return reread(said, again, heard)


def _gives_way(rules: Intent, reading: Reading) -> bool:
    """Whether what the words say by themselves gives way to a home that half understood them."""
    if reading.intent == "query":
        return rules.reason == "own"  # did I leave the stove on?
    return rules.reason in LOOSE and (rules.act != "question" or _told(reading))


def _told(reading: Reading) -> bool:
    """Whether something was forbidden, excepted or made to depend on something.

    That is said to a home, also in a question.
    """
    kinds = {t.kind for q in reading.queries for t in q.tokens}
    return bool(kinds & GUARDED.keys()) or any({*GUARDED.values()} & {*q.risk_flags} for q in reading.queries)


def claimed(heard: Heard) -> Literal["sure", "open", "no"]:
    """Whether the turn is for the home.

    ``sure`` when something follows for it, ``open`` when it was understood in part.
    """
    reading, verdict = heard.reading, heard.verdict
    if reading.intent == "query":
        return _asked_of(heard)
    if reading.intent != "command":
        return "no"
    if not isinstance(verdict, Clarify | Refuse) or all(
        q.confidence.overall >= PLAIN and not q.unplaced for q in reading.queries
    ):
        return "sure"
    named = any(
        t.kind in {"verb", "step", *TARGET_KINDS} - {"word"} for q in reading.queries for t in q.tokens
    )
    implied = any(q.action and q.confidence.slots.get("target", 0.0) >= SURE for q in reading.queries)
    return "open" if named or implied else "no"


def _asked_of(heard: Heard) -> Literal["sure", "open", "no"]:
    """A question: about the home when it is read there, or asks for the state of a thing or room of a kind that homes have."""
    queries = heard.reading.queries
    placed = all(q.confidence.overall >= 1.0 and (q.target.tokens or q.antecedents) for q in queries)
    stated = any(t.kind == "cue" for q in queries for t in q.tokens)
    things = any(
        q.antecedents or any(t.kind in DEVICE_KINDS | {"room", "floor"} for t in q.target.tokens)
        for q in queries
    )
    if placed and (isinstance(heard.verdict, Query) or (stated and things)):
        return "sure"
    return "open" if stated and things else "no"


def outside(heard: Heard, intent: Intent) -> Verdict:
    """The verdict on a turn that is not for the home.

    What made no sense to it is none of its business, and neither refused nor asked.
    """
    codes = _unclear(heard.verdict)
    if not codes or not codes <= VAGUE:
        return heard.verdict
    if intent.need_retrieval:
        return Nothing("knowledge")
    return Nothing("chat") if claimed(heard) == "no" else heard.verdict


def _unclear(verdict: Verdict) -> frozenset[str]:
    """Why nothing follows, as far as that is a matter of words; empty where something does."""
    if isinstance(verdict, Refuse):
        return frozenset(r.code for r in verdict.refusals)
    if isinstance(verdict, Clarify):
        return frozenset({"ambiguous"})
    return frozenset({verdict.reason}) if isinstance(verdict, Nothing) else frozenset()


def recent(said: Utterance) -> tuple[Turn, ...]:
    """The last ten turns, behind a summary of what came before them when the caller has one (seed 002)."""
    summary = (Turn("assistant", said.summary),) if said.summary.strip() else ()
    return (*summary, *said.history[-TURNS:])


def reread(said: Utterance, again: Rewrite, heard: Heard) -> Reading | None:
    """The reading of the standalone query, where the words as said made no sense to the home.

    What it would read is read; what it would do is asked first, for the person did not say it in these words.
    """
    if not again.changed or (heard.reading.intent, heard.reading.reason) != ("none", "not_understood"):
        return None
    second = understand(replace(said, text=again.query, history=()), heard.vocabulary)
    if second.intent == "command" and not wants_help(second):
        return replace(second, guess=encode(again.query, 120))
    return (
        second if second.intent == "query" and _asked_of(replace(heard, reading=second)) == "sure" else None
    )
