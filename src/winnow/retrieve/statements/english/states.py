"""What a clause states of its subject, if anything that may change."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

from winnow.language.gazetteer import stem
from winnow.retrieve.statements.claims import SELF, UNNAMED, Claim, groups, looks, words
from winnow.retrieve.statements.english.attributes import (
    Value,
    canonical,
    content,
    family,
    is_past,
    lemma,
    looking,
    stems,
    value_in,
)
from winnow.retrieve.statements.english.clauses import Said, Tokens
from winnow.retrieve.statements.english.subjects import Subject, noun_phrase

_LOOSE_AGE = re.compile(r"\D+")


def stated(subject: Subject, said: Said) -> Claim | None:
    """The claim of a clause; None where it makes none that can be told."""
    tokens = _main(subject.rest)
    if len(tokens) < 2 or words("denies") & set(tokens[:3]):
        return _denial(subject, said)
    if tokens[0] in words("be"):
        claim = _being(subject, tokens[1:], said, is_past(tokens[0]) or tokens[0] in words("past"))
    else:
        claim = _change(subject, tokens, said) or _doing(subject, tokens, said)
    return _introduced(subject, tokens, said) or claim or _reached(subject, tokens, said)


def _main(rest: Tokens) -> Tokens:
    """The words from the main verb on: ``have just started working at`` -> working at."""
    tokens = tuple(token for token in rest if token not in words("adverb"))
    while len(tokens) > 1 and tokens[0] in words("auxiliary") - words("be") and _is_participle(tokens[1]):
        tokens = tokens[1:]
    begins = len(tokens) > 2 and lemma(tokens[0]) in words("begins") and tokens[1].endswith("ing")
    return tokens[1:] if begins else tokens


def _is_participle(token: str) -> bool:
    return is_past(token) or token in words("be") | words("participle") | words("denies")


def _introduced(subject: Subject, tokens: Tokens, said: Said) -> Claim | None:
    """``see a new therapist named Joel Park``."""
    at = next((at for at, token in enumerate(tokens) if token in words("named")), 0)
    fresh = [n for n, token in enumerate(tokens[:at]) if token in words("fresh")]
    if not fresh:
        return None
    what = tokens[fresh[-1] + 1 : at]
    claim = _told(replace(subject, fresh=True), what, value_in(tokens[at:]), said)
    return None if claim is None else replace(claim, what=canonical(what))


def _reached(subject: Subject, tokens: Tokens, said: Said) -> Claim | None:
    """An address that names itself, where news are told: ``use a@b.org from now on``."""
    found = looks(" ".join(tokens))
    kind = next((kind for kind in groups("implied") if kind in found), "")
    if not kind or not said.marks.changed:
        return None
    return Claim(subject.who, frozenset({kind}), {kind: found[kind]}, changed=True)


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
    what = canonical(subject.what) or UNNAMED
    return Claim(subject.who, what, changed=True, single=False, over=said.marks.over)


def _being(subject: Subject, rest: Tokens, said: Said, past: bool) -> Claim | None:
    """``X is Y``, ``X got moved to Y``, ``X is based in Y``."""
    while rest and rest[0] in words("be"):
        rest = rest[1:]
    if not rest:
        return None
    if lemma(rest[0]) in words("change") and (is_past(rest[0]) or rest[0] in words("participle")):
        return _change(subject, rest, said)
    return None if past else _being_now(subject, rest, said)


def _being_now(subject: Subject, rest: Tokens, said: Said) -> Claim | None:
    plain = tuple(token for token in rest if token not in words("silent"))
    if plain and (name := family(plain)):
        return _told(subject, (name,), value_in(plain[1:]), said)
    if rest[0].endswith("ing") and lemma(rest[0]) in words("habit"):
        return _doing(subject, rest, said)
    if subject.what:
        return _told(subject, subject.what, value_in(rest), said)
    return _person_is(subject, value_in(rest), said)


def _person_is(subject: Subject, value: Value, said: Said) -> Claim | None:
    """``I am 30``, ``my sister is 30``, ``my dog is called Rex``, ``my boss is Dana``."""
    changed = said.marks.changed or subject.fresh
    bare = value.looks.get("number", "") if len(value.tokens) == 1 else ""
    if age := _LOOSE_AGE.sub("", value.looks.get("age", bare)):
        return Claim(subject.who, frozenset({"age"}), {"age": age}, changed=changed)
    for kind in value.looks.keys() & words("measures"):
        return Claim(subject.who, frozenset({kind}), {kind: value.looks[kind]}, changed=changed)
    return (
        _in_state(subject, value, changed)
        or _named(subject, value, said, changed)
        or _at_number(subject, value, said)
    )


def _in_state(subject: Subject, value: Value, changed: bool) -> Claim | None:
    """``I'm engaged now``, ``my sister is a vegan``."""
    state = next((name for name in groups("states") if stems_of(name) & value.words), "")
    return Claim(subject.who, frozenset({state}), {}, value.words, changed) if state else None


@cache
def stems_of(state: str) -> frozenset[str]:
    """The stems of words of which one holds at a time."""
    return frozenset(map(stem, groups("states")[state]))


def _named(subject: Subject, value: Value, said: Said, changed: bool) -> Claim | None:
    if subject.who == SELF or not value.tokens or not said.names.issuperset(value.tokens):
        return None
    return Claim(subject.who, frozenset({"name"}), words=value.words, changed=changed)


def _at_number(subject: Subject, value: Value, said: Said) -> Claim | None:
    """``I'm on 20 mg of Lexapro``, ``I'm on page 120``."""
    if not value.looks or "span" in value.looks or said.marks.tied or len(value.words) not in {1, 2}:
        return None
    return Claim(subject.who, value.words, value.looks, changed=said.marks.changed)


