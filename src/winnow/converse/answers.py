"""What was answered to one of our questions: which devices, yes, no, or nothing clear.

What words say to a question is read in ``language.answers``; here the question is put as that reads it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from winnow.language.answers import ClosedQuestion, meaning
from winnow.language.normalise import normalise
from winnow.types.briefing import Retrieval
from winnow.types.verdict import Clarify, Confirm, Option
from winnow.types.view import HomeView


@dataclass(frozen=True, slots=True)
class Answer:
    """``some``: the devices of the chosen options. ``unclear``: no answer to this question."""

    kind: Literal["some", "yes", "no", "unclear"]
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
        return _worded(asked, choice, view)
    match asked.verdict:
        case Confirm() if isinstance(choice, bool):
            return Answer("yes", label="yes") if choice else Answer("no", label="no")
        case Clarify(options=options) if not isinstance(choice, bool) and 0 <= choice < len(options):
            return _some([options[choice]])
    return Answer("unclear", label=str(choice))


def _worded(asked: Retrieval, words: str, view: HomeView) -> Answer:
    verdict, question = asked.verdict, closed_question(asked, view)
    meant = meaning(words, question) if question else None
    if meant is None or meant.kind == "doubtful":
        return Answer("unclear", label=words)
    if meant.kind == "some" and isinstance(verdict, Clarify):
        return _some([_answerable(verdict, view)[n] for n in meant.options])
    return Answer(meant.kind, label=words)


def _answerable(asked: Clarify, view: HomeView) -> tuple[Option, ...]:
    """The options, and those that were not offered but may be named."""
    return (*asked.options, *(Option(view.devices[i].name, (i,)) for i in asked.more))


def closed_question(asked: Retrieval, view: HomeView) -> ClosedQuestion | None:
    """The question of ``asked`` for whoever reads an answer to it; None where it asked none."""
    request = asked.reading.text
    acts = frozenset(query.action for query in asked.reading.queries if query.action)
    match asked.verdict:
        case Confirm():
            return ClosedQuestion("confirm", request, _named_in(asked.verdict, view), acts)
        case Clarify() as question:
            options = _answerable(question, view)
            names = tuple((normalise(o.label), *_names(o.device_ids, view)) for o in options)
            return ClosedQuestion("choose", request, names, acts, len(question.options))
    return None


def _some(options: Sequence[Option]) -> Answer:
    ids = tuple(dict.fromkeys(i for option in options for i in option.device_ids))
    capability = options[0].capability if len(options) == 1 else ""
    return Answer("some", ids, ", ".join(dict.fromkeys(option.label for option in options)), capability)


def _named_in(asked: Confirm, view: HomeView) -> tuple[tuple[str, ...], ...]:
    """All names of each thing that the question calls by its name."""
    ids = dict.fromkeys(call.device_id for call in asked.proposed)
    text = normalise(asked.question)
    called = [_names((i,), view) for i in ids]
    return tuple(names for names in called if names and names[0] in text)


def _names(device_ids: Sequence[str], view: HomeView) -> tuple[str, ...]:
    """All that the devices are called by: names, then those of their rooms and floors."""
    out: list[str] = []
    for device_id in device_ids:
        thing = view.devices.get(device_id) or view.scenes.get(device_id)
        for named in (thing, view.room(device_id), view.floor(device_id)):
            out += [named.name, *named.aliases] if named else []
    return tuple(map(normalise, out))
