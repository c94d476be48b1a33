"""The briefing of a home: a notice that it is data, the verdict, and the few devices concerned."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from winnow.context import briefing_lines
from winnow.context.briefing_lines import (
    BriefingLine,
    entity_name,
    fit_lines,
    offered_commands,
    quoted,
    value_text,
)
from winnow.language.encode import compact_json
from winnow.language.messages import message
from winnow.language.naming import refusal_text
from winnow.language.scope_words import beginning
from winnow.language.tokens import COUNTER, count_tokens
from winnow.types.candidate import Candidate, HomeShortlist, Shortlist
from winnow.types.home import Command, HomeView
from winnow.types.retrieval import Attempt, Briefing, Section
from winnow.types.utterance import LanguageCode
from winnow.types.verdict import (
    Act,
    Bulk,
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
    conditions_of,
    named_calls,
)

# What other sources than the home found, as quoted data: one line a candidate, best first.

MAX_QUOTE_CHARS, MAX_SHORT_QUOTE_CHARS = 1000, 200
"""Characters of a text as it is quoted, and where there is no room for that."""


def quotation_lines(found: Sequence[Shortlist]) -> tuple[BriefingLine, ...]:
    """The lines of all sources, each source's best first."""
    return tuple(_quotation_line(shortlist.source, c) for shortlist in found for c in shortlist.candidates)


def _quotation_line(source: str, candidate: Candidate) -> BriefingLine:
    """A candidate as its source tells of it, without what is not known nor what most are: private."""
    data: Mapping[str, object] = {"text": str(candidate.data or "")}
    if isinstance(candidate.data, Mapping):
        said = {key: value for key, value in candidate.data.items() if value not in ("", None)}
        data = {key: value for key, value in said.items() if (key, value) != ("tier", "private")}
    row = {"source": source, "id": candidate.ref.id, **data}
    versions = []
    for most in (MAX_QUOTE_CHARS, MAX_SHORT_QUOTE_CHARS):  # no text is cut where that turns a statement round
        texts = {key: beginning(told, most) for key, told in row.items() if isinstance(told, str)}
        versions.append(compact_json({**row, **texts}, most))
    return BriefingLine(candidate.ref.id, tuple(dict.fromkeys(versions)))


MAX_ENTITIES = 5
"""Entities shown at most."""
MAX_CHOSEN_ENTITIES = 3
"""Entities shown at most when the choice is made: the chosen ones, filled up with what else may be meant."""
UNREAD_CODES = frozenset({"unplaced", "not_understood"})
"""Reasons of refusals that say no more than that words were not understood."""
MAX_TALK_GROUPS = 2
"""Sets of things that can do the same, told of what was taken for talk."""

MAX_DECISION_CHARS = 400
"""Characters of a question or a reason."""
SECTION_HEADER, SECTION_VERDICT = "header", "verdict"


def build_briefing(
    attempt: Attempt, view: HomeView, budget: int, found: Sequence[Shortlist] = (), plan: str = ""
) -> Briefing:
    """The text to inject, never more than ``budget`` tokens; what did not fit is listed.

    Empty when there is nothing to do and nothing was found. ``found``: what sources beside the home offer.
    ``plan``: the handle that names what was decided; with it, a set is told without the ids of its members.
    """
    verdict = attempt.verdict
    if attempt.reading.intent == "hostile":
        return Briefing("", 0, COUNTER)
    home: tuple[BriefingLine, ...] = ()
    if not isinstance(verdict, Nothing) or verdict.conditions or attempt.mentioned:
        decision = BriefingLine(SECTION_VERDICT, _decision_versions(attempt, view, plan))
        home = decision, *_entity_lines(attempt, view, planned=bool(plan))
    quotations = quotation_lines(found)
    if not home and not quotations:
        return Briefing("", 0, COUNTER)
    # The first line says that the rest is data: whatever a name or a text says, it is no instruction.
    code = "data_not_instructions" if not quotations else "quotations_not_instructions"
    header = message("all_not_instructions" if home and quotations else code, attempt.reading.language)
    return _fit_briefing((BriefingLine(SECTION_HEADER, (header,)), *home, *quotations), budget)


