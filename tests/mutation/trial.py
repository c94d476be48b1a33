"""Tries mutants in a process that has collected every test: a pytest plugin in the place of the test run.

Each mutant gets a fork of that process, in which the changed function's code is put in place, the caches that
hold its answers are emptied, and the tests that reach it run one after the other until one fails.
"""

from __future__ import annotations

import ast
import functools
import gc
import inspect
import os
import resource
import signal
import sys
import tempfile
import traceback
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from types import CodeType, FunctionType
from typing import IO

import pytest
from _pytest.runner import runtestprotocol
from tests.mutation.changes import SOURCE, Mutant, compiled

SECONDS = 20.0
"""Seconds of the processor that the tests of one mutant may take; beyond that the last ones are left out."""
MEMORY = 2 << 30
"""Bytes that a mutant may take in addition."""
WAITING = 120
"""Seconds by the clock after which a test that computes nothing is given up."""
SURVIVED = "survived"
UNTRIED = "not tried"
"""It runs only while modules are loaded; or its function is not there as it stands in the file: compiled, or
of a module that is loaded anew; or the change takes its only ``super()`` away."""
Seconds = float


@dataclass(frozen=True)
class Task:
    """A mutant, the tests that reach it, and the caches that hold its answers."""

    mutant: Mutant | None
    """None changes nothing, so that every test must pass."""
    tests: tuple[tuple[str, Seconds], ...]
    """In the order they are tried, with what each took when nothing was changed."""
    caches: frozenset[str]
    only_loads: bool = False
    """Whether the changed statement runs while modules are loaded, before there is a mutant, never since."""


