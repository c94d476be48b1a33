"""What the library fastembed (0.7 to 0.9) does where Winnow asks it, with vectors of hashed characters.

``installed`` puts it in the place of the library. As there, rows need not have length 1, a vector is rounded
on the scale of its batch, and errors have no class in common.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
import pytest

SMALL, OTHER = "BAAI/bge-small-zh-v1.5", "sentence-transformers/all-MiniLM-L6-v2"
DIMENSIONS = {SMALL: 16, OTHER: 24, "intfloat/multilingual-e5-large": 32}
FILE = "model.onnx"
online = True
"""Whether the hub answers."""


class NoSuchFile(Exception):  # noqa: N818 - the name it has in the ONNX runtime
    """What the ONNX runtime raises: an Exception and nothing below it."""


class TextEmbedding:
    """One model. Its weights are the bytes of its file; a download writes that file."""

    @classmethod
    def list_supported_models(cls) -> list[dict[str, Any]]:
        return [
            {"model": model, "dim": size, "model_file": FILE, "size_in_GB": 0.09}
            for model, size in DIMENSIONS.items()
        ]

    def __init__(
        self,
        model_name: str = SMALL,
        cache_dir: str | None = None,
        threads: int | None = None,
        providers: Sequence[str] | None = None,
        cuda: bool = False,
        device_ids: list[int] | None = None,
        lazy_load: bool = False,
        **kwargs: Any,
    ) -> None:
        if model_name not in DIMENSIONS:
            raise ValueError(f"Model {model_name} is not supported in TextEmbedding.")
        path = Path(
            kwargs.get("specific_model_path")
            or _fetched(model_name, str(cache_dir), kwargs.get("local_files_only", False))
        )
        if not (path / FILE).is_file():
            raise NoSuchFile(f"Load model from {path / FILE} failed. File doesn't exist\nand further lines")
        self.size, self.seed = DIMENSIONS[model_name], crc32((path / FILE).read_bytes())

    def embed(
        self,
        documents: str | Iterable[str],
        batch_size: int = 256,
        parallel: int | None = None,
        **kwargs: Any,
    ) -> Iterator[Any]:
        texts = [documents] if isinstance(documents, str) else list(documents)
        for start in range(0, len(texts), batch_size):
            rows = np.array([self._row(text) for text in texts[start : start + batch_size]])
            step = np.abs(rows).max() / 127
            yield from np.round(rows / step) * step

    def _row(self, text: str) -> Any:
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise TypeError(
                "TextEncodeInput must be Union[TextInputSequence, Tuple[InputSequence, InputSequence]]"
            ) from error
        made = [
            np.random.default_rng(crc32(token.encode(), self.seed)).normal(size=self.size)
            for token in ("[CLS]", *text[:512])
        ]
        return np.sum(made, axis=0)


def _fetched(model: str, cache: str, local_only: bool) -> Path:
    folder = Path(cache) / f"models--{model.replace('/', '--')}"
    if not folder.is_dir():
        if local_only or not online:
            raise ValueError(f"Could not load model {model} from any source.")
        write_model(folder, model)
    return folder


def write_model(folder: Path, weights: str) -> Path:
    """A folder with the file of a model."""
    folder.mkdir(parents=True)
    (folder / FILE).write_text(weights, "utf-8")
    return folder


@contextmanager
def installed() -> Iterator[None]:
    """As if the library were there."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "fastembed", sys.modules[__name__])
        yield
