"""Runs a Markdown file.

``python`` blocks are executed, ``$ winnow ...`` lines of ``console`` blocks are run and their output is
compared. Such a line may begin with ``printf '...' |``, which gives the program something to read.
"""

from __future__ import annotations

import ast
import asyncio
import inspect
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```\s*$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ ((?:printf '[^'\n]*' \| )?winnow\b[^\n]*)\n((?:(?!\$ )[^\n]*\n)*)", re.MULTILINE)
MILLISECONDS = re.compile(r"\d+(?:\.\d+)?\s*ms")


@dataclass(frozen=True)
class Block:
    """One fenced block: its language, its text, and the line of the file its text begins on."""

    language: str
    text: str
    line: int


def blocks(document: Path) -> Iterator[Block]:
    text = document.read_text(encoding="utf-8")
    for found in FENCE.finditer(text):
        yield Block(found[1], found[2], text.count("\n", 0, found.start(2)) + 1)


def run_python(block: Block, document: Path, names: dict[str, object]) -> None:
    """Execute the block with the names of the blocks before it; ``await`` may stand at the top level."""
    code = compile(
        "\n" * (block.line - 1) + block.text, str(document), "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    )
    result = eval(code, names)
    if inspect.iscoroutine(result):
        asyncio.run(result)


def run_console(block: Block, folder: Path) -> None:
    """Run each ``$ winnow`` line.

    The lines below it are its output, where a line ``...`` stands for any lines.
    """
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    env = {**os.environ, "PATH": path, "COLUMNS": "140", "NO_COLOR": "1", "PYTHONUTF8": "1"}
    for command, expected in COMMAND.findall(block.text):
        done = subprocess.run(
            command, shell=True, check=False, cwd=folder, env=env, capture_output=True, text=True, timeout=60
        )
        got = done.stdout + done.stderr
        assert "Traceback" not in done.stderr, f"{command}\n{done.stderr}"
        assert matches(expected, got), f"line {block.line}: {command}\nexpected:\n{expected}\ngot:\n{got}"


def matches(expected: str, output: str) -> bool:
    """Equal line by line but for spaces at line ends, empty lines and milliseconds."""
    wanted, got = (
        ["\n" + MILLISECONDS.sub("0 ms", line.strip()) for line in t.splitlines() if line.strip()]
        for t in (expected, output)
    )
    pattern = "".join("(?:\n.*)*?" if line == "\n..." else re.escape(line) for line in wanted)
    return re.fullmatch(pattern, "".join(got)) is not None
