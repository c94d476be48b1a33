"""``winnow eval``: runs the evaluation of a checkout (``benchmarks.evaluation``)."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from winnow.app.cli.options import command_group, say
from winnow.errors import Phrase, WinnowError

commands = command_group()


@commands.command(
    "eval",
    epilog="Example: winnow eval devices --cases benchmarks/data/butler.zh.jsonl --homes examples/homes"
    " --out predictions.jsonl",
)
def run_evaluation(
    task: Annotated[
        str,
        typer.Argument(
            help="What to measure: devices, messages, knowledge, need_retrieval, rewrite, update, compress "
            "or json.",
            show_default=False,
        ),
    ],
    cases: Annotated[Path, typer.Option(help="A case file, or a folder of case files.", show_default=False)],
    out: Annotated[
        Path, typer.Option(help="Prediction file; a folder gets one file per case file.", show_default=False)
    ],
    homes: Annotated[
        Path | None,
        typer.Option(
            help="Folder with one folder of payloads per home; for devices.",
            exists=True,
            file_okay=False,
            show_default=False,
        ),
    ] = None,
) -> None:
    """Answer evaluation cases, each by itself, and write one prediction per line.

    A case is a JSON object on a line: {id, home, utterance, lang?, history?, context?, setup?, expect?} for
    devices, {id, query, lang?, history?} for need_retrieval, rewrite and knowledge, whose documents lie in a
    file beside: {id, title, text}, {id, text} for json, {id, old, new} for update, {id, query, passages:
    [{id, text}]} for compress, {id, query, history} for messages, whose history may lie in a file beside:
    {user_id, id, role, content, created_at}. Where expect holds what is right (decision, calls, reads), the
    context recall is printed, and how often a yes would do what is right.
    """
    _find_evaluation()
    from benchmarks.evaluation.cases import case_files
    from benchmarks.evaluation.run import TASKS
    from benchmarks.evaluation.run import evaluate_cases as answer_cases

    _check_task(task, needs_homes={name: row.homes for name, row in TASKS.items()}, homes=homes)
    files = case_files(cases)
    if not files:
        raise WinnowError(Phrase("There is no case file at {path}.", path=cases))
    with _progress(files) as advance:
        made = answer_cases(task, cases, out, homes or Path(), advance)
    print(f"{say('cli_written', count=made.written)} {out}")
    for name, (held, of) in made.shares.items():
        print(say(f"eval_{name}", share=f"{100 * held / of:.1f}", held=held, of=of))


def _check_task(task: str, needs_homes: Mapping[str, bool], homes: Path | None) -> None:
    if task not in needs_homes:
        wrong = Phrase("{task!r} is none of {tasks}", task=task, tasks=tuple(needs_homes))
        raise typer.BadParameter(wrong, param_hint="TASK")
    if needs_homes[task] and homes is None:
        raise typer.BadParameter(Phrase("{task} needs a folder of homes", task=task), param_hint="--homes")


def _find_evaluation() -> None:
    """Let ``benchmarks.evaluation`` be imported from the checkout. Raises WinnowError where there is none.

    It measures Winnow and is no part of it, so the installed package does not hold it.
    """
    for root in (Path(__file__).parents[4], Path.cwd()):
        if (root / "benchmarks" / "evaluation" / "run.py").is_file():
            if str(root) not in sys.path:
                sys.path.append(str(root))
            return
    raise WinnowError(
        "winnow eval runs from a checkout of Winnow; the installed package holds no evaluation.",
        hint="Clone the repository and call winnow eval in its folder.",
    )


@contextmanager
def _progress(files: Sequence[Path]) -> Iterator[Callable[[], None]]:
    """A bar on the terminal; what it yields moves it on by one case."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    total = sum(1 for file in files for line in file.read_bytes().splitlines() if line.strip())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=total)
        yield lambda: bar.advance(task)
