"""How many pieces the package is made of, and whether its modules import one another in circles.

    python scripts/pieces.py [FOLDER, default src/winnow] [--circles]

A limit on the length of functions moves complexity into their number, so the number is bounded too:
``tests/contract/test_pieces.py`` holds these figures against its ceilings.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

Function = ast.FunctionDef | ast.AsyncFunctionDef
SOURCE = Path(__file__).resolve().parents[1] / "src" / "winnow"
_IRREGULAR = """
told said heard kept made done gone given taken found seen known meant held left laid led lost built bought
brought caught drawn driven felt fitted got grown had hidden lent lit met paid sent shown shut spoken spent
stood struck sung sworn thought thrown understood undone won worn woven written chosen begun become borne
"""
IRREGULAR = frozenset(_IRREGULAR.split())
"""Participles that do not end in -ed."""
_AMBIGUOUS = "read set run put split spread need feed seed speed bed shed embed red"
NOT_PARTICIPLES = frozenset(_AMBIGUOUS.split())
"""Words of that form that are nouns or imperatives as well."""


@dataclass(frozen=True, slots=True)
class Pieces:
    """What one folder of modules is made of."""

    lines: int
    code_lines: int
    comment_lines: int
    files: int
    functions: int
    single_use: int
    """Private functions whose name is loaded at most once in their module."""
    participles: int
    """Functions whose whole name is a past participle."""
    top_names: int
    repeated_class_names: int

    @property
    def figures(self) -> Mapping[str, float]:
        """What has a ceiling or a floor; shares in percent."""
        return {
            "lines": self.lines,
            "files": self.files,
            "functions per 1,000 code lines": 1000 * self.functions / self.code_lines,
            "single-use helpers, % of functions": 100 * self.single_use / self.functions,
            "participles, % of functions": 100 * self.participles / self.functions,
            "comments, % of lines": 100 * self.comment_lines / self.lines,
            "names at the top": self.top_names,
            "class names used twice": self.repeated_class_names,
        }


@cache
def pieces(folder: Path = SOURCE) -> Pieces:
    """Count the pieces of every module below the folder."""
    code_lines = comment_lines = lines = functions = single_use = participles = 0
    classes: Counter[str] = Counter()
    files = sorted(folder.rglob("*.py"))
    for path in files:
        text = path.read_text("utf-8")
        rows, tree = text.splitlines(), ast.parse(text)
        lines += len(rows)
        code_lines += sum(bool(row.strip()) for row in rows)
        comment_lines += sum(row.strip().startswith("#") or "  # " in row for row in rows)
        loads = Counter(_loaded_names(tree))
        classes.update(node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef))
        for node in ast.walk(tree):
            if isinstance(node, Function):
                functions += 1
                participles += is_participle(node.name)
                private = node.name.startswith("_") and not node.name.startswith("__")
                single_use += private and loads[node.name] <= 1
    top = {p.name for p in folder.iterdir() if p.suffix == ".py" or (p / "__init__.py").exists()}
    repeated = sum(count - 1 for count in classes.values())
    return Pieces(
        lines, code_lines, comment_lines, len(files), functions, single_use, participles, len(top), repeated
    )


def is_participle(name: str) -> bool:
    """Whether the whole name is a past participle, such as ``told`` or ``_merged``."""
    word = name.strip("_").lower()
    if "_" in word or word in NOT_PARTICIPLES:
        return False
    return word in IRREGULAR or (word.endswith("ed") and len(word) > 4)


def circle(folder: Path = SOURCE) -> list[str]:
    """One circle of modules that import one another, or nothing; lazy and type-only imports count.

    A package's ``__init__`` that only passes on names stands for the modules it takes them from.
    """
    modules = {_dotted(path, folder): path for path in sorted(folder.rglob("*.py"))}
    graph = {name: set(_imported_modules(path, modules)) - {name} for name, path in modules.items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def _dotted(path: Path, folder: Path) -> str:
    parts = path.relative_to(folder.parent).with_suffix("").parts
    return ".".join(parts).removesuffix(".__init__")


def _imported_modules(path: Path, modules: Mapping[str, Path]) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in modules)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                name = f"{node.module}.{alias.name}"
                if name in modules:
                    yield name
                elif node.module in modules:
                    yield node.module


def _loaded_names(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr


def main() -> None:
    """Print the figures of a folder, or a circle of its imports."""
    folders = [Path(argument) for argument in sys.argv[1:] if not argument.startswith("--")]
    folder = folders[0] if folders else SOURCE
    if "--circles" in sys.argv:
        print(" -> ".join(circle(folder)) or "no circle")
        return
    for name, figure in pieces(folder).figures.items():
        print(f"{figure:10.1f}  {name}")


if __name__ == "__main__":
    main()
