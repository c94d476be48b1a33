"""``winnow doctor``."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer

from winnow.surfaces.cli.options import JsonOption, group, say, show_data, spoken

commands = group()


@commands.command("doctor", epilog="Example: winnow doctor")
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
    from winnow.say.wording import worded
    from winnow.surfaces.doctor import examine, finding_line

    findings = []
    for found in examine(ask_model):
        findings.append(replace(found, detail=worded(found.detail, spoken())))
        if not as_json:  # each as soon as it is known: a model may take its time
            print(finding_line(findings[-1], spoken()))
    bad = sum(not finding.ok for finding in findings)
    if as_json:
        show_data(findings)
    else:
        print(summary(bad))
    raise typer.Exit(1 if bad else 0)


def summary(bad: int) -> str:
    """How many things are wrong."""
    if bad == 1:
        return say("cli_one_problem")
    return say("cli_unhealthy", count=bad) if bad else say("cli_healthy")
