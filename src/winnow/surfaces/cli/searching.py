"""``winnow knowledge search``."""

from __future__ import annotations

from typing import Annotated

import typer

from winnow.config import load_settings
from winnow.surfaces.cli.options import JsonOption, say, show, show_data


def search(
    query: Annotated[
        list[str],
        typer.Argument(metavar="QUERY", help="What is looked for; it needs no quotes.", show_default=False),
    ],
    user: Annotated[str, typer.Option("--user", help="Whose documents.")] = "",
    public: Annotated[bool, typer.Option("--public", help="Those of everybody instead.")] = False,
    limit: Annotated[int, typer.Option("--limit", min=1, help="At most so many.")] = 5,
    as_json: JsonOption = False,
) -> None:
    """Find the passages that answer a question, best first, each with its document.

    Nothing is sent anywhere.
    """
    from winnow.surfaces.passages import found, found_data, found_lines

    if bool(user) == public:
        raise typer.BadParameter(say("knowledge_whose"), param_hint="--user, --public")
    shortlist = found(load_settings(), user, " ".join(query), limit, public=public)
    if as_json:
        show_data({"passages": found_data(shortlist), "steps": shortlist.steps})
    else:
        show(found_lines(shortlist), otherwise=say("knowledge_not_found"))
