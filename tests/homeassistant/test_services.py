"""What Winnow takes for services of Home Assistant, beside what a real one says they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from tests.homeassistant.server import HomeAssistant

from winnow.adapters.platforms.traits import platform_table

NEWER = {"vacuum.clean_area"}
"""What only later servers have."""
INCOMPLETE = {
    "camera.snapshot": {"filename"},  # a file on the server, which nobody says; it refuses, and that is told
}
"""Fields that Home Assistant insists on and that no sentence tells."""
TOGETHER = {"media": ("media_content_id", "media_content_type")}
"""What later servers describe as one field, and take apart as well."""


def services() -> Iterator[tuple[str, Mapping[str, Any]]]:
    for domain, rows in platform_table("services")["services"].items():
        for row in rows:
            yield row["id"].replace("$domain", domain), row


@pytest.fixture
def known(server: HomeAssistant) -> Mapping[str, Mapping[str, Any]]:
    told = server.ask("get_services")
    return {f"{domain}.{name}": row for domain, rows in told.items() for name, row in rows.items()}


def test_every_service_is_one_of_home_assistants(known: Mapping[str, Mapping[str, Any]]) -> None:
    domains = {name.partition(".")[0] for name in known}
    told = {name for name, _ in services()} - NEWER
    assert {name for name in told - known.keys() if name.partition(".")[0] in domains} == set()
    assert len(told & known.keys()) > 70


def test_what_a_service_is_told_are_its_own_fields(known: Mapping[str, Mapping[str, Any]]) -> None:
    wrong = {}
    for name, row in services():
        if name in known:
            given = {row["parameter"]["name"]} if "parameter" in row else set()
            if strange := (given | row.get("fixed", {}).keys()) - fields(known[name]).keys():
                wrong[name] = strange
    assert wrong == {}


def test_what_a_service_insists_on_is_told(known: Mapping[str, Mapping[str, Any]]) -> None:
    lacking = {}
    for name, row in services():
        wanted = {f for f, about in fields(known.get(name, {})).items() if about.get("required")}
        given = {row["parameter"]["name"]} if "parameter" in row else set()
        if lack := wanted - given - row.get("fixed", {}).keys():
            lacking[name] = lack
    assert lacking == INCOMPLETE


def fields(service: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """The fields of a service, those it keeps in sections among them."""
    found: dict[str, Mapping[str, Any]] = {}
    for name, about in service.get("fields", {}).items():
        found |= about.get("fields") or dict.fromkeys(TOGETHER.get(name, (name,)), about)
    return found
