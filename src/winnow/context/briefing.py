"""The briefing: one sentence on what the data is, what was decided, and the few devices it concerns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from winnow.context import briefing_lines as entities
from winnow.context.briefing_lines import Line, fit, name_of, offered
from winnow.language.encode import compact_json, encode
from winnow.language.messages import message
from winnow.language.naming import told
from winnow.language.scope_words import beginning
from winnow.language.tokens import COUNTER, count_tokens
from winnow.types.candidate import Candidate, HomeShortlist, Shortlist
from winnow.types.home import HomeView
from winnow.types.retrieval import Attempt, Briefing, Section
from winnow.types.utterance import Language
from winnow.types.verdict import (
    Act,
    Bulk,
    Call,
    Clarify,
    Confirm,
    Judged,
    Nothing,
    NotUnderstood,
    Query,
    Read,
    Refusal,
    Refuse,
    Verdict,
    conditions_of,
    named_calls,
)

# What other sources than the home found, as quoted data: one line a candidate, best first.


FULL, SHORT = 1000, 200
"""Characters of a text as it is quoted, and where there is no room for that."""


def quoted(found: Sequence[Shortlist]) -> tuple[Line, ...]:
    """The lines of all sources, each source's best first."""
    return tuple(_line(shortlist.source, c) for shortlist in found for c in shortlist.candidates)


def _line(source: str, candidate: Candidate) -> Line:
    """A candidate as its source tells of it, without what is not known nor what most are: private."""
    data: Mapping[str, object] = {"text": str(candidate.data or "")}
    if isinstance(candidate.data, Mapping):
        said = {key: value for key, value in candidate.data.items() if value not in ("", None)}
        data = {key: value for key, value in said.items() if (key, value) != ("tier", "private")}
    row = {"source": source, "id": candidate.ref.id, **data}
    versions = []
    for most in (FULL, SHORT):  # no text is cut where that turns a statement round
        texts = {key: beginning(told, most) for key, told in row.items() if isinstance(told, str)}
        versions.append(compact_json({**row, **texts}, most))
    return Line(candidate.ref.id, tuple(dict.fromkeys(versions)))


MOST = 5
"""Entities shown at most."""
RUNNERS_UP = 3
"""Entities shown at most when the choice is made: the chosen ones, filled up with what else may be meant."""
MENTIONED: Mapping[type[Verdict], int] = {NotUnderstood: MOST, Nothing: RUNNERS_UP}
"""Entities shown at most of what is mentioned: less of it in talk that wants nothing of the home."""

LONGEST = 400
"""Characters of a question or a reason."""
HEADER, DECISION = "header", "verdict"


def assemble(
    attempt: Attempt, view: HomeView, budget: int, found: Sequence[Shortlist] = (), plan: str = ""
) -> Briefing:
    """The text to inject, never more than ``budget`` tokens; what did not fit is listed.

    Empty when there is nothing to do and nothing was found. ``found``: what sources beside the home offer.
    ``plan``: the handle that names what was decided; with it, a set is told without the ids of its members.
    """
    verdict = attempt.verdict
    if attempt.reading.intent == "hostile":
        return Briefing("", 0, COUNTER)
    home: tuple[Line, ...] = ()
    if not isinstance(verdict, Nothing) or verdict.conditions or attempt.mentioned:
        decision = Line(DECISION, _decision(attempt, view, plan))
        home = decision, *_entities(attempt, view, planned=bool(plan))
    quotations = quoted(found)
    if not home and not quotations:
        return Briefing("", 0, COUNTER)
    # The first line says that the rest is data: whatever a name or a text says, it is no instruction.
    code = "data_not_instructions" if not quotations else "quotations_not_instructions"
    header = message("all_not_instructions" if home and quotations else code, attempt.reading.language)
    return _fitted((Line(HEADER, (header,)), *home, *quotations), budget)


