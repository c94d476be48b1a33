"""Write the command reference of docs/cli.md and docs/cli.zh.md from the program's own help texts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from typer.main import get_command

from winnow.app.cli.program import app
from winnow.app.cli.terminal import translate_help
from winnow.types.utterance import LanguageCode

DOCS = Path(__file__).resolve().parents[1] / "docs"
PAGES: dict[Path, LanguageCode] = {DOCS / "cli.md": "en", DOCS / "cli.zh.md": "zh"}
EXAMPLE = re.compile(r"^(Example: |例：)")
BETWEEN = re.compile(r"(<!-- commands:[^\n]*-->\n).*?(<!-- /commands -->)", re.DOTALL)


def main() -> None:
    """Replace what stands between the two comments of each page."""
    for page, language in PAGES.items():
        page.write_text(written(page, language), encoding="utf-8")


def written(page: Path, language: LanguageCode) -> str:
    """The text of the page with the reference as the program has it now."""
    reference = "\n".join(lines(translate_help(get_command(app), language), "winnow"))
    if language == "zh":
        reference = reference.replace("(default ", "(默认 ")
    text = page.read_text(encoding="utf-8")
    return BETWEEN.sub(lambda m: f"{m[1]}\n{reference}\n{m[2]}", text)


def lines(command: Any, path: str) -> Iterator[str]:
    """One section per command, and per group that has options of its own."""
    children = getattr(command, "commands", {})
    if not children or parameters(command):
        yield from section(command, path)
    for name, child in children.items():
        if not child.hidden:
            yield from lines(child, f"{path} {name}")


def parameters(command: Any) -> list[Any]:
    """What can be given to the command, ``--help`` aside."""
    return [p for p in command.params if not getattr(p, "hidden", False) and p.name != "help"]


def section(command: Any, path: str) -> Iterator[str]:
    """Heading, help, a table of the parameters, an example."""
    yield from (f"## `{path}`", "", unwrapped(command.help), "")
    if shown := parameters(command):
        yield from (
            "| | |",
            "|---|---|",
            *(f"| {names(p)} | {unwrapped(getattr(p, 'help', ''))}{default(p)} |" for p in shown),
            "",
        )
    if command.epilog:
        yield from ("```text", EXAMPLE.sub("", command.epilog), "```", "")


def names(parameter: Any) -> str:
    """``--json`` or ``PATH``, as code."""
    if parameter.param_type_name == "argument":
        return f"`{parameter.metavar or parameter.name.upper()}`"
    return ", ".join(f"`{o}`" for o in (*parameter.opts, *parameter.secondary_opts))


def default(parameter: Any) -> str:
    """The default, when it says something."""
    value = parameter.default
    return (
        f" (default {value})"
        if isinstance(value, str | int | float) and not isinstance(value, bool) and value != ""
        else ""
    )


def unwrapped(text: str | None) -> str:
    """The text as one line that a table cell can hold."""
    return " ".join((text or "").replace("|", "\\|").split())


if __name__ == "__main__":
    main()