def _fit_briefing(lines: tuple[BriefingLine, ...], budget: int) -> Briefing:
    """As much of the lines as the budget holds; nothing, where it holds no more than the header."""
    kept, left_out = fit_lines(lines, budget)
    if len(kept) < 2:
        return Briefing("", 0, COUNTER, left_out=tuple(line.name for line in lines))
    text = "\n".join(t for _, t in kept)
    sections = tuple(Section(n, t, count_tokens(t)) for n, t in kept)
    return Briefing(text, count_tokens(text), COUNTER, sections, left_out, offered_commands(lines, kept))


def _decision_versions(attempt: Attempt, view: HomeView, plan: str) -> tuple[str, ...]:
    """The verdict as one line, in full and without its side notes, and what the lines below are."""
    verdict, language = attempt.verdict, attempt.reading.language
    core = _decision_text(verdict, language, plan)
    if attempt.mentioned and isinstance(verdict, Nothing):
        core = f"{core}; {message('handover_of_talk' if attempt.is_handover else 'mentioned_only', language)}"
    elif attempt.is_handover:
        core = f"{core}; {message('handover', language)}"
    full = "; ".join((core, *_decision_notes(verdict, view, language)))
    return tuple(dict.fromkeys((full, core)))


def _decision_text(verdict: Verdict, language: LanguageCode, plan: str) -> str:
    """What was decided. What waits for a yes is named to nobody: only the person can say it."""
    match verdict:
        case Confirm(question=question):
            return f"verdict confirm ({message('ask_first', language)}): {_said(question)}"
        case Clarify(question=question):
            return f"verdict clarify{f', id {plan}' if plan else ''}: {_said(question)}"
        case Refuse(refusals=refusals, message=said):
            codes = dict.fromkeys(r.code for r in refusals)
            rule = f"; {message('ask_first', language)}" if any(r.near for r in refusals) else ""
            # Words that were not understood are no decision; what cannot be judged, as a time, is one.
            name = "not_understood" if UNREAD_CODES.issuperset(codes) else f"reject ({', '.join(codes)})"
            return f"verdict {name}{f': {_said(said)}' if said else ''}{rule}"
        case Act():
            return f"verdict act{f', plan {plan}' if plan else ''}"
        case NotUnderstood(words=words):
            unknown = ", ".join(map(_said, words))
            return f"verdict not_understood{f' (unknown words: {unknown})' if words else ''}"
    return f"verdict {'query' if isinstance(verdict, Query) else 'none'}"


def _said(text: str) -> str:
    """A question, a reason or a word in quotation marks."""
    return quoted(text, MAX_DECISION_CHARS)


def _decision_notes(verdict: Verdict, view: HomeView, language: LanguageCode) -> Iterator[str]:
    """Conditions with what was read, orders that cannot be done, the first names of what a set leaves out."""
    for judged in conditions_of(verdict):
        yield _check_note(judged, view)
    if isinstance(verdict, Act | Confirm):
        for refused in verdict.refused:
            yield f"refused {_said(refusal_text(refused, view, language))}"
    if isinstance(verdict, Act) and verdict.bulk:
        for why, ids in (("except", verdict.bulk.excluded), ("uncovered", verdict.bulk.uncovered)):
            if ids:
                yield f"{why} {_quoted_names(ids, view)}"


def _quoted_names(ids: Sequence[str], view: HomeView) -> str:
    """The first of the names."""
    return ", ".join(quoted(entity_name(view, i)) for i in ids[: briefing_lines.MAX_NAMES_SHOWN])


