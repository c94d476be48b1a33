"""``winnow keys``: the keys that programs come with to the doors of ``winnow serve`` and of MCP."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from winnow.app.cli.options import JsonOption, command_group, message_language, say, show, show_data
from winnow.app.config.settings import load_settings
from winnow.app.output import plain_data
from winnow.language.encode import encode_text
from winnow.language.messages import message
from winnow.ports.services import run_blocking
from winnow.types.scope import AccessKey, Scope

if TYPE_CHECKING:
    from winnow.app.access import Access, IssuedKey
    from winnow.types.utterance import LanguageCode

commands = command_group(
    help="Keys of programs that reach Winnow over HTTP or MCP: add, list, rotate, revoke."
)

TenantOption = Annotated[str, typer.Option("--tenant", help="Whose key. Default: the setting tenant.")]
KeyId = Annotated[str, typer.Argument(metavar="ID", help="Id of a key.", show_default=False)]


@commands.command("add", epilog="Example: winnow keys add kitchen-tablet --user ida --home flat")
def add(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What it is for.", show_default=False)],
    users: Annotated[
        list[str] | None,
        typer.Option("--user", help="Speaks for this person only. Repeatable. Default: for anybody."),
    ] = None,
    homes: Annotated[
        list[str] | None,
        typer.Option("--home", help="Reaches this home only. Repeatable. Default: every home."),
    ] = None,
    days: Annotated[
        int | None, typer.Option("--days", min=1, max=36500, help="Ends by itself after so many days.")
    ] = None,
    tenant: TenantOption = "",
    as_json: JsonOption = False,
) -> None:
    """Make a key and show its secret, which is shown this once and stored nowhere."""
    access, own = _access()
    issued = run_blocking(access.add(tenant or own, name, users or (), homes or (), days))
    _show_issued(issued, as_json)
    stored = [info.id for info in run_blocking(access.storage.homes.list_homes(Scope(tenant or own)))]
    # A home may be imported later, with this very key; one that is only misspelt opens nothing for good.
    if missing := [home for home in homes or () if home not in stored]:
        print(say("keys_no_home", id=issued.key.id, homes=missing, known=stored or None), file=sys.stderr)


@commands.command("list", epilog="Example: winnow keys list")
def list_(tenant: TenantOption = "", as_json: JsonOption = False) -> None:
    """List the keys: id, when each was made, for whom, and whether it ended."""
    access, own = _access()
    keys = run_blocking(access.storage.access.keys(Scope(tenant or own)))
    if as_json:
        show_data("keys", [key_data(key) for key in keys])
        return
    now = access.storage.clock.now()
    show([key_line(key, now, message_language()) for key in keys], otherwise=say("keys_none"))


@commands.command("rotate", epilog="Example: winnow keys rotate 3f2a9c01d4b7 --hours 24")
def rotate(
    id_: KeyId,
    hours: Annotated[
        int,
        typer.Option("--hours", min=0, max=8760, help="The old secret is good for so many hours more."),
    ] = 0,
    tenant: TenantOption = "",
    as_json: JsonOption = False,
) -> None:
    """Make another secret for the same persons and homes; the old one ends."""
    access, own = _access()
    _show_issued(run_blocking(access.rotate(tenant or own, id_, hours)), as_json)


@commands.command("revoke", epilog="Example: winnow keys revoke 3f2a9c01d4b7")
def revoke(id_: KeyId, tenant: TenantOption = "") -> None:
    """Let a key end now; every running server turns it away from its next request on."""
    access, own = _access()
    found = run_blocking(access.revoke(tenant or own, id_))
    print(say("keys_revoked", id=found.id, name=encode_text(found.name)))


def key_line(key: AccessKey, now: float, language: LanguageCode) -> str:
    """Its id, when it was made, what it is for and for whom; and when it ends, or that it ended."""
    anybody, every = message("keys_anybody", language), message("keys_every", language)
    whose = ", ".join(map(encode_text, key.users)) or anybody
    where = ", ".join(map(encode_text, key.homes)) or every
    line = f"{key.id}  {_day(key.made_at)}  {encode_text(key.name)}: {whose}; {where}"
    if key.ends_at is None:
        return line
    code = "keys_ended" if key.has_ended(now) else "keys_ends"
    return f"{line}  ({message(code, language, at=_day(key.ends_at))})"


def key_data(key: AccessKey) -> dict[str, Any]:
    """The same as data, without the digest."""
    found = {"id": key.id, **plain_data(key)}
    del found["digest"]
    return found


def _show_issued(issued: IssuedKey, as_json: bool) -> None:
    if as_json:
        show_data("key", {**key_data(issued.key), "secret": issued.secret})
        return
    lines: Sequence[str] = (key_line(issued.key, 0.0, message_language()), say("keys_once"), issued.secret)
    show(lines)


def _day(at: float) -> str:
    return datetime.fromtimestamp(at).isoformat(" ", "minutes")  # noqa: DTZ006 - of the reader's clock


def _access() -> tuple[Access, str]:
    """The keys of the configured store, and whose are meant where no tenant is named."""
    from winnow.app.access import Access
    from winnow.app.wiring.engine import open_store

    settings = load_settings()
    return Access(open_store(settings).storage), settings.tenant
