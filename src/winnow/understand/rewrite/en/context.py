"""Context of an English follow-up: its candidate phrases, and the terms that make a query fuller."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import log1p
from operator import itemgetter

from winnow.language.patterns import compiled_patterns
from winnow.types.query import CopiedSpan, Rewrite, of_kind, without_kind
from winnow.types.utterance import Turn
from winnow.understand.rewrite.en.mentions import MAX_MENTION_WORDS, MAX_READ_CHARS, EnglishMention, mentions
from winnow.understand.rewrite.en.slots import ENDS, EnglishToken, find_slots, lists, tokens
from winnow.understand.rewrite.lists import marked_items

# ``How long?`` after an explanation: the question with what the talk is about.

MAX_PHRASE_WORDS = 5
"""Words of a question that is nothing but its first part."""
EXPLAINS = 80
"""Characters from which an answer explains something, which is then what the talk is about."""
MAX_USES_WORDS = 9
"""Words of a question about what may be done otherwise."""


def _patterns() -> Mapping[str, re.Pattern[str]]:
    return compiled_patterns(__package__, "patterns.yaml")


def asked_barely(query: str, history: Sequence[Turn], skipped: int = 0) -> Rewrite | None:
    """``How much salt?`` and ``for the bread`` behind it; None where it says more, or nothing was told."""
    read, joined = tokens(query), "for"
    if _patterns()["wish"].match(query):
        about, joined = topic(history, least=1), "about"
    elif _is_bare(read):
        about = topic(history)
    else:
        about = topic(history, only_how=True) if _is_about_a_part(query, read) else None
    if about is None or about.words[-1] in {token.low for token in read}:
        return None
    body = query.rstrip(" ?!.")
    text = f"{body} {joined} {about.text}{query[len(body) :]}"
    span = CopiedSpan(about.text, about.turn + skipped, len(body))
    return Rewrite(text, True, (span,), "bare", confidence=0.7)


def _is_bare(read: Sequence[EnglishToken], asks: str = "bare_asks") -> bool:
    """Whether a question is only a question word and what it measures or chooses: ``at what temperature``.

    Or only what one asks about a thing: ``the ingredients``.
    """
    leads, words = _leads(read)
    bare = words[words[:1] == ["the"] :]
    if bare and len(bare) <= 2 and bare[-1] in lists()["attributes"] and bare[0] not in lists()["asks"]:
        return True
    asks = asks if lists()["bare_places"].isdisjoint(leads) else "bare_at"
    more = {token.low for token in of_kind(read, "verb")}.union(lists()["bare_stops"])
    short = 2 <= len(words) <= MAX_PHRASE_WORDS and words[0] in lists()[asks]
    return short and more.isdisjoint(words[1:])


def _leads(read: Sequence[EnglishToken]) -> tuple[list[str], list[str]]:
    """The words of a question: ``and``, ``so``, ``at`` and the like before it, and the others."""
    words = [token.low for token in without_kind(read, "mark")]
    at = next((n for n, word in enumerate(words) if word not in lists()["bare_leads"]), len(words))
    return words[:at], words[at:]


def _is_about_a_part(query: str, read: tuple[EnglishToken, ...]) -> bool:
    """Whether a question names a step, a choice or what may be done otherwise, and no thing it is done to."""
    if _is_bare(read, "bare_at"):
        return True
    words = _leads(read)[1]
    if words[:1] and words[0] in lists()["exists"] and words[-1] in lists()["variants"]:
        return True
    if any(slot.form != "nth" for slot in find_slots(read)) or not lists()["aims"].isdisjoint(words):
        return False
    # can I use less oil; how much oil should I use
    until = 4 if words[:1] and words[0] in lists()["may"] else 7 if words[:1] == ["how"] else 0
    uses = len(words) <= MAX_USES_WORDS and not lists()["uses"].isdisjoint(words[1:until])
    return uses or _patterns()["step"].search(query) is not None


def topic(history: Sequence[Turn], *, only_how: bool = False, least: int = EXPLAINS) -> EnglishMention | None:
    """What the last full question of the user is about, where an explanation followed.

    ``least``: its characters. ``only_how``: where the last question that names anything asks how it is done.
    """
    for turn in reversed(range(len(history) - 1)):
        said, reply = history[turn], history[turn + 1]
        text, how = said.content[:MAX_READ_CHARS], _patterns()["asks_how"].match(said.content) is not None
        if (said.role, reply.role) != ("user", "assistant") or (only_how and not how and _goes_on(text)):
            continue
        about = _asked_about(text, first=how)
        if about and (how or (len(reply.content) >= least and not only_how)):
            return about._replace(turn=turn)
        if about and only_how:
            return None
    return None


def _goes_on(text: str) -> bool:
    """Whether a question goes on with what was talked about, and names nothing new."""
    read = tokens(text)
    return _is_bare(read, "bare_at") or any(slot.form in lists()["goes_on"] for slot in find_slots(read))


def _asked_about(text: str, *, first: bool) -> EnglishMention | None:
    """The last thing that a question names, or the ``first`` one that something is done to."""
    guides = lists()["guides"]
    found = [
        m
        for m in of_kind(mentions([Turn("user", text)]), "noun", "name", "title")
        if m.words[-1] not in lists()["vague"]
        and not (first and (m.before in lists()["reached"] or (m.words[0] in guides and len(m.words) == 1)))
    ]
    if not found:
        return None
    about = found[0 if first else -1]
    # a recipe for bread, and a bread recipe, is about bread
    if len(about.words) > 1 and about.words[-1] in guides:
        return about._replace(text=about.text.rpartition(" ")[0], words=about.words[:-1])
    return about


LONGEST_ELLIPSIS = 6
"""Words of what is asked about instead."""
ALIKE = 3
"""How alike two phrases must be for one to take the other's place; see ``_likeness``."""


