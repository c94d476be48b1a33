"""What a clause states of its subject, if anything that may change."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

from winnow.language.gazetteer import stem
from winnow.retrieve.statements.claims import (
    SPEAKER,
    UNNAMED_ATTRIBUTE,
    StatementClaim,
    statement_groups,
    statement_words,
    typed_values,
)
from winnow.retrieve.statements.english.subjects import (
    ClauseSubject,
    ClauseValue,
    EnglishClause,
    Tokens,
    canonical_attribute,
    clause_value,
    content_stems,
    is_past,
    noun_phrase,
    stem_list,
    typed_words,
    verb_family,
    verb_lemma,
)

_LOOSE_AGE = re.compile(r"\D+")


def clause_claim(subject: ClauseSubject, said: EnglishClause) -> StatementClaim | None:
    """The claim of a clause; None where it makes none that can be told."""
    tokens = _main_verb(subject.rest)
    if len(tokens) < 2 or statement_words("denies") & set(tokens[:3]):
        return _denial_claim(subject, said)
    if tokens[0] in statement_words("be"):
        claim = _being_claim(
            subject, tokens[1:], said, is_past(tokens[0]) or tokens[0] in statement_words("past")
        )
    else:
        claim = _change_claim(subject, tokens, said) or _action_claim(subject, tokens, said)
    return _introduction_claim(subject, tokens, said) or claim or _address_claim(subject, tokens, said)


def _main_verb(rest: Tokens) -> Tokens:
    """The words from the main verb on: ``have just started working at`` -> working at."""
    tokens = tuple(token for token in rest if token not in statement_words("adverb"))
    while (
        len(tokens) > 1
        and tokens[0] in statement_words("auxiliary") - statement_words("be")
        and _is_participle(tokens[1])
    ):
        tokens = tokens[1:]
    begins = (
        len(tokens) > 2 and verb_lemma(tokens[0]) in statement_words("begins") and tokens[1].endswith("ing")
    )
    return tokens[1:] if begins else tokens


def _is_participle(token: str) -> bool:
    return is_past(token) or token in statement_words("be") | statement_words("participle") | statement_words(
        "denies"
    )


def _introduction_claim(subject: ClauseSubject, tokens: Tokens, said: EnglishClause) -> StatementClaim | None:
    """``see a new therapist named Joel Park``."""
    at = next((at for at, token in enumerate(tokens) if token in statement_words("named")), 0)
    fresh = [n for n, token in enumerate(tokens[:at]) if token in statement_words("fresh")]
    if not fresh:
        return None
    what = tokens[fresh[-1] + 1 : at]
    claim = _attribute_claim(replace(subject, fresh=True), what, clause_value(tokens[at:]), said)
    return None if claim is None else replace(claim, what=canonical_attribute(what))


def _address_claim(subject: ClauseSubject, tokens: Tokens, said: EnglishClause) -> StatementClaim | None:
    """An address that names itself, where news are told: ``use a@b.org from now on``."""
    found = typed_values(" ".join(tokens))
    kind = next((kind for kind in statement_groups("implied") if kind in found), "")
    if not kind or not said.marks.changed:
        return None
    return StatementClaim(subject.who, frozenset({kind}), {kind: found[kind]}, changed=True)


def renewed_topic(subject: ClauseSubject) -> Tokens:
    """What a clause says to be another now: ``got a new number``, ``switched dentists``."""
    tokens = tuple(token for token in subject.rest if token not in statement_words("adverb"))
    fresh = next((at for at, token in enumerate(tokens) if token in statement_words("fresh")), None)
    if fresh is not None:
        return clause_value(tokens[fresh + 1 :]).tokens[:2]
    if tokens and verb_lemma(tokens[0]) in statement_words("change") and is_past(tokens[0]):
        return clause_value(tokens[1:]).tokens[:2]
    return ()


def _denial_claim(subject: ClauseSubject, said: EnglishClause) -> StatementClaim | None:
    if not said.marks.over or not said.marks.changed:
        return None
    what = canonical_attribute(subject.what) or UNNAMED_ATTRIBUTE
    return StatementClaim(subject.who, what, changed=True, single=False, ended_words=said.marks.over)


def _being_claim(
    subject: ClauseSubject, rest: Tokens, said: EnglishClause, past: bool
) -> StatementClaim | None:
    """``X is Y``, ``X got moved to Y``, ``X is based in Y``."""
    while rest and rest[0] in statement_words("be"):
        rest = rest[1:]
    if not rest:
        return None
    if verb_lemma(rest[0]) in statement_words("change") and (
        is_past(rest[0]) or rest[0] in statement_words("participle")
    ):
        return _change_claim(subject, rest, said)
    return None if past else _being_now(subject, rest, said)


def _being_now(subject: ClauseSubject, rest: Tokens, said: EnglishClause) -> StatementClaim | None:
    plain = tuple(token for token in rest if token not in statement_words("silent"))
    if plain and (name := verb_family(plain)):
        return _attribute_claim(subject, (name,), clause_value(plain[1:]), said)
    if rest[0].endswith("ing") and verb_lemma(rest[0]) in statement_words("habit"):
        return _action_claim(subject, rest, said)
    if subject.what:
        return _attribute_claim(subject, subject.what, clause_value(rest), said)
    return _person_is(subject, clause_value(rest), said)


def _person_is(subject: ClauseSubject, value: ClauseValue, said: EnglishClause) -> StatementClaim | None:
    """``I am 30``, ``my sister is 30``, ``my dog is called Rex``, ``my boss is Dana``."""
    changed = said.marks.changed or subject.fresh
    bare = value.looks.get("number", "") if len(value.tokens) == 1 else ""
    if age := _LOOSE_AGE.sub("", value.looks.get("age", bare)):
        return StatementClaim(subject.who, frozenset({"age"}), {"age": age}, changed=changed)
    for kind in value.looks.keys() & statement_words("measures"):
        return StatementClaim(subject.who, frozenset({kind}), {kind: value.looks[kind]}, changed=changed)
    state = next((name for name in statement_groups("states") if stems_of(name) & value.words), "")
    return (
        (StatementClaim(subject.who, frozenset({state}), {}, value.words, changed) if state else None)
        or _name_claim(subject, value, said, changed)
        or _at_number(subject, value, said)
    )


@cache
def stems_of(state: str) -> frozenset[str]:
    """The stems of words of which one holds at a time."""
    return frozenset(map(stem, statement_groups("states")[state]))


def _name_claim(
    subject: ClauseSubject, value: ClauseValue, said: EnglishClause, changed: bool
) -> StatementClaim | None:
    if subject.who == SPEAKER or not value.tokens or not said.names.issuperset(value.tokens):
        return None
    return StatementClaim(subject.who, frozenset({"name"}), words=value.words, changed=changed)


def _at_number(subject: ClauseSubject, value: ClauseValue, said: EnglishClause) -> StatementClaim | None:
    """``I'm on 20 mg of Lexapro``, ``I'm on page 120``."""
    if not value.looks or "span" in value.looks or said.marks.tied or len(value.words) not in {1, 2}:
        return None
    return StatementClaim(subject.who, value.words, value.looks, changed=said.marks.changed)


def _action_claim(subject: ClauseSubject, tokens: Tokens, said: EnglishClause) -> StatementClaim | None:
    """``I live in Oslo``, ``the shop opens at nine``, ``I drink tea``."""
    verb, name = verb_lemma(tokens[0]), verb_family(tokens)
    if name and not (subject.what and subject.who == SPEAKER):
        return _attribute_claim(subject, (name,), clause_value(tokens[1:]), said)
    value = clause_value(tokens[1:])
    event = is_past(tokens[0]) and verb not in statement_words("begins")
    if verb not in statement_words("habit") or event or not value.tokens:
        return None
    return _habit_claim(subject, verb, tokens[1:], value, said)


def _habit_claim(
    subject: ClauseSubject, verb: str, rest: Tokens, value: ClauseValue, said: EnglishClause
) -> StatementClaim | None:
    """What is done with a number is told by it, what is done with a thing by the verb alone."""
    key = canonical_attribute(subject.what) | ({verb} - statement_words("empty_verbs"))
    if value.looks:
        beside = (content_stems(rest) - content_stems(value.tokens) - typed_words(rest)) | value.words
        kinds = frozenset(kind for kind in statement_groups("measures") if kind in value.looks)
        key = kinds if kinds and subject.who != SPEAKER else key | beside
        marks = said.marks
        return StatementClaim(
            subject.who, key, value.looks, frozenset(), marks.changed, not marks.tied, marks.over
        )
    if verb not in statement_words("choice") or statement_words("others") & set(value.tokens):
        return None
    thing, value = _split_object(rest, value)
    if not value.words:
        return None
    marks = said.marks
    return StatementClaim(
        subject.who, key | content_stems(thing), {}, value.words, marks.changed, False, marks.over
    )


def _split_object(rest: Tokens, value: ClauseValue) -> tuple[Tokens, ClauseValue]:
    """``my coffee`` and ``with oat milk``, ``the spare key`` and ``under the mat``."""
    if rest[0] not in statement_words("owner") | statement_words("determiner") or len(rest) < 3:
        return (), value
    at = next((at for at, token in enumerate(rest) if token in statement_words("at_place")), 2)
    return (rest[1:at], clause_value(rest[at:])) if rest[at:] else ((), value)


def _change_claim(subject: ClauseSubject, tokens: Tokens, said: EnglishClause) -> StatementClaim | None:
    """``switched (banks) (from U) to V``, ``replaced U with V``."""
    rest = tokens[1:]
    at = _toward(rest)
    if at is None:
        return None
    verb = verb_lemma(tokens[0])
    is_change = verb in statement_words("change") and (
        verb not in statement_words("directed") or tokens[1] in statement_words("directions")
    )
    if not is_change:
        return None
    changed = _changed_thing(subject, rest[:at], said)
    what = changed.what or tuple(filter(None, [verb_family(tokens)]))
    claim = _attribute_claim(changed, what or tokens[:1], clause_value(rest[at:]), said)
    if claim is None:
        return None
    if what and verb_lemma(tokens[0]) not in statement_words("trades"):
        return replace(claim, changed=True, single=True)
    return _unnamed_change(claim, content_stems(rest[:at]))


def _unnamed_change(claim: StatementClaim, over: frozenset[str]) -> StatementClaim:
    """A change of what is not named, of what it takes the place of: ``traded the Golf for a Mini``."""
    return replace(
        claim, what=UNNAMED_ATTRIBUTE, changed=True, single=False, ended_words=claim.ended_words | over
    )


def _toward(rest: Tokens) -> int | None:
    """Where the new value begins."""
    for leading in ("toward", "else_toward"):
        for at, token in enumerate(rest):
            if token in statement_words(leading):
                return at
    return None


def _changed_thing(subject: ClauseSubject, told: Tokens, said: EnglishClause) -> ClauseSubject:
    """Whose and what was changed: ``the doctor lowered my dose`` speaks of mine."""
    thing = _thing(told)
    if not thing:
        return subject
    found = noun_phrase(thing, (), said, subject)
    if found is None:
        return replace(subject, what=(*subject.what, *thing))
    inherits = (
        found.who == SPEAKER
        and subject.who != SPEAKER
        and not statement_words("owner") & set(thing)
        and not subject.what
    )
    return replace(found, who=subject.who) if inherits and subject.who else found


def _thing(tokens: Tokens) -> Tokens:
    """What was changed: the words before ``from`` that are not empty."""
    kept = tokens
    for token in statement_words("away") & set(tokens):
        kept = kept[: tokens.index(token)]
    return tuple(
        token for token in kept if token not in statement_words("fresh") | statement_words("particles")
    )


def _attribute_claim(
    subject: ClauseSubject, what: Tokens, value: ClauseValue, said: EnglishClause
) -> StatementClaim | None:
    """The claim that ``what`` is of that value."""
    key = canonical_attribute(what)
    if key == {"age"}:
        return _person_is(subject, value, said)
    if not key or key & stem_list("vague") or _says_little(value):
        return None
    marks = said.marks
    single = not marks.tied and _one_at_a_time(what, key, value, said.names)
    changed = marks.changed or subject.fresh or (marks.recent and single)
    return StatementClaim(subject.who, key, value.looks, value.words, changed, single, marks.over)


def _says_little(value: ClauseValue) -> bool:
    return (
        value.is_empty
        or bool(statement_words("others") & set(value.tokens))
        or bool(stem_list("praise") & value.words)
    )


def _one_at_a_time(what: Tokens, key: frozenset[str], value: ClauseValue, names: frozenset[str]) -> bool:
    """Whether two such statements exclude each other without saying so."""
    sure = bool(value.looks) or not names.isdisjoint(value.tokens)
    if key & statement_words("preferred"):
        return len(key) > 1
    if sure or key & statement_groups("says").keys():
        return sure
    plural = what[-1].endswith("s") and not what[-1].endswith("ss")
    return not plural and len(key) > 1
