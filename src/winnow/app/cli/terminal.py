"""Between the program and its terminal: whatever happens, a sentence, what to do next, and an exit code.

The one place that knows how input and output fail (text in another encoding, a full disk, a reader that left,
Ctrl-C), so that no command has to.
"""

from __future__ import annotations

import codecs
import os
import re
import sys
import warnings
from collections.abc import Callable, Sequence
from errno import EACCES, EADDRINUSE, EADDRNOTAVAIL
from functools import cache
from socket import gaierror
from typing import Any

import typer

from winnow.app.cli.options import message_language, say, show_data
from winnow.app.output import error_data, is_text, unreadable_input, visible_text
from winnow.errors import Phrase, WinnowError
from winnow.language.messages import framework_phrases, translate_text
from winnow.types.utterance import LanguageCode

# Help and usage errors of the framework, translated.


NO_PORT = (EADDRINUSE, EADDRNOTAVAIL, EACCES)
"""What the system says where a server cannot listen: taken, not of this machine, not allowed."""
UsageError: Any = typer.BadParameter.__mro__[1]
"""Every wrong use; the framework does not name it, and has moved it between versions."""


HELP_OPTIONS = ["-h", "--help"]


def usage_text(error: Any, language: LanguageCode) -> str:
    """How the command is used, and what is wrong. The help itself where no command was given."""
    if type(error).__name__ == "NoArgsIsHelpError":
        return str(error.format_message())
    lines = []
    if error.ctx is not None:
        helped = Phrase("Try '{command} -h' for help.", command=error.ctx.command_path)
        lines = [
            translate_text(phrase_of(error.ctx.get_usage()), language),
            translate_text(helped, language),
            "",
        ]
    # Our own words where they are ours, else the framework's, taken apart as far as they are known.
    if option := getattr(error, "param_hint", None):
        why = phrase_of(error.message)
        wrong: str = Phrase("Invalid value for {option}: {why}", option=option, why=why)
    else:
        wrong = phrase_of(error.format_message())
    return "\n".join([*lines, f"{translate_text('Error', language)}: {translate_text(wrong, language)}"])


def translate_help(command: Any, language: LanguageCode) -> Any:
    """The command, and those of its group, with their help in that language."""
    command.help = _paragraphs(command.help, language)
    command.epilog = translate_text(phrase_of(command.epilog or ""), language)
    asked_for = command.get_help_option(typer.Context(command, help_option_names=HELP_OPTIONS))
    for parameter in (*command.params, asked_for):
        parameter.help = _paragraphs(getattr(parameter, "help", ""), language)
    for child in getattr(command, "commands", {}).values():
        translate_help(child, language)
    return command


def _paragraphs(text: str | None, language: LanguageCode) -> str:
    return "\n\n".join(
        translate_text(" ".join(part.split()), language) for part in (text or "").split("\n\n")
    )


def phrase_of(text: str) -> str:
    """The phrase that a text of the framework was made as; the text itself where that is not known."""
    if isinstance(text, Phrase):
        return text
    for template, pattern in _patterns():
        if found := pattern.fullmatch(text):
            return Phrase(template, **{name: phrase_of(fact) for name, fact in found.groupdict().items()})
    return text


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """The framework's templates, each with what its texts look like."""
    found = []
    for template in framework_phrases():
        parts = re.split(r"\{(\w+)\}", template)
        names = (f"(?P<{part}>.+)" if n % 2 else re.escape(part) for n, part in enumerate(parts))
        found.append((template, re.compile("".join(names), re.DOTALL)))
    return tuple(found)


JSON_OPTION = "--json"
EXIT_FAILED = 2
EXIT_INTERRUPTED, EXIT_READER_LEFT = 130, 141
"""What shells call a program that was ended by SIGINT, and by SIGPIPE."""


class ReaderLeft(Exception):  # noqa: N818 - reads as what happened
    """Nobody reads the output any longer."""


class EscapeUnencodable:
    """Writes what an encoding lacks as an escape, and knows whether it had to."""

    def __init__(self) -> None:
        self.happened = False

    def __call__(self, error: UnicodeError) -> tuple[str | bytes, int]:
        """What codecs ask when a character cannot be written."""
        self.happened = True
        return codecs.backslashreplace_errors(error)


def run_guarded(run: Callable[[], object], arguments: Sequence[str]) -> int:
    """The exit code of what was ``run``: its own, else that of what went wrong, which was told."""
    # Streams that never raise for an encoding: bytes that are no text stay recognisable as such
    lacking = EscapeUnencodable()
    # A terminal that lacks a character shows its escape; it is no reason to fail.
    codecs.register_error("winnow", lacking)
    for stream, errors in ((sys.stdin, "surrogateescape"), (sys.stdout, "winnow"), (sys.stderr, "winnow")):
        if reconfigure := getattr(
            stream, "reconfigure", None
        ):  # a test's or an embedder's stream may have none
            reconfigure(errors=errors)
    with warnings.catch_warnings():
        warnings.showwarning = _show_warning
        code = _exit_code(run, arguments)
    # Told once, at the end, and not to a reader that has left.
    if lacking.happened and code != EXIT_READER_LEFT:
        _print(say("output_lacks", encoding=sys.stdout.encoding))
    return code


def print_error(error: WinnowError, *, as_json: bool = False) -> None:
    """Print an error and what to do next in the language of messages; as data where data was to come."""
    if as_json:
        show_data("error", error_data(error, message_language()))
        return
    _print(f"{say('cli_error')}: {translate_text(error.message, message_language())}")
    if error.hint:
        _print(f"{say('cli_hint')}: {translate_text(error.hint, message_language())}")


def _print_usage(error: Any, *, as_json: bool) -> None:
    """Print how the command is used, and what is wrong; as data where data was to come."""
    text = usage_text(error, message_language())
    if as_json:
        show_data("error", {"error": {"code": "usage", "message": text, "hint": "", "retryable": False}})
    else:
        _print(text)


def _exit_code(run: Callable[[], object], arguments: Sequence[str]) -> int:
    """The exit code; what is raised on the way becomes a message."""
    as_json = JSON_OPTION in arguments
    try:
        # The exit code of a run whose output arrived
        if not all(map(is_text, arguments)):
            raise unreadable_input(sys.getfilesystemencoding())
        code = run()
        if sys.stdout is not None:
            sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except WinnowError as error:
        print_error(error, as_json=as_json)
    except UsageError as error:
        _print_usage(error, as_json=as_json)
    except (KeyboardInterrupt, typer.Abort):
        return EXIT_INTERRUPTED
    except (ReaderLeft, BrokenPipeError):
        _drop_output()
        return EXIT_READER_LEFT
    except OSError as error:
        if error.filename is None:  # what has no name is the output
            _drop_output()
        print_error(_system_error(error), as_json=as_json and error.filename is not None)
    return EXIT_FAILED


def _show_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    """Tell our own warnings in a person's words; others are no matter of his."""
    if isinstance(message, Warning) and isinstance(message.args[0], Phrase):
        _print(translate_text(message.args[0], message_language()))


def _drop_output() -> None:
    """Let what is still buffered go nowhere, or Python would fail on it again when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _system_error(error: OSError) -> WinnowError:
    """What the operating system refused, as ours."""
    why = error.strerror or str(error)
    if error.filename is None and (isinstance(error, gaierror) or error.errno in NO_PORT):
        return WinnowError(
            Phrase("Nothing can be served there: {why}.", why=why.partition(" (while")[0]),
            hint="Name another port (--port 0: any that is free); --host is an address of this machine.",
        )
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
        print(visible_text(text), file=sys.stderr, flush=True)
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())
