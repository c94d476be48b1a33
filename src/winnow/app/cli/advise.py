"""``winnow advise``: recommends how a message history is best searched, and prints the settings for it."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Annotated, Any

import typer

from winnow.app.cli.options import JsonOption, command_group, message_language, show, show_data
from winnow.app.config.files import DYNAMIC_CHECKS, URL_VARIABLE
from winnow.app.output import visible_text
from winnow.errors import Phrase, WinnowError
from winnow.language.messages import translate_text
from winnow.types.message import HistoryPlan, HistorySettings, HostColumns, HostTable, TableSurvey
from winnow.types.utterance import LanguageCode

# The advice as text and as history.yaml.


def advice_lines(survey: TableSurvey, plan: HistoryPlan, language: LanguageCode) -> list[str]:
    """What was looked at, what is chosen and why, what would be better, and the settings."""
    lines = [_place_line(survey, language)]
    for step in plan.steps:
        facts = {"what": step.what, "chosen": step.chosen, "why": step.reason}
        lines.append(f"  {translate_text(Phrase('{what}: {chosen} - {why}', **facts), language)}")
    lines += _others(survey, language)
    for advice in plan.advice:
        lines.append(f"  - {translate_text(advice.text, language)}")
        lines += [f"    {advice.sql}"] if advice.sql else []
    head = translate_text("history.yaml, to keep in the data folder (--save does):", language)
    return [*lines, "", head, "", file_text(plan.settings)]


def problem_lines(survey: TableSurvey, language: LanguageCode) -> list[str]:
    """What stands in the way."""
    lines = [_place_line(survey, language)]
    lines += [
        f"  ! {problem.path}: {translate_text(problem.message, language)}" for problem in survey.problems
    ]
    return [*lines, *_others(survey, language)]


def advice_data(plan: HistoryPlan) -> dict[str, Any]:
    """The same for a program."""
    return {"steps": plan.steps, "advice": plan.advice, "history.yaml": file_data(plan.settings)}


def file_text(settings: HistorySettings) -> str:
    """The settings as ``history.yaml``: what is not as it is by default, and the strategy in any case."""
    import yaml  # only --save and the advice itself need it

    dumped: str = yaml.safe_dump(file_data(settings), allow_unicode=True, sort_keys=False)
    return dumped.rstrip()


def file_data(settings: HistorySettings) -> dict[str, Any]:
    """The same as data, without secrets."""
    changed = _non_defaults(settings, HistorySettings())
    kept = {name: value for name, value in changed.items() if name not in {"host", "literals", "api_key"}}
    dynamic = {name: kept.pop(name) for name in DYNAMIC_CHECKS if name in kept}
    search: dict[str, Any] = {"enabled": settings.enabled, "type": settings.type, **kept}
    if settings.type == "dynamic":
        search["dynamic"] = {"strategy": settings.strategy, **dynamic}
    elif dynamic:
        search["dynamic"] = dynamic
    if settings.host is None:
        return {"vector_search": search}
    return {"vector_search": search, "messages": _messages(settings.host)}


def _messages(host: HostTable) -> dict[str, Any]:
    """Where messages are; a URL with a password comes from the environment."""
    beside = {name: _yaml_value(value) for name, value in _non_defaults(host, HostTable("")).items()}
    secret = "@" in host.url or "password" in host.url.lower()
    told = {**beside, "columns": _non_defaults(host.columns, HostColumns()), "table": host.table}
    told["url"] = f"${{{URL_VARIABLE}}}" if secret else host.url
    return {name: told[name] for name in ("url", "table", *beside) if told[name]}


def _non_defaults(value: Any, usual: Any) -> dict[str, Any]:
    """Fields that are not as they usually are."""
    both = ((f.name, getattr(value, f.name), getattr(usual, f.name)) for f in fields(value))
    return {name: now for name, now, before in both if now != before}


def _yaml_value(value: Any) -> Any:
    if isinstance(value, tuple):
        return list(value)
    return dict(value) if isinstance(value, Mapping) else value


def _place_line(survey: TableSurvey, language: LanguageCode) -> str:
    """Where messages are, without what is secret in it."""
    place, host = "winnow", survey.settings.host
    if host is not None:
        before, _, after = host.url.rpartition("@")
        place = visible_text(
            f"{host.table} ({before.partition('://')[0] + '://…@' if before else ''}{after})"
        )
    return translate_text(Phrase("Messages: {place}", place=place), language)


def _others(survey: TableSurvey, language: LanguageCode) -> Iterator[str]:
    if survey.others:
        others = Phrase("other tables that look like messages: {tables} (--table)", tables=survey.others)
        yield f"  {translate_text(others, language)}"


def saved_line(path: object, language: LanguageCode) -> str:
    """Where the settings are now."""
    return translate_text(Phrase("Written to {path}.", path=path), language)


commands = command_group()


@commands.command("advise", epilog="Example: winnow advise --url sqlite:///app.db")
def advise_on_history(
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
    from winnow.app.config.settings import load_settings
    from winnow.app.wiring.engine import open_store
    from winnow.app.wiring.history import survey
    from winnow.ports.services import run_blocking
    from winnow.retrieve.table_advice import advise_table

    settings = load_settings()
    found = run_blocking(survey(settings, open_store(settings).storage, url, table))
    if found.problems:
        if as_json:
            show_data("advice", {"problems": found.problems})
        else:
            show(problem_lines(found, message_language()))
        raise typer.Exit(1)
    plan = advise_table(found, user)
    if as_json:
        show_data("advice", advice_data(plan))
    else:
        show(advice_lines(found, plan, message_language()))
    if save:
        _save(settings.data, plan.settings)


def _save(folder: Path, settings: HistorySettings) -> None:
    """Write the file, and say so. One that is there stays. Raises WinnowError."""
    from winnow.app.config.files import HISTORY_FILE

    path = folder / HISTORY_FILE
    if path.exists():
        raise WinnowError(
            Phrase("{path} is there already and was left as it is.", path=path),
            hint="Move it away, or paste what is to change.",
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(file_text(settings) + "\n", "utf-8")
    print(saved_line(path, message_language()), file=sys.stderr)