def asked_of_another(query: str, history: Sequence[Turn], skipped: int = 0) -> Rewrite | None:
    """The last question with the phrase of its that is most like the one asked about replaced by it.

    None where none is alike.
    """
    match = _patterns()["about"].match(query)
    turn = max((i for i, turn in enumerate(history) if turn.role == "user"), default=-1)
    if match is None or turn < 0 or any(slot.form == "nth" for slot in find_slots(tokens(query))):
        return None
    if match["rest"].lower() in _listed(history[-1]):
        return None  # more of what was just listed is asked for, not the same again
    question, other = _first_question(history[turn].content[:MAX_READ_CHARS]), tokens(match["rest"])
    place = _place(question, other) if question and _short(other) else None
    if place is None:
        return None
    return _completed_question(
        match, (question[: place[0]].strip(), question[place[1] :].strip()), turn + skipped
    )


def _listed(reply: Turn) -> str:
    """All that a reply lists, in lower case."""
    joined = (m.text for m in of_kind(mentions([reply]), "list", "choice"))
    return ", ".join([*marked_items(reply.content).values(), *joined]).lower()


def _completed_question(about: re.Match[str], around: tuple[str, str], turn: int) -> Rewrite:
    """The question with what stood on either side ``around`` the phrase that gives way."""
    front, back = around
    query, rest, end = about.string, about["rest"], about.end("rest")
    text = " ".join(part for part in (front, rest, back) if part) + query[end:].rstrip()
    spans = (CopiedSpan(front, turn, 0, query[: about.start("rest")]), CopiedSpan(back, turn, end))
    return Rewrite(text, True, tuple(span for span in spans if span.text), "ellipsis", confidence=0.7)


def _first_question(text: str) -> str:
    """The last sentence of an earlier message without its closing mark, where it asks or orders."""
    sentences = [s.strip() for s in re.split(r"[.?!;:\n]+", text) if s.strip()]
    read = tokens(sentences[-1]) if sentences else ()
    if len(read) < 3 or not (read[0].low in lists()["asks"] or read[0].low in lists()["imperative"]):
        return ""
    return sentences[-1]


def _short(other: Sequence[EnglishToken]) -> bool:
    """A phrase and no sentence of its own."""
    if not 0 < len(other) <= LONGEST_ELLIPSIS:
        return False
    return not any(t.kind == "verb" or t.text in ENDS or t.text == "," for t in other)


def _place(question: str, other: Sequence[EnglishToken]) -> tuple[int, int] | None:
    """From where to where in the question the other phrase goes.

    At its end when it is a day and the question has none.
    """
    read, lead = tokens(question), other[0].low if other[0].low in lists()["leads"] else ""
    best = _most_alike(question, other, lead)
    if best is not None:
        start = read[best.at].start
        return (read[best.at - 1].start if lead else start, start + len(best.text))
    if not _is_day_phrase(other[0].low, other[-1].low):
        return None
    # Where ``today`` stands in the question, its end when it names no day
    days = [t for t in read if t.low in lists()["days"]]
    if days and days[0].kind != "function":
        return None
    return (days[0].start, days[0].end) if days else (len(question), len(question))


def _most_alike(question: str, other: Sequence[EnglishToken], lead: str) -> EnglishMention | None:
    """The phrase of the question that the other may take the place of."""
    found = of_kind(mentions([Turn("user", question)]), "name", "noun", "title")
    alike = [(_likeness(m, other, lead), m) for m in found if not lead or m.before == lead]
    score, best = max(alike, key=itemgetter(0), default=(0, None))
    return best if score >= ALIKE else None


