"""The small faults of a module: one comparison, constant, branch or statement changed at a time."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from types import CodeType
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "winnow"
ROOMS = ("language", "understand", "retrieve", "decide", "context", "act", "engine", "adapters", "app")
SPARED = "# no mutants:"
"""A line with this comment, and a reason after it, is left as it is."""

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
COMPARED: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
CALLED = {"any": "all", "all": "any", "min": "max", "max": "min"}
DROPPED = (ast.Expr, ast.AugAssign, ast.Raise, ast.Continue, ast.Break, ast.Return)
"""What may be left out; without an assignment to a name most functions cannot even run."""
UNTOUCHED = {"annotation", "returns", "decorator_list", "args", "type_comment", "format_spec"}
"""Fields of a node that say nothing of what it does, or that belong to the definition of a function."""


@dataclass(frozen=True)
class Spot:
    """A node of a function's body, and where in its parent it stands."""

    node: ast.AST
    parent: ast.AST
    field: str
    index: int | None
    statement: int
    """Line on which the innermost statement around it begins."""
    last: bool
    """Whether it is the last statement of its function."""

    def put(self, node: ast.AST) -> None:
        """Another node in its place."""
        if self.index is None:
            setattr(self.parent, self.field, node)
        else:
            getattr(self.parent, self.field)[self.index] = node


@dataclass(frozen=True)
class Mutant:
    """One change of one function: the spot of the module by its number, and which of its changes."""

    path: str
    line: int
    statement: int
    spot: int
    change: int
    what: str

    @property
    def room(self) -> str:
        return self.path.partition("/")[0]

    def code(self) -> CodeType:
        """The module with the change made."""
        tree = ast.parse((SOURCE / self.path).read_text("utf-8"))
        spot = next(islice(spots(tree), self.spot, None))
        _, node = changes(spot)[self.change]
        spot.put(ast.copy_location(node, spot.node))
        return compiled(ast.fix_missing_locations(tree), self.path)


def modules() -> list[str]:
    """Paths of the modules of the rooms, relative to the package."""
    return sorted(p.relative_to(SOURCE).as_posix() for room in ROOMS for p in (SOURCE / room).rglob("*.py"))


def compiled(tree: ast.Module, path: str) -> CodeType:
    """Compiled under the name that the import system gives it."""
    return compile(tree, str(SOURCE / path), "exec", dont_inherit=True)


def mutants(path: str) -> list[Mutant]:
    """Every change of the functions of one module, in the order of the text."""
    text = (SOURCE / path).read_text("utf-8")
    lines = text.splitlines()
    return [
        Mutant(path, spot.node.lineno, spot.statement, number, which, what)
        for number, spot in enumerate(spots(ast.parse(text)))
        if isinstance(spot.node, ast.expr | ast.stmt) and SPARED not in lines[spot.node.lineno - 1]
        for which, (what, _) in enumerate(changes(spot))
    ]


def spots(tree: ast.Module) -> Iterator[Spot]:
    """Each node of a function's body that says what the function does."""
    for owner in ast.walk(tree):
        if isinstance(owner, ast.Module | ast.ClassDef):
            for function in owner.body:
                if isinstance(function, FUNCTIONS):
                    yield from _below(function, function.lineno, function.body[-1])


def _below(parent: ast.AST, line: int, last: ast.stmt) -> Iterator[Spot]:
    for field, value in ast.iter_fields(parent):
        if field in UNTOUCHED and not (isinstance(parent, ast.Call) and field == "args"):
            continue
        many = isinstance(value, list)
        for index, node in enumerate(value if many else [value]):
            if not isinstance(node, ast.AST) or _is_only_told(node) or _is_type(parent, node):
                continue
            begins = node.lineno if isinstance(node, ast.stmt) else line
            yield Spot(node, parent, field, index if many else None, begins, node is last)
            yield from _below(node, begins, last)


def _is_only_told(node: ast.AST) -> bool:
    """Docstrings, blocks for type checkers, assertions, log lines, and what an error says."""
    match node:
        case ast.Expr(value=ast.Constant()) | ast.Assert():
            return True
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return True
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id="log" | "logger")))):
            return True
        case ast.Call(func=ast.Name(id=name)) if name.endswith("Error"):
            return True
    return False


