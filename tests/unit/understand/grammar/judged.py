"""What the engine makes of a sentence of the corpus, as text: the kind of verdict and its calls.

``python -m tests.unit.understand.grammar.judged LANGUAGE`` prints each group with what its sentences come to.
"""

from __future__ import annotations

import sys
from functools import cache

from tests.unit.understand.grammar.corpus import groups, none
from tests.unit.understand.grammar.homes import LANGUAGES, engine, home

from winnow.language.encode import compact_json
from winnow.types.utterance import LanguageCode
from winnow.types.verdict import Call, named_calls

DOING = frozenset({"act", "confirm"})


@cache
def judged(said: str, language: LanguageCode) -> tuple[str, frozenset[str]]:
    """Kind of verdict, and the calls it makes or proposes: ``room/name command arguments``."""
    verdict = engine(language).sync.retrieve(said).verdict
    kind = type(verdict).__name__.lower()
    calls = named_calls(verdict) if kind in DOING else ()
    return kind, frozenset(_call(call, language) for call in calls)


def _call(call: Call, language: LanguageCode) -> str:
    view = home(language).view
    device = view.devices.get(call.device_id)
    room = view.rooms.get(device.room_id or "") if device else None
    named = f"{room.name}/{device.name}" if room and device else call.device_id
    return f"{named} {call.command_id} {compact_json(call.arguments) if call.arguments else ''}".strip()


def main() -> None:
    """Every group, with what its sentences come to; sentences that act though they are no order, last."""
    for language in [name for name in LANGUAGES if name in sys.argv[1:]] or LANGUAGES:
        for group in groups(language):
            print(f"{group.means} ({group.kind})")
            for said in group.say:
                kind, calls = judged(said, language)
                print(f"    {said}  ->  {kind} {'; '.join(sorted(calls))[:150]}")
        for kind_of, sentences in none(language).items():
            for said in sentences:
                if judged(said, language)[0] in DOING:
                    print(f"ACTS  {kind_of}: {said} -> {judged(said, language)}")


if __name__ == "__main__":
    main()
