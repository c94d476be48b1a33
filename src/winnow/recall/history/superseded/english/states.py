"""What a clause states of its subject, if anything that may change."""

from __future__ import annotations

import re
from dataclasses import replace

from winnow.recall.history.superseded.claim import SELF, UNNAMED, Claim
from winnow.recall.history.superseded.english.attributes import Value, canonical, content, stems, value_in
from winnow.recall.history.superseded.english.clauses import Said, Tokens
from winnow.recall.history.superseded.english.subjects import Subject
from winnow.recall.history.superseded.english.verbs import family, is_past, lemma
from winnow.recall.history.superseded.words import groups, words

_LOOSE_AGE = re.compile(r"\D+")


def stated(subject: Subject, said: Said) -> Claim | None:
    """The claim of a clause; None where it makes none that can be told."""
    tokens = _main(subject.rest)
    if len(tokens) < 2 or words("denies") & set(tokens[:3]):
        return _denial(subject, said)
    if tokens[0] in words("be"):
        return _being(subject, tokens[1:], said, is_past(tokens[0]) or tokens[0] in words("past"))
    return _change(subject, tokens, said) or _doing(subject, tokens, said)


def _main(rest: Tokens) -> Tokens:
    """The words from the main verb on: ``have just started working at`` -> working at."""
    tokens = tuple(token for token in rest if token not in words("adverb"))
    while tokens and tokens[0] in words("auxiliary") - words("be") - words("past"):
        tokens = tokens[1:]
    begins = len(tokens) > 2 and lemma(tokens[0]) in words("begins") and tokens[1].endswith("ing")
    return tokens[1:] if begins else tokens


def renewed(subject: Subject) -> Tokens:
    """What a clause says to be another now: ``got a new number``, ``switched dentists``."""
    tokens = tuple(token for token in subject.rest if token not in words("adverb"))
    fresh = next((at for at, token in enumerate(tokens) if token in words("fresh")), None)
    if fresh is not None:
        return value_in(tokens[fresh + 1 :]).tokens[:2]
    if tokens and lemma(tokens[0]) in words("change") and is_past(tokens[0]):
        return value_in(tokens[1:]).tokens[:2]
    return ()


def _denial(subject: Subject, said: Said) -> Claim | None:
    if not said.marks.over or not said.marks.changed:
        return None
    return Claim(subject.who, canonical(subject.what), changed=True, single=False, over=said.marks.over)


def _being(subject: Subject, rest: Tokens, said: Said, past: bool) -> Claim | None:
    """``X is Y``, ``X got moved to Y``, ``X is based in Y``."""
    while rest and rest[0] in words("be"):
        rest = rest[1:]
    if not rest:
        return None
    verb = lemma(rest[0])
    if verb in words("change") and is_past(rest[0]) | (rest[0] in words("participle")):
        return _change(subject, rest, said)
    if past:
        return None
    if name := family(rest):
        return _told(subject, (name,), value_in(rest[1:]), said)
    if subject.what:
        return _told(subject, subject.what, value_in(rest), said)
    return _person_is(subject, value_in(rest), said)


def _person_is(subject: Subject, value: Value, said: Said) -> Claim | None:
    """``I am 30``, ``my sister is 30``, ``my dog is called Rex``, ``my boss is Dana``."""
    changed = said.marks.changed or subject.fresh
    bare = value.looks.get("number", "") if len(value.tokens) == 1 else ""
    if age := _LOOSE_AGE.sub("", value.looks.get("age", bare)):
        return Claim(subject.who, frozenset({"age"}), {"age": age}, changed=changed)
    for kind in groups("measures"):
        if kind in value.looks:
            return Claim(subject.who, frozenset({kind}), {kind: value.looks[kind]}, changed=changed)
    if subject.who != SELF and value.tokens and said.names.issuperset(value.tokens):
        return Claim(subject.who, frozenset({"name"}), words=value.words, changed=changed)
    return None


def _doing(subject: Subject, tokens: Tokens, said: Said) -> Claim | None:
    """``I live in Oslo``, ``the shop opens at nine``, ``I drink tea``."""
    verb, name = lemma(tokens[0]), family(tokens)
    if name and not (subject.what and subject.who == SELF):
        return _told(subject, (name,), value_in(tokens[1:]), said)
    value = value_in(tokens[1:])
    if verb not in words("habit") or is_past(tokens[0]) or not value.tokens:
        return None
    return _habit(subject, verb, tokens[1:], value, said)


def _habit(subject: Subject, verb: str, rest: Tokens, value: Value, said: Said) -> Claim | None:
    """What is done with a number is told by it, what is done with a thing by the verb alone."""
    marks = said.marks
    key = canonical(subject.what) | {verb}
    if value.looks:
        key |= content(rest) - content(value.tokens) | value.words
        return Claim(subject.who, key, value.looks, frozenset(), marks.changed, not marks.tied, marks.over)
    if verb not in words("choice"):
        return None
    return Claim(subject.who, key, {}, value.words, marks.changed, False, marks.over)


def _change(subject: Subject, tokens: Tokens, said: Said) -> Claim | None:
    """``switched (banks) (from U) to V``, ``replaced U with V``."""
    rest = tokens[1:]
    at = next((i for i, token in enumerate(rest) if token in words("toward")), None)
    if at is None or lemma(tokens[0]) not in words("change"):
        return None
    name = family(tokens)
    what = (*subject.what, *_thing(rest[:at])) or (name or lemma(tokens[0]),)
    claim = _told(subject, what, value_in(rest[at:]), said)
    if claim is None:
        return None
    named = what != (lemma(tokens[0]),)
    return replace(claim, what=claim.what if named else UNNAMED, changed=True, single=named)


def _thing(tokens: Tokens) -> Tokens:
    """What was changed: the words before ``from`` that are not empty."""
    kept = tokens
    for token in words("away") & set(tokens):
        kept = kept[: tokens.index(token)]
    return tuple(token for token in kept if token not in words("empty") | words("fresh"))


def _told(subject: Subject, what: Tokens, value: Value, said: Said) -> Claim | None:
    """The claim that ``what`` is of that value."""
    key = canonical(what)
    if key == {"age"}:
        return _person_is(subject, value, said)
    if not key or key & stems("vague") or value.is_empty:
        return None
    marks = said.marks
    changed = marks.changed or marks.recent or subject.fresh
    single = not marks.tied and _one_at_a_time(what, key, value, said.names)
    claim = Claim(subject.who, key, value.looks, value.words, changed, single, marks.over)
    return claim if changed or single else None


def _one_at_a_time(what: Tokens, key: frozenset[str], value: Value, names: frozenset[str]) -> bool:
    """Whether two such statements exclude each other without saying so."""
    sure = bool(value.looks) or not names.isdisjoint(value.tokens)
    if key & words("preferred"):
        return len(key) > 1
    if sure or key & groups("says").keys():
        return sure
    plural = what[-1].endswith("s") and not what[-1].endswith("ss")
    return not plural and len(key) > 1