def _is_type(parent: ast.AST, node: ast.AST) -> bool:
    """The type that a value is cast to, which nothing looks at when the program runs."""
    match parent:
        case ast.Call(func=ast.Name(id="cast"), args=[told, _]):
            return told is node
    return False


def changes(spot: Spot) -> list[tuple[str, ast.AST]]:
    """What may stand in its place, each with what it says."""
    node = spot.node
    others = [other for kind, of in KINDS.items() if isinstance(node, kind) for other in of(node)]
    if isinstance(node, DROPPED) and not (spot.last and isinstance(node, ast.Return)):
        return [*(_became(node, other) for other in others), (f"left out: {_short(node)}", ast.Pass())]
    return [_became(node, other) for other in others]


def _compare(node: ast.Compare) -> Iterator[ast.expr]:
    if len(node.ops) > 1:
        return
    (op,), (right,) = node.ops, node.comparators
    for other in COMPARED[type(op)]:
        yield ast.Compare(node.left, [other()], [right])
    if isinstance(op, ast.In | ast.NotIn) and isinstance(right, ast.Tuple | ast.List):
        for fewer in _fewer(right):
            yield ast.Compare(node.left, [op], [fewer])


def _bool_op(node: ast.BoolOp) -> Iterator[ast.expr]:
    yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)


def _unary_op(node: ast.UnaryOp) -> Iterator[ast.expr]:
    if isinstance(node.op, ast.Not):
        yield node.operand


def _if_exp(node: ast.IfExp) -> Iterator[ast.expr]:
    yield ast.IfExp(node.test, node.orelse, node.body)


def _call(node: ast.Call) -> Iterator[ast.expr]:
    if isinstance(node.func, ast.Name) and node.func.id in CALLED:
        yield ast.Call(ast.Name(CALLED[node.func.id], ast.Load()), node.args, node.keywords)


def _set(node: ast.Set) -> Iterator[ast.expr]:
    if len(node.elts) > 1:
        yield from _fewer(node)


def _fewer(node: ast.Set | ast.Tuple | ast.List) -> Iterator[ast.expr]:
    for n in range(len(node.elts)):
        rest = node.elts[:n] + node.elts[n + 1 :]
        yield ast.Set(rest) if isinstance(node, ast.Set) else ast.Tuple(rest, ast.Load())


def _constant(node: ast.Constant) -> Iterator[ast.expr]:
    match node.value:
        case bool(value):
            yield ast.Constant(not value)
        case int(value) | float(value):
            yield ast.Constant(value + 1)
            yield ast.Constant(value - 1)
        case str(value):
            yield ast.Constant("" if value else "?")


def _if(node: ast.If) -> Iterator[ast.stmt]:
    yield ast.If(ast.UnaryOp(ast.Not(), node.test), node.body, node.orelse)


def _return(node: ast.Return) -> Iterator[ast.stmt]:
    match node.value:
        case ast.Tuple(elts=[first, second]):
            yield ast.Return(ast.Tuple([second, first], ast.Load()))
        case ast.expr() as value if not isinstance(value, ast.Constant):
            yield ast.Return(ast.Constant(None))


KINDS: dict[type[ast.AST], Callable[[Any], Iterator[ast.AST]]] = {
    ast.Compare: _compare,
    ast.BoolOp: _bool_op,
    ast.UnaryOp: _unary_op,
    ast.IfExp: _if_exp,
    ast.Call: _call,
    ast.Set: _set,
    ast.Constant: _constant,
    ast.If: _if,
    ast.Return: _return,
}


def _became(before: ast.AST, after: ast.AST) -> tuple[str, ast.AST]:
    return f"{_short(before)}  ->  {_short(after)}", after


def _short(node: ast.AST) -> str:
    shown = node.test if isinstance(node, ast.If) else node
    text = " ".join(ast.unparse(ast.fix_missing_locations(shown)).split())
    text = f"if {text}" if isinstance(node, ast.If) else text
    return text if len(text) <= 90 else f"{text[:87]}..."
