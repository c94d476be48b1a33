"""Ids for messages that bring none: the same for the same message each time it is read."""

from __future__ import annotations

from collections import Counter
from hashlib import blake2b

from winnow.types.message import Message

LONGEST = 200
"""Bytes of an id that is kept as it is; a longer one is hashed."""


class Ids:
    """Those given away while one export is read."""

    def __init__(self) -> None:
        self._own: dict[int, int] = {}
        self._positions: Counter[str] = Counter()
        self._moment: tuple[object, str] = (None, "")
        self._here: Counter[str] = Counter()

    def of(self, message: Message) -> str:
        """Its own id where it has one that none before it had, else a hash of what it is.

        Of a message with a time the time counts, of another its place in the talk: so what an export grew by
        is all that a second import adds.
        """
        position = self._positions[message.conversation]
        self._positions[message.conversation] += 1
        if own := self._own_of(message):
            return own
        if message.at is None:
            return _hash("place", message.conversation, str(position), message.role, message.content)
        facts = ("time", message.conversation, message.at.isoformat(), message.role, message.content)
        return _hash(*facts, str(self._again(message, _hash(*facts))))

    def restart(self) -> None:
        """Another talk begins, or the same once more: a log of requests repeats what was said before."""
        self._positions.clear()
        self._moment = (None, "")

    def _own_of(self, message: Message) -> str:
        """The id it brings, if that is one and no other message of the export brought it."""
        if not message.id:
            return ""
        said = hash((message.conversation, message.role, message.content))
        if self._own.setdefault(hash(message.id), said) != said:
            return ""
        short = len(message.id.encode("utf-8", "surrogatepass")) <= LONGEST
        return message.id if short else _hash("id", message.id)

    def _again(self, message: Message, fact: str) -> int:
        """How often the same was said before at that moment."""
        moment = message.at, message.conversation
        if moment != self._moment:
            self._moment, self._here = moment, Counter()
        self._here[fact] += 1
        return self._here[fact] - 1


def talk_of(role: str, text: str) -> str:
    """A name for a talk that brings none: by how it begins."""
    return _hash("talk", role, text)


def _hash(*parts: str) -> str:
    made = blake2b(digest_size=12)
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        made.update(len(data).to_bytes(8, "big") + data)
    return made.hexdigest()