def _fitted(lines: tuple[Line, ...], budget: int) -> Briefing:
    """As much of the lines as the budget holds; nothing, where it holds no more than the header."""
    kept, left_out = fit(lines, budget)
    if len(kept) < 2:
        return Briefing("", 0, COUNTER, left_out=tuple(line.name for line in lines))
    text = "\n".join(t for _, t in kept)
    sections = tuple(Section(n, t, count_tokens(t)) for n, t in kept)
    return Briefing(text, count_tokens(text), COUNTER, sections, left_out, offered(lines, kept))


def _decision(attempt: Attempt, view: HomeView, plan: str) -> tuple[str, ...]:
    """The verdict as one JSON line, in full and without its side notes, and what the lines below are."""
    verdict, language = attempt.verdict, attempt.reading.language
    below = {"below": message("mentioned_only", language)} if attempt.mentioned else {}
    core = _core(verdict, language, plan) | below
    notes = _notes(verdict, view, language)
    return tuple(dict.fromkeys(compact_json(data, LONGEST) for data in ({**core, **notes}, core)))


def _core(verdict: Verdict, language: Language, plan: str) -> dict[str, object]:
    """What was decided. What waits for a yes is named to nobody: only the person can say it."""
    match verdict:
        case Confirm(question=question):
            return {"verdict": "confirm", "rule": message("ask_first", language), "ask": question}
        case Clarify(question=question):
            return {"verdict": "clarify", **({"id": plan} if plan else {}), "ask": question}
        case Refuse():
            return _refusal(verdict, language)
        case Act():
            return {"verdict": "act", **({"plan": plan} if plan else {})}
        case NotUnderstood(words=words):
            return {"verdict": "not_understood", "unknown": [encode(word) for word in words]}
    return {"verdict": "query" if isinstance(verdict, Query) else "none"}


def _refusal(verdict: Refuse, language: Language) -> dict[str, object]:
    """Why it is not done; where something near was found, that it is to be asked about."""
    why = list(dict.fromkeys(r.code for r in verdict.refusals))
    rule = {"rule": message("ask_first", language)} if any(r.near for r in verdict.refusals) else {}
    say = {"say": verdict.message} if verdict.message else {}
    return {"verdict": "reject", "why": why, **say, **rule}


def _notes(verdict: Verdict, view: HomeView, language: Language) -> dict[str, object]:
    """Conditions with what was read, orders that cannot be done, the first names of what a set leaves out."""
    notes: dict[str, object] = {}
    if judged := conditions_of(verdict):
        notes["checked"] = [_judged(j, view) for j in judged]
    if isinstance(verdict, Act | Confirm) and verdict.refused:
        notes["refused"] = [told(r, view, language) for r in verdict.refused]
    if isinstance(verdict, Act) and verdict.bulk:
        left = (("except", verdict.bulk.excluded), ("uncovered", verdict.bulk.uncovered))
        notes |= {why: _names(ids, view) for why, ids in left if ids}
    return notes


def _names(ids: Sequence[str], view: HomeView) -> list[object]:
    """The first of the names, encoded."""
    return [encode(name_of(view, i)) for i in ids[: entities.NAMES]]


def _judged(judged: Judged, view: HomeView) -> dict[str, object]:
    """What held or did not, by which value of which things; of many the first are named."""
    names = _names([read.device_id for read in judged.reads], view)
    told: dict[str, object] = {
        "if": encode(judged.text),
        "value": encode(judged.value) if isinstance(judged.value, str) else judged.value,
        "holds": judged.holds,
    }
    return {**told, "by": names} if names else told


def _entities(attempt: Attempt, view: HomeView, *, planned: bool) -> tuple[Line, ...]:
    """The lines of the devices concerned, most important first."""
    calls = named_calls(attempt.verdict)
    match attempt.verdict:
        case Query(reads=reads):
            return _readings(reads, attempt, view)
        case Clarify(options=options):
            return _candidates((i for option in options for i in option.device_ids), attempt, view)
        case Refuse(refusals=refusals):
            return _refused(refusals, attempt, view)
        case NotUnderstood() | Nothing():
            return _possible(attempt.mentioned_ids[: MENTIONED[type(attempt.verdict)]], view)
        case Act(bulk=Bulk()):
            return _together(calls, attempt, view, planned=planned)
        case _ if len(calls) > MOST:
            return _together(calls, attempt, view, planned=planned)
        case _:
            return _called(calls, attempt, view)


