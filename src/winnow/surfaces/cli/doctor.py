"""``winnow doctor``."""

from __future__ import annotations

from typing import Annotated

import typer

from winnow.config import load_settings
from winnow.surfaces.cli.options import JsonOption, group, say, show_data

commands = group()


@commands.command(epilog="Example: winnow doctor")
def doctor(
    ask_model: Annotated[
        bool,
        typer.Option(
            "--ask-model", help="Also ask the configured models a question; fetch a fastembed model."
        ),
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Check that everything needed is here and answers. Exit code 1 when something is not."""
    from winnow.surfaces.doctor import examine

    findings = []
    for finding in examine(load_settings(), ask_model):
        findings.append(finding)
        if not as_json:  # each as soon as it is known: a model may take its time
            print(f"{'ok ' if finding.ok else 'BAD'}  {finding.name:<10} {finding.detail}")
    bad = sum(not finding.ok for finding in findings)
    if as_json:
        show_data(findings)
    else:
        print(say("cli_unhealthy", count=bad) if bad else say("cli_healthy"))
    raise typer.Exit(1 if bad else 0)
