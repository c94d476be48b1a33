"""``winnow advise``: how a history had better be searched."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from winnow.errors import Phrase, WinnowError
from winnow.surfaces.cli.options import JsonOption, group, show, show_data, spoken

if TYPE_CHECKING:
    from winnow.types.history import HistorySettings
from winnow.types.history import HistorySettings

commands = group()


@commands.command("advise", epilog="Example: winnow advise --url sqlite:///app.db")
def advise(
    url: Annotated[
        str,
        typer.Option(
            "--url", help="Database with your messages. Default: as configured, else Winnow's own store."
        ),
    ] = "",
    table: Annotated[
        str, typer.Option("--table", help="Its table. Default: the one that looks most like messages.")
    ] = "",
    user: Annotated[str, typer.Option("--user", help="Whose history. Default: everybody's.")] = "",
    save: Annotated[
        bool, typer.Option("--save", help="Write the settings to history.yaml of the data folder.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Look at your messages and tell how to search them, and why; the table is only read.

    Exit code 1 when something stands in the way.
    """
    from winnow.bridge import blocking
    from winnow.config import load_settings
    from winnow.sources.advice import advised
    from winnow.surfaces.advising import advice_data, problems_told, told
    from winnow.surveys import survey
    from winnow.wiring import open_store

    settings = load_settings()
    found = blocking(survey(settings, open_store(settings).storage, url, table))
    if found.problems:
        show(problems_told(found, spoken()))
        raise typer.Exit(1)
    plan = advised(found, user)
    if as_json:
        show_data(advice_data(plan))
    else:
        show(told(found, plan, spoken()))
    if save:
        _save(settings.data, plan.settings)


def _save(folder: Path, settings: HistorySettings) -> None:
    """Write the file, and say so. One that is there stays. Raises WinnowError."""
    from winnow.config.history import FILE
    from winnow.surfaces.advising import file_text, saved_told

    path = folder / FILE
    if path.exists():
        raise WinnowError(
            Phrase("{path} is there already and was left as it is.", path=path),
            hint="Move it away, or paste what is to change.",
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(file_text(settings) + "\n", "utf-8")
    print(saved_told(path, spoken()), file=sys.stderr)
