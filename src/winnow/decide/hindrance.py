"""Why an instruction is not looked at any further, found before any device is weighed."""

from __future__ import annotations

from dataclasses import dataclass

from winnow.types.home_shortlist import HomeShortlist
from winnow.types.query import QueryIR
from winnow.types.verdict import Refusal
from winnow.types.view import HomeView


@dataclass(frozen=True, slots=True)
class Hindrance:
    """What stands against an instruction."""

    refusal: Refusal
    doubt: bool = False
    """Whether it spoils the whole sentence: a part that names something of the home was not understood."""
    asks: str = ""
    """The message of the question that would help, if one would."""


def hindrance(query: QueryIR, shortlist: HomeShortlist, view: HomeView, area: str | None) -> Hindrance | None:
    """What stands against ``query``, or None."""
    return (
        _unplaced(query, shortlist)
        or _partial_scene(query, shortlist, view)
        or _unread(query, shortlist, view, area)
    )


def scene_of(shortlist: HomeShortlist, view: HomeView) -> str | None:
    """The scene that is meant, if one is."""
    return next((c.device_id for c in shortlist.candidates if c.device_id in view.scenes), None)


def _unplaced(query: QueryIR, shortlist: HomeShortlist) -> Hindrance | None:
    if shortlist.unplaced:
        return Hindrance(Refusal("unplaced", {"words": " ".join(shortlist.unplaced)}))
    if query.things.where:  # nothing judges the members of a set one by one yet
        said = ", ".join(c.text for c in query.things.where)
        return Hindrance(Refusal("unplaced", {"words": said}), doubt=True)
    if query.unplaced:
        return Hindrance(Refusal("unplaced", {"words": ", ".join(query.unplaced)}), doubt=True)
    return None


def _partial_scene(query: QueryIR, shortlist: HomeShortlist, view: HomeView) -> Hindrance | None:
    """A scene cannot be run in part, and one that something is only said about (``派对模式很吵``) is not asked for."""
    told = not query.action and any(t.kind in {"word", "comment"} for t in query.tokens)
    if scene_of(shortlist, view) is None or not (query.excluded or told):
        return None
    return Hindrance(Refusal("unplaced", {"words": " ".join(m.text for m in query.excluded)}), doubt=True)


def _unread(query: QueryIR, shortlist: HomeShortlist, view: HomeView, area: str | None) -> Hindrance | None:
    if scene_of(shortlist, view) is not None:
        return None
    if query.references and not query.entity_mentions and not shortlist.candidates:
        return Hindrance(Refusal("no_reference", {"what": query.references[0].text}))
    if query.action == "set" and query.value is None:
        return Hindrance(Refusal("value_missing"), asks="value")
    if not query.action_cluster:
        return Hindrance(Refusal("not_understood", {"what": query.target.text or query.raw}))
    if query.property == "media" and not query.target.tokens and area is None:
        return Hindrance(Refusal("no_device"))
    return None
