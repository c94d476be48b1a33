"""Shortlists -> Verdict: pure, no I/O. When in doubt nothing is done.

Each instruction has an outcome (conditions, obstacles, gate, what a set is to do); the plan of all outcomes
keeps the checks of ``plan_checks``; the verdict of the sentence is what is left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from winnow.act.effects.expected import consequences
from winnow.decide.bulk import BulkChoice, choose_bulk_act
from winnow.decide.clarify import with_near_matches
from winnow.decide.conditions import filter_set, in_condition_rooms, judge_conditions
from winnow.decide.confirm import ConfirmationContent, apply_rules, confirmation_text
from winnow.decide.gate import gate_devices, prefer_playing
from winnow.decide.outcome import (
    TOO_MANY,
    DecisionContext,
    InstructionOutcome,
    SentenceOutcome,
    call_batches,
    calls_outcome,
    device_groups,
    excess_targets,
    scene_outcome,
)
from winnow.decide.plan_checks import PlanStep, check_plan
from winnow.decide.reads import reads_for
from winnow.decide.refusals import (
    act_question_outcome,
    arming_outcome,
    blocking_verdict,
    device_question_outcome,
    find_obstacle,
    not_found_outcome,
    obstacle_outcome,
    refusal_outcome,
    scene_of,
    uncounted_outcome,
    weak_match_outcome,
)
from winnow.decide.score import ScoredDevice, score_devices
from winnow.decide.values import takes_room_ids
from winnow.language.messages import message
from winnow.language.naming import refusal_text
from winnow.types.candidate import HomeShortlist
from winnow.types.home import HomeView
from winnow.types.plan import DEFAULT_LIMITS, ActionLimits
from winnow.types.query import Quantifier, QueryIR, Reading
from winnow.types.state import Snapshot
from winnow.types.utterance import Utterance
from winnow.types.verdict import (
    RISK_ISLAND,
    RISK_UNSURE_TARGET,
    Act,
    Bulk,
    Confirm,
    Nothing,
    Query,
    Refusal,
    Refuse,
    Verdict,
)

# The verdict of a sentence, from what its instructions come to.


def sentence_verdict(sentence: SentenceOutcome, situation: DecisionContext) -> Verdict:
    """What is done of the whole: everything that is clear, or nothing before an answer."""
    deeds, doubts = sentence.calls, sentence.questions
    # Of two orders the clear one is done and the other told, unless what is unclear could do harm
    if doubts and (not deeds or any(d.grave for d in doubts)):
        ask = doubts[0].clarify
        if len(doubts) == 1:
            return ask
        # That another instruction is unclear as well is said before the first question.
        text = message("also_open", situation.language) + ask.question
        return replace(ask, question=text, hints=(*ask.hints, "also_open"))
    refused = (*sentence.refusals, *(d.refusal for d in doubts))
    if sentence.blocking_refusals:
        first = sentence.blocking_refusals[0]
        return Refuse((first,), refusal_text(first, situation.view, situation.language), sentence.judgements)
    if not deeds:
        return _no_call_verdict(sentence, situation)
    return _act_verdict(sentence, refused, situation)


def _no_call_verdict(sentence: SentenceOutcome, situation: DecisionContext) -> Nothing | Refuse:
    """Why no instruction has calls: its condition does not hold, or it cannot be done."""
    if sentence.judgements and not sentence.refusals:
        return Nothing("condition_false", sentence.judgements)
    refused = sentence.refusals or (Refusal("not_understood"),)
    text = refusal_text(refused[0], situation.view, situation.language)
    return Refuse(refused, text, sentence.judgements, sentence.hints)


def _act_verdict(
    sentence: SentenceOutcome, refused: tuple[Refusal, ...], situation: DecisionContext
) -> Act | Confirm:
    """The calls, done or first asked about, and what is told beside them."""
    deeds = sentence.calls
    calls = tuple(d.call for d in deeds)
    together = device_groups(deeds) if sentence.is_bulk else ()
    many = excess_targets(together, situation.limits, everywhere=sentence.is_everywhere)
    hints = (*sentence.hints, TOO_MANY) if many else sentence.hints
    risks = _risk_names(sentence, situation)
    if (risks or many) and not situation.confirmed:
        told = ConfirmationContent(deeds, many, situation.guess, sentence.uncertain_calls, situation.island)
        text = confirmation_text(told, situation.view, situation.language)
        return Confirm(calls, text, risks, refused, sentence.judgements, hints)
    if not sentence.is_bulk:
        return Act(calls, None, refused, sentence.judgements)
    pieces = call_batches(deeds, situation.limits)
    bulk = Bulk(pieces, sentence.excluded_texts, sentence.uncovered_ids, hints, together)
    return Act(calls, bulk, refused, sentence.judgements)


def _risk_names(sentence: SentenceOutcome, situation: DecisionContext) -> tuple[str, ...]:
    """The names of what wants a yes, each once. To have guessed is a risk of its own."""
    dangers = dict.fromkeys(d.danger for d in sentence.calls if d.danger)
    guessed = ("guess",) if situation.guess else (RISK_ISLAND,) if situation.island else ()
    return (*dangers, *guessed, *((RISK_UNSURE_TARGET,) if sentence.uncertain_calls else ()))


def decide(
    reading: Reading,
    shortlists: Sequence[HomeShortlist],
    view: HomeView,
    snapshot: Snapshot,
    utterance: Utterance,
    *,
    limits: ActionLimits = DEFAULT_LIMITS,
) -> Verdict:
    """What may be done about ``reading`` while the devices report what is in ``snapshot``.

    ``limits``: how large a set may be before it is asked about, and what is done about danger.
    """
    if reading.intent in {"none", "hostile", "empty"}:
        return Nothing(reading.reason or reading.intent)
    asked = tuple(zip(reading.queries, shortlists, strict=True))
    if reading.intent == "query":
        # What is to be read; a question that no device answers is one of general knowledge
        reads = dict.fromkeys(r for query, found in asked for r in reads_for(query, found, view, snapshot))
        return Query(tuple(reads)) if reads else Nothing("knowledge")
    if found := blocking_verdict(reading):
        return found
    if all(q.negated for q in reading.queries):
        return Nothing("negated")
    situation = _decision_context(reading, view, snapshot, utterance, limits)
    return sentence_verdict(
        apply_rules(check_plan(_plan_steps(asked, situation), situation), situation), situation
    )


def _decision_context(
    reading: Reading, view: HomeView, snapshot: Snapshot, utterance: Utterance, limits: ActionLimits
) -> DecisionContext:
    room = view.room_named(utterance.room) if utterance.room else None
    return DecisionContext(
        view,
        reading.language,
        snapshot,
        room.id if room else None,
        utterance.usage,
        limits,
        guess=reading.guess,
        island=reading.island,
        clarified=reading.clarified,
        confirmed=reading.confirmed,
        text=reading.text,
    )


def _plan_steps(asked: Sequence[tuple[QueryIR, HomeShortlist]], situation: DecisionContext) -> list[PlanStep]:
    """What each instruction comes to, one after the other; nothing comes of an order not to act."""
    plan: list[PlanStep] = []
    for said, shortlist in asked:
        query = _near_what_is_owned(said, plan, situation)
        sentence = SentenceOutcome(tuple(step.outcome for step in plan))
        # ``台灯和吊灯随便开一个`` is an order for either of two: one of them is enough
        idle = query.negated or (query.quantifier is Quantifier.ANY and sentence.has_done(query.tokens))
        onwards = _steps_before(query, plan)
        # What could not be set is no place to go on from: ``set it to 90 and then a degree less``
        idle = idle or any(r.code == "out_of_range" for step in onwards[-1:] for r in step.outcome.refused)
        here = _after_plan(onwards, situation)
        came = InstructionOutcome() if idle else instruction_outcome(query, shortlist, sentence, here)
        plan.append(PlanStep(query, shortlist, came))
    return plan


def _steps_before(query: QueryIR, plan: Sequence[PlanStep]) -> list[PlanStep]:
    """``set it to 20 and then raise it by 2`` ends at 22: a step goes on from orders it shares words with."""
    if query.value is None or query.value.kind != "relative":
        return []
    said = {t.start for t in query.tokens}
    return [p for p in plan if query.inherited or any(t.start in said for t in p.query.tokens)]


def _after_plan(before: Sequence[PlanStep], situation: DecisionContext) -> DecisionContext:
    """The situation once these have been done."""
    now = situation.snapshot
    for call in (planned.call for step in before for planned in step.outcome.calls):
        changes = consequences(call, situation.view.profile(call.device_id), now.of(call.device_id))
        now = now.with_changes({call.device_id: changes}, now.read_at or 0.0)
    return situation if now is situation.snapshot else replace(situation, snapshot=now)


def _near_what_is_owned(query: QueryIR, plan: Sequence[PlanStep], situation: DecisionContext) -> QueryIR:
    """``Dee's blind down, fan off``: a bare kind behind what is somebody's is in the room of that first."""
    bare = all(t.kind == "type" for t in query.target.tokens)
    if not bare or query.scope_said or query.quantifier is not Quantifier.ONE:
        return query
    owned = (step for step in plan if any("'s" in t.text for t in step.query.target.tokens))
    rooms = {situation.view.room(c.call.device_id) for step in owned for c in step.outcome.calls}
    room = rooms.pop() if len(rooms) == 1 else None
    return replace(query, scope_said=(room.id,)) if room else query


def instruction_outcome(
    query: QueryIR, shortlist: HomeShortlist, before: SentenceOutcome, situation: DecisionContext
) -> InstructionOutcome:
    """What one instruction comes to after those ``before``, if its conditions hold."""
    conditions = judge_conditions(query, shortlist, before, situation)
    if not conditions.holds:
        return conditions
    # A room as a value, under the name that commands of the source take
    query = in_condition_rooms(query, (*before.judgements, *conditions.judged), situation)
    value = query.value
    if value is not None and value.unit == "room":
        room = situation.view.rooms.get(situation.area or "" if value.text == "here" else value.text)
        by_id = takes_room_ids(situation.view.home.source)
        text = (room.id if by_id else room.name) if room else ""
        query = replace(query, value=replace(value, text=text))
    done = _outcome_if_allowed(query, shortlist, before, situation)
    return replace(done, judged=(*conditions.judged, *done.judged)) if conditions.judged else done


def _outcome_if_allowed(
    query: QueryIR, shortlist: HomeShortlist, before: SentenceOutcome, situation: DecisionContext
) -> InstructionOutcome:
    """The outcome of an instruction whose conditions hold: an obstacle, a scene, or devices."""
    view = situation.view
    if found := find_obstacle(query, shortlist, view, situation.area):
        asked = weak_match_outcome(query, found.refusal, shortlist, situation)
        return asked or obstacle_outcome(found, shortlist, situation)
    if scene := scene_of(shortlist, view):
        return scene_outcome(scene, view)
    rows = score_devices(query, shortlist, view, situation.snapshot, situation.habits)
    if not rows:
        came = not_found_outcome(query, shortlist, situation)
        return (came.refused and weak_match_outcome(query, came.refused[0], shortlist, situation)) or came
    if query.things.where:
        return _filtered_outcome(query, shortlist, rows, before, situation)
    return _choice_outcome(query, shortlist, rows, before, situation)


def _filtered_outcome(
    query: QueryIR,
    shortlist: HomeShortlist,
    rows: Sequence[ScoredDevice],
    before: SentenceOutcome,
    situation: DecisionContext,
) -> InstructionOutcome:
    """``the lights that are on``: all that are so are meant, for nobody says of one which it is."""
    query = replace(query, quantifier=Quantifier.ALL)
    meant = gate_devices(query, rows, situation.view, situation.area)
    held = filter_set(meant.chosen, query.things.where, shortlist.candidates, situation)
    if not held.rows:
        untold = [
            Refusal("unknown_condition", {"condition": j.text}) for j in held.judgements if j.holds is None
        ]
        return InstructionOutcome(refused=tuple(untold[:1]), judged=held.judgements)
    done = _choice_outcome(query, shortlist, held.rows, before, situation)
    return replace(done, judged=held.judgements, uncovered=(*done.uncovered, *held.unknown))


def _choice_outcome(
    query: QueryIR,
    shortlist: HomeShortlist,
    rows: Sequence[ScoredDevice],
    before: SentenceOutcome,
    situation: DecisionContext,
) -> InstructionOutcome:
    """What those come to who may be meant: a question, a refusal, or they do what they can."""
    view = situation.view
    if shortlist.uncounted:
        return uncounted_outcome(query, rows, shortlist.uncounted, situation)
    gated = prefer_playing(
        query, gate_devices(query, rows, view, situation.area), rows, view, situation.snapshot
    )
    if gated.refusal:
        asked = weak_match_outcome(query, gated.refusal, shortlist, situation)
        return asked or refusal_outcome(query, with_near_matches(gated.refusal, shortlist, view), before)
    if gated.tied:
        return device_question_outcome(query, gated.tied, situation)
    if asked := arming_outcome(query, gated.chosen, situation):
        return asked
    # One thing does what it can; a set has to do one thing.
    what = BulkChoice(gated.chosen)
    if gated.bulk:
        what = choose_bulk_act(
            query, gated.chosen, shortlist.candidates, view, situation.snapshot, situation.limits
        )
    if what.options:
        return act_question_outcome(what.options, situation)
    done = calls_outcome(query, gated, what, before)
    return replace(done, uncertain_target=not situation.clarified) if gated.guessed else done
