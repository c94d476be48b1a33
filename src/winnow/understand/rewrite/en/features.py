"""What speaks for a phrase to be what a slot means, and what speaks for leaving the slot as it is.

All features are 0..1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from winnow.types.dialogue import Turn
from winnow.understand.rewrite.en.mentions import LONGEST, READ, Mention
from winnow.understand.rewrite.en.slots import Slot
from winnow.understand.rewrite.en.words import Token, lists, tokens

Features = dict[str, float]
_MALE, _FEMALE = frozenset({"he", "his"}), frozenset({"she", "her"})


@dataclass(frozen=True, slots=True)
class Candidate:
    """A phrase with what the whole conversation says of it."""

    mention: Mention
    said: int
    """Turns it is spoken of in."""
    since: int
    """First turn it is spoken of in."""
    facts: Features


@dataclass(frozen=True, slots=True)
class Scene:
    """All that the slots of one query are weighed against."""

    read: tuple[Token, ...]
    candidates: Sequence[Candidate]
    turns: int
    pronouns: Mapping[str, tuple[int, int]]
    """Class of pronoun -> first and last turn of the user that uses it."""
    asked: bool
    """The assistant's last turn is a question."""
    dictated: bool
    """It asks what to say or to write."""
    names: Collection[frozenset[str]]
    """The words of every name."""


def scene(
    read: tuple[Token, ...],
    found: Sequence[Mention],
    history: Sequence[Turn],
    pronouns: Mapping[str, tuple[int, int]],
) -> Scene:
    """The phrases of a history as candidates for a query."""
    turns = len(history)
    said: Counter[tuple[str, ...]] = Counter()
    since: dict[tuple[str, ...], int] = {}
    for words, turn in {(m.words, m.turn) for m in found}:
        said[words] += 1
        since[words] = min(turn, since.get(words, turn))
    latest = _latest(found)
    query = {t.low for t in read}
    vocabulary = Counter(w for words in said for w in set(words))
    made = [
        Candidate(
            m,
            said[m.words],
            since[m.words],
            dict(_facts(m, said[m.words], since[m.words], turns, query, vocabulary)),
        )
        for m in latest.values()
    ]
    reply = tokens(history[-1].content[-READ:]) if history and history[-1].role == "assistant" else ()
    asked = bool(reply) and reply[-1].text == "?"
    names = {frozenset(m.words) for m in found if m.kind in {"name", "title"}}
    return Scene(
        read, made, turns, pronouns, asked, asked and any(t.low in lists()["dictating"] for t in reply), names
    )


def _latest(found: Sequence[Mention]) -> dict[str, Mention]:
    """Each phrase as it was said last.

    The capital of a sentence's first word is dropped where the word was also said without.
    """
    latest: dict[str, Mention] = {}
    for m in found:
        known = latest.get(m.text.lower())
        latest[m.text.lower()] = (
            m._replace(text=known.text) if known is not None and known.text[0].islower() else m
        )
    return latest


def _facts(
    m: Mention, said: int, since: int, turns: int, query: set[str], vocabulary: Counter[str]
) -> Iterator[tuple[str, float]]:
    """What holds of a phrase whatever the slot."""
    yield from _place(m, said, since, turns)
    yield from _framed(m)
    yield from _shape(m)
    head = m.words[-1]
    inside = sum(w in query for w in m.words) / len(m.words)
    if inside:
        yield ("inside" if inside == 1 else "partly_inside"), 1.0
    yield "known", min(vocabulary[head] - 1, 4) / 4


def _place(m: Mention, said: int, since: int, turns: int) -> Iterator[tuple[str, float]]:
    """Where and how often it was said."""
    back = turns - 1 - m.turn
    yield "back", min(back, 8) / 8
    yield _AGO.get(back, "older"), 1.0
    yield m.role, 1.0
    yield "said", min(said, 5) / 5
    if said > 1:
        yield "again", 1.0
    if m.first:
        yield "subject", 1.0
    if since == 0:
        yield "opening", 1.0
    if m.answers:
        yield f"answers_{m.answers}", 1.0


