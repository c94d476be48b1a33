"""How much of what a device is called was said."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from winnow.language.lexicon import TypeWord
from winnow.language.normalise import fold
from winnow.recall.home.explain import Word, type_word
from winnow.recall.home.index import HomeIndex

HEADED = 0.95
"""Least share of a name that ends with the last word said: what comes last in a name is what the thing is."""
KIND = 0.5
"""Share of a name by a word for its kind alone."""


def exact(device_id: str, words: Sequence[Word], index: HomeIndex) -> float:
    """0..1, the share of a name of the device that the words are; floors and zones are part of none."""
    if _of_a_group(device_id, words):
        return 1.0
    said = [w for w in words if w.token.kind not in {"floor", "zone"}]
    if all(w.token.kind == "type" for w in said):
        return _kind_share(device_id, said, index)
    names, room = index.names[device_id], index.view.room(device_id)
    told = [w.key for w in said]
    if room:  # its name, inside that of the device, counts as said
        told.append(fold(room.name))
    share = _best_share(names, told)
    return HEADED if share < HEADED and _headed(names, said[-1].key) else share


def _of_a_group(device_id: str, words: Iterable[Word]) -> bool:
    """Whether the name of a set was said, which is that of each of its members."""
    return any(w.token.kind == "group" and device_id in w.token.refs for w in words)


def _headed(names: Iterable[str], last: str) -> bool:
    return any(name.endswith(last) for name in names)


def _best_share(names: Iterable[str], words: Sequence[str]) -> float:
    return max([_share(name, words) for name in names], default=0.0)


def _share(name: str, words: Iterable[str]) -> float:
    """Share of a folded name that the folded words cover, each once."""
    if not name:
        return 0.0
    left = name
    for text in words:
        if text and text in left:
            left = left.replace(text, "", 1)
        elif text.endswith("s") and text[:-1] in left:
            left = left.replace(text[:-1], "", 1)
    return 1.0 - len(left) / len(name)


def _kind_share(device_id: str, said: Sequence[Word], index: HomeIndex) -> float:
    """A kind alone prefers no name that ends with it, and none that only begins with it.

    A desk lamp is no desk.
    """
    kinds, names = index.view.devices[device_id].kinds, index.names[device_id]
    if _best_share(names, [w.key for w in said]) >= 1.0:
        return 1.0
    told = any(_is_called(device_id, w) or _tells(w.key, type_word(w.token), names, kinds) for w in said)
    return KIND if told else 0.0


def _is_called(device_id: str, word: Word) -> bool:
    """Whether such things are called by the word: it prefers none of several kinds."""
    return bool(word.token.data.get("called")) and device_id in word.devices


def _tells(key: str, word: TypeWord, names: Iterable[str], kinds: Sequence[str]) -> bool:
    """Whether a word for a kind tells of a device at least by half."""
    held = [name for name in names if key in name]
    if not held:
        return word.specific >= 1 and word.kinds[0] in kinds
    return not set(word.kinds).isdisjoint(kinds) or _headed(held, key)