def _is_day_phrase(first: str, last: str) -> bool:
    """Whether a phrase with these words at its ends names a day."""
    return first in lists()["days"] or last in lists()["days"]


def _likeness(m: EnglishMention, other: Sequence[EnglishToken], lead: str) -> int:
    """0 to 6: the same kind of word in front and at the head, the same word in front, a place at the end."""
    timed = _is_day_phrase(other[0].low, other[-1].low)
    if timed != _is_day_phrase(m.words[0], m.words[-1]) or m.words[-1] in lists()["vague"]:
        return 0
    named = not without_kind(without_kind(other, "function", "mark"), "name")
    determined = other[0].low in lists()["determiners"]
    return (
        2 * (named == (m.kind in {"name", "title"}))
        + (determined == bool(m.determiner))
        + 2 * bool(lead)
        + timed
        + m.last
    )


ADDED = 3
"""Words that are added; more bring in what was said in passing (measured in docs/decisions)."""
FADING = {"user": 0.8, "assistant": 0.5}
"""What a turn counts for against the next one of the same speaker."""
_CLOSING = ".?! "


def fuller(rewritten: Rewrite, query: str, history: Sequence[Turn], skipped: int = 0) -> Rewrite:
    """``rewritten`` with the weightiest words of ``history`` that it lacks.

    They stand in brackets before its closing mark.
    """
    words = _weightiest(history, {t.low for t in tokens(rewritten.query)})
    if not words:
        return rewritten
    body = rewritten.query.rstrip(_CLOSING)
    text = f"{body} ({', '.join(word for word, _ in words)}){rewritten.query[len(body) :].rstrip()}"
    spans = tuple(CopiedSpan(word, turn + skipped, len(query)) for word, turn in words)
    reason = f"{rewritten.reason}+context" if rewritten.changed else "context"
    return replace(rewritten, query=text, changed=True, spans=rewritten.spans + spans, reason=reason)


def _weightiest(history: Sequence[Turn], said: set[str]) -> list[tuple[str, int]]:
    """Words with the turn they were said in last, weightiest first: often, lately, by either speaker."""
    weight: dict[str, float] = defaultdict(float)
    place: dict[str, tuple[str, int]] = {}
    # Turns by number, latest first, and what a word of each counts for
    worth = dict.fromkeys(FADING, 1.0)
    for turn in reversed(range(len(history))):
        role = history[turn].role
        counts = worth[role]
        for low, (word, times) in _content(history[turn].content).items():
            weight[low] += counts * log1p(times)
            place.setdefault(low, (word, turn))
        worth[role] *= FADING[role]
    best = sorted((low for low in weight if low not in said), key=lambda low: -weight[low])
    return [place[low] for low in best[:ADDED]]


def _content(text: str) -> dict[str, tuple[str, int]]:
    """Content words in lower case -> as written, how often."""
    found: dict[str, tuple[str, int]] = {}
    for token in tokens(text[:MAX_READ_CHARS]):
        if token.kind not in {"word", "name"} or len(token.low) < 3:
            says_what = False
        else:
            says_what = not token.low.endswith("ly") and token.low not in lists()["verbs"]
        if says_what:
            found[token.low] = (token.text, found.get(token.low, ("", 0))[1] + 1)
    return found


# Candidate phrases of the history, each with the features the whole conversation gives it.

Features = dict[str, float]
"""Name -> 0..1."""
_AGO = {0: "last", 1: "before_last", 2: "third"}


@dataclass(frozen=True, slots=True)
class MentionCandidate:
    """A phrase with what the whole conversation says of it."""

    mention: EnglishMention
    since: int
    """First turn it is spoken of in."""
    facts: Features


@dataclass(frozen=True, slots=True)
class EnglishScene:
    """All that the slots of one query are weighed against."""

    read: tuple[EnglishToken, ...]
    candidates: Sequence[MentionCandidate]
    turns: int
    pronouns: Mapping[str, tuple[int, int]]
    """Class of pronoun -> first and last turn of the user that uses it."""
    asked: bool
    """The assistant's last turn is a question."""
    dictated: bool
    """It asks what to say or to write."""
    names: Collection[frozenset[str]]
    """The words of every name."""


@dataclass(frozen=True, slots=True)
class MentionHistory:
    """What a conversation says of its phrases, by their words."""

    turns: int
    said: Mapping[tuple[str, ...], int]
    """Turns that speak of a phrase."""
    since: Mapping[tuple[str, ...], int]
    """First turn that does."""
    known: Mapping[str, int]
    """Phrases that hold a word."""
    query: frozenset[str]
    """The words of the query."""


