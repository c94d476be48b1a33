"""Runs a Markdown file.

``python`` blocks are executed, ``$ winnow ...`` lines of ``console`` blocks are run and their output is
compared. Such a line may begin with ``printf '...' |``, which gives the program something to read.
"""

from __future__ import annotations

import ast
import asyncio
import contextlib
import inspect
import io
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from winnow.app.cli.program import main

SHELL = {"COLUMNS": "140", "NO_COLOR": "1", "PYTHONUTF8": "1"}
READS = re.compile(r"(?:printf '([^'\n]*)' \| )?winnow ([^|<>&;$`]*)")
"""A line that only ``winnow`` runs, and what it reads."""
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
    """Run each ``$ winnow`` line: in this process, where no other program takes part.

    The lines below it are its output, where a line ``...`` stands for any lines.
    """
    for command, expected in COMMAND.findall(block.text):
        said = READS.fullmatch(command)
        got = _within(said[2], said[1] or "", folder) if said else _alone(command, folder)
        assert "Traceback" not in got, f"{command}\n{got}"
        assert matches(expected, got), f"line {block.line}: {command}\nexpected:\n{expected}\ngot:\n{got}"


def _alone(command: str, folder: Path) -> str:
    """What a line prints in a shell."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    done = subprocess.run(
        command,
        shell=True,
        check=False,
        cwd=folder,
        env={**os.environ, **SHELL, "PATH": path},
        capture_output=True,
        text=True,
        timeout=60,
    )
    return done.stdout + done.stderr


def _within(arguments: str, read: str, folder: Path) -> str:
    """What ``winnow`` prints, run in this process; starting one for each line takes most of the time."""
    printed = io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True)
    given = io.TextIOWrapper(io.BytesIO(read.replace("\\n", "\n").encode()), "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for name, value in SHELL.items():
            patch.setenv(name, value)
        patch.setattr(sys, "argv", ["winnow", *shlex.split(arguments)])
        for name, stream in {"stdin": given, "stdout": printed, "stderr": printed}.items():
            patch.setattr(sys, name, stream)
        with contextlib.suppress(SystemExit):
            main()
    printed.flush()
    return printed.buffer.getvalue().decode()  # type: ignore[attr-defined]  # it is the buffer made above


def matches(expected: str, output: str) -> bool:
    """Equal line by line but for spaces at line ends, empty lines and milliseconds."""
    wanted, got = (
        ["\n" + MILLISECONDS.sub("0 ms", line.strip()) for line in t.splitlines() if line.strip()]
        for t in (expected, output)
    )
    pattern = "".join("(?:\n.*)*?" if line == "\n..." else re.escape(line) for line in wanted)
    return re.fullmatch(pattern, "".join(got)) is not None
