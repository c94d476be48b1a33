"""Which test reaches which statement of the rooms: a pytest plugin that notes it while the tests run.

Every statement of a function sets its own place of one array, which costs little, and works on every Python.
What a cached function reached is charged to each test that takes its answer from the cache.
"""

from __future__ import annotations

import ast
import builtins
import functools
import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from time import process_time
from types import CodeType, ModuleType
from typing import Any

import numpy as np
import pytest
from tests.mutation.changes import FUNCTIONS, SOURCE, modules

Place = tuple[str, int]


@functools.cache
def places() -> dict[Place, int]:
    """Module and first line of each statement of a function, numbered."""
    found = [(path, line) for path in modules() for line in sorted(_lines(path))]
    return {place: number for number, place in enumerate(found)}


def _lines(path: str) -> set[int]:
    tree = ast.parse((SOURCE / path).read_text("utf-8"))
    return {
        s.lineno
        for f in ast.walk(tree)
        if isinstance(f, FUNCTIONS)
        for s in ast.walk(f)
        if isinstance(s, ast.stmt)
    }


class Noting(ast.NodeTransformer):
    """Puts a note before each statement of a function."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.inside = 0

    def generic_visit(self, node: ast.AST) -> ast.AST:
        self.inside += isinstance(node, FUNCTIONS)
        super().generic_visit(node)
        if self.inside and not isinstance(node, ast.ClassDef):
            for name in ("body", "orelse", "finalbody"):
                block = getattr(node, name, None)
                if isinstance(block, list):
                    setattr(node, name, [new for old in block for new in (self._note(old), old)])
        self.inside -= isinstance(node, FUNCTIONS)
        return node

    def _note(self, statement: ast.stmt) -> ast.stmt:
        (note,) = ast.parse(f"__reached__[{places()[self.path, statement.lineno]}] = 1").body
        return note


class Loader(SourceFileLoader):
    def source_to_code(self, data: Any, path: Any, *, _optimize: int = -1) -> CodeType:  # type: ignore[override]
        tree = Noting(Path(path).relative_to(SOURCE).as_posix()).visit(ast.parse(data))
        return compile(ast.fix_missing_locations(tree), path, "exec", dont_inherit=True)

    def get_code(self, fullname: str) -> CodeType:
        return self.source_to_code(self.get_data(self.path), self.path)


class Finder(MetaPathFinder):
    """Finds the modules of the rooms, to be loaded with notes."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if not fullname.startswith("winnow."):
            return None
        spec = PathFinder.find_spec(fullname, path)
        origin = Path(spec.origin) if spec and spec.origin else None
        if (
            spec
            and origin
            and origin.is_relative_to(SOURCE)
            and origin.relative_to(SOURCE).as_posix() in _ours()
        ):
            spec.loader = Loader(fullname, str(origin))
            return spec
        return None


@functools.cache
def _ours() -> frozenset[str]:
    return frozenset(modules())


class Reached:
    """What was reached since the last time it was asked: what ran, and what cached answers stand for."""

    def __init__(self) -> None:
        self.taken = 0
        self.by_cache: dict[str, int] = defaultdict(int)

    @functools.cached_property
    def now(self) -> bytearray:
        """One place a statement: made when first needed, since it takes seconds to number them."""
        return bytearray(len(places()))

    def take(self) -> int:
        """One bit a statement, as one number, and begin anew."""
        # A cache holds one such number for each answer: bytes would take gigabytes.
        bits = np.packbits(np.frombuffer(self.now, np.uint8), bitorder="little")
        found = self.taken | int.from_bytes(bits.tobytes(), "little")
        self.now[:], self.taken = bytes(len(self.now)), 0
        return found

    def cached(self, maxsize: int | None, function: Callable[..., Any]) -> Callable[..., Any]:
        """A cache that also remembers what each answer reached."""
        name = f"{function.__module__}.{function.__qualname__}"
        known: dict[object, tuple[Any, int]] = {}

        @functools.wraps(function)
        def answer(*args: Any, **kwargs: Any) -> Any:
            key = (args, tuple(kwargs.items())) if kwargs else args
            if key not in known:
                before = self.take()
                value = function(*args, **kwargs)
                reached = self.take()
                self.taken = before
                self.by_cache[name] |= reached
                if maxsize is not None and len(known) >= maxsize:
                    known.pop(next(iter(known)))
                known[key] = (value, reached)
            value, reached = known[key]
            self.taken |= reached
            return value

        answer.cache_clear = known.clear  # type: ignore[attr-defined]
        return answer


REACHED = Reached()


def _lru_cache(maxsize: int | Callable[..., Any] | None = 128, typed: bool = False) -> Any:
    return _kept(128)(maxsize) if callable(maxsize) else _kept(maxsize)


def _kept(maxsize: int | None) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        if function.__module__.partition(".")[0] in {"winnow", "tests"}:
            return REACHED.cached(maxsize, function)
        return ORIGINAL(maxsize)(function)

    return decorate


ORIGINAL = functools.lru_cache


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests() -> None:
    # Not in pytest_configure: by then conftests have imported most rooms, without notes.
    builtins.__reached__ = REACHED.now  # type: ignore[attr-defined]
    functools.lru_cache = _lru_cache  # type: ignore[assignment]
    functools.cache = lambda function: _lru_cache(None)(function)  # type: ignore[assignment]
    sys.meta_path.insert(0, Finder())


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Notes(Path(config.getoption("--reach-into"))), "notes")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--reach-into", default="build/mutants/reach")


class Notes:
    """Writes down what each test reached, one file a process."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.tests: dict[str, tuple[float, int]] = {}
        self.failed: set[str] = set()
        self.loading = 0

    def pytest_collection_finish(self) -> None:
        """Until now modules were loaded: what ran for that will not run again."""
        self.loading = REACHED.take()

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        REACHED.take()
        start = process_time()
        yield
        self.tests[item.nodeid] = (process_time() - start, REACHED.take())

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed.add(report.nodeid)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if not self.tests:
            return
        for name in self.failed:
            self.tests.pop(name, None)
        self.folder.mkdir(parents=True, exist_ok=True)
        worker = getattr(session.config, "workerinput", {}).get("workerid", "main")
        told = {
            "tests": {
                name: (seconds, f"{reached:x}") for name, (seconds, reached) in self.tests.items() if reached
            },
            "caches": {name: f"{reached:x}" for name, reached in REACHED.by_cache.items() if reached},
            "loading": f"{self.loading:x}",
        }
        (self.folder / f"{worker}.json").write_text(json.dumps(told), "utf-8")
