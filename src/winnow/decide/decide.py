"""Shortlists -> Verdict: pure, no I/O. When in doubt nothing is done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from winnow.decide.bulk import LIMITS, Limits, Settled, settled
from winnow.decide.clarify import naming_near
from winnow.decide.conditions import holding, placed, premises
from winnow.decide.confirm import Asked, confirmation, ruled
from winnow.decide.gate import gate, playing
from winnow.decide.obstacles import blocked, hindrance, scene_of
from winnow.decide.outcome import (
    TOO_MANY,
    Outcome,
    Sentence,
    Situation,
    batches,
    carried_out,
    groups,
    scene_run,
    too_many,
)
from winnow.decide.plan import Step
from winnow.decide.plan_checks import checked
from winnow.decide.reads import reads_for
from winnow.decide.refusals import (
    asked_first,
    hindered,
    nothing_found,
    refused,
    uncounted,
    which_act,
    which_mode,
    which_of,
)
from winnow.decide.score import Scored, scored
from winnow.language.messages import message
from winnow.language.naming import told
from winnow.types.candidate import HomeShortlist
from winnow.types.home import HomeView
from winnow.types.query import Quantifier, QueryIR, Reading
from winnow.types.state import Snapshot
from winnow.types.utterance import Utterance
from winnow.types.verdict import MEANT, Act, Bulk, Confirm, Nothing, Query, Refusal, Refuse, Verdict

# The verdict of a sentence, from what its instructions come to.


def verdict(sentence: Sentence, situation: Situation) -> Verdict:
    """What is done of the whole: everything that is clear, or nothing before an answer."""
    deeds, doubts = sentence.deeds, sentence.doubts
    # Of two orders the clear one is done and the other told, unless what is unclear could do harm
    if doubts and (not deeds or any(d.grave for d in doubts)):
        ask = doubts[0].ask
        if len(doubts) == 1:
            return ask
        # That another instruction is unclear as well is said before the first question.
        text = message("also_open", situation.language) + ask.question
        return replace(ask, question=text, hints=(*ask.hints, "also_open"))
    refused = (*sentence.refused, *(d.refusal for d in doubts))
    if sentence.spoilt:
        first = sentence.spoilt[0]
        return Refuse((first,), told(first, situation.view, situation.language), sentence.judged)
    if not deeds:
        return _nothing_done(sentence, situation)
    return _carried_out(sentence, refused, situation)


def _nothing_done(sentence: Sentence, situation: Situation) -> Nothing | Refuse:
    """Why no instruction has calls: its condition does not hold, or it cannot be done."""
    if sentence.judged and not sentence.refused:
        return Nothing("condition_false", sentence.judged)
    refused = sentence.refused or (Refusal("not_understood"),)
    text = told(refused[0], situation.view, situation.language)
    return Refuse(refused, text, sentence.judged, sentence.hints)


def _carried_out(sentence: Sentence, refused: tuple[Refusal, ...], situation: Situation) -> Act | Confirm:
    """The calls, done or first asked about, and what is told beside them."""
    deeds = sentence.deeds
    calls = tuple(d.call for d in deeds)
    together = groups(deeds) if sentence.bulk else ()
    many = too_many(together, situation.limits, everywhere=sentence.everywhere)
    hints = (*sentence.hints, TOO_MANY) if many else sentence.hints
    risks = _risks(sentence, situation)
    if (risks or many) and not situation.confirmed:
        told = Asked(deeds, many, situation.guess, sentence.meant)
        text = confirmation(told, situation.view, situation.language)
        return Confirm(calls, text, risks, refused, sentence.judged, hints)
    if not sentence.bulk:
        return Act(calls, None, refused, sentence.judged)
    pieces = batches(deeds, situation.limits)
    bulk = Bulk(pieces, sentence.excluded, sentence.uncovered, hints, together)
    return Act(calls, bulk, refused, sentence.judged)


def _risks(sentence: Sentence, situation: Situation) -> tuple[str, ...]:
    """The names of what wants a yes, each once. To have guessed is a risk of its own."""
    dangers = dict.fromkeys(d.danger for d in sentence.deeds if d.danger)
    guessed = ("guess",) if situation.guess else ()
    return (*dangers, *guessed, *((MEANT,) if sentence.meant else ()))


def decide(
    reading: Reading,
    shortlists: Sequence[HomeShortlist],
    view: HomeView,
    snapshot: Snapshot,
    utterance: Utterance,
    *,
    limits: Limits = LIMITS,
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
    if found := blocked(reading):
        return found
    if all(q.negated for q in reading.queries):
        return Nothing("negated")
    situation = _situation(reading, view, snapshot, utterance, limits)
    return verdict(ruled(checked(_planned(asked, situation), situation), situation), situation)


def _situation(
    reading: Reading, view: HomeView, snapshot: Snapshot, utterance: Utterance, limits: Limits
) -> Situation:
    room = view.room_named(utterance.room) if utterance.room else None
    return Situation(
        view,
        reading.language,
        snapshot,
        room.id if room else None,
        utterance.usage,
        limits,
        guess=reading.guess,
        clarified=reading.clarified,
        confirmed=reading.confirmed,
        text=reading.text,
    )


def _planned(asked: Sequence[tuple[QueryIR, HomeShortlist]], situation: Situation) -> list[Step]:
    """What each instruction comes to, one after the other; nothing comes of an order not to act."""
    plan: list[Step] = []
    for query, shortlist in asked:
        sentence = Sentence(tuple(step.outcome for step in plan))
        # ``台灯和吊灯随便开一个`` is an order for either of two: one of them is enough
        idle = query.negated or (query.quantifier is Quantifier.ANY and sentence.did(query.tokens))
        came = Outcome() if idle else instructed(query, shortlist, sentence, situation)
        plan.append(Step(query, shortlist, came))
    return plan


def instructed(query: QueryIR, shortlist: HomeShortlist, before: Sentence, situation: Situation) -> Outcome:
    """What one instruction comes to after those ``before``, if its conditions hold."""
    conditions = premises(query, shortlist, before, situation)
    if not conditions.holds:
        return conditions
    # A room as a value, under the name the source takes: its id in Home Assistant, its name elsewhere
    query = placed(query, (*before.judged, *conditions.judged), situation)
    value = query.value
    if value is not None and value.unit == "room":
        room = situation.view.rooms.get(situation.area or "" if value.text == "here" else value.text)
        by_id = situation.view.home.source == "homeassistant"
        text = (room.id if by_id else room.name) if room else ""
        query = replace(query, value=replace(value, text=text))
    done = _undertaken(query, shortlist, before, situation)
    return replace(done, judged=(*conditions.judged, *done.judged))


def _undertaken(query: QueryIR, shortlist: HomeShortlist, before: Sentence, situation: Situation) -> Outcome:
    """The outcome of an instruction whose conditions hold: an obstacle, a scene, or devices."""
    view = situation.view
    if found := hindrance(query, shortlist, view, situation.area):
        asked = asked_first(query, found.refusal, shortlist, situation)
        return asked or hindered(found, shortlist, situation)
    if scene := scene_of(shortlist, view):
        return scene_run(scene, view)
    rows = scored(query, shortlist, view, situation.snapshot, situation.habits)
    if not rows:
        came = nothing_found(query, shortlist, situation)
        return (came.refused and asked_first(query, came.refused[0], shortlist, situation)) or came
    if query.things.where:
        return _of_those(query, shortlist, rows, before, situation)
    return _chosen(query, shortlist, rows, before, situation)


def _of_those(
    query: QueryIR, shortlist: HomeShortlist, rows: Sequence[Scored], before: Sentence, situation: Situation
) -> Outcome:
    """``the lights that are on``: all that are so are meant, for nobody says of one which it is."""
    query = replace(query, quantifier=Quantifier.ALL)
    meant = gate(query, rows, situation.view, situation.area)
    held = holding(meant.chosen, query.things.where, shortlist.candidates, situation)
    if not held.rows:
        untold = [Refusal("unknown_condition", {"condition": j.text}) for j in held.told if j.holds is None]
        return Outcome(refused=tuple(untold[:1]), judged=held.told)
    done = _chosen(query, shortlist, held.rows, before, situation)
    return replace(done, judged=held.told, uncovered=(*done.uncovered, *held.unknown))


def _chosen(
    query: QueryIR, shortlist: HomeShortlist, rows: Sequence[Scored], before: Sentence, situation: Situation
) -> Outcome:
    """What those come to who may be meant: a question, a refusal, or they do what they can."""
    view = situation.view
    if shortlist.uncounted:
        return uncounted(query, rows, shortlist.uncounted, situation)
    gated = playing(query, gate(query, rows, view, situation.area), rows, view, situation.snapshot)
    if gated.refusal:
        asked = asked_first(query, gated.refusal, shortlist, situation)
        return asked or refused(query, naming_near(gated.refusal, shortlist, view), before)
    if gated.tied:
        return which_of(query, gated.tied, situation)
    if asked := which_mode(query, gated.chosen, situation):
        return asked
    # One thing does what it can; a set has to do one thing.
    what = Settled(gated.chosen)
    if gated.bulk:
        what = settled(query, gated.chosen, shortlist.candidates, view, situation.snapshot, situation.limits)
    if what.options:
        return which_act(what.options, situation)
    return carried_out(query, gated, what, before)
