"""The one conductor: from what a person said to what an agent needs.

An utterance is understood, what it may mean is recalled, what may be done is decided, and the smallest sufficient text is assembled.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import ParamSpec, TypeVar

from winnow.assemble import assemble
from winnow.consult import consult
from winnow.decide import Limits, arbitration, asked_anyway, decide
from winnow.errors import HomeNotFound, NoOpenQuestion
from winnow.ports import Chat, Embedder, Storage
from winnow.recall import HomeIndex, build_index, recall
from winnow.remember.answers import answer_to
from winnow.remember.lexicon import taught, words_of
from winnow.remember.resume import Decide, anew, refusal, resumed, whole
from winnow.remember.sessions import Talk
from winnow.text.tokens import count_tokens
from winnow.types.briefing import Retrieval, Stage
from winnow.types.catalog import Home, Scalar
from winnow.types.dialogue import Language, Utterance
from winnow.types.imports import HomeInfo
from winnow.types.verdict import Clarify
from winnow.types.view import HomeView
from winnow.understand import Vocabulary, build_vocabulary, understand

P = ParamSpec("P")
R = TypeVar("R")


class Engine:
    """Answers utterances about the homes of one storage."""

    max_targets: int = 100
    """Devices of one set that are acted on without asking."""
    max_groups: int = 10
    """Groups of alike commands of one set that are acted on without asking."""
    chat: Chat | None = None
    """A language model that may help; nothing needs one."""
    bulk_arbitration: bool = False
    """Whether ``chat`` may choose between the acts a set may be meant for."""
    model_seconds: float = 8.0
    """How long ``chat`` is waited for."""

    def __init__(
        self,
        catalog: Storage,
        embedder: Embedder,
        *,
        home: str = "",
        budget: int = 250,
        language: Language | None = None,
        talk: Talk | None = None,
    ) -> None:
        self.catalog, self.embedder = catalog, embedder
        self.home, self.budget, self.language = home, budget, language
        self.talk = talk or Talk(catalog)
        self.sync = Sync(self)
        self._opened: dict[str, Opened] = {}

    @classmethod
    def open(cls, source: Home | Path | str | None = None, *, budget: int | None = None) -> Engine:
        """An engine over a ``Home``, a store's file, a folder of payloads, or (None) the configured store."""
        from winnow import wiring

        return wiring.open_engine(source, budget=budget)

    async def retrieve(self, said: Utterance | str) -> Retrieval:
        """What this turn needs and what may be done. Raises HomeNotFound, StoreError; uncertainty is a verdict."""
        found = self.sync.retrieve(said)
        if self.chat is None or not self.bulk_arbitration or not isinstance(found.verdict, Clarify) or found.verdict.by != "action":
            return found
        chosen, call = await consult(self.chat, arbitration(found.verdict.options, found.utterance.text), self.model_seconds)
        return replace(self._arbitrated(found, found.verdict, chosen), model_calls=(*found.model_calls, call))

    def _arbitrated(self, found: Retrieval, asked: Clarify, chosen: int | str | None) -> Retrieval:
        """What follows from a model's choice; without one, or when the session went on meanwhile, the question goes to the person."""
        if isinstance(chosen, int):
            try:
                return self.sync.answer(found.id, chosen)
            except NoOpenQuestion:
                return found
        return replace(found, verdict=asked_anyway(asked, chosen or ""))

    async def answer(self, retrieval_id: str, choice: int | str) -> Retrieval:
        """What follows from an answer to the question of that retrieval. Raises NoOpenQuestion, HomeNotFound, StoreError.

        ``choice``: the index of an option (from 0), a bool for a confirmation, or words: a label, a room, ``the second one``, ``both``,
        ``好``, ``算了``. One round: an answer that is neither clear nor a request of its own is refused, and the question is closed.
        """
        return self.sync.answer(retrieval_id, choice)

    async def used(self, retrieval: Retrieval, user: str = "") -> None:
        """Tell that the calls of the retrieval were carried out: counts one use of each device for ``user`` or whoever spoke."""
        self.sync.used(retrieval, user)

    async def aclose(self) -> None:
        """Close the connections to a language model that this event loop opened."""
        if close := getattr(self.chat, "aclose", None):  # most models have nothing to close
            await close()

    def observe(self, states: Mapping[str, Mapping[str, Scalar]], home_id: str = "") -> None:
        """Take new states of devices (attribute id -> value) into account, until the home is imported anew. Raises HomeNotFound."""
        opened = self.opened(home_id)
        self._opened[opened.home.id] = opened.observed(states)

    def opened(self, home_id: str = "") -> Opened:
        """The home of that id (empty: the configured one, else the only one), ready to be searched; rebuilt when its version changed."""
        info = self._info(home_id)
        known = self._opened.get(info.id)
        if known is None or known.home.version != info.version:
            count_tokens("")  # loads the tokenizer's tables now and not with the first answer
            learned = self.catalog.lexicon.entries(info.id)
            home = taught(self.catalog.load_home(info.id), learned)
            known = self._opened[info.id] = Opened(home, build_vocabulary(home, words_of(learned)), build_index(home, self.embedder))
        return known

    def heard(self, said: Utterance | str) -> Utterance:
        """What was said, with the configured language of replies when it asks for none."""
        utterance = Utterance(said) if isinstance(said, str) else said
        return replace(utterance, language=self.language) if self.language and not utterance.language else utterance

    def derived(self, utterance: Utterance, opened: Opened) -> Retrieval:
        """Understand, recall, decide, assemble: the same for the same utterance and home, and nothing is kept."""
        watch = Watch()
        reading = watch.time("understand", understand, utterance, opened.vocabulary)
        shortlists = watch.time("recall", recall, reading, opened.index, utterance)
        verdict = watch.time("decide", self.decide, reading, shortlists, opened.index.view, utterance)
        briefing = watch.time("assemble", assemble, verdict, shortlists, opened.view, reading, self.budget)
        return Retrieval(utterance, opened.home.id, reading, shortlists, verdict, briefing, tuple(watch.stages))

    @property
    def decide(self) -> Decide:
        """The decision under this engine's limits."""
        return partial(decide, limits=Limits(max_targets=self.max_targets, max_groups=self.max_groups))

    def is_request(self, text: str, opened: Opened) -> bool:
        """Whether the words make a request by themselves: a question, or an act with a thing it is for."""
        return whole(understand(Utterance(text), opened.vocabulary))

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
        engine, heard = self._engine, self._engine.heard(said)
        opened = engine.opened(heard.home)
        utterance, question = engine.talk.joined(heard, opened.home.id)
        if question is not None:
            return self._answered(question.id, utterance.text, utterance)
        return engine.talk.kept(engine.derived(utterance, opened), opened.home.version, opened.view, utterance.text)

    def answer(self, retrieval_id: str, choice: int | str) -> Retrieval:
        """As ``Engine.answer``."""
        return self._answered(retrieval_id, choice, None)

    def used(self, retrieval: Retrieval, user: str = "") -> None:
        """As ``Engine.used``."""
        self._engine.talk.used(retrieval, user)

    def _answered(self, question_id: str, choice: int | str, said: Utterance | None) -> Retrieval:
        """The question's request carried on; ``said`` is the answer as an utterance, where it came as one."""
        engine, watch = self._engine, Watch()
        taken = engine.talk.take(question_id)
        question = taken.question
        opened = engine.opened(question.home_id)
        known = taken.retrieval if question.version == opened.home.version else None
        asked = known or engine.derived(question.utterance, opened)
        answer = watch.time("answer", answer_to, asked, choice, opened.view)
        if answer.kind == "unclear" and isinstance(choice, str) and engine.is_request(choice, opened):
            return self.retrieve(said or anew(question, choice))
        if answer.kind == "no" or engine.talk.in_time(question, asked.verdict):
            after = watch.time("decide", resumed, asked, answer, opened.view, engine.decide)
        else:
            after = replace(asked, verdict=refusal(asked, "expired"))
        briefing = watch.time("assemble", assemble, after.verdict, after.shortlists, opened.view, after.reading, engine.budget)
        after = replace(after, briefing=briefing, stages=tuple(watch.stages), after=question.id)
        return engine.talk.kept(after, opened.home.version, opened.view, answer.label or str(choice))


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

    def observed(self, states: Mapping[str, Mapping[str, Scalar]]) -> Opened:
        """The same home with these states changed; nothing that was built from its names is built again."""
        home, known = _restated(self.home, states), _restated(self.view.home, states)
        return replace(self, home=home, index=replace(self.index, view=HomeView.of(known)))


def _restated(home: Home, states: Mapping[str, Mapping[str, Scalar]]) -> Home:
    return replace(home, devices=tuple(replace(d, states={**d.states, **states[d.id]}) if d.id in states else d for d in home.devices))


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
