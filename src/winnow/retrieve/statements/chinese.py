"""What Chinese sentences state: whose, what of theirs, and what it is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from winnow.language.normalize import normalise
from winnow.language.patterns import compiled_patterns
from winnow.language.segment import segment_words
from winnow.retrieve.statements.claims import (
    SPEAKER,
    StatementClaim,
    statement_groups,
    typed_spans,
    typed_values,
)

MIN_REVIEW_CHARS = 50
"""Characters from which a text with an opinion in it is an opinion as a whole."""
BARE_VERBS = frozenset("用家里开吃喝")
"""Verbs that say nothing of what kind of thing is meant."""
PERSON_TAG = "nr"
"""How the segmenter tags a person's name."""
NAMING_PATTERNS = ("name", "home", "work", "joined")
"""Patterns that name the attribute they state."""

_QUOTED = re.compile("[\"'《》【】]")


@dataclass(frozen=True, slots=True)
class ChineseClause:
    """A stretch between two marks: whose it speaks of, what it says, and what is known around it."""

    who: str
    rest: str
    changed: bool
    recent: bool
    """Marked as news, which changes only what has one value."""
    tied: bool
    over: frozenset[str]


def chinese_claims(text: str) -> Iterator[StatementClaim]:
    """The claims of a Chinese text, in order."""
    plain = _QUOTED.sub("", normalise(text))
    if len(plain) > MIN_REVIEW_CHARS and _search("review", plain):
        return
    corrected = _search("corrects", plain)
    for sentence in _pattern("sentence").findall(plain):
        if _search("question", sentence) or _search("unsure", sentence) or _search("review", sentence):
            continue
        for said in _stretches(sentence, corrected):
            claim = _claim(said)
            if claim is not None:
                yield claim


def _pattern(name: str) -> re.Pattern[str]:
    return compiled_patterns(__package__, "zh.yaml")[name]


def _search(name: str, text: str) -> bool:
    return _pattern(name).search(text) is not None


def _stretches(sentence: str, corrected: bool) -> Iterator[ChineseClause]:
    changed = corrected or _search("changes", sentence)
    tied = _search("once", sentence)
    recent = changed or (not tied and _search("recent", sentence))
    over = frozenset(
        piece for match in _pattern("over").finditer(sentence) for piece in character_pairs(match[1])
    )
    who, topic = SPEAKER, ""
    for stretch in _pattern("segment").split(sentence.rstrip("。！!;；\n ")):
        told = _pattern("lead").sub("", stretch.strip())
        if not told:
            continue
        who, rest = _whose(told, who, topic)
        yield ChineseClause(who, _pattern("lead").sub("", rest), changed, recent, tied, over)
        topic = _pattern("altered").sub("", rest)


def _whose(told: str, before: str, topic: str) -> tuple[str, str]:
    """``我的表姐的电话是`` -> i/表姐, 电话是; without a subject it is the one before."""
    introduced = _pattern("introduced").match(told)
    if introduced:
        return introduced["name"], told[len(introduced["name"]) :]
    there = _pattern("there").match(told)
    if there:
        return before, (topic if before == SPEAKER else "") + told[there.end() :]
    mine = _pattern("self").match(told)
    # The people through whom something is the speaker's, and what follows
    chain: list[str] = []
    rest = told[mine.end() :] if mine else told
    while role := _pattern("role").match(rest):
        chain.append(canonical_person(role[0]))
        rest = rest[role.end() :]
    if mine or chain:
        return "/".join([SPEAKER, *chain]), _pattern("there").sub("", rest)
    return _of_another(told, before, topic)


def _of_another(told: str, before: str, topic: str) -> tuple[str, str]:
    owner = _pattern("owner").match(told)
    if owner:
        return owner[1], told[owner.end() :]
    named = segment_words(told)[:1]
    if named and named[0].tag == PERSON_TAG and len(named[0].text) in {2, 3}:
        return named[0].text, told[named[0].end :]
    return before, (topic if _search("altering", told) else "") + told


@lru_cache(maxsize=16384)
def canonical_person(said: str) -> str:
    """A role in one spelling."""
    plain = said.rstrip("的").rstrip("们家")
    for role, alike in statement_groups("people", "zh").items():
        if plain in alike:
            return str(role)
    return plain


def _claim(said: ChineseClause) -> StatementClaim | None:
    if _search("further", said.rest) or not said.rest:
        return None
    introduced = _pattern("introduced").match(said.who + said.rest)
    if introduced:
        return StatementClaim(
            said.who, frozenset({"role"}), words=frozenset({canonical_person(introduced["role"])})
        )
    return (
        _by_verb(said)
        or _by_change(said)
        or _by_being(said)
        or _by_looks(said)
        or _by_job(said)
        or _by_habit(said)
    )


def _by_verb(said: ChineseClause) -> StatementClaim | None:
    """``住在…``, ``在…上班``, ``叫…``."""
    titled = _pattern("titled").match(said.rest) if said.who != SPEAKER else None
    if titled:
        return _value_claim(said, frozenset({"name"}), titled["value"])
    for family in NAMING_PATTERNS:
        match = _pattern(family).match(said.rest)
        if match and not (family == "name" and said.who == SPEAKER):
            if family in {"work", "joined"}:
                what = "work" if _search("place", _trim_value(match["value"])) else "place"
            else:
                what = family
            return _value_claim(said, frozenset({what}), match["value"])
    return None


