"""One score a device, made of named features whose weights are data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import cast

from winnow.decide.fit import Fit, fit
from winnow.language.families import LOCKING
from winnow.language.lexicon import clusters
from winnow.language.normalise import normalise
from winnow.text.tables import table
from winnow.types.catalog import Device
from winnow.types.home_shortlist import DeviceCandidate, HomeShortlist
from winnow.types.query import QueryIR
from winnow.types.state import Snapshot
from winnow.types.usage import Usage
from winnow.types.view import HomeView


def weights() -> Mapping[str, float]:
    """Feature -> weight, and ``epsilon``, of ``decide/weights.yaml``."""
    return cast("Mapping[str, float]", table("winnow.decide", "weights.yaml"))


@dataclass(frozen=True, slots=True)
class Scored:
    """One device that may be meant."""

    device: Device
    score: float
    fit: Fit
    features: Mapping[str, float] = field(default_factory=dict)
    unexplained: tuple[str, ...] = ()
    """Words of the mention that neither the device nor its command explains."""
    online: bool = True
    """Whether it can be reached."""

    @property
    def able(self) -> bool:
        """Whether it can do what is asked."""
        return self.fit.call is not None


def scored(
    query: QueryIR, shortlist: HomeShortlist, view: HomeView, snapshot: Snapshot, habits: Usage | None = None
) -> list[Scored]:
    """Every device of a shortlist, best first; habits order what is equal and add nothing to a score."""
    counts = habits.counts if habits else {}
    grouped: dict[str, list[DeviceCandidate]] = {}
    for candidate in shortlist.candidates:
        grouped.setdefault(candidate.device_id, []).append(candidate)
    rows = [
        _scored(query, view.devices[i], found, view, snapshot)
        for i, found in grouped.items()
        if i in view.devices
    ]
    return sorted(rows, key=lambda s: (-s.score, -counts.get(s.device.id, 0), s.device.id))


def _scored(
    query: QueryIR, device: Device, found: list[DeviceCandidate], view: HomeView, snapshot: Snapshot
) -> Scored:
    profile = view.profile(device.id)
    texts = [c for c in found if c.command_key]
    evidence = {e.lane: e for e in found[0].evidence}
    missing = tuple(w for w in (evidence["missing"].detail.split("\t") if "missing" in evidence else ()) if w)
    implied = {t.text for t in query.target.tokens if t.data.get("implied")}
    unexplained = tuple(w for w in missing if w in implied or not _described(w, texts))
    told = [c.command_key for c in texts if any(_described(w, [c]) for w in missing)]
    fitted = fit(query, device, profile, snapshot.of(device.id), [c.command_key for c in texts], told)
    coverage = (
        1.0 if missing and not unexplained else evidence["coverage"].score if "coverage" in evidence else 0.0
    )
    features = {
        "coverage": coverage,
        "named": 1.0 if "name" in evidence else 0.0,
        "exact": evidence["exact"].score if "exact" in evidence else 0.0,
        "area": 1.0 if "area" in evidence else 0.0,
        "able": 1.0 if fitted.call is not None else 0.0,
        "trait": 1.0 - min(fitted.rank, 20) / 20,
        "acted": 1.0 if query.action in LOCKING and "lock" in normalise(device.name).split() else 0.0,
        "registered": 0.0 if "room.name" in evidence and "name" not in evidence else 1.0,
        "kin": 1.0 if "type.like" in evidence else 0.0,
        "preferred": 1.0
        if not query.entity_mentions
        and set(clusters()["preferred"].get(query.property, ())) & set(device.kinds)
        else 0.0,
    }
    weighed = weights()
    score = sum(weighed.get(k, 0.0) * v for k, v in features.items())
    return Scored(device, score, fitted, features, unexplained, snapshot.online(device.id))


def _described(word: str, candidates: list[DeviceCandidate]) -> bool:
    """Whether a command's own text holds the word."""
    return any(e.lane == "text" and word in normalise(e.detail) for c in candidates for e in c.evidence)
