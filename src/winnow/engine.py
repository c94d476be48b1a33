"""The one conductor: from what a person said to what an agent needs.

An utterance is understood, what it may mean is recalled, what may be done is decided, and the smallest sufficient text is assembled.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import perf_counter
from typing import ParamSpec, TypeVar

from winnow.assemble import assemble
from winnow.decide import decide
from winnow.errors import HomeNotFound
from winnow.ports import Catalog, Embedder
from winnow.recall import HomeIndex, build_index, recall
from winnow.text.tokens import count_tokens
from winnow.types.briefing import Retrieval, Stage
from winnow.types.catalog import Home
from winnow.types.dialogue import Language, Utterance
from winnow.types.imports import HomeInfo
from winnow.types.view import HomeView
from winnow.understand import Vocabulary, build_vocabulary, understand

P = ParamSpec("P")
R = TypeVar("R")


class Engine:
    """Answers utterances about the homes of one catalog."""

    def __init__(
        self, catalog: Catalog, embedder: Embedder, *, home: str = "", budget: int = 250, language: Language | None = None
    ) -> None:
        self.catalog, self.embedder = catalog, embedder
        self.home, self.budget, self.language = home, budget, language
        self.sync = Sync(self)
        self._opened: dict[str, Opened] = {}

    @classmethod
    def open(cls, source: Home | Path | str | None = None, *, budget: int | None = None) -> Engine:
        """An engine over a ``Home``, a store's file, a folder of payloads, or (None) the configured store."""
        from winnow import wiring

        return wiring.open_engine(source, budget=budget)

    async def retrieve(self, said: Utterance | str) -> Retrieval:
        """What this turn needs and what may be done. Raises HomeNotFound, StoreError; uncertainty is a verdict."""
        return self.sync.retrieve(said)

    def opened(self, home_id: str = "") -> Opened:
        """The home of that id (empty: the configured one, else the only one), ready to be searched; rebuilt when its version changed."""
        info = self._info(home_id)
        known = self._opened.get(info.id)
        if known is None or known.home.version != info.version:
            count_tokens("")  # loads the tokenizer's tables now and not with the first answer
            home = self.catalog.load_home(info.id)
            known = self._opened[info.id] = Opened(home, build_vocabulary(home), build_index(home, self.embedder))
        return known

    def heard(self, said: Utterance | str) -> Utterance:
        """What was said, with the configured language of replies when it asks for none."""
        utterance = Utterance(said) if isinstance(said, str) else said
        return replace(utterance, language=self.language) if self.language and not utterance.language else utterance

    def _info(self, home_id: str) -> HomeInfo:
        wanted, homes = home_id or self.home, self.catalog.list_homes()
        for info in homes:
            if info.id == wanted or (not wanted and len(homes) == 1):
                return info
        raise HomeNotFound(wanted, [info.id for info in homes])


class Sync:
    """The same engine for callers without an event loop."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def retrieve(self, said: Utterance | str) -> Retrieval:
        """As ``Engine.retrieve``; nothing in it waits for anything but the store."""
        utterance = self._engine.heard(said)
        opened, watch = self._engine.opened(utterance.home), Watch()
        reading = watch.time("understand", understand, utterance, opened.vocabulary)
        shortlists = watch.time("recall", recall, reading, opened.index, utterance)
        verdict = watch.time("decide", decide, reading, shortlists, opened.index.view, utterance)
        briefing = watch.time("assemble", assemble, verdict, shortlists, opened.view, reading, self._engine.budget)
        return Retrieval(utterance, opened.home.id, reading, shortlists, verdict, briefing, tuple(watch.stages))


@dataclass(frozen=True, slots=True)
class Opened:
    """One version of a home with what is built from it once."""

    home: Home
    vocabulary: Vocabulary
    index: HomeIndex

    @property
    def view(self) -> HomeView:
        """The home's lookups."""
        return self.index.view


@dataclass(slots=True)
class Watch:
    """Times each stage, in milliseconds."""

    stages: list[Stage] = field(default_factory=list)

    def time(self, name: str, stage: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """What the stage returns; how long it took is noted."""
        start = perf_counter()
        result = stage(*args, **kwargs)
        self.stages.append(Stage(name, (perf_counter() - start) * 1000))
        return result