def _together(
    calls: tuple[Call, ...], attempt: Attempt, view: HomeView, *, planned: bool
) -> tuple[Line, ...]:
    """One line for all that get the same command with the same arguments, the biggest group first."""
    groups: dict[str, list[Call]] = {}
    for call in calls:
        groups.setdefault(compact_json([call.command_id, dict(call.arguments)]), []).append(call)
    return tuple(
        entities.together(same, view, planned=planned)
        if len(same) > 1
        else entities.called(same, view, attempt.snapshot)
        for same in sorted(map(tuple, groups.values()), key=len, reverse=True)
    )


def _called(calls: tuple[Call, ...], attempt: Attempt, view: HomeView) -> tuple[Line, ...]:
    """A line for each device that gets calls, filled up with what else may be meant."""
    if not calls:
        return ()
    by_device: dict[str, list[Call]] = {}
    for call in calls:
        by_device.setdefault(call.device_id, []).append(call)
    chosen = tuple(entities.called(tuple(own), view, attempt.snapshot) for own in by_device.values())
    rest = [i for i in _ranked(attempt.shortlists) if i not in by_device]
    return chosen + _candidates(rest[: max(0, RUNNERS_UP - len(chosen))], attempt, view)


def _refused(refusals: tuple[Refusal, ...], attempt: Attempt, view: HomeView) -> tuple[Line, ...]:
    """What cannot do it, with the command's limits.

    When nobody is to blame, what comes nearest: in meaning, else in name, else what is mentioned.
    """
    if near := list(dict.fromkeys(i for r in refusals for i in r.near))[:RUNNERS_UP]:
        return _possible(near, view)
    if blamed := list(dict.fromkeys(i for r in refusals for i in r.device_ids))[:RUNNERS_UP]:
        return _candidates(blamed, attempt, view)
    ranked = _ranked(attempt.shortlists)[:RUNNERS_UP]
    return _possible(list(dict.fromkeys((*ranked, *attempt.mentioned_ids)))[:MOST], view)


def _possible(ids: Iterable[str], view: HomeView) -> tuple[Line, ...]:
    """A line for each, without any command."""
    return tuple(entities.possible(i, None, view) for i in ids)


def _candidates(ids: Iterable[str], attempt: Attempt, view: HomeView) -> tuple[Line, ...]:
    """One line each; a command they all share is said once, above them."""
    wanted = tuple(dict.fromkeys(trait for q in attempt.reading.queries for trait in q.action_cluster))
    commands = {
        i: entities.wanted_command(i, attempt.shortlists, wanted, view)
        for i in list(dict.fromkeys(ids))[:MOST]
    }
    distinct = list(commands.values())
    if len(distinct) > 1 and distinct[0] is not None and all(c == distinct[0] for c in distinct):
        above = distinct[0]
        return entities.shared(above), *(entities.possible(i, None, view, above) for i in commands)
    return tuple(entities.possible(i, c, view) for i, c in commands.items())


def _ranked(shortlists: tuple[HomeShortlist, ...]) -> list[str]:
    """Devices of all shortlists, each instruction's best first."""
    columns = [s.device_ids[:MOST] for s in shortlists]
    return list(dict.fromkeys(c[n] for n in range(MOST) for c in columns if n < len(c)))


def _readings(reads: tuple[Read, ...], attempt: Attempt, view: HomeView) -> tuple[Line, ...]:
    """A line for each device; for each attribute, where many devices answer."""
    snapshot = attempt.snapshot
    by_device: dict[str, list[Read]] = {}
    for r in reads:
        by_device.setdefault(r.device_id, []).append(r)
    if len(by_device) <= MOST:
        return tuple(entities.read(i, rs, view, snapshot) for i, rs in by_device.items())
    by_attribute: dict[str, list[Read]] = {}
    for r in reads:
        by_attribute.setdefault(r.attribute_id, []).append(r)
    return tuple(entities.tally(a, tuple(rs), view, snapshot) for a, rs in by_attribute.items())
