"""What Chinese sentences state: whose, what of theirs, and what it is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

from winnow.language.normalize import normalise
from winnow.language.patterns import patterns
from winnow.language.segment import segment
from winnow.retrieve.statements.claims import SELF, Claim, groups, looks, spans

LONG = 50
"""Characters from which a text with an opinion in it is an opinion as a whole."""
BARE = frozenset("用家里开吃喝")
"""Verbs that say nothing of what kind of thing is meant."""
NAME = "nr"
"""How the segmenter tags a person's name."""
VERBS = ("name", "home", "work", "joined")
"""Patterns that name the attribute they state."""

_QUOTED = re.compile("[\"'《》【】]")


@dataclass(frozen=True, slots=True)
class Said:
    """A stretch between two marks: whose it speaks of, what it says, and what is known around it."""

    who: str
    rest: str
    changed: bool
    recent: bool
    """Marked as news, which changes only what has one value."""
    tied: bool
    over: frozenset[str]


def chinese(text: str) -> Iterator[Claim]:
    """The claims of a Chinese text, in order."""
    plain = _QUOTED.sub("", normalise(text))
    if len(plain) > LONG and _search("review", plain):
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
    return patterns(__package__, "zh.yaml")[name]


def _search(name: str, text: str) -> bool:
    return _pattern(name).search(text) is not None


def _stretches(sentence: str, corrected: bool) -> Iterator[Said]:
    changed = corrected or _search("changes", sentence)
    tied = _search("once", sentence)
    recent = changed or (not tied and _search("recent", sentence))
    over = frozenset(piece for match in _pattern("over").finditer(sentence) for piece in pieces(match[1]))
    who, topic = SELF, ""
    for stretch in _pattern("segment").split(sentence.rstrip("。！!;；\n ")):
        told = _pattern("lead").sub("", stretch.strip())
        if not told:
            continue
        who, rest = _whose(told, who, topic)
        yield Said(who, _pattern("lead").sub("", rest), changed, recent, tied, over)
        topic = _pattern("altered").sub("", rest)


def _whose(told: str, before: str, topic: str) -> tuple[str, str]:
    """``我的表姐的电话是`` -> i/表姐, 电话是; without a subject it is the one before."""
    introduced = _pattern("introduced").match(told)
    if introduced:
        return introduced["name"], told[len(introduced["name"]) :]
    there = _pattern("there").match(told)
    if there:
        return before, (topic if before == SELF else "") + told[there.end() :]
    mine = _pattern("self").match(told)
    chain, rest = _chain(told[mine.end() :] if mine else told)
    if mine or chain:
        return "/".join([SELF, *chain]), _pattern("there").sub("", rest)
    return _of_another(told, before, topic)


def _of_another(told: str, before: str, topic: str) -> tuple[str, str]:
    owner = _pattern("owner").match(told)
    if owner:
        return owner[1], told[owner.end() :]
    named = segment(told)[:1]
    if named and named[0].tag == NAME and len(named[0].text) in {2, 3}:
        return named[0].text, told[named[0].end :]
    return before, (topic if _search("altering", told) else "") + told


def _chain(rest: str) -> tuple[list[str], str]:
    """The people through whom something is the speaker's, and what follows."""
    chain: list[str] = []
    while role := _pattern("role").match(rest):
        chain.append(person(role[0]))
        rest = rest[role.end() :]
    return chain, rest


@cache
def person(said: str) -> str:
    """A role in one spelling."""
    plain = said.rstrip("的").rstrip("们家")
    for role, alike in groups("people", "zh").items():
        if plain in alike:
            return str(role)
    return plain


def _claim(said: Said) -> Claim | None:
    if _search("further", said.rest) or not said.rest:
        return None
    introduced = _pattern("introduced").match(said.who + said.rest)
    if introduced:
        return Claim(said.who, frozenset({"role"}), words=frozenset({person(introduced["role"])}))
    return (
        _by_verb(said)
        or _by_change(said)
        or _by_being(said)
        or _by_looks(said)
        or _by_job(said)
        or _by_habit(said)
    )


def _by_verb(said: Said) -> Claim | None:
    """``住在…``, ``在…上班``, ``叫…``."""
    titled = _pattern("titled").match(said.rest) if said.who != SELF else None
    if titled:
        return _stated(said, frozenset({"name"}), titled["value"])
    for family in VERBS:
        match = _pattern(family).match(said.rest)
        if match and not (family == "name" and said.who == SELF):
            what = _workplace(match["value"]) if family in {"work", "joined"} else family
            return _stated(said, frozenset({what}), match["value"])
    return None


def _workplace(value: str) -> str:
    """``work`` for a firm, ``place`` for a town."""
    return "work" if _search("place", _trimmed(value)) else "place"