def _check_note(judged: ConditionCheck, view: HomeView) -> str:
    """What held or did not, by which value of which things; of many the first are named."""
    names = _quoted_names([read.device_id for read in judged.reads], view)
    value = f": {value_text(judged.value)}" if judged.value is not None else ""
    source = f" by {names}" if names else ""
    return f"if {quoted(judged.text)} {'holds' if judged.holds else 'does not hold'}{value}{source}"


def _entity_lines(attempt: Attempt, view: HomeView, *, planned: bool) -> tuple[BriefingLine, ...]:
    """The lines of the devices concerned, most important first."""
    calls = named_calls(attempt.verdict)
    match attempt.verdict:
        case Query(reads=reads):
            return _reading_lines(reads, attempt, view)
        case Clarify(options=options):
            return _candidate_lines((i for option in options for i in option.device_ids), attempt, view)
        case Refuse(refusals=refusals):
            return _refusal_lines(refusals, attempt, view)
        case NotUnderstood() | Nothing():
            named = attempt.mentioned_ids
            if attempt.is_handover:
                return _handover_lines(named, attempt, view)
            return _possible_lines(named[:MAX_CHOSEN_ENTITIES], view)
        case Act(bulk=Bulk()):
            return _set_lines(calls, attempt, view, planned=planned)
        case _ if len(calls) > MAX_ENTITIES:
            return _set_lines(calls, attempt, view, planned=planned)
        case _:
            return _call_lines(calls, attempt, view)


def _set_lines(
    calls: tuple[Call, ...], attempt: Attempt, view: HomeView, *, planned: bool
) -> tuple[BriefingLine, ...]:
    """One line for all that get the same command with the same arguments, the biggest group first."""
    groups: dict[str, list[Call]] = {}
    for call in calls:
        groups.setdefault(compact_json([call.command_id, dict(call.arguments)]), []).append(call)
    return tuple(
        briefing_lines.set_line(same, view, planned=planned)
        if len(same) > 1
        else briefing_lines.called_line(same, view, attempt.snapshot)
        for same in sorted(map(tuple, groups.values()), key=len, reverse=True)
    )


def _call_lines(calls: tuple[Call, ...], attempt: Attempt, view: HomeView) -> tuple[BriefingLine, ...]:
    """A line for each device that gets calls, filled up with what else may be meant."""
    if not calls:
        return ()
    by_device: dict[str, list[Call]] = {}
    for call in calls:
        by_device.setdefault(call.device_id, []).append(call)
    chosen = tuple(
        briefing_lines.called_line(tuple(own), view, attempt.snapshot) for own in by_device.values()
    )
    rest = [i for i in _ranked_devices(attempt.shortlists) if i not in by_device]
    return chosen + _candidate_lines(rest[: max(0, MAX_CHOSEN_ENTITIES - len(chosen))], attempt, view)


def _refusal_lines(
    refusals: tuple[Refusal, ...], attempt: Attempt, view: HomeView
) -> tuple[BriefingLine, ...]:
    """What cannot do it, with the command's limits.

    When nobody is to blame, what comes nearest: in meaning, else in name, else what is mentioned.
    """
    if near := list(dict.fromkeys(i for r in refusals for i in r.near))[:MAX_CHOSEN_ENTITIES]:
        return _possible_lines(near, view)
    if blamed := list(dict.fromkeys(i for r in refusals for i in r.device_ids))[:MAX_CHOSEN_ENTITIES]:
        return _candidate_lines(blamed, attempt, view)
    ranked = _ranked_devices(attempt.shortlists)[:MAX_CHOSEN_ENTITIES]
    if attempt.is_handover:
        return _handover_lines(tuple(dict.fromkeys((*ranked, *attempt.mentioned_ids))), attempt, view)
    return _possible_lines(ranked, view)


def _possible_lines(ids: Iterable[str], view: HomeView) -> tuple[BriefingLine, ...]:
    """A line for each, without any command."""
    return tuple(briefing_lines.possible_line(i, view) for i in ids)


