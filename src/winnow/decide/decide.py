"""Shortlists -> Verdict: pure, no I/O. When in doubt nothing is done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from winnow.decide.arming import which_mode
from winnow.decide.blocked import blocked
from winnow.decide.bulk import Settled, settled
from winnow.decide.deeds import carried_out, scene_run
from winnow.decide.gate import gate
from winnow.decide.hindrance import hindrance, scene_of
from winnow.decide.holding import holding
from winnow.decide.limits import LIMITS, Limits
from winnow.decide.near import naming_near
from winnow.decide.not_done import hindered, nothing_found, refused, uncounted, which_act, which_of
from winnow.decide.outcome import Outcome, Sentence
from winnow.decide.plan_checks import Step, checked
from winnow.decide.playing import playing
from winnow.decide.premises import placed, premises
from winnow.decide.reads import reads_for
from winnow.decide.ruled import ruled
from winnow.decide.score import Scored, scored
from winnow.decide.situation import Situation
from winnow.decide.verdict import verdict
from winnow.decide.weak import asked_first
from winnow.types.dialogue import Utterance
from winnow.types.home_shortlist import HomeShortlist
from winnow.types.query import Quantifier, QueryIR, Reading
from winnow.types.state import Snapshot
from winnow.types.verdict import Nothing, Query, Refusal, Verdict
from winnow.types.view import HomeView


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
    """What it comes to: something hinders it, it runs a scene, or devices are meant."""
    view = situation.view
    if found := hindrance(query, shortlist, view, situation.area):
        asked = asked_first(query, found.refusal, shortlist, situation)
        return asked or hindered(found, shortlist, situation)
    if scene := scene_of(shortlist, view):
        return scene_run(scene, view)
    return _weighed(query, shortlist, before, situation)


def _weighed(query: QueryIR, shortlist: HomeShortlist, before: Sentence, situation: Situation) -> Outcome:
    """What those come to who may be meant, of whom something may have been said."""
    view = situation.view
    rows = scored(query, shortlist, view, situation.snapshot, situation.habits)
    if not rows:
        came = nothing_found(query, shortlist, situation)
        return (came.refused and asked_first(query, came.refused[0], shortlist, situation)) or came
    if query.things.where:
        # What comes to those that are as was said: to all of them, for nobody says of one which it is
        meant = gate(replace(query, quantifier=Quantifier.ALL), rows, situation.view, situation.area)
        held = holding(meant.chosen, query.things.where, shortlist.candidates, situation)
        if not held.rows:
            untold = [
                Refusal("unknown_condition", {"condition": j.text}) for j in held.told if j.holds is None
            ]
            return Outcome(refused=tuple(untold[:1]), judged=held.told)
        query = replace(query, quantifier=Quantifier.ALL)
        done = _chosen(query, shortlist, held.rows, before, situation)
        return replace(done, judged=held.told, uncovered=(*done.uncovered, *held.unknown))
    return _chosen(query, shortlist, rows, before, situation)


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
    # What those who are meant are to do
    if not gated.bulk:
        what = Settled(gated.chosen)
    else:
        candidates, limits = shortlist.candidates, situation.limits
        what = settled(query, gated.chosen, candidates, situation.view, situation.snapshot, limits)
    if what.options:
        return which_act(what.options, situation)
    return carried_out(query, gated, what, before)
