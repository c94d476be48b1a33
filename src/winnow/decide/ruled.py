"""What is done about danger where a person set it: a yes first, done like anything else, or never done."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from winnow.decide.outcome import Deed, Outcome, Sentence
from winnow.decide.risk import THING, risk
from winnow.decide.situation import Situation
from winnow.effects import command_of
from winnow.types.acting import Answer, Rules
from winnow.types.verdict import Call, Refusal
from winnow.types.view import HomeView


def ruled(sentence: Sentence, situation: Situation) -> Sentence:
    """The sentence without what is never done, which is told; of the rest it is known what wants a yes."""
    return Sentence(tuple(_ruled(part, situation) for part in sentence.parts))


def ruled_call(
    call: Call, rules: Rules, view: HomeView, said: Collection[str] = ()
) -> tuple[str, Answer | None]:
    """The danger of a call (empty: none), and what is done about it (None: it is done like anything else).

    ``said`` are the kinds that were named.
    """
    device = view.devices.get(call.device_id)
    command = command_of(call, view.profile(call.device_id)) if device else None
    danger = risk(command, device, call, said) if device and command else ""
    answer = answer_for(call.device_id, danger, rules, view)
    return (danger or THING if answer else danger), (None if answer == "allow" else answer)


def answer_for(thing_id: str, danger: str, rules: Rules, view: HomeView) -> Answer | None:
    """What is done about that danger of that device or scene; None where nothing is dangerous.

    ``never`` wins over everything else, then what is said of the thing, then what is said of the danger.
    """
    told = tuple(_of_thing(thing_id, rules, view))
    general = rules.dangers.get(danger, "ask") if danger else None
    if "never" in (*told, general):
        return "never"
    if told:
        return "ask" if "ask" in told else "allow"
    return general


def never_done(thing_id: str, danger: str, view: HomeView) -> Refusal:
    """Why it is not done, naming the thing and the danger."""
    thing = view.devices.get(thing_id) or view.scenes.get(thing_id)
    name = thing.name if thing else thing_id
    return Refusal("not_allowed", {"name": name, "danger": danger or THING}, (thing_id,))


def _of_thing(thing_id: str, rules: Rules, view: HomeView) -> Iterator[Answer]:
    """What is said of a device or scene, by its id and by its exact name."""
    thing = view.devices.get(thing_id) or view.scenes.get(thing_id)
    for name in dict.fromkeys((thing_id, thing.name if thing else thing_id)):
        if name in rules.things:
            yield rules.things[name]


def kept_and_never(
    deeds: Sequence[Deed], rules: Rules, view: HomeView
) -> tuple[tuple[Deed, ...], tuple[Refusal, ...]]:
    """The deeds that may be done, each with the danger that is asked about, and why the others never are."""
    answers = [(deed, answer_for(deed.call.device_id, deed.danger, rules, view)) for deed in deeds]
    kept = tuple(_marked(deed, answer) for deed, answer in answers if answer != "never")
    return kept, tuple(never_done(d.call.device_id, d.danger, view) for d, a in answers if a == "never")


def _ruled(part: Outcome, situation: Situation) -> Outcome:
    """One instruction under the rules."""
    kept, never = kept_and_never(part.deeds, situation.limits.rules, situation.view)
    return replace(part, deeds=kept, refused=(*part.refused, *never)) if part.deeds else part


def _marked(deed: Deed, answer: Answer | None) -> Deed:
    """The deed with the danger that is asked about; with none, where a person allowed it."""
    return replace(deed, danger=(deed.danger or THING) if answer == "ask" else "")