def _by_change(said: ChineseClause) -> StatementClaim | None:
    """``健身房换成乐刻了``, ``把会议改到周四``."""
    match = _pattern("bring").match(said.rest) or _pattern("change").match(said.rest)
    if match is None:
        return None
    habit = _pattern("habit").match(match["value"])
    value = habit["value"] if habit and not habit["what"] else match["value"]
    key = (
        canonical_attribute(match["what"])
        | _implied_attributes(typed_values(value))
        | ({habit["verb"]} if habit else set())
    )
    return _value_claim(said, key, value, changed=True)


def _by_looks(said: ChineseClause) -> StatementClaim | None:
    """``今年48岁``, ``身高177厘米``, ``电话是136…``: what is left beside the value is the attribute."""
    found = list(typed_spans(said.rest))
    if not found:
        return None
    start, end = min(f[1] for f in found), max(f[2] for f in found)
    kinds = {kind: value for kind, _, _, value in found}
    beside = said.rest[:start] + said.rest[end:]
    key = canonical_attribute(beside) | _implied_attributes(kinds)
    if not key or len("".join(key - statement_groups("same", "zh").keys())) > 8:
        return None
    return StatementClaim(
        said.who, key, kinds, changed=said.recent, single=not said.tied, ended_words=said.over
    )


def _by_being(said: ChineseClause) -> StatementClaim | None:
    """``最喜欢的歌手是…``, ``老家在…``, ``WiFi密码是…``."""
    match = _pattern("is").match(said.rest)
    if match is None:
        return None
    told = _value_claim(said, canonical_attribute(match["what"]), match["value"])
    vague = _search("likes", match["what"]) or (told is not None and told.what <= BARE_VERBS)
    return replace(told, single=False) if told and vague else told


def _by_job(said: ChineseClause) -> StatementClaim | None:
    """``是做护士的``, ``是个警察``, ``是专科毕业的``."""
    degree = _pattern("degree").search(said.rest)
    if degree and said.who != SPEAKER:
        return _value_claim(said, frozenset({"education"}), degree["value"])
    match = _pattern("job").match(said.rest)
    if match is None or said.who == SPEAKER:
        return None
    told = _value_claim(said, frozenset({"job"}), match["value"])
    if told is None or typed_values(match["value"]):
        return None
    if _search("from", match["value"]):
        return replace(told, what=frozenset({"hometown"}))
    return replace(told, single=False)


def _by_habit(said: ChineseClause) -> StatementClaim | None:
    """``早上喝咖啡``: told again of something else it does not say that the first is over."""
    match = _pattern("habit").match(said.rest)
    if match is None:
        return None
    key = canonical_attribute(match["what"]) | {match["verb"]}
    words = character_pairs(_trim_value(match["value"]))
    told = StatementClaim(said.who, key, {}, words, said.changed, False, said.over)
    return told if words and (said.changed or _search("usual", said.rest)) else None


def _value_claim(
    said: ChineseClause, key: frozenset[str], value: str, changed: bool = False
) -> StatementClaim | None:
    value = _trim_value(value)
    found = typed_values(value)
    # Numbers and dates are compared by their looks, not by their characters.
    plain = value
    for _, start, end, _ in typed_spans(value):
        plain = plain[:start] + " " * (end - start) + plain[end:]
    words = character_pairs(plain)
    if not key or not (found or words) or len(value) > 24 or _search("opinion", value + "".join(key)):
        return None
    new = changed or said.recent
    return StatementClaim(said.who, key, found, words, new, not said.tied, said.over)


def _implied_attributes(kinds: object) -> frozenset[str]:
    """Attributes that a value names by itself: an age, a telephone number."""
    return frozenset(kind for kind in statement_groups("implied", "zh") if kind in kinds)  # type: ignore[operator]


@cache
def _filler() -> re.Pattern[str]:
    adverbs = "|".join(statement_groups("parts", "zh")["adverb"])
    return re.compile(statement_groups("fillers", "zh").replace("{adverb}", adverbs))


@cache
def _families() -> tuple[tuple[str, str], ...]:
    listed = ((said, family) for family, alike in statement_groups("same", "zh").items() for said in alike)
    return tuple(sorted(listed, key=lambda row: -len(row[0])))


def canonical_attribute(what: str) -> frozenset[str]:
    """The attribute in one spelling: families for words of one meaning, else what is left of it."""
    found: set[str] = set()
    for said, family in _families():
        if said in what:
            found.add(family)
            what = what.replace(said, " ")
    rest = _filler().sub("", what)
    return frozenset(found | set("".join(rest.split())))


def character_pairs(value: str) -> frozenset[str]:
    """Pairs of neighbouring characters of a value; two values that share most of them are one."""
    for said in statement_groups("empty", "zh"):
        value = value.replace(said, "")
    plain = re.sub(r"[\W_]+", "", value)
    return frozenset(plain[i : i + 2] for i in range(len(plain) - 1)) or frozenset({plain} - {""})


@cache
def _tail() -> re.Pattern[str]:
    return re.compile(statement_groups("parts", "zh")["tail"] + "$")


def _trim_value(value: str) -> str:
    return _tail().sub("", value.strip())
