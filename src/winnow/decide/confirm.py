"""The rules about danger, and the question before what is dangerous, too much or only guessed (law 7)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from winnow.act.effects.thing import command_of
from winnow.act.effects.words import to_do
from winnow.decide.outcome import TOO_MANY, DecisionContext, PlannedCall, SentenceOutcome
from winnow.decide.score import CARRIER_KINDS, COOKING_KINDS, THING_DANGER, call_risk
from winnow.language.messages import MessageText, message
from winnow.language.naming import placed_name
from winnow.language.registry import LANGUAGES
from winnow.types.home import HomeView
from winnow.types.plan import DangerRule, Rules
from winnow.types.utterance import LanguageCode
from winnow.types.verdict import Call, Refusal

DANGER_MESSAGES = {
    "unlock": "confirm_unlock",
    "open_door": "confirm_open_door",
    "open_valve": "confirm_open_valve",
    "alarm": "confirm_siren",
    "disarm": "confirm_disarm",
    "heat": "confirm_heater",
    THING_DANGER: "confirm_thing",
}
"""Risk -> the message that names it."""
MAX_NAMED_IN_QUESTION = 5
"""Things named of what is done beside the danger, or was only guessed; of more it is told how many."""


@dataclass(frozen=True, slots=True)
class ConfirmationContent:
    """What one question is about: a yes does all of ``deeds``."""

    deeds: Sequence[PlannedCall]
    excess: int = 0
    """How many devices that are too many for one order; 0 where they are not."""
    guess: str = ""
    """What a model took the words for, if it had to."""
    uncertain_calls: Sequence[PlannedCall] = ()
    """Those of which it is not sure that their thing is meant."""
    island: bool = False
    """Whether words around the order were not understood: the question names all that would be done."""

    @property
    def plain_code(self) -> str:
        """The message about what is not dangerous: the question itself, or what is done beside it."""
        return "confirm_island" if self.island else "confirm_along"


def confirmation_text(about: ConfirmationContent, view: HomeView, language: LanguageCode) -> str:
    """The question that names how many devices are too many, what was guessed, and every danger.

    What is done along with the dangers is named before them.
    """
    deeds = about.deeds
    dangers = dict.fromkeys(d.danger for d in deeds)
    asked = [
        *_harmless_questions(about, view, language),
        *(_danger_question(d, deeds, view, language) for d in dangers),
    ]
    return " ".join(filter(None, asked))


def _harmless_questions(about: ConfirmationContent, view: HomeView, language: LanguageCode) -> Iterator[str]:
    """What is asked beside the dangers: are these not too many, was it understood, is this the thing."""
    deeds, many = about.deeds, about.excess
    plain = [d for d in deeds if not d.danger and d not in about.uncertain_calls]
    if many:
        yield _acts_message(TOO_MANY, deeds, view, language, many)
    if about.guess:
        yield message("confirm_guess", language, said=about.guess, names=_device_names(deeds, view, language))
    elif plain and not many:
        yield _acts_message(about.plain_code, plain, view, language)
    if about.uncertain_calls:
        yield message("confirm_meant", language, names=_device_names(about.uncertain_calls, view, language))


def _acts_message(
    code: str, deeds: Sequence[PlannedCall], view: HomeView, language: LanguageCode, count: int = 0
) -> str:
    """What is done to how many of which kind, and of many the first by name."""
    acts = MessageText(_acts_text([d.call for d in deeds], view, language))
    names = _device_names(deeds, view, language) if len(deeds) > MAX_NAMED_IN_QUESTION else []
    return message(code, language, count=count or None, acts=acts, names=names)


def _acts_text(
    calls: Sequence[Call], view: HomeView, language: LanguageCode, most: int = MAX_NAMED_IN_QUESTION
) -> str:
    """What is done to what, every act of it."""
    return LANGUAGES[language].act_mark.join(to_do(calls, view, language, most))


def _danger_question(
    danger: str, deeds: Sequence[PlannedCall], view: HomeView, language: LanguageCode
) -> str:
    """The question about one danger, with the name of everything that bears it."""
    bearing = [d.call for d in deeds if danger and d.danger == danger]
    ids = list(dict.fromkeys(call.device_id for call in bearing))
    if danger == THING_DANGER:
        acts = _acts_text(bearing, view, language, len(ids))
        return message(DANGER_MESSAGES[danger], language, act=MessageText(acts))
    if len(ids) > 1:
        names = [placed_name(i, view, language) for i in ids]
        return message(DANGER_MESSAGES[danger], language, name=names)
    return _single_danger_question(danger, ids[0], view, language) if ids else ""


def _single_danger_question(danger: str, device_id: str, view: HomeView, language: LanguageCode) -> str:
    """The question about the danger of one thing."""
    device, room = view.devices[device_id], view.room(device_id)
    # What gets hot and heats no room is asked about as an oven: a kettle, what hangs on a plug.
    is_oven = not COOKING_KINDS.isdisjoint(device.kinds) or not CARRIER_KINDS.isdisjoint(device.kinds[:1])
    code = "confirm_oven" if danger == "heat" and is_oven else DANGER_MESSAGES[danger]
    return message(code, language, name=device.name, room=room.name if room else None)


def _device_names(deeds: Sequence[PlannedCall], view: HomeView, language: LanguageCode) -> list[str]:
    """The things these are done to, with their rooms; of many the first, and how many more there are."""
    ids = list(dict.fromkeys(d.call.device_id for d in deeds))
    names = [placed_name(i, view, language) for i in ids[:MAX_NAMED_IN_QUESTION]]
    more = len(ids) - len(names)
    return [*names, message("more", language, count=more)] if more else names


# What is done about danger where a person set it: a yes first, done like anything else, or never done.


def apply_rules(sentence: SentenceOutcome, situation: DecisionContext) -> SentenceOutcome:
    """The sentence without what is never done, which is told; of the rest it is known what wants a yes."""
    parts = []
    for part in sentence.parts:
        kept, never = split_forbidden(part.calls, situation.limits.rules, situation.view)
        is_same = not never and kept == part.calls
        parts.append(part if is_same else replace(part, calls=kept, refused=(*part.refused, *never)))
    return SentenceOutcome(tuple(parts))


def rule_answer(thing_id: str, danger: str, rules: Rules, view: HomeView) -> DangerRule | None:
    """What is done about that danger of that device or scene; None where nothing is dangerous.

    ``never`` wins over everything else, then what is said of the thing, then what is said of the danger.
    """
    thing = view.devices.get(thing_id) or view.scenes.get(thing_id)
    names = dict.fromkeys((thing_id, thing.name if thing else thing_id))
    told = [rules.things[name] for name in names if name in rules.things]
    general = rules.dangers.get(danger, "ask") if danger else None
    if "never" in (*told, general):
        return "never"
    if told:
        return "ask" if "ask" in told else "allow"
    return general


def forbidden_refusal(thing_id: str, danger: str, view: HomeView) -> Refusal:
    """Why it is not done, naming the thing and the danger."""
    thing = view.devices.get(thing_id) or view.scenes.get(thing_id)
    name = thing.name if thing else thing_id
    return Refusal("not_allowed", {"name": name, "danger": danger or THING_DANGER}, (thing_id,))


def split_forbidden(
    deeds: Sequence[PlannedCall], rules: Rules, view: HomeView
) -> tuple[tuple[PlannedCall, ...], tuple[Refusal, ...]]:
    """The deeds that may be done, each with the danger that is asked about, and why the others never are."""
    kept, never = [], []
    for deed in deeds:
        thing = deed.call.device_id
        answer = rule_answer(thing, deed.danger, rules, view)
        if answer == "never":
            never.append(forbidden_refusal(thing, deed.danger, view))
        else:
            # Nothing is asked where a person allowed it.
            danger = (deed.danger or THING_DANGER) if answer == "ask" else ""
            kept.append(deed if danger == deed.danger else replace(deed, danger=danger))
    return tuple(kept), tuple(never)


# What has to be asked before calls that no sentence led to, and what of them is never done.


@dataclass(frozen=True, slots=True)
class CallReview:
    """The question, empty where there is none, and what is never done."""

    question: str = ""
    forbidden: tuple[Refusal, ...] = ()


def review_calls(calls: Sequence[Call], rules: Rules, view: HomeView, language: LanguageCode) -> CallReview:
    """What has to be asked before these are carried out in that home."""
    found = []
    for call in calls:
        device = view.devices.get(call.device_id)
        command = command_of(call, view.profile(call.device_id)) if device else None
        danger = call_risk(command, device, call) if device and command else ""
        found.append(PlannedCall(call, command, danger=danger))
    deeds, never = split_forbidden(found, rules, view)
    risky = any(d.danger for d in deeds)
    return CallReview(confirmation_text(ConfirmationContent(deeds), view, language) if risky else "", never)