def _doing(subject: Subject, tokens: Tokens, said: Said) -> Claim | None:
    """``I live in Oslo``, ``the shop opens at nine``, ``I drink tea``."""
    verb, name = lemma(tokens[0]), family(tokens)
    if name and not (subject.what and subject.who == SELF):
        return _told(subject, (name,), value_in(tokens[1:]), said)
    value = value_in(tokens[1:])
    event = is_past(tokens[0]) and verb not in words("begins")
    if verb not in words("habit") or event or not value.tokens:
        return None
    return _habit(subject, verb, tokens[1:], value, said)


def _habit(subject: Subject, verb: str, rest: Tokens, value: Value, said: Said) -> Claim | None:
    """What is done with a number is told by it, what is done with a thing by the verb alone."""
    key = canonical(subject.what) | ({verb} - words("empty_verbs"))
    if value.looks:
        return _measured(subject, key, rest, value, said)
    if verb not in words("choice") or words("others") & set(value.tokens):
        return None
    thing, value = _handled(rest, value)
    if not value.words:
        return None
    marks = said.marks
    return Claim(subject.who, key | content(thing), {}, value.words, marks.changed, False, marks.over)


def _measured(subject: Subject, key: frozenset[str], rest: Tokens, value: Value, said: Said) -> Claim:
    """``I take 50 mg of it``, ``my son started third grade``."""
    beside = (content(rest) - content(value.tokens) - looking(rest)) | value.words
    kinds = frozenset(kind for kind in groups("measures") if kind in value.looks)
    key = kinds if kinds and subject.who != SELF else key | beside
    marks = said.marks
    return Claim(subject.who, key, value.looks, frozenset(), marks.changed, not marks.tied, marks.over)


def _handled(rest: Tokens, value: Value) -> tuple[Tokens, Value]:
    """``my coffee`` and ``with oat milk``, ``the spare key`` and ``under the mat``."""
    if rest[0] not in words("owner") | words("determiner") or len(rest) < 3:
        return (), value
    at = next((at for at, token in enumerate(rest) if token in words("at_place")), 2)
    return (rest[1:at], value_in(rest[at:])) if rest[at:] else ((), value)


def _change(subject: Subject, tokens: Tokens, said: Said) -> Claim | None:
    """``switched (banks) (from U) to V``, ``replaced U with V``."""
    rest = tokens[1:]
    at = _toward(rest)
    if at is None or not _is_change(tokens):
        return None
    changed = _changed_thing(subject, rest[:at], said)
    what = changed.what or tuple(filter(None, [family(tokens)]))
    claim = _told(changed, what or tokens[:1], value_in(rest[at:]), said)
    if claim is None:
        return None
    if what and lemma(tokens[0]) not in words("trades"):
        return replace(claim, changed=True, single=True)
    return _unnamed(claim, content(rest[:at]))


def _unnamed(claim: Claim, over: frozenset[str]) -> Claim:
    """A change of what is not named, of what it takes the place of: ``traded the Golf for a Mini``."""
    return replace(claim, what=UNNAMED, changed=True, single=False, over=claim.over | over)


def _is_change(tokens: Tokens) -> bool:
    verb = lemma(tokens[0])
    return verb in words("change") and (verb not in words("directed") or tokens[1] in words("directions"))


def _toward(rest: Tokens) -> int | None:
    """Where the new value begins."""
    for leading in ("toward", "else_toward"):
        for at, token in enumerate(rest):
            if token in words(leading):
                return at
    return None


def _changed_thing(subject: Subject, told: Tokens, said: Said) -> Subject:
    """Whose and what was changed: ``the doctor lowered my dose`` speaks of mine."""
    thing = _thing(told)
    if not thing:
        return subject
    found = noun_phrase(thing, (), said, subject)
    if found is None:
        return replace(subject, what=(*subject.what, *thing))
    inherits = (
        found.who == SELF and subject.who != SELF and not words("owner") & set(thing) and not subject.what
    )
    return replace(found, who=subject.who) if inherits and subject.who else found


def _thing(tokens: Tokens) -> Tokens:
    """What was changed: the words before ``from`` that are not empty."""
    kept = tokens
    for token in words("away") & set(tokens):
        kept = kept[: tokens.index(token)]
    return tuple(token for token in kept if token not in words("fresh") | words("particles"))


def _told(subject: Subject, what: Tokens, value: Value, said: Said) -> Claim | None:
    """The claim that ``what`` is of that value."""
    key = canonical(what)
    if key == {"age"}:
        return _person_is(subject, value, said)
    if not key or key & stems("vague") or _says_little(value):
        return None
    marks = said.marks
    single = not marks.tied and _one_at_a_time(what, key, value, said.names)
    changed = marks.changed or subject.fresh or (marks.recent and single)
    return Claim(subject.who, key, value.looks, value.words, changed, single, marks.over)


def _says_little(value: Value) -> bool:
    return value.is_empty or bool(words("others") & set(value.tokens)) or bool(stems("praise") & value.words)


def _one_at_a_time(what: Tokens, key: frozenset[str], value: Value, names: frozenset[str]) -> bool:
    """Whether two such statements exclude each other without saying so."""
    sure = bool(value.looks) or not names.isdisjoint(value.tokens)
    if key & words("preferred"):
        return len(key) > 1
    if sure or key & groups("says").keys():
        return sure
    plural = what[-1].endswith("s") and not what[-1].endswith("ss")
    return not plural and len(key) > 1
