"""The trace of one retrieval.

What went into each stage, what came out, what was dropped and why, how long it took.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from winnow.assemble.view import name_of
from winnow.metrics import of_turn
from winnow.surfaces.came import came_lines
from winnow.surfaces.figures import figure_lines
from winnow.surfaces.parse import drawing_lines
from winnow.surfaces.searched import searched_lines, step_line
from winnow.surfaces.shares import enough_line, share_lines
from winnow.surfaces.show import reading, told_by, verdict_lines
from winnow.text.encode import encode
from winnow.types.briefing import Retrieval
from winnow.types.completion import ModelCall
from winnow.types.home_shortlist import DeviceCandidate
from winnow.types.intent import Intent
from winnow.types.query import QueryIR
from winnow.types.receipt import Receipt
from winnow.types.rewrite import Rewrite
from winnow.types.shortlist import Dropped
from winnow.types.verdict import named_reads
from winnow.types.view import HomeView
from winnow.understand.drawing import Drawing

LONG = 400
"""Characters of a sentence printed."""
MOST = 8
"""Candidates and dropped things printed of each list."""


def trace(
    retrieval: Retrieval,
    view: HomeView,
    drawing: Drawing | None = None,
    answer: str = "",
    receipt: Receipt | None = None,
) -> str:
    """All stages, one block each; ``drawing``: how the words were parsed; ``answer``: one to be judged.

    ``receipt``: what came of it, where it was carried out.
    """
    took = {stage.name: stage.ms for stage in retrieval.stages}
    if retrieval.model_calls:
        took["model"] = sum(call.ms for call in retrieval.model_calls)
    blocks = _blocks(retrieval, view, drawing)
    blocks["act"] = list(came_lines(receipt, view)) if receipt else []
    blocks["metrics"] = list(figure_lines(of_turn(retrieval, answer)))
    resumed = f", answer to question {retrieval.after}" if retrieval.after else ""
    lines = [f"home {encode(retrieval.home_id)}, {retrieval.ms:.2f} ms{resumed}"]
    for name, inside in blocks.items():
        if inside or name in took:
            lines += ["", f"{name}  {took.get(name, 0.0):.2f} ms", *(f"  {line}" for line in inside)]
    return "\n".join(lines)


def _blocks(retrieval: Retrieval, view: HomeView, drawing: Drawing | None) -> dict[str, list[str]]:
    """Name of a stage -> its lines; a stage that did not take place has none."""
    parsed = [f"     {line}" for line in drawing_lines(drawing)] if drawing else []
    sources = list(map(step_line, retrieval.gate))
    if retrieval.sufficiency is not None:
        sources.append(enough_line(retrieval.sufficiency))
    return {
        "intent": [intent_line(retrieval.intent)] if retrieval.intent else [],
        "rewrite": list(rewrite_lines(retrieval.rewrite)) if retrieval.rewrite else [],
        "understand": [f"in   {encode(retrieval.utterance.text, LONG)}", *_reading(retrieval), *parsed],
        "recall": list(_recall(retrieval, view)),
        "mentions": list(_mentioned(retrieval, view)),
        "sources": sources,
        **{shortlist.source: list(searched_lines(shortlist)) for shortlist in retrieval.found},
        "decide": [*verdict_lines(retrieval, view), *_read(retrieval, view)],
        "assemble": list(_briefing(retrieval)),
        "context": list(share_lines(retrieval.context)),
        "model": [_model_call(call) for call in retrieval.model_calls],
    }


def intent_line(intent: Intent) -> str:
    """``knowledge, how_to (question, 0.94, by rules: asked)``."""
    needed = "" if intent.need_retrieval else ", nothing to look up"
    why = f"{intent.act}, {intent.confidence:.2f}, by {intent.by}: {intent.reason}"
    return f"{intent.source}, {encode(intent.label)} ({why}){needed}"


def rewrite_lines(rewrite: Rewrite) -> Iterator[str]:
    """The standalone query and where its words come from."""
    said = "" if rewrite.changed else "as said, "
    yield f"{encode(rewrite.query, LONG)} ({said}{rewrite.confidence:.2f}, by {rewrite.by}: {rewrite.reason})"
    for span in rewrite.spans:
        instead = f" for {encode(span.replaced)}" if span.replaced else ""
        yield f"   {encode(span.text)}{instead}, of turn {span.turn + 1}"
    if rewrite.context:
        yield "   the talk turns on " + " ".join(f"{encode(w)} {n:.2f}" for w, n in rewrite.context.items())


def _model_call(call: ModelCall) -> str:
    counted = call.prompt_tokens is not None
    tokens = f", {call.prompt_tokens} + {call.completion_tokens} tokens" if counted else ""
    model = encode(call.model) if call.model else call.tier
    return f"{call.purpose}: {call.outcome} ({model}, {call.attempts} x{tokens})"


def _reading(retrieval: Retrieval) -> Iterator[str]:
    reading = retrieval.reading
    confirmed = ", confirmed" if reading.confirmed else ""
    how = f"{reading.language}, by {reading.compiled_by}{confirmed}"
    yield f"out  {reading.intent} ({how}) {reading.reason}".rstrip()
    if reading.moods:
        yield f"     also said: {', '.join(reading.moods)}"
    for n, query in enumerate(reading.queries, 1):
        yield f"{n}. {encode(query.raw, LONG)}"
        slots = {**_order_slots(query), **_other_slots(query)}
        yield from (f"   {name}: {value}" for name, value in slots.items() if value)


def _order_slots(query: QueryIR) -> dict[str, str]:
    """What is to be done, and with what."""
    return {
        "words": " ".join(f"{encode(t.text)}/{t.kind}" for t in query.tokens),
        "action": " ".join([query.action, *(["->", *query.action_cluster] if query.action_cluster else [])]),
        "target": encode(query.target.text),
        "type": " ".join(query.type_hint),
        "scope": " ".join(query.scope_include),
        "excluded": ", ".join(encode(mention.text) for mention in query.excluded),
        "quantifier": query.quantifier.value,
    }


def _other_slots(query: QueryIR) -> dict[str, str]:
    """Its value and conditions, and how sure all of it is."""
    value = query.value
    facts = (value.kind, value.number, value.unit, value.text) if value else ()
    sure = " ".join(f"{name} {share:.2f}" for name, share in query.confidence.slots.items())
    return {
        "value": " ".join(str(fact) for fact in facts if fact),
        "conditions": "; ".join(encode(c.text) for c in query.conditions),
        "references": "; ".join(f"{encode(r.text)} ({r.kind})" for r in query.references),
        "negated": "yes" if query.negated else "",
        "risk": " ".join(query.risk_flags),
        "unplaced": " ".join(map(encode, query.unplaced)),
        "confidence": f"{query.confidence.overall:.2f} {sure}".strip(),
    }


def _recall(retrieval: Retrieval, view: HomeView) -> Iterator[str]:
    """Each shortlist: its candidates, the reasons for their kinds, what was dropped, what was alike."""
    if retrieval.embedder:
        yield f"vectors by {retrieval.embedder}"
    for number, shortlist in enumerate(retrieval.shortlists, 1):
        found, devices = len(shortlist.candidates), len(shortlist.device_ids)
        yield f"{number}. {found} candidates of {devices} devices, {len(shortlist.dropped)} dropped"
        yield from (f"   {_candidate(one, view)}" for one in shortlist.candidates[:MOST])
        yield from (f"   = {line}" for line in _reasons(shortlist.device_ids[:MOST], view))
        yield from (f"   - {line}" for line in _dropped(shortlist.dropped, view))
        for one in shortlist.near:
            # The text of its own that is alike what was named to the person, with the cosine.
            evidence = " ".join(f"{e.lane} {e.score:.2f} {encode(e.detail)}" for e in one.evidence)
            yield f"   ~ {encode(name_of(view, one.device_id))}  [{evidence}]"


def _candidate(candidate: DeviceCandidate, view: HomeView) -> str:
    evidence = " ".join(f"{e.lane} {e.score:.2f}" for e in candidate.evidence)
    name = encode(name_of(view, candidate.device_id))
    return f"{candidate.score:.2f}  {name}  {candidate.command_key}  [{evidence}]"


def _mentioned(retrieval: Retrieval, view: HomeView) -> Iterator[str]:
    """What the words point to, each with these words, where nothing follows from them."""
    for one in retrieval.attempt.mentioned[:MOST]:
        words = ", ".join(dict.fromkeys(encode(e.detail) for e in one.evidence))
        yield f"{one.score:.2f}  {encode(name_of(view, one.device_id))}  [{words}]"


def _reasons(device_ids: Sequence[str], view: HomeView) -> Iterator[str]:
    """What it was concluded from that a device is of its kinds, or wants a yes."""
    for device_id in device_ids:
        device = view.devices.get(device_id)
        if device and device.reasons:
            why = "; ".join(map(encode, device.reasons))
            yield f"{encode(device.name)}  {' '.join(device.kinds)} {device.danger}".rstrip() + f"  [{why}]"


def _dropped(dropped: tuple[Dropped, ...], view: HomeView) -> Iterator[str]:
    """Each reason once, with how many it struck and who the first were."""
    counts = Counter((d.stage, d.reason) for d in dropped)
    for (stage, reason), count in counts.most_common(MOST):
        first = [encode(name_of(view, d.id)) for d in dropped if (d.stage, d.reason) == (stage, reason)][:3]
        yield f"{stage}: {reason} x{count} ({', '.join(first)}{', ...' if count > 3 else ''})"


def _read(retrieval: Retrieval, view: HomeView) -> Iterator[str]:
    """What was read, when, and who said so: ``read ... (import, 2026-11-20 07:51:09 UTC)``."""
    for read in named_reads(retrieval.verdict):
        origin = retrieval.snapshot.origin(read.device_id, told_by(read, retrieval.snapshot))
        at = "at no known time"
        if origin.at is not None:
            at = f"{datetime.fromtimestamp(origin.at, UTC):%Y-%m-%d %H:%M:%S} UTC"
        yield f"read {reading(read, view, retrieval.snapshot)} ({origin.source}, {at})"


def _briefing(retrieval: Retrieval) -> Iterator[str]:
    briefing = retrieval.briefing
    yield f"{briefing.tokens} tokens ({briefing.counted_by})"
    yield from (f"{s.tokens:4d}  {s.text}" for s in briefing.sections)
    if briefing.left_out:
        yield f"left out: {', '.join(map(encode, briefing.left_out))}"
