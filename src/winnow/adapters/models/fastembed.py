"""Sentence models in this process, by the library fastembed (ONNX), imported only where one is chosen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
from rapidfuzz import fuzz, process

from winnow.adapters.models.embedders import FloatRows, unit_rows
from winnow.adapters.models.openai_protocol import without_surrogates
from winnow.errors import EmbedderError, Phrase, install_hint

PROBE_TEXT = "打开客厅的灯 turn on the light 27.5"
"""What a model is known by: its vector of this text is its version."""
MAX_SUGGESTIONS = 3
"""Names that are offered for one that is not known."""


class FastEmbedder:
    """Texts -> unit vectors of ``model``, one of those that fastembed lists.

    The model's files are those of ``folder``, else those below ``cache``; where they are absent they are
    downloaded to there, if ``fetch``. ``version`` tells what it makes of one text, so that other files get
    another one. Safe in threads, since nothing changes after loading. Raises EmbedderError.
    """

    alike = None
    """Every model has cosines of its own, and this one's were not measured."""

    def __init__(self, model: str, cache: Path, *, folder: Path | None = None, fetch: bool = False) -> None:
        try:  # its modules take the better part of a second to load
            from fastembed import TextEmbedding
        except ImportError as error:
            raise EmbedderError(
                model,
                Phrase("the library fastembed cannot be imported ({why})", why=error),
                hint=install_hint("fastembed"),
            ) from error
        library = TextEmbedding
        about = _model_description(model, library.list_supported_models())
        where = {"specific_model_path": str(folder)} if folder else {}
        self.name: str = about["model"]
        with nullcontext() if fetch else _quiet(), _translate_errors(self.name, _hint(about, folder, fetch)):
            self._model = library(
                model_name=self.name, cache_dir=str(cache), local_files_only=not fetch, **where
            )
            probe = self._rows([PROBE_TEXT])
        self.dimension: int = probe.shape[1]
        self.version = f"{crc32(np.round(probe * 1000).astype('<i2').tobytes()):08x}"

    def embed(self, texts: Sequence[str]) -> FloatRows:
        """One row of length 1 per text, in order: shape ``(len(texts), dimension)``. Raises EmbedderError."""
        if not texts:
            return np.zeros((0, self.dimension), np.float32)
        with _translate_errors(self.name, "It worked when it was opened; see what the message says."):
            return self._rows(texts)

    def _rows(self, texts: Sequence[str]) -> FloatRows:
        # One by one: many of these models count in 8 bits whose scale is that of the whole batch, so
        # neighbours would change a vector.
        found = self._model.embed([without_surrogates(text) for text in texts], batch_size=1)
        return unit_rows(np.asarray(list(found), np.float32))


def _model_description(model: str, listed: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """What fastembed says of the model of that name, in whatever case."""
    names = {str(about["model"]): about for about in listed}
    found = next((about for name, about in names.items() if name.lower() == model.lower()), None)
    if found is None:
        near = process.extract(
            model, list(names), scorer=fuzz.WRatio, processor=str.lower, limit=MAX_SUGGESTIONS
        )
        raise EmbedderError(
            model,
            "fastembed knows no model of that name",
            hint=Phrase("Near it: {names}.", names=[name for name, *_ in near]),
        )
    return found


def _hint(about: dict[str, Any], folder: Path | None, fetch: bool) -> str:
    """What to do when the model cannot be opened."""
    if folder:
        return Phrase(
            "{folder} must hold {file}, tokenizer.json, tokenizer_config.json and config.json of this model.",
            folder=folder,
            file=about["model_file"],
        )
    if fetch:
        return (
            "Check the connection, set HF_ENDPOINT to a mirror,"
            " or bring its files and name their folder: model_folder."
        )
    return Phrase(
        "Fetch it once ({size} GB): winnow doctor --ask-model;"
        " or bring its files and name their folder: model_folder.",
        size=about["size_in_GB"],
    )


@contextmanager
def _translate_errors(model: str, hint: str) -> Iterator[None]:
    """The one place where errors of fastembed, the hub and the ONNX runtime become ours.

    They have no class in common.
    """
    try:
        yield
    except Exception as error:
        why = str(error).partition("\n")[0] or type(error).__name__
        raise EmbedderError(model, why.rstrip("."), hint=hint) from error


@contextmanager
def _quiet() -> Iterator[None]:
    """Without what fastembed writes to the terminal about files that are not here."""
    try:
        from loguru import logger
    except ImportError:  # another version may log otherwise
        yield
        return
    logger.disable("fastembed")
    try:
        yield
    finally:
        logger.enable("fastembed")
