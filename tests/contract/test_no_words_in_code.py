"""The words of both languages are data: no code of the reader holds one.

What still does stands in ``words_in_code.yaml``, and that list may only get shorter: a new word fails, and so
does one that was moved and is still listed.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import yaml
from tests.contract.test_structure import SOURCE, nodes, parsed

LISTED = Path(__file__).with_name("words_in_code.yaml")
ROOM = SOURCE / "understand"
HAN = re.compile(r"[\u3400-\u9fff]")
LATIN = re.compile(r"[A-Za-z]")
ENDS = {"startswith", "endswith", "removeprefix", "removesuffix"}


def texts(node: ast.AST) -> Iterator[str]:
    """The texts a value is written of; those that only name a row of a table are none."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    looked_up = isinstance(node, ast.Subscript) or (isinstance(node, ast.Call) and not is_set(node))
    for child in () if looked_up else ast.iter_child_nodes(node):
        yield from texts(child)


def is_set(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Name) and call.func.id in {"frozenset", "set", "tuple"}


def docstrings(module: Path) -> set[int]:
    """The texts that stand by themselves: documentation of modules, classes, functions and constants."""
    return {id(n.value) for n in nodes(module, ast.Expr) if isinstance(n.value, ast.Constant)}


def chinese(module: Path) -> set[str]:
    notes = docstrings(module)
    found = (n.value for n in nodes(module, ast.Constant) if id(n) not in notes)
    return {text for text in found if isinstance(text, str) and HAN.search(text)}


def is_text(node: ast.AST) -> bool:
    """``token.text``: what was said."""
    return isinstance(node, ast.Attribute) and node.attr == "text"


def constants(module: Path) -> dict[str, ast.AST]:
    """The values of the module's own names."""
    found = (n for n in parsed(module).body if isinstance(n, ast.Assign))
    return {t.id: n.value for n in found for t in n.targets if isinstance(t, ast.Name)}


def compared(module: Path) -> set[str]:
    """English words that what was said is compared with."""
    named = constants(module)
    sides: list[ast.AST] = []
    for node in nodes(module, ast.Compare):
        if any(map(is_text, (node.left, *node.comparators))):
            sides += [node.left, *node.comparators]
    for call in nodes(module, ast.Call):
        if isinstance(call.func, ast.Attribute) and call.func.attr in ENDS and is_text(call.func.value):
            sides += call.args
    said = [n.id for side in sides for n in ast.walk(side) if isinstance(n, ast.Name)]
    sides += [named[name] for name in said if name in named]
    return {text for side in sides for text in texts(side) if LATIN.search(text)}


def words_in_code() -> dict[str, list[str]]:
    """Module -> the words it holds."""
    found = {m.relative_to(SOURCE).as_posix(): chinese(m) | compared(m) for m in sorted(ROOM.rglob("*.py"))}
    return {module: sorted(words) for module, words in found.items() if words}


def listed() -> dict[str, list[str]]:
    return yaml.safe_load(LISTED.read_text("utf-8")) or {}


def pairs(found: dict[str, list[str]]) -> list[tuple[str, str]]:
    return [(module, word) for module, words in found.items() for word in words]


def test_the_words_of_the_reader_are_data_and_the_list_of_others_only_shrinks() -> None:
    now, known = pairs(words_in_code()), pairs(listed())
    assert [p for p in now if p not in known] == [], "move these to a table"
    assert [p for p in known if p not in now] == [], "moved: take these off the list"


def test_words_are_found_however_they_are_compared(tmp_path: Path) -> None:
    module = tmp_path / "m.py"
    module.write_text(
        '"""灯"""\nA = frozenset({"both"})\nB = "关"\n\ndef f(t):\n    """别"""\n'
        '    if t.text in A or t.text == "the" or t.text in T["of"]:\n        return True\n'
        '    return t.text.startswith(("fan ", "?")) or t.kind == "verb"\n',
        "utf-8",
    )
    assert chinese(module) == {"关"}
    assert compared(module) == {"both", "the", "fan "}


if __name__ == "__main__":  # writes the list anew
    LISTED.write_text(yaml.safe_dump(words_in_code(), allow_unicode=True, width=100), "utf-8")
