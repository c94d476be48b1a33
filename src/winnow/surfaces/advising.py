"""What is advised for a history: the steps that led there, and the file to paste."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any

import yaml

from winnow.config.history import DYNAMIC, URL
from winnow.errors import Phrase
from winnow.say.wording import worded
from winnow.surfaces.plain import visible
from winnow.types.dialogue import Language
from winnow.types.history import Columns, HistorySettings, HostTable
from winnow.types.history_plan import HistoryPlan, Survey
from winnow.types.host_report import Advice


def told(survey: Survey, plan: HistoryPlan, language: Language) -> list[str]:
    """What was looked at, what is chosen and why, what would be better, and the settings."""
    lines = [_where(survey, language)]
    lines += [_step(step.what, step.chosen, step.reason, language) for step in plan.steps]
    lines += _others(survey, language)
    for advice in plan.advice:
        lines += _advice(advice, language)
    return [
        *lines,
        "",
        worded("history.yaml, to keep in the data folder (--save does):", language),
        "",
        file_text(plan.settings),
    ]


def problems_told(survey: Survey, language: Language) -> list[str]:
    """What stands in the way."""
    lines = [_where(survey, language)]
    lines += [f"  ! {problem.path}: {worded(problem.message, language)}" for problem in survey.problems]
    return [*lines, *_others(survey, language)]


def advice_data(plan: HistoryPlan) -> dict[str, Any]:
    """The same for a program."""
    return {"steps": plan.steps, "advice": plan.advice, "history.yaml": file_data(plan.settings)}


def file_text(settings: HistorySettings) -> str:
    """The settings as ``history.yaml``: what is not as it is by default, and the strategy in any case."""
    dumped: str = yaml.safe_dump(file_data(settings), allow_unicode=True, sort_keys=False)
    return dumped.rstrip()


def file_data(settings: HistorySettings) -> dict[str, Any]:
    """The same as data, without secrets."""
    changed = _changed(settings, HistorySettings())
    kept = {name: value for name, value in changed.items() if name not in {"host", "literals", "api_key"}}
    dynamic = {name: kept.pop(name) for name in DYNAMIC if name in kept}
    search: dict[str, Any] = {"enabled": settings.enabled, "type": settings.type, **kept}
    if settings.type == "dynamic":
        search["dynamic"] = {"strategy": settings.strategy, **dynamic}
    elif dynamic:
        search["dynamic"] = dynamic
    found: dict[str, Any] = {"vector_search": search}
    return found | ({"messages": _messages(settings.host)} if settings.host else {})


def _messages(host: HostTable) -> dict[str, Any]:
    """Where messages are; a URL with a password comes from the environment."""
    changed = {name: _listed(value) for name, value in _changed(host, HostTable("")).items()}
    columns = _changed(host.columns, Columns())
    url = f"${{{URL}}}" if _is_secret(host.url) else host.url
    told = {**changed, "columns": columns, "url": url, "table": host.table}
    return {name: told[name] for name in ("url", "table", *changed) if told[name]}


def _changed(value: Any, usual: Any) -> dict[str, Any]:
    """Fields that are not as they usually are."""
    both = ((f.name, getattr(value, f.name), getattr(usual, f.name)) for f in fields(value))
    return {name: now for name, now, before in both if now != before}


def _listed(value: Any) -> Any:
    if isinstance(value, tuple):
        return list(value)
    return dict(value) if isinstance(value, Mapping) else value


def _is_secret(url: str) -> bool:
    """Whether anything of the URL had better not stand in a file."""
    return "@" in url or "password" in url.lower()


def _place(host: HostTable | None) -> str:
    """Where, without what is secret in it."""
    if host is None:
        return "winnow"
    before, _, after = host.url.rpartition("@")
    return visible(f"{host.table} ({before.partition('://')[0] + '://…@' if before else ''}{after})")


def _where(survey: Survey, language: Language) -> str:
    return worded(Phrase("Messages: {place}", place=_place(survey.settings.host)), language)


def _others(survey: Survey, language: Language) -> Iterator[str]:
    if survey.others:
        others = Phrase("other tables that look like messages: {tables} (--table)", tables=survey.others)
        yield f"  {worded(others, language)}"


def _step(what: str, chosen: str, reason: str, language: Language) -> str:
    return f"  {worded(Phrase('{what}: {chosen} - {why}', what=what, chosen=chosen, why=reason), language)}"


def _advice(advice: Advice, language: Language) -> Iterator[str]:
    yield f"  - {worded(advice.text, language)}"
    if advice.sql:
        yield f"    {advice.sql}"


def saved_told(path: object, language: Language) -> str:
    """Where the settings are now."""
    return worded(Phrase("Written to {path}.", path=path), language)
