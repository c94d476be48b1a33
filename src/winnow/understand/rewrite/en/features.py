"""What speaks for a phrase to be what a slot means, and what speaks for leaving the slot as it is."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence, Set

from winnow.understand.rewrite.en.mentions import Mention
from winnow.understand.rewrite.en.scene import Candidate, Features, Scene, ends_in, person
from winnow.understand.rewrite.en.slots import Slot
from winnow.understand.rewrite.en.words import Token, lists, token_at

_MALE, _FEMALE = ("male", "female"), ("female", "male")
_GENDERS = {"he": _MALE, "his": _MALE, "she": _FEMALE, "her": _FEMALE}
"""Pronoun -> the lists of heads that it suits and that it does not."""
_COMPLEMENTS = frozenset({"to", "that", "who", "which", "with", "by", "from", "of", "in"})
_NOUNS = {"day": "days", "titled": "titled", "somebody": "kin", "vague": "vague"}
"""What ``that song`` may be -> the list of such nouns."""


def weighed(slot: Slot, candidate: Candidate, now: Scene) -> Features:
    """The features of one phrase for one slot."""
    return {**candidate.facts, **dict.fromkeys(_suiting(slot, candidate, now), 1.0)}


def _suiting(slot: Slot, candidate: Candidate, now: Scene) -> Iterator[str]:
    """What holds of a phrase for this slot."""
    m = candidate.mention
    yield from _chained(now.pronouns.get(slot.form), candidate)
    if slot.form in _GENDERS:
        yield from _gendered(slot.form, m.words[-1])
    if now.asked and m.turn == now.turns - 1:
        yield "offered" if _alone(slot, now) else "in_question"
    yield from _governed(slot, m, now)
    if m.kind in {"name", "title"}:
        yield from _forms(set(m.words), now.names)
    if slot.owns:
        yield f"owner_{m.kind}"
    if slot.form == "such":
        yield from _named_so(slot.noun, m)


def _gendered(form: str, head: str) -> Iterator[str]:
    same, other = _GENDERS[form]
    if head in lists()[same]:
        yield "agrees"
    if head in lists()[other]:
        yield "clashes"


def _forms(words: Set[str], names: Collection[Set[str]]) -> Iterator[str]:
    """Whether a name was also said longer or shorter."""
    if any(words < name for name in names):
        yield "short_form"
    if any(name < words for name in names):
        yield "long_form"


def _governed(slot: Slot, m: Mention, now: Scene) -> Iterator[str]:
    """Whether the phrase suits the words around the slot.

    One calls people, plays what is played, alters things.
    """
    before = token_at(now.read, slot.start - 1).low
    somebody = "person" if person(m) else m.kind
    if before and before == m.before:
        yield "same_before"
    if before in lists()["reach"]:
        yield f"reached_{somebody}"
    if before in lists()["made"]:
        yield "made_made" if m.before in lists()["made"] else f"made_{m.kind}"
    if before in lists()["altering"]:
        yield f"altered_{somebody}"
    if any(t.low == "both" for t in now.read[max(0, slot.start - 2) : slot.end + 1]):
        yield f"both_{m.kind}"


def _alone(slot: Slot, now: Scene) -> bool:
    """Whether the query says next to nothing else."""
    others = now.read[: slot.start] + now.read[slot.end :]
    return all(t.kind in {"mark", "function"} for t in others)


def _chained(used: tuple[int, int] | None, candidate: Candidate) -> Iterator[str]:
    """Whether the phrase was there before the same pronoun was used last, and whether it came up since."""
    if used is None:
        yield "unused"
        return
    first, last = used
    place = "chain" if candidate.since <= first else "between" if candidate.since <= last else "fresh"
    yield place
    yield f"{place}_{candidate.mention.kind}_{candidate.mention.role}"
    if "introduced" in candidate.facts:
        yield f"{place}_introduced"


def _named_so(noun: str, m: Mention) -> Iterator[str]:
    """For ``that song``: whether the phrase is a song by its own words or by the word in front of it."""
    one = noun.rstrip("s")
    if m.words[-1].rstrip("s") == one:
        yield "same_head" if len(m.words) > 1 else "only_head"
    elif one in (w.rstrip("s") for w in m.words):
        yield "holds_noun"
    if m.before.rstrip("s") == one:
        yield "called_so"
    if one in lists()["days"] and _names_day(m):
        yield "that_day"
    if noun in lists()["titled"]:
        yield f"titled_{m.kind}"
    if noun in lists()["kin"]:
        yield f"somebody_{m.kind}"


def _names_day(m: Mention) -> bool:
    return "day" not in m.words and ends_in("days", m)


def left(slot: Slot, now: Scene, earlier: Sequence[Slot]) -> Features:
    """What speaks for leaving the slot as it is; ``earlier`` slots of the query come before it."""
    holding = (
        *("bias", slot.form, _mode(now.read[0].low)),
        *_company(slot, now, earlier),
        *_in_front(now.read[: slot.start]),
        *_leaning(slot, now),
        *_replying(slot, now),
        *_beside(token_at(now.read, slot.start - 1), token_at(now.read, slot.end)),
        *(_such(slot, now) if slot.form == "such" else ()),
    )
    amounts = {"leave_length": min(len(now.read), 30) / 30}
    return {**amounts, **{f"leave_{name}": 1.0 for name in holding}}


def _mode(opened: str) -> str:
    """What a query that begins with this word does."""
    if opened in lists()["imperative"]:
        return "order"
    return "question" if opened in lists()["asks"] else "statement"


def _company(slot: Slot, now: Scene, earlier: Sequence[Slot]) -> Iterator[str]:
    """What else leans on the history, and whether there is anything to mean."""
    if any(_same(slot, other) for other in earlier):
        yield "again"
    if earlier:
        yield "later"
    if not now.candidates:
        yield "nothing"


def _in_front(front: Sequence[Token]) -> Iterator[str]:
    """What the query itself names that the slot could mean."""
    if any(t.kind == "name" and not t.opens for t in front):
        yield "name_before"
    if any(t.low in lists()["kin"] for t in front):
        yield "kin_before"
    if any(t.kind == "word" for t in front):
        yield "word_before"


def _same(slot: Slot, other: Slot) -> bool:
    """Whether both mean the same where they mean anything: ``he`` and ``his``."""
    return slot.form == other.form or slot.group == other.group in {"person", "several"}


def _leaning(slot: Slot, now: Scene) -> Iterator[str]:
    """How the slot points."""
    if now.read[slot.start].opens:
        yield "opens"
    if any(t.low in lists()["weather"] for t in now.read[slot.end : slot.end + 5]):
        yield "weather"
    if now.read[slot.start].low in {"this", "these"}:
        yield "near"


def _replying(slot: Slot, now: Scene) -> Iterator[str]:
    """Whether the query is an answer, or nothing but the slot."""
    lone = _alone(slot, now)
    if lone:
        yield "alone"
    if now.asked:
        yield "asked"
    if now.asked and lone:
        yield "reply"
    if now.dictated and now.read[0].low not in lists()["imperative"]:
        yield "dictated"


def _beside(before: Token, after: Token) -> Iterator[str]:
    """What stands around the slot."""
    if after.kind == "mark":
        yield "closes"
    elif after.low in lists()["expletive"]:
        yield "then_be"
    elif after.low in _COMPLEMENTS:
        yield "complement"
    if before.low in lists()["expletive"]:
        yield "after_be"
    if before.low in lists()["altering"]:
        yield "altered"
    if before.kind == "verb":
        yield "object"


def _such(slot: Slot, now: Scene) -> Iterator[str]:
    """What ``song`` of ``that song`` is."""
    yield from (name for name, group in _NOUNS.items() if slot.noun in lists()[group])
    if any(c.mention.words[-1] == slot.noun for c in now.candidates):
        yield "known"
    if slot.end - slot.start > 2:
        yield "described"
