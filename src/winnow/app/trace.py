"""One retrieval as JSON: the same for the command line, a server, a tool and a page.

``compact_trace`` is what an agent or a script acts on; ``full_trace`` adds, under the key ``trace``, how it
came about. ``trace.schema.json`` beside this file is the shape of both, ``SCHEMA`` its version: another one
as soon as a key goes away or changes its meaning. What is under ``trace`` has the names of ``winnow.types``
and may change with them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from winnow.app.output import plain_data
from winnow.app.verdict_text import answering_attribute, state_of, verdict_sentence
from winnow.context.briefing_lines import entity_name, entity_room
from winnow.context.metrics import turn_metrics
from winnow.language.encode import encode_text
from winnow.language.messages import message
from winnow.language.naming import refusal_text
from winnow.types.home import HomeView
from winnow.types.receipt import Outcome, Receipt
from winnow.types.retrieval import Retrieval
from winnow.types.state import EMPTY_SNAPSHOT, Snapshot
from winnow.types.utterance import LanguageCode
from winnow.types.verdict import (
    Act,
    Call,
    Clarify,
    ConditionCheck,
    Confirm,
    Nothing,
    NotUnderstood,
    Query,
    Read,
    Refusal,
    Refuse,
    Verdict,
)
from winnow.understand.parse_tree import ParseTree

SCHEMA = "winnow.trace/1"
"""The version of the shape."""

BRIEFING_KEYS = ("counted_by", "sections", "left_out")
CONTEXT_KEYS = ("counted_by", "usage", "stable", "shared", "warnings", "trimmed", "steps", "more")
"""What is told of a context beside its messages."""

Data = dict[str, Any]


def trace_schema() -> Mapping[str, Any]:
    """The shape, as JSON Schema."""
    found: Mapping[str, Any] = json.loads(
        files("winnow.app").joinpath("trace.schema.json").read_text("utf-8")
    )
    return found


def compact_trace(retrieval: Retrieval, view: HomeView, receipt: Receipt | None = None) -> Data:
    """What may be done and what an agent is given: about a kilobyte for a sentence that means one device.

    ``receipt``: what came of it, where it was carried out.
    """
    language = retrieval.reading.language
    telling = _VerdictData(view, retrieval.snapshot, language)
    came = {"receipt": telling.receipt(receipt)} if receipt else {}
    return {
        "schema": SCHEMA,
        "id": retrieval.id,
        "home": retrieval.home_id,
        "text": retrieval.utterance.text,
        "language": language,
        "intent": plain_data(retrieval.intent),
        "query": retrieval.query,
        "verdict": telling.verdict(retrieval.verdict),
        **came,
        "briefing": {
            "text": retrieval.briefing.text,
            "tokens": retrieval.briefing.tokens,
            "handles": {
                view.handles[section.name]: section.name
                for section in retrieval.briefing.sections
                if section.name in view.handles
            },
        },
        "messages": plain_data(retrieval.context.messages),
        "context": {
            "tokens": retrieval.context.token_count,
            "tools": retrieval.context.tool_tokens,
            "total": retrieval.context.total,
        },
        "ms": round(retrieval.ms, 2),
    }


def full_trace(
    retrieval: Retrieval,
    view: HomeView,
    drawing: ParseTree | None = None,
    answer: str = "",
    receipt: Receipt | None = None,
) -> Data:
    """The same, and the whole chain of values it came from; ``drawing``: how the words were parsed.

    ``answer``: one whose support by the context is told.
    """
    briefing, context = plain_data(retrieval.briefing), plain_data(retrieval.context)
    chain = {
        "utterance": plain_data(retrieval.utterance),
        "after": retrieval.after,
        "reading": plain_data(retrieval.reading),
        "parse": plain_data(drawing),
        "rewrite": plain_data(retrieval.rewrite),
        "embedder": retrieval.embedder,
        "shortlists": plain_data(retrieval.shortlists),
        "mentioned": plain_data(retrieval.attempt.mentioned),
        "gate": plain_data(retrieval.gate),
        "found": plain_data(retrieval.results),
        "snapshot": plain_data(retrieval.snapshot),
        "verdict": plain_data(retrieval.verdict),
        "briefing": {name: briefing[name] for name in BRIEFING_KEYS},
        "sufficiency": plain_data(retrieval.sufficiency),
        "context": {name: context[name] for name in CONTEXT_KEYS},
        "stages": plain_data(retrieval.stages),
        "metrics": plain_data(turn_metrics(retrieval, answer)),
        "model_calls": plain_data(retrieval.model_calls),
        "degraded": list(retrieval.degradations),
    }
    return {**compact_trace(retrieval, view, receipt), "trace": chain}


def receipt_trace(receipt: Receipt, view: HomeView, language: LanguageCode) -> Data:
    """What came of an act, as it stands in a trace; without the token of its question."""
    return _VerdictData(view, EMPTY_SNAPSHOT, language).receipt(receipt)


@dataclass(frozen=True, slots=True)
class _VerdictData:
    """A verdict and its parts as data, with the names of a home, what it reported, and in a language."""

    view: HomeView
    snapshot: Snapshot
    language: LanguageCode

    def verdict(self, verdict: Verdict) -> Data:
        """Its kind, and what belongs to that kind."""
        match verdict:
            case Act():
                return {"kind": "act", **self._act(verdict)}
            case Confirm():
                return {"kind": "confirm", **self._confirm(verdict)}
            case Clarify():
                options = [
                    {"label": o.label, "device_ids": list(o.device_ids), "examples": list(o.examples)}
                    for o in verdict.options
                ]
                return {"kind": "clarify", "question": verdict.question, "by": verdict.by, "options": options}
            case Refuse():
                return {
                    "kind": "refuse",
                    "message": verdict_sentence(verdict, self.view, self.language),
                    "refusals": self._refusals(verdict.refusals),
                    "conditions": self._conditions(verdict.conditions),
                }
            case Query():
                return {"kind": "query", "reads": list(map(self._read, verdict.reads))}
            case NotUnderstood():
                return {
                    "kind": "not_understood",
                    "message": verdict.message,
                    "words": list(map(encode_text, verdict.words)),
                    "mentioned": list(map(self._thing_data, verdict.mentioned)),
                }
            case Nothing():
                told = verdict_sentence(verdict, self.view, self.language)
                about = {"reason": verdict.reason, "message": told}
                return {"kind": "nothing", **about, "conditions": self._conditions(verdict.conditions)}

    def _act(self, act: Act) -> Data:
        left = {}
        if act.bulk:
            left = {"excluded": list(act.bulk.excluded), "uncovered": list(act.bulk.uncovered)}
        return {
            "calls": list(map(self._call, act.calls)),
            **left,
            "refusals": self._refusals(act.refused),
            "conditions": self._conditions(act.conditions),
        }

    def _confirm(self, asked: Confirm) -> Data:
        return {
            "question": asked.question,
            "risks": list(asked.risks),
            "proposed": list(map(self._call, asked.proposed)),
            "refusals": self._refusals(asked.refused),
            "conditions": self._conditions(asked.conditions),
        }

    def receipt(self, receipt: Receipt) -> Data:
        """What came of it. The token of a question is not in it: it is for a person only."""
        asked = receipt.waiting
        # The token is left out: whoever reads the trace must not be able to confirm.
        waiting = {"question": asked.question, "expires_at": asked.expires_at} if asked else None
        return {
            "id": receipt.id,
            "plan": receipt.plan,
            "at": receipt.at,
            "status": receipt.status,
            "reason": receipt.reason,
            "outcomes": [self._outcome(one) for one in receipt.outcomes],
            "refusals": self._refusals(receipt.refused),
            "conditions": [
                {
                    "text": one.text,
                    "holds": one.holds,
                    "value": one.value,
                    "unit": one.unit,
                    "at": one.at,
                    "reads": plain_data(one.reads),
                }
                for one in receipt.conditions
            ],
            "waiting": waiting,
            "undoes": receipt.undoes,
        }

    def _outcome(self, outcome: Outcome) -> Data:
        reason = message(outcome.code, self.language, **outcome.facts) if outcome.code else ""
        return {
            **self._call(outcome.call),
            "status": outcome.status,
            "code": outcome.code,
            "message": reason,
            "before": plain_data(outcome.before),
            "changed": plain_data(outcome.changed),
            "moved": plain_data(outcome.moved),
            "retry_after": outcome.retry_after,
            "tries": outcome.tries,
        }

    def _call(self, call: Call) -> Data:
        thing = self._thing_data(call.device_id)
        return {**thing, "command_id": call.command_id, "arguments": plain_data(call.arguments)}

    def _read(self, read: Read) -> Data:
        value = {"attribute_id": read.attribute_id, "value": state_of(read, self.snapshot)}
        return {**self._thing_data(read.device_id), **value, **self._origin(read)}

    def _origin(self, read: Read) -> Data:
        origin = self.snapshot.origin(read.device_id, answering_attribute(read, self.snapshot))
        return {"read_at": origin.at, "source": origin.source}

    def _thing_data(self, device_id: str) -> Data:
        room = entity_room(self.view, device_id)
        placed = {"room": encode_text(room)} if room else {}
        return {"device_id": device_id, "name": encode_text(entity_name(self.view, device_id)), **placed}

    def _refusals(self, refusals: Iterable[Refusal]) -> list[Data]:
        return [
            {
                "code": r.code,
                "message": refusal_text(r, self.view, self.language),
                "device_ids": list(r.device_ids),
            }
            for r in refusals
        ]

    def _conditions(self, conditions: Iterable[ConditionCheck]) -> list[Data]:
        return [
            {
                "text": judged.text,
                "holds": judged.holds,
                "value": judged.value,
                "reads": [{**plain_data(read), **self._origin(read)} for read in judged.reads],
            }
            for judged in conditions
        ]
