"""Whether somebody is home, told by the people themselves before any sensor that saw them move."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from winnow.types.catalog import Attribute, Device, Scalar
from winnow.types.query import Condition
from winnow.types.view import HomeView

HOME = ("家", "home", "house")
"""What is said where the whole home is meant, and not a room of it."""
WHOLE = frozenset({"home", "indoor"})
MOVEMENT, PRESENCE = "motion", "presence"
AT_HOME = frozenset({"home", "present", "on", "true"})
UNKNOWN = frozenset({"", "unknown", "unavailable", "none"})


def people(condition: Condition, view: HomeView) -> list[tuple[Device, Attribute]]:
    """Who tells whether somebody, or anybody, is home; empty where it is asked of a room or of somebody."""
    if condition.quantity not in {MOVEMENT, PRESENCE} or not (
        not any(t.data.get("is") not in WHOLE for t in condition.mention.tokens)
        and any(word in condition.text for word in HOME)
    ):
        return []
    known = list(_present(view))
    return [row for row in known if "person" in row[0].kinds] or known


def _present(view: HomeView) -> Iterator[tuple[Device, Attribute]]:
    """All that is told of where somebody is."""
    for device in view.home.devices:
        if device.reach == "spoken":
            told = view.profile(device.id).attributes
            yield from ((device, a) for a in told if a.quantity == PRESENCE)


def is_home(value: Scalar) -> bool | None:
    """Whether somebody who reports this is home; any other place is away."""
    told = "" if value is None else str(value).strip().lower()
    return None if told in UNKNOWN else told in AT_HOME


def any_of(each: Iterable[bool | None]) -> bool | None:
    """Whether one is home; None where nobody is and of one it is not known."""
    told = list(each)
    if True in told:
        return True
    return None if None in told or not told else False