def _shape(m: Mention) -> Iterator[tuple[str, float]]:
    """What its own words tell."""
    determiner = _DETERMINER.get(m.determiner, "other") if m.determiner else "bare"
    yield m.kind, 1.0
    yield f"{m.kind}_{m.role}", 1.0
    yield f"{m.kind}_{determiner}", 1.0
    yield f"det_{determiner}", 1.0
    yield "length", min(len(m.words), LONGEST) / LONGEST
    ends = {m.words[0], m.words[-1]}
    holds = {
        "plural": plural(m),
        "person": person(m),
        "day": ends & lists()["days"],
        "placed": m.before in lists()["places"],
        "made": m.before in lists()["made"],
        "digits": m.words[-1].isdigit(),
        "vague": ends & lists()["vague"],
    }
    yield from ((name, 1.0) for name, true in holds.items() if true)


def _framed(m: Mention) -> Iterator[tuple[str, float]]:
    """How the phrase was brought up.

    ``tell me about it``, ``what is it``, at the end of a sentence, as a whole message.
    """
    if m.last:
        yield f"last_{m.role}", 1.0
    if not m.before and m.last:
        yield "whole", 1.0
    if m.before in lists()["framed"]:
        yield f"before_{m.before}", 1.0
    if m.last and m.role == "user" and (m.before in {"about", "is", "are", "was", "were"}):
        yield "introduced", 1.0
    if m.denied:
        yield "denied", 1.0


_AGO = {0: "last", 1: "before_last", 2: "third"}
_DETERMINER = {"a": "new", "an": "new", "some": "new", "any": "new", "the": "the", "my": "own", "your": "own", "his": "own", "her": "own",
               "their": "own", "its": "own", "our": "own", "this": "this", "that": "this", "these": "this", "those": "this"}  # fmt: skip


def plural(m: Mention) -> bool:
    """Whether the phrase names several."""
    head = m.words[-1]
    return (
        m.kind == "list"
        or head in lists()["several"]
        or (head.endswith("s") and not head.endswith(("ss", "us", "is", "'s")))
    )


def person(m: Mention) -> bool:
    """Whether the phrase is likely somebody: kin, or a short name after ``call``, ``tell``, ``with``."""
    if m.words[-1] in lists()["kin"]:
        return True
    return m.kind in {"name", "list"} and len(m.words) <= 6 and m.before in lists()["reach"]


def weighed(slot: Slot, candidate: Candidate, now: Scene) -> Features:
    """The features of one phrase for one slot."""
    return {**candidate.facts, **dict(_agreement(slot, candidate, now))}


def _agreement(slot: Slot, candidate: Candidate, now: Scene) -> Iterator[tuple[str, float]]:
    m = candidate.mention
    head = m.words[-1]
    yield from _chained(now.pronouns.get(slot.form), candidate)
    if slot.form in _MALE | _FEMALE:
        same, other = ("male", "female") if slot.form in _MALE else ("female", "male")
        if head in lists()[same]:
            yield "agrees", 1.0
        if head in lists()[other]:
            yield "clashes", 1.0
    if now.asked and m.turn == now.turns - 1:
        yield ("offered" if alone(slot, now) else "in_question"), 1.0
    yield from _governed(slot, m, now)
    own = set(m.words)
    if m.kind in {"name", "title"}:
        if any(own < other for other in now.names):
            yield "short_form", 1.0
        if any(other < own for other in now.names):
            yield "long_form", 1.0
    if slot.owns:
        yield "owner_" + m.kind, 1.0
    if slot.form == "such":
        yield from _named_so(slot, m)


def _governed(slot: Slot, m: Mention, now: Scene) -> Iterator[tuple[str, float]]:
    """Whether the phrase suits the word in front of the slot.

    One calls people, plays what is played, alters things.
    """
    before = now.read[slot.start - 1].low if slot.start else ""
    somebody = "person" if person(m) else m.kind
    if before and before == m.before:
        yield "same_before", 1.0
    if before in lists()["reach"]:
        yield f"reached_{somebody}", 1.0
    if before in lists()["made"]:
        yield f"made_{'made' if m.before in lists()['made'] else m.kind}", 1.0
    if before in lists()["altering"]:
        yield f"altered_{somebody}", 1.0
    if any(t.low == "both" for t in now.read[max(0, slot.start - 2) : slot.end + 1]):
        yield f"both_{m.kind}", 1.0


def alone(slot: Slot, now: Scene) -> bool:
    """Whether the query says next to nothing else."""
    return sum(t.kind not in {"mark", "function"} for t in now.read[: slot.start] + now.read[slot.end :]) == 0


