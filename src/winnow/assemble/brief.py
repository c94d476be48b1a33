"""The briefing: one sentence on what the data is, what was decided, and the few devices it concerns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from winnow.assemble import entities
from winnow.assemble.budget import Line, fit
from winnow.assemble.quoted import quoted
from winnow.assemble.view import name_of
from winnow.say.messages import message
from winnow.say.telling import told
from winnow.text.encode import compact_json, encode
from winnow.text.tokens import COUNTER, count_tokens
from winnow.types.attempt import Attempt
from winnow.types.briefing import Briefing, Section
from winnow.types.dialogue import Language
from winnow.types.home_shortlist import HomeShortlist
from winnow.types.query import Reading
from winnow.types.shortlist import Shortlist
from winnow.types.verdict import (
    Act,
    Call,
    Clarify,
    Confirm,
    Judged,
    Nothing,
    Query,
    Read,
    Refuse,
    Verdict,
    named_calls,
)
from winnow.types.view import HomeView

MOST = 5
"""Entities shown at most."""
RUNNERS_UP = 3
"""Entities shown at most when the choice is made: the chosen ones, filled up with what else may be meant."""

LONGEST = 400
"""Characters of a question or a reason."""
HEADER, DECISION = "header", "verdict"


def assemble(attempt: Attempt, view: HomeView, budget: int, found: Sequence[Shortlist] = ()) -> Briefing:
    """The text to inject, never more than ``budget`` tokens; what did not fit is listed.

    Empty when there is nothing to do and nothing was found. ``found``: what other sources than the home offer.
    """
    if attempt.reading.intent == "hostile":
        return Briefing("", 0, COUNTER)
    body = (*_home_lines(attempt, view), *quoted(found))
    if not body:
        return Briefing("", 0, COUNTER)
    lines = (Line(HEADER, (message("data_not_instructions", attempt.reading.language),)), *body)
    kept, left_out = fit(lines, budget)
    if len(kept) < 2:  # a header over nothing
        return Briefing("", 0, COUNTER, left_out=tuple(line.name for line in lines))
    text = "\n".join(t for _, t in kept)
    sections = tuple(Section(n, t, count_tokens(t)) for n, t in kept)
    return Briefing(text, count_tokens(text), COUNTER, sections, left_out)


def _home_lines(attempt: Attempt, view: HomeView) -> tuple[Line, ...]:
    """The verdict and the few devices it concerns; nothing where there is nothing to do."""
    verdict = attempt.verdict
    if isinstance(verdict, Nothing) and not verdict.conditions:
        return ()
    decision = Line(DECISION, _decision(verdict, view, attempt.reading.language))
    return decision, *_entities(verdict, attempt.shortlists, view, attempt.reading)


def _decision(verdict: Verdict, view: HomeView, language: Language) -> tuple[str, ...]:
    """The verdict as one JSON line, in full and without its side notes."""
    core = _core(verdict, language)
    notes = _notes(verdict, view, language)
    return tuple(dict.fromkeys(compact_json(data, LONGEST) for data in ({**core, **notes}, core)))


def _core(verdict: Verdict, language: Language) -> dict[str, object]:
    if isinstance(verdict, Confirm):
        return {"verdict": "confirm", "rule": message("ask_first", language), "ask": verdict.question}
    if isinstance(verdict, Clarify):
        return {"verdict": "clarify", "ask": verdict.question}
    if isinstance(verdict, Refuse):
        why = list(dict.fromkeys(r.code for r in verdict.refusals))
        rule = {"rule": message("ask_first", language)} if any(r.near for r in verdict.refusals) else {}
        return {
            "verdict": "reject",
            "why": why,
            **({"say": verdict.message} if verdict.message else {}),
            **rule,
        }
    return {
        "verdict": "query"
        if isinstance(verdict, Query)
        else "none"
        if isinstance(verdict, Nothing)
        else "act"
    }


def _notes(verdict: Verdict, view: HomeView, language: Language) -> dict[str, object]:
    """Conditions with what was read, orders that cannot be done, devices taken away."""
    notes: dict[str, object] = {}
    if judged := _conditions(verdict):
        notes["checked"] = [_judged(j) for j in judged]
    if isinstance(verdict, Act | Confirm) and verdict.refused:
        notes["refused"] = [told(r, view, language) for r in verdict.refused]
    left = verdict.bulk if isinstance(verdict, Act) else None
    if left and left.excluded:
        notes["except"] = [encode(name_of(view, i)) for i in left.excluded[: entities.NAMES]]
    if left and left.uncovered:
        notes["uncovered"] = [encode(name_of(view, i)) for i in left.uncovered[: entities.NAMES]]
    return notes


def _conditions(verdict: Verdict) -> tuple[Judged, ...]:
    return () if isinstance(verdict, Clarify | Query) else verdict.conditions


def _judged(judged: Judged) -> dict[str, object]:
    return {
        "if": encode(judged.text),
        "value": encode(judged.value) if isinstance(judged.value, str) else judged.value,
        "holds": judged.holds,
    }


def _entities(
    verdict: Verdict, shortlists: tuple[HomeShortlist, ...], view: HomeView, reading: Reading
) -> tuple[Line, ...]:
    """The lines of the devices concerned, most important first."""
    if isinstance(verdict, Query):
        return _readings(verdict.reads, view)
    if isinstance(verdict, Nothing):
        return ()
    cluster = tuple(dict.fromkeys(trait for q in reading.queries for trait in q.action_cluster))
    if isinstance(verdict, Clarify):
        return _candidates(
            (i for option in verdict.options for i in option.device_ids), shortlists, cluster, view
        )
    if isinstance(verdict, Refuse):
        return _refused(verdict, shortlists, cluster, view)
    calls = named_calls(verdict)
    if len(calls) > MOST or (isinstance(verdict, Act) and verdict.bulk):
        alike = _alike(calls)
        return tuple(entities.together(c, view) if len(c) > 1 else entities.called(c, view) for c in alike)
    by_device: dict[str, list[Call]] = {}
    for call in calls:
        by_device.setdefault(call.device_id, []).append(call)
    chosen = tuple(entities.called(tuple(own), view) for own in by_device.values())
    rest = [i for i in _ranked(shortlists) if i not in by_device][: max(0, RUNNERS_UP - len(chosen))]
    return chosen + _candidates(rest, shortlists, cluster, view)


def _refused(
    verdict: Refuse, shortlists: tuple[HomeShortlist, ...], cluster: tuple[str, ...], view: HomeView
) -> tuple[Line, ...]:
    """What cannot do it, with the command's limits.

    When nobody is to blame, what comes nearest: in meaning, else in name.
    """
    if near := list(dict.fromkeys(i for r in verdict.refusals for i in r.near))[:RUNNERS_UP]:
        return tuple(entities.possible(i, None, view) for i in near)
    blamed = list(dict.fromkeys(i for r in verdict.refusals for i in r.device_ids))[:RUNNERS_UP]
    if blamed:
        return _candidates(blamed, shortlists, cluster, view)
    return tuple(entities.possible(i, None, view) for i in _ranked(shortlists)[:RUNNERS_UP])


def _candidates(
    ids: Iterable[str], shortlists: tuple[HomeShortlist, ...], cluster: tuple[str, ...], view: HomeView
) -> tuple[Line, ...]:
    """One line each; a command they all share is said once, above them."""
    commands = {
        i: entities.wanted_command(i, shortlists, cluster, view) for i in list(dict.fromkeys(ids))[:MOST]
    }
    distinct = list(commands.values())
    if len(distinct) > 1 and distinct[0] is not None and all(c == distinct[0] for c in distinct):
        return (entities.shared(distinct[0]), *(entities.possible(i, None, view) for i in commands))
    return tuple(entities.possible(i, c, view) for i, c in commands.items())


def _ranked(shortlists: tuple[HomeShortlist, ...]) -> list[str]:
    """Devices of all shortlists, each instruction's best first."""
    columns = [s.device_ids[:MOST] for s in shortlists]
    return list(dict.fromkeys(c[n] for n in range(MOST) for c in columns if n < len(c)))


def _readings(reads: tuple[Read, ...], view: HomeView) -> tuple[Line, ...]:
    by_device: dict[str, list[Read]] = {}
    for r in reads:
        by_device.setdefault(r.device_id, []).append(r)
    if len(by_device) <= MOST:
        return tuple(entities.read(i, rs, view) for i, rs in by_device.items())
    by_attribute: dict[str, list[Read]] = {}
    for r in reads:
        by_attribute.setdefault(r.attribute_id, []).append(r)
    return tuple(entities.tally(a, tuple(rs), view) for a, rs in by_attribute.items())


def _alike(calls: tuple[Call, ...]) -> list[tuple[Call, ...]]:
    """Calls grouped by command and arguments, the biggest group first."""
    groups: dict[str, list[Call]] = {}
    for call in calls:
        groups.setdefault(compact_json([call.command_id, dict(call.arguments)]), []).append(call)
    return sorted(map(tuple, groups.values()), key=len, reverse=True)
