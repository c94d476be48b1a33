"""Conditions are judged by the program on the states given, never by likeness (law 6)."""

from __future__ import annotations

from collections.abc import Sequence

from winnow.language.families import LOCK_STATES
from winnow.language.lexicon import reported_states
from winnow.types.catalog import Attribute, Device, Scalar
from winnow.types.home_shortlist import DeviceCandidate
from winnow.types.query import Condition
from winnow.types.state import Snapshot
from winnow.types.verdict import Judged, Read
from winnow.types.view import HomeView

TOLD_BY = {
    "motion": ("motion", "occupancy", "presence"),
    "state": ("switch", "cover", "contact", "door", "valve", "playback", "running", "mode", "fan_speed", "lock", "state"),
    "lock": ("lock",), "leak": ("leak",), "smoke": ("smoke", "gas", "co"), "moisture": ("moisture", "humidity"),
    "temperature": ("temperature",), "brightness": ("illuminance", "brightness"), "color_temperature": ("color_temperature",),
}  # fmt: skip
"""Quantities that can tell what a condition asks, best first; others tell only themselves."""
UNKNOWN = frozenset({"unknown", "unavailable", "none", ""})


def judged(
    condition: Condition, sensors: Sequence[DeviceCandidate], view: HomeView, snapshot: Snapshot
) -> Judged:
    """Whether ``condition`` holds in ``snapshot``, and what was read for it.

    ``holds`` is None when nothing in the home can tell.
    """
    rows = _alike(condition, _told(condition, sensors, view))
    if not rows:
        return Judged(condition.text, (), None)
    reads = tuple(Read(device.id, attribute.id) for _, device, attribute in rows)
    values = [snapshot.value(read.device_id, read.attribute_id) for read in reads]
    if not isinstance(condition.threshold, str):
        _, device, attribute = rows[0]
        return Judged(
            condition.text,
            reads,
            _holds(condition, values[0], attribute, device) if snapshot.online(device.id) else None,
            values[0],
        )
    each = [
        _in_state(condition.threshold, v) if snapshot.online(d.id) else None
        for (_, d, _a), v in zip(rows, values, strict=True)
    ]
    every = _all(each)
    holds = every if condition.comparator != "!=" or every is None else not every
    return Judged(condition.text, reads, holds, values[each.index(every)])


Row = tuple[float, Device, Attribute]


def _all(each: Sequence[bool | None]) -> bool | None:
    """Whether all are so; None when one cannot be told and no other settles it."""
    if False in each:
        return False
    return None if None in each else True


def _alike(condition: Condition, rows: Sequence[Row]) -> list[Row]:
    """The rows that tell: of things named by their kind, every one that is named as well as the first."""
    kinds = {t.kind for t in condition.mention.tokens}
    if condition.quantity not in {"state", "lock"} or "type" not in kinds or "name" in kinds:
        return list(rows[:1])
    out: dict[str, Row] = {}
    for row in rows:
        if round(row[0], 1) == round(rows[0][0], 1):
            out.setdefault(row[1].id, row)
    return list(out.values())


def _told(condition: Condition, sensors: Sequence[DeviceCandidate], view: HomeView) -> list[Row]:
    wanted = TOLD_BY.get(condition.quantity, (condition.quantity,))
    rows: list[tuple[float, int, Device, Attribute]] = []
    best = max((c.score for c in sensors), default=0.0)
    for candidate in sensors:
        device = view.devices.get(candidate.device_id)
        if device is None or candidate.score < best - 1.0:
            continue
        for attribute in view.profile(device.id).attributes:
            if attribute.quantity in wanted:
                pure = 0 if "sensor" in device.kinds else 4
                rows.append((candidate.score, wanted.index(attribute.quantity) + pure, device, attribute))
    rows.sort(
        key=lambda r: (
            r[1] >= 4 and condition.quantity not in {"state", "lock", "setpoint"},
            -round(r[0], 1),
            r[1],
            r[2].id,
        )
    )
    return [(score, device, attribute) for score, _, device, attribute in rows]


def _holds(condition: Condition, value: Scalar, attribute: Attribute, device: Device) -> bool | None:
    text = str(value).strip().lower() if value is not None else ""
    if text in UNKNOWN:
        return None
    try:
        number = float(text)
    except ValueError:
        return None
    threshold = condition.threshold
    if threshold is None or isinstance(threshold, str):
        return None
    if condition.unit == "celsius" and attribute.unit.upper().endswith("F"):
        threshold = threshold * 1.8 + 32
    if condition.unit == "fahrenheit" and attribute.unit.upper().endswith("C"):
        threshold = (threshold - 32) / 1.8
    return {
        ">": number > threshold, "<": number < threshold, ">=": number >= threshold, "<=": number <= threshold,
        "==": number >= threshold, "!=": number != threshold,
    }[condition.comparator]  # fmt: skip


def _in_state(wanted: str, told: Scalar) -> bool | None:
    value = str(told).strip().lower() if told is not None else ""
    if value in UNKNOWN:
        return None
    if wanted in LOCK_STATES:
        return value == wanted if value in LOCK_STATES | {"locking", "unlocking", "jammed"} else None
    try:
        on = float(value) > 0
    except ValueError:
        reported = reported_states()
        if value not in reported:
            return None
        on = reported[value] == "on"
    return on == (wanted == "on")
