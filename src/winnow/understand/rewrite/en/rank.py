"""Rank the phrases an English slot may mean, and leaving it as it is: features and fitted weights."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from math import exp

from winnow.language.linear import weighted_sum
from winnow.language.tables import table
from winnow.types.query import has_kind, of_kind, without_kind
from winnow.understand.rewrite.en.context import EnglishScene, Features, MentionCandidate, ends_in, person
from winnow.understand.rewrite.en.mentions import EnglishMention
from winnow.understand.rewrite.en.slots import EnglishSlot, EnglishToken, lists, token_at

# Features for a phrase in a slot, and features for leaving the slot as it is.

_MALE, _FEMALE = ("male", "female"), ("female", "male")
_GENDERS = {"he": _MALE, "his": _MALE, "she": _FEMALE, "her": _FEMALE}
"""Pronoun -> the lists of heads that it suits and that it does not."""
_COMPLEMENTS = frozenset({"to", "that", "who", "which", "with", "by", "from", "of", "in"})
_NOUNS = {"day": "days", "titled": "titled", "somebody": "kin", "vague": "vague"}
"""What ``that song`` may be -> the list of such nouns."""


def slot_features(slot: EnglishSlot, candidate: MentionCandidate, now: EnglishScene) -> Features:
    """The features of one phrase for one slot."""
    return {**candidate.facts, **dict.fromkeys(_suiting(slot, candidate, now), 1.0)}


def _suiting(slot: EnglishSlot, candidate: MentionCandidate, now: EnglishScene) -> Iterator[str]:
    """What holds of a phrase for this slot."""
    m = candidate.mention
    yield from _chain_features(now.pronouns.get(slot.form), candidate)
    if slot.form in _GENDERS:
        head = m.words[-1]
        same, other = _GENDERS[slot.form]
        if head in lists()[same]:
            yield "agrees"
        if head in lists()[other]:
            yield "clashes"
    if now.asked and m.turn == now.turns - 1:
        yield "offered" if _alone(slot, now) else "in_question"
    yield from _context_features(slot, m, now)
    if m.kind in {"name", "title"}:
        yield from _forms(set(m.words), now.names)
    if slot.owns:
        yield f"owner_{m.kind}"
    if slot.form == "such":
        yield from _named_so(slot.noun, m)


def _chain_features(used: tuple[int, int] | None, candidate: MentionCandidate) -> Iterator[str]:
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


def _forms(words: Set[str], names: Collection[Set[str]]) -> Iterator[str]:
    """Whether a name was also said longer or shorter."""
    if any(words < name for name in names):
        yield "short_form"
    if any(name < words for name in names):
        yield "long_form"


def _context_features(slot: EnglishSlot, m: EnglishMention, now: EnglishScene) -> Iterator[str]:
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


def _alone(slot: EnglishSlot, now: EnglishScene) -> bool:
    """Whether the query says next to nothing else."""
    others = now.read[: slot.start] + now.read[slot.end :]
    return not without_kind(others, "mark", "function")


def _named_so(noun: str, m: EnglishMention) -> Iterator[str]:
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


def _own_company(
    slot: EnglishSlot, now: EnglishScene, earlier: Sequence[EnglishSlot]
) -> Mapping[str, object]:
    """What else leans on the history, and what the query itself names that the slot could mean."""
    front = now.read[: slot.start]
    return {
        # Both mean the same where they mean anything: "he" and "his".
        "again": any(slot.form == e.form or slot.group == e.group in {"person", "several"} for e in earlier),
        "later": earlier,
        "nothing": not now.candidates,
        "name_before": any(not t.opens for t in of_kind(front, "name")),
        "kin_before": any(t.low in lists()["kin"] for t in front),
        "word_before": has_kind(front, "word"),
    }


def _form_of_query(slot: EnglishSlot, now: EnglishScene) -> Mapping[str, bool]:
    """How the slot points; and whether the query is an answer, or nothing but the slot."""
    first, lone = now.read[slot.start], _alone(slot, now)
    return {
        "opens": first.opens,
        "weather": any(t.low in lists()["weather"] for t in now.read[slot.end : slot.end + 5]),
        "near": first.low in {"this", "these"},
        "alone": lone,
        "asked": now.asked,
        "reply": now.asked and lone,
        "dictated": now.dictated and now.read[0].low not in lists()["imperative"],
    }


def _names_day(m: EnglishMention) -> bool:
    return "day" not in m.words and ends_in("days", m)


def no_change_features(slot: EnglishSlot, now: EnglishScene, earlier: Sequence[EnglishSlot]) -> Features:
    """What speaks for leaving the slot as it is; ``earlier`` slots of the query come before it."""
    opened = now.read[0].low
    asks = "question" if opened in lists()["asks"] else "statement"
    holding = (
        *("bias", slot.form, "order" if opened in lists()["imperative"] else asks),
        *(name for name, holds in _own_company(slot, now, earlier).items() if holds),
        *(name for name, holds in _form_of_query(slot, now).items() if holds),
        *_beside(token_at(now.read, slot.start - 1), token_at(now.read, slot.end)),
        *(_such(slot, now) if slot.form == "such" else ()),
    )
    amounts = {"leave_length": min(len(now.read), 30) / 30}
    return {**amounts, **{f"leave_{name}": 1.0 for name in holding}}


def _beside(before: EnglishToken, after: EnglishToken) -> Iterator[str]:
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


def _such(slot: EnglishSlot, now: EnglishScene) -> Iterator[str]:
    """What ``song`` of ``that song`` is."""
    yield from (name for name, group in _NOUNS.items() if slot.noun in lists()[group])
    if any(c.mention.words[-1] == slot.noun for c in now.candidates):
        yield "known"
    if slot.end - slot.start > 2:
        yield "described"


_ITEMS = frozenset({"name", "noun", "title", "link"})
_LEANING = frozenset({"his", "her", "their", "its", "this", "that", "these", "those"})


@dataclass(frozen=True, slots=True)
class SlotChoice:
    """What a slot means, with the words that replace it; no phrase where it stays as it is."""

    mention: EnglishMention | None
    text: str
    features: Features


@lru_cache(maxsize=1)
def weights() -> Mapping[str, Mapping[str, float]]:
    """Group of slots -> feature -> weight, fitted by ``training/fit_rewrite_en.py``."""
    raw: dict[str, dict[str, float]] = table(__package__, "weights.yaml")
    common = raw["all"]
    return {
        group: {name: common.get(name, 0.0) + own.get(name, 0.0) for name in {*common, *own}}
        for group, own in raw.items()
    }


def choices(slot: EnglishSlot, now: EnglishScene, earlier: Sequence[EnglishSlot]) -> list[SlotChoice]:
    """Leaving the slot first, then every phrase that may stand there."""
    if slot.form == "nth":  # counted, not weighed
        return list(_ordinal_choice(slot, now)) or [SlotChoice(None, "", {})]
    stay = SlotChoice(None, "", no_change_features(slot, now, earlier))
    slot_choices: list[SlotChoice] = []
    said = tuple(t.low for t in now.read[slot.start : slot.end])
    seen: set[str] = set()
    for candidate in now.candidates:
        if not _may(slot, said, candidate):
            continue
        text = slot_text(slot, candidate.mention, now)
        if text.lower() not in seen and text.lower() != " ".join(said):
            seen.add(text.lower())
            slot_choices.append(SlotChoice(candidate.mention, text, slot_features(slot, candidate, now)))
    return [stay, *slot_choices]


def _ordinal_choice(slot: EnglishSlot, now: EnglishScene) -> Iterator[SlotChoice]:
    """The phrase at the place named in the list that was said last."""
    lists_said = [c.mention for c in now.candidates if c.mention.kind in {"choice", "list"}]
    if not lists_said:
        return
    turn = max(m.turn for m in lists_said)
    longest = max((m for m in lists_said if m.turn == turn), key=lambda m: len(m.text))
    items = _items(longest, now)
    if len(items) >= abs(slot.place):
        item = items[slot.place - (slot.place > 0)]
        yield SlotChoice(item.mention, item.mention.text, slot_features(slot, item, now))


def _items(whole: EnglishMention, now: EnglishScene) -> list[MentionCandidate]:
    """The phrases a list is made of, in order."""
    inside = [
        c
        for c in now.candidates
        if c.mention.turn == whole.turn and c.mention.kind in _ITEMS and c.mention.text in whole.text
    ]
    longest_last = sorted(inside, key=lambda c: len(c.mention.text))
    return sorted(
        {c.mention.at: c for c in longest_last if c.mention.at >= whole.at}.values(),
        key=lambda c: c.mention.at,
    )


def _may(slot: EnglishSlot, said: tuple[str, ...], candidate: MentionCandidate) -> bool:
    m = candidate.mention
    if m.determiner in _LEANING:
        return False
    if slot.form == "name":
        return m.kind in {"name", "title"} and len(m.words) > len(said) and set(said) < set(m.words)
    return slot.group != "person" or not (m.kind in {"list", "head"} or {m.words[0], m.words[-1]} & _nobody())


@lru_cache(maxsize=1)
def _nobody() -> frozenset[str]:
    """Words for what is surely no person."""
    nouns: frozenset[str] = lists()["days"] | lists()["titled"] | lists()["nouns"] | lists()["vague"]
    return nouns


def slot_text(slot: EnglishSlot, m: EnglishMention, now: EnglishScene) -> str:
    """The phrase as it stands in the place of the slot."""
    text = m.text
    if m.determiner in {"a", "an", "any", "some", "no", "all"} and slot.form != "one":
        text = "the" + text[len(m.determiner) :]
    if slot.form == "one":
        # ``the live one``: a determiner or an adjective stands in front
        before = now.read[slot.start - 1] if slot.start else None
        is_qualified = before is not None and (
            before.kind in {"word", "name"} or before.low in {*lists()["determiners"], *lists()["ordinals"]}
        )
        if is_qualified and m.determiner:
            text = text[len(m.determiner) :].lstrip()
    return text


def choose(
    slot: EnglishSlot, now: EnglishScene, earlier: Sequence[EnglishSlot]
) -> tuple[str, int, float] | None:
    """The likeliest phrase, the turn that says it, and its probability; None: the slot is likely none."""
    options = choices(slot, now, earlier)
    fitted = weights().get(slot.group, {})
    scores = [weighted_sum(o.features, fitted) for o in options]
    best = max(range(len(options)), key=scores.__getitem__)
    chosen, phrase = options[best], options[best].mention
    return phrase and (chosen.text, phrase.turn, 1 / sum(exp(s - scores[best]) for s in scores))