def _by_change(said: Said) -> Claim | None:
    """``健身房换成乐刻了``, ``把会议改到周四``."""
    match = _pattern("bring").match(said.rest) or _pattern("change").match(said.rest)
    if match is None:
        return None
    habit = _pattern("habit").match(match["value"])
    value = habit["value"] if habit and not habit["what"] else match["value"]
    key = canonical(match["what"]) | _implied(looks(value)) | ({habit["verb"]} if habit else set())
    return _stated(said, key, value, changed=True)


def _by_looks(said: Said) -> Claim | None:
    """``今年48岁``, ``身高177厘米``, ``电话是136…``: what is left beside the value is the attribute."""
    found = list(spans(said.rest))
    if not found:
        return None
    start, end = min(f[1] for f in found), max(f[2] for f in found)
    kinds = {kind: value for kind, _, _, value in found}
    beside = said.rest[:start] + said.rest[end:]
    key = canonical(beside) | _implied(kinds)
    if not key or len("".join(key - groups("same", "zh").keys())) > 8:
        return None
    return Claim(said.who, key, kinds, changed=said.recent, single=not said.tied, over=said.over)


def _by_being(said: Said) -> Claim | None:
    """``最喜欢的歌手是…``, ``老家在…``, ``WiFi密码是…``."""
    match = _pattern("is").match(said.rest)
    if match is None:
        return None
    told = _stated(said, canonical(match["what"]), match["value"])
    vague = _search("likes", match["what"]) or (told is not None and told.what <= BARE)
    return replace(told, single=False) if told and vague else told


def _by_job(said: Said) -> Claim | None:
    """``是做护士的``, ``是个警察``, ``是专科毕业的``."""
    degree = _pattern("degree").search(said.rest)
    if degree and said.who != SELF:
        return _stated(said, frozenset({"education"}), degree["value"])
    match = _pattern("job").match(said.rest)
    if match is None or said.who == SELF:
        return None
    told = _stated(said, frozenset({"job"}), match["value"])
    if told is None or looks(match["value"]):
        return None
    if _search("from", match["value"]):
        return replace(told, what=frozenset({"hometown"}))
    return replace(told, single=False)


def _by_habit(said: Said) -> Claim | None:
    """``早上喝咖啡``: told again of something else it does not say that the first is over."""
    match = _pattern("habit").match(said.rest)
    if match is None:
        return None
    key = canonical(match["what"]) | {match["verb"]}
    words = pieces(_trimmed(match["value"]))
    told = Claim(said.who, key, {}, words, said.changed, False, said.over)
    return told if words and (said.changed or _search("usual", said.rest)) else None


def _stated(said: Said, key: frozenset[str], value: str, changed: bool = False) -> Claim | None:
    value = _trimmed(value)
    found = looks(value)
    words = pieces(_without(value))
    if not key or not (found or words) or len(value) > 24 or _search("opinion", value + "".join(key)):
        return None
    new = changed or said.recent
    return Claim(said.who, key, found, words, new, not said.tied, said.over)


def _without(value: str) -> str:
    """What is left of a value beside its numbers and dates."""
    for _, start, end, _ in spans(value):
        value = value[:start] + " " * (end - start) + value[end:]
    return value


def _implied(kinds: object) -> frozenset[str]:
    """Attributes that a value names by itself: an age, a telephone number."""
    return frozenset(kind for kind in groups("implied", "zh") if kind in kinds)  # type: ignore[operator]


@cache
def _filler() -> re.Pattern[str]:
    adverbs = "|".join(groups("parts", "zh")["adverb"])
    return re.compile(groups("fillers", "zh").replace("{adverb}", adverbs))


@cache
def _families() -> tuple[tuple[str, str], ...]:
    listed = ((said, family) for family, alike in groups("same", "zh").items() for said in alike)
    return tuple(sorted(listed, key=lambda row: -len(row[0])))


def canonical(what: str) -> frozenset[str]:
    """The attribute in one spelling: families for words of one meaning, else what is left of it."""
    found: set[str] = set()
    for said, family in _families():
        if said in what:
            found.add(family)
            what = what.replace(said, " ")
    rest = _filler().sub("", what)
    return frozenset(found | set("".join(rest.split())))


def pieces(value: str) -> frozenset[str]:
    """Pairs of neighbouring characters of a value; two values that share most of them are one."""
    for said in groups("empty", "zh"):
        value = value.replace(said, "")
    plain = re.sub(r"[\W_]+", "", value)
    return frozenset(plain[i : i + 2] for i in range(len(plain) - 1)) or frozenset({plain} - {""})


@cache
def _tail() -> re.Pattern[str]:
    return re.compile(groups("parts", "zh")["tail"] + "$")


def _trimmed(value: str) -> str:
    return _tail().sub("", value.strip())
