"""``winnow doctor``: checks that everything Winnow needs is installed, configured and answers."""

from __future__ import annotations

import asyncio
import platform
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Annotated, get_args

import typer

from winnow.app.cli.options import JsonOption, command_group, message_language, say, show_data
from winnow.app.config.settings import Settings, data_folder, load_settings
from winnow.engine.llm.json_repair import parse_output
from winnow.errors import ConfigError, Phrase, WinnowError
from winnow.language.encode import encode_text
from winnow.language.messages import message
from winnow.ports.services import Chat, run_blocking
from winnow.types.context import Tier
from winnow.types.plan import Rules
from winnow.types.utterance import LanguageCode

commands = command_group()


@commands.command("doctor", epilog="Example: winnow doctor")
def run_doctor(
    ask_model: Annotated[
        bool,
        typer.Option(
            "--ask-model", help="Also ask the configured models a question; fetch a fastembed model."
        ),
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Check that everything needed is here and answers. Exit code 1 when something is not."""
    from winnow.language.messages import translate_text

    findings = []
    for found in examine(ask_model):
        findings.append(replace(found, detail=translate_text(found.detail, message_language())))
        if not as_json:  # each as soon as it is known: a model may take its time
            print(finding_line(findings[-1], message_language()))
    bad = sum(not finding.ok for finding in findings)
    if as_json:
        show_data("findings", findings)
    else:
        print(summary(bad))
    raise typer.Exit(1 if bad else 0)


def summary(bad: int) -> str:
    """How many things are wrong."""
    if bad == 1:
        return say("cli_one_problem")
    return say("cli_unhealthy", count=bad) if bad else say("cli_healthy")


# The finding about the configured message history.


def history_status(settings: Settings) -> str:
    """Where messages are, how they are searched, and what is advised.

    Raises ConfigError with all that stands in the way, StoreError.
    """
    from winnow.app.config.files import load_history
    from winnow.app.wiring.history import host_report
    from winnow.retrieve.table_advice import settings_advice

    found = load_history(settings)
    if found is None:
        return "none configured; Winnow's own store is searched"
    if not found.enabled:
        return "switched off"
    report = host_report(found)
    if report.problems:
        raise ConfigError(report.problems)
    where = found.host.table if found.host else "Winnow's own store"
    how = found.strategy if found.type == "dynamic" else found.type
    status = Phrase("{table}, searched by {strategy}", table=where, strategy=how)
    advice = [one.text for one in (*settings_advice(found), *report.advice)]
    return Phrase("{parts}", parts=[status, *advice])


# The checks, in the order they are printed.


MIN_SQLITE = (3, 35)
NOT_ASKED = "not asked (--ask-model)"
READY_SCHEMA = {
    "type": "object",
    "properties": {"ready": {"type": "boolean"}},
    "required": ["ready"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at; ``detail`` is a text or a ``Phrase``."""

    name: str
    ok: bool
    detail: str


def examine(ask_model: bool = False) -> Iterator[Finding]:
    """Each finding as soon as it is known; with settings that make no sense, the rest of it by the defaults.

    A model is asked a question, or fetched, only with ``ask_model``.
    """
    yield Finding("python", sys.version_info >= (3, 11), platform.python_version())
    try:
        settings = load_settings()
        yield Finding("settings", True, str(settings.file) if settings.file.is_file() else "all by default")
    except ConfigError as error:
        # Wrong settings are one finding; the others are still worth knowing.
        settings = Settings(data_folder())
        yield _failed_finding("settings", error)
    yield _finding("sqlite", _sqlite)
    yield from _store_findings(settings)
    yield _finding("history", lambda: history_status(settings))
    yield _finding("acting", lambda: _acting(settings))
    yield _finding("embedder", lambda: _embedder(settings, ask_model))
    yield _finding("tokenizer", _tokenizer)
    yield _finding("model", lambda: _model(settings, ask_model))
    if settings.model_embedding and not settings.local_model:
        yield _finding("vectors", lambda: _vectors(settings, ask_model))


def finding_line(finding: Finding, language: LanguageCode) -> str:
    """``ok   sqlite     3.40.1``."""
    verdict = message("doctor_ok" if finding.ok else "doctor_bad", language)
    return f"{verdict}  {finding.name:<10} {finding.detail}"


def _store_findings(settings: Settings) -> Iterator[Finding]:
    """The store, and where it can be read what it holds."""
    from winnow.app.metrics import vector_space_lines
    from winnow.app.wiring.engine import open_store

    store = _finding("store", lambda: _store(settings))
    yield store
    if not store.ok:
        return
    yield _finding("schema", lambda: Phrase("revision {number}", number=open_store(settings).revision()))
    yield _finding("homes", lambda: _homes(settings))
    yield _finding("audit", lambda: _audit(settings))
    try:  # each space of stored vectors; nothing where there are none
        yield from (Finding("cache", True, line) for line in vector_space_lines(settings))
    except WinnowError as error:
        yield _failed_finding("cache", error)


def _finding(name: str, look: Callable[[], str]) -> Finding:
    try:
        return Finding(name, True, look())
    except WinnowError as error:
        return _failed_finding(name, error)


def _failed_finding(name: str, error: WinnowError) -> Finding:
    both = Phrase("{first} {then}", first=error.message, then=error.hint) if error.hint else error.message
    return Finding(name, False, both)


def _sqlite() -> str:
    from winnow.app.wiring.engine import sqlite_version

    version = sqlite_version()
    if version < MIN_SQLITE:
        raise WinnowError(
            Phrase(
                "{version} is older than {oldest}.",
                version=_version_text(version),
                oldest=_version_text(MIN_SQLITE),
            ),
            hint="Use a Python with a newer SQLite.",
        )
    return _version_text(version)


def _version_text(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))


def _store(settings: Settings) -> str:
    from winnow.app.wiring.engine import open_store

    store = open_store(settings)
    store.close()
    return Phrase("{path} (read-only)", path=store.place) if store.read_only else store.place


def _homes(settings: Settings) -> str:
    from winnow.app.wiring.engine import open_store

    homes, scope = open_store(settings).storage.homes, settings.scope
    read = [
        run_blocking(homes.load_home(scope.at(info.id))) for info in run_blocking(homes.list_homes(scope))
    ]
    if not read:
        return "none imported yet"
    told = "{id} v{version} ({devices} devices)"
    return Phrase(
        "{homes}", homes=[Phrase(told, id=h.id, version=h.version, devices=len(h.devices)) for h in read]
    )


def _audit(settings: Settings) -> str:
    from winnow.app.wiring.engine import open_store

    heads = run_blocking(open_store(settings).storage.audit.heads(settings.scope))
    if not heads:
        return "nothing was done yet"
    told = "{count} entries in {homes}, not sealed (WINNOW_AUDIT_KEY)"
    if settings.audit_key:
        told = "{count} entries in {homes}, sealed with a key"
    return Phrase(told, count=sum(h.number for h in heads), homes=[encode_text(h.home) for h in heads])


def _acting(settings: Settings) -> str:
    """What is set of acts. Raises ConfigError, also where a rule names nothing that is stored."""
    from winnow.app.config.files import load_acting
    from winnow.app.wiring.engine import check_rule_names, open_store

    rules = load_acting(settings)
    check_rule_names(rules, None, open_store(settings).storage, settings)
    return "rules are set" if rules.rules != Rules() or rules.homes or rules.users else "all by default"


def _embedder(settings: Settings, fetch: bool) -> str:
    """What devices are found with. Raises EmbedderError when that is not the model of the settings."""
    from winnow.app.wiring.engine import open_embedder, open_offline_embedder

    embedder, why = (
        (open_embedder(settings, fetch=fetch), "") if settings.local_model else open_offline_embedder()
    )
    shape = embedder.embed(["light"]).shape
    if shape != (1, embedder.dimension):
        wrong = "{name} gives vectors of shape {shape}, not (1, {dimension})."
        raise WinnowError(Phrase(wrong, name=embedder.name, shape=str(shape), dimension=embedder.dimension))
    named = Phrase(
        "{name} {version}, {dimension} numbers",
        name=embedder.name,
        version=embedder.version,
        dimension=embedder.dimension,
    )
    return Phrase("{named}; it compares spelling only. {why}", named=named, why=why) if why else named


def _model(settings: Settings, ask: bool) -> str:
    from winnow.app.wiring.engine import open_chat

    chat = open_chat(settings)
    if chat is None:
        return "none configured, none needed"
    tiers = dict.fromkeys(name for name in (settings.model_fast, settings.model_normal) if name)
    key = "with a key" if settings.model_key else "without a key"
    named = Phrase("{models} at {server}, {key}", models=[*tiers], server=settings.model_server, key=key)
    how = asyncio.run(_model_answer(chat)) if ask else NOT_ASKED
    return Phrase("{named}; {how}", named=named, how=how)


async def _model_answer(chat: Chat) -> str:
    """How both tiers answered. Raises ModelError."""
    question = [{"role": "user", "content": 'Answer with this JSON and nothing else: {"ready": true}'}]
    try:
        said = [await chat.complete(question, READY_SCHEMA, tier) for tier in get_args(Tier)]
    finally:
        if close := getattr(chat, "aclose", None):
            await close()
    answers = []
    for one in said:  # how each answered, and how soon
        is_ready = parse_output(one.text, READY_SCHEMA).value
        well, badly = "{model} answered in {ms} ms", "{model} answered, but no JSON in {ms} ms"
        answers.append(Phrase(well if is_ready else badly, model=encode_text(one.model), ms=f"{one.ms:.0f}"))
    return Phrase("{answers}", answers=[*dict.fromkeys(answers)])


def _vectors(settings: Settings, ask: bool) -> str:
    from winnow.app.wiring.engine import open_embedder

    embedder = open_embedder(settings)
    named = Phrase("{name} at {server}", name=embedder.name, server=settings.model_server)
    how = Phrase("{dimension} numbers", dimension=embedder.dimension) if ask else NOT_ASKED
    return Phrase("{named}; {how}", named=named, how=how)


def _tokenizer() -> str:
    from winnow.language.tokens import COUNTER, count_tokens

    if count_tokens("打开客厅的灯 turn on") < 1:
        raise WinnowError(Phrase("{counter} counts nothing.", counter=COUNTER), hint="Reinstall the package.")
    return COUNTER
