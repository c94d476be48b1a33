"""One act of a sentence with its words sorted by their use, and the things it is for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from winnow.language.families import OPPOSITE_STATE
from winnow.language.lexicon import states
from winnow.types.query import Token
from winnow.understand.sentence.drafts import Draft
from winnow.understand.sentence.kinds import TARGET_KINDS, says
from winnow.understand.sentence.mentions import coordinated, exclusions, side_by_side
from winnow.understand.sentence.slots import EVERYTHING, Slots, place


@dataclass(slots=True)
class Instruction:
    """One act and the mentions it is for, still as tokens."""

    slots: Slots
    mentions: list[list[Token]] = field(default_factory=list)
    excluded: list[list[Token]] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)
    """Parts of the sentence that name something of the home and were not understood."""
    tokens: list[Token] = field(default_factory=list)


_EXEMPT = TARGET_KINDS | {"conj", "reference"}


def instruction(draft: Draft) -> Instruction:
    """An act with its words sorted by their use."""
    words = _joined(sorted(draft.words, key=lambda w: (w.start, w.end)))
    slots = Slots()
    for at, word in enumerate(words):
        place(slots, word, words, at)
    slots.doubts.extend(w.text for w in words if w.kind == "narrowed" and not _undone(w, slots))
    if draft.only:
        slots.flags.add("only")
    every = next((w for w in words if w.kind == "quantifier" and w.text in EVERYTHING), None)
    if every is not None and not slots.device_words:
        what = {"is": "device", "plural": True, "implied": True}
        slots.target.append(replace(every, kind="type", data=what))
    slots.target = side_by_side(slots.target, several=bool(slots.flags & {"all", "both", "keep", "not"}))
    slots.excluded = [w for group in draft.left for w in group]
    left = [m for group in draft.left for m in exclusions([w for w in group if w.kind in _EXEMPT])]
    mentions = coordinated([slots.target], together=bool(slots.count))
    return Instruction(slots, mentions, left, list(draft.doubts), words)


def _joined(words: Sequence[Token]) -> list[Token]:
    """The words, with unknown ones that touch as one."""
    out: list[Token] = []
    for word in words:
        if out and word.kind == out[-1].kind == "word" and out[-1].end == word.start:
            out[-1] = replace(out[-1], text=out[-1].text + word.text, end=word.end)
        else:
            out.append(word)
    return out


def _undone(state: Token, slots: Slots) -> bool:
    """``turn off the lights that are on``: to do it to all of them comes to the same."""
    told = says(state) if says(state) not in {"state", "on_open", "off_close"} else ""
    quantity = states().get(state.text, ("", told))
    acts = {says(v).partition("_")[0] for v in slots.verbs}
    wanted = OPPOSITE_STATE.get(quantity[1], "")
    return bool(acts) and acts <= {wanted, {"on": "open", "off": "close"}.get(wanted, wanted)}
