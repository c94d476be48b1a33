"""The outcomes of instructions that are not carried out: refused, or asked about first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from winnow.decide.clarify import (
    ABSENCE_CODES,
    BE_SPECIFIC,
    act_question,
    device_question,
    representatives,
    with_near_matches,
)
from winnow.decide.confirm import forbidden_refusal, rule_answer
from winnow.decide.gate import MAX_DEVICES_ASKED
from winnow.decide.outcome import (
    DecisionContext,
    InstructionOutcome,
    OutcomeQuestion,
    PlannedCall,
    SentenceOutcome,
    danger_of,
)
from winnow.decide.score import ScoredDevice, score_devices
from winnow.language.content_words import STOPPING
from winnow.language.kinds import mode_name, mode_of_command
from winnow.language.messages import message
from winnow.language.naming import placed_name
from winnow.types.candidate import HomeShortlist
from winnow.types.home import Command, Device, HomeView
from winnow.types.query import (
    PLACE_KINDS,
    Quantifier,
    QueryIR,
    Reading,
    Token,
    has_kind,
    of_kind,
    without_kind,
)
from winnow.types.utterance import LanguageCode
from winnow.types.verdict import Clarify, Nothing, Option, Refusal, Refuse

# Why an instruction is not decided any further, found before any device is scored (law 1)

# What the program cannot judge: times, events, and conditions that nothing reads (law 1).


DURATION_UNITS = frozenset({"second", "minute", "hour", "day"})
LASTING_KINDS = frozenset({"media", "interval"})
"""Properties that a length of time is a value of: how far to skip in a song, how often to report."""


def blocking_verdict(reading: Reading) -> Nothing | Refuse | None:
    """Why nothing of a sentence is looked at, or None.

    Acting now on what was said of later is worse than not acting, so one such word stops the whole sentence.
    """
    tokens = [t for q in reading.queries for t in q.tokens]
    if _is_timer(tokens):
        return Nothing("timer")
    if when := _time_word(reading.queries, tokens):
        refusal = Refusal("time_trigger", {"condition": when.text})
        return Refuse((refusal,), message("time_trigger", reading.language))
    # Whether the words make a condition that was not read as one
    kinds = {t.kind for t in tokens}
    if "condition" in kinds or ("compare" in kinds and not any(q.conditions for q in reading.queries)):
        return Refuse((Refusal("unknown_condition"),), message("unknown_condition", reading.language))
    return None


def _is_timer(tokens: Sequence[Token]) -> bool:
    """``5分钟后``, ``in ten minutes``: a task for a timer."""
    later = any((t.text == "in" and t.kind != "part") or t.means("timing", "after") for t in tokens)
    return later and any(t.data.get("unit") in DURATION_UNITS for t in tokens)


def _time_word(queries: Sequence[QueryIR], tokens: Sequence[Token]) -> Token | None:
    """The first word for when it is to be done, or for how long."""
    at = (t for t in tokens if t.kind == "timing" or t.data.get("unit") == "clock")
    lasting = (
        t
        for q in queries
        for t in q.tokens
        if t.data.get("unit") in DURATION_UNITS and not _is_value_of(t, q)
    )
    return next(at, None) or next(lasting, None)


def _is_value_of(duration: Token, query: QueryIR) -> bool:
    """Whether a length of time is the setting itself, as of ``set the hold time to 30 minutes``."""
    value = query.value
    is_set = value is not None and (
        value.unit in DURATION_UNITS or value.number == duration.data.get("value")
    )
    return is_set or query.property in LASTING_KINDS


@dataclass(frozen=True, slots=True)
class Obstacle:
    """What stands against an instruction."""

    refusal: Refusal
    blocks_sentence: bool = False
    """Whether it spoils the whole sentence: a part that names something of the home was not understood."""
    asks: str = ""
    """The message of the question that would help, if one would."""


def find_obstacle(
    query: QueryIR, shortlist: HomeShortlist, view: HomeView, area: str | None
) -> Obstacle | None:
    """What stands against ``query``, or None."""
    # Words that nothing explains: what they would have changed is not known.
    if shortlist.unplaced:
        return Obstacle(Refusal("unplaced", {"words": " ".join(shortlist.unplaced)}))
    if query.unplaced:
        refusal = Refusal("unplaced", {"words": ", ".join(query.unplaced)})
        called = without_kind(query.target.tokens, *PLACE_KINDS)
        strange = query.action_cluster and not without_kind(called, "word")
        # What is called only by words that nobody knows: the home has no such thing.
        if strange and set(query.unplaced) <= {t.text for t in called}:
            refusal = Refusal("no_device", {"what": query.target.text})
        return Obstacle(refusal, blocks_sentence=True)
    if scene := scene_of(shortlist, view):
        return _scene_obstacle(query, scene, view)
    return _missing_parts(query, shortlist, area)


def scene_of(shortlist: HomeShortlist, view: HomeView) -> str | None:
    """The scene that is meant, if one is."""
    return next((i for c in shortlist.candidates if (i := c.ref.id) in view.scenes), None)


def _scene_obstacle(query: QueryIR, scene: str, view: HomeView) -> Obstacle | None:
    """A scene is only run, and not in part; what is said of one (``派对模式很吵``) asks for nothing."""
    if query.action in STOPPING | {"pause"}:
        return Obstacle(Refusal("no_ability", {"name": view.scenes[scene].name}, (scene,)))
    strange = [t.text for t in of_kind(query.target.tokens, "word")]
    is_remark = not query.action and has_kind(query.tokens, "word", "comment")
    words = strange or [m.text for m in query.exclusions]
    if not (words or is_remark):
        return None
    return Obstacle(Refusal("unplaced", {"words": " ".join(words)}), blocks_sentence=True)


def _missing_parts(query: QueryIR, shortlist: HomeShortlist, area: str | None) -> Obstacle | None:
    """What an order lacks. A scene needs nothing: its name is the order."""
    if _excepts_from_nothing(query):
        return Obstacle(Refusal("not_understood", {"what": query.raw}))
    if _points_nowhere(query, shortlist):
        return Obstacle(Refusal("no_reference", {"what": query.references[0].text}))
    if query.action == "set" and query.value is None:
        named = {"name": query.target.text} if query.target.text else {}
        return Obstacle(Refusal("value_missing", named), asks="value")
    if not query.action_cluster:
        return Obstacle(Refusal("not_understood", {"what": query.target.text or query.raw}))
    if _plays_nowhere(query, area):
        return Obstacle(Refusal("no_device"))
    if _changes_a_place(query):
        return Obstacle(Refusal("not_understood", {"what": query.raw}))
    return None


def _changes_a_place(query: QueryIR) -> bool:
    """``bring down the house``: more or less of nothing that was said, in a place."""
    if query.value is None or query.value.kind != "relative" or query.property or query.value.unit:
        return False
    return bool(query.target.tokens) and not without_kind(query.target.tokens, *PLACE_KINDS)


def _excepts_from_nothing(query: QueryIR) -> bool:
    """``play leave the light on``: what is left out, of nothing that was named."""
    said = query.target.tokens or query.references or query.antecedents or query.conditions
    return query.quantifier is Quantifier.EXCEPT and not said


def _points_nowhere(query: QueryIR, shortlist: HomeShortlist) -> bool:
    """Whether ``it`` has nothing to stand for; a kind that was only implied is nothing named."""
    if not query.references or query.antecedents:
        return False
    named = any(not t.data.get("implied") for t in query.target.things)
    return not named and (bool(query.target.things) or not shortlist.candidates)


def _plays_nowhere(query: QueryIR, area: str | None) -> bool:
    """``放首歌`` said from nowhere: every player of the home would do, which is no answer."""
    return query.property == "media" and not query.target.tokens and area is None


# An alarm is armed in a mode: where none was said, which one is asked.


ARM_ACTION = "Alarm.Arm"


def arming_outcome(
    query: QueryIR, chosen: Sequence[ScoredDevice], situation: DecisionContext
) -> InstructionOutcome | None:
    """The question in which of its modes an alarm is to be armed; None where that is said or no question."""
    panel = next(
        (s.device for s in chosen if s.fit.command is not None and s.fit.command.trait == ARM_ACTION), None
    )
    if panel is None or query.value is not None:
        return None
    modes = _arming_modes(situation.view.profile(panel.id).commands)
    ruled = rule_answer(panel.id, "arm", situation.limits.rules, situation.view)
    if len(modes) < 2 or ruled == "allow":
        return None
    if ruled == "never":
        return InstructionOutcome(refused=(forbidden_refusal(panel.id, "arm", situation.view),))
    ask = _arming_question(panel, modes, situation.language)
    return InstructionOutcome(doubt=OutcomeQuestion(ask, Refusal("value_missing")))


def _arming_question(panel: Device, modes: Mapping[str, Command], language: LanguageCode) -> Clarify:
    options = tuple(Option(mode_name(m, language), (panel.id,), c.id) for m, c in modes.items())
    text = message("which_mode", language, name=panel.name, options=[o.label for o in options])
    return Clarify(text, options, "mode")


def _arming_modes(commands: Sequence[Command]) -> dict[str, Command]:
    """The modes of the commands that arm, in their order."""
    return {mode: c for c in commands if c.trait == ARM_ACTION and (mode := mode_of_command(c.id))}


def obstacle_outcome(
    found: Obstacle, shortlist: HomeShortlist, situation: DecisionContext
) -> InstructionOutcome:
    """What stands against it, or the question that would clear it away."""
    if found.asks:
        ask = Clarify(message(f"which_{found.asks}", situation.language), (), found.asks)
        return InstructionOutcome(doubt=OutcomeQuestion(ask, found.refusal))
    return InstructionOutcome(
        refused=(with_near_matches(found.refusal, shortlist, situation.view),),
        blocks_sentence=found.blocks_sentence,
    )


def not_found_outcome(
    query: QueryIR, shortlist: HomeShortlist, situation: DecisionContext
) -> InstructionOutcome:
    """Nothing was named, which is asked about, or what was named is not there."""
    if not query.target.tokens:
        ask = Clarify(message("which_one", situation.language), (), "one")
        return InstructionOutcome(doubt=OutcomeQuestion(ask, Refusal("not_understood")))
    absent = next((t for t in of_kind(query.target.tokens, "room") if not t.refs), None)
    if absent:
        return InstructionOutcome(refused=(Refusal("no_room", {"what": absent.text}),))
    if spared := _exception_words(query, shortlist):
        return InstructionOutcome(refused=(Refusal("unplaced", {"words": spared}),))
    refusal = Refusal("no_device", {"what": query.target.text})
    return InstructionOutcome(
        refused=(with_near_matches(refusal, shortlist, situation.view),),
        blocks_sentence=has_kind(query.target.tokens, "word"),
    )


def _exception_words(query: QueryIR, shortlist: HomeShortlist) -> str:
    """The words of an exception that left nothing: an unknown one in it (``the piano lamp``) is to blame."""
    begins = next((n for n, t in enumerate(query.tokens) if t.kind == "except"), None)
    if begins is None or not any(d.stage == "exclude" for d in shortlist.dropped):
        return ""
    return " ".join(t.text for t in without_kind(query.tokens[begins + 1 :], "filler", "mark"))


def refusal_outcome(query: QueryIR, refusal: Refusal, before: SentenceOutcome) -> InstructionOutcome:
    """The refusal, told once of a thing that was named once for two orders."""
    if query.inherited and refusal in before.refusals:
        return InstructionOutcome()
    return InstructionOutcome(
        refused=(refusal,),
        blocks_sentence=refusal.code == "no_device" and has_kind(query.target.tokens, "word"),
    )


def device_question_outcome(
    query: QueryIR, tied: Sequence[ScoredDevice], situation: DecisionContext
) -> InstructionOutcome:
    """The question which of the devices is meant; that of one is no question: more of them were said.

    Nothing is asked about what only ``it`` stands for, with nothing spoken of and no room to tell.
    """
    if query.ambient and not (situation.area or query.scope_include):
        return InstructionOutcome(refused=(Refusal("no_reference", {"what": query.ambient}),))
    devices = [s.device for s in tied]
    if len(devices) < 2:
        name = placed_name(devices[0].id, situation.view, situation.language)
        code = "too_few" if query.count else "not_understood"
        return InstructionOutcome(refused=(Refusal(code, {"name": name}, (devices[0].id,)),))
    names = ", ".join(d.name for d in devices[:3])
    refusal = Refusal("ambiguous", {"names": names}, tuple(d.id for d in devices))
    ask = device_question(query, devices, situation.view, situation.language)
    return InstructionOutcome(
        doubt=OutcomeQuestion(ask, refusal, grave=any(danger_of(s, query) for s in tied))
    )


def uncounted_outcome(
    query: QueryIR, rows: Sequence[ScoredDevice], word: str, situation: DecisionContext
) -> InstructionOutcome:
    """``the second lamp`` where nothing numbers them: which one, if there are several that can do it."""
    able = [s for s in rows if s.able and not s.unexplained]
    if len(able) > 1:
        return device_question_outcome(query, able, situation)
    return InstructionOutcome(refused=(Refusal("unplaced", {"words": word}),))


def act_question_outcome(acts: Sequence[Option], situation: DecisionContext) -> InstructionOutcome:
    """What to do is asked once; then some of the devices that may be meant are named, and nothing is done."""
    refusal = Refusal("be_specific", {}, representatives(acts, situation.limits.representatives))
    if situation.clarified:
        return InstructionOutcome(refused=(refusal,), hints=(BE_SPECIFIC,))
    return InstructionOutcome(doubt=OutcomeQuestion(act_question(acts, situation.language), refusal))


# What may be meant where not every word is known: one single question, or which of them.


NEAR_NAME_LANE = "slip"
"""The way of finding a thing by which something dangerous may be asked about."""


def weak_match_outcome(
    query: QueryIR, refusal: Refusal, shortlist: HomeShortlist, situation: DecisionContext
) -> InstructionOutcome | None:
    """In the place of a refusal of what the home does not have: the question that would help, if one would.

    Nothing is asked where a word beside those for the thing is not known either.
    """
    if not shortlist.weak or not _is_of_the_thing(query, refusal):
        return None
    rows = [s for s in _weak_candidates(query, shortlist, situation) if not _is_too_weak(s, query)]
    if not rows or len(rows) > MAX_DEVICES_ASKED:
        return None
    if len(rows) > 1:
        return device_question_outcome(query, rows, situation)
    row = rows[0]
    assert row.fit.call is not None
    words = " ".join(t.text for t in query.tokens)
    deed = PlannedCall(row.fit.call, row.fit.command, words, danger_of(row, query))
    return InstructionOutcome((deed,), done=query.tokens, uncertain_target=not situation.clarified)


def _weak_candidates(
    query: QueryIR, shortlist: HomeShortlist, situation: DecisionContext
) -> Sequence[ScoredDevice]:
    """Those that can do it and can be reached."""
    only = replace(shortlist, candidates=shortlist.weak)
    rows = score_devices(query, only, situation.view, situation.snapshot, situation.habits)
    return [s for s in rows if s.able and s.online]


def _is_too_weak(row: ScoredDevice, query: QueryIR) -> bool:
    """What is dangerous is asked about by its name, said or nearly said."""
    return bool(danger_of(row, query)) and NEAR_NAME_LANE not in row.lanes


def _is_of_the_thing(query: QueryIR, refusal: Refusal) -> bool:
    """Whether all that stands against it is that words for the thing are not known."""
    called = {t.text for t in query.target.tokens}
    return refusal.code in {*ABSENCE_CODES, "unplaced"} and set(query.unplaced) <= called
