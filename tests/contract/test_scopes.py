"""Whoever touches stored rows says whose: the scope is the first argument of every port over them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any, get_type_hints

import pytest

from winnow.errors import HomeNotFound
from winnow.ports import stores as ports
from winnow.ports.services import run_blocking
from winnow.types.home import Home
from winnow.types.scope import Scope

OVER_ROWS = {name: port for name, port in get_type_hints(ports.Storage).items() if port is not ports.Clock}
"""Part of a storage -> its port."""


def methods(kind: type) -> Iterator[Callable[..., Any]]:
    """What the class offers."""
    return (f for name, f in inspect.getmembers(kind, inspect.isfunction) if not name.startswith("_"))


def takes_a_scope_first(method: Callable[..., Any]) -> bool:
    """Whether it cannot be called without one."""
    _, first, *_ = inspect.signature(method).parameters.values()
    typed = (first.name, first.annotation) == ("scope", Scope.__name__)
    return typed and first.default is inspect.Parameter.empty


def waits(method: Callable[..., Any]) -> bool:
    """Whether it may wait for a database: it is awaited, or what it answers is."""
    if inspect.iscoroutinefunction(method) or inspect.isasyncgenfunction(method):
        return True
    return inspect.signature(method).return_annotation.startswith("AsyncIterator[")


def test_the_ports_over_rows_are_these() -> None:
    named = {port.__name__ for port in OVER_ROWS.values()}
    assert named == {
        "Catalog",
        "States",
        "Sessions",
        "Habits",
        "Lexicon",
        "Overrides",
        "MessageStore",
        "Vectors",
        "Claims",
        "Facts",
        "DocumentStore",
        "FeedbackStore",
        "TurnCounts",
        "Audit",
        "Plans",
        "PersonRows",
        "AccessKeys",
    }


@pytest.mark.parametrize("port", OVER_ROWS.values())
def test_every_port_over_rows_takes_the_scope_first_and_waits(port: type) -> None:
    offered = list(methods(port))
    assert offered
    assert [m.__qualname__ for m in offered if not takes_a_scope_first(m)] == []
    assert [m.__qualname__ for m in offered if not waits(m)] == []


@pytest.mark.parametrize("part", OVER_ROWS)
def test_and_so_does_whatever_stands_behind_it(storage: ports.Storage, part: str) -> None:
    offered = list(methods(type(getattr(storage, part))))
    assert {m.__name__ for m in offered} == {m.__name__ for m in methods(OVER_ROWS[part])}
    assert [m.__qualname__ for m in offered if not takes_a_scope_first(m)] == []
    assert [m.__qualname__ for m in offered if not waits(m)] == []


def test_without_a_scope_nothing_is_read(storage: ports.Storage) -> None:
    with pytest.raises(TypeError, match="scope"):
        run_blocking(storage.homes.list_homes())  # type: ignore[call-arg]


def test_a_scope_without_a_tenant_cannot_be_made() -> None:
    with pytest.raises(ValueError, match="tenant"):
        Scope("")


def test_a_home_of_another_tenant_is_not_even_named(storage: ports.Storage) -> None:
    run_blocking(storage.homes.save_home(Scope("anna"), Home("flat", "Flat", "neutral")))
    with pytest.raises(HomeNotFound) as caught:
        run_blocking(storage.homes.load_home(Scope("bert", home="flat")))
    assert caught.value.known == ()
