"""Two ways to understand one sentence that would do different things: one closed question that names both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from winnow.decide.bulk import capability_name
from winnow.decide.clarify import act_phrase
from winnow.language.messages import message
from winnow.language.naming import placed_name
from winnow.types.home import HomeView
from winnow.types.retrieval import Attempt
from winnow.types.utterance import LanguageCode
from winnow.types.verdict import Act, Call, Clarify, Confirm, Option, Verdict, named_calls

READING_CHOICE = "reading"
"""What the options of such a question differ in."""
MAX_NAMED_THINGS = 3
"""Things named of what one reading would do."""


def with_reading_question(attempts: Sequence[Attempt], view: HomeView) -> Attempt:
    """The first attempt, with a question in the place of its verdict where another would do something else.

    Readings that come to the same calls in this home are one; one that comes to nothing is no rival.
    """
    first, *others = attempts
    if not isinstance(first.verdict, Act | Confirm):
        return first
    distinct = {_call_keys(first.verdict): first}
    for one in others:
        if isinstance(one.verdict, Act | Confirm):
            distinct.setdefault(_call_keys(one.verdict), one)
    if len(distinct) == 1:
        return first
    rivals = tuple(distinct.values())
    language = first.reading.language
    options = []
    for number, one in enumerate(rivals):
        calls = named_calls(one.verdict)
        ids = tuple(dict.fromkeys(call.device_id for call in calls))
        options.append(Option("; ".join(_act_phrases(calls, view, language)), ids, str(number)))
    text = message("which_reading", language, options=[o.label for o in options])
    return replace(first, verdict=Clarify(text, tuple(options), READING_CHOICE), rivals=rivals)


def _call_keys(verdict: Verdict) -> frozenset[tuple[str, str, str]]:
    return frozenset((c.device_id, c.command_id, repr(c.arguments)) for c in named_calls(verdict))


def _act_phrases(calls: Sequence[Call], view: HomeView, language: LanguageCode) -> list[str]:
    """What is done to what, one phrase for each act."""
    things: dict[str, list[str]] = {}
    for call in calls:
        command = None
        if call.device_id in view.devices:
            commands = view.profile(call.device_id).commands
            command = next((c for c in commands if c.id == call.command_id), None)
        deed = act_phrase(capability_name(command), language) if command else message("act_run", language)
        values = " ".join(str(v) for v in call.arguments.values())
        things.setdefault(f"{deed} {values}".strip(), []).append(placed_name(call.device_id, view, language))
    return [
        message("act_of", language, act=deed, names=names[:MAX_NAMED_THINGS])
        if len(names) <= MAX_NAMED_THINGS
        else message("act_of_many", language, act=deed, names=names[:MAX_NAMED_THINGS], count=len(names))
        for deed, names in things.items()
    ]
