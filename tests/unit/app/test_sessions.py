"""Sessions at the command line, as a person sees them."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from winnow.language.tables import parse_yaml

TABLE: list[dict[str, Any]] = parse_yaml(Path(__file__).with_name("sessions.yaml").read_text("utf-8"))
OF_THE_MOMENT = {
    r"\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{8,}\b": "ID",
    r"\b(plan|id) [a-z0-9]{6}\b": r"\1 ID",
    r"--token [\w-]+": "--token TOKEN",
    r"\b20(?!24)\d\d-\d\d-\d\d \d\d:\d\d\b": "NOW",
    r"[^ ]*/(?=data/\w+\.yaml)": "",
}
"""What differs from one time to the next, and what stands for it."""


def typed(session: str) -> list[str]:
    """The commands of a session."""
    return re.findall(r"(?m)^\$ winnow (.*)$", session)


def seen(winnow: Callable[..., Any], commands: list[str]) -> Iterator[str]:
    """A session anew: what is told of what is wrong behind ``!``, how a command ended where not well."""
    for command in commands:
        ran = winnow(*shlex.split(command))
        yield f"$ winnow {command}"
        yield from ran.out.splitlines()
        yield from (f"! {line}" for line in ran.err.splitlines())
        if ran.code:
            yield f"(ends with {ran.code})"


def plain(lines: Iterator[str]) -> list[str]:
    text = "\n".join(line.rstrip() for line in lines if line.strip(" !"))
    for what, instead in OF_THE_MOMENT.items():
        text = re.sub(what, instead, text)
    return text.splitlines()


@pytest.mark.parametrize("row", TABLE, ids=[row["about"] for row in TABLE])
def test_a_session_reads_as_it_should(
    row: dict[str, Any], winnow: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WINNOW_HOME", str(tmp_path / "data"))
    for name, value in row.get("environment", {}).items():
        monkeypatch.setenv(name, value)
    for name, text in row.get("files", {}).items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    assert plain(seen(winnow, typed(row["session"]))) == row["session"].splitlines()
