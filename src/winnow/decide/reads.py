"""Questions about the home: which device answers, and which of its attributes."""

from __future__ import annotations

from collections.abc import Sequence

from winnow.text.lexicon import surfaces
from winnow.types.catalog import Device
from winnow.types.query import Quantifier, QueryIR
from winnow.types.shortlist import Candidate, Shortlist
from winnow.types.verdict import Read
from winnow.types.view import HomeView

ASKED = {
    "temperature": ("temperature",), "humidity": ("humidity",), "brightness": ("brightness",), "volume": ("volume",),
    "battery": ("battery",), "power": ("power",), "energy": ("energy",), "illuminance": ("illuminance",), "co2": ("co2",),
    "pm25": ("pm25",), "air_quality": ("air_quality", "pm25", "co2"), "position": ("position", "cover"), "progress": ("progress",),
    "completion_time": ("completion_time",), "weather": ("weather",), "mode": ("mode",), "color_temperature": ("color_temperature",),
    "fan_speed": ("fan_speed",), "tilt": ("tilt", "position"),
}  # fmt: skip
CUES = {
    "度": "temperature", "几度": "temperature", "多少度": "temperature", "几多度": "temperature", "多热": "temperature", "多冷": "temperature",
    "热不热": "temperature", "冷不冷": "temperature", "how warm": "temperature", "how hot": "temperature", "how cold": "temperature",
    "how humid": "humidity", "how bright": "brightness", "how open": "position", "有人": "motion", "没人": "motion", "有人在": "motion",
    "漏水": "leak", "有烟": "smoke", "冒烟": "smoke", "anyone": "motion", "someone": "motion",
}  # fmt: skip
STATE = ("switch", "lock", "cover", "contact", "door", "valve", "running", "playback", "fan_speed", "mode", "motion", "leak", "smoke", "state", "position")


def reads_for(query: QueryIR, shortlist: Shortlist, view: HomeView) -> list[Read]:
    """What to read to answer ``query``; empty when nothing in the home can tell."""
    wanted = _wanted(query)
    grouped: dict[str, Candidate] = {}
    for candidate in shortlist.candidates:
        grouped.setdefault(candidate.device_id, candidate)
    whole = [c for c in grouped.values() if c.device_id in view.devices and not _missing(c, wanted)]
    rows = [(c, read) for c in whole if (read := _read(view.devices[c.device_id], wanted, view)) is not None]
    if not rows:
        return []
    best = max(c.score for c, _ in rows)
    if query.quantifier is Quantifier.ALL or _counts(query):
        return [r for _, r in rows]
    top = [r for c, r in rows if c.score >= best - 0.3]
    return top if len(top) <= 3 else top[:1]


def _missing(candidate: Candidate, wanted: Sequence[str]) -> bool:
    missing = next((e.detail for e in candidate.evidence if e.lane == "missing"), "")
    return bool(missing)


def _wanted(query: QueryIR) -> tuple[str, ...]:
    if query.property in ASKED:
        return ASKED[query.property]
    for token in query.tokens:
        for cue, quantity in CUES.items():
            if token.text == cue or (token.kind == "question" and cue in token.text):
                return (quantity, "occupancy", "presence") if quantity == "motion" else (quantity,)
    return STATE


def _counts(query: QueryIR) -> bool:
    return any(t.kind == "question" and t.data.get("is") in {"how_many", "which", "whether"} and t.text not in CUES for t in query.tokens) and any(
        t.kind == "type" and not t.data.get("named") for t in query.target.tokens
    )


def _read(device: Device, wanted: Sequence[str], view: HomeView) -> Read | None:
    attributes = view.profile(device.id).attributes
    for quantity in wanted:
        for attribute in attributes:
            if attribute.quantity == quantity:
                return Read(device.id, attribute.id)
    if wanted is STATE and attributes:
        return Read(device.id, attributes[0].id)
    return None


def properties() -> frozenset[str]:
    """Every property a question can name."""
    return frozenset(surfaces("property").values())