def _chained(used: tuple[int, int] | None, candidate: Candidate) -> Iterator[tuple[str, float]]:
    """Whether the phrase was there before the same pronoun was used last, and whether it came up since."""
    if used is None:
        yield "unused", 1.0
        return
    since = candidate.since
    place = "chain" if since <= used[0] else "between" if since <= used[1] else "fresh"
    yield place, 1.0
    yield f"{place}_{candidate.mention.kind}_{candidate.mention.role}", 1.0
    if candidate.facts.get("introduced"):
        yield f"{place}_introduced", 1.0


def _named_so(slot: Slot, m: Mention) -> Iterator[tuple[str, float]]:
    """For ``that song``: whether the phrase is a song by its own words or by the word in front of it."""
    noun = slot.noun.rstrip("s")
    if m.words[-1].rstrip("s") == noun:
        yield ("same_head" if len(m.words) > 1 else "only_head"), 1.0
    elif noun in (w.rstrip("s") for w in m.words):
        yield "holds_noun", 1.0
    if m.before.rstrip("s") == noun:
        yield "called_so", 1.0
    if (
        noun in lists()["days"]
        and "day" not in m.words
        and (m.words[-1] in lists()["days"] or m.words[0] in lists()["days"])
    ):
        yield "that_day", 1.0
    if slot.noun in lists()["titled"]:
        yield "titled_" + m.kind, 1.0
    if slot.noun in lists()["kin"]:
        yield "somebody_" + m.kind, 1.0


def left(slot: Slot, now: Scene, earlier: Sequence[Slot]) -> Features:
    """What speaks for leaving the slot as it is."""
    return {f"leave_{name}": value for name, value in _left(slot, now, earlier)}


def _left(slot: Slot, now: Scene, earlier: Sequence[Slot]) -> Iterator[tuple[str, float]]:
    read, front = now.read, now.read[: slot.start]
    opened = read[0].low
    yield "bias", 1.0
    yield slot.form, 1.0
    yield (
        (
            "order"
            if opened in lists()["imperative"]
            else "question"
            if opened in lists()["asks"]
            else "statement"
        ),
        1.0,
    )
    yield "length", min(len(read), 30) / 30
    holds = {
        "again": any(s.form == slot.form or s.group == slot.group in {"person", "several"} for s in earlier),
        "later": earlier,
        "nothing": not now.candidates,
        "name_before": any(t.kind == "name" and not t.opens for t in front),
        "kin_before": any(t.low in lists()["kin"] for t in front),
        "word_before": any(t.kind == "word" for t in front),
        "opens": read[slot.start].opens,
        "weather": any(t.low in lists()["weather"] for t in read[slot.end : slot.end + 5]),
        "asked": now.asked,
        "alone": alone(slot, now),
        "reply": now.asked and alone(slot, now),
        "dictated": now.dictated and opened not in lists()["imperative"],
        "altered": bool(front) and front[-1].low in lists()["altering"],
        "near": read[slot.start].low in {"this", "these"},
    }
    yield from ((name, 1.0) for name, true in holds.items() if true)
    yield from _neighbours(front[-1] if front else None, read[slot.end] if slot.end < len(read) else None)
    if slot.form == "such":
        yield from _such(slot, now)


def _neighbours(before: Token | None, after: Token | None) -> Iterator[tuple[str, float]]:
    if after is None or after.kind == "mark":
        yield "closes", 1.0
    elif after.low in lists()["expletive"]:
        yield "then_be", 1.0
    elif after.low in {"to", "that", "who", "which", "with", "by", "from", "of", "in"}:
        yield "complement", 1.0
    if before is not None and before.low in lists()["expletive"]:
        yield "after_be", 1.0
    if before is not None and before.kind == "verb":
        yield "object", 1.0


def _such(slot: Slot, now: Scene) -> Iterator[tuple[str, float]]:
    if slot.noun in lists()["days"]:
        yield "day", 1.0
    if slot.noun in lists()["titled"]:
        yield "titled", 1.0
    if slot.noun in lists()["kin"]:
        yield "somebody", 1.0
    if slot.noun in lists()["vague"]:
        yield "vague", 1.0
    if any(c.mention.words[-1] == slot.noun for c in now.candidates):
        yield "known", 1.0
    if slot.end - slot.start > 2:
        yield "described", 1.0
