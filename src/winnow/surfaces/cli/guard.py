"""Between the program and its terminal: whatever happens, a sentence, what to do next, and an exit code.

The one place that knows how input and output fail (text in another encoding, a full disk, a reader that left,
Ctrl-C), so that no command has to.
"""

from __future__ import annotations

import codecs
import os
import sys
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import typer

from winnow.errors import Phrase, WinnowError
from winnow.say.wording import worded
from winnow.surfaces.cli.options import say, spoken
from winnow.surfaces.cli.usage import UsageError, usage_text
from winnow.surfaces.plain import is_text, not_text, visible

FAILED = 2
INTERRUPTED, LEFT = 130, 141
"""What shells call a program that was ended by SIGINT, and by SIGPIPE."""


class ReaderLeft(Exception):  # noqa: N818 - reads as what happened
    """Nobody reads the output any longer."""


class Lacking:
    """Writes what an encoding lacks as an escape, and knows whether it had to."""

    def __init__(self) -> None:
        self.happened = False

    def __call__(self, error: UnicodeError) -> tuple[str | bytes, int]:
        """What codecs ask when a character cannot be written."""
        self.happened = True
        return codecs.backslashreplace_errors(error)


def guarded(run: Callable[[], object], arguments: Sequence[str]) -> int:
    """The exit code of what was ``run``: its own, else that of what went wrong, which was told."""
    # Streams that never raise for an encoding: bytes that are no text stay recognisable as such
    lacking = Lacking()
    codecs.register_error("winnow", lacking)
    for stream, errors in ((sys.stdin, "surrogateescape"), (sys.stdout, "winnow"), (sys.stderr, "winnow")):
        if reconfigure := getattr(
            stream, "reconfigure", None
        ):  # a test's or an embedder's stream may have none
            reconfigure(errors=errors)
    with warnings.catch_warnings():
        warnings.showwarning = _warned
        code = _told(run, arguments)
    if lacking.happened and code != LEFT:
        _print(say("output_lacks", encoding=sys.stdout.encoding))
    return code


def tell(error: WinnowError) -> None:
    """Print an error and what to do next in the language of messages."""
    _print(f"{say('cli_error')}: {worded(error.message, spoken())}")
    if error.hint:
        _print(f"{say('cli_hint')}: {worded(error.hint, spoken())}")


def _told(run: Callable[[], object], arguments: Sequence[str]) -> int:
    """The exit code; what is raised on the way becomes a message."""
    try:
        # The exit code of a run whose output arrived
        if not all(map(is_text, arguments)):
            raise not_text(sys.getfilesystemencoding())
        code = run()
        if sys.stdout is not None:
            sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except WinnowError as error:
        tell(error)
    except UsageError as error:
        _print(usage_text(error, spoken()))
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except (ReaderLeft, BrokenPipeError):
        _drop_output()
        return LEFT
    except OSError as error:
        if error.filename is None:  # what has no name is the output
            _drop_output()
        tell(_of_system(error))
    return FAILED


def _warned(message: Warning | str, *_: Any, **__: Any) -> None:
    """Tell our own warnings in a person's words; others are no matter of his."""
    if isinstance(message, Warning) and isinstance(message.args[0], Phrase):
        _print(worded(message.args[0], spoken()))


def _drop_output() -> None:
    """Let what is still buffered go nowhere, or Python would fail on it again when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _of_system(error: OSError) -> WinnowError:
    """What the operating system refused, as ours."""
    why = error.strerror or str(error)
    if error.filename is None:
        return WinnowError(
            Phrase("The output cannot be written: {why}.", why=why),
            hint="Make room, or let it go somewhere else.",
        )
    return WinnowError(
        Phrase("{file} cannot be used: {why}.", file=error.filename, why=why),
        hint="Check the path and its permissions.",
    )


def _print(text: str) -> None:
    """Show it beside the output; nobody to show it to is no reason to fail."""
    try:
        print(visible(text), file=sys.stderr, flush=True)
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())
