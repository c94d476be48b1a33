"""``winnow compress``: compresses texts for a question."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from winnow.app.cli.options import JsonOption, command_group, say, show_data
from winnow.errors import Phrase, WinnowError

if TYPE_CHECKING:
    from winnow.types.context import Compressed, Item

commands = command_group()

Files = Annotated[
    list[Path],
    typer.Argument(metavar="FILE", help="Text files, best first; - for standard input.", show_default=False),
]


Query = Annotated[str, typer.Option("--query", help="What the texts are to answer.")]
Rate = Annotated[float, typer.Option("--rate", min=0, max=1, help="Share of the tokens that may stay.")]
Tokens = Annotated[
    int | None,
    typer.Option("--tokens", min=0, help="Tokens that may stay; instead of --rate.", show_default=False),
]
Model = Annotated[
    bool,
    typer.Option(
        "--model",
        help="Let the configured language model put what is cut hard into its words; they are checked.",
    ),
]
Keep = Annotated[
    float | None,
    typer.Option(
        "--keep",
        min=0,
        max=1,
        help="How likely what answers is to stay; as little as that takes is kept.",
        show_default=False,
    ),
]


@commands.command(
    "compress", epilog='Example: winnow compress notes.md --query "when was it built" --rate 0.25'
)
def compress_files(
    files: Files,
    query: Query = "",
    rate: Rate = 0.5,
    tokens: Tokens = None,
    keep: Keep = None,
    model: Model = False,
    as_json: JsonOption = False,
) -> None:
    """Make texts smaller for a question: the sentences and clauses that answer it, tables with their headers.

    Never more than asked is kept. What was kept goes to standard output, the account of it to the other one.
    """
    from winnow.app.wiring.engine import open_builtin_embedder
    from winnow.context.compress.compress import compress
    from winnow.context.compress.features import word_embedder
    from winnow.language.tokens import count_tokens

    items = [_file_item(path) for path in files]
    most = tokens
    if most is None:  # a share of the tokens of all texts; with --keep no more than that takes
        share = 1.0 if keep is not None else rate
        most = int(share * count_tokens("\n".join(item.text for item in items)))
    found = compress(items, query, most, keep=keep, meaning=word_embedder(open_builtin_embedder()))
    if model:
        found = asyncio.run(_in_model_words(found, query))
    if as_json:
        show_data("compressed", _data(found))
    else:
        print(found.text)
        shares = {"asked": f"{found.asked:.0%}", "reached": f"{found.reached:.0%}"}
        told = say("cli_compressed", level=found.level, tokens=found.tokens, **shares)
        account = "\n".join([told, *(f"{one.id}: {one.stage}, {one.reason}" for one in found.cut)])
        print(account, file=sys.stderr)


async def _in_model_words(found: Compressed, query: str) -> Compressed:
    """What was kept, in the words of the configured model where they pass. Raises WinnowError without one."""
    from winnow.app.config.settings import load_settings
    from winnow.app.wiring.engine import open_chat
    from winnow.context.compress.abstract import abstract_items
    from winnow.engine.llm.client import TurnTrace
    from winnow.engine.policy import Policy

    if (chat := open_chat(load_settings())) is None:
        raise WinnowError(
            Phrase("There is no language model that could answer."),
            hint=Phrase("Name one: WINNOW_MODEL_SERVER and WINNOW_MODEL_NORMAL."),
        )
    return await abstract_items(found, query, TurnTrace(chat, Policy().model_seconds))


def _file_item(path: Path) -> Item:
    """The text of a file. Raises WinnowError."""
    from winnow.language.decode import NotText, decode_text
    from winnow.types.context import Item

    try:
        raw = sys.stdin.buffer.read() if path.name == "-" else path.read_bytes()
        return Item(path.name, decode_text(raw)[0])
    except OSError as error:
        raise WinnowError(
            Phrase("{path} cannot be read: {why}", path=path, why=error.strerror or str(error)),
            hint=Phrase("winnow compress FILE --query ..."),
        ) from None
    except NotText as error:
        raise WinnowError(
            Phrase("{path} cannot be read: {why}", path=path, why=error.why),
            hint=Phrase("winnow knowledge add {path}", path=path),
        ) from None


def _data(found: Compressed) -> dict[str, object]:
    kept = [
        {"id": one.item.id, "method": one.method, "tokens": one.tokens, "text": one.text}
        for one in found.kept
    ]
    figures = {"level": found.level, "asked": round(found.asked, 4), "reached": round(found.reached, 4)}
    return {
        **figures,
        "tokens": found.tokens,
        "support": round(found.support, 4),
        "kept": kept,
        "cut": found.cut,
    }
