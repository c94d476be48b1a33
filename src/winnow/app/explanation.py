"""The text trace of one retrieval, printed by ``winnow explain``.

What went into each stage, what came out, what was dropped and why, and how long it took.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime

from winnow.app.metrics import figure_lines
from winnow.app.verdict_text import answering_attribute, reading_text, verdict_lines
from winnow.context.briefing_lines import entity_name
from winnow.context.metrics import turn_metrics
from winnow.language.encode import encode_text
from winnow.types.candidate import DeviceCandidate, Dropped, Shortlist, Step
from winnow.types.context import Context, ModelCall, Use
from winnow.types.document import Sufficiency
from winnow.types.home import HomeView
from winnow.types.query import Intent, QueryIR, Rewrite
from winnow.types.receipt import Outcome, Receipt
from winnow.types.retrieval import Retrieval
from winnow.types.utterance import LanguageCode
from winnow.types.verdict import named_reads
from winnow.understand.parse_tree import ParseTree, TreeNode, TreeWord, rule_label

# The act: every call, every try, what changed.


def act_outcome_lines(receipt: Receipt, view: HomeView) -> Iterator[str]:
    """``done  Desk Lamp light.turn_on  switch off -> on``, and what was not even tried."""
    yield f"act  {receipt.id or '-'} {receipt.status}{f' ({receipt.reason})' if receipt.reason else ''}"
    for outcome in receipt.outcomes:
        yield _act_outcome_line(outcome, view)
    for refused in receipt.refused:
        names = ", ".join(encode_text(entity_name(view, i)) for i in refused.device_ids)
        yield f"not  {refused.code} {names}".rstrip()
    for judged in receipt.conditions:
        yield f"if   {encode_text(judged.text)}: {judged.holds}, read {judged.value}{judged.unit}"
    if receipt.waiting is not None:
        yield f"asks {encode_text(receipt.waiting.question, 400)}"


def _act_outcome_line(outcome: Outcome, view: HomeView) -> str:
    call, before = outcome.call, outcome.before
    parts = [
        f"{outcome.status} {encode_text(entity_name(view, call.device_id))} {encode_text(call.command_id)}"
    ]
    if outcome.code:
        parts.append(f"({outcome.code})")
    parts += [f"{encode_text(name)} {before.get(name)} -> {value}" for name, value in outcome.changed.items()]
    if outcome.moved:
        parts.append(f"moved {len(outcome.moved)}")
    if outcome.tries > 1:
        parts.append(f"tried {outcome.tries} times")
    return "  ".join(parts)


# The parse tree, the runner-up and the skipped words.


PLAIN_OPERATION = "merge"
"""The operation that does nothing but keep the parts together."""


def drawing_lines(drawing: ParseTree) -> Iterator[str]:
    """The tree, one line a node, what it does in brackets; or the stretches of a sentence that has none."""
    if drawing.tree is None:
        yield "parse  none of the whole sentence, so nothing of it is done"
        yield from (f"  parses: {_node_line(piece, drawing.language)}" for piece in drawing.stretches)
        yield from (f"  in the way: {_word(word)}" for word in drawing.blocking)
        return
    yield f"parse  {rule_label(drawing.mood, drawing.language)}, cost {drawing.cost:.2f}"
    yield from _tree(drawing.tree, drawing.language, "  ")
    if drawing.rival:
        rival, language = drawing.rival, drawing.language
        same = ", which says the same" if rival.same else ""
        yield f"  next  {rule_label(rival.mood, language)}, cost {rival.cost:.2f}{same}"
        if not rival.same:  # where it differs
            yield f"    here  {_word_meanings(rival.here, language)}"
            yield f"    there {_word_meanings(rival.there, language)}"
    yield from (f"  passed over  {encode_text(p.text)} ({p.kind}, {p.price:.2f})" for p in drawing.passed)


def _tree(node: TreeNode | TreeWord, language: LanguageCode, indent: str) -> Iterator[str]:
    if isinstance(node, TreeWord):
        yield f"{indent}{_word(node)}"
        return
    names, last = _chain(node, language)
    if isinstance(last, TreeWord):
        yield f"{indent}{names}  {_word(last)}"
        return
    yield f"{indent}{names}"
    for part in last.parts:
        yield from _tree(part, language, indent + "  ")


def _chain(node: TreeNode, language: LanguageCode) -> tuple[str, TreeNode | TreeWord]:
    """What a node is called, with those inside that say more of the same words; and the last of them."""
    names, last = [_name(node, language)], node
    # A chain of rules over the same words is one line.
    while len(last.parts) == 1:
        inner = last.parts[0]
        if isinstance(inner, TreeWord):
            return " > ".join(names), inner
        if inner.operation != PLAIN_OPERATION:
            names.append(_name(inner, language))
        last = inner
    return " > ".join(names), last


def _name(node: TreeNode, language: LanguageCode) -> str:
    done = (
        ""
        if node.operation == PLAIN_OPERATION
        else f" [{rule_label(node.operation, language, 'operations')}]"
    )
    return f"{rule_label(node.left, language)}{done}"


def _node_line(node: TreeNode | TreeWord, language: LanguageCode) -> str:
    """A node on one line."""
    if isinstance(node, TreeWord):
        return _word(node)
    names, last = _chain(node, language)
    return f"{names}  {_word(last) if isinstance(last, TreeWord) else encode_text(node.text)}"


def _word_meanings(node: TreeNode | TreeWord, language: LanguageCode) -> str:
    """A node on one line, with what each of its words is taken for."""
    if isinstance(node, TreeWord):
        return _word(node)
    return f"{_chain(node, language)[0]}  {'  '.join(map(_word, _words(node)))}"


def _words(node: TreeNode | TreeWord) -> Iterator[TreeWord]:
    if isinstance(node, TreeWord):
        yield node
    else:
        for part in node.parts:
            yield from _words(part)


def _word(word: TreeWord) -> str:
    """``turn off/verb off``."""
    kind = "unknown" if word.kind == "word" else word.kind
    return f"{encode_text(word.text)}/{kind} {word.meaning}".rstrip()


# What the sources beside the home were asked and found.


MAX_ROWS = 8
"""Candidates and dropped things printed of each list."""
MAX_REASON_CHARS = 120
"""Characters of a text that are printed."""


def searched_lines(shortlist: Shortlist) -> Iterator[str]:
    """How a source was searched, and the best it offers with the reasons."""
    yield f"{shortlist.source}: {len(shortlist.candidates)} found, {len(shortlist.dropped)} dropped"
    yield from (f"   {step_line(step)}" for step in shortlist.steps)
    for candidate in shortlist.candidates[:MAX_ROWS]:
        evidence = " ".join(f"{e.lane} {e.score:.2f}" for e in candidate.evidence)
        data = candidate.data
        text = str(data.get("text", "")) if isinstance(data, Mapping) else str(data or "")
        named = f"{encode_text(candidate.ref.id)}  {encode_text(text, MAX_REASON_CHARS)}"
        yield f"   {candidate.score:.2f}  {named}  [{evidence}]"
    yield from (
        f"   - {encode_text(d.id)} {d.stage}: {encode_text(d.reason, MAX_REASON_CHARS)}"
        for d in shortlist.dropped[:MAX_ROWS]
    )


def step_line(step: Step) -> str:
    """``history: asked (it is about history: memory)``."""
    why = f" ({encode_text(step.reason, MAX_REASON_CHARS)})" if step.reason else ""
    return f"{step.what}: {encode_text(step.chosen)}{why}"


# The context: how full each share of its budget is, and what was trimmed.


BAR_WIDTH = 24
"""Characters of a bar; each share has its own, whatever its size."""


def share_lines(context: Context) -> Iterator[str]:
    """``history    [######......]  310 of 1200 tokens, 26 %``, then what was trimmed and how it was set."""
    messages = len(context.messages)
    tools = f", {context.tool_tokens} of them in the schemas of tools" if context.tool_tokens else ""
    where = f"({context.counted_by}) in {messages} messages{tools}"
    yield f"{context.token_count} of {context.total} tokens {where}"
    for name, use in (context.usage or {}).items():
        yield f"{name:<10} [{usage_bar(use)}] {use.used:5d} of {use.total} tokens, {use.percentage} %"
    if context.stable:
        again = f"{context.shared} of them as in the turn before"
        yield f"stable at the beginning: {context.stable} tokens, {again}"
    yield from (f"! {encode_text(warning, MAX_REASON_CHARS)}" for warning in context.warnings)
    yield from _trimmed_lines(context.trimmed)
    yield from map(step_line, context.steps)


def _trimmed_lines(trimmed: Sequence[Dropped]) -> Iterator[str]:
    """What was left out or shortened, where, and why."""
    yield from (
        f"- {encode_text(one.id)} {one.stage}: {encode_text(one.reason, MAX_REASON_CHARS)}"
        for one in trimmed[:MAX_ROWS]
    )
    if len(trimmed) > MAX_ROWS:
        yield f"- ... +{len(trimmed) - MAX_ROWS}"


def usage_bar(use: Use) -> str:
    """As full as the share is."""
    full = min(BAR_WIDTH, round(BAR_WIDTH * use.used / use.total)) if use.total else 0
    return "#" * full + "." * (BAR_WIDTH - full)


def sufficiency_line(judged: Sufficiency) -> str:
    """``enough: no (1 result, coverage 0.40, confidence 0.31): why``."""
    said = "yes" if judged.enough else "no"
    figures = f"{judged.results} results, coverage {judged.coverage:.2f}, confidence {judged.confidence:.2f}"
    return f"enough that is private: {said} ({figures}): {encode_text(judged.reason, MAX_REASON_CHARS)}"


MAX_SENTENCE_CHARS = 400
"""Characters of a sentence printed."""


def explanation_text(
    retrieval: Retrieval,
    view: HomeView,
    drawing: ParseTree | None = None,
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
    blocks["act"] = list(act_outcome_lines(receipt, view)) if receipt else []
    blocks["metrics"] = list(figure_lines(turn_metrics(retrieval, answer)))
    resumed = f", answer to question {retrieval.after}" if retrieval.after else ""
    lines = [f"home {encode_text(retrieval.home_id)}, {retrieval.ms:.2f} ms{resumed}"]
    for name, inside in blocks.items():
        if inside or name in took:
            lines += ["", f"{name}  {took.get(name, 0.0):.2f} ms", *(f"  {line}" for line in inside)]
    return "\n".join(lines)


def _blocks(retrieval: Retrieval, view: HomeView, drawing: ParseTree | None) -> dict[str, list[str]]:
    """Name of a stage -> its lines; a stage that did not take place has none."""
    parsed = [f"     {line}" for line in drawing_lines(drawing)] if drawing else []
    sources = list(map(step_line, retrieval.gate))
    if retrieval.sufficiency is not None:
        sources.append(sufficiency_line(retrieval.sufficiency))
    return {
        "intent": [intent_line(retrieval.intent)] if retrieval.intent else [],
        "rewrite": list(rewrite_lines(retrieval.rewrite)) if retrieval.rewrite else [],
        "understand": [
            f"in   {encode_text(retrieval.utterance.text, MAX_SENTENCE_CHARS)}",
            *_reading(retrieval),
            *parsed,
        ],
        "recall": list(_shortlist_blocks(retrieval, view)),
        "mentions": list(_mention_lines(retrieval, view)),
        "sources": sources,
        **{shortlist.source: list(searched_lines(shortlist)) for shortlist in retrieval.results},
        "decide": [*verdict_lines(retrieval, view), *_read_lines(retrieval, view)],
        "assemble": list(_briefing(retrieval)),
        "context": list(share_lines(retrieval.context)),
        "model": [_model_call(call) for call in retrieval.model_calls],
    }


def intent_line(intent: Intent) -> str:
    """``knowledge, how_to (question, 0.94, by rules: asked)``."""
    needed = "" if intent.need_retrieval else ", nothing to look up"
    why = f"{intent.act}, {intent.confidence:.2f}, by {intent.by}: {intent.reason}"
    return f"{intent.source}, {encode_text(intent.label)} ({why}){needed}"


def rewrite_lines(rewrite: Rewrite) -> Iterator[str]:
    """The standalone query and where its words come from."""
    said = "" if rewrite.changed else "as said, "
    query = encode_text(rewrite.query, MAX_SENTENCE_CHARS)
    yield f"{query} ({said}{rewrite.confidence:.2f}, by {rewrite.by}: {rewrite.reason})"
    for span in rewrite.spans:
        instead = f" for {encode_text(span.replaced)}" if span.replaced else ""
        yield f"   {encode_text(span.text)}{instead}, of turn {span.turn + 1}"
    if rewrite.context:
        yield "   the talk turns on " + " ".join(
            f"{encode_text(w)} {n:.2f}" for w, n in rewrite.context.items()
        )


def _model_call(call: ModelCall) -> str:
    counted = call.prompt_tokens is not None
    tokens = f", {call.prompt_tokens} + {call.completion_tokens} tokens" if counted else ""
    model = encode_text(call.model) if call.model else call.tier
    return f"{call.purpose}: {call.outcome} ({model}, {call.attempts} x{tokens})"


def _reading(retrieval: Retrieval) -> Iterator[str]:
    reading = retrieval.reading
    confirmed = ", confirmed" if reading.confirmed else ""
    how = f"{reading.language}, by {reading.compiled_by}{confirmed}"
    yield f"out  {reading.intent} ({how}) {reading.reason}".rstrip()
    if reading.moods:
        yield f"     also said: {', '.join(reading.moods)}"
    for n, query in enumerate(reading.queries, 1):
        yield f"{n}. {encode_text(query.raw, MAX_SENTENCE_CHARS)}"
        slots = {**_order_slots(query), **_other_slots(query)}
        yield from (f"   {name}: {value}" for name, value in slots.items() if value)


def _order_slots(query: QueryIR) -> dict[str, str]:
    """What is to be done, and with what."""
    return {
        "words": " ".join(f"{encode_text(t.text)}/{t.kind}" for t in query.tokens),
        "action": " ".join([query.action, *(["->", *query.action_cluster] if query.action_cluster else [])]),
        "target": encode_text(query.target.text),
        "type": " ".join(query.type_hint),
        "scope": " ".join(query.scope_include),
        "excluded": ", ".join(encode_text(mention.text) for mention in query.exclusions),
        "quantifier": query.quantifier.value,
    }


def _other_slots(query: QueryIR) -> dict[str, str]:
    """Its value and conditions, and how sure all of it is."""
    value = query.value
    facts = (value.kind, value.number, value.unit, value.text) if value else ()
    sure = " ".join(f"{name} {share:.2f}" for name, share in query.confidence.slots.items())
    return {
        "value": " ".join(str(fact) for fact in facts if fact),
        "conditions": "; ".join(encode_text(c.text) for c in query.conditions),
        "references": "; ".join(f"{encode_text(r.text)} ({r.kind})" for r in query.references),
        "negated": "yes" if query.negated else "",
        "risk": " ".join(query.risk_flags),
        "unplaced": " ".join(map(encode_text, query.unplaced)),
        "confidence": f"{query.confidence.overall:.2f} {sure}".strip(),
    }


def _shortlist_blocks(retrieval: Retrieval, view: HomeView) -> Iterator[str]:
    """Each shortlist: its candidates, the reasons for their kinds, what was dropped, what was alike."""
    if retrieval.embedder:
        yield f"vectors by {retrieval.embedder}"
    for number, shortlist in enumerate(retrieval.shortlists, 1):
        found, devices = len(shortlist.candidates), len(shortlist.device_ids)
        yield f"{number}. {found} candidates of {devices} devices, {len(shortlist.dropped)} dropped"
        yield from (f"   {_device_line(one, view)}" for one in shortlist.candidates[:MAX_ROWS])
        yield from (f"   = {line}" for line in _reasons(shortlist.device_ids[:MAX_ROWS], view))
        yield from (f"   - {line}" for line in _drop_lines(shortlist.dropped, view))
        for one in shortlist.near:
            # The text of its own that is alike what was named to the person, with the cosine.
            evidence = " ".join(f"{e.lane} {e.score:.2f} {encode_text(e.detail)}" for e in one.evidence)
            yield f"   ~ {encode_text(entity_name(view, one.device_id))}  [{evidence}]"


def _device_line(candidate: DeviceCandidate, view: HomeView) -> str:
    evidence = " ".join(f"{e.lane} {e.score:.2f}" for e in candidate.evidence)
    name = encode_text(entity_name(view, candidate.device_id))
    return f"{candidate.score:.2f}  {name}  {candidate.command_key}  [{evidence}]"


def _mention_lines(retrieval: Retrieval, view: HomeView) -> Iterator[str]:
    """What the words point to, each with these words, where nothing follows from them."""
    for one in retrieval.attempt.mentioned[:MAX_ROWS]:
        words = ", ".join(dict.fromkeys(encode_text(e.detail) for e in one.evidence))
        yield f"{one.score:.2f}  {encode_text(entity_name(view, one.device_id))}  [{words}]"


def _reasons(device_ids: Sequence[str], view: HomeView) -> Iterator[str]:
    """What it was concluded from that a device is of its kinds, or wants a yes."""
    for device_id in device_ids:
        device = view.devices.get(device_id)
        if device and device.reasons:
            why = "; ".join(map(encode_text, device.reasons))
            yield (
                f"{encode_text(device.name)}  {' '.join(device.kinds)} {device.danger}".rstrip()
                + f"  [{why}]"
            )


def _drop_lines(dropped: tuple[Dropped, ...], view: HomeView) -> Iterator[str]:
    """Each reason once, with how many it struck and who the first were."""
    counts = Counter((d.stage, d.reason) for d in dropped)
    for (stage, reason), count in counts.most_common(MAX_ROWS):
        first = [
            encode_text(entity_name(view, d.id)) for d in dropped if (d.stage, d.reason) == (stage, reason)
        ][:3]
        yield f"{stage}: {reason} x{count} ({', '.join(first)}{', ...' if count > 3 else ''})"


def _read_lines(retrieval: Retrieval, view: HomeView) -> Iterator[str]:
    """What was read, when, and who said so: ``read ... (import, 2026-11-20 07:51:09 UTC)``."""
    for read in named_reads(retrieval.verdict):
        origin = retrieval.snapshot.origin(read.device_id, answering_attribute(read, retrieval.snapshot))
        at = "at no known time"
        if origin.at is not None:
            at = f"{datetime.fromtimestamp(origin.at, UTC):%Y-%m-%d %H:%M:%S} UTC"
        yield f"read {reading_text(read, view, retrieval.snapshot)} ({origin.source}, {at})"


def _briefing(retrieval: Retrieval) -> Iterator[str]:
    briefing = retrieval.briefing
    yield f"{briefing.tokens} tokens ({briefing.counted_by})"
    yield from (f"{s.tokens:4d}  {s.text}" for s in briefing.sections)
    if briefing.left_out:
        yield f"left out: {', '.join(map(encode_text, briefing.left_out))}"
