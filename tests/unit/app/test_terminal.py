"""The program at its edges: input and output that are not as one hopes, in a process of its own."""

from __future__ import annotations

import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from winnow.app.cli.terminal import EXIT_INTERRUPTED, EXIT_READER_LEFT

pytestmark = pytest.mark.slow

Run = Callable[..., "subprocess.CompletedProcess[bytes]"]
PROGRAM = (sys.executable, "-m", "winnow")
_HEED = "import runpy, signal; signal.signal(signal.SIGINT, signal.default_int_handler);"
HEEDING = (sys.executable, "-c", _HEED + "runpy.run_module('winnow', run_name='__main__')")
"""The program as it heeds an interrupt: who was started in the background is told to ignore it."""
SECONDS = 60
"""What the program may take at most; it takes one or two."""
FULL = Path("/dev/full")
unix = pytest.mark.skipif(os.name != "posix", reason="pipes and devices of Unix")


@pytest.fixture(scope="module")
def surroundings(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment with one home in its data folder."""
    env = {key: value for key, value in os.environ.items() if not key.startswith("WINNOW_")}
    env |= {"WINNOW_HOME": str(tmp_path_factory.mktemp("data")), "LC_ALL": "C.UTF-8", "PYTHONUTF8": "0"}
    subprocess.run([*PROGRAM, "home", "import", "example:cottage"], check=True, env=env, capture_output=True)
    return env


@pytest.fixture
def run(surroundings: dict[str, str]) -> Run:
    """The program with what it is given, and what came of it."""

    def ran(*args: str | bytes, given: bytes = b"", env: dict[str, str] | None = None, **more: Any) -> Any:
        more = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **more}
        full = {**surroundings, **(env or {})}
        return subprocess.run([*PROGRAM, *args], check=False, input=given, env=full, timeout=SECONDS, **more)

    return ran


def without_traceback(ran: subprocess.CompletedProcess[bytes], lines: int = 4) -> str:
    """What it said beside its output, which is short."""
    said = (ran.stderr or b"").decode("utf-8")
    assert "Traceback" not in said
    assert "Exception" not in said
    assert len(said.splitlines()) <= lines
    return said


def test_a_talk_goes_on_after_lines_that_are_no_text(run: Run) -> None:
    broken = ("打开台灯".encode("gbk"), b"\xff\xfe\x00", b"turn on \x80\x81 lamp")
    ran = run("chat", given=b"\n".join([b"turn on the crane", *broken, b"is the crane on", b""]))
    said = without_traceback(ran, lines=4 * len(broken))
    assert said.count("not readable as utf-8") == len(broken)
    assert "PYTHONIOENCODING" in said
    assert "state = on" in ran.stdout.decode()
    assert ran.returncode == 2


def test_a_talk_in_another_encoding_is_understood_when_it_is_named(run: Run) -> None:
    ran = run("chat", given="打开书房的灯\n".encode("gbk"), env={"PYTHONIOENCODING": "gbk"})
    assert "打开书房的灯" in ran.stdout.decode("gbk")
    assert without_traceback(ran) == ""


@pytest.mark.parametrize(
    "args",
    [
        ("ask", "打开灯".encode("gbk")),
        ("ask", "hi", "--session", b"\xb4\xf2"),
        ("intent", b"\xff"),
        ("home", "import", b"/nowhere/\xb4\xf2"),
    ],
)
@unix
def test_words_that_are_no_text_are_an_error_with_a_hint(run: Run, args: tuple[Any, ...]) -> None:
    ran = run(*args)
    assert ran.returncode == 2
    assert "Hint:" in without_traceback(ran)


@pytest.mark.parametrize("encoding", ["ascii", "gbk", "cp1252"])
def test_what_an_encoding_lacks_is_escaped_and_said_once(run: Run, encoding: str) -> None:
    ran = run("rewrite", "打开🌿灯", env={"PYTHONIOENCODING": encoding})
    assert ran.returncode == 0
    assert "\\U0001f33f" in ran.stdout.decode(encoding)
    assert without_traceback(ran).count("PYTHONIOENCODING=utf-8") == 1


def test_data_stays_data_in_any_encoding(run: Run) -> None:
    import json

    ran = run("rewrite", "打开🌿灯", "--json", env={"PYTHONIOENCODING": "ascii"})
    assert json.loads(ran.stdout)["query"] == "打开🌿灯"
    assert without_traceback(ran) == ""


@pytest.mark.skipif(not FULL.exists(), reason="a device that is always full")
@pytest.mark.parametrize(
    "args", ["home show", "ask turn on the crane", "explain hi", "chat", "demo", "doctor", "-h"]
)
def test_a_full_disk_is_an_error_with_a_hint(run: Run, args: str) -> None:
    with FULL.open("wb") as full:
        ran = run(*args.split(), stdout=full)
    assert ran.returncode == 2
    assert "No space left on device" in without_traceback(ran)


@pytest.mark.skipif(not FULL.exists(), reason="a device that is always full")
def test_a_port_that_is_taken_is_an_error_that_names_the_option(run: Run) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        ran = run("serve", "--port", str(taken.getsockname()[1]))
    told = without_traceback(ran)
    assert "Nothing can be served there: Address already in use." in told
    assert "--port 0" in told


def test_an_error_that_nobody_can_be_told_keeps_its_code(run: Run) -> None:
    with FULL.open("wb") as full:
        assert run("ask", "hi", "--home", "nope", stdout=full, stderr=full).returncode == 2


@pytest.mark.parametrize("args", ["home show", "explain turn on the crane", "demo", "chat"])
@unix
def test_a_reader_that_leaves_ends_the_program_quietly(run: Run, args: str) -> None:
    read, write = os.pipe()
    os.close(read)
    ran = run(*args.split(), stdout=write)
    os.close(write)
    assert (ran.returncode, without_traceback(ran)) == (EXIT_READER_LEFT, "")


@pytest.mark.parametrize("stream", ["<", ">", "2>"])
@pytest.mark.parametrize("args", ["chat", "ask turn on the crane"])
@unix
def test_a_closed_stream_is_no_reason_to_fail(surroundings: dict[str, str], stream: str, args: str) -> None:
    command = f"'{sys.executable}' -m winnow {args} {stream}&-"
    ran = subprocess.run(["sh", "-c", command], check=False, env=surroundings, capture_output=True, input=b"")
    assert (ran.returncode, without_traceback(ran)) == (0, "")


@unix
def test_an_interrupt_ends_a_talk_quietly(surroundings: dict[str, str]) -> None:
    pipes: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen([*HEEDING, "chat"], env=surroundings, **pipes) as talk:
        assert talk.stdout is not None
        assert talk.stderr is not None
        os.read(talk.stdout.fileno(), 10)
        talk.send_signal(signal.SIGINT)
        try:
            assert talk.wait(SECONDS) == EXIT_INTERRUPTED
        finally:
            talk.kill()
        assert b"Traceback" not in talk.stderr.read()


def test_files_in_another_encoding_are_told_with_what_to_do(run: Run, tmp_path: Path) -> None:
    before, cases = tmp_path / "before.jsonl", tmp_path / "cases.jsonl"
    for file in (before, cases):
        file.write_bytes('{"role": "user", "content": "打开"}\n'.encode("gbk"))
    for args in (("ask", "hi", "--said", str(before)), _evaluation(cases, tmp_path)):
        assert "not UTF-8; save it in that encoding" in without_traceback(ran := run(*args))
        assert ran.returncode == 2


def _evaluation(cases: Path, folder: Path) -> tuple[str, ...]:
    return "eval", "rewrite", "--cases", str(cases), "--out", str(folder / "out.jsonl")


@unix
def test_an_earlier_line_can_be_called_back_in_a_talk(surroundings: dict[str, str]) -> None:
    pytest.importorskip("readline")
    import pty  # Unix alone has it

    ours, theirs = pty.openpty()
    env = {**surroundings, "TERM": "xterm"}
    talk = subprocess.Popen([*PROGRAM, "chat"], stdin=theirs, stdout=theirs, stderr=theirs, env=env)
    os.close(theirs)
    said = b""
    for typed in (b"is the crane on\n", b"\x1b[A\n", b"/quit\n"):
        while not said.endswith(b"> "):
            assert select.select([ours], [], [], SECONDS)[0], said
            said += os.read(ours, 4096)
        os.write(ours, typed)
        said += b"|"
    assert talk.wait(SECONDS) == 0
    os.close(ours)
    assert said.count(b"state = ") == 2