@dataclass
class Trial:
    """Runs the tasks instead of the tests, ``processes`` at a time."""

    tasks: Sequence[Task]
    processes: int
    log: Path
    """Gets a line for each mutant as soon as it was tried, with the test that noticed it."""
    noticed: dict[Mutant, str] = field(default_factory=dict)
    """The mutants that did not survive, with the test that failed."""
    untried: set[Mutant] = field(default_factory=set)
    unsound: set[str] = field(default_factory=set)
    """Tests that fail without any mutant when the caches are empty, or take too long: they notice nothing."""
    functions: dict[CodeType, FunctionType] = field(default_factory=dict)
    caches: dict[str, functools._lru_cache_wrapper] = field(default_factory=dict)

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = {item.nodeid: item for item in session.items}
        self._look_around()
        gc.collect()
        gc.freeze()
        self._try(self.tasks, items)
        while suspects := self._proof(items):
            found = [task for task in self.tasks if task.mutant and self.noticed.get(task.mutant) in suspects]
            self.noticed = {m: test for m, test in self.noticed.items() if test not in suspects}
            self._try(found, items)
        return True

    def _proof(self, items: Mapping[str, pytest.Item]) -> set[str]:
        """Of the tests that noticed a mutant those that fail without one, too."""
        seconds = {name: took for task in self.tasks for name, took in task.tests}
        left, found = sorted(set(self.noticed.values()) & set(seconds)), set[str]()
        while left:
            every = Task(None, tuple((name, seconds[name]) for name in left), frozenset(self.caches))
            last, _ = self._end(*self._start(every, items))
            if last == SURVIVED:
                break
            found.add(last)
            left = left[left.index(last) + 1 :]
        self.unsound |= found
        return found

    def _try(self, tasks: Sequence[Task], items: Mapping[str, pytest.Item]) -> None:
        waiting, running = deque(tasks), dict[int, tuple[Task, IO[bytes]]]()
        while waiting or running:
            if waiting and len(running) < self.processes:
                task = waiting.popleft()
                sound = tuple(test for test in task.tests if test[0] not in self.unsound)
                task = replace(task, tests=sound)
                child, slip = self._start(task, items)
                running[child] = (task, slip)
                continue
            child, status = os.wait()
            task, slip = running.pop(child)
            last, late = self._end(child, slip, status)
            if late and not self._in_time(last, task, items):
                self.unsound.add(last)
                waiting.append(task)
            else:
                self._came(task, last)

    def _in_time(self, name: str, task: Task, items: Mapping[str, pytest.Item]) -> bool:
        """Whether the test comes to its end without the mutant, however much of the caches it has to fill."""
        tests = tuple(test for test in task.tests if test[0] == name)
        last, _ = self._end(*self._start(Task(None, tests, task.caches), items))
        return last == SURVIVED

    def _start(self, task: Task, items: Mapping[str, pytest.Item]) -> tuple[int, IO[bytes]]:
        """A process that tries the task, and the slip it notes on what became of it."""
        slip = tempfile.TemporaryFile()  # noqa: SIM115 - closed when the child has ended
        child = os.fork()
        if not child:
            self._child(task, items, slip.fileno())
        return child, slip

    def _end(self, child: int, slip: IO[bytes], status: int | None = None) -> tuple[str, bool]:
        """What the process noted last, and whether it was stopped, for it took too long."""
        if status is None:
            _, status = os.waitpid(child, 0)
        with slip:
            slip.seek(0)
            return slip.read().decode(), os.WIFSIGNALED(status)

    def _look_around(self) -> None:
        """Where the functions and the caches are that a child will change."""
        gc.unfreeze()  # what is frozen is not listed
        for thing in gc.get_objects():
            if isinstance(thing, FunctionType) and thing.__code__.co_filename.startswith(str(SOURCE)):
                self.functions[thing.__code__] = thing
            elif isinstance(thing, functools._lru_cache_wrapper) and hasattr(thing, "__qualname__"):
                self.caches[f"{thing.__module__}.{thing.__qualname__}"] = thing

    def _came(self, task: Task, last: str) -> None:
        assert task.mutant
        if not last and task.tests:
            raise RuntimeError(f"it could not be tried, so nobody noticed it: {task.mutant}")
        if last == UNTRIED:
            self.untried.add(task.mutant)
        elif last != SURVIVED:
            self.noticed[task.mutant] = last
        sys.stderr.write({SURVIVED: "S", UNTRIED: "-"}.get(last, "."))
        sys.stderr.flush()
        with self.log.open("a", encoding="utf-8") as log:
            log.write(f"{task.mutant.path}:{task.mutant.line}: {task.mutant.what}\t{last}\n")

    def _child(self, task: Task, items: Mapping[str, pytest.Item], slip: int) -> None:
        """Notes which test it is at, and in the end that the mutant survived; never returns."""
        try:
            resource.setrlimit(resource.RLIMIT_DATA, (_used() + MEMORY, resource.RLIM_INFINITY))
            if task.mutant and (task.only_loads or not self._put(task.mutant)):
                _note(slip, UNTRIED)
                return
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            os.dup2(1, 2)
            for name in task.caches & set(self.caches):
                self.caches[name].cache_clear()
            self._run(task, items, slip)
        except BaseException:  # noqa: BLE001 - the child ends here, and its parent reads the slip
            traceback.print_exc()
        finally:
            os._exit(0)

    def _put(self, mutant: Mutant) -> bool:
        """Gives the function the changed code; False where it cannot be reached."""
        before = compiled(ast.parse((SOURCE / mutant.path).read_text("utf-8")), mutant.path)
        for old, new in functions(before, mutant.code()):
            if old != new and old not in self.functions:
                return False
            if old != new:
                if len(old.co_freevars) != len(new.co_freevars):
                    return False  # without its ``super()`` it is another sort of function
                self.functions[old].__code__ = new
        return True

    def _run(self, task: Task, items: Mapping[str, pytest.Item], slip: int) -> None:
        left = SECONDS if task.mutant else float("inf")
        chosen = [(items[name], seconds) for name, seconds in task.tests]
        for (item, seconds), (following, _) in pairwise([*chosen, (None, 0.0)]):
            left -= seconds
            if left < 0 or item is None:
                break
            _note(slip, item.nodeid)
            signal.setitimer(signal.ITIMER_PROF, 5 + 10 * seconds)
            signal.alarm(WAITING)
            if any(report.failed for report in runtestprotocol(item, log=False, nextitem=following)):
                return
        _note(slip, SURVIVED)


def _note(slip: int, text: str) -> None:
    """The slip says this and no more."""
    os.ftruncate(slip, 0)
    os.pwrite(slip, text.encode(), 0)


def _used() -> int:
    """Bytes of data that this process has."""
    with open("/proc/self/statm") as told:  # noqa: PTH123 - no path of a file
        return int(told.read().split()[5]) * resource.getpagesize()


def functions(before: CodeType, after: CodeType) -> Iterator[tuple[CodeType, CodeType]]:
    """The functions of a module and of its classes, as they were and as they are now."""
    inner = ([c for c in code.co_consts if isinstance(c, CodeType)] for code in (before, after))
    for old, new in zip(*inner, strict=True):
        if old.co_flags & inspect.CO_NEWLOCALS:
            yield old, new
        else:  # the body of a class
            yield from functions(old, new)
