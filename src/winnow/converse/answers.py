"""What was answered to one of our questions: which devices, yes, no, or nothing clear.

What words say to a question is read in ``language.answers``; here the question is put as that reads it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from winnow.language.answers import ClosedQuestion, Meaning, meaning
from winnow.language.normalise import normalise
from winnow.types.briefing import Retrieval
from winnow.types.catalog import Device, Scene
from winnow.types.verdict import Clarify, Confirm, Option, Verdict
from winnow.types.view import HomeView


@dataclass(frozen=True, slots=True)
class Answer:
    """``some``: the devices of the chosen options, or those of a confirmation that are agreed to.

    ``among``: those left, and it is still open which of them. ``unclear``: no answer to this question.
    """

    kind: Literal["some", "among", "yes", "no", "unclear"]
    device_ids: tuple[str, ...] = ()
    label: str = ""
    """What was chosen, or the words as said."""
    capability: str = ""
    """What would be done, where that was the question and one option was chosen."""


def answer_to(asked: Retrieval, choice: int | str, view: HomeView) -> Answer:
    """What ``choice`` says to the question of ``asked``.

    ``choice``: an option's index from 0, a bool for a confirmation, or words.
    """
    if isinstance(choice, str):
        question = closed_question(asked, view)
        meant = meaning(choice, question) if question else None
        return _worded(asked.verdict, meant, view, choice)
    match asked.verdict:
        case Confirm() if isinstance(choice, bool):
            return Answer("yes", label="yes") if choice else Answer("no", label="no")
        case Clarify(options=options) if not isinstance(choice, bool) and 0 <= choice < len(options):
            return _some([options[choice]])
    return Answer("unclear", label=str(choice))


def _worded(verdict: Verdict, meant: Meaning | None, view: HomeView, words: str) -> Answer:
    """The devices that words leave; of a confirmation only where the question names them all."""
    if meant is None or meant.kind == "doubtful":
        return Answer("unclear", label=words)
    if meant.kind not in {"some", "among"}:
        return Answer(meant.kind, label=words)
    if isinstance(verdict, Clarify):
        left = _some([_answerable(verdict, view)[n] for n in meant.options])
        return left if meant.kind == "some" else Answer("among", left.device_ids, words)
    assert isinstance(verdict, Confirm)
    named = list(_named_in(verdict, view))
    if len(named) < len(_asked_about(verdict)):
        return Answer("unclear", label=words)
    return Answer("some", tuple(named[n] for n in meant.options), words)


def _answerable(asked: Clarify, view: HomeView) -> tuple[Option, ...]:
    """The options, and those that were not offered but may be named."""
    return (*asked.options, *(Option(view.devices[i].name, (i,)) for i in asked.more))


def closed_question(asked: Retrieval, view: HomeView) -> ClosedQuestion | None:
    """The question of ``asked`` for whoever reads an answer to it; None where it asked none."""
    request = asked.reading.text
    acts = frozenset(query.action for query in asked.reading.queries if query.action)
    match asked.verdict:
        case Confirm() as question:
            names = tuple(_named_in(question, view).values())
            things: tuple[Device | Scene, ...] = (*view.home.devices, *view.home.scenes)
            others = [thing for thing in things if thing.id not in _asked_about(question)]
            elsewhere = frozenset(normalise(n) for x in others for n in (x.name, *x.aliases))
            return ClosedQuestion("confirm", request, names, acts, elsewhere=elsewhere)
        case Clarify() as question:
            options = _answerable(question, view)
            names = tuple((normalise(o.label), *_names(o.device_ids, view)) for o in options)
            return ClosedQuestion("choose", request, names, acts, len(question.options))
    return None


def _some(options: Sequence[Option]) -> Answer:
    ids = tuple(dict.fromkeys(i for option in options for i in option.device_ids))
    capability = options[0].capability if len(options) == 1 else ""
    return Answer("some", ids, ", ".join(dict.fromkeys(option.label for option in options)), capability)


def _asked_about(asked: Confirm) -> tuple[str, ...]:
    """What a yes would be said to: devices and scenes, each once."""
    return tuple(dict.fromkeys(call.device_id for call in asked.proposed))


def _named_in(asked: Confirm, view: HomeView) -> dict[str, tuple[str, ...]]:
    """Each thing that the question calls by its name -> all its names."""
    text = normalise(asked.question)
    called = {i: _names((i,), view) for i in _asked_about(asked)}
    return {i: names for i, names in called.items() if names and names[0] in text}


def _names(device_ids: Sequence[str], view: HomeView) -> tuple[str, ...]:
    """All that the devices are called by: names, then those of their rooms and floors."""
    out: list[str] = []
    for device_id in device_ids:
        thing = view.devices.get(device_id) or view.scenes.get(device_id)
        for named in (thing, view.room(device_id), view.floor(device_id)):
            out += [named.name, *named.aliases] if named else []
    return tuple(map(normalise, out))
