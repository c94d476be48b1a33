"""What was noted of the program as it was, told of the program as it is.

A function whose text is the same keeps what was noted of each of its statements. Of a changed one each
statement counts as reached by whatever reached any of its statements, of a new one by whatever reached its
module: that only lets tests be tried in vain, for it is they that say whether a mutant is noticed.
"""

from __future__ import annotations

import ast
import hashlib
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import accumulate

import numpy as np
from tests.mutation.changes import FUNCTIONS, SOURCE, modules

Function = tuple[str, str, str, int]
"""Module, name within it, digest of the text, and number of statements."""


def layout() -> list[Function]:
    """The functions in the order of their statements' places."""
    return [found for path in modules() for found in functions(path, (SOURCE / path).read_text("utf-8"))]


def functions(path: str, text: str) -> Iterator[Function]:
    """The outermost functions of a module and of its classes."""
    lines = text.splitlines()

    def below(owner: ast.AST, within: str) -> Iterator[Function]:
        for node in ast.iter_child_nodes(owner):
            if isinstance(node, FUNCTIONS):
                own = "\n".join(lines[node.lineno - 1 : node.end_lineno])
                many = len({s.lineno for s in ast.walk(node) if isinstance(s, ast.stmt)})
                yield path, within + node.name, hashlib.sha256(own.encode()).hexdigest()[:16], many
            else:
                yield from below(node, f"{within}{node.name}." if isinstance(node, ast.ClassDef) else within)

    return below(ast.parse(text), "")


def function_bits(place: int) -> int:
    """The places of the function that this one stands in, one bit each."""
    ends = _ends()
    at = bisect_right(ends, place)
    begins = ends[at - 1] if at else 0
    return (1 << ends[at]) - (1 << begins)


@cache
def _ends() -> list[int]:
    """The place behind the last one of each function."""
    return list(accumulate(many for *_, many in layout()))


class Moved:
    """From places of statements in one layout to those in another."""

    def __init__(self, before: Sequence[Function], after: Sequence[Function]) -> None:
        whole: dict[tuple[str, ...], slice] = {}
        """Where each function and each module stood."""
        begins = 0
        for path, name, text, many in before:
            at = slice(begins, begins := begins + many)
            whole[path, name, text] = whole[path, name] = at
            whole[path,] = slice(whole.get((path,), at).start, at.stop)
        self.many = begins
        self.same: list[tuple[slice, slice]] = []
        self.any: list[tuple[slice, slice]] = []
        begins = 0
        for path, name, text, many in after:
            at = slice(begins, begins := begins + many)
            if (path, name, text) in whole:
                self.same.append((at, whole[path, name, text]))
            elif old := whole.get((path, name), whole.get((path,))):
                self.any.append((at, old))
        self.length = begins

    def __call__(self, reached: str) -> str:
        """The statements that were reached, one bit each, as a hexadecimal number."""
        raw = int(reached, 16).to_bytes(self.many // 8 + 1, "little")
        old, new = (
            np.unpackbits(np.frombuffer(raw, np.uint8), bitorder="little"),
            np.zeros(self.length, np.uint8),
        )
        for at, was in self.same:
            new[at] = old[was]
        for at, was in self.any:
            new[at] = old[was].any()
        return f"{int.from_bytes(np.packbits(new, bitorder='little').tobytes(), 'little'):x}"
