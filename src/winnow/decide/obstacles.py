"""Why an instruction is not decided any further, found before any device is scored (law 1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from winnow.language.content_words import STOPPING
from winnow.language.messages import message
from winnow.types.candidate import HomeShortlist
from winnow.types.home import HomeView
from winnow.types.query import (
    PLACE_KINDS,
    Quantifier,
    QueryIR,
    Reading,
    Token,
    has_kind,
    of_kind,
    without_kind,
)
from winnow.types.verdict import Nothing, Refusal, Refuse

# What the program cannot judge: times, events, and conditions that nothing reads (law 1).


DURATION_UNITS = frozenset({"second", "minute", "hour", "day"})
LASTING_KINDS = frozenset({"media", "interval"})
"""Properties that a length of time is a value of: how far to skip in a song, how often to report."""


def blocking_verdict(reading: Reading) -> Nothing | Refuse | None:
    """Why nothing of a sentence is looked at, or None.

    Acting now on what was said of later is worse than not acting, so one such word stops the whole sentence.
    """
    tokens = [t for q in reading.queries for t in q.tokens]
    if _is_timer(tokens):
        return Nothing("timer")
    if when := _time_word(reading.queries, tokens):
        refusal = Refusal("time_trigger", {"condition": when.text})
        return Refuse((refusal,), message("time_trigger", reading.language))
    # Whether the words make a condition that was not read as one
    kinds = {t.kind for t in tokens}
    if "condition" in kinds or ("compare" in kinds and not any(q.conditions for q in reading.queries)):
        return Refuse((Refusal("unknown_condition"),), message("unknown_condition", reading.language))
    return None


def _is_timer(tokens: Sequence[Token]) -> bool:
    """``5分钟后``, ``in ten minutes``: a task for a timer."""
    later = any((t.text == "in" and t.kind != "part") or t.means("timing", "after") for t in tokens)
    return later and any(_is_duration(t) for t in tokens)


def _time_word(queries: Sequence[QueryIR], tokens: Sequence[Token]) -> Token | None:
    """The first word for when it is to be done, or for how long."""
    at = (t for t in tokens if t.kind == "timing" or t.data.get("unit") == "clock")
    lasting = (t for q in queries if not _sets_a_duration(q) for t in q.tokens if _is_duration(t))
    return next(at, None) or next(lasting, None)


def _sets_a_duration(query: QueryIR) -> bool:
    """Whether a length of time is the setting itself, as of ``the washer for 30 minutes``."""
    return query.property in LASTING_KINDS or (query.value is not None and query.value.unit in DURATION_UNITS)


def _is_duration(token: Token) -> bool:
    return token.data.get("unit") in DURATION_UNITS


@dataclass(frozen=True, slots=True)
class Obstacle:
    """What stands against an instruction."""

    refusal: Refusal
    blocks_sentence: bool = False
    """Whether it spoils the whole sentence: a part that names something of the home was not understood."""
    asks: str = ""
    """The message of the question that would help, if one would."""


def find_obstacle(
    query: QueryIR, shortlist: HomeShortlist, view: HomeView, area: str | None
) -> Obstacle | None:
    """What stands against ``query``, or None."""
    # Words that nothing explains: what they would have changed is not known.
    if shortlist.unplaced:
        return Obstacle(Refusal("unplaced", {"words": " ".join(shortlist.unplaced)}))
    if query.unplaced:
        refusal = Refusal("unplaced", {"words": ", ".join(query.unplaced)})
        called = without_kind(query.target.tokens, *PLACE_KINDS)
        strange = query.action_cluster and not without_kind(called, "word")
        # What is called only by words that nobody knows: the home has no such thing.
        if strange and set(query.unplaced) <= {t.text for t in called}:
            refusal = Refusal("no_device", {"what": query.target.text})
        return Obstacle(refusal, blocks_sentence=True)
    if scene := scene_of(shortlist, view):
        return _scene_obstacle(query, scene, view)
    return _missing_parts(query, shortlist, area)


def scene_of(shortlist: HomeShortlist, view: HomeView) -> str | None:
    """The scene that is meant, if one is."""
    return next((c.device_id for c in shortlist.candidates if c.device_id in view.scenes), None)


def _scene_obstacle(query: QueryIR, scene: str, view: HomeView) -> Obstacle | None:
    """A scene is only run, and not in part; what is said of one (``派对模式很吵``) asks for nothing."""
    if query.action in STOPPING | {"pause"}:
        return Obstacle(Refusal("no_ability", {"name": view.scenes[scene].name}, (scene,)))
    strange = [t.text for t in of_kind(query.target.tokens, "word")]
    is_remark = not query.action and has_kind(query.tokens, "word", "comment")
    words = strange or [m.text for m in query.exclusions]
    if not (words or is_remark):
        return None
    return Obstacle(Refusal("unplaced", {"words": " ".join(words)}), blocks_sentence=True)


def _missing_parts(query: QueryIR, shortlist: HomeShortlist, area: str | None) -> Obstacle | None:
    """What an order lacks. A scene needs nothing: its name is the order."""
    if _excepts_from_nothing(query):
        return Obstacle(Refusal("not_understood", {"what": query.raw}))
    if _points_nowhere(query, shortlist):
        return Obstacle(Refusal("no_reference", {"what": query.references[0].text}))
    if query.action == "set" and query.value is None:
        return Obstacle(Refusal("value_missing"), asks="value")
    if not query.action_cluster:
        return Obstacle(Refusal("not_understood", {"what": query.target.text or query.raw}))
    if _plays_nowhere(query, area):
        return Obstacle(Refusal("no_device"))
    if _changes_a_place(query):
        return Obstacle(Refusal("not_understood", {"what": query.raw}))
    return None


def _changes_a_place(query: QueryIR) -> bool:
    """``bring down the house``: more or less of nothing that was said, in a place."""
    if query.value is None or query.value.kind != "relative" or query.property or query.value.unit:
        return False
    return bool(query.target.tokens) and not without_kind(query.target.tokens, *PLACE_KINDS)


def _excepts_from_nothing(query: QueryIR) -> bool:
    """``play leave the light on``: what is left out, of nothing that was named."""
    said = query.target.tokens or query.references or query.antecedents or query.conditions
    return query.quantifier is Quantifier.EXCEPT and not said


def _points_nowhere(query: QueryIR, shortlist: HomeShortlist) -> bool:
    """Whether ``it`` has nothing to stand for; a kind that was only implied is nothing named."""
    if not query.references or query.antecedents:
        return False
    named = any(not t.data.get("implied") for t in query.target.things)
    return not named and (bool(query.target.things) or not shortlist.candidates)


def _plays_nowhere(query: QueryIR, area: str | None) -> bool:
    """``放首歌`` said from nowhere: every player of the home would do, which is no answer."""
    return query.property == "media" and not query.target.tokens and area is None
