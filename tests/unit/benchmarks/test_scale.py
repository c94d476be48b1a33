"""What size is measured on: talks that are the same in every run, and names nothing may be tricked by."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa
from benchmarks import places
from benchmarks.chats import LARGEST, SMALLEST, chat, sizes
from benchmarks.scale import asking, costs, databases, isolation, loading

from winnow.ports.stores import Messages
from winnow.types.message import HistoryVersion, Message
from winnow.types.scope import Scope

pytestmark = pytest.mark.slow


def test_persons_are_as_many_and_say_as_much_as_wanted() -> None:
    counts = sorted(sizes(1000, 100_000))
    assert (len(counts), sum(counts)) == (1000, 100_000)
    assert (counts[0], counts[500] < 40, counts[-1] > 4000) == (SMALLEST, True, True)
    assert counts[-1] <= LARGEST


def test_a_person_says_the_same_in_every_run_and_asks_about_it() -> None:
    one = chat(7, 120)
    assert one == chat(7, 120)
    assert one.messages[:30] != chat(8, 120).messages[:30]
    about = next(message for message in one.messages if message.id == one.about)
    assert any(about.content[at : at + 2] in one.question for at in range(len(about.content) - 1))


def test_the_first_and_further_questions_are_timed_in_any_adapter(tmp_path: Path) -> None:
    for adapter, load in (("store", loading.load_store), ("host", loading.load_host)):
        url = databases.emptied("sqlite", adapter, None, tmp_path)
        assert load(url, 6, 240)["bytes"] > 240 * 50
        told = asking.asked(asking.Run(url, adapter, 6, 240, 4))
        assert (told["all"]["persons"], told["strangers"], told["held"]) == (4, 0, 5)  # one was a rehearsal
        assert told["all"]["first_p50"] > told["all"]["again_p50"] > 0
        assert told["found"] > 0


@pytest.fixture
def rig(tmp_path: Path) -> isolation.Rig:
    store, host = (databases.emptied("sqlite", name, None, tmp_path) for name in ("store", "host"))
    return isolation.rig(store, host, isolation.owners(2), "NOCASE")


def test_nobody_sees_rows_of_another_by_any_name_or_hint(rig: isolation.Rig) -> None:
    told = isolation.attack(rig, 1000)
    assert rig.strangers == []
    assert told["requests"] == 1000
    assert set(told["by_kind"]) == set(isolation.REQUESTS)


class Careless:
    """``Messages`` that take names as a collation without case takes them."""

    def __init__(self, below: Messages) -> None:
        self._below = below

    async def stamp(self, scope: Scope) -> HistoryVersion:
        return await self._below.stamp(replace(scope, user=scope.user.lower()))

    async def stream(self, scope: Scope, size: int = 1000) -> AsyncIterator[Sequence[Message]]:
        async for page in self._below.stream(replace(scope, user=scope.user.lower()), size):
            yield page


def test_a_store_that_takes_one_name_for_another_is_noticed(rig: isolation.Rig) -> None:
    rig.host = Careless(rig.host)
    isolation.attack(rig, 300)
    assert rig.strangers
    assert all("host" in seen for seen in rig.strangers)


def test_nor_in_a_database_of_a_server(postgres: sa.URL) -> None:
    url = postgres.render_as_string(hide_password=False)
    attacked = isolation.rig(url, url, isolation.owners(1))
    told = isolation.attack(attacked, 500)
    assert attacked.strangers == []
    assert told["requests"] == 500


def test_a_further_question_takes_as_little_as_the_page_says() -> None:
    asked = places.result("scale")["ask"]
    bands = [band for told in asked.values() for band in told["by_size"].values()]
    assert bands
    assert max(band["again_cpu_p95"] for band in bands) < 20


def test_nobody_saw_rows_of_another_while_it_was_measured() -> None:
    data = places.result("scale")
    told = [*data["ask"].values(), *data.get("isolate", {}).values()]
    assert [one["strangers"] for one in told] == [0] * len(told)


def test_costs_are_in_proportion_to_users_and_to_what_is_assumed() -> None:
    known = costs.measured(places.result("scale"))
    one, ten = (costs.cost(users, known) for users in (1000, 10_000))
    assert all(ten[name] == pytest.approx(10 * value) for name, value in one.items())
    open_once = costs.cost(1000, known, costs.Habits(first=0.0))
    assert open_once["cores"] < one["cores"]
    short = costs.cost(1000, known, costs.Habits(dimension=384))
    assert short["vectors_gb"] < one["vectors_gb"] / 2
