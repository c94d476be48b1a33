"""Every trait there is, for tests that hold tables against each other."""

from __future__ import annotations

from winnow.adapters.platforms.traits import platform_table
from winnow.types.home import HOUSEKEEPING


def known_traits() -> frozenset[str]:
    """Every trait the tables can give (setters nobody listed excepted)."""
    names, services = platform_table(), platform_table("services")["services"]
    listed = {*names["smartthings"]["commands"].values(), *names["neutral"]["methods"].values()}
    listed |= {rule["trait"] for rule in names["smartthings"]["context"]}
    listed |= {service["trait"] for entries in services.values() for service in entries}
    return frozenset(listed | {HOUSEKEEPING, "Scene.Run"})
