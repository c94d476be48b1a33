"""Why an instruction is not carried out: refused, or asked about first."""

from __future__ import annotations

from collections.abc import Sequence

from winnow.decide.clarify import question
from winnow.decide.hindrance import Hindrance
from winnow.decide.near import naming_near
from winnow.decide.outcome import Doubt, Outcome, Sentence, danger_of
from winnow.decide.score import Scored
from winnow.decide.situation import Situation
from winnow.decide.which_act import SPECIFIC, representatives, which_action
from winnow.say.messages import message
from winnow.say.telling import placed_name
from winnow.types.home_shortlist import HomeShortlist
from winnow.types.query import QueryIR
from winnow.types.verdict import Clarify, Option, Refusal


def hindered(found: Hindrance, shortlist: HomeShortlist, situation: Situation) -> Outcome:
    """What stands against it, or the question that would clear it away."""
    if found.asks:
        ask = Clarify(message(f"which_{found.asks}", situation.language), (), found.asks)
        return Outcome(doubt=Doubt(ask, found.refusal))
    return Outcome(refused=(naming_near(found.refusal, shortlist, situation.view),), spoilt=found.spoils)


def nothing_found(query: QueryIR, shortlist: HomeShortlist, situation: Situation) -> Outcome:
    """Nothing was named, which is asked about, or what was named is not there."""
    if not query.target.tokens:
        ask = Clarify(message("which_one", situation.language), (), "one")
        return Outcome(doubt=Doubt(ask, Refusal("not_understood")))
    absent = next((t for t in query.target.tokens if t.kind == "room" and not t.refs), None)
    if absent:
        return Outcome(refused=(Refusal("no_room", {"what": absent.text}),))
    if spared := _spared(query, shortlist):
        return Outcome(refused=(Refusal("unplaced", {"words": spared}),))
    refusal = Refusal("no_device", {"what": query.target.text})
    return Outcome(refused=(naming_near(refusal, shortlist, situation.view),), spoilt=_is_strange(query))


def _is_strange(query: QueryIR) -> bool:
    """Whether a word nobody knows was said of what is meant: who knows what it makes of the sentence."""
    return any(t.kind == "word" for t in query.target.tokens)


def _spared(query: QueryIR, shortlist: HomeShortlist) -> str:
    """The words of an exception that left nothing: an unknown one in it (``the piano lamp``) is to blame."""
    begins = next((n for n, t in enumerate(query.tokens) if t.kind == "except"), None)
    if begins is None or not any(d.stage == "exclude" for d in shortlist.dropped):
        return ""
    return " ".join(t.text for t in query.tokens[begins + 1 :] if t.kind not in {"filler", "mark"})


def refused(query: QueryIR, refusal: Refusal, before: Sentence) -> Outcome:
    """The refusal, told once of a thing that was named once for two orders."""
    if query.inherited and refusal in before.refused:
        return Outcome()
    return Outcome(refused=(refusal,), spoilt=refusal.code == "no_device" and _is_strange(query))


def which_of(query: QueryIR, tied: Sequence[Scored], situation: Situation) -> Outcome:
    """The question which of the devices is meant; that of one is no question: more of them were said.

    Nothing is asked about what only ``it`` stands for, with nothing spoken of and no room to tell.
    """
    if query.ambient and not (situation.area or query.scope_include):
        return Outcome(refused=(Refusal("no_reference", {"what": query.ambient}),))
    devices = [s.device for s in tied]
    if len(devices) < 2:
        name = placed_name(devices[0].id, situation.view, situation.language)
        code = "too_few" if query.count else "not_understood"
        return Outcome(refused=(Refusal(code, {"name": name}, (devices[0].id,)),))
    names = ", ".join(d.name for d in devices[:3])
    refusal = Refusal("ambiguous", {"names": names}, tuple(d.id for d in devices))
    ask = question(query, devices, situation.view, situation.language)
    return Outcome(doubt=Doubt(ask, refusal, grave=any(danger_of(s, query) for s in tied)))


def uncounted(query: QueryIR, rows: Sequence[Scored], word: str, situation: Situation) -> Outcome:
    """``the second lamp`` where nothing numbers them: which one, if there are several that can do it."""
    able = [s for s in rows if s.able and not s.unexplained]
    if len(able) > 1:
        return which_of(query, able, situation)
    return Outcome(refused=(Refusal("unplaced", {"words": word}),))


def which_act(acts: Sequence[Option], situation: Situation) -> Outcome:
    """What to do is asked once; then some of the devices that may be meant are named, and nothing is done."""
    refusal = Refusal("be_specific", {}, representatives(acts, situation.limits.representatives))
    if situation.clarified:
        return Outcome(refused=(refusal,), hints=(SPECIFIC,))
    return Outcome(doubt=Doubt(which_action(acts, situation.language), refusal))
