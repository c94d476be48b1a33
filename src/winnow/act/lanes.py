"""Calls in the order they have to keep: one lane for each device; what runs a scene stands alone."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from winnow.types.verdict import Call

Lane = tuple[Call, ...]
"""Calls for one device, or of one scene, one after the other."""


def stages(calls: Sequence[Call], scenes: Collection[str]) -> list[list[Lane]]:
    """Stages one after the other; the lanes of one stage may run at one time.

    A scene moves nobody knows what, so nothing runs beside it.
    """
    found: list[list[Lane]] = []
    lanes: dict[str, list[Call]] = {}
    for call in calls:
        if call.device_id in scenes:
            found += _closed(lanes)
            found.append([(call,)])
            lanes = {}
        else:
            lanes.setdefault(call.device_id, []).append(call)
    return [*found, *_closed(lanes)]


def _closed(lanes: dict[str, list[Call]]) -> list[list[Lane]]:
    return [[tuple(lane) for lane in lanes.values()]] if lanes else []
