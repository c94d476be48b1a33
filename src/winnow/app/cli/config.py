"""``winnow config``: what is set, where that comes from, and what is wrong with it."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

import typer

from winnow.app.cli.options import JsonOption, command_group, say, show, show_data
from winnow.app.config.settings import SECRET_SETTINGS, Settings, load_settings, setting_origins
from winnow.errors import ConfigError, Problem
from winnow.language.encode import encode_text

commands = command_group(help="Settings: what is set and from where, and what is wrong.")


@commands.command("show", epilog="Example: winnow config show --all")
def show_settings(
    everything: Annotated[bool, typer.Option("--all", help="Also what has its default.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Show the data folder and every setting that is set, with where it is set; secrets are not shown."""
    settings, origins = load_settings(), dict(setting_origins())
    origins |= {name: say("config_environment") for name in SECRET_SETTINGS if getattr(settings, name)}
    named = {name: _shown(settings, name) for name in _names(settings) if everything or name in origins}
    if as_json:
        rows = {name: {"value": value, "from": origins.get(name, "")} for name, value in named.items()}
        show_data("settings", {"data": str(settings.data), "settings": rows})
        return
    lines = [
        f"{name} = {encode_text(str(value))}  ({origins.get(name) or say('config_default')})"
        for name, value in named.items()
    ]
    show([f"data = {settings.data}", *lines])


@commands.command("check", epilog="Example: winnow config check")
def check() -> None:
    """Read the settings and the files they name; tell everything that is wrong at once. Exit code 1 then."""
    from winnow.app.config.files import load_acting, load_history, load_knowledge, load_tuning

    settings, problems = load_settings(), list[Problem]()
    for load in (load_acting, load_history, load_knowledge, load_tuning):
        try:
            load(settings)
        except ConfigError as error:
            problems += error.problems
    if problems:
        raise ConfigError(problems)
    print(say("config_right"))


def _names(settings: Settings) -> list[str]:
    return [name for name in asdict(settings) if name != "data"]


def _shown(settings: Settings, name: str) -> Any:
    """The value; of a secret, only whether there is one, and no password of a store."""
    value = getattr(settings, name)
    if name in SECRET_SETTINGS:
        return say("config_secret") if value else ""
    if name == "store":
        from winnow.app.wiring.engine import store_address

        return store_address(settings)
    return value