def scene(
    read: tuple[EnglishToken, ...],
    found: Sequence[EnglishMention],
    history: Sequence[Turn],
    pronouns: Mapping[str, tuple[int, int]],
) -> EnglishScene:
    """The phrases of a history as candidates for a query."""
    talk = _talk(read, found, len(history))
    # Each phrase as it was said last
    latest: dict[str, EnglishMention] = {}
    for phrase in found:
        low = phrase.text.lower()
        known = latest.get(low)
        latest[low] = phrase._replace(text=known.text) if known and known.text[0].islower() else phrase
    candidates = [MentionCandidate(m, talk.since[m.words], _facts(m, talk)) for m in latest.values()]
    question = _question(history)
    dictated = any(t.low in lists()["dictating"] for t in question)
    names = {frozenset(m.words) for m in of_kind(found, "name", "title")}
    return EnglishScene(read, candidates, len(history), pronouns, bool(question), dictated, names)


def _question(history: Sequence[Turn]) -> tuple[EnglishToken, ...]:
    """What the assistant said last, where it asks."""
    if not history or history[-1].role != "assistant":
        return ()
    reply = tokens(history[-1].content[-MAX_READ_CHARS:])
    return reply if reply and reply[-1].text == "?" else ()


def _talk(read: Sequence[EnglishToken], found: Sequence[EnglishMention], turns: int) -> MentionHistory:
    said: Counter[tuple[str, ...]] = Counter()
    since: dict[tuple[str, ...], int] = {}
    for words, turn in {(m.words, m.turn) for m in found}:
        said[words] += 1
        since[words] = min(turn, since.get(words, turn))
    known = Counter(word for words in said for word in set(words))
    return MentionHistory(turns, said, since, known, frozenset(t.low for t in read))


def _facts(m: EnglishMention, talk: MentionHistory) -> Features:
    """What holds of a phrase whatever the slot."""
    amounts = {
        "back": min(talk.turns - 1 - m.turn, 8) / 8,
        "said": min(talk.said[m.words], 5) / 5,
        "length": min(len(m.words), MAX_MENTION_WORDS) / MAX_MENTION_WORDS,
        "known": min(talk.known[m.words[-1]] - 1, 4) / 4,
    }
    # How the phrase was brought up
    found: list[str] = []
    if m.last:
        found.append(f"last_{m.role}")
    if not m.before and m.last:
        found.append("whole")
    if m.before in lists()["framed"]:
        found.append(f"before_{m.before}")
    if m.last and m.role == "user" and m.before in {"about", "is", "are", "was", "were"}:
        found.append("introduced")
    if m.denied:
        found.append("denied")
    holding = (*_mention_position_features(m, talk), *found, *_made_of(m))
    return {**amounts, **dict.fromkeys(holding, 1.0)}


def _mention_position_features(m: EnglishMention, talk: MentionHistory) -> Iterator[str]:
    """Where and how often it was said, and whether the query says it."""
    yield _AGO.get(talk.turns - 1 - m.turn, "older")
    yield m.role
    if talk.said[m.words] > 1:
        yield "again"
    if m.first:
        yield "subject"
    if talk.since[m.words] == 0:
        yield "opening"
    if m.answers:
        yield f"answers_{m.answers}"
    if talk.query.issuperset(m.words):
        yield "inside"
    elif not talk.query.isdisjoint(m.words):
        yield "partly_inside"


def _made_of(m: EnglishMention) -> Iterator[str]:
    """What its own words tell."""
    determiner = lists()["determined"].get(m.determiner, "other") if m.determiner else "bare"
    yield from (m.kind, f"{m.kind}_{m.role}", f"{m.kind}_{determiner}", f"det_{determiner}")
    if _plural(m):
        yield "plural"
    if person(m):
        yield "person"
    if m.before in lists()["places"]:
        yield "placed"
    if m.before in lists()["made"]:
        yield "made"
    if m.words[-1].isdigit():
        yield "digits"
    if ends_in("days", m):
        yield "day"
    if ends_in("vague", m):
        yield "vague"


def ends_in(name: str, m: EnglishMention) -> bool:
    """Whether the phrase begins or ends with a word of that list."""
    return m.words[0] in lists()[name] or m.words[-1] in lists()[name]


def _plural(m: EnglishMention) -> bool:
    """Whether the phrase names several."""
    head = m.words[-1]
    if m.kind == "list" or head in lists()["several"]:
        return True
    return head.endswith("s") and not head.endswith(("ss", "us", "is", "'s"))


def person(m: EnglishMention) -> bool:
    """Whether the phrase is likely somebody: kin, or a short name after ``call``, ``tell``, ``with``."""
    if m.words[-1] in lists()["kin"]:
        return True
    return m.kind in {"name", "list"} and len(m.words) <= 6 and m.before in lists()["reach"]
