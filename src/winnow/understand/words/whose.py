"""Whose room ``her room`` is: of the owner of a room who was spoken of last in the sentence."""

from __future__ import annotations

import re
from functools import lru_cache

from winnow.language.little import little
from winnow.understand.words.tag import tag
from winnow.understand.words.vocabulary import Vocabulary


def with_owners(text: str, vocabulary: Vocabulary) -> str:
    """The normalised text with the owner named in the place of who is pointed at: ``阿婆睡了,她房间的灯``."""
    found = _hers().search(text)
    if found is None:
        return text
    before = [t for t in tag(text[: found.start()], vocabulary) if t.data.get("owner")]
    return text[: found.start()] + before[-1].text + text[found.end(1) :] if before else text


@lru_cache(maxsize=1)
def _hers() -> re.Pattern[str]:
    """Somebody pointed at, before a word for a room."""
    who, of, room = ("|".join(map(re.escape, little(use))) for use in ("hers", "of", "room_endings"))
    return re.compile(f"({who})(?:{of})?(?:{room})")