AbleThing = tuple[str, tuple[Command, ...]]
"""Id of a device or scene, and what it can be told to do."""


def _handover_lines(ids: Sequence[str], attempt: Attempt, view: HomeView) -> tuple[BriefingLine, ...]:
    """What is mentioned, with states and with what it can be told to do: whoever reads it decides.

    Things that can do the same stand together: the first with all of it, the others by name. Of what is left
    only the names are told, and what was taken for talk is told in short: it hardly ever is an order.
    """
    talk, groups = isinstance(attempt.verdict, Nothing), _alike_groups(ids, attempt, view)
    most = MAX_TALK_GROUPS if talk else MAX_CHOSEN_ENTITIES
    lines: list[BriefingLine] = []
    for n, ((first, commands), *others) in enumerate(groups[:most]):
        line = briefing_lines.able_line(first, commands, view, attempt.snapshot)
        lines.append(line.shortened if talk or n else line)
        if others:
            lines.append(briefing_lines.names_line("alike", others, view))
    if rest := [one for group in groups[most:] for one in group]:
        lines.append(briefing_lines.names_line("also", rest, view))
    return tuple(lines)


def _alike_groups(ids: Iterable[str], attempt: Attempt, view: HomeView) -> list[list[AbleThing]]:
    """The things with what is wanted of them, those together that take the same commands."""
    wanted = _wanted_traits(attempt)
    groups: dict[str, list[AbleThing]] = {}
    for i in ids:
        commands = briefing_lines.callable_commands(i, wanted, view)
        shape = " ".join(briefing_lines.command_shape(view.command_word(i, c), c) for c in commands)
        groups.setdefault(shape or i, []).append((i, commands))
    return list(groups.values())


def _wanted_traits(attempt: Attempt) -> tuple[str, ...]:
    return tuple(dict.fromkeys(trait for q in attempt.reading.queries for trait in q.action_cluster))


def _candidate_lines(ids: Iterable[str], attempt: Attempt, view: HomeView) -> tuple[BriefingLine, ...]:
    """One line each; a command they all share is said once, above them."""
    wanted = _wanted_traits(attempt)
    commands = {
        i: briefing_lines.wanted_command(i, attempt.shortlists, wanted, view)
        for i in list(dict.fromkeys(ids))[:MAX_ENTITIES]
    }
    shapes = {
        briefing_lines.command_shape(view.command_word(i, c), c) if c else "" for i, c in commands.items()
    }
    if len(commands) > 1 and len(shapes) == 1 and "" not in shapes:
        (shape,) = shapes
        return BriefingLine(shape, (f"all below can {shape}",)), *(
            briefing_lines.possible_line(i, view, above=c) for i, c in commands.items()
        )
    return tuple(briefing_lines.able_line(i, (c,) if c else (), view) for i, c in commands.items())


def _ranked_devices(shortlists: tuple[HomeShortlist, ...]) -> list[str]:
    """Devices of all shortlists, each instruction's best first."""
    columns = [s.device_ids[:MAX_ENTITIES] for s in shortlists]
    return list(dict.fromkeys(c[n] for n in range(MAX_ENTITIES) for c in columns if n < len(c)))


def _reading_lines(reads: tuple[Read, ...], attempt: Attempt, view: HomeView) -> tuple[BriefingLine, ...]:
    """A line for each device; for each attribute, where many devices answer."""
    snapshot = attempt.snapshot
    by_device: dict[str, list[Read]] = {}
    for r in reads:
        by_device.setdefault(r.device_id, []).append(r)
    if len(by_device) <= MAX_ENTITIES:
        return tuple(briefing_lines.reading_line(i, rs, view, snapshot) for i, rs in by_device.items())
    by_attribute: dict[str, list[Read]] = {}
    for r in reads:
        by_attribute.setdefault(r.attribute_id, []).append(r)
    return tuple(briefing_lines.tally_line(a, tuple(rs), view, snapshot) for a, rs in by_attribute.items())
