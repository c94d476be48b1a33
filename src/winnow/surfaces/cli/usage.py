"""What the framework says of commands, and of one that was typed wrongly, in the language of messages."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import typer

from winnow.errors import Phrase
from winnow.say.wording import framework_phrases, worded
from winnow.types.dialogue import Language

UsageError: Any = typer.BadParameter.__mro__[1]
"""Every wrong use; the framework does not name it, and has moved it between versions."""


HELP = ["-h", "--help"]


def usage_text(error: Any, language: Language) -> str:
    """How the command is used, and what is wrong. The help itself where no command was given."""
    if type(error).__name__ == "NoArgsIsHelpError":
        return str(error.format_message())
    lines = []
    if error.ctx is not None:
        helped = Phrase("Try '{command} -h' for help.", command=error.ctx.command_path)
        lines = [worded(recognised(error.ctx.get_usage()), language), worded(helped, language), ""]
    # Our own words where they are ours, else the framework's, taken apart as far as they are known.
    if option := getattr(error, "param_hint", None):
        why = recognised(error.message)
        wrong: str = Phrase("Invalid value for {option}: {why}", option=option, why=why)
    else:
        wrong = recognised(error.format_message())
    return "\n".join([*lines, f"{worded('Error', language)}: {worded(wrong, language)}"])


def explained(command: Any, language: Language) -> Any:
    """The command, and those of its group, with their help in that language."""
    command.help = _paragraphs(command.help, language)
    command.epilog = worded(recognised(command.epilog or ""), language)
    asked_for = command.get_help_option(typer.Context(command, help_option_names=HELP))
    for parameter in (*command.params, asked_for):
        parameter.help = _paragraphs(getattr(parameter, "help", ""), language)
    for child in getattr(command, "commands", {}).values():
        explained(child, language)
    return command


def _paragraphs(text: str | None, language: Language) -> str:
    return "\n\n".join(worded(" ".join(part.split()), language) for part in (text or "").split("\n\n"))


def recognised(text: str) -> str:
    """The phrase that a text of the framework was made as; the text itself where that is not known."""
    if isinstance(text, Phrase):
        return text
    for template, pattern in _patterns():
        if found := pattern.fullmatch(text):
            return Phrase(template, **{name: recognised(fact) for name, fact in found.groupdict().items()})
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
