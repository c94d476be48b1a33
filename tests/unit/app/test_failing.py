"""How a command ends that failed, and what is told of it; in this process."""

from __future__ import annotations

import errno
import io
import json
import socket
import warnings
from collections.abc import Callable

import pytest

from winnow.app.cli.terminal import EscapeUnencodable, run_guarded
from winnow.errors import Phrase, WinnowError


@pytest.fixture(autouse=True)
def in_english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "en_GB.UTF-8")


def raising(error: BaseException) -> Callable[[], object]:
    def run() -> object:
        raise error

    return run


@pytest.mark.parametrize(
    ("error", "code", "told"),
    [
        (WinnowError("It broke.", hint="Mend it."), 2, "Error: It broke.\nHint: Mend it.\n"),
        (WinnowError("It broke."), 2, "Error: It broke.\n"),
        (KeyboardInterrupt(), 130, ""),
        (
            OSError(errno.EACCES, "Permission denied", "/etc/x"),
            2,
            "Error: /etc/x cannot be used: Permission denied.\nHint: Check the path and its permissions.\n",
        ),
    ],
)
def test_what_went_wrong_is_told_with_what_to_do(
    capsys: pytest.CaptureFixture[str], error: BaseException, code: int, told: str
) -> None:
    assert run_guarded(raising(error), []) == code
    assert capsys.readouterr() == ("", told)


@pytest.mark.parametrize(
    ("error", "code", "told"),
    [
        (OSError(errno.EADDRINUSE, "Address in use"), 2, "Nothing can be served there: Address in use."),
        (socket.gaierror(-2, "Name unknown"), 2, "Nothing can be served there: Name unknown."),
        (OSError(errno.ENOSPC, "No space left"), 2, "The output cannot be written: No space left."),
        (BrokenPipeError(), 141, ""),
    ],
)
def test_an_output_that_fails_is_written_no_more(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    error: BaseException,
    code: int,
    told: str,
) -> None:
    dropped: list[int] = []
    monkeypatch.setattr("winnow.app.cli.terminal._drop_output", lambda: dropped.append(1))
    assert run_guarded(raising(error), ["--json"]) == code
    said = capsys.readouterr()
    assert dropped == [1]
    assert said.out == ""
    assert told in said.err


def test_where_data_was_wanted_the_error_is_data(capsys: pytest.CaptureFixture[str]) -> None:
    error = OSError(errno.ENOENT, "No such file", "x.json")
    assert run_guarded(raising(error), ["ask", "--json"]) == 2
    said = capsys.readouterr()
    assert json.loads(said.out)["error"]["message"] == "x.json cannot be used: No such file."
    assert said.err == ""


@pytest.mark.parametrize(("result", "code"), [(3, 3), (0, 0), (None, 0), ("x", 0)])
def test_a_command_that_ends_well_ends_with_its_own_code(result: object, code: int) -> None:
    assert run_guarded(lambda: result, ["ask"]) == code


def test_words_that_are_no_text_are_not_run() -> None:
    assert run_guarded(lambda: pytest.fail("it ran"), ["ask", "\udcff"]) == 2


def test_our_own_warnings_are_told_and_others_are_not(capsys: pytest.CaptureFixture[str]) -> None:
    def warned() -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("always")
            warnings.warn(UserWarning(Phrase("The file {file} is old.", file="x")), stacklevel=1)
            warnings.warn("internal", stacklevel=1)

    assert run_guarded(warned, []) == 0
    assert capsys.readouterr().err == "The file x is old.\n"


def test_what_an_encoding_lacks_is_written_as_an_escape() -> None:
    lacking = EscapeUnencodable()
    with pytest.raises(UnicodeEncodeError) as caught:
        "a灯".encode("ascii")
    assert not lacking.happened
    assert lacking(caught.value) == ("\\u706f", 2)
    assert lacking.happened


def test_an_escaped_output_is_told_of_once_at_the_end(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(raw, encoding="ascii"))
    assert run_guarded(lambda: print("灯灯"), []) == 0
    assert raw.getvalue().strip() == b"\\u706f\\u706f"
    assert capsys.readouterr().err.count("ascii") == 1
