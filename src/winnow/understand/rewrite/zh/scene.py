"""A query and what was said before it, segmented."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from winnow.language.segment import Word
from winnow.types.dialogue import Turn
from winnow.understand.rewrite.zh.candidates import Slot, Source, Stretch, sources
from winnow.understand.rewrite.zh.vocabulary import cut


@dataclass(frozen=True, slots=True)
class Scene:
    """The query and the turns that are read, latest first."""

    query: tuple[Word, ...]
    sources: tuple[Source, ...]

    @property
    def text(self) -> str:
        """The query as said."""
        return "".join(w.text for w in self.query)


def scene_of(query: str, history: Sequence[Turn], skipped: int = 0) -> Scene:
    """A query and its history, segmented; ``skipped`` turns before ``history`` were not read."""
    return Scene(cut(query), tuple(sources(history, skipped)))


def edited(scene: Scene, stretch: Stretch, slot: Slot) -> tuple[str, int, int]:
    """The query with a span in a slot, and where what gave way began and ended."""
    words, query = scene.query, scene.text
    start = words[slot.first].start if slot.first < len(words) else len(query)
    end = words[slot.last - 1].end if slot.last > slot.first else start
    return query[:start] + stretch.text + slot.glue + query[end:], start, end
