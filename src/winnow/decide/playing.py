"""``pause``, ``next``, ``louder`` with no thing said: the one player of the home that is playing, if one is.

Of other things that only one of them is on tells nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from winnow.decide.fit import HEARD
from winnow.decide.gate import Gated
from winnow.decide.score import Scored
from winnow.effects.thing import effects
from winnow.types.catalog import Scalar
from winnow.types.query import Quantifier, QueryIR
from winnow.types.state import Snapshot
from winnow.types.view import HomeView

PLAYBACK = "playback"
"""What a player tells of, where it tells whether it plays."""
HEARD_OF = frozenset({"Playback", "Mute"})
"""Traits that mean something only to what plays. So does louder; how loud it shall be can be said of each."""
BEGINS = frozenset({"Playback.Play", "Playback.Search", "Mute.Off"})
"""What is said to a player that does not play."""


def playing(query: QueryIR, gated: Gated, rows: Sequence[Scored], view: HomeView, now: Snapshot) -> Gated:
    """The same, with the one that plays where it is open which player is meant; ``rows``: all of them."""
    if not gated.tied or _is_said(query) or not all(_is_of_what_plays(s, query) for s in gated.tied):
        return gated
    plays = [s for s in rows if s.able and _plays(s, view, now)]
    if len(plays) != 1 or plays[0] not in gated.tied:
        return gated
    return Gated(chosen=tuple(plays))


def _is_said(query: QueryIR) -> bool:
    """Whether a thing or a place is said, or more than one may be meant."""
    said = any(not t.data.get("implied") for t in query.target.tokens)
    return said or query.quantifier is not Quantifier.ONE or query.count is not None


def _is_of_what_plays(row: Scored, query: QueryIR) -> bool:
    """Whether it is a player, told what players are told while they play."""
    if HEARD.isdisjoint(row.device.kinds):
        return False
    trait = row.fit.command.trait if row.fit.command else ""
    if trait.partition(".")[0] == "Volume":
        louder = query.value is not None and query.value.kind == "relative"
        # louder is said of what is heard; a volume each of them has
        return louder and not any(t.kind == "property" for t in query.tokens)
    return trait.partition(".")[0] in HEARD_OF and trait not in BEGINS


def _plays(row: Scored, view: HomeView, now: Snapshot) -> bool:
    told = (a for a in view.profile(row.device.id).attributes if a.quantity == PLAYBACK)
    return any(_is_playing(now.value(row.device.id, a.id)) for a in told)


def _is_playing(value: Scalar) -> bool:
    table = effects()
    return str(value).lower() in {*table["spellings"]["playing"], *table["same"]["playing"]}
