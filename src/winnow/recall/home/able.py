"""Which devices can do what is asked, whether or not a word named them."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from winnow.language.families import STARTING, STOPPING
from winnow.language.lexicon import clusters
from winnow.recall.home.devices import Match, inferred
from winnow.recall.home.index import HomeIndex
from winnow.recall.home.standpoint import Standpoint
from winnow.types.catalog import Profile
from winnow.types.query import QueryIR

GENERIC = STARTING | STOPPING | {"toggle", "set", "leave"}
"""Verbs that fit too much to say what they are for."""


def ablest(ids: Collection[str], query: QueryIR, index: HomeIndex) -> list[str]:
    """Those of the devices whose best command stands first in the cluster, by id."""
    order = {trait: n for n, trait in enumerate(query.action_cluster)}
    profiles = {i: index.view.devices[i].profile_id for i in ids}
    ranks = {key: _rank(index.view.profiles.get(key), order) for key in set(profiles.values())}
    best = min(ranks.values(), default=len(order))
    return sorted(i for i, key in profiles.items() if ranks[key] == best < len(order))


def _rank(profile: Profile | None, order: Mapping[str, int]) -> int:
    """The first place in the cluster that a command of the profile has; one behind the last for none."""
    commands = profile.commands if profile else ()
    return min((order[c.trait] for c in commands if c.trait in order), default=len(order))


def unnamed(query: QueryIR, here: Standpoint, left_out: Collection[str]) -> list[Match]:
    """Where no device was named: those of the speaker's room, else of the home, that do it first."""
    if not _tells_what_for(query):
        return []
    ids = here.index.spoken(here.around).difference(left_out)
    preferred = clusters()["preferred"].get(query.property, ())
    likely = [i for i in ids if not set(preferred).isdisjoint(here.index.view.devices[i].kinds)]
    return inferred(ablest(likely or ids, query, here.index))


def _tells_what_for(query: QueryIR) -> bool:
    """Whether the act alone, of which nothing is named, says what it may be for."""
    if query.references or query.target.tokens or not query.action_cluster:
        return False
    return query.action not in GENERIC or bool(query.property or query.value)


def is_another(query: QueryIR, found: Collection[Match], index: HomeIndex) -> bool:
    """Whether the act is for something else than what was named before it.

    It cannot do it, and is not pointed at: ``turn on the tv and raise the temperature``.
    """
    handed_on = [m.device_id for m in found if not m.missing]
    if not handed_on or any(t.kind == "reference" for t in query.tokens):
        return False
    return not ablest(handed_on, query, index)
